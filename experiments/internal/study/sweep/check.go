package sweep

import (
	"errors"
	"fmt"
	"iter"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/study/design"
)

const (
	// looked is how many points are searched for one that has a level.
	looked = 20_000
	// allTried is the number of points up to which all are tried, which takes a
	// moment.
	allTried = 5000
	// tries is in how many points a level is tried before it is called wrong: a level
	// may need another one of some other factor.
	tries = 200
)

// trouble is the first point without a valid scenario, and the number of such points.
type trouble struct {
	point      design.Point
	err        error
	bad, tried int
}

// level names a level of a factor.
type level struct{ factor, level int }

// check makes a scenario of some points, without running it. A level that is
// wrong in every point that it was tried in is a problem of the plan; one that is
// wrong in some is a warning, because then rows will say so.
func (p *Plan) check() error {
	failed, good := map[level]error{}, map[level]int{}
	tried := map[level]int{}
	var first trouble
	for point := range Sample(p.Design, looked) {
		if p.Design.Points() > allTried && !worthTrying(point, tried, good) {
			continue
		}
		first.tried++
		err := p.readable(point)
		if err != nil {
			if first.bad++; first.err == nil {
				first.point, first.err = point, err
			}
		}
		for f, l := range point.Levels {
			at := level{f, l}
			tried[at]++
			if err == nil {
				good[at]++
			} else if failed[at] == nil {
				failed[at] = err
			}
		}
	}
	if first.err == nil {
		return nil
	}
	return p.blame(failed, tried, good, first)
}

// readable makes the scenarios of a point, also with the changes of the probes.
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
	step := max(1, int(0.6180339887*float64(n)))
next:
	for ; step > 1; step-- {
		for i := range d.Factors {
			if gcd(step, d.Factors[i].Len()) > 1 {
				continue next
			}
		}
		if gcd(step, d.Repetitions) == 1 && gcd(step, n) == 1 {
			break
		}
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

// worthTrying reports whether a point has a level of which nothing good is known yet.
func worthTrying(point design.Point, tried, good map[level]int) bool {
	for f, l := range point.Levels {
		if at := (level{f, l}); good[at] == 0 && tried[at] < tries {
			return true
		}
	}
	return false
}

// blame turns failed points into problems with the levels that always fail, or
// with a factor all of whose levels do, or into a warning.
func (p *Plan) blame(failed map[level]error, tried, good map[level]int, first trouble) error {
	var d yamldoc.Decoder
	for f := range p.Design.Factors {
		x := &p.Design.Factors[f]
		var wrong []level
		right := 0
		for l := range x.Len() {
			at := level{f, l}
			switch {
			case good[at] > 0:
				right++
			case failed[at] != nil:
				wrong = append(wrong, at)
			}
		}
		if right == 0 {
			continue // the fault may be another factor's, or the scenario's
		}
		for _, at := range wrong {
			l := x.Level(at.level)
			n := l.Settings[0].Value
			if n.Path() == "" { // computed
				n = x.Node
			}
			d.Fail(n, fmt.Sprintf("%s = %s is invalid (%s tried): %s", x.Name, l.Text, input.Plural(tried[at], "point"), reason(failed[at])), "")
		}
	}
	if err := d.Err(); err != nil {
		return err
	}
	if len(good) == 0 {
		return first.err // it has its place, in the plan or in the scenario
	}
	p.Warnings = append(p.Warnings, fmt.Sprintf("%d of %d checked points are invalid, and their rows will have an error instead of results; with %s: %s",
		first.bad, first.tried, p.Design.Describe(first.point.Levels), reason(first.err)))
	return nil
}

// reason is an error without places in files: they are of the scenario, and the
// problem is with a level.
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
