package system

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/scenario"
)

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
		sys, err := New(study.Scenario(i))
		if err != nil {
			t.Fatal(err)
		}
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
