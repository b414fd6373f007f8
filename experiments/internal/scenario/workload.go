package scenario

import (
	"github.com/isoscale/isoscale/experiments/internal/file/document"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/scenario/workload"
)

// ReadWorkload reads a workload as in a scenario, where sized is true, or as in a
// study, which looks for the problem size itself. base is the folder that names of
// files start from.
func ReadWorkload(r *document.Reader, n *yamldoc.Node, sized bool, base string) workload.Workload {
	w := workload.Read(r, n, sized, base)
	if n != nil && r.ProblemCount() == 0 && sized && !w.JudgedWhole {
		if err := w.Build(w.N, judgedSpeeds(), 1).Validate(); err != nil {
			r.Fail(n, err.Error(), "")
		}
	}
	return w
}
