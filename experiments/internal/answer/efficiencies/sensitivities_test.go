package efficiencies_test

import (
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/answer/efficiencies"
	"github.com/isoscale/isoscale/experiments/internal/answer/run"
	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/experiments/internal/scenario/cluster"
	"github.com/isoscale/isoscale/experiments/internal/scenario/scenariotest"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
)

// differences compare sensitivities with central differences of runs in which one parameter changes by a part of 1e-4.
type differences struct{ compared, kinks, unresolved int }

const step = 1e-4

// compare compares a share of the time with differences between runs in which the time of a parameter is scaled. At a
// kink the differences to both sides disagree: either is right. At a jump, where messages that came at the same time
// change their order, they grow as the step shrinks.
func (d *differences) compare(t *testing.T, makespan, share float64, run func(multiple float64) float64, what string) {
	t.Helper()
	up, down := (run(1+step)-makespan)/(step*makespan), (makespan-run(1-step))/(step*makespan)
	if half := (run(1+step/2) - makespan) / (step / 2 * makespan); math.Abs(up-down)+math.Abs(up-half) > 1e-7*max(math.Abs(up), math.Abs(down))+1e-10 {
		d.kinks++
		return
	}
	d.compared++
	expect.That(t, math.Abs((up+down)/2-share) <= 1e-6*math.Abs(share)+1e-10,
		"%s: a share of %v; by central differences %v", what, share, (up+down)/2)
}

// sum is the share of the parameters that are asked for.
func sum(s *efficiencies.Sensitivities, of func(efficiencies.Sensitivity) bool) float64 {
	total := 0.0
	for _, p := range s.Parameters {
		if of(p) {
			total += p.Share
		}
	}
	return total
}

func isOverhead(p efficiencies.Sensitivity) bool { return strings.Contains(p.Parameter, "overhead") }
func isLatency(p efficiencies.Sensitivity) bool  { return strings.HasPrefix(p.Parameter, "latency") }
func isTransfer(p efficiencies.Sensitivity) bool {
	return p.Parameter == "bandwidth" || strings.HasPrefix(p.Parameter, "gap")
}

// scenarioDifferences compares all sensitivities of a scenario: of the network in all, of speeds and memory by node type.
func (d *differences) scenario(t *testing.T, s *scenario.Scenario, name string) {
	t.Helper()
	x := expect.Value(run.Run(t.Context(), s, run.Options{Sensitivities: true}))(t)
	if x.Provenance.Events > 200_000 || x.Makespan == 0 {
		return // long
	}
	simulate := func(c cluster.Change, change func(*system.System)) float64 {
		other := *s
		other.Network.Network = s.Network.Network.With(c)
		sys := expect.Value(system.New(&other))(t)
		change(sys)
		return float64(expect.Value(sys.Simulate(t.Context(), s.Workload.N))(t).Makespan)
	}
	total := sum(x.Sensitivities, func(efficiencies.Sensitivity) bool { return true })
	rest := (x.Sensitivities.Constant + x.Sensitivities.Unresolved) / x.Makespan
	expect.That(t, math.Abs(total+rest-1) < 1e-9, "%s: shares of %v and %v of others", name, total, rest)
	if x.Sensitivities.Unresolved > 0 {
		d.unresolved++
	}
	for what, of := range map[string]func(efficiencies.Sensitivity) bool{"latency": isLatency, "transfer": isTransfer, "overhead": isOverhead} {
		d.compare(t, x.Makespan, sum(x.Sensitivities, of), func(multiple float64) float64 {
			c := cluster.AsIs
			*map[string]*float64{"latency": &c.Latency, "transfer": &c.Transfer, "overhead": &c.Overhead}[what] = multiple
			return simulate(c, func(*system.System) {})
		}, name+": "+what)
	}
	types := map[string]bool{}
	for _, b := range expect.Value(system.New(s))(t).Placement.Blocks {
		types[b.Type.Name] = true
	}
	for node := range types {
		scaled := func(list []units.FlopsPerSecond, sys *system.System, by float64) []units.FlopsPerSecond {
			list = slices.Clone(list)
			for _, b := range sys.Placement.Blocks {
				for r := range b.Nodes * b.Processes {
					if b.Type.Name == node {
						list[sys.Placement.Rank(b.FirstSlot+r)] /= units.FlopsPerSecond(by)
					}
				}
			}
			return list
		}
		at := func(parameter string) func(p efficiencies.Sensitivity) bool {
			return func(p efficiencies.Sensitivity) bool {
				return p.Parameter == parameter && strings.TrimSuffix(p.Where, " (devices)") == node
			}
		}
		d.compare(t, x.Makespan, sum(x.Sensitivities, at("speed")), func(multiple float64) float64 {
			return simulate(cluster.AsIs, func(sys *system.System) { sys.Rates = scaled(sys.Rates, sys, multiple) })
		}, name+": speed of "+node)
		d.compare(t, x.Makespan, sum(x.Sensitivities, at("memory bandwidth")), func(multiple float64) float64 {
			return simulate(cluster.AsIs, func(sys *system.System) {
				if sys.Memory == nil {
					return
				}
				memory := make([]units.FlopsPerSecond, len(sys.Memory))
				for i, m := range sys.Memory {
					memory[i] = units.FlopsPerSecond(m)
				}
				for i, m := range scaled(memory, sys, multiple) {
					if i == 0 {
						sys.Memory = slices.Clone(sys.Memory)
					}
					sys.Memory[i] = units.BytesPerSecond(m)
				}
			})
		}, name+": memory of "+node)
	}
}

