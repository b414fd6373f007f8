package waits_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/answer/waits"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/sharing/flow"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
)

var (
	forever = units.Bytes(math.Inf(1))
	// eager has round numbers: latency 1 s, 1 byte/s, no overheads.
	eager = network.Hockney{Latency: 1, Bandwidth: 1, EagerLimit: forever}
	// rendezvous is the same, but all messages wait for their receiver.
	rendezvous = network.Hockney{Latency: 1, Bandwidth: 1}
	// logGP has L = 10, o = 2, g = 5, G = 1 s, and sends more than 4 bytes synchronously.
	logGP = network.LogGOPS{Latency: 10, Overhead: 2, Gap: 5, GapPerByte: 1, Synchronous: 4}
)

// oneLink leads all messages over one link.
type oneLink struct{}

func (oneLink) Route(buf []int32, from, to int32) ([]int32, error) { return append(buf, 0), nil }

// shared is a fabric of hosts with one core of 1 flop/s and memory of 1 byte/s each, and a link of 1 byte/s that all
// messages share, with a latency.
func shared(ranks int, latency units.Seconds) sim.Fabric {
	m := flow.Machine{Router: oneLink{}, Links: []flow.Link{{Bandwidth: 1, Latency: latency}}}
	for r := range int32(ranks) {
		m.Links = append(m.Links, flow.Link{Bandwidth: 1}) // memory of the host
		m.Hosts = append(m.Hosts, flow.Host{Cores: 1, Speed: 1, Memory: 1 + r})
		m.Place = append(m.Place, r)
	}
	f, err := flow.New(m, flow.Plain())
	if err != nil {
		panic(err)
	}
	return f
}

// run returns the states of a run in which cores perform 1 flop/s, so that work reads as seconds. Without
// a network messages share a link.
func run(t expect.TB, p workloads.Program, n sim.Network, more ...func(*sim.Config)) (*waits.States, *sim.Result) {
	t.Helper()
	ranks := p.Ranks()
	r := waits.NewRecording(ranks, math.MaxInt, nil)
	c := sim.Config{Program: r.Program(p), Network: n, Observer: r, Ranks: true, Workers: 1}
	for _, change := range more {
		change(&c)
	}
	var free sim.Fabric
	if n == nil {
		c.Fabric, free = shared(ranks, 0.5), shared(ranks, 0.5)
		c.Protocol = network.Protocol{EagerBelow: 3, DetachedBelow: 2}
	} else {
		for range ranks {
			c.Rates = append(c.Rates, 1)
		}
	}
	res := expect.Value(sim.Run(context.Background(), c))(t)
	s := r.States(res.Makespan, n, free)
	addsUp(t, s, res)
	return s, res
}

// byClass returns how long a rank waits by the names of classes.
func byClass(r waits.Rank) map[string]float64 {
	all := map[string]float64{}
	for _, t := range r.Wait {
		all[t.Name] += t.Time
	}
	return all
}

