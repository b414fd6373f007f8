package sweep

import "fmt"

// idleCores says how many cores of the nodes the best configuration uses, "" if it
// uses all of them.
func (r *Result) idleCores() string {
	c, err := r.study.scenario(r.study.Design.At(r.Best.levels))
	if err != nil || c.Scenario == nil {
		return "" // a super-program, whose nodes have no cores
	}
	p, err := c.Scenario.Machine.Place(c.Scenario.Selection)
	if err != nil {
		return ""
	}
	used, all := p.Cores()
	if used == all {
		return ""
	}
	return fmt.Sprintf(" It uses %d of the %d cores of its nodes.", used, all)
}