// Of all examples on networks that price messages.
func TestSensitivitiesOfExamples(t *testing.T) {
	expect.Long(t, "runs examples again and again")
	var d differences
	root := filepath.Join("..", "..", "..", "..", "examples")
	expect.Success(t, filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if filepath.Ext(path) != ".yaml" {
			return err
		}
		for _, network := range []string{"", "hockney", "loggops"} {
			var overrides []input.Override
			if network != "" {
				overrides = []input.Override{{Path: "network", Value: network}}
			}
			s, super, err := scenario.Disk.ReadRunnable(path, overrides)
			if err != nil || super != nil || s.Network.Kind.SharesLinks {
				continue
			}
			if sys, err := system.New(s); err != nil || len(sys.Speeds) > 1000 {
				continue
			}
			d.scenario(t, s, filepath.Base(path)+" "+network)
		}
		return nil
	}))
	d.check(t, 300)
}

// check requires that almost no comparison was at a kink, and that the paths explain all of the time.
func (d *differences) check(t *testing.T, least int) {
	t.Helper()
	t.Logf("%+v", *d)
	expect.That(t, d.compared >= least && d.kinks*20 <= d.compared && d.unresolved == 0, "%+v; want %d compared", *d, least)
}

// randomStreams is an application whose processes have streams: cores and interfaces that they share decide who waits.
func randomStreams(r *rand.Rand) string {
	var list strings.Builder
	list.WriteString("application: x\nparameters: {n: 1}\nwork: 1 Gflop\nprogram:\n- imbalance: 0.3\n- repeat: 3\n  do:\n")
	for range 3 + r.IntN(6) {
		size, flop, far := []string{"0 B", "8 B", "3 kB", "40 kB", "200 kB"}[r.IntN(5)], 1+r.IntN(900), 1+r.IntN(5)
		next := fmt.Sprintf("{sendrecv: {to: \"mod(rank + %d, p)\", from: \"mod(rank + %d*p - %d, p)\", size: %s}}", far, far, far, size)
		list.WriteString("  - " + []string{
			fmt.Sprintf("compute: {flop: %d kflop, bytes: %d kB}", flop, r.IntN(2)*flop),
			fmt.Sprintf("i%s: {size: %s}", []string{"allreduce", "bcast", "alltoall", "allgather"}[r.IntN(4)], size),
			fmt.Sprintf("stream: %s\n    do: [{compute: %d kflop}, %s]", []string{"s", "t"}[r.IntN(2)], flop, next),
			next[1 : len(next)-1],
			fmt.Sprintf("allreduce: {size: %s, flop_per_byte: 0.3}", size),
			"wait: all",
		}[r.IntN(6)] + "\n")
	}
	return list.String() + "  - wait: all\n"
}