// addsUp requires that classes add up to the wait of each rank, calls to the waits of all ranks, and delay
// costs to all waits that ranks caused by being late.
func addsUp(t expect.TB, s *waits.States, res *sim.Result) {
	t.Helper()
	tolerance := 1e-9 * float64(res.Makespan)
	of := make([]map[string]float64, len(res.Ranks))
	for _, r := range s.Ranks {
		of[r.Rank] = byClass(r)
	}
	sums, waited := map[string]float64{}, 0.0
	for r, x := range res.Ranks {
		sum := 0.0
		for class, time := range of[r] {
			expect.That(t, time > 0, "rank %d, %s: %v", r, class, time)
			sums[class] += time
			if class != waits.Idle.String() {
				sum += time
			}
		}
		waited += sum
		expect.Near(t, sum, float64(x.Wait()), tolerance, "wait of rank %d, which is %v", r, of[r])
		expect.Near(t, of[r][waits.Idle.String()], float64(res.Makespan-x.Finish), tolerance, "idle time of rank %d", r)
	}
	calls, costs, caused := 0.0, 0.0, 0.0
	n := float64(len(res.Ranks))
	for _, c := range s.Calls {
		calls += c.Mean * n
	}
	expect.Near(t, calls, waited, tolerance*n, "waits in calls")
	for _, c := range s.Classes {
		expect.Near(t, c.Mean*n, sums[c.Name], tolerance*n, "mean of %s", c.Name)
	}
	for c := waits.LateSender; c < waits.Completion; c++ {
		caused += sums[c.String()]
	}
	for _, c := range s.Costs {
		costs += c.Total
		expect.Near(t, c.Compute+c.Overhead+c.Transfer, c.Total, tolerance*n, "parts of the cost of rank %d", c.Rank)
		expect.That(t, c.Compute >= 0 && c.Overhead >= 0 && c.Transfer >= 0 && c.Indirect >= 0 && c.Indirect <= c.Total+tolerance*n,
			"cost of rank %d: %+v", c.Rank, c)
	}
	expect.Near(t, costs, caused, tolerance*n, "delay costs")
}

// by returns a choice of an algorithm.
func by(op workloads.Collective, name string) collective.Choice {
	a, err := collective.Lookup(op, name)
	if err != nil {
		panic(err)
	}
	return collective.Choice{Operation: op, Algorithm: a}
}

// given returns a choice of a collective operation that takes no time once it can begin.
func given(op workloads.Collective) collective.Choice {
	return collective.Choice{Operation: op, Cost: &collective.Cost{}}
}

