package findings

import (
	"fmt"
	"math"

	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/study/studytable"
	"github.com/isoscale/isoscale/experiments/internal/study/sweep"
)

// findUnequal says why times of all points cannot be compared, if they cannot.
func (r *Result) findUnequal() {
	perWork := r.Study.Outcome(r.Response.Name).PerWork
	if perWork == "" {
		return
	}
	if r.Study.Super() && r.differs(system.Work) {
		r.Unequal = fmt.Sprintf("The times of points are not compared: their work differs. %s, the work over the time, compares them per unit of work.", perWork)
		r.warn("%s", r.Unequal)
	}
	if !r.differs(system.Processes) {
		return // nor have super-programs any
	}
	u := r.Study.UnequalWork()
	if u == nil {
		return
	}
	r.Unequal = fmt.Sprintf("The times of points with different numbers of processes are not compared: the work of workload %s grows with the number of processes.", u.Workload)
	if u.Works {
		r.Unequal += fmt.Sprintf(" %s, the work done in a time, compares them per unit of work.", perWork)
	}
	r.warn("%s", r.Unequal)
}

// differs reports whether an outcome that points have is not the same at all of them.
func (r *Result) differs(outcome string) bool {
	return r.differsAmong(outcome, 0, func(studytable.Row) bool { return true })
}

// differsAmong is differs among some rows, by more than a relative tolerance.
func (r *Result) differsAmong(outcome string, tolerance float64, among func(studytable.Row) bool) bool {
	column, err := r.Table.ResponseIndex(outcome)
	if err != nil {
		return false
	}
	first := math.NaN()
	for _, row := range r.Table.Rows {
		switch n := row.Values[column]; {
		case math.IsNaN(n) || !among(row):
		case math.IsNaN(first):
			first = n
		case math.Abs(n-first) > tolerance*math.Abs(first):
			return true
		}
	}
	return false
}

// roundedAmong is at how many points findRounded looks at most.
const roundedAmong = 1000

// findRounded says how far points do other work than their plan says, because a
// simulation takes whole SIs.
func (r *Result) findRounded() {
	if !r.Study.Super() {
		return
	}
	points, furthest, most := 0, 0.0, ""
	for p := range sweep.Sample(r.Study.Design, roundedAmong) {
		c, err := r.Study.Scenario(p)
		if err != nil {
			continue
		}
		change, text := c.Super.Rounding()
		if text == "" {
			continue
		}
		points++
		if off := math.Abs(math.Log(change)); off >= furthest {
			furthest, most = off, r.Describe(p.Levels)+", where "+text
		}
	}
	if points == 0 {
		return
	}
	of := fmt.Sprintf("%d points", points)
	if points == 1 {
		of = "1 point"
	}
	if r.Points > roundedAmong {
		of = fmt.Sprintf("%d of %d points looked at", points, roundedAmong)
	}
	r.warn("at %s the plan asks for parts of SIs; furthest off is %s; the outcome work says what was done, and speedup compares it per unit of work", of, most)
}
