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
			sys := made(t, s)
			got, err := sys.Time(context.Background(), sim.NewProgram(16, sends([2]int{0, to})))
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
		sys := made(t, s)
		for i, want := range tt.want {
			got, err := sys.Time(context.Background(), sim.NewProgram(4, sends([2]int{2 * i, 2*i + 1})))
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
		sys := made(t, accelerated(t, tt.network, tt.cards, tt.placement, "{name: pattern, n: 1}"))
		if w := sys.CardWarnings(); len(w) != tt.want || tt.want > 0 && !strings.Contains(w[0], "8 devices of a gpu node share 4 network cards, which network "+tt.network) {
			t.Errorf("%s, %s, %d cards: %v", tt.network, tt.placement, tt.cards, w)
		}
	}
}

// loopsMachine has two node types: gpu with 2 devices of 900 Tflop/s in bf16 and 30
// Tflop/s in fp64, and cpu with cores of 10 Gflop/s.
const loopsMachine = `
machine:
  node_types:
    gpu:
      cores: 16
      marked_speed: 10 Gflop/s
      kernels: {dgemm: 0.9}
      devices:
        count: 2
        speed: {fp64: 30 Tflop/s, bf16: 900 Tflop/s}
        memory_bandwidth: 3 TB/s
        kernels: {dgemm: 0.5, fft: 0.1}
    cpu: {cores: 1, marked_speed: 10 Gflop/s, kernels: {dgemm: 0.8, fft: 0.25}}
  nodes: [{type: gpu, count: 2}, {type: cpu, count: 2}]
  network: {latency: 5 us, bandwidth: 50 GB/s}
`

// readLoops reads a scenario on that machine, with an application of some lines.
func readLoops(more, application string) (*scenario.Scenario, error) {
	return scenario.Documents{
		"a.yaml": []byte("application: a\n" + application),
		"s.yaml": []byte(loopsMachine + more),
	}.Read("s.yaml", nil)
}

// The first application computes, at 900 Tflop/s where it names no precision,
//
//	9 Tflop with dgemm           9e12/(900e12 x 0.5) = 0.02 s
//	3 Tflop in fp64              3e12/30e12          = 0.1 s
//	3 Tflop in fp64 with dgemm   3e12/(30e12 x 0.5)  = 0.2 s
//	9 Tflop                      9e12/900e12         = 0.01 s
//
// A placement in fp64 makes the first 0.6 s and the last 0.3 s. The kernel of the
// scenario holds where there is no other; the sustained fraction holds for all.
func TestSpeedsOfInnerLoops(t *testing.T) {
	const mixed = `
on: devices
precision: bf16
scaling: weak
work: 24e12 * p
program:
- compute: {flop: 9 Tflop, kernel: dgemm}
- compute: {flop: 3 Tflop, precision: fp64}
- compute: {flop: 3 Tflop, precision: fp64, kernel: dgemm}
- compute: 9 Tflop
`
	const kernels = `
scaling: weak
work: 6e9 * p
program:
- compute: {flop: 4 Gflop, kernel: dgemm, precision: fp64}
- tasks: {count: p, flop: 2 Gflop, kernel: fft}
`
	const bytes = "on: devices\nscaling: weak\nwork: 9e12 * p\nprogram:\n- compute: {flop: 9 Tflop, bytes: 3 TB, precision: bf16, kernel: dgemm}\n"
	for _, tt := range []struct {
		name, more, application string
		want, marked            float64
	}{
		{"all devices", "nodes: {gpu: 2}\nworkload: {application: a.yaml}", mixed, 0.02 + 0.1 + 0.2 + 0.01, 4 * 900e12},
		{"some devices", "nodes: {gpu: 2}\nplacement: {gpu: {on: devices, processes: 1}}\nworkload: {application: a.yaml}", mixed, 0.33, 2 * 900e12},
		{"another precision at the top", "nodes: {gpu: 1}\nplacement: {gpu: {on: devices, precision: fp64}}\nworkload: {application: a.yaml}", mixed, 0.6 + 0.1 + 0.2 + 0.3, 2 * 30e12},
		{"kernel of the workload", "nodes: {gpu: 2}\nworkload: {application: a.yaml, kernel: dgemm}", mixed, 0.02 + 0.2 + 0.2 + 0.02, 4 * 900e12},
		{"kernel and sustained", "nodes: {gpu: 2}\nworkload: {application: a.yaml, kernel: fft, sustained: 0.5}", mixed, 2 * (0.02 + 1 + 0.2 + 0.1), 4 * 900e12},
		{"memory takes longer", "nodes: {gpu: 1}\nworkload: {application: a.yaml}", bytes, 1, 2 * 30e12},
		{"cores", "nodes: {cpu: 2}\nworkload: {application: a.yaml}", kernels, 0.4/0.8 + 0.2/0.25, 2 * 10e9},
		// The cpu is the slower one; a device takes 4e9/(30e12 x 0.5) + 2e9/(30e12 x 0.1).
		{"cores and devices", "nodes: {cpu: 1, gpu: 1}\nplacement: {gpu: {on: devices}}\nworkload: {application: a.yaml}", kernels, 0.4/0.8 + 0.2/0.25, 2*30e12 + 10e9},
		{"cores where there are no devices", "workload: {application: a.yaml}", "on: devices\n" + strings.TrimPrefix(kernels, "\n"), 0.4/0.8 + 0.2/0.25, 4*30e12 + 2*10e9},
	} {
		for _, network := range []string{"ideal", "hockney", "loggops", "flow"} {
			s, err := readLoops("network: "+network+"\n"+tt.more, strings.TrimPrefix(tt.application, "\n"))
			if err != nil {
				t.Fatalf("%s: %v", tt.name, err)
			}
			x := simulated(t, s)
			if got := float64(x.Makespan); math.Abs(got-tt.want) > 1e-12*tt.want || float64(x.MarkedSpeed) != tt.marked {
				t.Errorf("%s, %s: %v s at %v, want %v s at %v flop/s", tt.name, network, got, x.MarkedSpeed, tt.want, tt.marked)
			}
			// What counts is the work of the file, not the time that it takes.
			if len(x.Warnings) > 0 {
				t.Errorf("%s, %s: %q", tt.name, network, x.Warnings)
			}
		}
	}
}

