package sweep

import (
	"math"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/study/design"
)

// Role returns what a factor stands for: what the plan says or else what follows from the fields that it sets, also by
// formulas. A factor of the workload is a problem if its levels are other workloads, have other work or are quantities
// such as sizes; else it is a choice, such as an algorithm or a block size, and counts as machine. A seed is a
// condition, and so are the model of a network and a factor used only by columns, such as a price.
func (s *Study) Role(factor int) design.Role {
	f := &s.Design.Factors[factor]
	if f.Role != "" {
		return f.Role
	}
	fields := slices.DeleteFunc(slices.Clone(f.Paths), func(path string) bool { return slices.Contains(s.derived.free, path) })
	for _, x := range s.derived.fields {
		if slices.Contains(x.formula.Names(), f.Name) {
			fields = append(fields, x.name)
		}
	}
	only := func(top ...string) bool {
		return len(fields) > 0 && !slices.ContainsFunc(fields, func(path string) bool {
			key, _, _ := strings.Cut(path, ".")
			key, _, _ = strings.Cut(key, "[")
			return !slices.Contains(top, key)
		})
	}
	switch {
	case len(fields) == 0 || only("seed"), only("method", "network") && s.changesModel(factor):
		return design.RoleCondition
	case s.Super() && only("tasks", "time", "scatter"), !s.Super() && only("workload") && s.changesProblem(factor, fields):
		return design.RoleProblem
	}
	return design.RoleMachine
}

// changesModel reports whether levels of a factor are different models of the same network, or different ways to find
// the time of a super-program.
func (s *Study) changesModel(factor int) bool {
	paths := s.Design.Factors[factor].Paths
	if s.Super() {
		return slices.Contains(paths, "method")
	}
	if !slices.Contains(paths, "network") && !slices.Contains(paths, "network.name") {
		return false // only these keys of a network choose its model
	}
	first := ""
	levels := make([]int, len(s.Design.Factors))
	for l := range s.Design.Factors[factor].Len() {
		levels[factor] = l
		if c, err := s.Scenario(s.Design.At(levels)); err == nil && c.Scenario != nil {
			if name := c.Scenario.Network.Kind.Name; first == "" {
				first = name
			} else if name != first {
				return true
			}
		}
	}
	return false
}

// changesProblem reports whether levels of a factor are other workloads or have other work, with all else as at the
// first point. Random draws do not count.
func (s *Study) changesProblem(factor int, fields []string) bool {
	if slices.ContainsFunc(fields, func(p string) bool { return p == "workload" || p == "workload.name" || p == "workload.application" }) {
		return true
	}
	const few = 20 // levels to examine
	first := math.NaN()
	levels := make([]int, len(s.Design.Factors))
	for l := range min(few, s.Design.Factors[factor].Len()) {
		levels[factor] = l
		switch w := s.DeclaredWork(levels); {
		case math.IsNaN(w):
		case math.IsNaN(first):
			first = w
		case w != first:
			return true
		}
	}
	// Message sizes and imbalances change no work but the problem; whole numbers, as of blocks and grids, are a choice.
	f := &s.Design.Factors[factor]
	whole := true
	for l := range min(few, f.Len()) {
		v := f.Level(l).Value
		whole = whole && v == math.Trunc(v)
	}
	return f.Numeric && (f.Unit != "" || first == 0 || !whole)
}

// DeclaredWork returns the work of a point without what draws add; NaN if the point has none or is not valid.
func (s *Study) DeclaredWork(levels []int) float64 {
	c, err := s.Scenario(s.Design.At(levels))
	if err != nil || c.Scenario == nil {
		return math.NaN()
	}
	p, err := c.Scenario.Machine.Place(c.Scenario.Selection)
	if err != nil {
		return math.NaN()
	}
	a := c.Scenario.Workload.Build(c.Scenario.Workload.N, p.Speeds(), 1)
	if a.Validate() != nil {
		return math.NaN()
	}
	return float64(a.Work())
}

// SetsProblem reports whether a formula sets a part of the workload, so that points that differ only in machines may
// differ in their work.
func (s *Study) SetsProblem() bool {
	return slices.ContainsFunc(s.derived.fields, func(x derivation) bool { return strings.HasPrefix(x.name, "workload.") })
}
