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
	return conformance.Traffic{Messages: cs.Call.Size * rounds(cs.Call.Size)}
}

// rounds counts the doublings from 1 up to at least p.
func rounds(p int) int {
	n := 0
	for reach := 1; reach < p; reach *= 2 {
		n++
	}
	return n
}

// active returns the largest power of two up to p, its logarithm, and how many
// ranks are left over.
func active(p int) (q, log, extra int) {
	q = 1
	for 2*q <= p {
		q *= 2
		log++
	}
	return q, log, p - q
}

// everyPiece: P-1 ranks receive each of the pieces in a message of its own.
func everyPiece(cs conformance.Case) conformance.Traffic {
	n := cs.Call.Size - 1
	return conformance.Traffic{Messages: n * len(cs.Blocks), Volume: units.Bytes(n) * cs.Total()}
}

// treeAndRing: the pieces go down the tree like those of a scatter whose root is
// number 0, and then P times round the ring, P-1 hops each.
func treeAndRing(cs conformance.Case) conformance.Traffic {
	p := cs.Call.Size
	want := conformance.Traffic{Messages: p - 1 + p*(p-1), Volume: units.Bytes(p-1) * cs.Total()}
	for v, size := range cs.Blocks {
		want.Volume += units.Bytes(bits.OnesCount(uint(v))) * size
	}
	return want
}

// foldedExchanges: q active ranks send everything in each of log2 q rounds, and
// each pair has a message before and one after.
func foldedExchanges(cs conformance.Case) conformance.Traffic {
	q, log, extra := active(cs.Call.Size)
	n := q*log + 2*extra
	return conformance.Traffic{Messages: n, Volume: units.Bytes(n) * cs.Total()}
}

// halvingAndDoubling: to become one, the q contributions to a piece are sent
// q-1 times; to become q again, the result is, too. Each pair sends everything
// there and back.
func halvingAndDoubling(cs conformance.Case) conformance.Traffic {
	q, log, extra := active(cs.Call.Size)
	return conformance.Traffic{
		Messages: 2*q*log + 2*extra,
		Volume:   units.Bytes(2*(q-1)+2*extra) * cs.Total(),
	}
}

// roundTwice: each of P pieces goes P-1 hops twice.
func roundTwice(cs conformance.Case) conformance.Traffic {
	n := 2 * (cs.Call.Size - 1)
	return conformance.Traffic{Messages: n * cs.Call.Size, Volume: units.Bytes(n) * cs.Total()}
}

// thereAndBackAgain is thereAndBack with everything in each message.
func thereAndBackAgain(cs conformance.Case) conformance.Traffic {
	n := 2 * (cs.Call.Size - 1)
	return conformance.Traffic{Messages: n, Volume: units.Bytes(n) * cs.Total()}
}

// everyOther: every block is sent P-1 times, in as many messages as given.
func everyOther(messages func(p int) int) func(cs conformance.Case) conformance.Traffic {
	return func(cs conformance.Case) conformance.Traffic {
		p := cs.Call.Size
		return conformance.Traffic{Messages: messages(p), Volume: units.Bytes(p-1) * cs.Total()}
	}
}

func allPairs(p int) int { return p * (p - 1) }

func allRounds(p int) int { return p * rounds(p) }

func foldedRounds(p int) int {
	q, log, extra := active(p)
	return q*log + 2*extra
}

// straight: each block goes to its destination, in a message of its own.
func straight(cs conformance.Case) conformance.Traffic {
	p := cs.Call.Size
	want := conformance.Traffic{Messages: p * (p - 1), Volume: cs.Total()}
	for r := range p {
		want.Volume -= cs.Blocks[r*p+r]
	}
	return want
}

// byPowersOfTwo: a block is sent once for each set bit of its distance.
func byPowersOfTwo(cs conformance.Case) conformance.Traffic {
	p := cs.Call.Size
	want := conformance.Traffic{Messages: allRounds(p)}
	for s := range p {
		for d := range p {
			want.Volume += units.Bytes(bits.OnesCount(uint((d-s+p)%p))) * cs.Blocks[s*p+d]
		}
	}
	return want
}

