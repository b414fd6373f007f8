package system

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
)

// networks of the tests of streams: both kinds of handling, rendezvous, and shared links.
var streamNetworks = []string{
	"hockney",
	"{name: hockney, eager_limit: 1 kB}",
	"{name: loggops, o: 1 us, g: 3 us, G: 2 ns, O: 1 ns, S: 1 kB}",
	"flow",
	"{name: flow, model: SMPI}",
}

// A non-blocking call that is waited for at once takes the time of a blocking one, to the last
// bit: ranks come at different times, and calls follow each other.
func TestStartedAndWaitedForAtOnce(t *testing.T) {
	const grid = "grid: {x: 2, y: 3}"
	for _, operation := range []string{"allreduce", "bcast", "reduce", "allgather", "reducescatter", "alltoall", "gather", "scatter", "scan", "barrier"} {
		for _, network := range streamNetworks {
			for _, among := range []string{"all", "x", "y"} {
				for _, size := range []string{"8 B", "20 kB"} {
					value := func(request string) string {
						v := "among: " + among + request
						if operation != "barrier" {
							v += ", size: " + size
						}
						if operation == "bcast" || operation == "reduce" {
							v += ", root: 1"
						}
						return v
					}
					program := func(call string) string {
						return "[{repeat: 3, do: [{compute: \"0.1 Mflop * (1 + mod(rank, 4))\"}, " + call + ", {compute: 0.05 Mflop}, " + call + "]}]"
					}
					blocking := expect.Value(runInline(t, 6, network, grid, program(fmt.Sprintf("{%s: {%s}}", operation, value("")))))(t)
					started := expect.Value(runInline(t, 6, network, grid,
						program(fmt.Sprintf("{i%s: {%s}}, {wait: r}", operation, value(", request: r")))))(t)
					expect.That(t, started.Makespan == blocking.Makespan && started.Messages == blocking.Messages && started.Bytes == blocking.Bytes,
						"%s among %s, %s, %s: %v, %d messages, blocking %v, %d", operation, among, network, size,
						started.Makespan, started.Messages, blocking.Makespan, blocking.Messages)
					for r := range started.Ranks {
						expect.That(t, started.Ranks[r].Finish == blocking.Ranks[r].Finish, "%s, %s, %s: rank %d ends at %v, blocking at %v",
							operation, network, among, r, started.Ranks[r].Finish, blocking.Ranks[r].Finish)
					}
				}
			}
		}
	}
}

// Times by hand. Among two processes an allreduce is one message each way: 2 us with 1 kB on
// a latency of 1 us and 1 GB/s.
func TestStartedCallsByHand(t *testing.T) {
	const grid = "grid: {x: 2, y: 2}"
	for _, tt := range []struct {
		name, head, program string
		p                   int
		micros              float64
	}{
		{"behind a longer computation", "", "- iallreduce: {size: 1 kB, request: a}\n- compute: 5 kflop\n- wait: a\n- compute: 1 kflop", 2, 5 + 1},
		{"longer than the computation", "", "- iallreduce: {size: 1 kB, request: a}\n- compute: 1 kflop\n- wait: a\n- compute: 1 kflop", 2, 2 + 1},
		{"no call progresses before all have begun it", "", "- when: rank == 1\n  do: [{compute: 3 kflop}]\n- iallreduce: {size: 1 kB}\n- compute: 1 kflop\n- wait: all", 2, 3 + 2},
		{"two of one group, one after the other", "", "- iallreduce: {size: 1 kB}\n- iallreduce: {size: 1 kB}\n- wait: all", 2, 2 + 2},
		{"two of two groups, on one interface", grid, "- iallreduce: {size: 1 kB, among: x}\n- iallreduce: {size: 1 kB, among: y}\n- wait: all", 4, 1 + 1 + 1},
		{"beside a blocking call, on one interface", "", "- iallreduce: {size: 1 kB}\n- allreduce: {size: 1 kB}\n- wait: all", 2, 1 + 1 + 1},
		{"the second of two is waited for first", "", "- iallreduce: {size: 1 kB, request: a}\n- iallreduce: {size: 1 kB, request: b}\n- wait: b\n- compute: 1 kflop\n- wait: a", 2, 4 + 1},
		{"nobody waits: the program ends with the call", "", "- iallreduce: 1 kB", 2, 2},
		{"work of combining is done beside the process", "", "- iallreduce: {size: 1 kB, flop_per_byte: 2}\n- compute: 4 kflop\n- wait: all", 2, 4},
		{"each round has its size", "", "- repeat: 2\n  index: i\n  do:\n  - iallreduce: 1000*(i+1)\n- wait: all", 2, 2 + 3},
		{"among one process", "grid: {x: 1, y: 2}", "- iallreduce: {size: 1 kB, among: x, request: a}\n- compute: 1 kflop\n- wait: a", 2, 1},
		{"a measured cost", "", "- iallreduce: {size: 1 kB, algorithm: {base: 4 us}}\n- compute: 1 kflop\n- wait: all", 2, 4},
	} {
		x, err := runInline(t, tt.p, "hockney", tt.head, tt.program)
		expect.That(t, err == nil && math.Abs(float64(x.Makespan)*1e6-tt.micros) < 1e-9, "%s: %v, %v; want %v us", tt.name, x, err, tt.micros)
	}
}

