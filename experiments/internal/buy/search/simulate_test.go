package search

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/buy/buytest"
	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/internal/expect"
)

// accelerators is a plan of one node type with 4 devices and 2 network cards, and one
// of cores that are connected in their own way.
const accelerators = `
budget: {money: 1000000000 EUR}
nodes:
  gpu:
    nics: 2
    power: 1 kW
    idle_power: 400 W
    price: 100000 EUR
    devices:
      count: 4
      speed: {fp64: 10 Tflop/s, bf16: 200 Tflop/s}
      memory: 80 GB
      memory_bandwidth: 2 TB/s
      link: {latency: 2 us, bandwidth: 100 GB/s}
      power: 500 W
      idle_power: 50 W
  cpu: {cores: 4, marked_speed: 100 Gflop/s, power: 500 W, price: 10000 EUR, on_node: {latency: 1 us, bandwidth: 20 GB/s}}
networks:
  fast: {latency: 5 us, bandwidth: 10 GB/s, price_per_port: 1000 EUR, power_per_port: 10 W, switch: {price: 20000 EUR, ports: 8, power: 100 W}}
counts: [1, 2, 4, 8]
model: hockney
workloads:
  - {name: step, weight: 1, run: {name: pattern, n: 1, shape: ring, size: 1 GB, total_compute: 160 Tflop}}
robustness: {samples: 0}
`

// timeOn reads the plan with a change and returns the time of its only workload on that many nodes of a type.
func timeOn(t *testing.T, text string, node string, count int, beside ...string) float64 {
	t.Helper()
	p := buytest.Read(t, buytest.PlanFile(t, text, beside...))
	i := slices.IndexFunc(p.Nodes, func(n model.Node) bool { return n.Name == node })
	c := model.Design{Types: []int{i}}.Of(count)
	return float64(expect.Value(simulation{plan: p, choice: c}.run(t.Context()))(t).Run.Time)
}

// On a node of 4 devices each computes 40 Tflop, 4 s in fp64 and 0.2 s in bf16, and sends 1 GB to the next over the
// link: 2 us + 10 ms. On two nodes each computes half of that; a message to the other node takes 5 us + 100 ms, also
// where 2 cards are there but not shared. On 4 cores of 100 Gflop/s: 400 s, and 1 us + 50 ms.
func TestTimesOnDevices(t *testing.T) {
	for _, tt := range []struct {
		name, text, node string
		count            int
		want             float64
	}{
		{"fp64", accelerators, "gpu", 1, 4 + 2e-6 + 0.01},
		{"bf16", strings.Replace(accelerators, "nics: 2", "nics: 2\n    precision: bf16", 1), "gpu", 1, 0.2 + 2e-6 + 0.01},
		{"two nodes", accelerators, "gpu", 2, 2 + 5e-6 + 0.1},
		{"two nodes, flow", strings.Replace(accelerators, "model: hockney", "model: flow", 1), "gpu", 2, 2 + 5e-6 + 0.1},
		{"cores", accelerators, "cpu", 1, 400 + 1e-6 + 0.05},
		{"half of the devices", strings.Replace(accelerators, "nics: 2", "nics: 2\n    processes_per_node: 2", 1), "gpu", 1, 8 + 2e-6 + 0.01},
	} {
		expect.Close(t, timeOn(t, tt.text, tt.node, tt.count), tt.want, 1e-12, "%s: time", tt.name)
	}
}

