package goalsim_test

import (
	"container/heap"
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/sim/goalsim"
	"github.com/isoscale/isoscale/workloads/goal"
)

// reference executes a schedule literally by the rules: one heap has all events, an
// event that cannot go on is put back, lists are slices. It shares nothing with the
// package but the schedule.
type reference struct {
	s           *goal.Schedule
	p           goalsim.Parameters
	aq          refHeap
	number      int
	cpu, gs, gr [][]int64
	rq, uq      [][]int32
	left        map[int32]int
	done        map[int32]bool
	ready       [][]int32
}

type refEvent struct {
	time    int64
	number  int
	op      int32
	arrival bool
}

type refHeap []refEvent

func (h refHeap) Len() int { return len(h) }
func (h refHeap) Less(i, j int) bool {
	return h[i].time < h[j].time || h[i].time == h[j].time && h[i].number < h[j].number
}
func (h refHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *refHeap) Push(e any)   { *h = append(*h, e.(refEvent)) }
func (h *refHeap) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}

func runReference(s *goal.Schedule, p goalsim.Parameters) (finish []goalsim.Nanoseconds, unfinished int) {
	n := s.Ranks()
	x := &reference{s: s, p: p, left: map[int32]int{}, done: map[int32]bool{},
		rq: make([][]int32, n), uq: make([][]int32, n), ready: make([][]int32, n)}
	for range n {
		x.cpu = append(x.cpu, make([]int64, s.CPUs()))
		x.gs = append(x.gs, make([]int64, s.NICs()))
		x.gr = append(x.gr, make([]int64, s.NICs()))
	}
	for i := range s.Ops() {
		for _, e := range s.Dependents(int32(i)) {
			x.left[e.Op()]++
		}
	}
	for i, op := range s.Ops() {
		if x.left[int32(i)] == 0 {
			x.ready[op.Rank] = append(x.ready[op.Rank], int32(i))
		}
	}
	x.release()
	for len(x.aq) > 0 {
		e := heap.Pop(&x.aq).(refEvent)
		x.handle(e)
		x.release()
	}
	for host := range n {
		finish = append(finish, goalsim.Nanoseconds(slices.Max(x.cpu[host])))
	}
	return finish, len(s.Ops()) - len(x.done)
}

func (x *reference) handle(e refEvent) {
	op := x.s.Ops()[e.op]
	bytes := int64(op.Size) - 1
	again := func(t int64) bool {
		if t <= e.time {
			return false
		}
		e.time = t
		heap.Push(&x.aq, e)
		return true
	}
	o, G, O := int64(x.p.Overhead), int64(x.p.GapPerByte), int64(x.p.OverheadPerByte)
	large := func(size uint64) bool { return int64(size) > x.p.EagerLimit }
	switch {
	case e.arrival:
		cpu, gr := &x.cpu[op.Peer][op.CPU], &x.gr[op.Peer][op.NIC]
		if again(max(*cpu, *gr)) {
			return
		}
		*cpu = e.time + o + max(bytes*O, bytes*G)
		*gr = e.time + int64(x.p.Gap) + bytes*G
		k := slices.IndexFunc(x.rq[op.Peer], func(r int32) bool { return x.match(r, e.op) })
		if k < 0 {
			x.uq[op.Peer] = append(x.uq[op.Peer], e.op)
			return
		}
		r := x.rq[op.Peer][k]
		x.rq[op.Peer] = slices.Delete(x.rq[op.Peer], k, k+1)
		if large(op.Size) {
			x.raise(op.Rank, op, e.time)
			x.end(e.op)
		}
		x.end(r)
	case op.Kind == goal.Calc:
		cpu := &x.cpu[op.Rank][op.CPU]
		if again(*cpu) {
			return
		}
		*cpu = e.time + int64(op.Size)
		x.satisfy(e.op, true)
		x.end(e.op)
	case op.Kind == goal.Send:
		cpu, gs := &x.cpu[op.Rank][op.CPU], &x.gs[op.Rank][op.NIC]
		if again(max(*cpu, *gs)) {
			return
		}
		*cpu = e.time + o + bytes*O
		*gs = e.time + int64(x.p.Gap) + bytes*G
		x.push(e.time+o+int64(x.p.Latency), e.op, true)
		x.satisfy(e.op, true)
		if !large(op.Size) {
			x.end(e.op)
		}
	default:
		x.satisfy(e.op, true)
		k := slices.IndexFunc(x.uq[op.Rank], func(m int32) bool { return x.match(e.op, m) })
		if k < 0 {
			x.rq[op.Rank] = append(x.rq[op.Rank], e.op)
			return
		}
		m := x.uq[op.Rank][k]
		x.uq[op.Rank] = slices.Delete(x.uq[op.Rank], k, k+1)
		send := x.s.Ops()[m]
		if large(op.Size) || large(send.Size) {
			x.raise(send.Rank, op, e.time)
			x.end(m)
		}
		x.end(e.op)
	}
}