// Where processes have different efficiencies, each computes with its own.
func TestInnerLoopsByProcess(t *testing.T) {
	for turn, want := range []float64{0.4 / 0.9, 0.4 / 0.8} {
		s, err := readLoops(fmt.Sprintf("network: ideal\nnodes: {cpu: 1, gpu: 1}\nplacement: {gpu: 1}\nworkload: {application: a.yaml, turn: %d}", turn),
			"work: 4 Gflop\nprogram:\n- when: rank == turn\n  do: [{compute: {flop: 4 Gflop, kernel: dgemm}}]\nparameters: {turn: 0}\n")
		if err != nil {
			t.Fatal(err)
		}
		if got := float64(simulated(t, s).Makespan); !near(got, want) {
			t.Errorf("process %d: %v s, want %v", turn, got, want)
		}
	}
}

// A study finds the problem size that holds an efficiency with the speeds of the
// application: n Gflop with dgemm at half of 30 Tflop/s, and 0.1 s of delay, are n/(30
// 000 T) of the marked speed, T = n/15 000 + 0.1 s. That is 0.25 for n/30 000 =
// 0.25 n/15 000 + 0.025, so for n = 1500.
func TestStudyOfAnApplicationOnDevices(t *testing.T) {
	study, err := scenario.Documents{
		"a.yaml": []byte("application: a\non: devices\nparameters: {n: 10}\nscaling: weak\nwork: n*1e9*p\nprogram:\n- compute: {flop: n*1e9, kernel: dgemm}\n- delay: 100 ms\n"),
		"s.yaml": []byte("target_efficiency: 0.25" + loopsMachine +
			"network: ideal\nworkload: {application: a.yaml}\nsystems: [{name: A, nodes: {gpu: 1}}, {name: B, nodes: {gpu: 2}, placement: {gpu: {on: devices, processes: 1}}}]\n"),
	}.ReadStudy("s.yaml", nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range study.Systems {
		sys := made(t, study.Scenario(i))
		x, err := NewCurve(sys).Hold(context.Background(), study.Target, study.Sizes)
		if err != nil || x.N != 1500 || x.System.Placement.Ranks() != 2 {
			t.Errorf("system %d: %v, n = %d on %d processes; want 1500 on 2", i, err, x.N, x.System.Placement.Ranks())
		}
	}
}

// What a file asks for and the nodes do not state is an error before the run, at the
// statement that asks for it.
func TestSpeedsThatAreNotKnown(t *testing.T) {
	const head = "work: 1 flop\nprogram:\n"
	for _, tt := range []struct{ more, application, want string }{
		{"nodes: {gpu: 1}\nworkload: {application: a.yaml}", head + "- compute: {flop: 1 flop, kernel: fft}\n",
			`a.yaml:4:12: the efficiency of kernel "fft" on the cores of node type gpu is not known; expected it under kernels of that type, as in {fft: 0.9}`},
		{"nodes: {gpu: 1}\nworkload: {application: a.yaml}", "on: devices\n" + head + "- tasks: {count: 1, flop: 1 flop, kernel: stencil}\n",
			`a.yaml:5:10: the efficiency of kernel "stencil" on the devices of node type gpu is not known; expected it under devices.kernels of that type, as in {stencil: 0.9}`},
		{"nodes: {gpu: 1}\nworkload: {application: a.yaml}", "on: devices\n" + head + "- compute: {flop: 1 flop, precision: fp8}\n",
			`a.yaml:5:12: the speed of the devices of node type gpu at precision "fp8" is not known; expected it under devices.speed of that type, as in {fp8: 990 Tflop/s}`},
		{"nodes: {cpu: 1}\nworkload: {application: a.yaml}", head + "- compute: {flop: 1 flop, precision: bf16}\n",
			`a.yaml:4:12: the speed of the cores of node type cpu at precision "bf16" is not known, their marked speed is that at fp64; expected processes on devices, or fp64`},
		{"nodes: {cpu: 1}\nworkload: {application: a.yaml}", "precision: bf16\n" + head + "- compute: 1 flop\n",
			`application a: the speed of the cores of node type cpu at precision "bf16" is not known`},
		{"nodes: {gpu: 1}\nworkload: {application: a.yaml}", "on: devices\nprecision: fp8\n" + head + "- compute: 1 flop\n",
			`s.yaml:18:11: workload: the speed of these devices at precision fp8, which application a names, is not known; expected one of fp64, bf16`},
		{"placement: {gpu: 4}\nworkload: {application: a.yaml}", "on: devices\n" + head + "- compute: 1 flop\n",
			`s.yaml:17:18: placement.gpu: application a runs on devices; expected on: devices, or nothing for this node type`},
		{"placement: {gpu: {processes: 4, threads: 2}}\nworkload: {application: a.yaml}", "on: devices\n" + head + "- compute: 1 flop\n",
			`s.yaml:17:18: placement.gpu: application a runs on devices; expected on: devices`},
	} {
		_, err := readLoops("network: ideal\n"+tt.more, tt.application)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("got  %v\nwant %s", err, tt.want)
		}
	}
}
