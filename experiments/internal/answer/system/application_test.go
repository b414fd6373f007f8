package system

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
)

// unequal is a machine with three kinds of nodes.
const unequal = `
machine:
  node_types:
    a: {cores: 1, marked_speed: 1 Gflop/s}
    b: {cores: 1, marked_speed: 0.7 Gflop/s}
    c: {cores: 1, marked_speed: 2.3 Gflop/s}
  nodes: [{type: a, count: 11}, {type: b, count: 11}, {type: c, count: 11}]
  network: {latency: 7 us, bandwidth: 100 MB/s, send_overhead: 1 us}
`

// onUnequal runs a scenario on the unequal machine, on p of its nodes.
func onUnequal(t testing.TB, p int, network, workload string) *Simulation {
	t.Helper()
	text := unequal + fmt.Sprintf("nodes: {a: %d, b: %d, c: %d}\nnetwork: %s\nworkload: %s\n", (p+2)/3, (p+1)/3, p/3, network, workload)
	return simulated(t, readWithApplications(t, text))
}

// readWithApplications reads a scenario that names the applications of testdata.
func readWithApplications(t testing.TB, text string) *scenario.Scenario {
	t.Helper()
	documents := scenario.Documents{"s.yaml": []byte(text)}
	files, err := filepath.Glob("testdata/applications/*.yaml")
	expect.Need(t, err == nil && len(files) != 0, "%v %v", err, files)
	for _, f := range files {
		documents[filepath.Base(f)] = expect.Value(os.ReadFile(f))(t)
	}
	return expect.Value(documents.Read("s.yaml", nil))(t)
}

// An application that states work and takes no time has no speed: the error has the place of
// its work. With a work of 0 there is no speed to have.
func TestApplicationWithoutTime(t *testing.T) {
	for _, tt := range []struct{ work, want string }{
		{"1 flop", "a.yaml:2:7: work: 1 flop, and the program takes no time"},
		{"0 flop", ""},
	} {
		d := scenario.Documents{
			"s.yaml": []byte(unequal + "network: hockney\nworkload: {application: a.yaml}\n"),
			"a.yaml": []byte("application: idle\nwork: " + tt.work + "\nprogram: [{delay: 0 s}]\n"),
		}
		s := expect.Value(d.Read("s.yaml", nil))(t)
		sys := expect.Value(New(s))(t)
		x, err := sys.Simulate(context.Background(), 1)
		if tt.want != "" {
			expect.That(t, err != nil && input.IsError(err) && strings.HasPrefix(err.Error(), tt.want), "%v, want %s", err, tt.want)
			continue
		}
		expect.That(t, err == nil && x.Makespan == 0 && x.SpeedEfficiency == 0, "%+v, %v", x, err)
	}
}

// The memory of a simulation counts against the limit of a plan for a point, which is the same on all
// computers: 100 000 requests of at least 40 bytes do not fit into 4 MB.
func TestLimitOfAPointWhileItRuns(t *testing.T) {
	d := scenario.Documents{
		"s.yaml": []byte(unequal + "network: hockney\nworkload: {application: a.yaml}\n"),
		"a.yaml": []byte("application: a\nwork: 1 flop\nprogram: [{when: rank == 0, do: [{repeat: 100000, do: [{isend: {to: 1, size: 8 B}}]}]}]\n"),
	}
	s := expect.Value(d.Read("s.yaml", nil))(t)
	sys := expect.Value(newWithin(s, 4*units.MB))(t)
	_, err := sys.Simulate(context.Background(), 1)
	for _, part := range []string{"the limit for a point is 4 MB", "open requests", "limits.memory"} {
		expect.Failure(t, err, part)
	}
}

