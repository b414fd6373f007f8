package analysis

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"
)

// Scale is how a factor is measured along an axis of a grid.
type Scale int

const (
	// ScaleAuto is ScaleLog2 for at least three levels that are all powers of two,
	// and ScaleValue for others.
	ScaleAuto Scale = iota
	ScaleValue
	ScaleLog2  // log2 of the value, which must be positive
	ScaleIndex // the place among the levels, 0 for the lowest
)

func (s Scale) String() string {
	return [...]string{"auto", "value", "log2", "index"}[s]
}

// GridOptions select what a grid shows.
type GridOptions struct {
	X, Y           string // two different numeric factors
	XScale, YScale Scale
	// At fixes the other factors: for each factor of the table the index of a
	// level, or -1 to average over its levels. Nil averages over all. The
	// entries of X and Y are ignored.
	At []int
}

// A Grid is a response over two factors.
type Grid struct {
	X, Y   Axis
	Values [][]float64 // mean response, [y][x]; NaN where nothing is known
	// Averaged is the number of configurations whose mean a value is, [y][x].
	Averaged [][]int
	Others   string // how the other factors were treated, in words; empty if there are none
	Warnings []string
	Count    Count
}

// An Axis is a factor along a side of a grid.
type Axis struct {
	Factor int       // index in the table
	Levels []int     // indices of its levels, from the lowest value to the highest
	Values []float64 // of the levels, in the unit of the factor
	Scale  Scale     // never ScaleAuto
	// At are the places of the levels along the axis, ascending: Values, their log2
	// or 0, 1, 2... by Scale. Gradients and contours are in these.
	At []float64
}

// NewGrid returns a response over two numeric factors. The other factors are fixed
// or averaged over, as the options say. If some of the averaged
// combinations are missing, the values of the grid are means over different
// combinations, and a warning says so.
func NewGrid(t *Table, response string, options GridOptions) (*Grid, error) {
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
	at := options.At
	if at == nil {
		at = slices.Repeat([]int{-1}, len(t.Factors))
	}
	if len(at) != len(t.Factors) {
		return nil, fmt.Errorf("analysis: %d levels to fix factors at; expected one for each of %d factors", len(at), len(t.Factors))
	}
	for k, l := range at {
		if k != x && k != y && (l < -1 || l >= len(t.Factors[k].Levels)) {
			return nil, fmt.Errorf("analysis: factor %s has no level %d; expected -1 to %d", t.Factors[k].Name, l, len(t.Factors[k].Levels)-1)
		}
	}
	c, err := t.gather(response, -1)
	if err != nil {
		return nil, err
	}
	g := &Grid{Count: c.count}
	if g.X, err = t.axis(x, options.XScale); err != nil {
		return nil, err
	}
	if g.Y, err = t.axis(y, options.YScale); err != nil {
		return nil, err
	}
	column, row := t.Factors[x].ranks(), t.Factors[y].ranks()
	means := make([][][]float64, len(row))
	for j := range means {
		means[j] = make([][]float64, len(column))
	}
	for _, one := range c.list {
		if !matches(one.levels, at, x, y) {
			continue
		}
		i, j := column[one.levels[x]], row[one.levels[y]]
		means[j][i] = append(means[j][i], one.mean)
	}
	most, uneven := 0, false
	for j := range means {
		values, averaged := make([]float64, len(column)), make([]int, len(column))
		for i, m := range means[j] {
			values[i], averaged[i] = math.NaN(), len(m)
			if len(m) == 0 {
				continue
			}
			values[i] = stat.Mean(m, nil)
			uneven = uneven || most > 0 && len(m) != most
			most = max(most, len(m))
		}
		g.Values, g.Averaged = append(g.Values, values), append(g.Averaged, averaged)
	}
	if most == 0 {
		return nil, fmt.Errorf("analysis: no configuration with %s", t.Describe(fixedOnly(at, x, y)))
	}
	if uneven {
		g.Warnings = append(g.Warnings, fmt.Sprintf("some combinations of the factors that are averaged over are missing or failed: each value of the grid is the mean of at most %d configurations", most))
	}
	g.Others = t.describeOthers(at, x, y)
	return g, nil
}

func matches(levels, at []int, x, y int) bool {
	for k, l := range at {
		if k != x && k != y && l >= 0 && levels[k] != l {
			return false
		}
	}
	return true
}

func fixedOnly(at []int, x, y int) []int {
	fixed := slices.Clone(at)
	fixed[x], fixed[y] = -1, -1
	return fixed
}

func (t *Table) describeOthers(at []int, x, y int) string {
	var parts []string
	for k, l := range at {
		switch f := &t.Factors[k]; {
		case k == x || k == y:
		case l >= 0:
			parts = append(parts, fmt.Sprintf("%s fixed at %s", f.Name, f.Levels[l].label(f.Unit)))
		case len(f.Levels) > 1:
			parts = append(parts, fmt.Sprintf("%s averaged over %d levels", f.Name, len(f.Levels)))
		}
	}
	return strings.Join(parts, ", ")
}

func (t *Table) axis(factor int, scale Scale) (Axis, error) {
	f := &t.Factors[factor]
	if !f.numeric() {
		return Axis{}, fmt.Errorf("analysis: factor %s cannot be the side of a grid: not all its levels are numbers", f.Name)
	}
	a := Axis{Factor: factor, Levels: f.order(), Scale: scale}
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
	if scale == ScaleAuto {
		a.Scale = ScaleValue
		if powers {
			a.Scale = ScaleLog2
		}
	}
	for i, v := range a.Values {
		switch a.Scale {
		case ScaleValue:
		case ScaleLog2:
			if v <= 0 {
				return Axis{}, fmt.Errorf("analysis: factor %s has the level %g; expected more than 0 for its log2", f.Name, v)
			}
			v = math.Log2(v)
		case ScaleIndex:
			v = float64(i)
		default:
			return Axis{}, fmt.Errorf("analysis: no scale %d", int(scale))
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
	return (left*above + right*below) / (left + right)
}
