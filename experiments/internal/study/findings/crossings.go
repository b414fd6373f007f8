package findings

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/study/analysis"
	"github.com/isoscale/isoscale/experiments/internal/study/design"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/internal/each"
)

// A Crossing is where the best machine changes as a problem or condition grows.
type Crossing struct {
	Factor string `json:"factor"` // the problem or condition
	// At is the value of the factor, in its unit, at which both are equally good, to within the interval.
	At       float64    `json:"at"`
	Interval [2]float64 `json:"interval"`
	From     Rival      `json:"from"` // the best below
	To       Rival      `json:"to"`   // the best above
	// Near counts the other machines within 1 % of these two there.
	Near int `json:"near"`
}

// A Rival is a machine at a crossing.
type Rival struct {
	Levels map[string]string `json:"levels"`
	Value  analysis.Number   `json:"value"` // of the objective there; none where the machine cannot run the problem

	at    []int
	shape int // index in shapes
}

const (
	crossingWidth = 0.002 // of the interval of a crossing, relative to its value
	nearlyBest    = 1     // per cent, of the speedup where the objective is its logarithm
)

// infeasible is the value of a machine that cannot run the problem, whatever the direction of the objective.
var infeasible = math.Inf(1)

// crosser looks for crossings over one factor that is a problem or a condition.
type crosser struct {
	*Result
	ctx    context.Context
	factor int
	whole  bool    // levels must be whole numbers
	shapes [][]int // all machines, by the levels of all factors
	known  map[float64][]float64
	runs   int
	err    error // of the first simulation that failed; none follows it
}

// FindCrossings simulates more points to locate where another machine becomes the best between the levels of the only
// problem or condition. Neighbouring levels with different best machines have a crossing between them. It is found by
// bisection on where these two are equally good; then all other machines are tried there, and a better one has a
// crossing on either side. A machine that is the best only between two levels with the same best machine is not found.
func (r *Result) FindCrossings(ctx context.Context) error {
	given := each.Where(nil, r.varied(), func(k int) bool { return r.Study.Role(k) != design.RoleMachine })
	switch {
	case len(given) != 1 || !r.Table.Factors[given[0]].Numeric:
		return errors.New("crossings need one factor that is a problem or a condition, and a number; see the key role of factors")
	case r.Problems == nil:
		return errors.New("crossings need points that are compared, in a factorial design without a search")
	case r.Study.Design.Repetitions > 1:
		return errors.New("crossings need a study without repetitions")
	}
	c := &crosser{Result: r, ctx: ctx, factor: given[0], known: map[float64][]float64{}}
	f := &r.Table.Factors[c.factor]
	c.whole = f.Unit == "" && !slices.ContainsFunc(f.Levels, func(l analysis.Level) bool { return l.Value != math.Trunc(l.Value) })
	for _, x := range r.Cells.List {
		shape := slices.Clone(x.Levels)
		shape[c.factor] = 0
		if !slices.ContainsFunc(c.shapes, func(s []int) bool { return slices.Equal(s, shape) }) {
			c.shapes = append(c.shapes, shape)
		}
	}
	r.Crossings = []Crossing{}
	order := f.Order()
	for i := 1; i < len(order); i++ {
		low, high := f.Levels[order[i-1]].Value, f.Levels[order[i]].Value
		c.between(low, c.best(low), high, c.best(high))
	}
	if c.err != nil {
		return c.err
	}
	r.Provenance.Simulations += c.runs
	r.crosser = c
	r.find()
	return nil
}

// crossingSection shows, for each machine that is the best somewhere, how much worse than the best it is at the levels
// of the factor and at the crossings, where all machines are known, and lists the crossings.
func (r *sections) crossingSection() *report.Section {
	c := r.crosser
	if c == nil || len(r.Crossings) == 0 {
		return nil
	}
	f := r.Table.Factors[c.factor]
	best := map[int]bool{}
	least := map[float64]float64{} // where all machines are known
	for x, values := range c.known {
		if !slices.ContainsFunc(values, math.IsNaN) {
			i := c.best(x)
			best[i], least[x] = true, values[i]
		}
	}
	at := slices.Sorted(maps.Keys(least))
	var series []report.Series
	for i := range c.shapes {
		if !best[i] {
			continue
		}
		line := report.Series{Name: r.Describe(c.machine(i))}
		for _, x := range at {
			value := c.known[x][i]
			if s := c.Cells.Shortfall(value, least[x]); value != infeasible && s.Percent.Exists() {
				line.X, line.Y = append(line.X, x), append(line.Y, float64(s.Percent))
			}
		}
		series = append(series, line)
	}
	chart := lines("Machines that are the best somewhere", r.axis(f.Name, f.Unit), report.Axis{Title: "worse than the best by", Unit: "%"}, series...)
	chart.Y.Log = false
	chart.Caption = fmt.Sprintf("A machine on the axis is the best there. Points are levels, and crossings, where %s compared.",
		input.Plural(len(c.shapes), "machine")+" were")
	t := &report.Table{Title: "Crossings", Columns: []report.Column{{Title: r.label(f.Name), Unit: f.Unit, Numeric: true}, number("from", f.Unit),
		number("to", f.Unit), {Title: "best below"}, {Title: "best above"}, number("others within 1 %")}}
	for _, x := range r.Crossings {
		ends := []float64{x.At, x.Interval[0], x.Interval[1]}
		cells := each.Of(ends, func(v float64) string { return fmt.Sprintf("%.4g", v) })
		t.Rows = append(t.Rows, append(cells, r.Describe(x.From.at), r.Describe(x.To.at), fmt.Sprint(x.Near)))
	}
	return &report.Section{Heading: "Which machine, when", Text: r.CrossingsInWords(), Blocks: []report.Block{chart, t}}
}

