package sim_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
)

// runProgram runs programs of fresh on cores of 1 flop/s: as run does for scripts, also
// in strict time order and on two and three shards. It closes them and returns the last
// one.
func runProgram(t testing.TB, fresh func() *sim.Program, n sim.Network) (*sim.Program, *sim.Result, error) {
	t.Helper()
	var program *sim.Program
	try := func(n sim.Network, shards int) (*sim.Result, error) {
		program = fresh()
		defer program.Close()
		c := sim.Config{Program: program, Network: n, Rates: ones(program.Ranks()), Ranks: true}
		return sim.Run(context.Background(), sim.Sharded(c, shards))
	}
	first, firstErr := try(n, 1)
	for _, v := range []struct {
		name    string
		network sim.Network
		shards  int
	}{{"strict order", strict{n}, 1}, {"two shards", n, 2}, {"three shards", n, 3}} {
		res, err := try(v.network, v.shards)
		expect.Need(t, fmt.Sprint(err) == fmt.Sprint(firstErr), "running ahead: %v\n%s: %v", firstErr, v.name, err)
		diff := cmp.Diff(first, res)
		expect.Need(t, diff == "", "running ahead (-) against %s (+):\n%s", v.name, diff)
	}
	return program, first, firstErr
}

func runBodies(t testing.TB, ranks int, body func(r *sim.Rank)) (*sim.Program, *sim.Result, error) {
	t.Helper()
	return runProgram(t, func() *sim.Program { return sim.NewProgram(ranks, body) }, hockney)
}

// ranBodies is runBodies for bodies that must end.
func ranBodies(t testing.TB, ranks int, body func(r *sim.Rank)) *sim.Result {
	t.Helper()
	_, res, err := runBodies(t, ranks, body)
	expect.Success(t, err)
	return res
}

// Latency 1 s, 1 byte/s, eager: m bytes arrive m + 1 after they start to leave,
// and the messages of one sender leave one after the other.
func TestFrontEndTimes(t *testing.T) {
	for _, c := range []struct {
		name string
		body []func(r *sim.Rank)
		want []units.Seconds
	}{
		{"computation and delay", []func(r *sim.Rank){
			func(r *sim.Rank) { r.Compute(2); r.Delay(3) },
			func(r *sim.Rank) {},
		}, []units.Seconds{5, 0}},

		// 3 bytes arrive at 4; the answer of 1 byte at 4 + 2.
		{"ping-pong", []func(r *sim.Rank){
			func(r *sim.Rank) { r.Send(1, 0, 3); r.Recv(1, 0) },
			func(r *sim.Rank) { r.Recv(0, 0); r.Send(0, 0, 1) },
		}, []units.Seconds{6, 4}},

		// 3 bytes of rank 0 arrive at 4, 5 of rank 1 at 6.
		{"exchange", []func(r *sim.Rank){
			func(r *sim.Rank) { r.Sendrecv(1, 0, 3, 1) },
			func(r *sim.Rank) { r.Sendrecv(0, 0, 5, 0) },
		}, []units.Seconds{6, 4}},

		// The message arrives at 3, behind a computation up to 10.
		{"overlap", []func(r *sim.Rank){
			func(r *sim.Rank) { r.Wait(r.Isend(1, 0, 2)) },
			func(r *sim.Rank) { q := r.Irecv(0, 0); r.Compute(10); r.Wait(q) },
		}, []units.Seconds{0, 10}},

		// They leave one after the other: 2 bytes arrive at 3, 4 bytes at 2 + 4 + 1.
		{"waitall", []func(r *sim.Rank){
			func(r *sim.Rank) { r.Isend(1, 0, 2); r.Isend(1, 1, 4); r.Waitall() },
			func(r *sim.Rank) { r.Irecv(0, 1); r.Irecv(0, 0); r.Waitall() },
		}, []units.Seconds{0, 7}},

		// Two rounds of empty messages, 1 s each: rank r hears from r-1, then from
		// r-2. Rank 0 comes last, at 5, and finds all messages there. What it sends
		// at 5 reaches 1 in round 1 and 2 in round 2, at 6; then 1 sends to 3, to
		// arrive at 7.
		{"barrier", []func(r *sim.Rank){
			func(r *sim.Rank) { r.Compute(5); r.Barrier() },
			(*sim.Rank).Barrier, (*sim.Rank).Barrier, (*sim.Rank).Barrier,
		}, []units.Seconds{5, 6, 6, 7}},

		// Binomial tree, largest subtree first. The root's message to 2 leaves at
		// 0 to 2 and arrives at 3; that to 1 leaves at 2 to 4 and arrives at 5.
		// Rank 2 sends to 3 at 3, which arrives at 6.
		{"bcast", same(4, func(r *sim.Rank) { r.Bcast(0, 2) }), []units.Seconds{0, 5, 3, 6}},

		// Ranks 1 and 3 send 2 bytes at 0, which arrive at 3; 0 and 2 combine
		// them with 2 flop/byte * 2 bytes = 4 s, to 7; 2 sends, to arrive at 10;
		// 0 combines to 14.
		{"reduce", same(4, func(r *sim.Rank) { r.Reduce(0, 2, 2) }), []units.Seconds{14, 0, 7, 0}},
	} {
		t.Run(c.name, func(t *testing.T) {
			res := ranBodies(t, len(c.body), func(r *sim.Rank) { c.body[r.Rank()](r) })
			expect.Same(t, finishes(res), c.want, "finish times")
		})
	}
}

