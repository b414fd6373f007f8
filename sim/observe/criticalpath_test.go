package observe_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/sim/observe"
	"github.com/isoscale/isoscale/workloads"
)

func tee(observers []sim.Observer) sim.Observer { return observe.Tee(observers...) }

// lines writes a path as "from-until segment".
func lines(p *observe.Path) []string {
	list := []string{}
	for _, g := range p.Segments {
		list = append(list, fmt.Sprintf("%v-%v %v", float64(g.From), float64(g.Until), g))
	}
	return list
}

func TestCriticalPath(t *testing.T) {
	overheads := hockney
	overheads.SendOverhead, overheads.RecvOverhead = 1, 2
	smallGap := logGP
	smallGap.Gap = 1
	for _, c := range []struct {
		name    string
		network sim.Network
		script  script
		want    []string
	}{
		{"nothing", hockney, script{{}}, []string{}},
		{"computation, then delay", hockney, script{{compute(2), delay(1)}}, []string{"0-2 compute on rank 0", "2-3 delay on rank 0"}},
		{"of ranks that finish last, the lowest", hockney, script{{compute(1)}, {compute(2)}, {compute(2)}}, []string{"0-2 compute on rank 1"}},
		// Leaves at 3, on the wire for 2, on the way for 1.
		{"one message", hockney, script{{compute(3), send(1, 2)}, {compute(1), recv(0), compute(4)}},
			[]string{"0-3 compute on rank 0", "3-6 message 0 -> 1, 2 B, tag 0", "6-10 compute on rank 1"}},
		// Arrives at 3 and nobody waits for it.
		{"a message that is not waited for", hockney, script{{send(1, 2)}, {compute(9), recv(0)}}, []string{"0-9 compute on rank 1"}},
		// Two messages are received at 9: rank 0's ended the wait, the other had
		// arrived at 2.
		{"a message that was there", hockney, script{{compute(7), send(1, 1)}, {recv(0), recv(2)}, {send(1, 1)}},
			[]string{"0-7 compute on rank 0", "7-9 message 0 -> 1, 1 B, tag 0"}},
		// It leaves at 0 and arrives at 2, which ends the probe; it is received later.
		{"a probe", hockney, script{{send(1, 1)}, {probe(0), compute(3), recv(0)}},
			[]string{"0-2 message 0 -> 1, 1 B, tag 0", "2-5 compute on rank 1"}},
		{"a probe behind a receive", hockney, script{{send(1, 1), compute(4), send(1, 2)}, {recv(0), probe(0), compute(3), recv(0)}},
			[]string{"0-4 compute on rank 0", "4-7 message 0 -> 1, 2 B, tag 0", "7-10 compute on rank 1"}},
		{"LogGP, a probe", smallGap, script{{compute(20), send(1, 1)}, {probe(0), compute(3), recv(0)}},
			[]string{"0-20 compute on rank 0", "20-32 message 0 -> 1, 1 B, tag 0", "32-34 receive overhead on rank 1", "34-37 compute on rank 1"}},
		// The request that ends the probe at 1 is not told of; see "What is inferred".
		{"a probe of a rendezvous", network.Hockney{Latency: 1, Bandwidth: 1, EagerLimit: 1}, script{{send(1, 2)}, {probe(0), compute(3), recv(0)}},
			[]string{"0-1 wait for message on rank 1", "1-4 compute on rank 1", "4-5 handshake 1 -> 0, tag 0", "5-8 message 0 -> 1, 2 B, tag 0"}},
		{"a ring", hockney, script{{compute(1), send(1, 1), recv(2)}, {recv(0), compute(1), send(2, 1)}, {recv(1), compute(1), send(0, 1)}},
			[]string{
				"0-1 compute on rank 0", "1-3 message 0 -> 1, 1 B, tag 0",
				"3-4 compute on rank 1", "4-6 message 1 -> 2, 1 B, tag 0",
				"6-7 compute on rank 2", "7-9 message 2 -> 0, 1 B, tag 0",
			}},
		{"overheads", overheads, script{{send(1, 2)}, {recv(0)}},
			[]string{"0-1 send overhead on rank 0", "1-4 message 0 -> 1, 2 B, tag 0", "4-6 receive overhead on rank 1"}},
		// The second message is ready at 2 and leaves at 4, after the first.
		{"a busy interface", hockney, script{{isend(1, 4, 1), compute(2), isend(2, 1, 2)}, {recv(0)}, {recv(0)}},
			[]string{"0-4 network interface 0 -> 1, 4 B, tag 0", "4-6 message 0 -> 2, 1 B, tag 0"}},
		{"messages at one instant", network.Ideal{}, script{{recv(2), send(1, 1), recv(1)}, {recv(0), send(0, 1)}, {compute(5), send(0, 1)}},
			[]string{"0-5 compute on rank 2", "5-5 message 2 -> 0, 1 B, tag 0"}},

		// Ready when the last enters, at 5.
		{"imbalance before a barrier", hockney, script{
			{compute(1), measured(workloads.Barrier, 0, 2), compute(1)},
			{compute(5), measured(workloads.Barrier, 0, 2)},
			{compute(3), measured(workloads.Barrier, 0, 2)},
		}, []string{"0-5 compute on rank 1", "5-7 collective cost on rank 0, begun by rank 1", "7-8 compute on rank 0"}},
		{"two are last at a barrier", hockney, script{
			{measured(workloads.Barrier, 0, 2), compute(1)},
			{compute(5), measured(workloads.Barrier, 0, 2)},
			{compute(5), measured(workloads.Barrier, 0, 2)},
		}, []string{"0-5 compute on rank 1", "5-7 collective cost on rank 0, begun by rank 1", "7-8 compute on rank 0"}},
		// Over at 1 + 4, for those who enter before that.
		{"late to a broadcast", hockney, script{
			{compute(1), measured(workloads.Bcast, 0, 4)},
			{compute(2), measured(workloads.Bcast, 0, 4), compute(1)},
		}, []string{"0-1 compute on rank 0", "1-5 collective cost on rank 1, begun by rank 0", "5-6 compute on rank 1"}},
		{"the root of a reduction waits", hockney, script{
			{compute(1), measured(workloads.Reduce, 0, 2)},
			{compute(5), measured(workloads.Reduce, 0, 2)},
		}, []string{"0-1 compute on rank 0", "1-5 wait for collective on rank 0", "5-7 collective cost on rank 0"}},

		// The request is there at 1; the receive is posted at 5, the clearance
		// arrives at 6, the data have left at 8 and arrive at 9.
		{"rendezvous, the receiver is late", rendezvous, script{{send(1, 2)}, {compute(5), recv(0)}},
			[]string{"0-5 compute on rank 1", "5-6 handshake 1 -> 0, tag 0", "6-9 message 0 -> 1, 2 B, tag 0"}},
		// Request 5 to 6, clearance 6 to 7.
		{"rendezvous, the sender is late", rendezvous, script{{compute(5), send(1, 2)}, {recv(0)}},
			[]string{"0-5 compute on rank 0", "5-6 handshake 0 -> 1, tag 0", "6-7 handshake 1 -> 0, tag 0", "7-10 message 0 -> 1, 2 B, tag 0"}},
		// The receiver's interface answers at 6 although the core is busy.
		{"rendezvous in the background", rendezvous, script{{compute(5), send(1, 2)}, {irecv(0, 1), compute(6.5), wait(1)}},
			[]string{"0-5 compute on rank 0", "5-6 handshake 0 -> 1, tag 0", "6-7 handshake 1 -> 0, tag 0", "7-10 message 0 -> 1, 2 B, tag 0"}},
		{"rendezvous, the sender waits", rendezvous, script{{send(1, 2), compute(10)}, {compute(5), recv(0)}},
			[]string{"0-5 compute on rank 1", "5-6 handshake 1 -> 0, tag 0", "6-8 network interface 0 -> 1, 2 B, tag 0", "8-18 compute on rank 0"}},
		// Both cleared at 2; the first to rank 1 by 6, then the second.
		{"rendezvous, a busy interface", rendezvous, script{{isend(1, 4, 1), isend(2, 1, 2)}, {recv(0)}, {recv(0)}},
			[]string{
				"0-1 handshake 0 -> 1, tag 0", "1-2 handshake 1 -> 0, tag 0",
				"2-6 network interface 0 -> 1, 4 B, tag 0", "6-8 message 0 -> 2, 1 B, tag 0",
			}},

		// First byte at o + L = 12, then o.
		{"LogGP", logGP, script{{send(1, 1)}, {recv(0)}},
			[]string{"0-12 message 0 -> 1, 1 B, tag 0", "12-14 receive overhead on rank 1"}},
		// The interface sends again at g + 3 G = 8, whatever the core does.
		{"LogGP, gap between sends", logGP, script{{send(1, 4), compute(1), send(1, 4)}, {recv(0), recv(0)}},
			[]string{"0-8 network interface 0 -> 1, 4 B, tag 0", "8-20 message 0 -> 1, 4 B, tag 0", "20-25 receive overhead on rank 1"}},
		// Both first bytes at 12; the interface receives again at 12 + g = 17.
		{"LogGP, gap between receives", logGP, script{{recv(1), recv(2)}, {send(0, 1)}, {send(0, 1)}},
			[]string{"0-12 message 1 -> 0, 1 B, tag 0", "12-17 network interface on rank 0", "17-19 receive overhead on rank 0"}},
		// Rank 0's message, which nobody asks for yet, comes at 12; rank 2's at
		// 13. Interface free at 12 + 1, core at 14.
		{"LogGP, an unexpected message interrupts", smallGap, script{{send(1, 1)}, {recv(2), recv(0)}, {compute(1), send(1, 1)}},
			[]string{"0-12 message 0 -> 1, 1 B, tag 0", "12-14 receive overhead on rank 1", "14-16 receive overhead on rank 1"}},
		// Dealt with from 40 to 40 + o + 5 G = 47, matched then.
		{"LogGPS, a synchronous send", logGP, script{{send(1, 6), compute(1)}, {compute(40), recv(0)}},
			[]string{"0-40 compute on rank 1", "40-47 receive overhead on rank 1", "47-48 compute on rank 0"}},
		// The second send waits for the interface until g + 5 G = 10; its message
		// arrives at 22 and is matched then. The first is matched at 47, as above.
		{"LogGPS, the earlier of two synchronous sends", logGP, script{{isend(1, 6, 1), isend(2, 6, 2), waitall(), compute(1)}, {compute(40), recv(0)}, {recv(0)}},
			[]string{"0-40 compute on rank 1", "40-47 receive overhead on rank 1", "47-48 compute on rank 0"}},
		// Rank 2 deals with its message from 45 to 47 and receives it then, but
		// nobody waits for that.
		{"LogGPS, another message received at that instant", logGP, script{{isend(1, 6, 1), isend(2, 1, 2), waitall(), compute(1)}, {compute(40), recv(0)}, {compute(45), recv(0)}},
			[]string{"0-40 compute on rank 1", "40-47 receive overhead on rank 1", "47-48 compute on rank 0"}},
		// Matched on arrival at 12, while the receiver waits.
		{"LogGPS, a synchronous send to one who waits", logGP, script{{send(1, 6), compute(30)}, {recv(0)}},
			[]string{"0-12 message 0 -> 1, 6 B, tag 0", "12-42 compute on rank 0"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := observe.NewCriticalPath(len(c.script), c.network)
			res := run(t, c.script, c.network, path)
			got := path.Path()
			expect.Same(t, lines(got), c.want, "path")
			expect.Equal(t, got.Makespan, res.Makespan, "makespan")
		})
	}
}

