package conformance

import (
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
)

// Numbers of pieces, where it is not collective.BlockCount that counts.
func pieces(n int) func(p int) int { return func(int) int { return n } }

func pieceEach(p int) int { return p }

func pieceEachActive(p int) int {
	q, _, _ := active(p)
	return q
}

// suite is an algorithm with what is to be checked about it.
type suite struct {
	op      workloads.Collective
	name    string
	pieces  func(p int) int // nil: collective.BlockCount
	traffic func(Case) Traffic
}

// blocks returns the number of blocks for p ranks.
func (s suite) blocks(p int) int {
	if s.pieces == nil {
		return collective.BlockCount(s.op, p)
	}
	return s.pieces(p)
}

var suites = []suite{
	{workloads.Barrier, "dissemination", nil, everybodyEachRound},
	{workloads.Barrier, "linear", nil, thereAndBack},
	{workloads.Barrier, "tree", nil, thereAndBack},
	{workloads.Bcast, "binomial", nil, oneBlockEach},
	{workloads.Bcast, "chain", pieces(1), everyPiece},
	{workloads.Bcast, "chain", pieces(2), everyPiece},
	{workloads.Bcast, "chain", pieces(7), everyPiece},
	{workloads.Bcast, "flat", nil, oneBlockEach},
	{workloads.Bcast, "scatter-allgather", pieceEach, treeAndRing},
	{workloads.Reduce, "binomial", nil, oneBlockEach},
	{workloads.Reduce, "flat", nil, oneBlockEach},
	{workloads.Gather, "binomial", nil, ownBlocksAlongTree},
	{workloads.Gather, "flat", nil, ownBlocksOnce},
	{workloads.Scatter, "binomial", nil, ownBlocksAlongTree},
	{workloads.Scatter, "flat", nil, ownBlocksOnce},
	{workloads.Allreduce, "rabenseifner", pieceEachActive, halvingAndDoubling},
	{workloads.Allreduce, "recursive-doubling", nil, foldedExchanges},
	{workloads.Allreduce, "reduce-bcast", nil, thereAndBackAgain},
	{workloads.Allreduce, "ring", pieceEach, roundTwice},
	{workloads.Allgather, "bruck", nil, everyOther(allRounds)},
	{workloads.Allgather, "recursive-doubling", nil, everyOther(foldedRounds)},
	{workloads.Allgather, "ring", nil, everyOther(allPairs)},
	{workloads.Alltoall, "bruck", nil, byPowersOfTwo},
	{workloads.Alltoall, "linear", nil, straight},
	{workloads.Alltoall, "pairwise", nil, straight},
	{workloads.ReduceScatter, "pairwise", nil, everyOther(allPairs)},
	{workloads.ReduceScatter, "recursive-halving", nil, halving},
	{workloads.ReduceScatter, "ring", nil, everyOther(allPairs)},
	{workloads.Scan, "linear", nil, alongTheRanks},
	{workloads.Scan, "recursive-doubling", nil, atAllDistances},
	// Laws, by their flat algorithms.
	{workloads.Allreduce, "rails", nil, foldedExchanges},
	{workloads.Allreduce, "double-tree", nil, foldedExchanges},
	{workloads.Allreduce, "in-switch", nil, foldedExchanges},
	{workloads.Allreduce, "nccl", nil, foldedExchanges},
	{workloads.Allgather, "rails", nil, everyOther(allPairs)},
	{workloads.ReduceScatter, "rails", nil, everyOther(allPairs)},
	{workloads.Alltoall, "hierarchical", nil, straight},
}

// TestConformance checks each algorithm for all cases from 1 to 33 ranks: one
// more than a power of two, and enough for all shapes that a tree of depth 5 can
// have. In its usual form it goes to 17, a tree of depth 4. It stops at the first
// failure: with few ranks, where it is easiest to understand.
func TestConformance(t *testing.T) {
	maxRanks := expect.Often(17, 33)
	for _, s := range suites {
		t.Run(s.op.String()+"/"+s.name, func(t *testing.T) {
			t.Parallel()
			a, facts := lookup(t, s.op, s.name), 0
			for p := 1; p <= maxRanks; p++ {
				for _, cs := range casesOf(s.op, p, s.blocks(p)) {
					n := expect.Value(check(a, cs, new(s.traffic(cs))))(t)
					facts += n
				}
			}
			expect.Need(t, facts != 0, "nothing was checked")
		})
	}
}

// TestConformanceOfAll checks that the table above has all algorithms that can be looked up.
func TestConformanceOfAll(t *testing.T) {
	tested := make(map[string]bool)
	for _, s := range suites {
		tested[s.op.String()+"/"+s.name] = true
	}
	for _, s := range nestedSuites {
		tested[s.op.String()+"/"+s.name] = true
	}
	found := 0
	for op := workloads.Barrier; op <= workloads.Scan; op++ {
		for _, name := range collective.Names(op) {
			found++
			expect.That(t, tested[op.String()+"/"+name], "%v %s is not tested for conformance", op, name)
		}
	}
	expect.That(t, found == len(tested), "%d algorithms known, %d tested", found, len(tested))
}

// TestConformanceOfMany tries sizes above those of TestConformance: a power of two and
// its neighbours, with a root in the middle. An all-to-all exchange has too many
// blocks for as many ranks.
func TestConformanceOfMany(t *testing.T) {
	for _, s := range suites {
		many := []int{63, 64, 65}
		if s.op == workloads.Alltoall {
			many = []int{40}
		}
		for _, p := range many {
			cs := Case{Call: collective.Call{Size: p}}
			if collective.Rooted(s.op) {
				cs.Call.Root = p / 2
			}
			for i := range s.blocks(p) {
				cs.Blocks = append(cs.Blocks, units.Bytes(i+1))
			}
			expect.Value(check(lookup(t, s.op, s.name), cs, new(s.traffic(cs))))(t)
		}
	}
}

// TestPieces compares the numbers of pieces that algorithms request with those in their
// tests.
func TestPieces(t *testing.T) {
	dividers := 0
	for _, s := range suites {
		d, ok := lookup(t, s.op, s.name).(collective.Divider)
		expect.That(t, ok == (s.pieces != nil), "%v %s divides: %t; expected %t", s.op, s.name, ok, s.pieces != nil)
		if !ok || s.name == "chain" {
			continue
		}
		dividers++
		for p := 1; p <= 130; p++ {
			for _, size := range []units.Bytes{0, 1, 1e9} {
				expect.Equal(t, d.Pieces(collective.Call{Size: p}, size), s.pieces(p), "%v %s among %d: pieces", s.op, s.name, p)
			}
		}
	}
	expect.Equal(t, dividers, 3, "algorithms with a number of pieces that depends on the ranks")
}

func lookup(t testing.TB, op workloads.Collective, name string) collective.Algorithm {
	t.Helper()
	return expect.Value(collective.Lookup(op, name))(t)
}

// CheckAll finds what Check finds, and asks a divider for its pieces.
func TestCheckAll(t *testing.T) {
	for _, s := range suites {
		a := lookup(t, s.op, s.name)
		expect.Success(t, CheckAll(a, 9, nil))
		if s.name == "chain" {
			continue // has as many pieces as the size needs
		}
		expect.Success(t, CheckAll(a, 9, s.traffic))
	}
	a := lookup(t, workloads.Bcast, "flat")
	err := CheckAll(a, 3, func(Case) Traffic { return Traffic{Messages: 1} })
	verdict(t, 0, err, "0 messages, 0 bytes; expected 1 messages, 0 bytes")
	verdict(t, 0, CheckAll(a, 0, nil), "up to 0 ranks; expected at least 1")
}
