package conformance

import (
	"math/bits"

	"github.com/isoscale/isoscale/model/units"
)

// The traffic of each algorithm, from its definition and not from its steps.

// oneBlockEach: everybody but the root receives (broadcast) or sends
// (reduction) the one block once.
func oneBlockEach(cs Case) Traffic {
	n := cs.Call.Size - 1
	return Traffic{Messages: n, Volume: units.Bytes(n) * cs.Blocks[0]}
}

// ownBlocksOnce: everybody but the root sends or receives its own block.
func ownBlocksOnce(cs Case) Traffic {
	return Traffic{
		Messages: cs.Call.Size - 1,
		Volume:   cs.Total() - cs.Blocks[cs.Call.Root],
	}
}

// ownBlocksAlongTree: a tree of P ranks has P-1 edges with one message each. In
// a binomial tree every edge clears one set bit of the relative rank, so a block
// crosses as many edges as the relative rank of its owner has set bits.
func ownBlocksAlongTree(cs Case) Traffic {
	p := cs.Call.Size
	want := Traffic{Messages: p - 1}
	for v := range p {
		owner := (cs.Call.Root + v) % p
		want.Volume += units.Bytes(bits.OnesCount(uint(v))) * cs.Blocks[owner]
	}
	return want
}

// thereAndBack: every rank but one sends one message and receives another.
func thereAndBack(cs Case) Traffic {
	return Traffic{Messages: 2 * (cs.Call.Size - 1)}
}

// everybodyEachRound: P messages a round, and as many rounds as it takes to
// double 1 up to at least P.
func everybodyEachRound(cs Case) Traffic {
	return Traffic{Messages: cs.Call.Size * rounds(cs.Call.Size)}
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
func everyPiece(cs Case) Traffic {
	n := cs.Call.Size - 1
	return Traffic{Messages: n * len(cs.Blocks), Volume: units.Bytes(n) * cs.Total()}
}

// treeAndRing: the pieces go down the tree like those of a scatter whose root is
// number 0, and then P times round the ring, P-1 hops each.
func treeAndRing(cs Case) Traffic {
	p := cs.Call.Size
	want := Traffic{Messages: p - 1 + p*(p-1), Volume: units.Bytes(p-1) * cs.Total()}
	for v, size := range cs.Blocks {
		want.Volume += units.Bytes(bits.OnesCount(uint(v))) * size
	}
	return want
}

// foldedExchanges: q active ranks send everything in each of log2 q rounds, and
// each pair has a message before and one after.
func foldedExchanges(cs Case) Traffic {
	q, log, extra := active(cs.Call.Size)
	n := q*log + 2*extra
	return Traffic{Messages: n, Volume: units.Bytes(n) * cs.Total()}
}

// halvingAndDoubling: to become one, the q contributions to a piece are sent
// q-1 times; to become q again, the result is, too. Each pair sends everything
// there and back.
func halvingAndDoubling(cs Case) Traffic {
	q, log, extra := active(cs.Call.Size)
	return Traffic{
		Messages: 2*q*log + 2*extra,
		Volume:   units.Bytes(2*(q-1)+2*extra) * cs.Total(),
	}
}

// roundTwice: each of P pieces goes P-1 hops twice.
func roundTwice(cs Case) Traffic {
	n := 2 * (cs.Call.Size - 1)
	return Traffic{Messages: n * cs.Call.Size, Volume: units.Bytes(n) * cs.Total()}
}

// thereAndBackAgain is thereAndBack with everything in each message.
func thereAndBackAgain(cs Case) Traffic {
	n := 2 * (cs.Call.Size - 1)
	return Traffic{Messages: n, Volume: units.Bytes(n) * cs.Total()}
}

// everyOther: every block is sent P-1 times, in as many messages as given.
func everyOther(messages func(p int) int) func(cs Case) Traffic {
	return func(cs Case) Traffic {
		p := cs.Call.Size
		return Traffic{Messages: messages(p), Volume: units.Bytes(p-1) * cs.Total()}
	}
}

func allPairs(p int) int { return p * (p - 1) }

func allRounds(p int) int { return p * rounds(p) }

func foldedRounds(p int) int {
	q, log, extra := active(p)
	return q*log + 2*extra
}

// straight: each block goes to its destination, in a message of its own.
func straight(cs Case) Traffic {
	p := cs.Call.Size
	want := Traffic{Messages: p * (p - 1), Volume: cs.Total()}
	for r := range p {
		want.Volume -= cs.Blocks[r*p+r]
	}
	return want
}

// byPowersOfTwo: a block is sent once for each set bit of its distance.
func byPowersOfTwo(cs Case) Traffic {
	p := cs.Call.Size
	want := Traffic{Messages: allRounds(p)}
	for s := range p {
		for d := range p {
			want.Volume += units.Bytes(bits.OnesCount(uint((d-s+p)%p))) * cs.Blocks[s*p+d]
		}
	}
	return want
}

// halving: to become one, the q contributions to a block are sent q-1 times. The
// idle rank of each pair, 0, 2, ..., sends all blocks and gets its own back.
func halving(cs Case) Traffic {
	q, log, extra := active(cs.Call.Size)
	want := Traffic{Messages: q*log + 2*extra, Volume: units.Bytes(q-1+extra) * cs.Total()}
	for pair := range extra {
		want.Volume += cs.Blocks[2*pair]
	}
	return want
}

// alongTheRanks: each rank but one sends to the next.
func alongTheRanks(cs Case) Traffic {
	n := cs.Call.Size - 1
	return Traffic{Messages: n, Volume: units.Bytes(n) * cs.Total()}
}

// atAllDistances: P - 2^i messages for each power of two below P.
func atAllDistances(cs Case) Traffic {
	n := 0
	for distance := 1; distance < cs.Call.Size; distance *= 2 {
		n += cs.Call.Size - distance
	}
	return Traffic{Messages: n, Volume: units.Bytes(n) * cs.Total()}
}
