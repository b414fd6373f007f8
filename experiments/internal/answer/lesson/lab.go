package lesson

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/file/formula"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/experiments/internal/scenario/cluster"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/sim"
)

// Source has the files that a lesson names: documents or files on disk, in the given folder.
type Source struct {
	Documents scenario.Documents
	Folder    string
}

// read reads the file of a run with the values that the lesson sets.
func (s Source) read(r Run) (*scenario.Scenario, *scenario.SuperProgram, error) {
	x, super, err := s.Documents.ReadRunnable(path.Join(s.Folder, r.File), r.Set)
	if err != nil {
		return nil, nil, fmt.Errorf("run %s: %w", r.Name, yamldoc.InWordsOfTheFile(err))
	}
	if super != nil && r.Hold > 0 {
		return nil, nil, fmt.Errorf("run %s: %s is a super-program; expected a scenario, whose problem size can be searched for to hold %g", r.Name, r.File, r.Hold)
	}
	return x, super, nil
}

// Check reads the files of all runs of a lesson, and returns the first error.
func Check(l *Lesson, source Source) error {
	runs := slices.Clone(l.Runs)
	for _, s := range l.Steps {
		if s.Curve != nil {
			runs = each.Append(runs, s.Curve.Values, s.Curve.run)
		}
	}
	for _, r := range runs {
		if _, _, err := source.read(r); err != nil {
			return err
		}
	}
	return nil
}

// run returns the run of a point of a curve.
func (c *Curve) run(value string) Run {
	return Run{Name: c.Over + "=" + value, File: c.File,
		Set: append(slices.Clip(c.Set), input.Override{Path: c.Over, Value: value})}
}

// Lab carries out the runs of a lesson, each when it is needed for the first time.
type Lab struct {
	lesson *Lesson
	source Source
	values map[string]map[string]float64 // by the names of runs and of outcomes
}

// NewLab returns a lab for a lesson whose files are in source.
func NewLab(l *Lesson, source Source) *Lab {
	return &Lab{lesson: l, source: source, values: map[string]map[string]float64{}}
}

// Point is a point of a curve.
type Point struct {
	At    string  `json:"at"` // the value of the setting
	Value float64 `json:"value"`
}

// Answer is what the prediction of a step is compared with. Only the field for the kind
// of prediction is set.
type Answer struct {
	Number *float64 `json:"number,omitempty"`
	Choice *int     `json:"choice,omitempty"` // the number of the option that holds, from 0
	Curve  []Point  `json:"curve,omitempty"`
}

// Answer measures the answer of a step (counted from 0). It is nil for a step without a question.
func (b *Lab) Answer(ctx context.Context, step int) (*Answer, error) {
	s := b.lesson.Steps[step]
	switch {
	case s.Number != nil:
		x, err := b.value(ctx, s.Number.Answer)
		return &Answer{Number: &x}, err
	case s.Choice != nil:
		i, err := b.holds(ctx, s.Choice)
		if err != nil {
			err = fmt.Errorf("step %q: %w", s.Title, err)
		}
		return &Answer{Choice: &i}, err
	case s.Curve != nil:
		points, err := b.curve(ctx, s.Curve)
		return &Answer{Curve: points}, err
	}
	return nil, nil
}

func (b *Lab) Exercise(ctx context.Context, exercise int) (float64, error) {
	return b.value(ctx, b.lesson.Exercises[exercise].Answer)
}

// Fill returns a text with its expressions replaced by numbers.
func (b *Lab) Fill(ctx context.Context, t Text) (string, error) {
	var out strings.Builder
	at := 0
	for _, x := range t.blanks {
		value, err := b.value(ctx, x.value)
		if err != nil {
			return "", err
		}
		out.WriteString(t.source[at:x.from])
		out.WriteString(Print(value, x.unit))
		at = x.until
	}
	out.WriteString(t.source[at:])
	return out.String(), nil
}

// Print returns a value with three significant digits and its unit. A number without a
// unit keeps all digits before the point: 1014 is not 1010.
func Print(x float64, unit string) string {
	if unit == "" && (x == math.Trunc(x) || math.Abs(x) >= 1000) && math.Abs(x) < 1e15 {
		return fmt.Sprintf("%.0f", x)
	}
	if unit == "%" {
		x *= 100
	}
	x = input.Digits(x, 3)
	if text, ok := formula.Text(x, unit); ok {
		return text
	}
	if unit == "%" {
		return input.Number(x) + " %"
	}
	return input.Number(x)
}