// wantTiling checks that the segments follow each other from 0 to the makespan
// and that the shares add up.
func wantTiling(t *testing.T, p *observe.Path, makespan units.Seconds) {
	t.Helper()
	var at, kinds, ranks, between units.Seconds
	for i, g := range p.Segments {
		expect.That(t, g.From == at && g.Until >= g.From,
			"segment %d goes from %v to %v, the one before to %v", i, g.From, g.Until, at)
		at = g.Until
		if g.Kind == observe.Message || g.Kind == observe.Handshake {
			between += g.Length()
		}
	}
	for _, k := range p.Kinds {
		kinds += k.Time
	}
	for _, r := range p.Ranks {
		ranks += r.Time
	}
	near := func(a, b units.Seconds) bool { return math.Abs(float64(a-b)) <= 1e-9*float64(makespan) }
	expect.That(t, at == makespan && p.Makespan == makespan && near(kinds, makespan) && near(ranks+between, makespan),
		"segments end at %v, kinds are %v, ranks %v and %v between them; want %v", at, kinds, ranks, between, makespan)
}

// spans records the computations of each rank, in their order.
type spans map[int32][]computation

type computation struct{ from, to units.Seconds }

func (s spans) Span(x sim.Span) {
	if x.Part == sim.PartCompute {
		s[x.Rank] = append(s[x.Rank], computation{x.From, x.To})
	}
}
func (s spans) Sent(sim.Sent)         {}
func (s spans) Received(sim.Received) {}