// raise: core and interface that op names are not free at host before t.
func (x *reference) raise(host int32, op goal.Op, t int64) {
	x.cpu[host][op.CPU] = max(x.cpu[host][op.CPU], t)
	x.gs[host][op.NIC] = max(x.gs[host][op.NIC], t)
}

func (x *reference) match(recv, send int32) bool {
	r, s := x.s.Ops()[recv], x.s.Ops()[send]
	source := r.Peer == goal.AnySource || r.Peer == s.Rank
	tag := r.Tag == goal.AnyTag || s.Tag == goal.AnyTag || r.Tag == s.Tag
	return source && tag
}

func (x *reference) end(i int32) {
	if !x.done[i] {
		x.done[i] = true
		x.satisfy(i, false)
	}
}

func (x *reference) satisfy(i int32, start bool) {
	for _, e := range x.s.Dependents(i) {
		if e.OnStart() != start {
			continue
		}
		if x.left[e.Op()]--; x.left[e.Op()] == 0 {
			rank := x.s.Ops()[e.Op()].Rank
			x.ready[rank] = append(x.ready[rank], e.Op())
		}
	}
}

func (x *reference) push(t int64, op int32, arrival bool) {
	heap.Push(&x.aq, refEvent{time: t, number: x.number, op: op, arrival: arrival})
	x.number++
}

func (x *reference) release() {
	for rank, ready := range x.ready {
		slices.SortStableFunc(ready, func(i, j int32) int { return int(x.s.Ops()[i].Kind) - int(x.s.Ops()[j].Kind) })
		for _, i := range ready {
			op := x.s.Ops()[i]
			t := x.cpu[rank][op.CPU]
			if op.Kind == goal.Send {
				t = max(t, x.gs[rank][op.NIC])
			}
			x.push(t, i, false)
		}
		x.ready[rank] = ready[:0]
	}
}

// TestReference: on any schedule both agree on every finish time and on the operations
// left over. The schedules are small, crowded and messy: wildcards, equal times,
// several cores and interfaces, sizes on both sides of S, receives of other sizes than
// their messages, deadlocks.
func TestReference(t *testing.T) {
	complete, stuck := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		s, p := drawCase(t)
		want, left := runReference(s, p)
		got, err := goalsim.Run(context.Background(), s, p)
		var d *goalsim.DeadlockError
		switch {
		case errors.As(err, &d):
			stuck++
			expect.Need(t, d.Unfinished == left && d.Time == slices.Max(want),
				"%d operations not done at %d, want %d at %d", d.Unfinished, d.Time, left, slices.Max(want))
		case err != nil:
			t.Fatal(err)
		case left > 0:
			t.Fatalf("no deadlock, but %d operations should not be done", left)
		default:
			complete++
			diff := cmp.Diff(want, got.HostFinish)
			expect.Need(t, diff == "", "finish times (-want +got):\n%s", diff)
		}
	})
	expect.That(t, complete != 0 && stuck != 0, "%d complete runs and %d deadlocks; want some of both", complete, stuck)
}