func (b *Lab) value(ctx context.Context, e expression) (float64, error) {
	values, err := b.valuesOf(ctx, e.formula.Names())
	if err != nil {
		return 0, err
	}
	return e.value(values)
}

func (e expression) value(values map[string]float64) (float64, error) {
	x, err := e.formula.Number(values)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", e.text, err)
	}
	return x, nil
}

func (b *Lab) holds(ctx context.Context, c *Choice) (int, error) {
	found := -1
	for i, o := range c.Options {
		numbers, err := b.valuesOf(ctx, o.If.formula.Names())
		if err != nil {
			return 0, err
		}
		values := formula.Values{}
		for name, x := range numbers {
			values[name] = x
		}
		yes, err := o.If.formula.Holds(values)
		if err != nil {
			return 0, fmt.Errorf("%s: %w", o.If.text, err)
		}
		if !yes {
			continue
		}
		if found >= 0 {
			return 0, fmt.Errorf("two options hold, %q and %q; expected one", c.Options[found].Text, o.Text)
		}
		found = i
	}
	if found < 0 {
		return 0, errors.New("no option holds; expected one")
	}
	return found, nil
}

func (b *Lab) curve(ctx context.Context, c *Curve) ([]Point, error) {
	var points []Point
	values := map[string]float64{}
	for i, v := range c.Values {
		measured, err := measure(ctx, b.source, c.run(v))
		if err != nil {
			return nil, err
		}
		for name, x := range measured {
			values[name] = x
			if i == 0 {
				values[firstPoint+name] = x
			}
		}
		for _, name := range c.Of.formula.Names() {
			if _, ok := values[name]; !ok {
				return nil, fmt.Errorf("%s=%s has no %s", c.Over, v, name)
			}
		}
		x, err := c.Of.value(values)
		if err != nil {
			return nil, err
		}
		points = append(points, Point{v, x})
	}
	return points, nil
}

// valuesOf returns the values of names in the form RUN_OUTCOME, and carries out the runs
// that it needs.
func (b *Lab) valuesOf(ctx context.Context, names []string) (map[string]float64, error) {
	values := map[string]float64{}
	for _, name := range names {
		run, outcome, _ := strings.Cut(name, "_")
		measured, err := b.Measure(ctx, run)
		if err != nil {
			return nil, err
		}
		x, ok := measured[outcome]
		if !ok {
			return nil, fmt.Errorf("run %s has no %s", run, outcome)
		}
		values[name] = x
	}
	return values, nil
}

// Measure returns the outcomes of a run of the lesson by their names.
func (b *Lab) Measure(ctx context.Context, run string) (map[string]float64, error) {
	if measured, ok := b.values[run]; ok {
		return measured, nil
	}
	measured, err := measure(ctx, b.source, *b.lesson.runs[run])
	if err != nil {
		return nil, err
	}
	b.values[run] = measured
	return measured, nil
}

// measure carries out a run and returns its outcomes by name. The only outcome of a run
// that ends in a deadlock is finishes.
func measure(ctx context.Context, source Source, r Run) (map[string]float64, error) {
	s, super, err := source.read(r)
	if err != nil {
		return nil, err
	}
	more := system.More{Energy: true}
	values := map[string]float64{finishes: 1}
	var measured []float64
	if r.Hold > 0 {
		var x *system.Simulation
		if x, err = system.Hold(ctx, s, r.Hold); err == nil {
			values[size] = float64(x.N)
			measured, err = x.Outcomes(more)
		}
	} else {
		if s != nil {
			values[size] = float64(s.Workload.N)
		}
		measured, err = system.RunCaseWithin(ctx, &scenario.Case{Scenario: s, Super: super}, more, cluster.NoLimit)
	}
	if _, stuck := errors.AsType[*sim.DeadlockError](err); stuck {
		return map[string]float64{finishes: 0}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("run %s: %w", r.Name, err)
	}
	names := system.OutcomesOfScenarios(more)
	if super != nil {
		names = system.OutcomesOfSuperPrograms(0)
	}
	maps.Copy(values, system.ByName(names, measured))
	return values, nil
}
