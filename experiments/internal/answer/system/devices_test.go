package system

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/experiments/internal/scenario/scenariotest"
	"github.com/isoscale/isoscale/sim"
)

// accelerated is two nodes of 8 devices with a link of 2 us and 400 GB/s each, and
// some network cards of 50 GB/s; 5 us between nodes. A device computes at 30 Tflop/s
// in fp64 and 900 Tflop/s in bf16, and has 140 GB and 3 TB/s.
func accelerated(t *testing.T, network string, cards int, placement, workload string) *scenario.Scenario {
	t.Helper()
	return scenariotest.Scenario(t, fmt.Sprintf(`
machine:
  node_types:
    gpu:
      cores: 16
      marked_speed: 10 Gflop/s
      memory: 1 TB
      memory_bandwidth: 400 GB/s
      nics: %d
      nic: 50 GB/s
      kernels: {dgemm: 0.9}
      devices:
        count: 8
        speed: {fp64: 30 Tflop/s, bf16: 900 Tflop/s}
        memory: 140 GB
        memory_bandwidth: 3 TB/s
        link: {latency: 2 us, bandwidth: 400 GB/s}
        kernels: {dgemm: 0.5}
  nodes: [{type: gpu, count: 2}]
  network: {latency: 5 us, bandwidth: 50 GB/s}
network: %s
placement: {gpu: %s}
workload: %s
`, cards, network, placement, workload))
}

// simulated returns the outcome of a scenario.
func simulated(t *testing.T, s *scenario.Scenario) *Simulation {
	t.Helper()
	sys, err := New(s)
	if err != nil {
		t.Fatal(err)
	}
	x, err := sys.Simulate(context.Background(), s.Workload.N)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-12*b }

// An allreduce of 1 GB among 16 devices by recursive doubling has 4 steps, in each of
// which a rank exchanges 1 GB with the rank whose number differs in one bit. The first
// three partners are in the node: each message has the link of a device out and that
// of another in for itself, 2 us + 1 GB/(400 GB/s) = 2.502 ms. In the last step, all 8
// devices send to the other node: 8 GB each way through the cards of a node,
//
//	8 cards: 5 us + 8 GB/(8 x 50 GB/s)  = 20.005 ms
//	4 cards: 5 us + 8 GB/(4 x 50 GB/s)  = 40.005 ms
//	1 card:  5 us + 8 GB/(50 GB/s)      = 160.005 ms
//
// With 16 cards a device still sends by one: 20.005 ms. With 3 devices in a node there
// is no such symmetry; with 4 there are two steps inside, and 4 GB on 2 cards take 40 ms.
// The closed forms give every message a card: the time of 8 cards, whatever there is.
func TestAllreduceOfDevicesByHand(t *testing.T) {
	const inside = 2e-6 + 1e9/400e9
	const allreduce = "{name: collective, op: allreduce, algorithm: recursive-doubling, size: 1 GB, n: 1}"
	for _, tt := range []struct {
		name, network string
		cards         int
		placement     string
		want          float64
	}{
		{"8 cards", "flow", 8, "{on: devices}", 3*inside + 5e-6 + 0.020},
		{"4 cards", "flow", 4, "{on: devices}", 3*inside + 5e-6 + 0.040},
		{"1 card", "flow", 1, "{on: devices}", 3*inside + 5e-6 + 0.160},
		{"16 cards", "flow", 16, "{on: devices}", 3*inside + 5e-6 + 0.020},
		{"4 devices, 2 cards", "flow", 2, "{on: devices, processes: 4}", 2*inside + 5e-6 + 0.040},
		{"hockney, 8 cards", "hockney", 8, "{on: devices}", 3*inside + 5e-6 + 0.020},
		{"hockney, 1 card", "hockney", 1, "{on: devices}", 3*inside + 5e-6 + 0.020},
		{"loggops, 1 card", "loggops", 1, "{on: devices}", 3*inside + 5e-6 + 0.020 - 3/400e9 - 1/50e9}, // G (m - 1)
		{"ideal", "ideal", 1, "{on: devices}", 0},
	} {
		x := simulated(t, accelerated(t, tt.network, tt.cards, tt.placement, allreduce))
		if got := float64(x.Makespan); !near(got, tt.want) {
			t.Errorf("%s: %v s, want %v", tt.name, got, tt.want)
		}
	}
}