func same(n int, body func(r *sim.Rank)) []func(r *sim.Rank) {
	bodies := make([]func(r *sim.Rank), n)
	for i := range bodies {
		bodies[i] = body
	}
	return bodies
}

// The clock that a body sees is the time at which its last call was over.
func TestFrontEndNow(t *testing.T) {
	times := make([][]units.Seconds, 2)
	ranBodies(t, 2, func(r *sim.Rank) {
		now := []units.Seconds{r.Now()}
		r.Compute(2)
		now = append(now, r.Now())
		if r.Rank() == 0 {
			r.Send(1, 0, 3) // eager, without overhead: over at once
		} else {
			r.Recv(0, 0) // arrives at 2 + 3 + 1
		}
		times[r.Rank()] = append(now, r.Now())
	})
	expect.Same(t, times, [][]units.Seconds{{0, 2, 2}, {0, 2, 6}}, "clocks")
}

// Ranks 1, 2, 3 send i bytes with tag 10 i at 30, 10 and 20: they arrive in the
// order 2, 3, 1.
func TestFrontEndStatus(t *testing.T) {
	one, two, three := sim.Status{Source: 1, Tag: 10, Size: 1}, sim.Status{Source: 2, Tag: 20, Size: 2}, sim.Status{Source: 3, Tag: 30, Size: 3}
	for _, c := range []struct {
		name    string
		receive func(r *sim.Rank) []sim.Status
		want    []sim.Status
	}{
		{"any source, any tag", func(r *sim.Rank) []sim.Status {
			return []sim.Status{
				r.Recv(sim.AnySource, sim.AnyTag), r.Recv(sim.AnySource, sim.AnyTag), r.Recv(sim.AnySource, sim.AnyTag),
			}
		}, []sim.Status{two, three, one}},
		{"any source", func(r *sim.Rank) []sim.Status {
			return []sim.Status{r.Recv(sim.AnySource, 30), r.Recv(sim.AnySource, 10), r.Recv(sim.AnySource, 20)}
		}, []sim.Status{three, one, two}},
		{"any tag", func(r *sim.Rank) []sim.Status {
			return []sim.Status{r.Recv(1, sim.AnyTag), r.Recv(3, sim.AnyTag), r.Recv(2, sim.AnyTag)}
		}, []sim.Status{one, three, two}},
		{"requests, waited for the other way round", func(r *sim.Rank) []sim.Status {
			a, b, c := r.Irecv(sim.AnySource, sim.AnyTag), r.Irecv(1, 10), r.Irecv(3, 30)
			return []sim.Status{r.Wait(c), r.Wait(b), r.Wait(a)}
		}, []sim.Status{three, one, two}},
		{"a send has none", func(r *sim.Rank) []sim.Status {
			s := r.Recv(1, 10)
			q := r.Isend(0, 5, 7)
			return []sim.Status{s, r.Wait(q), r.Recv(0, 5)}
		}, []sim.Status{one, {}, {Source: 0, Tag: 5, Size: 7}}},
		{"exchange with itself, then with others", func(r *sim.Rank) []sim.Status {
			return []sim.Status{r.Sendrecv(0, 6, 4, 0), r.Sendrecv(1, 20, 0, sim.AnySource)}
		}, []sim.Status{{Source: 0, Tag: 6, Size: 4}, two}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []sim.Status
			ranBodies(t, 4, func(r *sim.Rank) {
				if r.Rank() == 0 {
					got = c.receive(r)
					return
				}
				r.Compute([]units.Flops{0, 30, 10, 20}[r.Rank()])
				r.Send(0, 10*r.Rank(), units.Bytes(r.Rank()))
			})
			expect.Same(t, got, c.want, "status")
		})
	}
}

