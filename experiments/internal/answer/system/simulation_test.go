package system

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/experiments/internal/scenario/scenariotest"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
)

// Two processes start one after the other in 1 s each, so both begin after 2 s. A round is 10 flop
// on 1 flop/s and 5 flop/s, 4 bytes each way at 1 byte/s, and both wait for the slower.
const exchange = `
machine:
  node_types: {slow: {marked_speed: 1 flop/s}, fast: {marked_speed: 5 flop/s}}
  nodes: [{type: slow}, {type: fast}]
  network: {latency: 0 s, bandwidth: 1 B/s}
network: hockney
workload: {name: pattern, n: 1, shape: ring, size: 4 B, compute: 10 flop, startup_per_process: 1 s}
`

// made returns a scenario ready to run, ran a run of it.
func made(t testing.TB, s *scenario.Scenario) *System {
	t.Helper()
	return expect.Value(New(s))(t)
}

func ran(t testing.TB, sys *System, n int) *Simulation {
	t.Helper()
	return expect.Value(sys.Simulate(context.Background(), n))(t)
}

// simulated returns the outcome of a scenario, and simulate of a text.
func simulated(t testing.TB, s *scenario.Scenario) *Simulation {
	t.Helper()
	return ran(t, made(t, s), s.Workload.N)
}

func simulate(t testing.TB, text string) *Simulation {
	t.Helper()
	return simulated(t, scenariotest.Scenario(t, text))
}

// The table of outcomes by hand. The fast process has computed by 4 s and sends; the slow
// one has by 12 s, so its message arrives at 16 s. The slow one gets the message of the fast
// one at once, but its own must leave first.
func TestOutcomesByHand(t *testing.T) {
	got := map[string]float64{}
	x := simulate(t, exchange)
	expect.That(t, x.Energy == nil, "%+v for nodes of unknown power", x.Energy)
	measured := expect.Value(values(outcomes, x))(t)
	for i, v := range measured {
		got[outcomes[i].Name] = v
	}
	want := map[string]float64{
		"processes": 2, "time": 16, "work": 20, "marked_speed": 6, "achieved_speed": 20. / 16, "speed_efficiency": 20. / 16 / 6,
		"compute": (10 + 2) / 2., "overhead": 2, "wait": 16 - 2 - 6, "messages": 2, "bytes": 8,
	}
	expect.That(t, len(got) == len(want), "%d outcomes, want %d", len(got), len(want))
	for name, v := range want {
		expect.That(t, math.Abs(got[name]-v) <= 1e-12, "%s = %v, want %v", name, got[name], v)
	}
}

// Without work there is no speed, and no problem size holds a speed-efficiency.
func TestSimulationWithoutWork(t *testing.T) {
	text := strings.Replace(exchange, "compute: 10 flop, ", "", 1)
	x := simulate(t, text)
	expect.That(t, x.Work == 0 && x.AchievedSpeed == 0 && x.SpeedEfficiency == 0 && x.Makespan == 6,
		"work %v at %v, efficiency %v, in %v", x.Work, x.AchievedSpeed, x.SpeedEfficiency, x.Makespan)
	expect.Refusal(NewCurve(x.System).Hold(context.Background(), 0.3, scenario.SizeRange{From: 4, To: 8}))(t, "n = 4: the workload performs no work")
}

// No size is simulated twice, and all are remembered in order.
func TestCurveRemembers(t *testing.T) {
	c := NewCurve(simulate(t, exchange).System)
	var events int64
	for _, n := range []int{3, 1, 2, 3, 1} {
		x := expect.Value(c.At(context.Background(), n))(t)
		expect.That(t, x.N == n, "asked for n = %d, got %d", n, x.N)
	}
	for i, x := range c.Points() {
		events += x.Events
		expect.That(t, x.N == i+1, "point %d has n = %d", i, x.N)
	}
	n, e := c.Effort()
	expect.That(t, n == 3 && e == events, "%d simulations and %d events, want 3 and %d", n, e, events)
}

// Four processes of 16 threads on a node of 64 cores of 1 flop/s: each has 16 of 64 flop and
// computes at 16 flop/s, 1 s. With 1 byte/flop a process has a quarter of the 32 B/s of the node, 8
// flop/s, and takes 2 s. Four processes of one thread take 16 s on 4 cores.
func TestThreadsComputeTogether(t *testing.T) {
	const text = `
machine:
  node_types: {new: {cores: 64, marked_speed: 1 flop/s, memory_bandwidth: 32 B/s}}
  nodes: [{type: new}]
  network: {latency: 0 s, bandwidth: 1 B/s, on_node: {latency: 0 s, bandwidth: 1000 GB/s}}
network: NETWORK
placement: {new: PLACEMENT}
workload: {name: pattern, n: 1, shape: ring, size: 0 B, total_compute: 64 flop, bytes_per_flop: TRAFFIC}
`
	for _, network := range []string{"ideal", "hockney", "flow"} {
		for _, tt := range []struct {
			placement, traffic string
			speed, time        float64
		}{
			{"{processes: 4, threads: 16}", "0", 64, 1},
			{"{processes: 4, threads: 16}", "1", 64, 2},
			{"{threads: 64}", "0", 64, 1},
			{"{processes: 64}", "0", 64, 1},
			{"{processes: 4}", "0", 4, 16},
			{"4", "0", 4, 16},
		} {
			x := simulate(t, strings.NewReplacer("NETWORK", network, "PLACEMENT", tt.placement, "TRAFFIC", tt.traffic).Replace(text))
			c := float64(x.MarkedSpeed)
			expect.That(t, c == tt.speed && math.Abs(float64(x.Makespan)/tt.time-1) <= 1e-6,
				"%s, %s, %s byte/flop: %v at a marked speed of %v, want %v s at %v", network, tt.placement, tt.traffic, x.Makespan, c, tt.time, tt.speed)
		}
	}
}