// observed is a run with its critical path.
type observed struct {
	path         *observe.Path
	computations spans
}

func watch(t *testing.T, s script, n sim.Network) observed {
	t.Helper()
	c := observe.NewCriticalPath(len(s), n)
	o := observed{computations: spans{}}
	res := run(t, s, n, c, o.computations)
	o.path = c.Path()
	wantTiling(t, o.path, res.Makespan)
	return o
}

// has reports whether the k-th computation of the rank is on the path.
func (o observed) has(rank, k int) bool {
	c := o.computations[int32(rank)][k]
	return slices.ContainsFunc(o.path.Segments, func(g observe.Segment) bool {
		return g.Kind == "compute" && g.Rank == int32(rank) && g.From == c.from && g.Until == c.to
	})
}

// shortened calls f with each computation and the script in which it takes less.
func shortened(s script, by func(units.Flops) units.Flops, f func(rank, k int, s script)) {
	for r, ops := range s {
		k := 0
		for i, op := range ops {
			if op.Kind != workloads.Compute {
				continue
			}
			other := slices.Clone(s)
			other[r] = slices.Clone(ops)
			other[r][i].Work = by(op.Work)
			f(r, k, other)
			k++
		}
	}
}

// unresolved returns how much of a path is waiting for a cause that could not be found:
// see [observe.CriticalPath].
func unresolved(p *observe.Path) units.Seconds {
	var sum units.Seconds
	for _, k := range p.Kinds {
		switch k.Kind {
		case observe.Kind(sim.PartWaitMessage.String()), observe.Kind(sim.PartWaitSend.String()), observe.Kind(sim.PartWaitCollective.String()):
			sum += k.Time
		}
	}
	return sum
}

