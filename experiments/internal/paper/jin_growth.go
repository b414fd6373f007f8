package paper

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/report"
)

// jinUpdate answers the questions of [Jin] section 3 about the best configuration of a size: which level to double
// next, what that gains per cost, and where steepest ascent from one node has arrived at this size.
type jinUpdate struct {
	optimum configuration
	gain    [2]float64 // Eq. 13
	level   int        // 0 or 1, the level to double: the one with the larger gain per price
	// efficiency of doubling it, Eq. 11, with a price of 1 per doubling, and with a price of 1 per added node.
	byDoubling, byNode float64
	walk               configuration
	shortfall          float64 // of the walk in log2 S
}

// updates follows the best configurations from one node to the last but one size.
func (k *jinCase) updates() []jinUpdate {
	var all []jinUpdate
	for r := range 2 * jinRange {
		u := jinUpdate{optimum: k.best(r), walk: configuration(k.ascent.Steps[r].At)}
		best, _ := k.double(u.optimum)
		u.gain, u.level = k.gains(u.optimum), best.Factor
		u.byDoubling, u.byNode = float64(best.Efficiency), best.Gain/math.Exp2(float64(r))
		u.shortfall = k.at(u.optimum) - k.at(u.walk)
		all = append(all, u)
	}
	return all
}

// breakEven is the ratio of the prices of level 1 and level 2 at which doubling either is equally good; NaN if one of
// them gains nothing.
func (u *jinUpdate) breakEven() float64 {
	if u.gain[0] > 0 && u.gain[1] > 0 {
		return u.gain[0] / u.gain[1]
	}
	return math.NaN()
}

// growth answers the questions of section 3 for a case. Table I prints the speedups of case 1, so its differences are
// the gains of doublings.
func (k *jinCase) growth(t *draftTable) {
	for r, u := range k.updates() {
		row := fmt.Sprintf("r=%d", r)
		printed, known := k.printedGains(u.optimum)
		value := func(column string, v float64) {
			if !math.IsNaN(v) {
				t.value(row, column, v, Recomputed)
			}
		}
		for i, gain := range u.gain {
			column := fmt.Sprintf("gain of doubling level %d [1]", i+1)
			if known && !math.IsNaN(gain) {
				p := printed[i]
				t.add(compare(row, column, p, gain, gain-p.Place, gain+p.Place, Recomputed))
			} else {
				value(column, gain)
			}
		}
		const level = "level to double [1]"
		if decided, ok := decidedLevel(printed); known && ok {
			t.compare(row, level, counted(decided+1), float64(u.level+1), Recomputed)
		} else {
			value(level, float64(u.level+1))
		}
		value("E, price 1 for a doubling [1]", u.byDoubling)
		value("E, price 1 for a node [1]", u.byNode)
		value("Price_1/Price_2 at which both are as good [1]", u.breakEven())
		value("r1 of steepest ascent [log2 nodes]", float64(u.walk[0]))
		value("log2 S that steepest ascent misses [1]", u.shortfall)
	}
	t.set("ascent", "%s", k.ascends())
	if k.number == 1 {
		agree, decided := k.agreement()
		t.set("agree", "%d", agree)
		t.set("decided", "%d", decided)
	}
}

// printedGains returns the differences of Table I from a configuration, whose last places add up; known is false for
// cases without a printed table.
func (k *jinCase) printedGains(c configuration) (gain [2]Printed, known bool) {
	if k.number != 1 {
		return gain, false
	}
	s := load("jin_table1")
	at := func(r1, r2 int) Printed { return s.printed(r2, fmt.Sprintf("r1=%d", r1)) }
	here := at(c[0], c[1])
	for i := range gain {
		gain[i] = Printed{Value: math.Inf(-1)} // the level is at its limit
		to := c
		to[i]++
		if to[i] <= jinRange {
			there := at(to[0], to[1])
			// Rounded far below the last place, because a difference of decimals is a decimal.
			difference := math.Round(1e9*(there.Value-here.Value)) / 1e9
			gain[i] = Printed{Value: difference, Place: (here.Place + there.Place) / 2}
		}
	}
	return gain, true
}

