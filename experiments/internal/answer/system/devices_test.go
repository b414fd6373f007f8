package system

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/experiments/internal/scenario/scenariotest"
	"github.com/isoscale/isoscale/internal/expect"
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
// The closed forms give every message a card: always the time of 8 cards.
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
		got := float64(x.Makespan)
		expect.That(t, near(got, tt.want), "%s: %v s, want %v", tt.name, got, tt.want)
	}
}

// The example: 400 Tflop at 990 Tflop/s, then an allreduce as above with links of 2 us
// and 450 GB/s, and 8 GB through the cards of a node, 8 of them or 2.
func TestDataParallelStepByHand(t *testing.T) {
	const inside = 400e12/990e12 + 3*(2e-6+1e9/450e9) + 5e-6
	for cards, want := range map[string]float64{"8": inside + 8e9/(8*50e9), "2": inside + 8e9/(2*50e9)} {
		s := expect.Value(scenario.Disk.Read("../../../../examples/data-parallel.yaml", []input.Override{{Path: "machine.node_types.gpu.nics", Value: cards}}))(t)
		x := simulated(t, s)
		got := float64(x.Makespan)
		expect.That(t, near(got, want), "%s cards: %v s, want %v", cards, got, want)
		// 16 x 400 Tflop at 16 x 990 Tflop/s.
		e := 400e12 / (want * 990e12)
		expect.That(t, near(x.SpeedEfficiency, e), "%s cards: efficiency %v, want %v", cards, x.SpeedEfficiency, e)
	}
}

// Each device performs 9e12 flop with 9 TB of traffic to a memory of its own: 0.3 s at 30
// Tflop/s in fp64 and 0.01 s at 900 Tflop/s in bf16, but 3 s by its memory. Cores would be
// different: 16 processes of a node share 400 GB/s. The kernel halves the speed of a
// device: 0.6 s. C is 16 x 30 Tflop/s or 16 x 900 Tflop/s; W/(T C) follows.
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
			got := float64(x.Compute)
			expect.That(t, near(got, tt.want) && float64(x.MarkedSpeed) == tt.marked,
				"%s, %s: %v s at %v, want %v s at %v flop/s", network, tt.name, got, x.MarkedSpeed, tt.want, tt.marked)
		}
	}
}

// The data of a process must fit into its device, however much memory the node has.
func TestMemoryOfDevices(t *testing.T) {
	warnings := func(size string) []string {
		x := simulated(t, accelerated(t, "hockney", 8, "{on: devices}",
			"{name: collective, op: allreduce, size: "+size+", n: 1}"))
		return x.System.Data(x.N).Problems
	}
	expect.List(t, warnings("70 GB"), nil, "warnings") // twice: what it gives and what it gets
	w := warnings("71 GB")
	expect.That(t, len(w) == 1 && strings.Contains(w[0], "device 0 of node gpu-1 (gpu) need 142 GB, but its memory is 140 GB"), "%v", w)
}

// Eight devices with four cards share these, which only flow and laws of collectives include; eight devices with
// eight cards do not, nor do devices of a single node.
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
		w := MachineWarnings(sys.Placement, sys.Transport.Kind)
		expect.That(t, len(w) == tt.want && (tt.want <= 0 || strings.Contains(w[0], "8 devices of a gpu node share 4 network cards, which network "+tt.network) &&
			strings.HasSuffix(w[0], "; laws of collective operations and network flow include it")),
			"%s, %s, %d cards: %v", tt.network, tt.placement, tt.cards, w)
	}
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
			s, err := scenariotest.Loops("network: "+network+"\n"+tt.more, strings.TrimPrefix(tt.application, "\n"))
			expect.Need(t, err == nil, "%s: %v", tt.name, err)
			x := simulated(t, s)
			got := float64(x.Makespan)
			expect.That(t, math.Abs(got-tt.want) <= 1e-12*tt.want && float64(x.MarkedSpeed) == tt.marked,
				"%s, %s: %v s at %v, want %v s at %v flop/s", tt.name, network, got, x.MarkedSpeed, tt.want, tt.marked)
			// What counts is the work of the file, not the time that it takes.
			expect.That(t, len(x.Warnings) <= 0, "%s, %s: %q", tt.name, network, x.Warnings)
		}
	}
}

// Where processes have different efficiencies, each computes with its own.
func TestInnerLoopsByProcess(t *testing.T) {
	for turn, want := range []float64{0.4 / 0.9, 0.4 / 0.8} {
		s := expect.Value(scenariotest.Loops(fmt.Sprintf("network: ideal\nnodes: {cpu: 1, gpu: 1}\nplacement: {gpu: 1}\nworkload: {application: a.yaml, turn: %d}", turn),
			"work: 4 Gflop\nprogram:\n- when: rank == turn\n  do: [{compute: {flop: 4 Gflop, kernel: dgemm}}]\nparameters: {turn: 0}\n"))(t)
		got := float64(simulated(t, s).Makespan)
		expect.That(t, near(got, want), "process %d: %v s, want %v", turn, got, want)
	}
}