// The example: 400 Tflop at 990 Tflop/s, then an allreduce as above with links of 2 us
// and 450 GB/s, and 8 GB through the cards of a node, 8 of them or 2.
func TestDataParallelStepByHand(t *testing.T) {
	const inside = 400e12/990e12 + 3*(2e-6+1e9/450e9) + 5e-6
	for cards, want := range map[string]float64{"8": inside + 8e9/(8*50e9), "2": inside + 8e9/(2*50e9)} {
		s, err := scenario.Read("../../../../examples/data-parallel.yaml", []input.Override{{Path: "machine.node_types.gpu.nics", Value: cards}})
		if err != nil {
			t.Fatal(err)
		}
		x := simulated(t, s)
		if got := float64(x.Makespan); !near(got, want) {
			t.Errorf("%s cards: %v s, want %v", cards, got, want)
		}
		// 16 x 400 Tflop at 16 x 990 Tflop/s.
		if e := 400e12 / (want * 990e12); !near(x.SpeedEfficiency, e) {
			t.Errorf("%s cards: efficiency %v, want %v", cards, x.SpeedEfficiency, e)
		}
	}
}

// One message between two devices takes the same time in all models that have times:
// by the link inside a node, by one card between nodes.
func TestMessagesOfDevices(t *testing.T) {
	for _, network := range []string{"hockney", "loggops", "flow"} {
		bytes := 1e6
		if network == "loggops" {
			bytes-- // G (m - 1)
		}
		for to, want := range map[int]float64{3: 2e-6 + bytes/400e9, 8: 5e-6 + bytes/50e9} {
			s := accelerated(t, network, 8, "{on: devices}", "{name: pattern, n: 1}")
			sys, err := New(s)
			if err != nil {
				t.Fatal(err)
			}
			got, err := sys.Time(context.Background(), sim.NewProgram(16, func(r *sim.Rank) {
				switch r.Rank() {
				case 0:
					r.Send(to, 0, 1e6)
				case to:
					r.Recv(0, 0)
				}
			}))
			if err != nil || !near(float64(got), want) {
				t.Errorf("%s, 0 to %d: %v, %v; want %v s", network, to, got, err, want)
			}
		}
	}
}

// Each device performs 9e12 flop with 9 TB of memory traffic for itself: 0.3 s at 30
// Tflop/s in fp64 and 0.01 s at 900 Tflop/s in bf16, but 3 s for its memory. On cores it
// would be another: 16 processes of a node share 400 GB/s. The kernel halves the speed
// of a device: 0.6 s. C is 16 x 30 Tflop/s or 16 x 900 Tflop/s; W/(T C) follows.
func TestComputationOnDevices(t *testing.T) {
	const work = 9e12
	for _, network := range []string{"ideal", "hockney", "loggops", "flow"} {
		for _, tt := range []struct {
			name, placement, more string
			want, marked          float64
		}{
			{"fp64", "{on: devices}", "", 0.3, 16 * 30e12},
			{"bf16", "{on: devices, precision: bf16}", "", 0.01, 16 * 900e12},
			{"bf16, memory", "{on: devices, precision: bf16}", ", bytes_per_flop: 1", 3, 16 * 900e12},
			{"fp64, half of the devices", "{on: devices, processes: 4}", ", bytes_per_flop: 1", 3, 8 * 30e12},
			{"kernel", "{on: devices}", ", kernel: dgemm", 0.6, 16 * 30e12},
			{"kernel on cores", "{processes: 2, threads: 8}", ", kernel: dgemm", work / (8 * 10e9 * 0.9), 32 * 10e9},
		} {
			x := simulated(t, accelerated(t, network, 8, tt.placement, "{name: pattern, n: 1, size: 0 B, compute: 9 Tflop"+tt.more+"}"))
			// An empty message of a round follows the computation.
			if got := float64(x.Compute); !near(got, tt.want) || float64(x.MarkedSpeed) != tt.marked {
				t.Errorf("%s, %s: %v s at %v, want %v s at %v flop/s", network, tt.name, got, x.MarkedSpeed, tt.want, tt.marked)
			}
		}
	}
}

