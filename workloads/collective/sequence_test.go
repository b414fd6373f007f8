package collective_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
)

// sequence collects the operations of a rank. Every op starts out soiled, to
// show that Next leaves nothing behind.
func sequence(ch collective.Choice, c collective.Call, blocks collective.Blocks, intensity collective.FlopsPerByte, rank int) []workloads.Op {
	var ops []workloads.Op
	var k int32
	for {
		op := workloads.Op{Collective: workloads.Alltoall, Peer: 77, Tag: 77, Request: 77, Size: 77, Work: 77, Time: 77}
		if !collective.Next(ch, c, blocks, intensity, rank, &k, &op) {
			return ops
		}
		ops = append(ops, op)
	}
}

func TestNext(t *testing.T) {
	const tag = collective.Tag
	algorithm := func(op workloads.Collective, name string) collective.Choice {
		return collective.Choice{Operation: op, Algorithm: lookup(t, op, name)}
	}
	measured := func(op workloads.Collective) collective.Choice {
		return collective.Choice{Operation: op, Cost: &collective.Cost{Base: 1, PerProcess: 10, PerByte: 100}}
	}
	unequal := collective.Varying([]units.Bytes{1, 2, 0, 8})
	for _, tt := range []struct {
		name      string
		choice    collective.Choice
		call      collective.Call
		blocks    collective.Blocks
		intensity collective.FlopsPerByte
		rank      int
		want      []workloads.Op
	}{
		{
			name:   "sends",
			choice: algorithm(workloads.Bcast, "flat"), call: collective.Call{Size: 3, Root: 1}, blocks: collective.Uniform(1, 40), rank: 1,
			want: []workloads.Op{
				{Kind: workloads.Send, Peer: 0, Tag: tag, Size: 40},
				{Kind: workloads.Send, Peer: 2, Tag: tag, Size: 40},
			},
		},
		{
			// 40 bytes at 1/8 flop per byte are 5 flop.
			name:   "arithmetic",
			choice: algorithm(workloads.Reduce, "binomial"), call: collective.Call{Size: 4}, blocks: collective.Uniform(1, 40), intensity: 0.125, rank: 2,
			want: []workloads.Op{
				{Kind: workloads.Recv, Peer: 3, Tag: tag, Size: 40},
				{Kind: workloads.Compute, Work: 5},
				{Kind: workloads.Send, Peer: 0, Tag: tag, Size: 40},
			},
		},
		{
			// Root 3 of 4: relative ranks 1, 2 are ranks 0, 1; the subtree of
			// rank 1 is {1, 2}, with blocks of 2 and 0 bytes.
			name:   "unequal blocks",
			choice: algorithm(workloads.Gather, "binomial"), call: collective.Call{Size: 4, Root: 3}, blocks: unequal, rank: 3,
			want: []workloads.Op{
				{Kind: workloads.Recv, Peer: 0, Tag: tag, Size: 1},
				{Kind: workloads.Recv, Peer: 1, Tag: tag, Size: 2},
			},
		},
		{
			name:   "requests",
			choice: algorithm(workloads.Barrier, "dissemination"), call: collective.Call{Size: 3}, rank: 0,
			want: []workloads.Op{
				{Kind: workloads.Isend, Peer: 1, Tag: tag, Request: tag},
				{Kind: workloads.Recv, Peer: 2, Tag: tag},
				{Kind: workloads.Waitall},
				{Kind: workloads.Isend, Peer: 2, Tag: tag, Request: tag + 3},
				{Kind: workloads.Recv, Peer: 1, Tag: tag},
				{Kind: workloads.Waitall},
			},
		},
		{
			// All blocks are 11 bytes: 1 + 4*10 + 11*100.
			name:   "measured",
			choice: measured(workloads.Scatter), call: collective.Call{Size: 4, Root: 2}, blocks: unequal, rank: 1,
			want: []workloads.Op{{Kind: workloads.Measured, Collective: workloads.Scatter, Peer: 2, Size: 11, Time: 1141}},
		},
		{
			name:   "measured barrier",
			choice: measured(workloads.Barrier), call: collective.Call{Size: 4}, rank: 3,
			want: []workloads.Op{{Kind: workloads.Measured, Collective: workloads.Barrier, Time: 41}},
		},
		{
			name:   "measured alone",
			choice: measured(workloads.Bcast), call: collective.Call{Size: 1}, blocks: collective.Uniform(1, 2),
			want: []workloads.Op{{Kind: workloads.Measured, Collective: workloads.Bcast, Size: 2, Time: 211}},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := sequence(tt.choice, tt.call, tt.blocks, tt.intensity, tt.rank)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("operations differ (-want +got):\n%s", diff)
			}
		})
	}
}

func TestNextAlone(t *testing.T) {
	for _, s := range suites {
		ch := collective.Choice{Operation: s.op, Algorithm: lookup(t, s.op, s.name)}
		if ops := sequence(ch, collective.Call{Size: 1}, collective.Uniform(1, 8), 1, 0); len(ops) > 0 {
			t.Errorf("%v %s: a single rank does %+v; expected nothing", s.op, s.name, ops)
		}
	}
}

// foreign hides that an algorithm comes from package collective.
type foreign struct{ collective.Algorithm }

func TestNextWithForeignAlgorithm(t *testing.T) {
	own := lookup(t, workloads.Reduce, "binomial")
	c := collective.Call{Size: 6, Root: 1}
	blocks := collective.Uniform(1, 8)
	for rank := range c.Size {
		want := sequence(collective.Choice{Operation: workloads.Reduce, Algorithm: own}, c, blocks, 2, rank)
		got := sequence(collective.Choice{Operation: workloads.Reduce, Algorithm: foreign{own}}, c, blocks, 2, rank)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("rank %d: operations differ (-own +foreign):\n%s", rank, diff)
		}
	}
}

// TestNextAllocatesNothing walks through whole calls whose blocks are made anew
// for every step, as a workload with shrinking messages does.
func TestNextAllocatesNothing(t *testing.T) {
	choices := []collective.Choice{{Operation: workloads.Bcast, Cost: &collective.Cost{Base: 1}}}
	for _, s := range suites {
		choices = append(choices, collective.Choice{Operation: s.op, Algorithm: lookup(t, s.op, s.name)})
	}
	c := collective.Call{Size: 16}
	varying := collective.Varying(make([]units.Bytes, c.Size))
	var op workloads.Op // the engine keeps one for all ranks
	var k int32
	steps := 0
	for _, ch := range choices {
		size := units.Bytes(1)
		allocs := testing.AllocsPerRun(100, func() {
			for k = 0; collective.Next(ch, c, collective.Uniform(c.Size, size), 1, 0, &k, &op); {
				steps++
				size++
			}
			for k = 0; collective.Next(ch, c, varying, 1, 0, &k, &op); {
				steps++
			}
		})
		if allocs != 0 {
			t.Errorf("%v: %v allocations per call; expected none", ch.Operation, allocs)
		}
	}
	if steps == 0 {
		t.Error("no step was taken")
	}
}
