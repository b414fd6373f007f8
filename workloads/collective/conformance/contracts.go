package conformance

import "github.com/isoscale/isoscale/workloads"

// contract is what an operation starts from and must end with.
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
	anything   = -1 // the rank may end with whatever it likes in this block
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
