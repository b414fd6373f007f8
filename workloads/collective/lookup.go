package collective

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
)

// algorithms holds every algorithm of this package, by operation and, within
// an operation, by name.
var algorithms = append([]Algorithm{
	&scheme{workloads.Barrier, "dissemination", barrierDissemination},
	&scheme{workloads.Barrier, "linear", barrierLinear},
	&scheme{workloads.Barrier, "tree", barrierTree},
	&scheme{workloads.Bcast, "binomial", bcastBinomial},
	newChain("chain", defaultSegment),
	&scheme{workloads.Bcast, "flat", bcastFlat},
	&divided{scheme{workloads.Bcast, "scatter-allgather", bcastScatterAllgather}, pieceEach},
	&scheme{workloads.Reduce, "binomial", reduceBinomial},
	&scheme{workloads.Reduce, "flat", reduceFlat},
	&scheme{workloads.Gather, "binomial", gatherBinomial},
	&scheme{workloads.Gather, "flat", gatherFlat},
	&scheme{workloads.Scatter, "binomial", scatterBinomial},
	&scheme{workloads.Scatter, "flat", scatterFlat},
	&divided{scheme{workloads.Allreduce, "rabenseifner", allreduceRabenseifner}, pieceEachActive},
	&scheme{workloads.Allreduce, "recursive-doubling", allreduceRecursiveDoubling},
	&scheme{workloads.Allreduce, "reduce-bcast", allreduceReduceBcast},
	&divided{scheme{workloads.Allreduce, "ring", allreduceRing}, pieceEach},
	&scheme{workloads.Allgather, "bruck", allgatherBruck},
	&scheme{workloads.Allgather, "recursive-doubling", allgatherRecursiveDoubling},
	&scheme{workloads.Allgather, "ring", allgatherRing},
	&scheme{workloads.Alltoall, "bruck", alltoallBruck},
	&scheme{workloads.Alltoall, "linear", alltoallLinear},
	&scheme{workloads.Alltoall, "pairwise", alltoallPairwise},
	&scheme{workloads.ReduceScatter, "pairwise", reduceScatterPairwise},
	&scheme{workloads.ReduceScatter, "recursive-halving", reduceScatterRecursiveHalving},
	&scheme{workloads.ReduceScatter, "ring", reduceScatterRing},
	&scheme{workloads.Scan, "linear", scanLinear},
	&scheme{workloads.Scan, "recursive-doubling", scanRecursiveDoubling},
}, slices.Concat(nestedAlgorithms, laws)...)

// Operations returns the operations that algorithms can be chosen for, in the order
// of lists.
func Operations() []workloads.Collective {
	return []workloads.Collective{
		workloads.Barrier, workloads.Bcast, workloads.Reduce, workloads.Allreduce, workloads.Gather, workloads.Allgather,
		workloads.Scatter, workloads.ReduceScatter, workloads.Alltoall, workloads.Scan,
	}
}

// Lookup returns the algorithm of that name for op. A segment of the broadcast along a
// chain other than the default follows after a colon: "chain:8192". The error for an
// unknown name lists the known ones.
func Lookup(op workloads.Collective, name string) (Algorithm, error) {
	for _, a := range algorithms {
		if a.Operation() == op && a.Name() == name {
			return a, nil
		}
	}
	if text, ok := strings.CutPrefix(name, "chain:"); ok && op == workloads.Bcast {
		segment, err := strconv.ParseUint(text, 10, 53)
		if err != nil {
			return nil, fmt.Errorf("chain: segment is %q; expected a whole number of bytes, at least 1", text)
		}
		return chainBcast(units.Bytes(segment))
	}
	known := cmp.Or(strings.Join(Names(op), ", "), "none")
	return nil, fmt.Errorf("unknown algorithm %q for %v; known: %s", name, op, known)
}

// Names returns the names of the algorithms for op in alphabetical order. The
// slice is the caller's.
func Names(op workloads.Collective) []string {
	var names []string
	for _, a := range algorithms {
		if a.Operation() == op {
			names = append(names, a.Name())
		}
	}
	slices.Sort(names)
	return names
}

// scheme is the form of every algorithm of this package: a name and a step
// function.
type scheme struct {
	operation workloads.Collective
	name      string
	step      func(c Call, rank, k int) (Step, bool)
}

func (a *scheme) Name() string { return a.name }

func (a *scheme) Operation() workloads.Collective { return a.operation }

func (a *scheme) Step(c Call, rank, k int) (Step, bool) { return a.step(c, rank, k) }

// divided is a scheme that cuts its one block into pieces.
type divided struct {
	scheme
	pieces func(c Call, size units.Bytes) int
}

func (a *divided) Pieces(c Call, size units.Bytes) int { return a.pieces(c, size) }

// pieceEach cuts into one piece for each rank.
func pieceEach(c Call, _ units.Bytes) int { return c.Size }