// The same program as bodies and as operations written down.
func TestFrontEndGivesTheSameAsOperations(t *testing.T) {
	const ranks, rounds = 5, 4
	s := make(script, ranks)
	for i := range s {
		right, left := int32((i+1)%ranks), int32((i+ranks-1)%ranks)
		for k := range int32(rounds) {
			s[i] = append(s[i], compute(units.Flops(i)), irecv(left, 1, 2*k), isend(right, 3, 1, 2*k+1), delay(0.5), wait(2*k),
				sendrecv(left, 2, right, k), wait(2*k+1), irecv(anySource, 9, 99), send(right, 1, 9), waitall())
		}
	}
	want := expect.Value(run(t, s, hockney))(t)
	got := ranBodies(t, ranks, func(r *sim.Rank) {
		right, left := (r.Rank()+1)%ranks, (r.Rank()+ranks-1)%ranks
		for k := range rounds {
			r.Compute(units.Flops(r.Rank()))
			in := r.Irecv(left, 1)
			out := r.Isend(right, 1, 3)
			r.Delay(0.5)
			r.Wait(in)
			r.Sendrecv(left, k, 2, right)
			r.Wait(out)
			r.Irecv(sim.AnySource, 9)
			r.Send(right, 9, 1)
			r.Waitall()
		}
	})
	expect.Same(t, got, want, "operations against bodies")
}

// Every collective operation, by every algorithm, against the operations that
// collective.Next gives for the blocks in its documentation.
func TestFrontEndCollectives(t *testing.T) {
	const p, root, size, intensity = 6, 2, 3, 0.5
	varying := collective.Varying([]units.Bytes{1, 0, 5, 2, 2, 7})
	algorithms := 0
	for _, c := range []struct {
		operation workloads.Collective
		root      int
		blocks    collective.Blocks
		body      func(r *sim.Rank)
	}{
		{workloads.Barrier, 0, collective.Uniform(0, 0), (*sim.Rank).Barrier},
		{workloads.Bcast, root, collective.Uniform(1, size), func(r *sim.Rank) { r.Bcast(root, size) }},
		{workloads.Reduce, root, collective.Uniform(1, size), func(r *sim.Rank) { r.Reduce(root, size, intensity) }},
		{workloads.Gather, root, collective.Uniform(p, size), func(r *sim.Rank) { r.Gather(root, size) }},
		{workloads.Gather, root, varying, func(r *sim.Rank) { r.Gatherv(root, varying) }},
		{workloads.Scatter, root, collective.Uniform(p, size), func(r *sim.Rank) { r.Scatter(root, size) }},
		{workloads.Scatter, root, varying, func(r *sim.Rank) { r.Scatterv(root, varying) }},
		{workloads.Allreduce, 0, collective.Uniform(1, size), func(r *sim.Rank) { r.Allreduce(size, intensity) }},
		{workloads.Allgather, 0, collective.Uniform(p, size), func(r *sim.Rank) { r.Allgather(size) }},
		{workloads.Alltoall, 0, collective.Uniform(p*p, size), func(r *sim.Rank) { r.Alltoall(size) }},
		{workloads.ReduceScatter, 0, collective.Uniform(p, size), func(r *sim.Rank) { r.ReduceScatter(size, intensity) }},
		{workloads.Scan, 0, collective.Uniform(1, size), func(r *sim.Rank) { r.Scan(size, intensity) }},
	} {
		names := collective.Names(c.operation)
		if len(names) > 0 {
			if _, _, err := runBodies(t, p, c.body); err != nil {
				t.Errorf("%v by default: %v", c.operation, err)
			}
		}
		for _, name := range names {
			algorithms++
			ch := choose(t, c.operation, name)
			s := make(script, p)
			for rank := range s {
				s[rank] = append(s[rank], compute(units.Flops(rank*rank)))
				var op workloads.Op
				for k := int32(0); collective.Next(ch, collective.Call{Size: p, Root: c.root}, c.blocks, intensity, rank, &k, &op); {
					s[rank] = append(s[rank], op)
				}
			}
			want := expect.Value(run(t, s, hockney))(t)
			_, got, err := runProgram(t, func() *sim.Program {
				program := sim.NewProgram(p, func(r *sim.Rank) {
					r.Compute(units.Flops(r.Rank() * r.Rank()))
					c.body(r)
				})
				expect.Success(t, program.Choose(ch))
				return program
			}, hockney)
			expect.Need(t, err == nil, "%v, %s: %v", c.operation, name, err)
			expect.Same(t, got, want, "%v, %s: operations against bodies", c.operation, name)
		}
	}
	expect.That(t, algorithms >= 10, "%d algorithms tried, want at least 10", algorithms)
}