// halving: to become one, the q contributions to a block are sent q-1 times. The
// idle rank of each pair, 0, 2, ..., sends all blocks and gets its own back.
func halving(cs conformance.Case) conformance.Traffic {
	q, log, extra := active(cs.Call.Size)
	want := conformance.Traffic{Messages: q*log + 2*extra, Volume: units.Bytes(q-1+extra) * cs.Total()}
	for pair := range extra {
		want.Volume += cs.Blocks[2*pair]
	}
	return want
}

// alongTheRanks: each rank but one sends to the next.
func alongTheRanks(cs conformance.Case) conformance.Traffic {
	n := cs.Call.Size - 1
	return conformance.Traffic{Messages: n, Volume: units.Bytes(n) * cs.Total()}
}

// atAllDistances: P - 2^i messages for each power of two below P.
func atAllDistances(cs conformance.Case) conformance.Traffic {
	n := 0
	for distance := 1; distance < cs.Call.Size; distance *= 2 {
		n += cs.Call.Size - distance
	}
	return conformance.Traffic{Messages: n, Volume: units.Bytes(n) * cs.Total()}
}

// Numbers of pieces, where it is not collective.BlockCount that counts.
func pieces(n int) func(p int) int { return func(int) int { return n } }

func pieceEach(p int) int { return p }

func pieceEachActive(p int) int {
	q, _, _ := active(p)
	return q
}

var suites = []struct {
	op      workloads.Collective
	name    string
	pieces  func(p int) int // nil: collective.BlockCount
	traffic func(conformance.Case) conformance.Traffic
}{
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
}

func TestConformance(t *testing.T) {
	for _, s := range suites {
		t.Run(s.op.String()+"/"+s.name, func(t *testing.T) {
			t.Parallel()
			blocks := s.pieces
			if blocks == nil {
				blocks = func(p int) int { return collective.BlockCount(s.op, p) }
			}
			conformance.Run(t, conformance.Suite{
				Algorithm: lookup(t, s.op, s.name),
				Blocks:    blocks,
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
	for op := workloads.Barrier; op <= workloads.Scan; op++ {
		for _, name := range collective.Names(op) {
			found++
			if !tested[op.String()+"/"+name] {
				t.Errorf("%v %s is not tested for conformance", op, name)
			}
		}
	}
	if found != len(tested) {
		t.Errorf("%d algorithms known, %d tested", found, len(tested))
	}
}

// TestConformanceOfMany tries sizes above those of the kit: a power of two and
// its neighbours, with a root in the middle. An all-to-all exchange has too many
// blocks for as many ranks.
func TestConformanceOfMany(t *testing.T) {
	for _, s := range suites {
		many := []int{63, 64, 65}
		if s.op == workloads.Alltoall {
			many = []int{40}
		}
		for _, p := range many {
			cs := conformance.Case{Call: collective.Call{Size: p}}
			if collective.Rooted(s.op) {
				cs.Call.Root = p / 2
			}
			n := collective.BlockCount(s.op, p)
			if s.pieces != nil {
				n = s.pieces(p)
			}
			for i := range n {
				cs.Blocks = append(cs.Blocks, units.Bytes(i+1))
			}
			if _, err := conformance.Check(lookup(t, s.op, s.name), cs, s.traffic(cs)); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestPieces holds the numbers of pieces that algorithms ask for against those
// that they are tested with.
func TestPieces(t *testing.T) {
	dividers := 0
	for _, s := range suites {
		d, ok := lookup(t, s.op, s.name).(collective.Divider)
		if ok != (s.pieces != nil) {
			t.Errorf("%v %s divides: %t; expected %t", s.op, s.name, ok, s.pieces != nil)
		}
		if !ok || s.name == "chain" {
			continue
		}
		dividers++
		for p := 1; p <= 130; p++ {
			for _, size := range []units.Bytes{0, 1, 1e9} {
				if got, want := d.Pieces(collective.Call{Size: p}, size), s.pieces(p); got != want {
					t.Errorf("%v %s among %d: %d pieces; expected %d", s.op, s.name, p, got, want)
				}
			}
		}
	}
	if dividers != 3 {
		t.Errorf("%d algorithms with a number of pieces that depends on the ranks; expected 3", dividers)
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