// An outcome is finite, or absent if its entry allows that. Anything else is an error with
// its name, and never a value that breaks a file or a page.
func TestOutcomesAreFinite(t *testing.T) {
	entry := func(name, lacking string) outcome[float64] {
		return outcome[float64]{Outcome{Name: name, Traits: Traits{Lacking: lacking}}, func(x float64) float64 { return x }}
	}
	always, sometimes := entry("time", ""), entry("energy", "the nodes have no power")
	all, err := values([]outcome[float64]{always, sometimes}, 5)
	expect.That(t, err == nil && all[0] == 5 && all[1] == 5, "finite: %v, %v", all, err)
	all, err = values([]outcome[float64]{sometimes}, math.NaN())
	expect.That(t, err == nil && math.IsNaN(all[0]), "absent: %v, %v", all, err)
	for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		all, err := values([]outcome[float64]{always}, x)
		expect.That(t, err != nil && strings.Contains(err.Error(), "outcome time is "), "%v gives %v, %v", x, all, err)
	}
	all, err = values([]outcome[float64]{sometimes}, math.Inf(1))
	expect.That(t, err != nil, "an infinite energy gives %v", all)
}

// No run takes less time than its process 0 computes, or needs for its messages to other nodes
// one after another. The bound is close on one process, and if the processes have equal parts
// and hardly wait.
func TestLeastTimeIsABound(t *testing.T) {
	byNetwork := 0 // bounds that are those of the messages
	type row struct {
		workload string
		close    bool // on a fast network
	}
	for _, w := range []row{
		{"{name: matmul, n: 90, bytes_per_flop: 0.5}", false},
		{"{name: gauss, n: 60, sustained: 0.5}", false},
		{"{name: floyd, n: 64}", false},
		{"{name: lcs, n: 64}", false},
		{"{name: convolution, n: 64}", false},
		{"{name: pattern, n: 9, compute: 3 Mflop}", true},
		{"{name: cg, n: 24, iterations: 5}", true},
		{"{name: fft3d, n: 32, transforms: 2, sustained: 0.2}", true},
		{"{name: stencil3d, n: 32, steps: 5}", true},
		{"{name: taskfarm, n: 40}", false},
		{"{name: montecarlo, n: 100000}", true},
		{"{name: nbody, n: 64}", true},
		{"{name: samplesort, n: 4096}", false},
		{"{name: hpl, n: 400, nb: 32}", false},
	} {
		for _, network := range []string{"ideal", "hockney", "loggops", "flow"} {
			for _, nodes := range []int{1, 2, 4} {
				for _, fast := range []bool{false, true} {
					latency, bandwidth := "20 us", 1e7
					if fast {
						latency, bandwidth = "1 ns", 1e14
					}
					model := network
					if network == "loggops" {
						model = "{name: loggops, o: 1 ns, g: 1 ns}"
					}
					s := expect.Value(New(scenariotest.Scenario(t, fmt.Sprintf(`
machine:
  node_types: {n: {cores: 2, marked_speed: 1 Gflop/s, memory_bandwidth: 3 GB/s}}
  nodes: [{type: n, count: %d}]
  network: {latency: %s, bandwidth: %g B/s, on_node: {latency: 1 ns, bandwidth: 100 TB/s}}
network: %s
workload: %s
`, nodes, latency, bandwidth, model, w.workload))))(t)
					n := s.Workload.N
					least := expect.Value(s.Least(n))(t)
					run := expect.Value(s.Simulate(context.Background(), n))(t)
					bound := least.Busy
					if network == "hockney" {
						if units.Seconds(float64(least.Sent)/bandwidth) > bound {
							byNetwork++
						}
						bound = max(bound, units.Seconds(float64(least.Sent)/bandwidth))
					}
					name := fmt.Sprintf("%s, %s, %d nodes, fast %v", w.workload, network, nodes, fast)
					expect.That(t, bound <= run.Makespan*(1+1e-12),
						"%s: %v, and at least %v", name, run.Makespan, bound)
					expect.That(t, !w.close || !fast || network == "flow" || bound >= 0.7*run.Makespan,
						"%s: %v, and only at least %v", name, run.Makespan, bound)
				}
			}
		}
	}
	expect.That(t, byNetwork >= 10, "messages limit only %d runs", byNetwork)
}