// Without ties, making a computation a little shorter makes the run shorter by the same
// amount if it is on the critical path, and by nothing if it is not: the path is the
// derivative of the makespan. In a few scenes two ranks do the same at the same time,
// such as exchanging messages of equal size; then a little can change the order of the
// following events, and the makespan jumps by much more.
func TestCriticalPathIsTheDerivative(t *testing.T) {
	const little = 1e-6
	on, off, jumps := 0, 0, 0
	scenes(t, 1, 600, everything, func(t *testing.T, s script, n sim.Network) {
		o := watch(t, s, n)
		u := unresolved(o.path)
		expect.That(t, u <= 0, "waiting for %v on the path", u)
		shortened(s, func(w units.Flops) units.Flops { return w - little }, func(rank, k int, shorter script) {
			got := o.path.Makespan - run(t, shorter, n).Makespan
			if math.Abs(float64(got)) > 1000*little {
				jumps++
				return
			}
			want := units.Seconds(0)
			if o.has(rank, k) {
				want = little
				on++
			} else {
				off++
			}
			expect.That(t, math.Abs(float64(got-want)) <= 1e-3*little,
				"computation %d of rank %d is shorter by %v, the run by %v; want %v\n%s",
				k, rank, units.Seconds(little), got, want, strings.Join(lines(o.path), "\n"))
		})
	})
	t.Logf("%d computations on paths, %d off, %d jumps", on, off, jumps)
	expect.That(t, on >= 500 && off >= 500 && jumps <= (on+off)/200,
		"%d computations on paths, %d off, %d jumps; expected 500 of each and next to no jumps", on, off, jumps)
}

// If messages cannot change their order, a computation that is not on the path may even
// take half as long without any effect: every time is a maximum of sums, the sum along
// the path stays the same, and no other becomes larger. This holds to the bit, because
// rounding is monotone.
func TestRunHangsOnlyOnItsPath(t *testing.T) {
	off := 0
	for i := range uint64(300) {
		rng := rand.New(rand.NewPCG(2, i))
		s := randomScript(rng, onlyBlocking)
		n := hockney
		n.SendOverhead, n.RecvOverhead = 0.25, 0.75
		if i%2 == 1 {
			n.EagerLimit = 1
		}
		o := watch(t, s, n)
		shortened(s, func(w units.Flops) units.Flops { return w / 2 }, func(rank, k int, shorter script) {
			if o.has(rank, k) {
				return
			}
			off++
			got := run(t, shorter, n).Makespan
			expect.Need(t, got == o.path.Makespan,
				"scene %d: computation %d of rank %d is not on the path; without half of it the run takes %v instead of %v\n%v",
				i, k, rank, got, o.path.Makespan, s)
		})
	}
	expect.That(t, off >= 500, "shortened %d computations; expected at least 500", off)
}