// Of random work, with overheads, rendezvous, memory, connections within nodes and between groups, and streams.
func TestSensitivitiesOfRandomWork(t *testing.T) {
	var d differences
	r := rand.New(rand.NewPCG(28, 3))
	for i := range 140 {
		workload, application := scenariotest.RandomWork(r)
		if i >= 100 {
			workload, application = "{application: a.yaml}", randomStreams(r)
		}
		text := fmt.Sprintf(`
machine:
  node_types:
    slow: {cores: 2, marked_speed: %d Gflop/s, memory_bandwidth: %d GB/s, on_node: {latency: 1 us, bandwidth: 6 GB/s}}
    fast: {cores: 3, marked_speed: %d Gflop/s, memory_bandwidth: %d GB/s, on_node: {latency: 2 us, bandwidth: 7 GB/s}}
  nodes: [{type: slow, count: %d}, {type: fast, count: %d}]
  network: {latency: %d us, bandwidth: 1 GB/s, send_overhead: %d us, recv_overhead: %d us, between_groups: {latency: 33 us, bandwidth: 0.7 GB/s}}
placement: {slow: %d, fast: %d}
rank_order: %s
network: %s
seed: %d
workload: %s
`, 1+r.IntN(3), 1+r.IntN(5), 1+r.IntN(3), 1+r.IntN(5), 1+r.IntN(4), 1+r.IntN(4), r.IntN(100), r.IntN(5), r.IntN(5), 1+r.IntN(2), 1+r.IntN(3),
			[]string{"block", "cyclic"}[i/4%2], []string{"hockney", "loggops", "{name: hockney, eager_limit: 10 kB}", "{name: loggops, S: 10 kB, g: 3 us, O: 0.2 ns}"}[i%4], i, workload)
		d.scenario(t, scenariotest.Application(t, text, application), text+application)
	}
	d.check(t, 900)
}

// Cases by hand, on a machine whose nodes have two cores of 1 Gflop/s: how many latencies and overheads of each kind
// the time contains, how many bytes at each bandwidth, and how many flop at the speed.
func TestSensitivitiesByHand(t *testing.T) {
	const machine = `
machine:
  node_types: {n: {cores: 2, marked_speed: 1 Gflop/s, on_node: {latency: 1 us, bandwidth: 10 GB/s}}}
  nodes: [{type: n, count: 2}]
  network: {latency: 10 us, bandwidth: 1 GB/s, send_overhead: %s us, recv_overhead: %s us}
placement: {n: %d}
network: %s
workload: %s
`
	const program = "application: x\nwork: 0 flop\n%s\n"
	type times map[string]float64
	for _, c := range []struct {
		name, send, receive string
		processes           int
		network, workload   string
		application         string
		want                times
	}{
		// There and back five times: ten messages, one after the other.
		{"ping-pong", "1", "2", 1, "hockney", "{application: a.yaml}",
			"program: [{repeat: 5, do: [{when: rank == 0, do: [{send: {to: 1, size: 1 MB}}, {recv: {from: 1}}], else: [{recv: {from: 0}}, {send: {to: 0, size: 1 MB}}]}]}]",
			times{"latency between nodes": 10, "bandwidth between nodes": 1e7, "send overhead all messages": 10, "receive overhead all messages": 10}},
		// Each message: o + L until its first byte is there, then o + (s-1) G.
		{"ping-pong, LogGOPS", "1", "2", 1, "{name: loggops, g: 1 us}", "{application: a.yaml}",
			"program: [{repeat: 5, do: [{when: rank == 0, do: [{send: {to: 1, size: 1 MB}}, {recv: {from: 1}}], else: [{recv: {from: 0}}, {send: {to: 0, size: 1 MB}}]}]}]",
			times{"latency L between nodes": 10, "overhead o all messages": 20, "gap per byte G between nodes": 10 * (1e6 - 1)}},
		// Four processes in a row, 0 and 1 on one node. In a round process 1 sends to 0, then to 2, and 2 to 1, then to 3: 2 has
		// its message m/10 GB/s later than 1. The latest chain is 1, 2, 1, 2: both messages of 1, the first of 2, both of 1.
		{"halo", "0", "0", 2, "hockney", "{application: a.yaml}",
			"grid: {x: auto}\nprogram: [{repeat: 3, do: [{compute: {flop: 1 Mflop, counts: false}}, {exchange: {with: neighbours, size: 100 kB}}]}]",
			times{"speed n": 3e6, "latency between nodes": 3, "bandwidth between nodes": 3e5, "bandwidth on a n": 2e5}},
		// A step inside the node, one between nodes, seven times.
		{"allreduce on two levels", "0", "0", 2, "hockney", "{application: a.yaml}",
			"program: [{repeat: 7, do: [{allreduce: {size: 1 kB, algorithm: recursive-doubling}}]}]",
			times{"latency on a n": 7, "latency between nodes": 7, "bandwidth on a n": 7e3, "bandwidth between nodes": 7e3}},
		// Five messages leave one after the other, the second one of a stream that sends no other.
		{"an interface that a stream shares", "0", "0", 1, "hockney", "{application: a.yaml}",
			"program: [{when: rank == 0, do: [{isend: {to: 1, size: 1 MB}}, {stream: s, do: [{send: {to: 1, size: 1 MB}}]}, {delay: 1 us}, " +
				"{repeat: 3, do: [{isend: {to: 1, size: 1 MB}}]}], else: [{stream: s, do: [{recv: {from: 0}}]}, {repeat: 4, do: [{recv: {from: 0}}]}]}]",
			times{"latency between nodes": 1, "bandwidth between nodes": 5e6}},
		// Two processes: half of A and all of B go out, N^3 flop each, half of C comes back; 8 bytes each.
		{"matmul", "0", "0", 1, "hockney", "{name: matmul, n: 200}", "",
			times{"latency between nodes": 2, "bandwidth between nodes": 2 * 8 * 200 * 200, "speed n": 200 * 200 * 200}},
	} {
		text := fmt.Sprintf(machine, c.send, c.receive, c.processes, c.network, c.workload)
		x := ran(t, text, fmt.Sprintf(program, c.application), run.Options{Sensitivities: true})
		makespan := 0.0
		expect.Equal(t, len(x.Sensitivities.Parameters), len(c.want), "%s: %+v: parameters", c.name, x.Sensitivities.Parameters)
		for _, p := range x.Sensitivities.Parameters {
			want, unit := c.want[p.Parameter+" "+p.Where], p.Value
			// One percent of the time more is so much more of each of its times.
			longer := p.Value + 0.01*x.Makespan/want
			derivative := want
			if p.Unit == "B/s" || p.Unit == "flop/s" {
				unit, derivative = 1/p.Value, -want/(p.Value*p.Value)
				longer = 1 / (unit + 0.01*x.Makespan/want)
			}
			makespan += want * unit
			expect.Close(t, p.Derivative, derivative, 1e-9, "%s: %s %s", c.name, p.Parameter, p.Where)
			expect.Close(t, p.Share, want*unit/x.Makespan, 1e-9, "%s: %s %s: share", c.name, p.Parameter, p.Where)
			expect.Close(t, p.Longer1, longer, 1e-9, "%s: %s %s: 1 %% longer", c.name, p.Parameter, p.Where)
		}
		expect.Close(t, makespan, x.Makespan, 1e-12, "%s: time", c.name)
	}
}