// A ring of eight devices on two nodes linked in a domain: each computes 20 Tflop, 2 s, and 1 GB takes 2 us + 10 ms, or
// 3 us + 20 ms over separate links between nodes. Between two domains, of four nodes, it takes 5 us + 100 ms.
func TestDomainsOfDevices(t *testing.T) {
	keys := map[string]bool{}
	for _, tt := range []struct {
		domain      string
		count, nics int
		want        float64
	}{
		{"", 2, 2, 2 + 5e-6 + 0.1},
		{"", 2, 4, 2 + 5e-6 + 0.1},
		{"domain: {nodes: 2}", 2, 2, 2 + 2e-6 + 0.01},
		{"domain: {nodes: 2, link: {latency: 3 us, bandwidth: 50 GB/s}}", 2, 2, 2 + 3e-6 + 0.02},
		{"domain: {nodes: 2}", 4, 2, 1 + 5e-6 + 0.1},
		{"domain: {nodes: 4}", 4, 2, 1 + 2e-6 + 0.01},
	} {
		text := strings.NewReplacer("      count: 4", "      count: 4\n      "+tt.domain, "nics: 2", fmt.Sprintf("nics: %d", tt.nics)).Replace(accelerators)
		expect.Close(t, timeOn(t, text, "gpu", tt.count), tt.want, 1e-12, "%+v", tt)
		p := buytest.Read(t, buytest.PlanFile(t, text))
		keys[simulation{plan: p, choice: model.Design{Types: []int{0}}.Of(tt.count)}.key()] = true
	}
	expect.That(t, len(keys) == 6, "%d keys of six machines", len(keys))
}

// Eight sequences on nodes of 4 devices, tp 2, are divided among 2 replicas per node: possible on 1, 2 and 4 nodes, not
// on 3 or 5 to 8. The largest possible machine is the fastest. If none is possible, the error says why.
func TestLayoutsThatDoNotDivide(t *testing.T) {
	step := strings.Replace(accelerators, "{name: pattern, n: 1, shape: ring, size: 1 GB, total_compute: 160 Tflop}",
		"{name: transformer, n: 8, layers: 4, hidden: 1024, heads: 8, ffn: 4096, sequence: 1024, tp: 2}", 1)
	step = step[:strings.Index(step, "  cpu:")] + step[strings.Index(step, "networks:"):]
	for _, counts := range []string{"{from: 1, to: 8}", "[1, 2, 4, 8]"} {
		p := buytest.Read(t, buytest.PlanFile(t, step), "counts="+counts)
		r := expect.Value(Solve(t.Context(), p, Options{Jobs: 1}))(t)
		expect.That(t, r.Recommendation().Name == "4 gpu, fast", "%s: recommends %s", counts, r.Recommendation().Name)
	}
	expect.Refusal(Solve(t.Context(), buytest.Read(t, buytest.PlanFile(t, step), "counts=[3]"), Options{Jobs: 1}))(t, "n is 8 sequences; expected a multiple of dp 6 x micro_batch 1")
}

// Two nodes take 4 ports and a switch: 200 000 + 4 000 + 20 000 EUR; 2 (1 kW + 4 x 500 W) + 4 x 10 W + 100 W; when idle
// 2 (400 W + 4 x 50 W) replaces the nodes' power. Eight nodes take 16 ports, hence two levels: 4 leaves of 4 ports down
// with 4 up, 16 uplinks, 2 spines. A single node takes none.
func TestPortsOfCards(t *testing.T) {
	p := buytest.Read(t, buytest.PlanFile(t, accelerators))
	two := model.Design{Types: []int{0}}.Of(2)
	b, _ := p.Price(two)
	expect.Equal(t, b, model.Bill{Nodes: 200000, Ports: 4000, Switches: 20000}, "bill")
	expect.Equal(t, p.Power(two), 6140, "power")
	expect.Equal(t, p.IdlePower(two), 1340, "idle power")
	for nodes, want := range map[int]model.Wiring{8: {Ports: 16, Leaves: 4, Spines: 2, Uplinks: 16, Down: 4}, 1: {}} {
		w, ok := p.Wiring(model.Design{Types: []int{0}}.Of(nodes))
		expect.That(t, ok && w == want, "%d nodes: %+v, %v; want %+v", nodes, w, ok, want)
	}
}

