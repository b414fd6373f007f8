package conformance

import (
	"fmt"
	"math"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
)

// Case is a call to check, with the sizes of its blocks; Call.Pieces becomes
// their number. Sizes should be whole numbers, so that the volume does not
// depend on the order of summation.
type Case struct {
	Call   collective.Call
	Blocks []units.Bytes
}

// Total returns the size of all blocks.
func (cs Case) Total() units.Bytes {
	var sum units.Bytes
	for _, size := range cs.Blocks {
		sum += size
	}
	return sum
}

// validate reports a case that does not fit the operation.
func (cs Case) validate(op workloads.Collective) error {
	ct, ok := contracts[op]
	switch c := cs.Call; {
	case !ok:
		return fmt.Errorf("unknown operation %v", op)
	case c.Size < 1:
		return fmt.Errorf("case with %d ranks; expected at least 1", c.Size)
	case c.Root < 0 || c.Root >= c.Size:
		return fmt.Errorf("case with root %d; expected one of %d ranks", c.Root, c.Size)
	case c.Root > 0 && !collective.Rooted(op):
		return fmt.Errorf("case with root %d; expected 0, %v has no root", c.Root, op)
	}
	n, exact := len(cs.Blocks), collective.BlockCount(op, cs.Call.Size)
	if ct.divisible {
		if n < 1 {
			return fmt.Errorf("case without blocks; expected at least 1")
		}
	} else if n != exact {
		return fmt.Errorf("case with %d blocks; expected %d", n, exact)
	}
	for i, size := range cs.Blocks {
		if !(size >= 0) || math.IsInf(float64(size), 1) {
			return fmt.Errorf("case with block %d of %v byte; expected a finite number, at least 0", i, float64(size))
		}
	}
	return nil
}

// casesOf lists the cases for op among p ranks with n blocks: with blocks of 0, 1 and
// 4097 bytes and, where there is more than one block, with unequal blocks of which
// every third is empty; the unequal blocks with every root that the operation may have,
// the others with root 0. An algorithm cannot see sizes, so there is no point in trying
// all combinations.
func casesOf(op workloads.Collective, p, n int) []Case {
	var sizes [][]units.Bytes
	if n == 0 {
		sizes = [][]units.Bytes{nil}
	} else {
		for _, m := range []units.Bytes{0, 1, 4097} {
			sizes = append(sizes, repeat(m, n))
		}
	}
	if n > 1 {
		sizes = append(sizes, unequal(n))
	}
	var cases []Case
	for _, s := range sizes {
		cases = append(cases, Case{collective.Call{Size: p}, s})
	}
	if collective.Rooted(op) {
		for root := 1; root < p; root++ {
			cases = append(cases, Case{collective.Call{Size: p, Root: root}, sizes[len(sizes)-1]})
		}
	}
	return cases
}

func repeat(m units.Bytes, n int) []units.Bytes {
	sizes := make([]units.Bytes, n)
	for i := range sizes {
		sizes[i] = m
	}
	return sizes
}

// unequal returns n sizes; those that are not 0 are all different.
func unequal(n int) []units.Bytes {
	sizes := make([]units.Bytes, n)
	for i := range sizes {
		if i%3 != 0 {
			sizes[i] = units.Bytes(1 + i*i)
		}
	}
	return sizes
}

// contract is what an operation starts with and must end with.
//
// A block is known by its contributions: how often each rank's data are in it.
// At the start a rank contributes once to each block that it has.
type contract struct {
	// divisible says that the data may be cut into any number of blocks.
	// Otherwise collective.BlockCount is binding.
	divisible bool
	// starts tells whether rank has block at the start.
	starts func(rank, block, p, root int) bool
	// ends tells what rank must have in block at the end: the contribution
	// of one rank and of no other, or one of the constants below.
	ends func(rank, block, p, root int) int
	// meets says that no rank may be done before every rank has begun.
	meets bool
}

const (
	anything   = -1 // the content of this block does not matter
	everyone   = -2 // every rank's contribution, exactly once
	upToItself = -3 // the contributions of all ranks up to the rank itself, exactly once
)

// contracts is the table of the operations, as MPI defines them.
var contracts = map[workloads.Collective]contract{
	workloads.Barrier: {
		starts: func(rank, block, p, root int) bool { return false },
		ends:   func(rank, block, p, root int) int { return anything },
		meets:  true,
	},
	workloads.Bcast: {
		divisible: true,
		starts:    func(rank, block, p, root int) bool { return rank == root },
		ends:      func(rank, block, p, root int) int { return root },
	},
	workloads.Reduce: {
		divisible: true,
		starts:    func(rank, block, p, root int) bool { return true },
		ends:      func(rank, block, p, root int) int { return only(rank == root, everyone) },
	},
	workloads.Gather: {
		starts: func(rank, block, p, root int) bool { return rank == block },
		ends:   func(rank, block, p, root int) int { return only(rank == root, block) },
	},
	workloads.Scatter: {
		starts: func(rank, block, p, root int) bool { return rank == root },
		ends:   func(rank, block, p, root int) int { return only(rank == block, root) },
	},
	workloads.Allreduce: {
		divisible: true,
		starts:    func(rank, block, p, root int) bool { return true },
		ends:      func(rank, block, p, root int) int { return everyone },
	},
	workloads.Allgather: {
		starts: func(rank, block, p, root int) bool { return rank == block },
		ends:   func(rank, block, p, root int) int { return block },
	},
	workloads.Alltoall: { // block s*p + d goes from rank s to rank d
		starts: func(rank, block, p, root int) bool { return rank == block/p },
		ends:   func(rank, block, p, root int) int { return only(rank == block%p, block/p) },
	},
	workloads.ReduceScatter: {
		starts: func(rank, block, p, root int) bool { return true },
		ends:   func(rank, block, p, root int) int { return only(rank == block, everyone) },
	},
	workloads.Scan: {
		divisible: true,
		starts:    func(rank, block, p, root int) bool { return true },
		ends:      func(rank, block, p, root int) int { return upToItself },
	},
}

// only returns owner where the condition holds, and anything elsewhere.
func only(condition bool, owner int) int {
	if condition {
		return owner
	}
	return anything
}
