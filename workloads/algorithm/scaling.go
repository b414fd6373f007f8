package algorithm

import "github.com/isoscale/isoscale/workloads/parameter"

// Scaling says how the work of a workload at a given problem size depends on the
// number of its processes. The names are those of strong and weak scaling studies.
type Scaling string

const (
	// Strong: it does not. One problem is divided among the processes, so that
	// times on different systems are times of equal work.
	Strong Scaling = "strong"
	// Weak: what a process does is given, so that the total grows with their
	// number. Times on different systems compare per unit of work only.
	Weak Scaling = "weak"
	// Replicated: every process does all the work of the problem, which counts once.
	Replicated Scaling = "replicated"
)

// The names of the two ways to give the work of a round.
const (
	computeName      = "compute"       // of each process
	totalComputeName = "total_compute" // of all processes
)

// totalCompute is the parameter that gives the work of a round in total.
var totalCompute = parameter.Parameter{
	Name: totalComputeName, Type: parameter.Work{}, Instead: computeName,
	Meaning: "work of all processes in a round, divided by marked speed",
}

// roundScaling is the scaling of workloads whose rounds are given in total or for a
// process.
func roundScaling(v parameter.Values) Scaling {
	if v.Has(totalComputeName) && v.Work(totalComputeName) > 0 {
		return Strong
	}
	return Weak
}