// Ranks enter at 0, 1, 2. Every pair exchanges 1 byte, 3 * 3 in all, so they
// leave 10 + 9 s after the last.
func TestFrontEndMeasured(t *testing.T) {
	_, res, err := runProgram(t, func() *sim.Program {
		program := sim.NewProgram(3, func(r *sim.Rank) {
			r.Compute(units.Flops(r.Rank()))
			r.Alltoall(1)
		})
		if err := program.Choose(collective.Choice{Operation: workloads.Alltoall, Cost: &collective.Cost{Base: 10, PerByte: 1}}); err != nil {
			t.Fatal(err)
		}
		return program
	}, hockney)
	if err != nil {
		t.Fatal(err)
	}
	expect.Same(t, finishes(res), []units.Seconds{21, 21, 21}, "finish times")
}

func TestFrontEndRefusesChoices(t *testing.T) {
	p := sim.NewProgram(1, func(*sim.Rank) {})
	expect.Failure(t, p.Choose(collective.Choice{Operation: workloads.Bcast}), "nothing chosen")
}

func TestFrontEndDeadlock(t *testing.T) {
	unwound := 0
	program, _, err := runBodies(t, 2, func(r *sim.Rank) {
		if r.Rank() == 0 {
			defer func() { unwound++ }()
			defer r.Barrier() // no longer carried out
			r.Compute(2)
			r.Recv(1, 7)
			t.Error("went on after a deadlock")
		}
	})
	d := expect.Kind[*sim.DeadlockError](t, err)
	want := []sim.Blocked{{Rank: 0, Operation: "recv", Peer: 1, Tag: 7, Since: 2, Note: "rank 1 has finished"}}
	expect.That(t, len(d.Blocked) == 1 && d.Blocked[0] == want[0], "blocked: %+v, want %+v", d.Blocked, want)
	if unwound != 4 { // runBodies runs four times
		t.Errorf("%d of 4 bodies were unwound", unwound)
	}
	if err := program.Err(); err != nil {
		t.Errorf("Err is %v, want none: no body failed", err)
	}
}

