package sweep

import (
	"fmt"
	"math"
)

// unequal is a workload of a study whose work depends on the number of processes, so
// that times of points with different numbers are not of equal work.
type unequal struct {
	workload string
	works    bool // it performs work, so that points compare by the work done in a time
}

// unequalWork returns the first workload of that kind among some points, nil if there
// is none. Points that are invalid say nothing.
func (s *Study) unequalWork() *unequal {
	const few = 50
	for p := range sample(s.Design, few) {
		c, err := s.Template.Case(p.Seed, changes(s.Design, p)...)
		if err != nil || c.Scenario == nil {
			continue
		}
		if w := c.Scenario.Workload; w.GrowsWithProcesses() {
			return &unequal{w.Name, w.PerformsWork()}
		}
	}
	return nil
}

// perWork makes the default objective that of equal work: the work done in a time
// compares times per unit of work.
func (p *Plan) perWork() {
	s := &Study{Template: p.Template, Design: p.Design}
	if u := s.unequalWork(); u != nil && u.works {
		p.About.Objective = Objective{Response: "achieved_speed", Maximize: true, Size: "processes"}
	}
}

// findUnequal says why times of all points cannot be compared, if they cannot.
func (r *Result) findUnequal() {
	if r.response.Name != "time" {
		return
	}
	processes, err := r.table.ResponseIndex("processes")
	if err != nil {
		return // super-programs have none
	}
	first, differ := math.NaN(), false
	for _, row := range r.table.Rows {
		switch n := row.Values[processes]; {
		case math.IsNaN(n):
		case math.IsNaN(first):
			first = n
		case n != first:
			differ = true
		}
	}
	if !differ {
		return
	}
	u := r.study.unequalWork()
	if u == nil {
		return
	}
	r.unequal = fmt.Sprintf("The times of points with different numbers of processes are not compared: the work of workload %s grows with the number of processes.", u.workload)
	if u.works {
		r.unequal += " achieved_speed, the work done in a time, compares them per unit of work."
	}
	r.warn("%s", r.unequal)
}
