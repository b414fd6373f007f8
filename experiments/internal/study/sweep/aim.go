package sweep

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/study/design"
)

// Aim changes the objective. Empty names keep that of the plan.
func (s *Study) Aim(maximize, minimize, size, cost string) error {
	names := outcomeNames(s.outcomes)
	sizes := append(slices.Clone(names), numericFactors(s.Design)...)
	if err := errors.Join(s.checkQuantity(maximize, names), s.checkQuantity(minimize, names), s.checkQuantity(size, sizes), s.checkQuantity(cost, sizes)); err != nil {
		return err
	}
	o := &s.About.Objective
	switch {
	case maximize != "" && minimize != "":
		return errors.New("both --maximize and --minimize; expected one of them")
	case maximize != "":
		o.Response, o.Maximize = maximize, true
	case minimize != "":
		o.Response, o.Maximize = minimize, false
	}
	o.Size = cmp.Or(size, o.Size)
	o.Cost = cmp.Or(cost, o.Cost)
	return nil
}

// Only limits the analysis to the points with some levels, each given as
// FACTOR=LEVEL with or without the unit.
func (s *Study) Only(levels []string) error {
	var problems []error
	for _, text := range levels {
		name, want, _ := strings.Cut(text, "=")
		i := slices.IndexFunc(s.Design.Factors, func(f design.Factor) bool { return f.Name == name })
		if i < 0 {
			var names []string
			for _, f := range s.Design.Factors {
				names = append(names, f.Name)
			}
			problems = append(problems, fmt.Errorf("unknown factor %q; expected one of %s", name, strings.Join(names, ", ")))
			continue
		}
		f := &s.Design.Factors[i]
		var known []string
		found := false
		for l := range f.Len() {
			got := f.Level(l).Text
			if found = got == want || got+" "+f.Unit == want; found {
				s.only = append(s.only, level{i, l})
				break
			}
			if len(known) < 20 {
				known = append(known, got)
			}
		}
		if !found {
			problems = append(problems, fmt.Errorf("%s has no level %q; expected one of %s", name, want, strings.Join(known, ", ")))
		}
	}
	return errors.Join(problems...)
}

// Over chooses the two factors of the map, which are otherwise the strongest.
func (s *Study) Over(x, y string) error {
	names := numericFactors(s.Design)
	s.Axes = nil
	for _, name := range []string{x, y} {
		if !slices.Contains(names, name) {
			return fmt.Errorf("%q is not a numeric factor; expected two of %s", name, strings.Join(names, ", "))
		}
		s.Axes = append(s.Axes, slices.IndexFunc(s.Design.Factors, func(f design.Factor) bool { return f.Name == name }))
	}
	if x == y {
		return fmt.Errorf("a map over %s and %s; expected two factors", x, y)
	}
	return nil
}