// Rank 1 gets to 3 s and fails there.
func TestFrontEndFailures(t *testing.T) {
	cause := errors.New("no more rows")
	var other *sim.Rank
	for _, c := range []struct {
		name string
		call func(r *sim.Rank)
		want string
	}{
		{"panic", func(r *sim.Rank) { panic("lost") }, "panic: lost"},
		{"panic with an error", func(r *sim.Rank) { panic(cause) }, "panic: no more rows"},
		{"index", func(r *sim.Rank) { _ = make([]int, r.Size())[r.Size()] }, "panic: runtime error: index out of range [3] with length 3"},
		{"send to nobody", func(r *sim.Rank) { r.Send(3, 0, 1) }, "send: peer 3; expected a rank from 0 to 2"},
		{"send far away", func(r *sim.Rank) { r.Isend(1<<32, 0, 1) }, "isend: peer 4294967296; expected a rank from 0 to 2"},
		{"send to any", func(r *sim.Rank) { r.Sendrecv(sim.AnySource, 0, 0, 0) }, "sendrecv: peer -1; expected a rank from 0 to 2"},
		{"receive from nobody", func(r *sim.Rank) { r.Recv(-3, 0) }, "recv: peer -3; expected a rank from 0 to 2"},
		{"any tag sent", func(r *sim.Rank) { r.Send(0, sim.AnyTag, 1) }, "send: tag -1; expected one from 0 to 1073741823"},
		{"tag of collectives", func(r *sim.Rank) { r.Irecv(0, 1<<30) }, "irecv: tag 1073741824; expected one from 0 to 1073741823"},
		{"root", func(r *sim.Rank) { r.Bcast(3, 1) }, "bcast: peer 3; expected a rank from 0 to 2"},
		{"somebody's request", func(r *sim.Rank) { r.Wait(sim.Request{}) }, "wait: a request of rank 0; expected one of rank 1"},
		{"somebody's rank", func(r *sim.Rank) { other.Compute(1) }, "rank 0 was used outside its body"},
	} {
		t.Run(c.name, func(t *testing.T) {
			program := sim.NewProgram(3, func(r *sim.Rank) {
				switch r.Rank() {
				case 0:
					other = r
					r.Recv(1, 0)
				case 1:
					r.Compute(3)
					c.call(r)
				case 2:
					r.Compute(4)
					panic("later") // may or may not be executed; not to be reported
				}
			})
			_, err := sim.Run(context.Background(), sim.Config{Program: program, Network: hockney, Rates: ones(3), Workers: 1})
			expect.Need(t, err != nil, "no error from the run")
			f := expect.Kind[*sim.BodyError](t, program.Close())
			if want := "rank 1 at 3 s: " + c.want; f.Error() != want {
				t.Errorf("error\n%v\nwant\n%v", f, want)
			}
			expect.That(t, len(f.Stack) != 0, "no stack")
			expect.That(t, c.name != "panic with an error" || errors.Is(f, cause), "the error is not unwrapped")
		})
	}
}

// However far ranks have run ahead, the earliest failure counts, and of two at the same
// time that of the lower rank.
func TestFrontEndReportsTheEarliestFailure(t *testing.T) {
	p := sim.NewProgram(4, func(r *sim.Rank) { panic("lost") })
	for _, at := range []struct {
		rank int
		time units.Seconds
	}{{0, 7}, {3, 5}, {1, 5}, {2, 6}} {
		op := workloads.Op{Kind: workloads.Send}
		p.Now(at.rank, at.time)
		expect.Need(t, p.Next(at.rank, &op) && op.Kind == 0, "rank %d: operation %+v, want one of kind 0", at.rank, op)
	}
	if err := p.Err(); err == nil || err.Error() != "rank 1 at 5 s: panic: lost" {
		t.Errorf("error %v, want that of rank 1", err)
	}
}

// Errors that the engine finds are reported as for other programs.
func TestFrontEndEngineErrors(t *testing.T) {
	for _, c := range []struct {
		name string
		call func(r *sim.Rank)
		want string
	}{
		{"size", func(r *sim.Rank) { r.Send(0, 0, -1) }, "size -1"},
		{"work", func(r *sim.Rank) { r.Compute(-1) }, "compute: takes -1 s"},
		{"request waited for twice", func(r *sim.Rank) { q := r.Isend(0, 0, 1); r.Wait(q); r.Wait(q) }, "request 1 is not open"},
	} {
		_, _, err := runBodies(t, 1, c.call)
		if _, ok := errors.AsType[*sim.ProgramError](err); !ok || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want a ProgramError with %q", c.name, err, c.want)
		}
	}
}