// Each of the 31 sets of 5 axes has a stream of its own. One with a name that comes after them is like one alone, also
// beside an exchange: its 100 us of computation add to the time of the calls.
func TestStreamAfterGroupsOfManyAxes(t *testing.T) {
	const grid = "grid: {a: 2, b: 2, c: 2, d: 2, e: 2}"
	calls := ""
	for set := 1; set < 1<<5; set++ {
		var axes []string
		for a, name := range []string{"a", "b", "c", "d", "e"} {
			if set>>a&1 == 1 {
				axes = append(axes, name)
			}
		}
		calls += "- iallreduce: {size: 1 kB, among: [" + strings.Join(axes, ", ") + "]}\n"
	}
	calls += "- wait: all\n- barrier: {}\n"
	alone := expect.Value(runInline(t, 32, "hockney", grid, calls))(t)
	both := expect.Value(runInline(t, 32, "hockney", grid, calls+
		"- stream: s\n  do: [{compute: 100 kflop}]\n- exchange: {with: neighbours, size: 1 kB}\n- join: s\n"))(t)
	expect.Close(t, float64(both.Makespan-alone.Makespan), 100e-6, 1e-9, "the stream adds")
}

// Names of requests with an index, by hand: calls of one group that are started end after 2, 4 and 6 us.
func TestNamesOfRequestsWithAnIndex(t *testing.T) {
	const start = "- repeat: 3\n  index: i\n  do: [{iallreduce: {size: 1 kB, request: layer(i)}}]\n"
	for _, tt := range []struct {
		name, head, program string
		micros              float64
	}{
		{"each when it is needed", "", start + "- repeat: 3\n  index: j\n  do: [{wait: layer(j)}, {compute: 3 kflop}]", 2 + 3*3},
		{"the last one first", "", start + "- repeat: 3\n  index: j\n  do: [{wait: layer(2-j)}, {compute: 3 kflop}]", 6 + 3*3},
		{"all", "", start + "- wait: all\n- compute: 3 kflop\n" + start + "- wait: layer(0)", 6 + 3 + 2 + 4}, // and the others at the end
		{"the second name is another", "", start + "- iallreduce: {size: 2 kB, request: loss(1)}\n- wait: layer(1)\n- compute: 3 kflop\n- wait: {request: loss(1)}\n- compute: 1 kflop", 6 + 3 + 1},
		{"by a procedure", "define: {layer: {parameters: [k], do: [{iallreduce: {size: 1 kB, request: g(k)}}]}}", "- repeat: 2\n  index: i\n  do: [{call: layer, with: {k: i+1}}]\n- wait: g(1)\n- compute: 5 kflop\n- wait: g(2)", 2 + 5},
		{"of the process", "", "- irecv: {from: 1-rank, request: in(rank)}\n- isend: {to: 1-rank, size: 1 kB, request: out(1-rank)}\n- wait: in(rank)\n- wait: out(1-rank)\n- wait: out(7)", 2},
	} {
		x, err := runInline(t, 2, "hockney", tt.head, tt.program)
		expect.That(t, err == nil && math.Abs(float64(x.Makespan)*1e6-tt.micros) < 1e-9, "%s: %v, %v; want %v us", tt.name, x, err, tt.micros)
	}
	for _, tt := range []struct{ program, want string }{
		{start + "- iallreduce: {size: 8 B, request: layer(2)}", "a.yaml:8:3: process 0: the request is still open from before; expected a wait for it in between"},
		{"- irecv: {from: 1-rank, request: a(0-1)}", "index of a request: 0-1 is -1; expected a whole number from 0 to 65535"},
		{"- irecv: {from: 1-rank, request: a(rank/2)}", "is 0.5; expected a whole number"},
	} {
		expect.Refusal(runInline(t, 2, "hockney", "", tt.program))(t, tt.want)
	}
}

