package collective_test

import (
	"math/bits"
	"testing"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
	"github.com/isoscale/isoscale/workloads/collective/conformance"
)

// The traffic of each algorithm, from what it is and not from its steps.

// oneBlockEach: everybody but the root receives (broadcast) or sends
// (reduction) the one block once.
func oneBlockEach(cs conformance.Case) conformance.Traffic {
	n := cs.Call.Size - 1
	return conformance.Traffic{Messages: n, Volume: units.Bytes(n) * cs.Blocks[0]}
}

// ownBlocksOnce: everybody but the root sends or receives its own block.
func ownBlocksOnce(cs conformance.Case) conformance.Traffic {
	return conformance.Traffic{
		Messages: cs.Call.Size - 1,
		Volume:   cs.Total() - cs.Blocks[cs.Call.Root],
	}
}

// ownBlocksAlongTree: a tree of P ranks has P-1 edges with one message each. In
// a binomial tree every edge clears one set bit of the relative rank, so a block
// crosses as many edges as the relative rank of its owner has set bits.
func ownBlocksAlongTree(cs conformance.Case) conformance.Traffic {
	p := cs.Call.Size
	want := conformance.Traffic{Messages: p - 1}
	for v := range p {
		owner := (cs.Call.Root + v) % p
		want.Volume += units.Bytes(bits.OnesCount(uint(v))) * cs.Blocks[owner]
	}
	return want
}

// thereAndBack: every rank but one sends one message and receives another.
func thereAndBack(cs conformance.Case) conformance.Traffic {
	return conformance.Traffic{Messages: 2 * (cs.Call.Size - 1)}
}

// everybodyEachRound: P messages a round, and as many rounds as it takes to
// double 1 up to at least P.
func everybodyEachRound(cs conformance.Case) conformance.Traffic {
	rounds := 0
	for reach := 1; reach < cs.Call.Size; reach *= 2 {
		rounds++
	}
	return conformance.Traffic{Messages: cs.Call.Size * rounds}
}

var suites = []struct {
	op      workloads.Collective
	name    string
	traffic func(conformance.Case) conformance.Traffic
}{
	{workloads.Barrier, "dissemination", everybodyEachRound},
	{workloads.Barrier, "linear", thereAndBack},
	{workloads.Bcast, "binomial", oneBlockEach},
	{workloads.Bcast, "flat", oneBlockEach},
	{workloads.Reduce, "binomial", oneBlockEach},
	{workloads.Reduce, "flat", oneBlockEach},
	{workloads.Gather, "binomial", ownBlocksAlongTree},
	{workloads.Gather, "flat", ownBlocksOnce},
	{workloads.Scatter, "binomial", ownBlocksAlongTree},
	{workloads.Scatter, "flat", ownBlocksOnce},
}

func TestConformance(t *testing.T) {
	for _, s := range suites {
		t.Run(s.op.String()+"/"+s.name, func(t *testing.T) {
			conformance.Run(t, conformance.Suite{
				Algorithm: lookup(t, s.op, s.name),
				Blocks:    func(p int) int { return collective.BlockCount(s.op, p) },
				Traffic:   s.traffic,
			})
		})
	}
}

// TestConformanceOfAll holds the table above against what can be looked up.
func TestConformanceOfAll(t *testing.T) {
	tested := make(map[string]bool)
	for _, s := range suites {
		tested[s.op.String()+"/"+s.name] = true
	}
	found := 0
	for op := workloads.Barrier; op <= workloads.Alltoall; op++ {
		for _, name := range collective.Names(op) {
			found++
			if !tested[op.String()+"/"+name] {
				t.Errorf("%v %s is not tested for conformance", op, name)
			}
		}
	}
	if found != len(suites) {
		t.Errorf("%d algorithms known, %d tested", found, len(suites))
	}
}

// TestConformanceOfMany tries sizes above those of the kit: a power of two and
// its neighbours, with a root in the middle.
func TestConformanceOfMany(t *testing.T) {
	for _, s := range suites {
		for _, p := range []int{127, 128, 129} {
			cs := conformance.Case{Call: collective.Call{Size: p}}
			if s.op != workloads.Barrier {
				cs.Call.Root = p / 2
			}
			for i := range collective.BlockCount(s.op, p) {
				cs.Blocks = append(cs.Blocks, units.Bytes(i+1))
			}
			if _, err := conformance.Check(lookup(t, s.op, s.name), cs, s.traffic(cs)); err != nil {
				t.Error(err)
			}
		}
	}
}

func lookup(t testing.TB, op workloads.Collective, name string) collective.Algorithm {
	t.Helper()
	a, err := collective.Lookup(op, name)
	if err != nil {
		t.Fatal(err)
	}
	return a
}
