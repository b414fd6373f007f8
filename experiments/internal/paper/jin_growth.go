package paper

import (
	"fmt"
	"math"
	"strings"

	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/model/scalability"
	"github.com/isoscale/isoscale/model/units"
)

// jinUpdate is what [Jin] section 3 asks of the best configuration of a size: which
// level to double next, what that brings for its cost, and where steepest ascent from
// one node has come to at this size.
type jinUpdate struct {
	optimum [2]int
	value   float64    // log2 S of the optimum
	gain    [2]float64 // of doubling either level, Eq. 13; NaN if it is at its limit
	level   int        // to double, 0 or 1: the one with the larger gain for its price
	// efficiency of doubling it, Eq. 11, with a price of 1 for each doubling, and with
	// a price of 1 for each node that it adds.
	byDoubling, byNode float64
	walk               [2]int
	shortfall          float64 // of the walk in log2 S
}

// satisfaction is U of the case: log2 of the speedup over (r1, r2).
func (k *jinCase) satisfaction() scalability.Satisfaction {
	return func(r []float64) float64 { return k.speedup(r[0], r[1]) }
}

// gains are those of doubling either level, NaN where it is at its limit.
func (k *jinCase) gains(r1, r2 int) [2]float64 {
	var g [2]float64
	for i, r := range [2]int{r1, r2} {
		g[i] = math.NaN()
		if r < jinRange {
			var err error
			if g[i], err = k.satisfaction().Dimension([]float64{float64(r1), float64(r2)}, i, 1, nil); err != nil {
				panic(fmt.Sprintf("paper: case %d at (%d, %d): %v", k.number, r1, r2, err))
			}
		}
	}
	return g
}

// updates follows the best configurations from one node to the largest but one.
func (k *jinCase) updates() []jinUpdate {
	var all []jinUpdate
	var walk [2]int
	for r := range 2 * jinRange {
		var u jinUpdate
		u.optimum[0], u.optimum[1] = k.best(r)
		u.value = k.speedup(float64(u.optimum[0]), float64(u.optimum[1]))
		u.gain = k.gains(u.optimum[0], u.optimum[1])
		u.level = betterUpdate(u.gain)
		u.byDoubling = efficiency(u.gain[u.level], 1)
		u.byNode = efficiency(u.gain[u.level], math.Exp2(float64(r)))
		u.walk, u.shortfall = walk, u.value-k.speedup(float64(walk[0]), float64(walk[1]))
		all = append(all, u)
		walk[betterUpdate(k.gains(walk[0], walk[1]))]++
	}
	return all
}

// betterUpdate is the level whose doubling gains more, at equal prices: the edge of
// [Jin] section 4.3. Of equal ones it is the first.
func betterUpdate(gain [2]float64) int {
	var levels []int
	var gains []float64
	var prices []units.Money
	for i, g := range gain {
		if !math.IsNaN(g) {
			levels, gains, prices = append(levels, i), append(gains, g), append(prices, units.Money{Amount: 1})
		}
	}
	edge, err := scalability.EdgeScalability(gains, prices)
	if err != nil {
		panic(fmt.Sprintf("paper: gains %v: %v", gain, err))
	}
	return levels[edge.Dimensions[0]]
}

// efficiency is the gain for a doubling of some price.
func efficiency(gain, price float64) float64 {
	cost, err := scalability.UpdateCost([]units.Money{{Amount: price}}, []float64{1})
	if err == nil {
		gain, err = scalability.UpdateEfficiency(gain, cost)
	}
	if err != nil {
		panic(fmt.Sprintf("paper: %v", err))
	}
	return gain
}

