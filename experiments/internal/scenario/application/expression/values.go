package expression

import (
	"errors"
	"fmt"
	"math"
	"sync"

	"github.com/isoscale/isoscale/experiments/internal/file/formula"
	"github.com/isoscale/isoscale/model/units"
)

// Values are what names stand for on some processes.
type Values struct {
	names     *Names
	speeds    []units.FlopsPerSecond
	seed      int64
	Grid      Grid
	divisions []division
	items     []int    // of each distribution
	bySpeed   []pieces // by number of the split

	// Numbers that are the same for all processes; tables of names under let that depend on
	// the rank, once they are made.
	data formula.Data
	once sync.Once
}

// On returns the values on processes of these marked speeds; given are the numbers that
// were declared by [Names.AddNumber]. Values that come with an error serve for
// expressions of these numbers, such as the work of processes that do not fill the grid.
func (n *Names) On(speeds []units.FlopsPerSecond, seed int64, given map[string]float64) (*Values, error) {
	v := &Values{names: n, speeds: speeds, seed: seed}
	v.data = formula.Data{Numbers: make([]float64, n.values), Tables: make([][]float64, len(n.tables)), Host: v}
	v.data.Numbers[0] = float64(len(speeds))
	for _, x := range n.names {
		if number, ok := given[x.name]; ok {
			v.data.Numbers[x.at.A] = number
		}
	}
	return v, v.prepare()
}

// prepare computes what is the same for all processes.
func (v *Values) prepare() error {
	f := v.At(0)
	if len(v.speeds) == 0 {
		return errors.New("no processes; expected at least 1")
	}
	sides := make([]int, len(v.names.Grid))
	for i, a := range v.names.Grid {
		if a.Side == nil {
			continue
		}
		n, err := f.whole(a.Side, 1, math.MaxInt32)
		if err != nil {
			return fmt.Errorf("grid: %s: %w", a.Name, err)
		}
		sides[i] = n
	}
	g, err := arrange(len(v.speeds), sides)
	if err != nil {
		err = fmt.Errorf("grid: %w; expected other sides, auto for one of them, or another number of processes", err)
	}
	v.Grid = g
	for i, a := range v.names.Grid {
		v.data.Numbers[a.global] = float64(v.Grid.Sides[i])
	}
	for _, l := range v.names.lets {
		v.data.Numbers[l.global] = f.Eval(l.value)
	}
	if err != nil {
		return err
	}
	for _, d := range v.names.Distributions {
		n, err := f.whole(d.Of, 0, MaxItems)
		block := 1
		if err == nil && d.Block != nil {
			block, err = f.whole(d.Block, 1, MaxItems)
		}
		if err != nil {
			return fmt.Errorf("distribution %s: %w", d.Name, err)
		}
		parts, err := d.divide(n, block, v.speedsAlong(d.Along))
		if err != nil {
			return fmt.Errorf("distribution %w", err)
		}
		v.divisions, v.items = append(v.divisions, parts), append(v.items, n)
	}
	for _, s := range v.names.splits {
		n, err := f.whole(s.n, 0, MaxItems)
		if err != nil {
			return fmt.Errorf("share by speed: %w", err)
		}
		v.bySpeed = append(v.bySpeed, bySpeed(n, v.speedsAlong(s.axis)))
	}
	return nil
}

// speedsAlong returns the speed of each plane of processes along an axis or, for all axes,
// of each process.
func (v *Values) speedsAlong(axis int32) []units.FlopsPerSecond {
	if axis == AllAxes {
		return v.speeds
	}
	planes := make([]units.FlopsPerSecond, v.Grid.Sides[axis])
	for r, c := range v.speeds {
		planes[v.Grid.at(int32(r), axis)] += c
	}
	return planes
}

// Tabulate computes the names under let that depend on the rank, once.
func (v *Values) Tabulate() {
	v.once.Do(func() {
		for i, e := range v.names.tables {
			v.data.Tables[i] = v.Table(e)
		}
	})
}

// Table returns the value of an expression for each process.
func (v *Values) Table(e *Expression) []float64 {
	t := make([]float64, len(v.speeds))
	f := v.At(0)
	for r := range t {
		f.Row = int32(r)
		t[r] = f.Eval(e)
	}
	return t
}

// MaxValue bounds work and sizes, so that no sum of them overflows.
const MaxValue = 1e30