// The catalogue's nodes of 2024 and later, by the precision that a plan chooses.
func TestCatalogueOfAccelerators(t *testing.T) {
	for _, tt := range []struct {
		entry   string
		devices int
		speed   float64 // of the node
		memory  float64
		cards   int
	}{
		{"{catalogue: dgx-h200, price: 1 EUR}", 8, 365.4e12, 8 * 141e9, 8},
		{"{catalogue: dgx-h200, precision: bf16, price: 1 EUR}", 8, 8 * 989e12, 8 * 141e9, 8},
		{"{catalogue: dgx-h200, devices: {kernels: {gemm: 0.7}}, price: 1 EUR}", 8, 365.4e12, 8 * 141e9, 8},
		{"{catalogue: mi300x, nics: 4, price: 1 EUR}", 8, 432e12, 8 * 192e9, 4},
	} {
		text := strings.Replace(accelerators, "  cpu: {cores: 4, marked_speed: 100 Gflop/s, power: 500 W, price: 10000 EUR, on_node: {latency: 1 us, bandwidth: 20 GB/s}}", "  new: "+tt.entry, 1)
		n := buytest.Read(t, buytest.PlanFile(t, text)).Nodes[1]
		expect.That(t, n.Cores == tt.devices && n.Processes == tt.devices && n.Cards == tt.cards, "%s: %+v", tt.entry, n)
		expect.Equal(t, float64(n.Speed), tt.speed, "speed of %s", tt.entry)
		expect.Equal(t, float64(n.Memory), tt.memory, "memory of %s", tt.entry)
		given := fmt.Sprint(n.Devices.Kernels) == "[{gemm 0.7}]"
		expect.Equal(t, given, strings.Contains(tt.entry, "gemm: 0.7"), "%s: kernels %+v", tt.entry, n.Devices.Kernels)
	}
}

// A step of each process is 9 Tflop with kernel gemm, which reaches half of the speed, and 1 Tflop in fp64. On a node
// of 4 devices: 9e12/(200e12 x 0.5) = 0.09 s in bf16 and 1e12/10e12 = 0.1 s. If the node states fp64, the first takes
// 1.8 s. The tests of robustness raise the marked speed by 20 % for all precisions.
func TestSpeedsOfAnApplication(t *testing.T) {
	const step = `application: step
on: devices
precision: bf16
scaling: weak
work: 10e12 * p
program:
- compute: {flop: 9 Tflop, kernel: gemm}
- compute: {flop: 1 Tflop, precision: fp64}
`
	text := strings.Replace(accelerators, "      power: 500 W\n", "      kernels: {gemm: 0.5}\n      power: 500 W\n", 1)
	i := strings.Index(text, "  cpu:")
	text = text[:i] + text[strings.Index(text, "networks:"):]
	text = text[:strings.Index(text, "{name: pattern")] + "{application: step.yaml}}\nrobustness: {samples: 0}\n"
	for _, tt := range []struct {
		name, text          string
		want, marked, again float64
	}{
		{"the application's precision", text, 0.19, 4 * 200e12, 0.19 / 1.2},
		{"the node's precision", strings.Replace(text, "nics: 2", "nics: 2\n    precision: fp64", 1), 1.9, 4 * 10e12, 1.9 / 1.2},
	} {
		p := buytest.Read(t, buytest.PlanFile(t, tt.text, "step.yaml", step))
		bf16 := p.Nodes[0].Find("speed of a device at bf16") // the node is in fp64
		named := p.Nodes[0].PrecisionGiven
		expect.That(t, (bf16 == nil) == named && (named || bf16.Value == "200 Tflop/s"), "%s: figure %+v", tt.name, bf16)
		x := simulation{plan: p, choice: model.Design{Types: []int{0}}.Of(1)}
		for _, want := range []float64{tt.want, tt.again} {
			o, err := x.run(t.Context())
			expect.That(t, err == nil && math.Abs(float64(o.Run.Time)-want) <= 1e-12*want,
				"%s: %v, %v s, want %v", tt.name, err, o.Run.Time, want)
			expect.That(t, want != tt.want || float64(o.Run.MarkedSpeed) == tt.marked,
				"%s: marked speed %v, want %v", tt.name, o.Run.MarkedSpeed, tt.marked)
			before := x.key()
			p.Nodes[0].Speed *= 1.2
			expect.That(t, x.key() != before, "%s: two speeds have the same key %s", tt.name, before)
		}
	}

	for _, tt := range []struct{ old, new, want string }{
		{"kernels: {gemm: 0.5}", "", `step.yaml:7:12: the efficiency of kernel "gemm" on the devices of node type gpu is not known`},
		{"bf16: 200 Tflop/s", "fp32: 20 Tflop/s", `application step: the speed of the devices of node type gpu at precision "bf16" is not known`},
		{"weight: 1", "runs_per_year: 1", `the work of workload step grows with the number of processes: a run is not the same work on every machine; expected an application with scaling: strong, or weight in place of runs_per_year`},
	} {
		path := buytest.PlanFile(t, strings.Replace(text, tt.old, tt.new, 1), "step.yaml", step)
		expect.Refusal(model.Read(path, nil))(t, tt.want)
	}
}