func TestStates(t *testing.T) {
	for _, c := range []struct {
		name    string
		network sim.Network
		choices []collective.Choice
		ranks   []func(*sim.Rank)
		want    string // by rank; idle times, which are the rest, are left out
	}{
		// The send is called at 3, and the message arrives 2 + 1 later.
		{"late sender", eager, nil, []func(*sim.Rank){
			func(r *sim.Rank) { r.Compute(3); r.Send(1, 0, 2) },
			func(r *sim.Rank) { r.Compute(1); r.Recv(0, 0) },
		}, "[] [late sender 2 transfer 3]"},
		// The send is called at 1.
		{"no late sender", eager, nil, []func(*sim.Rank){
			func(r *sim.Rank) { r.Compute(1); r.Send(1, 0, 2) },
			func(r *sim.Rank) { r.Compute(3); r.Recv(0, 0) },
		}, "[] [transfer 1]"},
		// The message of rank 0 is sent at 1 and could have been received meanwhile.
		{"wrong order", eager, nil, []func(*sim.Rank){
			func(r *sim.Rank) { r.Compute(1); r.Send(2, 0, 1) },
			func(r *sim.Rank) { r.Compute(5); r.Send(2, 0, 1) },
			func(r *sim.Rank) { r.Recv(1, 0); r.Recv(0, 0) },
		}, "[] [] [late sender 1 wrong order 4 transfer 2]"},
		// The same, but a receive has been called for it.
		{"receives called before", eager, nil, []func(*sim.Rank){
			func(r *sim.Rank) { r.Compute(1); r.Send(2, 0, 1) },
			func(r *sim.Rank) { r.Compute(5); r.Send(2, 0, 1) },
			func(r *sim.Rank) { q := r.Irecv(0, 0); r.Recv(1, 0); r.Wait(q) },
		}, "[] [] [late sender 5 transfer 2]"},
		// The request comes at 1, the receive is called at 4, its clearance comes at 5, the data leave until 7
		// and arrive at 8.
		{"late receiver", rendezvous, nil, []func(*sim.Rank){
			func(r *sim.Rank) { r.Send(1, 0, 2) },
			func(r *sim.Rank) { r.Compute(4); r.Recv(0, 0) },
		}, "[late receiver 4 transfer 3] [transfer 4]"},
		// A core that sends synchronously waits from 2 on for the match. The message arrives at 12; the receiver's
		// core deals with it from 20 to 26, and calls the receive then.
		{"late receiver, LogGP", logGP, nil, []func(*sim.Rank){
			func(r *sim.Rank) { r.Send(1, 0, 5) },
			func(r *sim.Rank) { r.Compute(20); r.Recv(0, 0) },
		}, "[late receiver 24] []"},
		// Sent at 3; a core can deal with the message o + L = 12 later.
		{"late sender, LogGP", logGP, nil, []func(*sim.Rank){
			func(r *sim.Rank) { r.Compute(3); r.Send(1, 0, 1) },
			func(r *sim.Rank) { r.Recv(0, 0) },
		}, "[] [late sender 3 transfer 12]"},
		// 3 bytes wait for the receive at 4 and take 3.5 then.
		{"late receiver, flow", nil, nil, []func(*sim.Rank){
			func(r *sim.Rank) { r.Send(1, 0, 3) },
			func(r *sim.Rank) { r.Compute(4); r.Recv(0, 0) },
		}, "[late receiver 4 transfer 3.5] [transfer 3.5]"},
		// 2 bytes do not wait for the receive: the sender waits for their delivery at 2.5.
		{"no late receiver, flow", nil, nil, []func(*sim.Rank){
			func(r *sim.Rank) { r.Send(1, 0, 2) },
			func(r *sim.Rank) { r.Compute(4); r.Recv(0, 0) },
		}, "[transfer 2.5] []"},
		// Two messages of 1 byte share 1 byte/s from 0.5 to 2.5; alone each takes 1.5.
		{"contention", nil, nil, []func(*sim.Rank){
			func(r *sim.Rank) { r.Send(2, 0, 1) }, func(r *sim.Rank) { r.Send(3, 0, 1) },
			func(r *sim.Rank) { r.Recv(0, 0) }, func(r *sim.Rank) { r.Recv(1, 0) },
		}, "[] [] [contention 1 transfer 1.5] [contention 1 transfer 1.5]"},
		// Rank 0 enters at 3, its message arrives at 4.
		{"barrier", eager, []collective.Choice{by(workloads.Barrier, "dissemination")}, []func(*sim.Rank){
			func(r *sim.Rank) { r.Compute(3); r.Barrier() },
			func(r *sim.Rank) { r.Compute(1); r.Barrier() },
		}, "[] [barrier 2 completion 1]"},
		// Rank 3 enters at 5. It sends to 0 and gets 2's message, sent at 0; then it exchanges with 1, who sent at 1
		// what he knew from 0 alone. Rank 1 gets 0's message at 1, and 3's second one, sent at 5, at 6. Rank 0
		// gets 3's at 6, and at 6 has 2's second one of 1. Rank 2 gets 1's at 1, and 0's second one, sent at 6,
		// at 7: it depends on 3, who entered at 5.
		{"barrier of four", eager, []collective.Choice{by(workloads.Barrier, "dissemination")}, []func(*sim.Rank){
			func(r *sim.Rank) { r.Barrier() }, func(r *sim.Rank) { r.Barrier() },
			func(r *sim.Rank) { r.Barrier() }, func(r *sim.Rank) { r.Compute(5); r.Barrier() },
		}, "[barrier 5 completion 1] [barrier 4 completion 2] [barrier 4 completion 3] []"},
		// The exchange of 2 bytes takes 3 from 3 on for both.
		{"N x N", eager, []collective.Choice{by(workloads.Allreduce, "recursive-doubling")}, []func(*sim.Rank){
			func(r *sim.Rank) { r.Compute(3); r.Allreduce(2, 0) },
			func(r *sim.Rank) { r.Compute(1); r.Allreduce(2, 0) },
		}, "[completion 1] [N x N 2 completion 3]"},
		{"late broadcast", eager, []collective.Choice{by(workloads.Bcast, "flat")}, []func(*sim.Rank){
			func(r *sim.Rank) { r.Compute(3); r.Bcast(0, 2) },
			func(r *sim.Rank) { r.Compute(1); r.Bcast(0, 2) },
		}, "[] [late broadcast 2 completion 3]"},
		{"early reduce", eager, []collective.Choice{by(workloads.Reduce, "flat")}, []func(*sim.Rank){
			func(r *sim.Rank) { r.Compute(1); r.Reduce(0, 2, 0) },
			func(r *sim.Rank) { r.Compute(3); r.Reduce(0, 2, 0) },
		}, "[early reduce 2 completion 3] []"},
		// Two calls in a row: rank 0 is late for the first alone. It is through at 3, its second message comes at
		// 5, when rank 1 has been there since 4; rank 1's second message comes to rank 0 at 5.
		{"two barriers", eager, []collective.Choice{by(workloads.Barrier, "dissemination")}, []func(*sim.Rank){
			func(r *sim.Rank) { r.Compute(3); r.Barrier(); r.Barrier() },
			func(r *sim.Rank) { r.Compute(1); r.Barrier(); r.Barrier() },
		}, "[barrier 1 completion 1] [barrier 2 completion 1]"},
		{"calls of given cost", eager, []collective.Choice{given(workloads.Barrier), given(workloads.Bcast), given(workloads.Reduce), given(workloads.Alltoall)},
			[]func(*sim.Rank){
				func(r *sim.Rank) {
					r.Compute(3)
					r.Barrier()
					r.Compute(1)
					r.Bcast(0, 2)
					r.Reduce(0, 2, 0)
					r.Alltoall(2)
				},
				func(r *sim.Rank) {
					r.Compute(1)
					r.Barrier()
					r.Bcast(0, 2)
					r.Compute(3)
					r.Reduce(0, 2, 0)
					r.Compute(2)
					r.Alltoall(2)
				},
			}, "[N x N 2 early reduce 3] [barrier 2 late broadcast 1]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := sim.NewProgram(len(c.ranks), func(r *sim.Rank) { c.ranks[r.Rank()](r) })
			for _, ch := range c.choices {
				expect.Success(t, p.Choose(ch))
			}
			s, _ := run(t, p, c.network)
			got := make([]map[string]float64, len(c.ranks))
			for _, r := range s.Ranks {
				got[r.Rank] = byClass(r)
				delete(got[r.Rank], waits.Idle.String())
			}
			text := ""
			for r, w := range got {
				text += map[bool]string{true: " "}[r > 0] + "["
				for class := range waits.Event + 1 {
					if time, ok := w[class.String()]; ok {
						text += map[bool]string{true: " "}[text[len(text)-1] != '['] + fmt.Sprintf("%v %g", class, time)
					}
				}
				text += "]"
			}
			expect.Equal(t, text, c.want, "states")
		})
	}
}