// A law by hand: an allreduce of 8 MB by rails on 4 nodes of 8 devices, two of which share a card, takes
// 2 (28 x 2 us + 3 x 5 us) and 2 x 31/32 of the bytes through 4 cards of a node.
func TestSensitivitiesOfLaws(t *testing.T) {
	const hop, far, card, bytes = 2e-6, 5e-6, 50e9, 2 * 31. / 32 * 8e6 / 4
	for network, names := range map[string][3]string{"hockney": {"latency", "bandwidth", ""}, "{name: loggops, o: 1 us}": {"latency L", "gap per byte G", "overhead o"}} {
		text := fmt.Sprintf(`
machine:
  node_types:
    gpu: {marked_speed: 1 Gflop/s, rails: [[0, 1], [2, 3], [4, 5], [6, 7]], devices: {count: 8, speed: {fp64: 1 Tflop/s}, link: {latency: 2 us, bandwidth: 400 GB/s}}}
  nodes: [{type: gpu, count: 4}]
  network: {latency: 5 us, bandwidth: 50 GB/s}
placement: {gpu: {on: devices}}
network: %s
workload: {application: a.yaml}
`, network)
		program := "application: x\nwork: 0 flop\nprogram: [{repeat: 3, do: [{allreduce: {size: 8 MB, algorithm: rails}}]}]\n"
		x := ran(t, text, program, run.Options{Sensitivities: true})
		want := map[string]float64{names[0] + " on a gpu": 3 * 56 * hop, names[0] + " between nodes, network card": 3 * 6 * far, names[1] + " between nodes, network card": 3 * bytes / card}
		if names[2] != "" {
			want[names[2]+" all messages"] = 3 * 6 * 1e-6
		}
		got, sum := map[string]float64{}, 0.
		for _, p := range x.Sensitivities.Parameters {
			got[p.Parameter+" "+p.Where] = p.Share * x.Makespan
		}
		for name, seconds := range want {
			expect.Close(t, got[name], seconds, 1e-9, "%s: %s", network, name)
			sum += seconds
		}
		expect.Close(t, x.Makespan, sum, 1e-12, "%s: time", network)
		expect.That(t, len(got) == len(want) && x.Sensitivities.Constant < 1e-15, "%s: %v, constant %v", network, got, x.Sensitivities.Constant)
	}
}