// AnyTag does not match the messages of collective operations: rank 1 is already in the
// barrier while rank 0 waits for any message.
func TestFrontEndAnyTagLeavesCollectivesAlone(t *testing.T) {
	for name, receive := range map[string]func(r *sim.Rank){
		"recv":    func(r *sim.Rank) { r.Recv(sim.AnySource, sim.AnyTag) },
		"waitall": func(r *sim.Rank) { r.Irecv(sim.AnySource, sim.AnyTag); r.Waitall() },
	} {
		_, _, err := runBodies(t, 2, func(r *sim.Rank) {
			if r.Rank() == 0 {
				receive(r)
			}
			r.Barrier()
		})
		var d *sim.DeadlockError
		expect.That(t, errors.As(err, &d) && len(d.Blocked) == 2 && d.Blocked[0].Tag == workloads.AnyTag,
			"%s: %v, want a deadlock", name, err)
	}
}

func TestFrontEndBadPrograms(t *testing.T) {
	for _, ranks := range []int{-1, 0, 1 << 40} {
		_, err := sim.Run(context.Background(), sim.Config{Program: sim.NewProgram(ranks, func(*sim.Rank) {}), Network: hockney})
		expect.Failure(t, err, "ranks; expected 1")
	}
	if program, _, err := runBodies(t, 1, nil); err == nil || !strings.Contains(program.Err().Error(), "no body") {
		t.Errorf("no body: error %v", program.Err())
	}
	program := sim.NewProgram(1, func(r *sim.Rank) { r.Compute(1) })
	c := sim.Config{Program: program, Network: hockney, Rates: ones(1)}
	expect.Value(sim.Run(context.Background(), c))(t)
	if _, err := sim.Run(context.Background(), c); err == nil ||
		!strings.Contains(fmt.Sprint(program.Close()), "run already") {
		t.Errorf("second run: error %v, then %v", err, program.Err())
	}
}

func TestRankOutsideItsBody(t *testing.T) {
	var kept *sim.Rank
	ranBodies(t, 1, func(r *sim.Rank) { kept = r })
	defer func() {
		if p := recover(); !strings.Contains(fmt.Sprint(p), "used after the end of its body") {
			t.Errorf("panic: %v", p)
		}
	}()
	kept.Compute(1)
	t.Error("a call after the end of the body was accepted")
}

func TestRankUsedByAnotherAfterItsEnd(t *testing.T) {
	var kept *sim.Rank
	p := sim.NewProgram(2, func(r *sim.Rank) {
		if r.Rank() == 0 {
			kept = r
			return
		}
		kept.Compute(1)
	})
	var op workloads.Op
	expect.Need(t, !p.Next(0, &op), "rank 0 gives %+v, want its end", op)
	expect.Need(t, p.Next(1, &op) && op.Kind == 0, "rank 1 gives %+v, want an operation of kind 0", op)
	expect.Failure(t, p.Err(), "rank 1 at 0 s: used after the end of its body")
}

// A coroutine that is left behind shows as a goroutine.
func TestFrontEndLeavesNoCoroutines(t *testing.T) {
	const ranks = 4
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	for _, c := range []struct {
		name string
		ctx  context.Context
		runs int
		ends bool
		body func(r *sim.Rank)
	}{
		{"normal end", context.Background(), 100, true, (*sim.Rank).Barrier},
		{"deadlock", context.Background(), 1000, false, func(r *sim.Rank) { r.Recv(r.Rank(), 0) }},
		{"panic", context.Background(), 100, false, func(r *sim.Rank) { r.Compute(units.Flops(r.Rank())); panic("lost") }},
		{"error", context.Background(), 100, false, func(r *sim.Rank) { r.Compute(1); r.Compute(units.Flops(r.Rank()) - 1); r.Recv(0, 0) }},
		{"cancelled", cancelled, 100, false, func(r *sim.Rank) { r.Barrier() }},
	} {
		before := runtime.NumGoroutine()
		started := 0
		for range c.runs {
			p := sim.NewProgram(ranks, func(r *sim.Rank) { started++; c.body(r) })
			_, err := sim.Run(c.ctx, sim.Config{Program: p, Network: hockney, Rates: ones(ranks), Workers: 1})
			expect.Need(t, (err == nil) == c.ends, "%s: error %v", c.name, err)
			if err := p.Close(); (err != nil) != (c.name == "panic") {
				t.Fatalf("%s: Close gave %v", c.name, err)
			}
		}
		after := runtime.NumGoroutine()
		expect.That(t, after <= before, "%s: %d goroutines before, %d after %d runs", c.name, before, after, c.runs)
		if c.name == "deadlock" && started != c.runs*ranks {
			t.Errorf("%d bodies started, want %d", started, c.runs*ranks)
		}
	}
}