// An application states its memory traffic: 3 TB at 2 TB/s take 1.5 s, longer than its
// work, and at 4 TB/s 0.75 s. Both are simulated, and memory bandwidth matters.
func TestMemoryTrafficOfAnApplication(t *testing.T) {
	before, _, _ := strings.Cut(accelerators, "{name: pattern")
	text := before + "{application: step.yaml}}\nrobustness: {samples: 0}\n"
	step := "application: step\non: devices\nscaling: weak\nwork: 1e9 * p\nprogram:\n- compute: {flop: 1 Gflop, bytes: 3 TB}\n"
	p := buytest.Read(t, buytest.PlanFile(t, text, "step.yaml", step))
	expect.That(t, p.UsesMemory(), "memory bandwidth has no effect")
	x := simulation{plan: p, choice: model.Design{Types: []int{0}}.Of(1)}
	keys := map[string]bool{}
	for _, want := range []float64{1.5, 0.75} {
		o, err := x.run(t.Context())
		expect.That(t, err == nil && math.Abs(float64(o.Run.Time)-want) <= 1e-12*want,
			"%v, %v s, want %v", err, o.Run.Time, want)
		keys[x.key()] = true
		p.Nodes[0].MemoryBandwidth *= 2
	}
	expect.That(t, len(keys) == 2, "two memory bandwidths have one key: %v", keys)
}

// A run on one node is one simulation whatever the network of the machine, and its outcome
// does not depend on that network. On two nodes both do.
func TestRunOnOneNodeIsTheSameOnAllNetworks(t *testing.T) {
	for _, network := range []string{"ideal", "hockney", "{name: loggops, o: 1 us, g: 2 us}", "flow"} {
		p := buytest.Read(t, buytest.PlanFile(t, buytest.Site), "model="+network)
		for w := range p.Workloads {
			for node := range p.Nodes {
				for nodes := 1; nodes <= 2; nodes++ {
					var outcomes [2]model.Outcome
					var keys [2]string
					for k := range p.Networks {
						x := simulation{p, model.Design{Types: []int{node}, Network: k}.Of(2), w,
							model.Way{Node: node, Nodes: nodes}}
						keys[k] = x.key()
						outcomes[k] = expect.Value(x.run(t.Context()))(t)
					}
					name := network + ", " + p.Workloads[w].Name + " on " + p.WayName(model.Choice{},
						model.Way{Node: node, Nodes: nodes})
					expect.Equal(t, keys[0] == keys[1], nodes == 1, "%s: equality of keys %q and %q", name, keys[0], keys[1])
					if nodes == 1 {
						expect.Same(t, outcomes[0], outcomes[1], "%s", name)
					}
					expect.That(t, nodes != 2 || network == "ideal" || outcomes[0].Run.Time > outcomes[1].Run.Time,
						"%s: %v on the slow network, %v on the fast one", name, outcomes[0].Run.Time, outcomes[1].Run.Time)
				}
			}
		}
	}
}