// growthTable answers the questions of section 3 for a case. Table I prints the
// speedups of case 1, so that its differences are the gains of doublings.
func (k *jinCase) growthTable() Table {
	t := Table{ID: fmt.Sprintf("jin_fig%d_growth", k.number), Title: fmt.Sprintf("Section 5.%d: how to grow, case %d", k.number, k.number),
		Formula: "gain_i = U(r_i + 1) - U(r_i), U = log2 S (Eq. 13 with a step of 1); E = gain_i/(Price_i Delta r_i) (Eq. 10, 11), at the optimum of each size r = r1 + r2"}
	columns := [2]string{"gain of doubling level 1 [1]", "gain of doubling level 2 [1]"}
	const level, byDoubling, byNode, breakEven = "level to double [1]", "E, price 1 for a doubling [1]", "E, price 1 for a node [1]", "Price_1/Price_2 at which both are as good [1]"
	const walked, short = "r1 of steepest ascent [log2 nodes]", "log2 S that steepest ascent misses [1]"
	for r, u := range k.updates() {
		row := fmt.Sprintf("r=%d", r)
		printed, known := k.printedGains(u.optimum)
		value := func(column string, v float64) { t.Values = append(t.Values, Value{row, column, v, Recomputed}) }
		for i, gain := range u.gain {
			switch {
			case math.IsNaN(gain):
			case known:
				p := printed[i]
				t.Cells = append(t.Cells, CompareRange(row, columns[i], p, gain, gain-p.Place, gain+p.Place, Recomputed))
			default:
				value(columns[i], gain)
			}
		}
		if decided, ok := decidedLevel(printed); known && ok {
			t.Cells = append(t.Cells, Compare(row, level, Printed{Text: fmt.Sprint(decided + 1), Value: float64(decided + 1), Place: 1}, float64(u.level+1), Recomputed))
		} else {
			value(level, float64(u.level+1))
		}
		value(byDoubling, u.byDoubling)
		value(byNode, u.byNode)
		if u.gain[0] > 0 && u.gain[1] > 0 {
			value(breakEven, u.gain[0]/u.gain[1])
		}
		value(walked, float64(u.walk[0]))
		value(short, u.shortfall)
	}
	t.Notes = []string{"Steepest ascent from one node " + k.ascent() + "."}
	if k.number == 1 {
		agree, decided := k.agreement()
		t.Notes = append(t.Notes, fmt.Sprintf("On the paper's side are differences of the numbers of Table I. Over all configurations, they decide which level to double at %d of 81; ours is the same at %d of these.", decided, agree))
	} else {
		t.Notes = append(t.Notes, "The paper prints no number of this case but w_1, w_2, c_1 and c_2.")
	}
	t.Notes = append(t.Notes, "The paper prints no price. With equal prices of a doubling, or of a node, the level with the larger gain is the better update; with others, it is level 1 as long as Price_1/Price_2 is below the ratio of the gains.")
	return t
}

// printedGains are the differences of Table I from a configuration, whose last places
// add up; known is false for cases of which no table is printed.
func (k *jinCase) printedGains(c [2]int) (gain [2]Printed, known bool) {
	if k.number != 1 {
		return gain, false
	}
	s := Load("jin_table1")
	at := func(r1, r2 int) Printed { return s.Printed(r2, fmt.Sprintf("r1=%d", r1)) }
	here := at(c[0], c[1])
	for i := range gain {
		gain[i] = Printed{Value: math.NaN()}
		to := c
		to[i]++
		if to[i] <= jinRange {
			there := at(to[0], to[1])
			// Rounded far below the last place: a difference of decimals is one.
			gain[i] = Printed{Value: math.Round(1e9*(there.Value-here.Value)) / 1e9, Place: (here.Place + there.Place) / 2}
		}
	}
	return gain, true
}

// decidedLevel is the level with the larger printed gain, if their digits tell.
func decidedLevel(gain [2]Printed) (level int, ok bool) {
	switch a, b := gain[0], gain[1]; {
	case math.IsNaN(a.Value):
		return 1, true
	case math.IsNaN(b.Value):
		return 0, true
	case a.Value-b.Value > a.Place+b.Place:
		return 0, true
	case b.Value-a.Value > a.Place+b.Place:
		return 1, true
	}
	return 0, false
}

// agreement counts the configurations at which Table I decides which level to double,
// and those of them at which ours is the same.
func (k *jinCase) agreement() (agree, decided int) {
	for r1 := range jinRange {
		for r2 := range jinRange {
			printed, _ := k.printedGains([2]int{r1, r2})
			if level, ok := decidedLevel(printed); ok {
				decided++
				if level == betterUpdate(k.gains(r1, r2)) {
					agree++
				}
			}
		}
	}
	return agree, decided
}

// missed returns the sizes at which steepest ascent is worse than the optimum, in
// words.
func (k *jinCase) missed() []string {
	var all []string
	for r, u := range k.updates() {
		if u.shortfall > 1e-12 {
			all = append(all, fmt.Sprintf("r = %d, where it has %s and %s is better by %.2g in log2 S", r, configuration(u.walk), configuration(u.optimum), u.shortfall))
		}
	}
	return all
}

// ascent says how far steepest ascent from one node follows the optimum.
func (k *jinCase) ascent() string {
	if missed := k.missed(); missed != nil {
		return "misses the optimum at " + strings.Join(missed, "; ")
	}
	return "is at the optimum of every size"
}