// An event is triggered at 2. A process sends at 2 and stops node 1 from 3 to 6 in the middle of an operation. No rank
// is charged for these.
func TestEvents(t *testing.T) {
	e := sim.NewEvent("e")
	s, _ := run(t, sim.NewProgram(2, func(r *sim.Rank) {
		if r.Rank() == 0 {
			r.Compute(2)
			r.Trigger(e)
			r.Compute(6.5)
		} else {
			r.Await(e)
			r.Recv(sim.FromProcess, 0)
			r.Compute(3)
		}
	}), eager, func(c *sim.Config) {
		c.Events = []*sim.Event{e}
		c.Processes = []sim.Process{{Name: "p", Body: func(c *sim.Control) {
			c.Sleep(2.5)
			c.Send(1, 0, 0)
			c.Sleep(0.5)
			c.Stop(1)
			c.Sleep(3)
			c.Restart(1)
		}}}
	})
	expect.Same(t, s.Ranks, []waits.Rank{{Rank: 1, Wait: []waits.Time{{Name: "event", Time: 5.5}}}}, "states")
	expect.Equal(t, len(s.Costs), 0, "delay costs")
}

// Without the calls of the program, sends count from when messages leave. Rank 1's does at 3.
func TestWithoutCalls(t *testing.T) {
	r := waits.NewRecording(2, math.MaxInt, nil)
	res := expect.Value(sim.Run(context.Background(), sim.Config{Network: eager, Observer: r, Ranks: true, Rates: []units.FlopsPerSecond{1, 1},
		Program: sim.NewProgram(2, func(r *sim.Rank) {
			if r.Rank() == 1 {
				r.Compute(3)
				r.Send(0, 0, 2)
				r.Compute(3)
			} else {
				r.Recv(1, 0)
			}
		})}))(t)
	s := r.States(res.Makespan, eager, nil)
	expect.Same(t, s.Ranks, []waits.Rank{{Rank: 0, Wait: []waits.Time{{Name: "late sender", Time: 3}, {Name: "transfer", Time: 3}}}}, "states")
	expect.Equal(t, len(s.Calls), 0, "calls")
}