// decidedLevel returns the level with the larger printed gain, if the digits decide.
func decidedLevel(gain [2]Printed) (level int, ok bool) {
	difference := gain[1].Value - gain[0].Value
	if difference > 0 {
		level = 1
	}
	return level, math.Abs(difference) > gain[0].Place+gain[1].Place
}

// agreement counts the configurations at which Table I decides which level to double, and those among them at which our
// values agree.
func (k *jinCase) agreement() (agree, decided int) {
	k.where(func(c configuration) bool {
		printed, _ := k.printedGains(c)
		if level, ok := decidedLevel(printed); ok && c[0] < jinRange && c[1] < jinRange {
			decided++
			if ours, _ := k.double(c); ours.Factor == level {
				agree++
			}
		}
		return false
	})
	return agree, decided
}

// ascends says how far steepest ascent from one node follows the optimum.
func (k *jinCase) ascends() string {
	if len(k.ascent.Misses) == 0 {
		return "is at the optimum of every size"
	}
	var missed []string
	for _, m := range k.ascent.Misses {
		missed = append(missed, fmt.Sprintf("r = %v, where it has %v and %v is better by %.2g in log2 S",
			m.Size, configuration(m.Walk.At), configuration(m.Best.At), m.By))
	}
	return "misses the optimum at " + strings.Join(missed, "; ")
}

// shrinks returns the configurations at which halving a level gains, and more than any doubling.
func (k *jinCase) shrinks() []configuration {
	return k.where(func(c configuration) bool {
		best, down := 0.0, false
		for _, d := range []configuration{{1, 0}, {0, 1}, {-1, 0}, {0, -1}} {
			to := configuration{c[0] + d[0], c[1] + d[1]}
			if min(to[0], to[1]) < 0 || max(to[0], to[1]) > jinRange {
				continue
			}
			if gain := k.at(to) - k.at(c); gain > best {
				best, down = gain, d[0]+d[1] < 0
			}
		}
		return down
	})
}

// growthBlocks draws the answers of growth.
func (k *jinCase) growthBlocks(d *draft) []report.Block {
	number := fmt.Sprint(k.number)
	t := chartOf[report.Table](d, "updates", "${case}", number)
	chart := chartOf[report.LineChart](d, "growth", "${case}", number)
	chart.Series = []report.Series{{Name: "doubling level 1"}, {Name: "doubling level 2"}}
	cell := func(format string, v float64) string {
		if math.IsNaN(v) {
			return ""
		}
		return fmt.Sprintf(format, v)
	}
	for r, u := range k.updates() {
		misses := math.NaN()
		if u.shortfall > 1e-12 {
			misses = u.shortfall
		}
		t.Rows = append(t.Rows, []string{
			fmt.Sprint(r), u.optimum.String(), cell("%.5g", k.at(u.optimum)), cell("%.4f", u.gain[0]), cell("%.4f", u.gain[1]),
			fmt.Sprintf("level %d", u.level+1), cell("%.4f", u.byDoubling), cell("%.3g", u.byNode), cell("%.4f", u.breakEven()),
			u.walk.String(), cell("%.2g", misses)})
		for i, g := range u.gain {
			if s := &chart.Series[i]; !math.IsNaN(g) {
				s.X, s.Y = append(s.X, float64(r)), append(s.Y, g)
			}
		}
	}
	return []report.Block{chart, t}
}

// jinGrowthClaims checks the statements of sections 5.1 to 5.3 about how cases 1 and 2 grow.
func jinGrowthClaims(d *draft, cases []*jinCase) {
	for i := range 2 {
		d.claim("steepest ascent "+cases[i].ascends(), len(cases[i].ascent.Misses) == 0)
	}
	shrinks := cases[1].shrinks()
	elsewhere := func(c configuration) bool { return c[0] < jinRange || c[1] <= 7 }
	d.claim(list(shrinks), len(shrinks) == 2 && !slices.ContainsFunc(shrinks, elsewhere))
}