// shrinks returns the configurations from which halving a level gains, and gains more
// than any doubling.
func (k *jinCase) shrinks() [][2]int {
	var all [][2]int
	for r1 := range jinRange + 1 {
		for r2 := range jinRange + 1 {
			here, best, down := k.speedup(float64(r1), float64(r2)), 0.0, false
			for _, d := range [][2]int{{1, 0}, {0, 1}, {-1, 0}, {0, -1}} {
				a, b := r1+d[0], r2+d[1]
				if a < 0 || b < 0 || a > jinRange || b > jinRange {
					continue
				}
				if gain := k.speedup(float64(a), float64(b)) - here; gain > best {
					best, down = gain, d[0]+d[1] < 0
				}
			}
			if down {
				all = append(all, [2]int{r1, r2})
			}
		}
	}
	return all
}

// growthFigure draws the answers of growthTable.
func (k *jinCase) growthFigure() Figure {
	t := &report.Table{Title: fmt.Sprintf("Case %d: the best configuration of each size, and the best update from there", k.number),
		Caption: "E: gain in log2 of the speedup for its cost (Eq. 11), with a price of 1 for a doubling, and for a node. Both as good: the ratio of the prices of doubling level 1 and level 2 up to which level 1 is the better update.",
		Columns: []report.Column{{Title: "r", Numeric: true}, {Title: "best (r1,r2)"}, {Title: "log2 S", Numeric: true}, {Title: "gain of level 1", Numeric: true}, {Title: "gain of level 2", Numeric: true},
			{Title: "best update"}, {Title: "E by doubling", Numeric: true}, {Title: "E by node", Numeric: true}, {Title: "both as good", Numeric: true}, {Title: "steepest ascent"}, {Title: "misses", Numeric: true}}}
	gains := [2]report.Series{{Name: "doubling level 1"}, {Name: "doubling level 2"}}
	for r, u := range k.updates() {
		cell := func(v float64, format string) string {
			if math.IsNaN(v) {
				return ""
			}
			return fmt.Sprintf(format, v)
		}
		ratio, misses := math.NaN(), math.NaN()
		if u.gain[0] > 0 && u.gain[1] > 0 {
			ratio = u.gain[0] / u.gain[1]
		}
		if u.shortfall > 1e-12 {
			misses = u.shortfall
		}
		t.Rows = append(t.Rows, []string{fmt.Sprint(r), configuration(u.optimum), fmt.Sprintf("%.5g", u.value), cell(u.gain[0], "%.4f"), cell(u.gain[1], "%.4f"),
			fmt.Sprintf("level %d", u.level+1), fmt.Sprintf("%.4f", u.byDoubling), fmt.Sprintf("%.3g", u.byNode), cell(ratio, "%.4f"), configuration(u.walk), cell(misses, "%.2g")})
		for i, g := range u.gain {
			if !math.IsNaN(g) {
				gains[i].X, gains[i].Y = append(gains[i].X, float64(r)), append(gains[i].Y, g)
			}
		}
	}
	chart := &report.LineChart{Title: fmt.Sprintf("Case %d: scalability along the best configurations", k.number),
		Caption: "Gain in log2 of the speedup if a level of the best configuration of a size is doubled. 1 is ideal; below 0 the larger system is slower.",
		X:       report.Axis{Title: "r = r1 + r2, log2 of nodes", Unit: report.Dimensionless}, Y: report.Axis{Title: "gain", Unit: report.Dimensionless},
		Series: gains[:]}
	return Figure{ID: fmt.Sprintf("jin_fig%d_growth", k.number), Title: fmt.Sprintf("Section 5.%d: how to grow, case %d", k.number, k.number), Draw: []report.Block{chart, t}}
}

// jinGrowthClaims are what sections 5.1 to 5.3 say of the ways in which cases 1 and 2
// grow.
func jinGrowthClaims(cases []jinCase) []Claim {
	var claims []Claim
	for i := range 2 {
		k := &cases[i]
		c := Claim{Where: fmt.Sprintf("section 5.3, Figure %d", k.number), What: "unlike in Figures 3 and 4, the best directions form a path to the optimal configurations", Paper: "path",
			Ours: "steepest ascent " + k.ascent(), Holds: k.missed() == nil}
		if !c.Holds {
			c.Note = "within 512 nodes a level, steepest ascent fills level 1 first and is overtaken at one size by a balanced configuration"
		}
		claims = append(claims, c)
	}
	shrinks := cases[1].shrinks()
	var found []string
	holds := true
	for _, c := range shrinks {
		found = append(found, configuration(c))
		holds = holds && c[0] == jinRange && c[1] > 7
	}
	return append(claims, Claim{Where: "section 5.2, Figure 2", What: "the optimal direction is downsizing where r1 is 9 and r2 is above 7", Paper: "(9,8) (9,9)",
		Ours: strings.Join(found, " "), Holds: holds && len(shrinks) == 2,
		Note: "at (8,9), too, where w_1 is below n_1 as well; at (9,7) no single step gains, it is the largest speedup"})
}