// TestLongQueues: hosts with so many posted receives or unexpected messages that these
// are looked up in a matching.Queue, with wildcards on both sides.
func TestLongQueues(t *testing.T) {
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 0))
		tags, wild := 1+r.Uint32N(200), r.IntN(2) == 0
		tag := func() uint32 {
			if wild && r.IntN(10) == 0 {
				return goal.AnyTag
			}
			return r.Uint32N(tags)
		}
		var receives []goal.Op
		var b goal.Builder
		for from := range int32(2) {
			b.NextRank()
			b.Add(goal.Op{Kind: goal.Calc, Size: r.Uint64N(100)})
			for i := range 100 {
				op := goal.Op{Kind: goal.Send, Size: 1 + r.Uint64N(9), Peer: 2, Tag: tag()}
				b.Add(op)
				b.Require(i+1, 0)
				op.Kind, op.Peer = goal.Recv, from
				if wild && r.IntN(10) == 0 {
					op.Peer = goal.AnySource
				}
				if wild {
					op.Tag = tag()
				}
				receives = append(receives, op)
			}
		}
		b.NextRank()
		b.Add(goal.Op{Kind: goal.Calc, Size: r.Uint64N(2000)})
		r.Shuffle(len(receives), func(i, j int) { receives[i], receives[j] = receives[j], receives[i] })
		for i, op := range receives {
			b.Add(op)
			b.Require(i+1, r.IntN(i+1))
		}
		s := expect.Value(b.Schedule())(t)
		p := goalsim.Parameters{Latency: 5, Overhead: 1, Gap: 2, GapPerByte: 1, EagerLimit: 5}
		want, left := runReference(s, p)
		got, err := goalsim.Run(context.Background(), s, p)
		var d *goalsim.DeadlockError
		switch {
		case errors.As(err, &d):
			expect.That(t, d.Unfinished == left && d.Time == slices.Max(want),
				"seed %d: %d operations not done at %d, want %d at %d", seed, d.Unfinished, d.Time, left, slices.Max(want))
		case err != nil:
			t.Fatal(err)
		case left > 0:
			t.Errorf("seed %d: no deadlock, but %d operations should not be done", seed, left)
		default:
			expect.Same(t, got.HostFinish, want, "seed %d: finish times", seed)
		}
	}
}

func drawCase(t *rapid.T) (*goal.Schedule, goalsim.Parameters) {
	few := rapid.Int64Range(0, 6)
	p := goalsim.Parameters{
		Latency: goalsim.Nanoseconds(few.Draw(t, "L")), Overhead: goalsim.Nanoseconds(few.Draw(t, "o")),
		Gap: goalsim.Nanoseconds(few.Draw(t, "g")), GapPerByte: goalsim.Nanoseconds(rapid.Int64Range(0, 2).Draw(t, "G")),
		OverheadPerByte: goalsim.Nanoseconds(rapid.Int64Range(0, 2).Draw(t, "O")), EagerLimit: few.Draw(t, "S"),
	}
	ranks := rapid.IntRange(1, 4).Draw(t, "ranks")
	rank := rapid.IntRange(0, ranks-1)
	size := rapid.Uint64Range(1, 9)
	place := rapid.Uint8Range(0, rapid.SampledFrom([]uint8{0, 0, 1, 2}).Draw(t, "places"))
	rare := rapid.IntRange(0, 7)
	ops := make([][]goal.Op, ranks)
	add := func(to int, op goal.Op) {
		op.CPU = place.Draw(t, "cpu")
		if op.Kind != goal.Calc {
			op.NIC = place.Draw(t, "nic")
		}
		at := rapid.IntRange(0, len(ops[to])).Draw(t, "at")
		ops[to] = slices.Insert(ops[to], at, op)
	}
	for range rapid.IntRange(0, 20).Draw(t, "messages") {
		from, to := rank.Draw(t, "from"), rank.Draw(t, "to")
		op := goal.Op{
			Kind: goal.Send, Size: size.Draw(t, "size"), Peer: int32(to), Tag: rapid.Uint32Range(0, 1).Draw(t, "tag"),
		}
		add(from, op)
		op.Kind, op.Peer = goal.Recv, int32(from)
		if rare.Draw(t, "any source") == 0 {
			op.Peer = goal.AnySource
		}
		if rare.Draw(t, "any tag") == 0 {
			op.Tag = goal.AnyTag
		}
		if rare.Draw(t, "other size") == 0 {
			op.Size = size.Draw(t, "size received")
		}
		add(to, op)
	}
	for range rapid.IntRange(0, 6).Draw(t, "computations") {
		add(rank.Draw(t, "rank"), goal.Op{Kind: goal.Calc, Size: rapid.Uint64Range(0, 12).Draw(t, "work")})
	}
	var b goal.Builder
	for r := range ranks {
		b.NextRank()
		for _, op := range ops[r] {
			b.Add(op)
		}
		if len(ops[r]) < 2 {
			continue
		}
		for range rapid.IntRange(0, len(ops[r])).Draw(t, "dependencies") {
			op := rapid.IntRange(1, len(ops[r])-1).Draw(t, "op")
			on := rapid.IntRange(0, op-1).Draw(t, "on")
			if rare.Draw(t, "kind") < 2 {
				b.RequireStart(op, on)
			} else {
				b.Require(op, on)
			}
		}
	}
	s := expect.Value(b.Schedule())(t)
	return s, p
}