// Algorithms written as application files take the same time as those written in Go, and
// compute, send and need as much: on up to 33 processes, and in the usual form on every
// seventh of these numbers.
func TestApplicationsAgreeWithAlgorithms(t *testing.T) {
	for _, network := range []string{"hockney", "loggops", "flow"} {
		for _, name := range []string{"gauss", "matmul", "floyd", "convolution"} {
			for p := 1; p <= 33; p++ {
				if p%7 != 1 && !expect.IsLong() {
					continue
				}
				n := 40 + p
				file := onUnequal(t, p, network, fmt.Sprintf("{application: %s.yaml, n: %d}", name, n))
				code := onUnequal(t, p, network, fmt.Sprintf("{name: %s, n: %d}", name, n))
				what := fmt.Sprintf("%s with n = %d on %d processes, %s", name, n, p, network)
				expect.That(t, len(file.Warnings) <= len(code.Warnings), "%s: %q", what, file.Warnings)
				d := math.Abs(float64(file.Makespan-code.Makespan)) / float64(code.Makespan)
				expect.That(t, d <= 1e-12, "%s: %v, want %v (%.2g)", what, file.Makespan, code.Makespan, d)
				expect.That(t, file.Messages == code.Messages &&
					math.Abs(float64(file.Bytes-code.Bytes)) <= 1e-9*float64(code.Bytes),
					"%s: %d messages, %v; want %d, %v", what, file.Messages, file.Bytes, code.Messages, code.Bytes)
				expect.That(t, math.Abs(float64(file.Work-code.Work)) <= 1e-12*float64(code.Work),
					"%s: work %v, want %v", what, file.Work, code.Work)
				need, want := file.System.Algorithm(n).Footprints(), code.System.Algorithm(n).Footprints()
				for r := range want {
					if need[r] != want[r] {
						t.Errorf("%s: process %d needs %v, want %v", what, r, need[r], want[r])
						break
					}
				}
			}
		}
	}
}

// BenchmarkApplication compares applications in files with algorithms in Go: time for each message.
func BenchmarkApplication(b *testing.B) {
	for _, tt := range []struct {
		name string
		n    int
	}{{"gauss", 400}, {"matmul", 400}, {"floyd", 2000}, {"convolution", 512}} {
		for _, form := range []string{"{name: %s, n: %d}", "{application: %s.yaml, n: %d}"} {
			s := readWithApplications(b, unequal+"network: loggops\nworkload: "+fmt.Sprintf(form, tt.name, tt.n)+"\n")
			sys := expect.Value(New(s))(b)
			kind := "go"
			if s.Workload.StatesTraffic {
				kind = "file"
			}
			b.Run(tt.name+"/"+kind, func(b *testing.B) {
				b.ReportAllocs()
				var messages int64
				for b.Loop() {
					x := expect.Value(sys.Simulate(context.Background(), tt.n))(b)
					messages += x.Messages
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(messages), "ns/message")
			})
		}
	}
}

// inline reads a scenario with an application that has some lines in place of its
// program, on p nodes of 1 Gflop/s.
func inline(t *testing.T, p int, network, head, program string) *scenario.Scenario {
	t.Helper()
	documents := scenario.Documents{
		"a.yaml": []byte("application: a\nwork: 0\n" + head + "\nprogram:\n" + program),
		"s.yaml": fmt.Appendf(nil, `
machine:
  node_types: {n: {cores: 1, marked_speed: 1 Gflop/s, memory_bandwidth: 1 GB/s}}
  nodes: [{type: n, count: %d}]
  network: {latency: 1 us, bandwidth: 1 GB/s}
network: %s
workload: {application: a.yaml}
`, p, network),
	}
	s, err := documents.Read("s.yaml", nil)
	expect.Need(t, err == nil, "%v\n%s", err, program)
	return s
}

func runInline(t *testing.T, p int, network, head, program string) (*Simulation, error) {
	t.Helper()
	s := inline(t, p, network, head, program)
	sys := made(t, s)
	return sys.Simulate(context.Background(), s.Workload.N)
}

