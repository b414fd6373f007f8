package sweep

import (
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/experiments/internal/study/design"
)

const dispatchMethod = string(scenario.Dispatch)

// levelsTold is of how many levels the points of a study have outcomes: those of its
// super-program, if some points are dispatched. By formula alone they would say nothing
// new.
func levelsTold(t *scenario.Template, d *design.Design) int {
	if fields, ok := t.Root.Plain().(map[string]any); ok {
		if method, ok := fields["method"].(string); ok && method == dispatchMethod {
			return system.LevelsOf(t)
		}
	}
	if d == nil {
		return 0
	}
	for i := range d.Factors {
		f := &d.Factors[i]
		at := slices.Index(f.Paths, "method")
		if at < 0 {
			continue
		}
		for l := range f.Len() {
			if f.Level(l).Settings[at].Value == dispatchMethod {
				return system.LevelsOf(t)
			}
		}
	}
	return 0
}

// moreOf are the outcomes of the points of a study that not every case has.
func moreOf(t *scenario.Template, d *design.Design) system.More {
	return system.More{Levels: levelsTold(t, d), Energy: system.HasEnergy(t)}
}

// outcomesOf are the outcomes of the scenario of a study.
func outcomesOf(t *scenario.Template, d *design.Design) []system.Outcome {
	return system.Outcomes(t, moreOf(t, d))
}

// measured are the outcomes of the scenario of a study and of its probes.
func measured(t *scenario.Template, d *design.Design, probes []Probe) []system.Outcome {
	return append(outcomesOf(t, d), probed(probes)...)
}

// Outcomes are those of the points, then the probes and the derived columns.
func (s *Study) Outcomes() []system.Outcome { return s.outcomes }

// Outcome returns the outcome of a name; of others, such as expressions, one without
// traits.
func (s *Study) Outcome(name string) system.Outcome {
	i := slices.IndexFunc(s.outcomes, func(o system.Outcome) bool { return o.Name == name })
	if i < 0 {
		return system.Outcome{Name: name}
	}
	return s.outcomes[i]
}

// AtDispatch returns levels with that of method dispatch, if a factor sets the method.
func (s *Study) AtDispatch(levels []int) []int {
	levels = slices.Clone(levels)
	for i := range s.Design.Factors {
		f := &s.Design.Factors[i]
		k := slices.Index(f.Paths, "method")
		for l := range f.Len() {
			if k >= 0 && f.Level(l).Settings[k].Value == dispatchMethod {
				levels[i] = l
			}
		}
	}
	return levels
}
