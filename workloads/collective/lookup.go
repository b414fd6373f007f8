package collective

import (
	"fmt"
	"strings"

	"github.com/isoscale/isoscale/workloads"
)

// algorithms holds every algorithm of this package, by operation and, within
// an operation, by name.
var algorithms = [...]*scheme{
	{workloads.Barrier, "dissemination", barrierDissemination},
	{workloads.Barrier, "linear", barrierLinear},
	{workloads.Bcast, "binomial", bcastBinomial},
	{workloads.Bcast, "flat", bcastFlat},
	{workloads.Reduce, "binomial", reduceBinomial},
	{workloads.Reduce, "flat", reduceFlat},
	{workloads.Gather, "binomial", gatherBinomial},
	{workloads.Gather, "flat", gatherFlat},
	{workloads.Scatter, "binomial", scatterBinomial},
	{workloads.Scatter, "flat", scatterFlat},
}

// Lookup returns the algorithm of that name for op. The error for an unknown
// name lists the known ones.
func Lookup(op workloads.Collective, name string) (Algorithm, error) {
	for _, a := range algorithms {
		if a.operation == op && a.name == name {
			return a, nil
		}
	}
	known := strings.Join(Names(op), ", ")
	if known == "" {
		known = "none"
	}
	return nil, fmt.Errorf("unknown algorithm %q for %v; known: %s", name, op, known)
}

// Names returns the names of the algorithms for op in alphabetical order. The
// slice is the caller's.
func Names(op workloads.Collective) []string {
	var names []string
	for _, a := range algorithms {
		if a.operation == op {
			names = append(names, a.name)
		}
	}
	return names
}
