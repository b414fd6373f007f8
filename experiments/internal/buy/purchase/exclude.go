package purchase

import (
	"fmt"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
)

// causeBudget is the cause of exclusions by a limit of the budget, and causeObjective of
// those by a condition of the objective; causeScreened that of machines that cannot matter; any other is the name of a workload that does not
// run.
const (
	causeBudget    = "budget"
	causeObjective = "objective"
	causeScreened  = "screened"
)

// exclude records why some machines of a design are not ranked: one of that name, or so
// many numbers of nodes.
func (s *solver) exclude(name string, d design, machines int, cause, reason string) {
	r := s.result
	r.Excluded = append(r.Excluded, Exclusion{name, reason})
	design := s.designName(d)
	for i := range r.ExcludedBy {
		if x := &r.ExcludedBy[i]; x.Design == design && x.cause == cause {
			x.Machines += machines
			return
		}
	}
	r.ExcludedBy = append(r.ExcludedBy, ExcludedDesign{Design: design, Machines: machines, Name: name, Reason: reason, cause: cause})
}

// causeOf returns which workload does not run on a choice, or that the budget does not
// cover its energy.
func (s *solver) causeOf(c Choice) string {
	for w, x := range s.usable(s.Plan, c) {
		if x.problem != "" {
			return s.Workloads[w].Name
		}
	}
	return causeBudget
}

// markRanked says of which designs other machines are ranked, and puts those first of
// which none is.
func (s *solver) markRanked() {
	all := s.result.ExcludedBy
	for i := range all {
		all[i].Ranked = slices.ContainsFunc(s.best, func(c Candidate) bool { return c.Design == all[i].Design })
	}
	slices.SortStableFunc(all, func(a, b ExcludedDesign) int {
		switch {
		case a.Ranked == b.Ranked:
			return 0
		case b.Ranked:
			return -1
		}
		return 1
	})
}

// ExcludedInWords names every excluded design with the reason. Designs that are excluded for
// the same one share a line.
func (r *Result) ExcludedInWords() []string {
	type group struct {
		ranked bool
		reason string
	}
	var order []group
	designs, first := map[group][]string{}, map[group]string{}
	for _, x := range r.ExcludedBy {
		g := group{x.Ranked, x.Reason}
		if designs[g] == nil {
			order = append(order, g)
			if x.Machines > 1 && x.Name != x.Design {
				first[g] = ", such as " + x.Name
			}
		}
		designs[g] = append(designs[g], fmt.Sprintf("%s (%s)", x.Design, input.Plural(x.Machines, "machine")))
	}
	var lines []string
	for _, g := range order {
		text := strings.Join(designs[g], "; ") + first[g]
		if !g.ranked {
			text = "none ranked of " + text
		}
		lines = append(lines, text+": "+g.reason)
	}
	return lines
}