// value returns how good a machine is at a value of the factor: the objective, simulated if it is not yet known; NaN
// after an error.
func (c *crosser) value(at float64, shape int) float64 {
	values, ok := c.known[at]
	if !ok {
		values = slices.Repeat([]float64{math.NaN()}, len(c.shapes))
		c.known[at] = values
		for l, level := range c.Table.Factors[c.factor].Levels {
			for i, s := range c.shapes {
				levels := slices.Clone(s)
				if levels[c.factor] = l; level.Value == at {
					values[i] = infeasible // unless it has a value
					if k := c.Cells.Find(levels); k >= 0 {
						values[i] = c.Cells.List[k].Mean
					}
				}
			}
		}
	}
	if math.IsNaN(values[shape]) && c.err == nil {
		v, err := c.Study.ObjectiveAt(c.ctx, c.shapes[shape], c.factor, at)
		if _, beyond := errors.AsType[*system.InfeasibleError](err); beyond {
			v, err = infeasible, nil
		}
		if err != nil {
			v, c.err = math.NaN(), fmt.Errorf("%s at %s = %g: %w", c.Describe(c.machine(shape)), c.Table.Factors[c.factor].Name, at, err)
		}
		values[shape] = v
		c.runs++
	}
	return values[shape]
}

// better reports whether a value is clearly better than another; any feasible value is better than an infeasible one.
func (c *crosser) better(a, b float64) bool {
	if a == infeasible || b == infeasible {
		return a != infeasible && b == infeasible
	}
	return c.Cells.Goal.Better(a, b)
}

func (c *crosser) rival(shape int, value float64) Rival {
	at := c.machine(shape)
	return Rival{Levels: c.Table.Levels(at), Value: analysis.Number(value), at: at, shape: shape}
}

func (c *crosser) machine(shape int) []int {
	at := slices.Clone(c.shapes[shape])
	at[c.factor] = -1
	return at
}

// best returns the best machine at a level.
func (c *crosser) best(at float64) int {
	best := 0
	for i := range c.shapes {
		if c.better(c.value(at, i), c.value(at, best)) {
			best = i
		}
	}
	return best
}

// between adds the crossings between two values whose best machines are known.
func (c *crosser) between(low float64, a int, high float64, b int) {
	for _, at := range []float64{low, high} { // if both are equally good at one end, no crossing lies between
		x, y := c.value(at, a), c.value(at, b)
		if a == b || !c.better(x, y) && !c.better(y, x) {
			return
		}
	}
	from, to := low, high
	for to-from > crossingWidth*max(math.Abs(from), math.Abs(to)) && !(c.whole && to-from <= 1) {
		mid := from + (to-from)/2
		if from > 0 && to > 2*from {
			mid = math.Sqrt(from * to)
		}
		if c.whole {
			mid = math.Round(mid)
		}
		if x, y := c.value(mid, a), c.value(mid, b); c.better(y, x) {
			to = mid
		} else {
			from = mid
		}
	}
	y, x := c.value(to, a), c.value(to, b)
	third, near, best := b, 0, x
	for i := range c.shapes {
		v := c.value(to, i)
		if c.better(v, best) {
			third, best = i, v
		}
		if i == a || i == b || v == infeasible {
			continue
		}
		if s := c.Cells.Shortfall(v, x); s.Percent.Exists() && s.Percent <= nearlyBest {
			near++
		}
	}
	if third != b && third != a && from > low && to < high {
		c.between(low, a, to, third)
		c.between(to, third, high, b)
		return
	}
	c.Crossings = append(c.Crossings, Crossing{Factor: c.Table.Factors[c.factor].Name, At: from + (to-from)/2,
		Interval: [2]float64{from, to}, From: c.rival(a, y), To: c.rival(b, x), Near: near})
}

// CrossingsInWords says where another machine becomes the best.
func (r *Result) CrossingsInWords() []string {
	if r.Crossings == nil {
		return nil
	}
	if len(r.Crossings) == 0 {
		return []string{"Neighbouring levels have the same best machine, or one as good, so no crossing was looked for."}
	}
	var lines []string
	for _, x := range r.Crossings {
		f := &r.Table.Factors[r.crosser.factor]
		written := func(v float64) string { return quantity(input.Digits(v, 4), f.Unit) }
		text := fmt.Sprintf("From %s = %s on (%s to %s), %s is better than %s", x.Factor, written(x.At), written(x.Interval[0]),
			written(x.Interval[1]), r.Describe(x.To.at), r.Describe(x.From.at))
		if x.Near > 0 {
			text += fmt.Sprintf("; %s within %v %% there", input.Plural(x.Near, "other"), nearlyBest)
		}
		for _, k := range f.Order() { // the first level above at which neither is better
			at, better := f.Levels[k].Value, r.crosser.better
			a, b := r.crosser.value(at, x.From.shape), r.crosser.value(at, x.To.shape)
			if at > x.At && a != infeasible && !better(a, b) && !better(b, a) {
				text += fmt.Sprintf("; at %s = %s they are equally good", x.Factor, written(at))
				break
			}
		}
		lines = append(lines, text+".")
	}
	return lines
}