// A study finds the problem size that holds an efficiency with the speeds of the application: n
// Gflop with dgemm at half of 30 Tflop/s, and 0.1 s of delay, are n/(30 000 T) of the marked speed,
// T = n/15 000 + 0.1 s. That is 0.25 for n/30 000 = 0.25 n/15 000 + 0.025, so for n = 1500.
func TestStudyOfAnApplicationOnDevices(t *testing.T) {
	study := expect.Value(scenario.Documents{
		"a.yaml": []byte("application: a\non: devices\nparameters: {n: 10}\nscaling: weak\nwork: n*1e9*p\nprogram:\n- compute: {flop: n*1e9, kernel: dgemm}\n- delay: 100 ms\n"),
		"s.yaml": []byte("target_efficiency: 0.25" + scenariotest.LoopsMachine +
			"network: ideal\nworkload: {application: a.yaml}\nsystems: [{name: A, nodes: {gpu: 1}}, {name: B, nodes: {gpu: 2}, placement: {gpu: {on: devices, processes: 1}}}]\n"),
	}.ReadStudy("s.yaml", nil))(t)
	for i := range study.Systems {
		sys := made(t, study.Scenario(i))
		x, err := NewCurve(sys).Hold(context.Background(), study.Target, study.Sizes)
		expect.That(t, err == nil && x.N == 1500 && x.System.Placement.Ranks() == 2,
			"system %d: %v, n = %d on %d processes; want 1500 on 2", i, err, x.N, x.System.Placement.Ranks())
	}
}

// The law of NCCL leaves out what it does below 32 MiB. Calls that are only tried do not warn.
func TestSmallCallsOfNCCLWarn(t *testing.T) {
	for call, warns := range map[string]bool{"size: 1 MB, algorithm: nccl": true, "size: 40 MB, algorithm: nccl": false,
		"size: 1 MB, algorithm: tuned": false, "size: 1 MB, algorithm: rails": false} {
		s := accelerated(t, "hockney", 8, "{on: devices}", "{name: collective, op: allreduce, n: 1, "+call+"}")
		r := expect.Value(expect.Value(New(s))(t).Simulate(t.Context(), 1))(t)
		told := slices.ContainsFunc(r.Warnings, func(w string) bool {
			return strings.HasPrefix(w, "collective operations by nccl, the smallest of 976.562 KiB: below 32 MiB it leaves out the protocols for small messages")
		})
		expect.Equal(t, told, warns, "%s", call)
	}
}

// Times of two ranks on one node do not hold for four on two: these take the fallback algorithm, and a run says so.
func TestGroupsThatWereNotMeasuredWarn(t *testing.T) {
	const times = `#  Rank  0 Group  0 Pid 41 on node-1 device 0 [0x1b] H100
#  Rank  1 Group  0 Pid 42 on node-1 device 1 [0x1b] H100
#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong
     1000000        250000     float     sum      -1    100.0   10.00   10.00      0    100.0   10.00   10.00      0
`
	for call, want := range map[string]string{"1 MB": "", "2 MB": "", "2 MB of 4": "collective operations of 4 ranks on 2 nodes were not measured: they are by ring",
		"900 kB": "collective operations by measured times, the smallest of 900 kB: below 1 MB, the smallest that was measured, they take its time, so that times may be too long"} {
		size, of4 := strings.CutSuffix(call, " of 4")
		nodes := map[bool]string{true: "2", false: "1"}[of4]
		text := "machine:\n  node_types: {n: {marked_speed: 1 Gflop/s, nics: 2, devices: {count: 2, speed: {fp64: 1 Tflop/s}}}}\n  nodes: [{type: n, count: " + nodes +
			"}]\n  network: {latency: 1 us, bandwidth: 1 GB/s}\nplacement: {n: {on: devices}}\nnetwork: hockney\n" +
			"workload: {name: collective, op: allreduce, n: 1, size: " + size + ", algorithm: {measured: [times.txt], otherwise: ring}}\n"
		s := expect.Value(scenario.Documents{"test.yaml": []byte(text), "times.txt": []byte(times)}.Read("test.yaml", nil))(t)
		r := expect.Value(expect.Value(New(s))(t).Simulate(t.Context(), 1))(t)
		expect.Equal(t, strings.Join(r.Warnings, "|"), want, "%s", call)
		if !of4 && call != "2 MB" {
			expect.Near(t, r.Makespan, 100e-6, 1e-15, "on one node")
		}
	}
}