// A longer program of the same kind allocates no more than a shorter one.
func TestFrontEndAllocatesNothingPerOperation(t *testing.T) {
	const ranks, few, many = 4, 10, 1010
	body := func(rounds int) func(r *sim.Rank) {
		return func(r *sim.Rank) {
			right, left := (r.Rank()+1)%ranks, (r.Rank()+ranks-1)%ranks
			for range rounds {
				r.Compute(1)
				r.Sendrecv(right, 0, 1, left)
				q := r.Irecv(left, 1)
				r.Send(right, 1, 1)
				r.Wait(q)
				r.Barrier()
				r.Bcast(1, 1)
				r.Reduce(2, 1, 1)
				r.Gather(0, 1)
				r.Scatter(0, 1)
			}
		}
	}
	allocs := func(rounds int) float64 {
		return testing.AllocsPerRun(5, func() {
			p := sim.NewProgram(ranks, body(rounds))
			expect.Value(sim.Run(
				context.Background(), sim.Config{Program: p, Network: hockney, Rates: ones(ranks), Workers: 1},
			))(t)
		})
	}
	// 1000 more rounds, of 4 ranks, of at least 5 operations. The pools of messages may
	// grow a few more times.
	if more := allocs(many) - allocs(few); more > 20 {
		t.Errorf("%v allocations for 1000 rounds more; want next to none", more)
	}
}

// The two forms of one program: each rank passes 8 bytes round a ring.
var ringForms = []struct {
	name  string
	fresh func(ranks, rounds int) workloads.Program
}{
	{"state machine", func(ranks, n int) workloads.Program {
		return newRounds(ranks, n,
			func(rank, _ int) int { return (rank + 1) % ranks },
			func(rank, _ int) int { return (rank + ranks - 1) % ranks })
	}},
	{"front end", func(ranks, n int) workloads.Program {
		return sim.NewProgram(ranks, func(r *sim.Rank) {
			right, left := (r.Rank()+1)%ranks, (r.Rank()+ranks-1)%ranks
			for range n {
				r.Send(right, 0, 8)
				r.Recv(left, 0)
			}
		})
	}},
}

// BenchmarkForms: time of whole runs; two operations a message.
func BenchmarkForms(b *testing.B) {
	const n = 50
	for _, form := range ringForms {
		for _, p := range []int{1024, 65536} {
			b.Run(fmt.Sprintf("%s/%d", form.name, p), func(b *testing.B) {
				benchmarkProgram(b, p, func() workloads.Program { return form.fresh(p, n) }, int64(n*p), int64(2*n*p))
			})
		}
	}
}

// BenchmarkFormsMemory: memory of a program while all its ranks are running, without
// the engine, including stacks.
func BenchmarkFormsMemory(b *testing.B) {
	held := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc + m.StackInuse
	}
	for _, form := range ringForms {
		for _, p := range []int{1024, 65536} {
			b.Run(fmt.Sprintf("%s/%d", form.name, p), func(b *testing.B) {
				var bytes uint64
				for b.Loop() {
					before := held()
					program := form.fresh(p, 2)
					for rank := range p {
						var op workloads.Op
						if !program.Next(rank, &op) || op.Kind != workloads.Send {
							b.Fatalf("rank %d: first operation is %v, want a send", rank, op.Kind)
						}
					}
					bytes += held() - before
					if f, ok := program.(*sim.Program); ok {
						expect.Success(b, f.Close())
					}
					runtime.KeepAlive(program)
				}
				b.ReportMetric(float64(bytes)/float64(b.N)/float64(p), "B/rank")
			})
		}
	}
}