// Strided subgroups are axes of a grid: of 16 processes of {tp: 2, ep: 2, cp: 1, dp: 2, pp: 2}, those four apart share
// experts, and those an even number apart are one group of 8.
func TestStridedGroups(t *testing.T) {
	const grid = "grid: {tp: 2, ep: 2, cp: 1, dp: 2, pp: 2}"
	for _, tt := range []struct {
		among    string
		messages int64
		to       []int // of the messages, as bytes are 1000 for each number
	}{
		{"dp", 8, []int{4, 5, 6, 7, 12, 13, 14, 15}},
		{"[cp, dp]", 8, []int{4, 5, 6, 7, 12, 13, 14, 15}},
		{"[ep, dp, pp]", 14, []int{2, 4, 6, 8, 10, 12, 14, 3, 5, 7, 9, 11, 13, 15}},
		{"[tp, pp]", 12, []int{1, 8, 9, 3, 10, 11, 5, 12, 13, 7, 14, 15}},
	} {
		x := expect.Value(runInline(t, 16, "hockney", grid, "- scatter: {size: 1000*to, among: "+tt.among+", algorithm: flat}"))(t)
		bytes := 0
		for _, to := range tt.to {
			bytes += 1000 * to
		}
		expect.That(t, x.Messages == tt.messages && float64(x.Bytes) == float64(bytes), "%s: %d messages of %v, want %d of %d B", tt.among, x.Messages, x.Bytes, tt.messages, bytes)
	}
}

// Calls of two groups share a link, those of one follow each other: 1 MB takes 1 ms alone.
func TestStartedCallsShareLinks(t *testing.T) {
	const grid = "grid: {x: 2, y: 2}"
	run := func(program string) float64 {
		return float64(expect.Value(runInline(t, 4, "flow", grid, program))(t).Makespan)
	}
	alone := run("- allreduce: {size: 1 MB, among: x}")
	both := run("- iallreduce: {size: 1 MB, among: x}\n- iallreduce: {size: 1 MB, among: y}\n- wait: all")
	expect.That(t, math.Abs(both-alone-1e-3) < 1e-12, "at once %v, alone %v; want 1 ms more", both, alone)
	following := run("- iallreduce: {size: 1 MB, among: x}\n- iallreduce: {size: 1 MB, among: x}\n- wait: all")
	expect.That(t, math.Abs(following-2*alone) < 1e-12, "one after the other %v, alone %v", following, alone)
}

