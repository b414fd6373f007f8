package sweep

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/file/fault"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/experiments/internal/study/design"
	"github.com/isoscale/isoscale/experiments/internal/study/search"
	"github.com/isoscale/isoscale/experiments/internal/study/store"
)

// Study is a results directory that can be carried out and read. Its methods may
// be called by several goroutines at once.
type Study struct {
	Dir      *store.Dir
	About    About
	Template *scenario.Template
	Design   *design.Design
	Probes   []Probe
	Search   *search.Settings // nil: all points of the design are simulated
	Axes     []int            // the factors of the map, if [Study.Over] has chosen them

	outcomes []system.Outcome // of the scenario, then the derived columns
	derived  derived
	more     system.More // outcomes that not every case has
	limits   limits
	only     []level // what the analysis is limited to
}

// Open opens a results directory. It can be read even if another version of
// isoscale made it; [store.Dir.Resumable] says whether this one may go on with it.
func Open(dir string) (*Study, error) {
	d, err := store.Open(dir)
	if err != nil {
		return nil, err
	}
	bad := func(err error) error {
		return fmt.Errorf("%s/plan.json: %w; expected a plan written by 'isoscale sweep'", d.Path(), err)
	}
	s, err := readSpec(d.Plan().Spec)
	if err != nil {
		return nil, bad(err)
	}
	if n := s.points(); n != d.Plan().Points {
		return nil, bad(fmt.Errorf("the study has %d points and the directory %d", n, d.Plan().Points))
	}
	if n := len(s.columns()); n != len(d.Plan().Columns) {
		return nil, bad(fmt.Errorf("rows have %d cells and the directory has %d columns", n, len(d.Plan().Columns)))
	}
	s.Dir, s.About = d, readAbout(d.Path(), s.outcomes)
	return s, nil
}

// readSpec reads what a directory keeps of a plan: a study without a directory.
func readSpec(text json.RawMessage) (*Study, error) {
	var x spec
	if err := json.Unmarshal(text, &x); err != nil {
		return nil, err
	}
	base, err := yamldoc.ParseJSON("scenario", x.Scenario)
	if err != nil {
		return nil, err
	}
	var documents []input.Document
	for _, d := range x.Documents {
		root, err := yamldoc.ParseJSON(d.Name, d.Root)
		if err != nil {
			return nil, err
		}
		documents = append(documents, input.Document{Name: d.Name, Root: root})
	}
	root, err := yamldoc.ParseJSON("plan", x.Design)
	if err != nil {
		return nil, err
	}
	var decoder yamldoc.Decoder
	m := design.Object.Open(&decoder, root)
	s := &Study{Template: scenario.NewTemplate(base, documents), Design: design.Read(&decoder, m)}
	m.Done()
	s.more = moreOf(s.Template, s.Design)
	if x.Probes != nil && s.Design != nil {
		n, err := yamldoc.ParseJSON("probes", x.Probes)
		if err != nil {
			return nil, err
		}
		s.Probes = readProbes(&decoder, n, s.Design, outcomesOf(s.Template, s.Design))
	}
	s.outcomes = measured(s.Template, s.Design, s.Probes)
	if x.Derived != nil && s.Design != nil {
		n, err := yamldoc.ParseJSON("derived", x.Derived)
		if err != nil {
			return nil, err
		}
		s.derived = readDerived(&decoder, n, s.Design, s.Template.Root, s.outcomes)
		s.outcomes = append(s.outcomes, s.derived.outcomes()...)
	}
	if err := decoder.Err(); err != nil {
		return nil, err
	}
	if s.Search, err = search.ReadStored(x.Search, s.Design); err != nil {
		return nil, err
	}
	s.limits, err = readStoredLimits(x.Limits)
	return s, err
}

// evaluate computes the row of a point of the design. An error is about this computer or an
// interruption and says nothing about the point.
func (s *Study) evaluate(ctx context.Context, index int) (cells []string, took time.Duration, err error) {
	start := time.Now()
	p := s.Design.Point(index)
	limited, cancel := context.WithTimeout(ctx, s.limits.duration())
	defer cancel()
	seed, values, failure := s.simulate(limited, p)
	if time.Since(start) > s.limits.duration() { // also if it was done before it noticed
		values, failure = nil, s.limits.timeError()
	}
	var memory *fault.MemoryError
	switch {
	case ctx.Err() != nil:
		return nil, 0, ctx.Err()
	case errors.As(failure, &memory):
		return nil, 0, &PointError{Point: index, Levels: s.Design.Describe(p.Levels), Err: failure}
	}
	p.Seed = seed
	cells = make([]string, 0, len(s.Dir.Plan().Columns))
	if s.Search != nil {
		cells = append(cells, strconv.Itoa(index))
	}
	cells = row(cells, p, s.Design.Repetitions, values, len(s.outcomes), failure)
	return cells, time.Since(start), nil
}

// PointError is a point within the limits of the plan that this computer cannot
// simulate, though another one might.
type PointError struct {
	Point  int
	Levels string
	Err    error
}

func (e *PointError) Error() string {
	return fmt.Sprintf("point %d (%s): %v", e.Point, e.Levels, e.Err)
}
func (e *PointError) Unwrap() error { return e.Err }

// simulate carries out a point and returns the seed that it used. A panic is a
// mistake of ours, which must not take the other points of a study with it.
func (s *Study) simulate(ctx context.Context, p design.Point) (seed int64, values []float64, err error) {
	seed = p.Seed
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("internal error: %v", r)
		}
	}()
	c, err := s.Scenario(p)
	if err != nil {
		return seed, nil, err
	}
	values, err = system.RunCaseWithin(ctx, c, s.more, s.limits.memory)
	if err == nil {
		values, err = s.saved(ctx, p, values)
	}
	if err == nil {
		values, err = s.derived.values(p, s.outcomes, values)
	}
	return c.Seed(), values, err
}

// Scenario returns the scenario of a point.
func (s *Study) Scenario(p design.Point) (*scenario.Case, error) {
	all, err := changes(s.Design, &s.derived, p)
	if err != nil {
		return nil, err
	}
	return s.Template.Case(p.Seed, all...)
}
