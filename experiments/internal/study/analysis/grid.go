package analysis

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/study/studytable"
)

// Scale is how a factor is measured along an axis of a grid.
type Scale int

const (
	ScaleValue Scale = iota // the value itself
	ScaleLog2               // log2 of the value: for at least three levels that are all powers of two
	ScaleIndex              // the place among the levels, 0 for the lowest
)

// GridOptions select what a grid shows.
type GridOptions struct {
	X, Y           string // two different numeric factors
	XIndex, YIndex bool   // ScaleIndex along this side
	// At fixes the other factors: for each factor of the table the index of a level.
	// The entries of X and Y are ignored. -1 is for a factor that follows from X and Y,
	// see [Relation].
	At []int
}

// A Grid is a response over two factors.
type Grid struct {
	X, Y   Axis
	Values [][]float64 // mean over repetitions, [y][x]; NaN where nothing is known
	Others string      // where the other factors are fixed, in words; empty if there are none
}

// An Axis is a factor along a side of a grid.
type Axis struct {
	Factor int       // index in the table
	Levels []int     // indices of its levels, from the lowest value to the highest
	Values []float64 // of the levels, in the unit of the factor
	Scale  Scale
	// At are the places of the levels along the axis, ascending: Values, their log2
	// or 0, 1, 2... by Scale. Gradients and contours are in these.
	At []float64
}

// Even reports whether the levels are at equal distances.
func (a *Axis) Even() bool {
	step := (a.At[len(a.At)-1] - a.At[0]) / float64(len(a.At)-1)
	for i, v := range a.At {
		if math.Abs(v-a.At[0]-float64(step*float64(i))) > 1e-6*math.Abs(step) {
			return false
		}
	}
	return true
}

// NewGrid returns a response over two numeric factors, with the others fixed.
func NewGrid(t *studytable.Table, response string, options GridOptions) (*Grid, error) {
	x, err := t.FactorIndex(options.X)
	if err != nil {
		return nil, err
	}
	y, err := t.FactorIndex(options.Y)
	if err != nil {
		return nil, err
	}
	if x == y {
		return nil, fmt.Errorf("analysis: both sides of the grid are factor %s; expected two", options.X)
	}
	if len(options.At) != len(t.Factors) {
		return nil, fmt.Errorf("analysis: %d levels to fix factors at; expected one for each of %d factors", len(options.At), len(t.Factors))
	}
	at := slices.Clone(options.At)
	at[x], at[y] = -1, -1
	for k, f := range t.Factors {
		if l := at[k]; k != x && k != y && (l < -1 || l >= len(f.Levels)) {
			return nil, fmt.Errorf("analysis: factor %s has no level %d; expected 0 to %d", f.Name, l, len(f.Levels)-1)
		}
	}
	c, err := t.Gather(response, -1)
	if err != nil {
		return nil, err
	}
	g := &Grid{Others: describeFixed(t, at)}
	if g.X, err = axisOf(t, x, options.XIndex); err != nil {
		return nil, err
	}
	if g.Y, err = axisOf(t, y, options.YIndex); err != nil {
		return nil, err
	}
	column, row := t.Factors[x].Ranks(), t.Factors[y].Ranks()
	for range row {
		g.Values = append(g.Values, slices.Repeat([]float64{math.NaN()}, len(column)))
	}
	found := false
	for _, one := range c.List {
		if matches(one.Levels, at) {
			if known := g.Values[row[one.Levels[y]]][column[one.Levels[x]]]; !math.IsNaN(known) {
				return nil, fmt.Errorf("analysis: several configurations with %s = %s and %s = %s; expected the other factors to follow from these two",
					options.X, t.Factors[x].Levels[one.Levels[x]].Text, options.Y, t.Factors[y].Levels[one.Levels[y]].Text)
			}
			g.Values[row[one.Levels[y]]][column[one.Levels[x]]] = one.Mean
			found = true
		}
	}
	if !found {
		return nil, fmt.Errorf("analysis: no configuration with %s", t.Describe(at))
	}
	return g, nil
}

// matches reports whether levels are where they are fixed; -1 fixes nothing.
func matches(levels, at []int) bool {
	for k, l := range at {
		if l >= 0 && levels[k] != l {
			return false
		}
	}
	return true
}

func describeFixed(t *studytable.Table, at []int) string {
	var parts []string
	for k, l := range at {
		if f := &t.Factors[k]; l >= 0 {
			parts = append(parts, fmt.Sprintf("%s fixed at %s", f.Name, f.Levels[l].Label(f.Unit)))
		}
	}
	return strings.Join(parts, ", ")
}

func axisOf(t *studytable.Table, factor int, index bool) (Axis, error) {
	f := &t.Factors[factor]
	if !f.Numeric() {
		return Axis{}, fmt.Errorf("analysis: factor %s cannot be the side of a grid: not all its levels are numbers", f.Name)
	}
	a := Axis{Factor: factor, Levels: f.Order()}
	powers := len(f.Levels) >= 3
	for i, l := range a.Levels {
		v := f.Levels[l].Value
		if i > 0 && v == a.Values[i-1] {
			return Axis{}, fmt.Errorf("analysis: factor %s has two levels of value %g; expected different ones along a grid", f.Name, v)
		}
		a.Values = append(a.Values, v)
		fraction, _ := math.Frexp(v)
		powers = powers && fraction == 0.5
	}
	switch {
	case index:
		a.Scale = ScaleIndex
	case powers:
		a.Scale = ScaleLog2
	}
	for i, v := range a.Values {
		switch a.Scale {
		case ScaleLog2:
			v = math.Log2(v)
		case ScaleIndex:
			v = float64(i)
		}
		a.At = append(a.At, v)
	}
	return a, nil
}

// Gradient returns the derivatives of the response along both axes, [y][x], in the
// unit of the response over that of [Axis.At]: central differences,
//
//	(h-/h+ (f+ - f) + h+/h- (f - f-))/(h- + h+),
//
// which for equal steps h- = h+ is (f+ - f-)/(2 h) and for any steps is exact for
// parabolas; one-sided differences at the sides and beside NaN; and NaN where the
// value itself or both neighbours are missing.
func (g *Grid) Gradient() (dx, dy [][]float64) {
	for j := range g.Y.At {
		rowX, rowY := make([]float64, len(g.X.At)), make([]float64, len(g.X.At))
		for i := range g.X.At {
			rowX[i] = difference(g.X.At, i, func(i int) float64 { return g.Values[j][i] })
			rowY[i] = difference(g.Y.At, j, func(j int) float64 { return g.Values[j][i] })
		}
		dx, dy = append(dx, rowX), append(dy, rowY)
	}
	return dx, dy
}

func difference(at []float64, i int, f func(int) float64) float64 {
	below, above := math.NaN(), math.NaN() // one-sided differences
	var left, right float64
	if i > 0 {
		left = at[i] - at[i-1]
		below = (f(i) - f(i-1)) / left
	}
	if i+1 < len(at) {
		right = at[i+1] - at[i]
		above = (f(i+1) - f(i)) / right
	}
	switch {
	case math.IsNaN(below):
		return above
	case math.IsNaN(above):
		return below
	}
	return (float64(left*above) + float64(right*below)) / (left + right)
}