// The same by hand, with requests of messages.
func TestStartedCallIsItsMessages(t *testing.T) {
	for _, network := range []string{"hockney", "{name: hockney, eager_limit: 1 kB}", "flow", "{name: flow, model: SMPI}"} {
		for _, work := range []string{"0.5 kflop", "50 kflop"} {
			const messages = "- isend: {to: 1-rank, size: 20 kB}\n- irecv: {from: 1-rank}" // in the order of a Sendrecv
			by := func(first string) *Simulation {
				return expect.Value(runInline(t, 2, network, "", "- compute: 1 kflop * rank\n"+first+"\n- compute: "+work+"\n- wait: all\n- compute: 100 flop"))(t)
			}
			call, hand := by("- iallreduce: 20 kB"), by(messages)
			expect.That(t, call.Makespan == hand.Makespan, "%s, %s: %v, by hand %v", network, work, call.Makespan, hand.Makespan)
		}
	}
}

// Errors in non-blocking calls have their place.
func TestStartedCallsThatAreWrong(t *testing.T) {
	for _, tt := range []struct{ program, want string }{
		{"- when: rank == 0\n  do: [{iallreduce: 8 B}]\n  else: [{allreduce: 8 B}]\n- wait: all",
			"collective calls differ: call 1 of rank 0 is iallreduce of 8 B (a.yaml:6:8), call 1 of rank 1 is allreduce of 8 B (a.yaml:7:10)"},
		{"- ibcast: {size: 8 B, root: rank}\n- wait: all", "call 1 of rank 0 is ibcast of 8 B with root 0 (a.yaml:5:3), call 1 of rank 1 is ibcast of 8 B with root 1"},
		{"- ireduce: 8*(1+rank)\n- wait: all", "call 1 of rank 0 is ireduce of 8 B with root 0 (a.yaml:5:3), call 1 of rank 1 is ireduce of 16 B"},
		{"- when: rank == 0\n  do: [{iallgather: 8 B}]", "rank 1 ends after 0, call 1 of rank 0 is iallgather of 8 B"},
		{"- when: rank == 0\n  do: [{ibarrier: {}}, {wait: all}]\n  else: [{recv: {from: 0}}]", "rank 0: recv in ibarrier, peer 1, tag collective, since 0 s, at a.yaml:6:8 (rank 1 has begun nothing there, on stream 1)"},
		{"- repeat: 2\n  do: [{iscan: {size: 8 B, request: a}}]", "a.yaml:6:8: process 0: the request is still open from before; expected a wait for it in between"},
		{"- ialltoall: 0-8", "a.yaml:5:3: process 0: size: 0-8 is -8; expected a number from 0 to 1e30"},
		{"- ibcast: {size: 8 B, root: 2}", "a.yaml:5:3: process 0: root: 2 is 2; expected a whole number from 0 to 1"},
	} {
		expect.Refusal(runInline(t, 2, "hockney", "", tt.program))(t, tt.want)
	}
}

