package search

import (
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/buy/model"
)

// exclude records why some machines of a design are not ranked: one of that name, or so
// many numbers of nodes.
func (s *solver) exclude(name string, d model.Design, machines int, cause, reason string) {
	r := s.result
	r.Excluded = append(r.Excluded, model.Exclusion{Name: name, Reason: reason})
	design := s.DesignName(d)
	for i := range r.ExcludedBy {
		if x := &r.ExcludedBy[i]; x.Design == design && x.Cause == cause {
			x.Machines += machines
			return
		}
	}
	r.ExcludedBy = append(r.ExcludedBy, model.ExcludedDesign{Design: design, Machines: machines, Name: name, Reason: reason, Cause: cause})
}

// causeOf returns which workload does not run on a choice, or that the budget does not
// cover its energy.
func (s *solver) causeOf(c model.Choice) string {
	for w, x := range s.usable(s.Plan, c) {
		if x.Problem != "" {
			return s.Workloads[w].Name
		}
	}
	return model.CauseBudget
}

// markRanked says of which designs other machines are ranked, and puts those first of
// which none is.
func (s *solver) markRanked() {
	all := s.result.ExcludedBy
	for i := range all {
		all[i].Ranked = slices.ContainsFunc(s.best, func(c model.Candidate) bool { return c.Design == all[i].Design })
	}
	slices.SortStableFunc(all, func(a, b model.ExcludedDesign) int {
		switch {
		case a.Ranked == b.Ranked:
			return 0
		case b.Ranked:
			return -1
		}
		return 1
	})
}
