package sweep

import (
	"github.com/isoscale/isoscale/experiments/internal/file/input"
)

// Unequal is a workload of a study whose work depends on the number of processes, so
// that times of points with different numbers are not of equal work.
type Unequal struct {
	Workload string
	Works    bool // it performs work, so that points compare by the work done in a time
}

// UnequalWork returns the first workload of that kind among some points, nil if there
// is none. Points that are invalid say nothing.
func (s *Study) UnequalWork() *Unequal {
	const few = 50
	for p := range Sample(s.Design, few) {
		c, err := s.Scenario(p)
		if err != nil || c.Scenario == nil {
			continue
		}
		if w := c.Scenario.Workload; w.GrowsWithProcesses() {
			return &Unequal{w.Name, w.PerformsWork()}
		}
	}
	return nil
}

// perWork makes the default objective that of equal work: the work done in a time
// compares times per unit of work.
func (p *Plan) perWork() {
	s := p.study()
	o := &p.About.Objective
	if u := s.UnequalWork(); u != nil && u.Works {
		o.Response, o.Maximize = s.Outcome(o.Response).PerWork, true
	}
}

// Super reports whether the points are super-programs.
func (s *Study) Super() bool { return input.KindOf(s.Template.Root) == input.KindSuper }