// Streams that a file names, by hand.
func TestStreamsOfFiles(t *testing.T) {
	for _, tt := range []struct {
		name, program string
		p             int
		micros        float64
	}{
		{"messages beside a computation", "- stream: copies\n  do: [{sendrecv: {to: 1-rank, from: 1-rank, size: 3 kB}}]\n- compute: 5 kflop\n- join: copies\n- compute: 1 kflop", 2, 5 + 1},
		{"longer than it", "- stream: copies\n  do: [{sendrecv: {to: 1-rank, from: 1-rank, size: 9 kB}}]\n- compute: 5 kflop\n- join: copies\n- compute: 1 kflop", 2, 10 + 1},
		{"computations follow each other", "- stream: side\n  do: [{compute: 3 kflop}]\n- compute: 5 kflop\n- join: side", 1, 8},
		{"one computes while the other waits", "- stream: side\n  do: [{allreduce: 4 kB}, {compute: 3 kflop}]\n- compute: 4 kflop\n- join: side", 2, 5 + 3},
		{"blocks of one stream follow each other", "- repeat: 3\n  do:\n  - stream: side\n    do: [{delay: 2 us}]\n- delay: 1 us\n- join: side", 1, 6},
		{"each with its round, and loops", "- repeat: 2\n  index: i\n  do:\n  - stream: side\n    do:\n    - repeat: 2\n      index: j\n      do: [{delay: (1+10*i+100*j)*1e-6}]\n- join: side\n- delay: 1 us", 1, 1 + 101 + 11 + 111 + 1},
		{"streams side by side", "- stream: a\n  do: [{delay: 2 us}]\n- stream: b\n  do: [{delay: 5 us}]\n- join: a\n- delay: 1 us\n- wait: all\n- delay: 1 us", 1, 6},
		{"only some rounds", "- repeat: 4\n  do:\n  - {stream: a, every: 2, do: [{delay: 2 us}]}\n- join: a", 1, 4},
		{"nothing to wait for", "- stream: a\n  do: [{delay: 2 us}]\n- join: a\n- join: a\n- delay: 1 us", 1, 3},
		{"requests of its own", "- stream: a\n  do: [{irecv: {from: 1-rank, request: x}}, {isend: {to: 1-rank, size: 1 kB}}, {wait: x}, {wait: all}]\n- irecv: {from: 1-rank, request: x}\n- isend: {to: 1-rank, size: 1 kB}\n- wait: all", 2, 1 + 1 + 1},
		{"calls of its own", "- stream: a\n  do: [{bcast: 1 kB}, {barrier: {}}]\n- delay: 10 us\n- barrier: {}\n- join: a", 2, 11},
	} {
		x, err := runInline(t, tt.p, "hockney", "", tt.program)
		expect.That(t, err == nil && math.Abs(float64(x.Makespan)*1e6-tt.micros) < 1e-9, "%s: %v, %v; want %v us", tt.name, x, err, tt.micros)
	}
	for _, tt := range []struct{ program, want string }{
		{"- stream: a\n  do: [{bcast: {size: 8 B, root: rank}}]\n- join: a", "call 1 of rank 0 is bcast of 8 B with root 0 (a.yaml:6:8), call 1 of rank 1 is bcast of 8 B with root 1"},
		{"- stream: a\n  do: [{delay: 1 us}, {recv: {from: 1-rank}}]\n- join: a", "rank 0: recv, peer 1, tag 0, since 1 us, at a.yaml:6:23 (on stream 1)"},
		{"- stream: a\n  do: [{delay: 0-1}]", "a.yaml:6:8: process 0: delay: 0-1 is -1"},
	} {
		expect.Refusal(runInline(t, 2, "hockney", "", tt.program))(t, tt.want)
	}
}

