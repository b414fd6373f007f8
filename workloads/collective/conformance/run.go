package conformance

import (
	"testing"

	"github.com/isoscale/isoscale/workloads/collective"
)

// MaxRanks is the largest number of ranks that [Run] tries: one more than a
// power of two, and enough for all shapes that a tree of depth 5 can have.
const MaxRanks = 33

// Suite is an algorithm with what is to be checked about it.
type Suite struct {
	Algorithm collective.Algorithm
	// Blocks returns the number of blocks for p ranks: what
	// collective.BlockCount says or, for a collective.Divider, any number of
	// pieces that it may ask for.
	Blocks func(p int) int
	// Traffic returns the traffic that the algorithm must cause.
	Traffic func(cs Case) Traffic
}

// Run checks an algorithm for all [Cases] from 1 to [MaxRanks] ranks. It stops
// at the first failure: with few ranks, where it is easiest to understand.
func Run(t *testing.T, s Suite) {
	t.Helper()
	facts := 0
	for p := 1; p <= MaxRanks; p++ {
		for _, cs := range Cases(s.Algorithm.Operation(), p, s.Blocks(p)) {
			n, err := Check(s.Algorithm, cs, s.Traffic(cs))
			if err != nil {
				t.Fatal(err)
			}
			facts += n
		}
	}
	if facts == 0 {
		t.Fatal("nothing was checked")
	}
}
