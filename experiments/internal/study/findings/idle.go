package findings

import "fmt"

// idle says how many cores and devices of its nodes the best configuration uses, ""
// if it uses all of them.
func (r *Result) idle() string {
	c, err := r.Study.Scenario(r.Study.Design.At(r.Reference.At))
	if err != nil || c.Scenario == nil {
		return "" // a super-program, whose nodes have no cores
	}
	p, err := c.Scenario.Machine.Place(c.Scenario.Selection)
	if err != nil {
		return ""
	}
	return idleOf("cores", p.Cores) + idleOf("devices", p.Devices)
}

// idleOf says how many of some parts of the nodes are in use, "" if all are.
func idleOf(what string, count func() (used, all int)) string {
	used, all := count()
	if used == all {
		return ""
	}
	return fmt.Sprintf(" It uses %d of the %d %s of its nodes.", used, all, what)
}