// A machine of two kinds of nodes: two processes on four cores, which use half of them,
// and four devices, of which three compute.
const twoKinds = `
machine:
  node_types:
    cpu: {cores: 4, marked_speed: 1 Gflop/s, power: 100 W, wait_power: 60 W, idle_power: 20 W}
    gpu:
      cores: 8
      marked_speed: 1 Gflop/s
      power: 200 W
      wait_power: 120 W
      idle_power: 40 W
      devices: {count: 4, speed: {fp64: 4 Gflop/s}, power: 300 W, wait_power: 100 W, idle_power: 50 W}
  nodes: [{type: cpu, count: 3}, {type: gpu, count: 2}]
  network: {latency: 1 ms, bandwidth: 10 MB/s, power: 7 W}
network: NETWORK
placement: {cpu: {processes: 2}, gpu: {on: devices, processes: 3}}
workload: {name: gauss, n: 60}
seed: 1
`

// meterPower integrates the power of all nodes over time, as an observer. For each node it keeps
// how many processes compute and how many are in messages at a time, and sums power times time
// from change to change. It knows nothing about accounts by rank.
type meterPower struct {
	nodeOf  func(rank int) (int, string)
	changes map[int][]change // by node
}

type change struct {
	at                units.Seconds
	compute, messages int
}

func (m *meterPower) Span(s sim.Span) {
	n, _ := m.nodeOf(int(s.Rank))
	up, down := change{at: s.From}, change{at: s.To}
	if s.Part == sim.PartCompute {
		up.compute, down.compute = 1, -1
	} else {
		up.messages, down.messages = 1, -1
	}
	m.changes[n] = append(m.changes[n], up, down)
}
func (m *meterPower) Sent(sim.Sent)         {}
func (m *meterPower) Received(sim.Received) {}

// joules integrates to the end of the run. power returns what a node draws, by the numbers of
// its processes that compute and that are in messages.
func (m *meterPower) joules(end units.Seconds, power func(node, compute, messages int) float64, nodes int) float64 {
	sum := 0.0
	for n := range nodes {
		all := m.changes[n]
		slices.SortFunc(all, func(a, b change) int { return cmp.Compare(a.at, b.at) })
		var last units.Seconds
		compute, messages := 0, 0
		for _, c := range all {
			sum += power(n, compute, messages) * float64(c.at-last)
			last, compute, messages = c.at, compute+c.compute, messages+c.messages
		}
		sum += power(n, compute, messages) * float64(end-last)
	}
	return sum
}

func TestEnergyIsTheIntegralOfPower(t *testing.T) {
	// From the text above. Each of the two processes of a cpu node is one of 4 cores; each
	// process on a device is one of 4 devices, and the device itself.
	power := func(node, compute, messages int) float64 {
		c, m := float64(compute), float64(messages)
		if node < 3 {
			return 7 + 20 + c/4*(100-20) + m/4*(60-20)
		}
		return 7 + 40 + 4*50 + c*((200.-40)/4+300-50) + m*((120.-40)/4+100-50)
	}
	for _, network := range []string{"ideal", "hockney", "loggops", "flow"} {
		sys := made(t, scenariotest.Scenario(t, strings.Replace(twoKinds, "NETWORK", network, 1)))
		m := &meterPower{nodeOf: sys.Placement.Node, changes: map[int][]change{}}
		sys.Observer = m
		x := ran(t, sys, 60)
		want := m.joules(x.Makespan, power, 5)
		near := func(what string, got float64) {
			expect.That(t, math.Abs(got-want) <= 1e-12*want,
				"%s: %s is %.16g J, and power over time %.16g J", network, what, got, want)
		}
		e := x.Energy
		near("the total", float64(e.Total))
		sum := 0.0
		for _, j := range e.Ranks {
			sum += float64(j)
		}
		near("the sum of the ranks", sum)
		near("the sum of the parts", float64(e.Compute+e.Messages+e.Idle+e.Network))
		near("mean power times time", float64(e.MeanPower)*float64(x.Makespan))
		expect.That(t, len(e.Assumed) <= 0, "%s: all powers are given, but %q", network, e.Assumed)
	}
}

// One process computes for 2 s on one of two cores of a node of 100 W, whose other powers are
// estimates: 50 W idle, 75 W in messages. It ends there: 2 s of 50 W and half of the 50 W above.
func TestEnergyByHand(t *testing.T) {
	const text = `
machine:
  node_types: {a: {cores: 2, marked_speed: 1 Gflop/s, power: 100 W}}
  nodes: [{type: a}]
  network: {latency: 1 ms, bandwidth: 10 MB/s}
network: ideal
workload: {name: pattern, n: 1, compute: 2 Gflop}
`
	sys := made(t, scenariotest.Scenario(t, text))
	x := ran(t, sys, 1)
	e := x.Energy
	expect.That(t, e.Total == 150 && e.Compute == 50 && e.Idle == 100 && e.Messages == 0 && len(e.Assumed) == 2,
		"%+v, want 150 J: 100 idle and 50 for computing, with two estimates", *e)
}