// Rank 1 waits 5 s for rank 0 to send at 10, and one more for the message; it computes 10 s, and sends at
// 21. Rank 2 has computed as long before, and waits 11 s for the send. Until then rank 1 computed 5 s longer than
// rank 2, and waited 6 s longer. Of these 6 s, 1 s was for the message. The other 5 s and the 5 s of rank 1's own
// wait are due to rank 0, which computed until 10. The run ends at 22: rank 0 idles for 12 s before, and rank 1
// for 1 s.
func TestDelayCosts(t *testing.T) {
	s, _ := run(t, sim.NewProgram(3, func(r *sim.Rank) {
		switch r.Rank() {
		case 0:
			r.Compute(10)
			r.Send(1, 0, 0)
			r.Compute(12)
		case 1:
			r.Compute(5)
			r.Recv(0, 0)
			r.Compute(10)
			r.Send(2, 0, 0)
			r.Compute(1)
		case 2:
			r.Compute(10)
			r.Recv(1, 0)
		}
	}), eager)
	expect.Same(t, s.Costs, []waits.Cost{
		{Rank: 0, Total: 10, Compute: 10, Indirect: 5},
		{Rank: 1, Total: 6, Compute: 5, Transfer: 1, Indirect: 1},
	}, "delay costs")
}

// A stream of rank 1 computes for 20 s while the rank waits 10 s for rank 0 to send, and 1.5 s for the message. Rank 2
// waits meanwhile for rank 1, whose stream computes: so rank 0 is not charged for that wait, although the stream goes
// on. At 20 rank 0 has been idle since 10, and rank 2 since 13, because of that stream.
func TestDelayCostsOfStreams(t *testing.T) {
	p := sim.NewProgram(3, func(r *sim.Rank) {
		switch r.Rank() {
		case 0:
			r.Compute(10)
			r.Send(1, 0, 1)
		case 1:
			q := r.Beside(1, func(r *sim.Rank) { r.ComputeInMemory(20, 1) }) // which flow tells of at its end
			r.Recv(0, 0)
			r.Send(2, 0, 1)
			r.Wait(q)
		case 2:
			r.Recv(1, 0)
		}
	})
	p.SetStreams(1)
	s, _ := run(t, p, nil)
	expect.Same(t, s.Costs, []waits.Cost{{Rank: 1, Total: 28.5, Compute: 11.5 + 10 + 7}, {Rank: 0, Total: 10, Compute: 10}}, "delay costs")
}

// Rank 1 is slower by 1 s in each of three rounds, rank 0 by 3 s in the second: what happened in a round
// is not held against a rank in the next. The barriers take no time.
func TestDelayCostsSinceTheLastMeeting(t *testing.T) {
	p := sim.NewProgram(2, func(r *sim.Rank) {
		for round := range 3 {
			r.Compute(units.Flops(1 + r.Rank()))
			if round == 1 && r.Rank() == 0 {
				r.Compute(3)
			}
			r.Barrier()
		}
	})
	expect.Success(t, p.Choose(given(workloads.Barrier)))
	s, _ := run(t, p, eager)
	expect.Same(t, s.Costs, []waits.Cost{{Rank: 0, Total: 2, Compute: 2}, {Rank: 1, Total: 2, Compute: 2}}, "delay costs")
	expect.Same(t, s.Calls, []waits.Share{{Name: "barrier", Mean: 2, Share: 2. / 8}}, "calls")
}