// A procedure call is the statements of the procedure, with the parameters replaced by what the call gives.
func TestProcedures(t *testing.T) {
	for _, tt := range []struct {
		name, head, program, same string
	}{
		{"values", "define: {step: {parameters: [work, size], do: [{compute: 2*work}, {bcast: size}]}}",
			"- call: step\n  with: {work: 1 kflop + 1 flop, size: 8 B}\n- call: step\n  with: {work: 5 kflop, size: 1 kB}",
			"- compute: 2*(1 kflop + 1 flop)\n- bcast: 8 B\n- compute: 2*(5 kflop)\n- bcast: 1 kB"},
		{"rounds of loops around the call", "define: {step: {parameters: [t], do: [{repeat: 2, index: j, do: [{delay: \"t*(j+1)*1e-6\"}]}]}}",
			"- repeat: 3\n  index: i\n  do: [{call: step, with: {t: i+2}, every: 2}]",
			"- repeat: 3\n  index: i\n  do: [{when: i == 1, do: [{repeat: 2, index: j, do: [{delay: \"(i+2)*(j+1)*1e-6\"}]}]}]"},
		{"names of axes, requests and algorithms", "grid: {x: 2, y: 2}\ndefine: {sum: {parameters: [along, q, how], do: [{iallreduce: {size: 8 kB, among: along, request: q, algorithm: how}}, {delay: \"coord(along)*1e-6\"}, {wait: q}]}}",
			"- call: sum\n  with: {along: x, q: a, how: ring}\n- call: sum\n  with: {along: y, q: b, how: rabenseifner}",
			"- iallreduce: {size: 8 kB, among: x, request: a, algorithm: ring}\n- delay: coord(x)*1e-6\n- wait: a\n- iallreduce: {size: 8 kB, among: y, request: b, algorithm: rabenseifner}\n- delay: coord(y)*1e-6\n- wait: b"},
		{"procedures in procedures", "define: {inner: {parameters: [m], do: [{delay: m*1e-6}]}, outer: {parameters: [m], do: [{call: inner, with: {m: m+1}}, {call: inner, with: {m: 2*m}}]}}",
			"- call: outer\n  with: {m: 3}", "- delay: (3+1)*1e-6\n- delay: (2*3)*1e-6"},
		{"without parameters", "define: {both: {do: [{barrier: {}}, {delay: 1 us}]}}", "- call: both\n- call: both", "- barrier: {}\n- delay: 1 us\n- barrier: {}\n- delay: 1 us"},
	} {
		head, _, _ := strings.Cut(tt.head, "define")
		called := expect.Value(runInline(t, 4, "hockney", tt.head, tt.program))(t)
		written := expect.Value(runInline(t, 4, "hockney", head, tt.same))(t)
		expect.That(t, called.Makespan == written.Makespan && called.Messages == written.Messages && called.Makespan > 0,
			"%s: %v, %d messages; written out %v, %d", tt.name, called.Makespan, called.Messages, written.Makespan, written.Messages)
	}
}

// Groups over several axes. Processes of {x: 2, y: 3, z: 2} are numbered x + 2y + 6z, so groups over x and y
// are like those of one axis of 6. x and z divide them into {0, 1, 6, 7}, {2, 3, 8, 9}, {4, 5, 10, 11}.
func TestGroupsOverAxes(t *testing.T) {
	const grid = "grid: {x: 2, y: 3, z: 2}"
	run := func(head, program string) *Simulation {
		return expect.Value(runInline(t, 12, "hockney", head, program))(t)
	}
	two := run(grid, "- compute: 1 kflop * rank\n- allreduce: {size: 1 kB, among: [x, y]}\n- bcast: {size: 1 kB, among: [y, x], root: 5}")
	one := run("grid: {xy: 6, z: 2}", "- compute: 1 kflop * rank\n- allreduce: {size: 1 kB, among: xy}\n- bcast: {size: 1 kB, among: xy, root: 5}")
	expect.That(t, two.Makespan == one.Makespan && two.Messages == one.Messages, "%v, %d; of one axis %v, %d", two.Makespan, two.Messages, one.Makespan, one.Messages)

	apart := run(grid, "- scatter: {size: 1000*to, among: [x, z], algorithm: flat}")
	bytes := 1000 * ((1 + 6 + 7) + (3 + 8 + 9) + (5 + 10 + 11))
	expect.That(t, apart.Messages == 9 && float64(apart.Bytes) == float64(bytes), "%d messages of %v, want 9 of %d B", apart.Messages, apart.Bytes, bytes)
	apart = run(grid, "- scatter: {size: 1000*to, among: [x, z], root: 2, algorithm: flat}") // 6, 8, 10
	bytes = 1000 * ((0 + 1 + 7) + (2 + 3 + 9) + (4 + 5 + 11))
	expect.That(t, float64(apart.Bytes) == float64(bytes), "root 2: %v, want %d B", apart.Bytes, bytes)

	all := run(grid, "- allreduce: {size: 1 kB, among: [x, y, z]}")
	expect.That(t, all.Makespan == run(grid, "- allreduce: 1 kB").Makespan, "all axes take %v", all.Makespan)
	_, err := runInline(t, 12, "hockney", grid, "- barrier: {among: [x, z]}\n- when: rank == 8\n  do: [{barrier: {among: [x, z]}}]")
	expect.Failure(t, err, "rank 2 ends after 1, call 2 of rank 8 is barrier")
}
