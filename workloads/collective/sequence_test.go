package collective_test

import (
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
)

// sequence collects the operations of a rank. Each op has other values before, to show
// that Next sets all fields.
func sequence(ch collective.Choice, c collective.Call, blocks collective.Blocks, intensity collective.FlopsPerByte, rank int) []workloads.Op {
	var ops []workloads.Op
	var k int32
	for {
		op := workloads.Op{Collective: workloads.Alltoall, Peer: 77, From: 77, Tag: 77, Request: 77, Group: 77, Members: 77, Size: 77, Work: 77, Time: 77}
		if !collective.Next(ch, c, blocks, intensity, rank, &k, &op) {
			return ops
		}
		ops = append(ops, op)
	}
}

func TestNext(t *testing.T) {
	const tag = workloads.CollectiveTag
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
			name:   "exchanges",
			choice: algorithm(workloads.Barrier, "dissemination"), call: collective.Call{Size: 3}, rank: 0,
			want: []workloads.Op{
				{Kind: workloads.Sendrecv, Peer: 1, From: 2, Tag: tag},
				{Kind: workloads.Sendrecv, Peer: 2, From: 1, Tag: tag},
			},
		},
		{
			// Block 1*2+0 is 4 bytes, block 0*2+1 is 2.
			name:   "requests",
			choice: algorithm(workloads.Alltoall, "linear"), call: collective.Call{Size: 2}, blocks: collective.Varying([]units.Bytes{1, 2, 4, 8}), rank: 0,
			want: []workloads.Op{
				{Kind: workloads.Irecv, Peer: 1, Tag: tag, Request: tag, Size: 4},
				{Kind: workloads.Isend, Peer: 1, Tag: tag, Request: tag + 1, Size: 2},
				{Kind: workloads.Wait, Request: tag},
				{Kind: workloads.Wait, Request: tag + 1},
			},
		},
		{
			// 10 bytes in 3 pieces are 3, 3 and 4. Rank 1 sends piece 1, then
			// what it has got of piece 0; then the results of pieces 2 and 1.
			name:   "pieces",
			choice: algorithm(workloads.Allreduce, "ring"), call: collective.Call{Size: 3}, blocks: collective.Uniform(1, 10), intensity: 2, rank: 1,
			want: []workloads.Op{
				{Kind: workloads.Sendrecv, Peer: 2, From: 0, Tag: tag, Size: 3},
				{Kind: workloads.Compute, Work: 6},
				{Kind: workloads.Sendrecv, Peer: 2, From: 0, Tag: tag, Size: 3},
				{Kind: workloads.Compute, Work: 8},
				{Kind: workloads.Sendrecv, Peer: 2, From: 0, Tag: tag, Size: 4},
				{Kind: workloads.Sendrecv, Peer: 2, From: 0, Tag: tag, Size: 3},
			},
		},
		{
			// 20 bytes in segments of at most 8 are 3 pieces: 6, 7 and 7.
			name:   "segments",
			choice: algorithm(workloads.Bcast, "chain:8"), call: collective.Call{Size: 2, Root: 1}, blocks: collective.Uniform(1, 20), rank: 1,
			want: []workloads.Op{
				{Kind: workloads.Send, Peer: 0, Tag: tag, Size: 6},
				{Kind: workloads.Send, Peer: 0, Tag: tag, Size: 7},
				{Kind: workloads.Send, Peer: 0, Tag: tag, Size: 7},
			},
		},
		{
			// Ranks 2, 5, 8, 11; the root is 8 and serves 2 and 11.
			name:   "group",
			choice: algorithm(workloads.Bcast, "binomial"), call: collective.In(collective.Strided{First: 2, Stride: 3, N: 4}, 7, 2), blocks: collective.Uniform(1, 40), rank: 2,
			want: []workloads.Op{
				{Kind: workloads.Send, Peer: 2, Tag: tag, Size: 40},
				{Kind: workloads.Send, Peer: 11, Tag: tag, Size: 40},
			},
		},
		{
			name:   "exchanges in a group",
			choice: algorithm(workloads.Barrier, "dissemination"), call: collective.In(collective.List{9, 4, 6}, 7, 0), rank: 1,
			want: []workloads.Op{
				{Kind: workloads.Sendrecv, Peer: 6, From: 9, Tag: tag},
				{Kind: workloads.Sendrecv, Peer: 9, From: 6, Tag: tag},
			},
		},
		{
			// 3 bytes: 1 + 3*10 + 3*100.
			name:   "measured in a group",
			choice: measured(workloads.Bcast), call: collective.In(collective.List{9, 4, 6}, 7, 2), blocks: collective.Uniform(1, 3), rank: 0,
			want: []workloads.Op{{Kind: workloads.Measured, Collective: workloads.Bcast, Peer: 6, Group: 7, Members: 3, Size: 3, Time: 331}},
		},
		{
			name:   "measured in the world",
			choice: measured(workloads.Bcast), call: collective.In(collective.World(3), 7, 2), blocks: collective.Uniform(1, 3), rank: 0,
			want: []workloads.Op{{Kind: workloads.Measured, Collective: workloads.Bcast, Peer: 2, Size: 3, Time: 331}},
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
			for i := range tt.want { // all say what call they are of
				if op := &tt.want[i]; op.Kind != workloads.Measured {
					op.Collective, op.First, op.Group = tt.choice.Operation, i == 0, tt.call.Number
				}
			}
			expect.Same(t, sequence(tt.choice, tt.call, tt.blocks, tt.intensity, tt.rank), tt.want, "operations differ")
		})
	}
}

