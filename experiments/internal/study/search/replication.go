package search

import (
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/study/analysis"
	"github.com/isoscale/isoscale/experiments/internal/study/design"
	"github.com/isoscale/isoscale/internal/each"
)

// A Replication chooses what to run again in a study whose runs depend on random numbers: first all configurations, as
// often as the design repeats them; then, while some may be as good as the best machine for their problem and
// condition, these and the best, twice as often each time. It ends when the best are told apart or its runs are spent.
// [analysis.Cells.Rank] allows for the repeated question.
type Replication struct {
	design *design.Design
	given  []bool // factors that are a problem or a condition
	goal   analysis.Goal
	table  analysis.Table
	chosen []int // points that are still to run
}

// NewReplication returns a replication without points. given says which factors are a problem or a condition.
func NewReplication(d *design.Design, factors []analysis.Factor, given []bool, maximize bool) *Replication {
	r := &Replication{design: d, given: given, goal: analysis.Minimize, chosen: each.Ascending(d.Points())}
	r.table = analysis.Table{Factors: factors, Responses: []analysis.Response{{Name: "objective"}}}
	if maximize {
		r.goal = analysis.Maximize
	}
	return r
}

// Add takes the value of a point, in the order of simulation; NaN if it could not be
// simulated.
func (r *Replication) Add(point int, value float64) {
	if len(r.chosen) == 0 { // an existing row, chosen by the rows before it
		r.choose()
	}
	p := r.design.Point(point)
	r.chosen = r.chosen[min(1, len(r.chosen)):]
	r.table.Rows = append(r.table.Rows, analysis.Row{Point: point, Repetition: p.Repetition, Levels: p.Levels, Values: []float64{value}})
}

// Next returns the points that are simulated next; nil at the end.
func (r *Replication) Next() []int {
	if len(r.chosen) == 0 {
		r.choose()
	}
	if len(r.chosen) == 0 {
		return nil
	}
	return slices.Clone(r.chosen)
}

// choose selects the next runs among configurations that may be the best.
func (r *Replication) choose() {
	all, base := r.design.Configurations(), r.design.Points()
	left := base + r.design.More - len(r.table.Rows)
	c, err := r.table.Gather("objective", r.goal)
	if err != nil {
		return // all failed
	}
	c.Least = r.design.Repetitions
	for len(c.List) > 0 {
		setting := slices.Clone(c.List[0].Levels)
		for k, given := range r.given {
			if !given {
				setting[k] = -1
			}
		}
		same := func(levels []int) bool { return analysis.Matches(levels, setting) }
		open, done := openOf(c.Where(same).Rank())
		for k := range min(done, left/max(len(open), 1)) {
			for _, point := range open {
				left--
				of := point / r.design.Repetitions
				r.chosen = append(r.chosen, base+(done-r.design.Repetitions+k)*all+of)
			}
		}
		c = c.Where(func(levels []int) bool { return !same(levels) })
	}
}

// openOf returns the first point of each configuration that may be the best, and the number of their repetitions; none
// if all others are told apart or equal.
func openOf(ranking []analysis.Ranked) (open []int, done int) {
	for _, x := range ranking {
		if x.WithinNoise && !x.Equal {
			open = append(open, x.Rows[0].Point)
			done = max(done, x.Rows[len(x.Rows)-1].Repetition)
		}
	}
	if len(open) < 2 {
		return nil, 0
	}
	return open, done
}