// halves is an application in which each process exchanges a message with the process half of all ranks further on.
const halves = `
application: pairs
work: 800 Gflop
program: [{compute: 800 Gflop / p}, {sendrecv: {to: (rank + p/2) % p, from: (rank + p/2) % p, size: 1 GB}}]
`

// ring is the workload of accelerators, which tests replace.
const ring = "{name: step, weight: 1, run: {name: pattern, n: 1, shape: ring, size: 1 GB, total_compute: 160 Tflop}}"

// Eight processes on two nodes compute for 1 s each, and each exchanges 1 GB with the process half of all ranks further
// on: 50.001 ms within a node, 100.005 ms between nodes as in block order; in cyclic order both are on one node.
func TestRankOrdersOfWorkloads(t *testing.T) {
	run := "{name: step, weight: 1, rank_order: %s, run: {application: a.yaml}}"
	keys := map[string]bool{}
	for order, want := range map[string]float64{"block": 1.100005, "by-group": 1.100005, "cyclic": 1.050001, "greedy": 1.050001} {
		text := strings.Replace(accelerators, ring, fmt.Sprintf(run, order), 1)
		expect.Close(t, timeOn(t, text, "cpu", 2, "a.yaml", halves), want, 1e-12, "time in order %s", order)
		p := buytest.Read(t, buytest.PlanFile(t, text, "a.yaml", halves))
		keys[simulation{plan: p, choice: model.Design{Types: []int{1}}.Of(2)}.key()] = true
	}
	expect.That(t, len(keys) == 4, "%d keys of four orders", len(keys))
}

// The same eight processes, dealt out in turn over two nodes by a file of node names or numbers: 1.050001 s. A file
// does not fit if the machine decides the number of processes, nor on nodes with another number of processes.
func TestFilesOfRanks(t *testing.T) {
	plan := func(keys string) string {
		return strings.Replace(accelerators, ring, "{name: step, weight: 1, rank_order: {file: ranks.txt}, run: {application: a.yaml}"+keys+"}", 1)
	}
	for _, ranks := range []string{strings.Repeat("0\n1\n", 4), strings.Repeat("cpu-1\ncpu-2\n", 4)} {
		p := buytest.Read(t, buytest.PlanFile(t, plan(", nodes: 2, partition: cpu"), "a.yaml", halves, "ranks.txt", ranks))
		o := expect.Value(simulation{plan: p, choice: model.Design{Types: []int{1}}.Of(8), on: model.Way{Node: 1, Nodes: 2}}.run(t.Context()))(t)
		expect.Close(t, float64(o.Run.Time), 1.050001, 1e-12, "time")
	}
	for _, c := range []struct{ keys, ranks, want string }{
		{"", "0\n", "plan.yaml:23:41: workloads[0].rank_order: a file of ranks, where the machine decides how many there are; expected nodes: a number, or one of block"},
		{", nodes: best, devices: 4", "0\n", "workloads[0].rank_order: a file of ranks, where"},
		{", nodes: [1, 2]", "0\n", "workloads[0].rank_order: a file of ranks, where"},
		{", nodes: 2, partition: cpu", "0\n1\n", "ranks.txt:1:1: ranks: 2 ranks; expected 8, a line for each process on 2 cpu"},
		{", nodes: 2, partition: cpu", strings.Repeat("0\n", 4) + strings.Repeat("gpu-1\n", 4), `ranks.txt:5:1: ranks[4]: rank 4 is on "gpu-1", but no such node takes part`},
		{", nodes: 2", strings.Repeat("cpu-1\ncpu-2\n", 4), `ranks.txt:1:1: ranks[0]: rank 0 is on "cpu-1", but no such node takes part`},
	} {
		expect.Refusal(model.Read(buytest.PlanFile(t, plan(c.keys), "a.yaml", halves, "ranks.txt", c.ranks), nil))(t, c.want)
	}
}