// Where a core replaces the memory as the limit of a computation, the time grows faster.
const assumed = "It takes 1 or 5 % longer at the values given if the same operations, with the same limits, still determine the time."

// The words for a time with delays and measured collectives: 1 ms of compute, 2 ms of delay, 1 ms of a barrier.
func TestSensitivitiesInWords(t *testing.T) {
	text := fmt.Sprintf(scenariotest.TwoSpeeds, 1, 1, 1, 0, "hockney", 1, "{application: a.yaml}")
	program := "application: x\nwork: 2 Mflop\nprogram: [{compute: 1 Mflop}, {delay: 3 ms}]\n"
	x := ran(t, text, program, run.Options{Sensitivities: true})
	expect.List(t, x.Sensitivities.Says(x.Makespan), []string{
		"The speed (slow) matters most: with 1 % less of it the run takes 0.25 % longer.",
		assumed,
		"75.0 % of the time is delays and collective operations at a given cost, which are taken as constant.",
	}, "says")
	x.Sensitivities.Unresolved = x.Makespan / 10
	expect.Equal(t, x.Sensitivities.Says(x.Makespan)[3],
		"10.0 % of the time is waiting that the critical path does not explain; no share includes it.", "says")
	expect.Says(t, fmt.Sprint(x.Sensitivities.Section(x.Makespan)), "What the time depends on")
	s := scenariotest.Application(t, strings.Replace(text, "hockney", "flow", 1), program)
	expect.Refusal(run.Run(t.Context(), s, run.Options{Sensitivities: true}))(t, "--what-if")
}

// Of 20 parameters, 16 are shown; what is said of a parameter of several nodes counts all of its name.
func TestSensitivitiesOfManyNodes(t *testing.T) {
	s := efficiencies.Sensitivities{Parameters: []efficiencies.Sensitivity{{Parameter: "latency", Where: "network", Share: 0.5}}}
	expect.List(t, s.Says(1), []string{"The latency (network) matters most: with 1 % more of it the run takes 0.50 % longer.", assumed}, "one")
	for i := range 19 {
		name := "latency"
		if i%2 == 0 {
			name = "bandwidth"
		}
		s.Parameters = append(s.Parameters, efficiencies.Sensitivity{Parameter: name, Where: fmt.Sprint("n", i), Share: 0.01 - 1e-4*float64(i)})
	}
	// 0.5 + the sum of 0.01 - 1e-4 i over i = 1, 3, ... 17
	expect.List(t, s.Says(1), []string{"The latency (network) matters most: with 1 % more of it the run takes 0.50 % longer, with 1 % more of every latency 0.58 %.", assumed}, "twenty")
	shown, others := s.Largest()
	expect.Equal(t, len(shown.Parameters), 16, "shown")
	expect.Equal(t, others, "4 more with a share of at most 0.85 % each", "others")
	expect.Says(t, fmt.Sprint(s.Section(1)), "leaves out 4 more with")
	s.Parameters = s.Parameters[:16]
	_, others = s.Largest()
	expect.Equal(t, others, "", "others of 16")
}

// Sensitivities make a run take at most half as long again.
func BenchmarkSensitivities(b *testing.B) {
	for _, c := range []struct{ file, set, value string }{
		{"sunwulf-run.yaml", "workload.n", "8000"}, {"hpl.yaml", "workload.n", "12000"}, {"applications/heat3d-run.yaml", "workload.steps", "2000"}, {"barrier-1m.yaml", "nodes.node", "65536"},
	} {
		for _, network := range []string{"hockney", "loggops"} {
			for _, o := range []run.Options{{}, {Sensitivities: true}} {
				b.Run(fmt.Sprintf("%s/%s/%v", strings.TrimSuffix(filepath.Base(c.file), ".yaml"), network, o.Sensitivities), func(b *testing.B) {
					s, _, err := scenario.Disk.ReadRunnable(filepath.Join("..", "..", "..", "..", "examples", c.file),
						[]input.Override{{Path: c.set, Value: c.value}, {Path: "network", Value: network}})
					expect.Need(b, err == nil, "%v", err)
					for b.Loop() {
						expect.Value(run.Run(b.Context(), s, o))(b)
					}
				})
			}
		}
	}
}