// Times with one decimal make ties frequent: even so, the path must have no gaps.
func TestCriticalPathTilesInSpiteOfTies(t *testing.T) {
	checked := 0
	scenes(t, 3, 600, everything, func(t *testing.T, s script, n sim.Network) {
		round := func(x float64) float64 { return math.Round(x) / 10 }
		for _, ops := range s {
			for i := range ops {
				op := &ops[i]
				op.Work, op.Time, op.Size = units.Flops(round(float64(op.Work))), units.Seconds(round(float64(op.Time))), units.Bytes(round(float64(op.Size)))
			}
		}
		for _, n := range []sim.Network{
			n, network.Ideal{}, hockney, rendezvous, logGP, network.LogGOPS{Synchronous: network.NoLimit},
		} {
			c := observe.NewCriticalPath(len(s), n)
			res := run(t, s, n, c)
			wantTiling(t, c.Path(), res.Makespan)
			checked++
		}
	})
	expect.Equal(t, checked, 3600, "checked paths")
}

// With a network other than that of the run, next to nothing can be resolved. The path
// then says little, but has no gaps.
func TestCriticalPathOfAnotherNetwork(t *testing.T) {
	waiting := 0
	scenes(t, 8, 300, everything, func(t *testing.T, s script, n sim.Network) {
		slower := network.Hockney{Latency: 0.77, Bandwidth: 0.9}
		for _, wrong := range []sim.Network{
			network.Ideal{}, hockney, rendezvous, slower, logGP, network.LogGOPS{Synchronous: network.NoLimit},
		} {
			c := observe.NewCriticalPath(len(s), wrong)
			res := run(t, s, n, c)
			wantTiling(t, c.Path(), res.Makespan)
			if unresolved(c.Path()) > 0 {
				waiting++
			}
		}
	})
	expect.That(t, waiting >= 300, "%d paths have unresolved waits; expected at least 300", waiting)
}

// Rank 0 is in the Reduce from 1 on and waits until 5, see above.
func TestUnresolved(t *testing.T) {
	c := observe.NewCriticalPath(2, hockney)
	run(t, script{{compute(1), measured(workloads.Reduce, 0, 2)}, {compute(5), measured(workloads.Reduce, 0, 2)}}, hockney, c)
	expect.Equal(t, unresolved(c.Path()), 4, "unresolved")
}

func TestCriticalPathSummary(t *testing.T) {
	s := script{{compute(3), send(1, 2)}, {compute(1), recv(0), compute(4)}}
	c := observe.NewCriticalPath(2, hockney)
	run(t, s, hockney, c)
	p := c.Path()
	// As in "one message": 3 + 3 + 4.
	want := &observe.Path{
		Makespan: 10, Messages: 1,
		Kinds: []observe.KindShare{{Kind: "compute", Time: 7, Segments: 2}, {Kind: "message", Time: 3, Segments: 1}},
		Ranks: []observe.RankShare{{Rank: 1, Time: 4, Segments: 1}, {Rank: 0, Time: 3, Segments: 1}},
		Segments: []observe.Segment{
			{Kind: "compute", Rank: 0, To: 0, From: 0, Until: 3},
			{Kind: "message", Rank: 0, To: 1, Size: 2, From: 3, Until: 6},
			{Kind: "compute", Rank: 1, To: 1, From: 6, Until: 10},
		},
	}
	expect.Same(t, p, want, "path")
	doc := expect.Value(json.Marshal(p))(t)
	for _, part := range []string{
		`{"makespan_s":10,"messages":1,"kinds":[{"kind":"compute","time_s":7,"segments":2},`,
		`"ranks":[{"rank":1,"time_s":4,"segments":1},`,
		`{"kind":"message","rank":0,"to":1,"tag":0,"size_bytes":2,"from_s":3,"until_s":6}`,
	} {
		expect.That(t, strings.Contains(string(doc), part), "JSON %s; want %s in it", doc, part)
	}
	var b strings.Builder
	expect.Success(t, p.WriteText(&b, 1))
	expect.Says(t, b.String(), "and 1 more ranks\n", "and 2 more segments\n")
}