// What single statements send and how long they take, by hand. Latency is 1 us and the
// bandwidth 1 GB/s, so that a message of 1 kB takes 2 us.
func TestStatements(t *testing.T) {
	const grid = "grid: {x: 3, y: 2}"
	for _, tt := range []struct {
		name, head, program string
		p                   int
		messages            int64
		bytes               float64
		micros              float64 // -1: not looked at
	}{
		{"compute is bound by the core", "", "- compute: {flop: 3 kflop, bytes: 1 kB}", 2, 0, 0, 3},
		{"compute is bound by memory", "", "- compute: {flop: 3 kflop, bytes: 5 kB}", 2, 0, 0, 5},
		{"traffic alone", "", "- compute: {flop: 0, bytes: 5 kB}", 2, 0, 0, 5},
		{"delay", "", "- delay: 7 us\n- delay: rank*1e-6", 3, 0, 0, 9},
		{"line: nobody before the first and after the last", "", "- send: {to: rank+1, size: 1 kB}\n- recv: {from: rank-1}", 4, 3, 3000, -1},
		{"one message", "", "- send: {to: rank+1, size: 1 kB}\n- recv: {from: rank-1}", 2, 1, 1000, 2},
		{"a receive that says what it expects", "", "- send: {to: rank+1, size: 1 kB}\n- recv: {from: rank-1, size: 1 kB}", 2, 1, 1000, 2},
		{"a receive that expects something else", "", "- isend: {to: rank+1, size: 1 kB}\n- irecv: {from: rank-1, size: 8 MB}\n- wait: all", 2, 1, 1000, 2},
		{"sendrecv at the ends", "", "- sendrecv: {to: rank+1, from: rank-1, size: 1 kB}", 4, 3, 3000, 2},
		{"ring", "", "- sendrecv: {to: \"mod(rank+1, p)\", from: \"mod(rank-1, p)\", size: 1 kB}", 4, 4, 4000, 2},
		{"named requests", "", "- isend: {to: rank+1, size: 1 kB, request: out}\n- irecv: {from: rank-1, request: in}\n- wait: in\n- wait: out", 4, 3, 3000, 2},
		{"requests without names", "", "- repeat: 3\n  do: [{isend: {to: rank+1, size: 1 kB}}, {irecv: {from: rank-1}}]\n- wait: all", 2, 3, 3000, -1},
		{"any source and tag", "", "- when: rank == 0\n  do:\n  - repeat: p-1\n    do: [{recv: {from: any, tag: any}}]\n  else: [{send: {to: 0, tag: rank, size: 1 kB}}]", 5, 4, 4000, -1},
		{"neighbours on the grid", grid, "- sendrecv: {to: \"at(1, 0)\", from: \"at(-1, 0)\", size: 1 kB}", 6, 4, 4000, 2},
		{"around the grid", grid, "- sendrecv: {to: \"around(1, 0)\", from: \"around(-1, 0)\", size: 1 kB}", 6, 6, 6000, 2},
		{"exchange", grid, "- exchange: {with: neighbours, size: {x: 1 kB, y: 100 B}}", 6, 8 + 6, 8000 + 600, -1},
		{"periodic exchange", grid, "- exchange: {with: neighbours, size: {x: 1 kB, y: 100 B}, periodic: [x]}", 6, 12 + 6, 12000 + 600, -1},
		{"both neighbours are the same process", grid, "- exchange: {with: neighbours, size: 1 kB, periodic: true}", 6, 24, 24000, -1},
		{"nobody is its own neighbour", "grid: {x: 1, y: 2}", "- exchange: {with: neighbours, size: 1 kB, periodic: [x]}", 2, 2, 2000, 2},
		{"corners", grid, "- exchange: {with: neighbours, corners: true, size: {x: 1 kB, y: 1 kB, xy: 10 B}}", 6, 14 + 8, 14000 + 80, -1},
		{"computation during an exchange", "grid: {x: 2}", "- exchange: {with: neighbours, size: 1 kB}\n  meanwhile: {compute: 5 kflop}", 2, 2, 2000, 5},
		{"computation after an exchange", "grid: {x: 2}", "- exchange: {with: neighbours, size: 1 kB}\n- compute: 5 kflop", 2, 2, 2000, 7},
		{"every third of ten rounds", "", "- repeat: 10\n  do: [{bcast: {size: 1 kB, every: 3}}]", 2, 3, 3000, -1},
		{"every counts in the loop around it", "", "- repeat: 4\n  do:\n  - repeat: 3\n    do: [{delay: {time: 1 us, every: 2}}]", 1, 0, 0, 4},
		{"indices of loops", "", "- repeat: 3\n  index: i\n  do:\n  - repeat: i\n    index: j\n    do: [{delay: (10*i+j)*1e-6}]", 1, 0, 0, 10 + 20 + 21},
		{"when and else", "", "- when: rank == 1\n  do: [{delay: 3 us}]\n  else: [{delay: 2 us}]", 2, 0, 0, 3},
		{"among rows of processes", grid, "- bcast: {size: 1 kB, among: x, root: coord(y), algorithm: flat}", 6, 2 * 2, 4000, -1},
		{"among columns of processes", grid, "- bcast: {size: 1 kB, among: y, root: 1}", 6, 3, 3000, 2},
		{"measured cost among columns", grid, "- when: coord(x) == 1\n  do: [{barrier: {among: y, algorithm: {base: 4 us, per_process: 1 us}}}]", 6, 0, 0, 6},
		{"blocks of different sizes", "let: {rows: rank+1}", "- gather: {size: \"1000*of(rows, from)\", algorithm: flat}", 4, 3, 9000, -1},
		{"alltoall with different sizes", "", "- alltoall: {size: 100*from+to}", 3, 6, 100*(0+0+1+1+2+2) + (1 + 2 + 0 + 2 + 0 + 1), -1},
		{"scatter among rows, by process", grid, "- scatter: {size: 1000*to, among: x, algorithm: flat}", 6, 4, 1000 * (1 + 2 + 4 + 5), -1},
		{"tasks in static order", "", "- tasks: {count: 5, flop: 1000*(task+1), counts: false}", 2, 0, 0, 9},
		{"tasks that are handed out twice", "", "- repeat: 2\n  do: [{tasks: {count: 5, flop: 1 kflop, order: dynamic, input: 10 B, output: 20 B, counts: false}}]", 3, 2 * 2 * (5 + 2), 2 * 5 * 30, -1},
		{"process 0 alone", "", "- tasks: {count: 5, flop: 1 kflop, order: dynamic, counts: false}", 1, 0, 0, 5},
	} {
		x, err := runInline(t, tt.p, "hockney", tt.head, tt.program)
		expect.Need(t, err == nil, "%s: %v", tt.name, err)
		expect.That(t, x.Messages == tt.messages && float64(x.Bytes) == tt.bytes,
			"%s: %d messages with %v; want %d, %v B", tt.name, x.Messages, x.Bytes, tt.messages, tt.bytes)
		got := float64(x.Makespan) * 1e6
		expect.That(t, tt.micros < 0 || math.Abs(got-tt.micros) <= 1e-9*tt.micros, "%s: takes %v us, want %v", tt.name, got, tt.micros)
	}
}