// The data of a process must fit into its device, however much memory the node has.
func TestMemoryOfDevices(t *testing.T) {
	warnings := func(size string) []string {
		return simulated(t, accelerated(t, "hockney", 8, "{on: devices}",
			"{name: collective, op: allreduce, size: "+size+", n: 1}")).MemoryWarnings()
	}
	if w := warnings("70 GB"); len(w) != 0 { // twice: what it gives and what it gets
		t.Errorf("%v, want none", w)
	}
	if w := warnings("71 GB"); len(w) != 1 || !strings.Contains(w[0], "device 0 of node gpu-1 (gpu) need 142 GB and its memory is 140 GB") {
		t.Errorf("%v", w)
	}
}

// The node type says how its cores are connected, unless the scenario does; the others
// have what the machine says.
func TestOnNodeByNodeType(t *testing.T) {
	const text = `
machine:
  node_types:
    own: {cores: 2, marked_speed: 1 Gflop/s, on_node: {latency: 3 us, bandwidth: 4 GB/s}}
    plain: {cores: 2, marked_speed: 1 Gflop/s}
  nodes: [{type: own, count: 1}, {type: plain, count: 1}]
  network: {latency: 9 us, bandwidth: 1 GB/s, on_node: {latency: 1 us, bandwidth: 2 GB/s}}
network: NETWORK
placement: {own: 2, plain: 2}
workload: {name: pattern, n: 1}
`
	for _, tt := range []struct {
		network string
		want    [2]float64 // of 1 MB inside own and inside plain
	}{
		{"hockney", [2]float64{3e-6 + 0.25e-3, 1e-6 + 0.5e-3}},
		{"loggops", [2]float64{3e-6 + 0.25e-3 - 1/4e9, 1e-6 + 0.5e-3 - 1/2e9}}, // G (m - 1)
		{"flow", [2]float64{3e-6 + 0.25e-3, 1e-6 + 0.5e-3}},
		{"{name: hockney, on_node: {latency: 0 s, bandwidth: 1 GB/s}}", [2]float64{1e-3, 1e-3}},
	} {
		s := scenariotest.Scenario(t, strings.Replace(text, "NETWORK", tt.network, 1))
		sys, err := New(s)
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range tt.want {
			got, err := sys.Time(context.Background(), sim.NewProgram(4, func(r *sim.Rank) {
				switch r.Rank() {
				case 2 * i:
					r.Send(2*i+1, 0, 1e6)
				case 2*i + 1:
					r.Recv(2*i, 0)
				}
			}))
			if err != nil || !near(float64(got), want) {
				t.Errorf("%s, node %d: %v, %v; want %v s", tt.network, i, got, err, want)
			}
		}
	}
}

// Eight devices with four cards share them, which only flow includes; with eight they
// do not, nor does anybody inside a single node.
func TestWarningOfSharedCards(t *testing.T) {
	for _, tt := range []struct {
		network, placement string
		cards, want        int
	}{
		{"hockney", "{on: devices}", 4, 1},
		{"loggops", "{on: devices}", 4, 1},
		{"flow", "{on: devices}", 4, 0},
		{"ideal", "{on: devices}", 4, 0},
		{"hockney", "{on: devices}", 8, 0},
		{"hockney", "{on: devices, processes: 4}", 4, 0},
		{"hockney", "8", 4, 0},
	} {
		sys, err := New(accelerated(t, tt.network, tt.cards, tt.placement, "{name: pattern, n: 1}"))
		if err != nil {
			t.Fatal(err)
		}
		if w := sys.CardWarnings(); len(w) != tt.want || tt.want > 0 && !strings.Contains(w[0], "8 devices of a gpu node share 4 network cards, which network "+tt.network) {
			t.Errorf("%s, %s, %d cards: %v", tt.network, tt.placement, tt.cards, w)
		}
	}
}