// Rank 0 finishes at 1 and idles until 4: rank 1 computes 3 s longer.
func TestIdle(t *testing.T) {
	s, _ := run(t, sim.NewProgram(2, func(r *sim.Rank) { r.Compute(units.Flops(1 + 3*r.Rank())) }), eager)
	expect.Same(t, s.Classes, []waits.Share{{Name: "idle at the end", Mean: 1.5, Share: 1.5 / 4}}, "classes")
	expect.Same(t, s.Costs, []waits.Cost{{Rank: 1, Total: 3, Compute: 3}}, "delay costs")
}

// Each of 70 ranks sends at 1 to another one that waits from 0 on. The first of those that caused most waits is named,
// with what it did; the report has each table, and says how much it leaves out.
func TestSays(t *testing.T) {
	s, _ := run(t, sim.NewProgram(140, func(r *sim.Rank) {
		if r.Rank()%2 == 0 {
			r.Recv(r.Rank()+1, 0)
			return
		}
		r.Compute(1)
		r.Send(r.Rank()-1, 0, 0)
		r.Compute(1)
	}), eager)
	name := func(rank int32) string { return fmt.Sprintf("rank %d (x)", rank) }
	expect.Equal(t, s.Says(name), "All ranks together wait 70 s for late ranks. No rank causes more of this than "+
		"rank 1 (x): 1 s, of which 1 s because it computes longer.", "sentence")
	x := s.Section(name)
	expect.Equal(t, len(x.Blocks), 3, "tables")
	costs := x.Blocks[2].(*report.Table)
	expect.Equal(t, len(costs.Rows), 64, "rows of costs")
	expect.Equal(t, costs.Caption, "64 of 70 ranks that caused waits.", "caption")
	none := &waits.States{}
	expect.Equal(t, none.Says(name), "", "nobody waits")
}

// A recording whose limit is exceeded says so.
func TestTooMuch(t *testing.T) {
	stopped := 0
	r := waits.NewRecording(1, 1, func() { stopped++ })
	r.Span(sim.Span{To: 1})
	expect.Success(t, r.Err())
	r.Span(sim.Span{From: 1, To: 2})
	r.Span(sim.Span{From: 2, To: 3})
	expect.Failure(t, r.Err(), "more than 1 spans")
	expect.Equal(t, stopped, 1, "calls of stop")
}

// heard is when calls of one pair of ranks began and ended, in their order.
type heard struct{ sends, receives, received []units.Seconds }

// step is something that all ranks of a random program do, or two of them.
type step struct {
	kind, a, b int
	size       units.Bytes
	work       []units.Flops
}