// A statement that cannot be carried out ends the run with an error that has its place and the process.
func TestFailuresOfARun(t *testing.T) {
	for _, tt := range []struct{ program, want string }{
		{"- compute: 1 - rank*2", "a.yaml:5:3: process 1: flop: 1 - rank*2 is -1; expected a number from 0 to 1e30"},
		{"- delay: 1/0", "a.yaml:5:3: process 0: delay: 1/0 is +Inf; expected a number from 0 to 1e30"},
		{"- send: {to: rank/2, size: 8 B}", "a.yaml:5:3: process 1: to: rank/2 is 0.5; expected the number of a process"},
		{"- recv: {from: 1-rank, size: 0-8}", "a.yaml:5:3: process 0: size: 0-8 is -8; expected a number from 0 to 1e30"},
		{"- bcast: {size: 8 B, root: p}", "a.yaml:5:3: process 0: root: p is 2; expected a whole number from 0 to 1"},
		{"- bcast: 0-8", "a.yaml:5:3: process 0: size: 0-8 is -8; expected a number from 0 to 1e30"},
		{"- scatter: {size: 0-to}", "a.yaml:5:3: process 0: size: 0-to is less than 0, or not a number, for some processes; expected a number from 0 to 1e30"},
		{"- repeat: 1.5\n  do: [{delay: 1 us}]", "a.yaml:5:3: process 0: repeat: 1.5 is 1.5; expected a whole number from 0 to 1073741824"},
		{"- repeat: 2\n  do: [{irecv: {from: 1-rank, request: a}}]", "a.yaml:6:8: process 0: the request is still open from before; expected a wait for it in between"},
		{"- repeat: 2^30\n  do: [{repeat: 2^30, do: [{compute: 0}]}]", "process 0: too many rounds of loops without any operation; expected at most 4194304"},
		{"- tasks: {count: 2^30, flop: 0}", "a.yaml:5:3: process 0: too many tasks without any work; expected at most 4194304"},
		{"- send: {to: 1-rank, size: 8 B, tag: 0-1}", "a.yaml:5:3: process 0: tag: 0-1 is -1; expected a whole number from 0 to 536870911"},
	} {
		expect.Refusal(runInline(t, 2, "ideal", "", tt.program))(t, tt.want)
	}
}