func TestNextAlone(t *testing.T) {
	for _, a := range algorithms(t) {
		ch := collective.Choice{Operation: a.Operation(), Algorithm: a}
		ops := sequence(ch, collective.Call{Size: 1}, collective.Uniform(1, 8), 1, 0)
		expect.That(t, len(ops) == 0, "%v %s: a single rank does %+v; expected nothing", a.Operation(), a.Name(), ops)
	}
}

// TestNextInGroup compares each algorithm in a group with the same call among as many
// ranks: only the number of the group differs, and peers, which are the members.
func TestNextInGroup(t *testing.T) {
	group := collective.List{12, 3, 0, 8, 7, 20, 1, 5, 11, 2, 6}
	compared := 0
	for _, a := range algorithms(t) {
		ch := collective.Choice{Operation: a.Operation(), Algorithm: a}
		for p := 1; p <= len(group); p++ {
			members := group[:p]
			blocks := collective.Uniform(collective.BlockCount(a.Operation(), p), 40)
			for rank := range p {
				want := sequence(ch, collective.Call{Size: p}, blocks, 1, rank)
				for i := range want {
					want[i].Group = 1
					switch op := &want[i]; op.Kind {
					case workloads.Sendrecv:
						op.Peer, op.From = members[op.Peer], members[op.From]
					case workloads.Send, workloads.Isend, workloads.Recv, workloads.Irecv:
						op.Peer = members[op.Peer]
					}
				}
				got := sequence(ch, collective.In(members, 1, 0), blocks, 1, rank)
				expect.Same(t, got, want, "%v %s, member %d of %d: operations", a.Operation(), a.Name(), rank, p)
				compared += len(want)
			}
		}
	}
	expect.That(t, compared != 0, "nothing was compared")
}

// TestNextAllocatesNothing walks through whole calls whose blocks are made anew
// for every step, as a workload with shrinking messages does, and for every call
// in another size, so that rules choose in many ways.
func TestNextAllocatesNothing(t *testing.T) {
	choices := []collective.Choice{{Operation: workloads.Bcast, Cost: &collective.Cost{Base: 1}}}
	for _, name := range collective.RulesNames() {
		rules := expect.Value(collective.LookupRules(name))(t)
		for op := workloads.Barrier; op <= workloads.Scan; op++ {
			choices = append(choices, collective.Choice{Operation: op, Rules: rules})
		}
	}
	for _, a := range algorithms(t) {
		choices = append(choices, collective.Choice{Operation: a.Operation(), Algorithm: a})
	}
	calls := []collective.Call{
		{Size: 16},
		{Size: 11},
		collective.In(collective.Strided{First: 3, Stride: 2, N: 11}, 1, 0),
		collective.In(collective.List{5, 3, 8, 1, 2}, 2, 0),
	}
	varying := collective.Varying(make([]units.Bytes, 16*16))
	var op workloads.Op // the engine keeps one for all ranks
	var k int32
	steps := 0
	for _, ch := range choices {
		for _, c := range calls {
			size := units.Bytes(1)
			allocs := testing.AllocsPerRun(10, func() {
				for k = 0; collective.Next(ch, c, collective.Uniform(c.Size, size), 1, 3, &k, &op); {
					steps++
				}
				size *= 3
				for k = 0; collective.Next(ch, c, varying, 1, 3, &k, &op); {
					steps++
				}
			})
			expect.That(t, allocs == 0,
				"%v among %d: %v allocations per call; expected none", ch.Operation, c.Size, allocs)
		}
	}
	expect.That(t, steps != 0, "no step was taken")
}