// random returns a program whose ranks take the steps in the same order, so that it ends, and the times of blocking
// messages that it will hear.
func random(rng *rand.Rand, kinds int) (*sim.Program, [][]heard) {
	ranks := 2 + rng.IntN(5)
	pairs := make([][]heard, ranks)
	for r := range pairs {
		pairs[r] = make([]heard, ranks)
	}
	steps := make([]step, 5+rng.IntN(25))
	for i := range steps {
		s := &steps[i]
		s.kind, s.a, s.size = rng.IntN(kinds), rng.IntN(ranks), units.Bytes(5*rng.Float64())
		s.b = (s.a + 1 + rng.IntN(ranks-1)) % ranks
		for range ranks {
			s.work = append(s.work, units.Flops(3*rng.Float64()*float64(rng.IntN(3))))
		}
	}
	p := sim.NewProgram(ranks, func(r *sim.Rank) {
		for i, s := range steps {
			me := r.Rank()
			switch s.kind {
			case 0, 1, 2: // the sender's part is before its computation
				pair := &pairs[s.a][s.b]
				switch me {
				case s.a:
					pair.sends = append(pair.sends, r.Now())
					r.Send(s.b, 0, s.size)
				case s.b:
					pair.receives = append(pair.receives, r.Now())
					r.Recv(s.a, 0)
					pair.received = append(pair.received, r.Now())
				}
				r.Compute(s.work[me])
			case 3:
				r.Compute(s.work[me])
			case 4: // all to all, in any order
				var list []sim.Request
				for q := range r.Size() {
					if q != me {
						list = append(list, r.Irecv(sim.AnySource, 100+i), r.Isend(q, 100+i, s.size))
					}
				}
				r.Compute(s.work[me])
				r.Waitall(list...)
			case 5:
				r.Sendrecv((me+1)%r.Size(), 7, s.size, (me+r.Size()-1)%r.Size())
			case 6:
				r.Barrier()
			case 7:
				r.Bcast(s.a, s.size)
			case 8:
				r.Reduce(s.a, s.size, 0.1)
			case 9:
				r.Allreduce(s.size, 0.1)
			case 10:
				r.Alltoall(s.size)
			case 11:
				g := r.Split(me%2, 0)
				r.Compute(s.work[me])
				if g.Rank() == 0 && g.Size() > 1 {
					g.Send(1, 3, s.size)
				} else if g.Rank() == 1 {
					g.Recv(sim.AnySource, sim.AnyTag)
				}
				g.Allgather(s.size)
			case 12:
				if me == s.a {
					r.Send(s.b, 9, s.size)
				} else if me == s.b {
					r.Probe(s.a, 9)
					r.Recv(s.a, 9)
				}
			}
		}
	})
	for _, op := range collective.Operations() {
		names := collective.Names(op)
		if rng.IntN(len(names)+1) == 0 {
			p.Choose(given(op))
		} else {
			p.Choose(by(op, names[rng.IntN(len(names))]))
		}
	}
	return p, pairs
}

// networks returns one network of each kind.
func networks(rng *rand.Rand) []sim.Network {
	some := func() units.Seconds { return units.Seconds(0.1 + rng.Float64()) }
	limit := units.Bytes(5 * rng.Float64())
	return []sim.Network{
		nil, network.Ideal{},
		network.Hockney{Latency: some(), Bandwidth: 1, SendOverhead: some(), RecvOverhead: some(), EagerLimit: forever},
		network.Hockney{Latency: some(), Bandwidth: 2, EagerLimit: limit},
		network.LogGOPS{Latency: some(), Overhead: some(), Gap: some(), GapPerByte: some(), OverheadPerByte: some(), Synchronous: limit},
	}
}

// Whatever a program does, and on whatever network, its waits and delay costs add up.
func TestRandomPrograms(t *testing.T) {
	for seed := range uint64(300) {
		for i := range 5 {
			rng := rand.New(rand.NewPCG(seed, 1))
			p, _ := random(rng, 13)
			run(t, p, networks(rng)[i])
			expect.Need(t, !t.Failed(), "seed %d, network %d", seed, i)
		}
	}
}

// The programs themselves know when they call sends and receives, and so how long a receive waits for its send to be
// called. All messages are received by source in blocking calls, and there are no overheads.
func TestLateSendersOfRandomPrograms(t *testing.T) {
	found := 0.0
	for seed := range uint64(200) {
		p, pairs := random(rand.New(rand.NewPCG(seed, 2)), 4)
		s, _ := run(t, p, eager)
		for r := range pairs {
			want, got := 0.0, 0.0
			for from := range pairs {
				for i, called := range pairs[from][r].receives {
					want += float64(max(0, min(pairs[from][r].sends[i], pairs[from][r].received[i])-called))
				}
			}
			for _, x := range s.Ranks {
				if x.Rank == r {
					got = byClass(x)["late sender"] + byClass(x)["wrong order"]
				}
			}
			expect.Near(t, got, want, 1e-9, "seed %d: rank %d waits for late senders", seed, r)
			found += want
		}
	}
	expect.That(t, found > 100, "late senders for %v s; expected some", found)
}