// A deadlock names the statements in which processes wait, also where tasks make the
// program listen to what it receives.
func TestDeadlockNamesStatements(t *testing.T) {
	for _, c := range []struct{ program, want string }{
		{"- when: rank == 0\n  do:\n    - recv: {from: 1, tag: 3}", "rank 0: recv, peer 1, tag 3, since 0 s, at a.yaml:7:7 (rank 1 has finished)"},
		{"- tasks: {count: 2, flop: 0, order: dynamic}\n- when: rank == 0\n  do:\n    - recv: {from: 1}", "at a.yaml:8:7"},
		{"- when: rank == 0\n  do:\n    - barrier: {}", "rank 0: recv in barrier, peer 1, tag collective"},
	} {
		expect.Refusal(runInline(t, 2, "hockney", "", c.program))(t, c.want)
	}
}

// The declared work is compared with what is computed.
func TestDeclaredWork(t *testing.T) {
	for _, tt := range []struct{ head, program, want string }{
		{"", "- compute: {flop: 5 Mflop, counts: false}", ""},
		{"", "- compute: 5 Mflop", "application a computes 20 Mflop in all and its work is 0 flop"},
		{"scaling: replicated", "- compute: 5 Mflop", "application a computes 20 Mflop in all and its work on each of 4 processes is 0 flop"},
	} {
		x := expect.Value(runInline(t, 4, "ideal", tt.head, tt.program))(t)
		got := strings.Join(x.Warnings, "\n")
		expect.That(t, strings.HasPrefix(got, tt.want) && (got == "") == (tt.want == ""),
			"%s: warns %q, want %q", tt.program, got, tt.want)
	}
}

