package sweep

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/study/design"
)

const (
	// looked bounds the points that are searched for one that has a level.
	looked = 20_000
	// allTried is the number of points up to which all are tried, which takes only a moment.
	allTried = 5000
	// tries is the number of points in which a level is tried before it is called wrong: it may need a particular level
	// of another factor.
	tries = 200
)

// level names a level of a factor.
type level struct{ factor, level int }

// trial counts the points in which a level was tried and was right, with the first error.
type trial struct {
	tried, good int
	err         error
}

// check builds the scenarios of some points without running them. A level that is wrong in every point in which it was
// tried is a problem of the plan; one that is wrong in some is a warning, because the rows will say so. A value of the
// scenario must be right even where levels replace it.
func (p *Plan) check() error {
	if changes, err := p.changes(p.Design.Point(0)); err == nil {
		if err := p.Template.CheckReplaced(changes...); err != nil {
			return err
		}
	}
	trials := map[level]trial{}
	var all trial
	var first design.Point // that failed
	for point := range Sample(p.Design, looked) {
		if p.Design.Points() > allTried && !worthTrying(point, trials) {
			continue
		}
		err := p.readable(point)
		if err != nil && all.err == nil {
			first = point
		}
		all = all.with(err)
		for f, l := range point.Levels {
			trials[level{f, l}] = trials[level{f, l}].with(err)
		}
	}
	if all.err == nil {
		return nil
	}
	if err := p.blame(trials); err != nil {
		return err
	}
	if all.good == 0 {
		return all.err // it has its place, in the plan or in the scenario
	}
	p.Warnings = append(p.Warnings, fmt.Sprintf("%d of %d checked points are invalid, and their rows will have an error instead of results; for example with %s: %s",
		all.tried-all.good, all.tried, p.Design.Describe(first.Levels), reason(all.err)))
	return nil
}

func (t trial) with(err error) trial {
	if t.tried++; err == nil {
		t.good++
	}
	t.err = cmp.Or(t.err, err)
	return t
}

// readable builds the scenarios of a point, also with the changes of the probes.
func (s *Study) readable(p design.Point) error {
	_, err := s.Scenario(p)
	for i := range s.Probes {
		if err != nil {
			break
		}
		_, err = s.probedScenario(p, &s.Probes[i])
	}
	return err
}

// Sample yields points that lie evenly among all: steps of about the golden section
// of their number, which has no factor in common with the number of levels of any
// factor, so that all levels come up.
func Sample(d *design.Design, most int) iter.Seq[design.Point] {
	n := d.Points()
	periods := []int{n, d.Repetitions}
	for i := range d.Factors {
		periods = append(periods, d.Factors[i].Len())
	}
	step := max(1, int(0.6180339887*float64(n)))
	for step > 1 && slices.ContainsFunc(periods, func(period int) bool { return gcd(step, period) > 1 }) {
		step--
	}
	return func(yield func(design.Point) bool) {
		at := 0
		for range min(n, most) {
			if !yield(d.Point(at)) {
				return
			}
			at = (at + step) % n
		}
	}
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// worthTrying reports whether a point has a level that has not yet been right anywhere.
func worthTrying(point design.Point, trials map[level]trial) bool {
	for f, l := range point.Levels {
		if t := trials[level{f, l}]; t.good == 0 && t.tried < tries {
			return true
		}
	}
	return false
}

// blame turns failed points into problems of the levels that always fail. If all levels of a factor fail, the fault may
// lie with another factor or the scenario.
func (p *Plan) blame(trials map[level]trial) error {
	var d yamldoc.Decoder
	right := map[int]bool{} // factors
	for at, t := range trials {
		right[at.factor] = right[at.factor] || t.good > 0
	}
	for f := range p.Design.Factors {
		x := &p.Design.Factors[f]
		for i := range x.Len() {
			t := trials[level{f, i}]
			if t.good > 0 || t.err == nil || !right[f] {
				continue
			}
			l := x.Level(i)
			n := l.Settings[0].Value
			if n.Path() == "" { // computed
				n = x.Node
			}
			d.Fail(n, fmt.Sprintf("%s = %s is invalid (%s tried): %s", x.Name, l.Text, input.Plural(t.tried, "point"), reason(t.err)), "")
		}
	}
	return d.Err()
}

// reason returns an error without its places in files: these are in the scenario, but the problem is a level.
func reason(err error) string {
	var problems yamldoc.Problems
	if !errors.As(err, &problems) {
		return err.Error()
	}
	x := problems[0]
	text := x.Msg
	if x.Path != "" {
		text = x.Path + ": " + text
	}
	if x.Want != "" {
		text += "; expected " + x.Want
	}
	return text
}