// Variations have mean 1, an imbalance stays with its process, and noise does not.
func TestVariations(t *testing.T) {
	const p = 400
	compute := func(program string) []float64 {
		x := expect.Value(runInline(t, p, "ideal", "", program))(t)
		all := make([]float64, p)
		for r := range all {
			all[r] = float64(x.Ranks[r].Compute) * 1e6
		}
		return all
	}
	const work = "{compute: {flop: 1 kflop, counts: false}}"
	for _, tt := range []struct {
		name, program  string
		mean, variance float64 // of the time of a process, us
	}{
		{"imbalance", "- imbalance: 0.5\n- repeat: 4\n  do: [" + work + "]", 4, 16 * 0.25 / 3},
		{"noise", "- noise: 0.5\n- repeat: 4\n  do: [" + work + "]", 4, 4 * 0.25 / 3},
		{"normal noise", "- noise: {normal: 0.1}\n- repeat: 4\n  do: [" + work + "]", 4, 4 * 0.01},
		{"exponential noise", "- noise: {exponential: 0.1}\n- repeat: 4\n  do: [" + work + "]", 4.4, 4 * 0.01},
		{"to the end of its block", "- when: true\n  do: [{imbalance: 0.5}]\n- repeat: 4\n  do: [" + work + "]", 4, 0},
	} {
		sum, squares := 0.0, 0.0
		for _, x := range compute(tt.program) {
			sum += x
			squares += x * x
		}
		mean := sum / p
		variance := squares/p - mean*mean
		// Six standard deviations of the mean, and a half of the variance.
		expect.That(t, math.Abs(mean-tt.mean) <= 6*math.Sqrt(tt.variance/p)+1e-9 &&
			math.Abs(variance-tt.variance) <= tt.variance/2+1e-9,
			"%s: mean %v us, variance %v; want %v, %v", tt.name, mean, variance, tt.mean, tt.variance)
	}
}

// The sizes of messages depend on the task: 8 t B to and 1000 + t B from task t of n, in total
// 8 n(n-1)/2 + 1000 n + n(n-1)/2 B. Random numbers are drawn for each task, and do not depend on who
// computes it.
func TestSizesOfTasks(t *testing.T) {
	const n = 400
	total := func(p int, sizes string) float64 {
		x := expect.Value(runInline(t, p, "hockney", "", fmt.Sprintf("- tasks: {count: %d, flop: 1 Mflop*random(), order: dynamic, %s}", n, sizes)))(t)
		return float64(x.Bytes)
	}
	drawn := total(2, "output: 1 kB*(0.5+random())")
	// The sum of n draws has standard deviation sqrt(n/12) kB; six of them.
	expect.That(t, math.Abs(drawn-n*1e3) < 6e3*math.Sqrt(n/12.) && drawn != n*1e3, "draws of %d tasks make %v B", n, drawn)
	for p := 2; p < 7; p++ {
		got, want := total(p, "input: 8*task, output: 1000+task"), 9*n*(n-1)/2.+1000*n
		expect.That(t, got == want, "p = %d: %v B, want %v", p, got, want)
		got = total(p, "output: 1 kB*(0.5+random())")
		expect.That(t, math.Abs(got-drawn) < 1e-9*drawn, "p = %d: results have %v B, with two processes %v B", p, got, drawn)
		got = total(p, "input: 1 kB*(0.5+random())")
		expect.That(t, math.Abs(got-n*1e3) < 6e3*math.Sqrt(n/12.), "p = %d: tasks have %v B", p, got)
	}
}

// A farm of tasks written by hand, in which process 0 uses the source and the size of the last message,
// does the same as tasks in dynamic order: the same messages, and the same times to the last bit.
func TestFarmByHand(t *testing.T) {
	const tasks = "- tasks: {count: 50, flop: 1 Mflop, order: dynamic, input: 2 kB, output: 5 kB}"
	const byHand = `
- when: rank == 0
  do:
  - repeat: 50 + p - 1
    index: i
    do:
    - recv: {from: any}
    - send: {to: source, size: "i < 50 ? 2 kB : 0 B"}
  else:
  - send: {to: 0, size: 0 B}
  - recv: {from: 0}
  - repeat: 50
    do:
    - when: received > 0
      do:
      - compute: 1 Mflop
      - send: {to: 0, size: 2.5*received}
      - recv: {from: 0}
`
	for p := 2; p < 8; p++ {
		for _, network := range []string{"hockney", "loggops", "ideal", "flow"} {
			want := expect.Value(runInline(t, p, network, "", tasks))(t)
			got := expect.Value(runInline(t, p, network, "", byHand))(t)
			expect.That(t, got.Makespan == want.Makespan && got.Messages == want.Messages && got.Bytes == want.Bytes,
				"%s, p = %d: %v, %d messages, %v; want %v, %d, %v", network, p, got.Makespan, got.Messages, got.Bytes,
				want.Makespan, want.Messages, want.Bytes)
		}
	}
}

// Before the first message there is no source and no size. Messages of collective operations and exchanges
// do not count; a non-blocking receive counts after its wait. A name that the file defines takes
// precedence.
func TestWhatWasReceived(t *testing.T) {
	for _, tt := range []struct {
		name, head, program string
		p                   int
		bytes               float64
	}{
		{"nothing so far", "", "- send: {to: source, size: 1 kB}\n- when: received == 0 and source == -1\n  do: [{send: {to: 1-rank, size: 3 B}}, {recv: {from: any}}]", 2, 6},
		{"a part of a byte", "", "- sendrecv: {to: 1-rank, from: any, size: 1 B/4}\n- sendrecv: {to: 1-rank, from: any, size: 8*received}", 2, 2 * 2.25},
		{"no collective", "", "- sendrecv: {to: 1-rank, from: 1-rank, size: 5 B}\n- bcast: 100 B\n- sendrecv: {to: source, from: source, size: received}", 2, 5 + 5 + 100 + 10},
		{"no exchange", "grid: {x: 2}", "- sendrecv: {to: 1-rank, from: 1-rank, size: 5 B}\n- exchange: {with: neighbours, size: 100 B}\n- sendrecv: {to: source, from: source, size: received}", 2, 10 + 200 + 10},
		{"waited for", "", "- irecv: {from: 1-rank, tag: 1, request: a}\n- irecv: {from: 1-rank, tag: 2, request: b}\n- isend: {to: 1-rank, tag: 1, size: 3 B}\n- isend: {to: 1-rank, tag: 2, size: 7 B}\n- wait: b\n" +
			"- sendrecv: {to: source, from: source, size: received, tag: 3}\n- wait: a\n- sendrecv: {to: source, from: source, size: received, tag: 3}\n- wait: all", 2, 2 * (3 + 7 + 7 + 3)},
		{"defined", "let: {received: 2*p}", "- sendrecv: {to: 1-rank, from: 1-rank, size: received}", 2, 8},
		{"an index", "", "- repeat: 3\n  index: source\n  do: [{sendrecv: {to: 1-rank, from: 1-rank, size: source}}]", 2, 6},
	} {
		x := expect.Value(runInline(t, tt.p, "hockney", tt.head, tt.program))(t)
		expect.That(t, float64(x.Bytes) == tt.bytes, "%s: %v B, want %v", tt.name, float64(x.Bytes), tt.bytes)
	}
	documents := scenario.Documents{"a.yaml": []byte("application: a\nwork: 0\nlet: {x: received}\nprogram: [{delay: x}]")}
	_, err := documents.Read("a.yaml", nil)
	expect.That(t, err != nil, "let may depend on messages")
}

// A file is compiled once: a run allocates nothing for each round.
func TestRoundsAllocateNothing(t *testing.T) {
	allocations := func(rounds int) float64 {
		s := inline(t, 6, "hockney", "grid: {x: 3, y: 2}", fmt.Sprintf(`
- noise: {uniform: 0.1}
- repeat: %d
  index: i
  do:
  - exchange: {with: neighbours, size: {x: 8*coord(y), y: 8*i}, periodic: true}
    meanwhile: [{compute: {flop: i*1e3, bytes: 8*i, counts: false}}]
  - sendrecv: {to: "at(1, 0)", from: "at(-1, 0)", size: 8*i}
  - allreduce: {size: 8*i+8, among: x}
  - scatter: {size: "i+to"}
  - when: i %% 2 == 0
    do: [{delay: random()*1e-6}]
`, rounds))
		sys := made(t, s)
		sys.Workers = 1
		return testing.AllocsPerRun(3, func() {
			expect.Value(sys.Simulate(context.Background(), 1))(t)
		})
	}
	few, many := allocations(100), allocations(2000)
	expect.That(t, many <= few+20, "%v allocations in 100 rounds, %v in 2000: the engine's own records grow at first", few, many)
}
