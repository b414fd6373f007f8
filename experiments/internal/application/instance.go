package application

import (
	"errors"
	"fmt"
	"math"
	"sync"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads/algorithm"
	"github.com/isoscale/isoscale/workloads/parameter"
)

// instance is an application with the values of its parameters on some processes.
type instance struct {
	*Application
	c         algorithm.Case
	values    []float64 // see [Application.values]
	grid      grid
	divisions []division
	items     []int    // of each distribution
	bySpeed   []pieces // by number of the split
	err       error    // why it cannot run

	once   sync.Once
	tables [][]float64 // of each name under let that depends on the rank
}

var _ algorithm.Algorithm = (*instance)(nil)

// build gives the parameters their values.
func (a *Application) build(c algorithm.Case) *instance {
	x := &instance{Application: a, c: c, values: make([]float64, a.values)}
	x.values[0] = float64(len(c.Speeds))
	i := 0
	for _, p := range a.Parameters {
		v, ok := number(c, p.Parameter)
		if !ok {
			continue
		}
		for a.names[i].name != p.Name {
			i++
		}
		x.values[a.names[i].at.a] = v
	}
	x.err = x.prepare()
	return x
}

// number returns the value of a parameter that can be used in expressions.
func number(c algorithm.Case, p parameter.Parameter) (v float64, ok bool) {
	if p.Name == ProblemSize {
		return float64(c.N), true
	}
	switch p.Type.(type) {
	case parameter.Work:
		return float64(c.Work(p.Name)), true
	case parameter.Size:
		return float64(c.Size(p.Name)), true
	case parameter.Time:
		return float64(c.Time(p.Name)), true
	case parameter.Number:
		return c.Number(p.Name), true
	}
	return 0, false
}

// prepare computes what is the same for all processes.
func (x *instance) prepare() error {
	f := frame{x: x}
	if len(x.c.Speeds) == 0 {
		return errors.New("no processes; expected at least 1")
	}
	sides := make([]int, len(x.Grid))
	for i, a := range x.Grid {
		if a.Side == nil {
			continue
		}
		n, err := f.whole(a.Side, 1, math.MaxInt32)
		if err != nil {
			return fmt.Errorf("grid: %s: %w", a.Name, err)
		}
		sides[i] = n
	}
	g, err := arrange(len(x.c.Speeds), sides)
	if err != nil {
		err = fmt.Errorf("grid: %w; expected other sides, auto for one of them, or another number of processes", err)
	}
	x.grid = g
	for i, a := range x.Grid {
		x.values[a.global] = float64(x.grid.sides[i])
	}
	for _, l := range x.lets {
		x.values[l.global] = f.eval(l.value)
	}
	if err != nil {
		return err
	}
	for _, d := range x.Distributions {
		n, err := f.whole(d.Of, 0, maxItems)
		block := 1
		if err == nil && d.Block != nil {
			block, err = f.whole(d.Block, 1, maxItems)
		}
		if err != nil {
			return fmt.Errorf("distribution %s: %w", d.Name, err)
		}
		v, err := d.divide(n, block, x.speedsAlong(d.Along))
		if err != nil {
			return fmt.Errorf("distribution %w", err)
		}
		x.divisions, x.items = append(x.divisions, v), append(x.items, n)
	}
	for _, s := range x.splits {
		n, err := f.whole(s.n, 0, maxItems)
		if err != nil {
			return fmt.Errorf("share by speed: %w", err)
		}
		x.bySpeed = append(x.bySpeed, bySpeed(n, x.speedsAlong(s.axis)))
	}
	return nil
}

// speedsAlong returns the speeds of the planes of processes along an axis, or of the
// processes.
func (x *instance) speedsAlong(axis int32) []units.FlopsPerSecond {
	if axis == allAxes {
		return x.c.Speeds
	}
	planes := make([]units.FlopsPerSecond, x.grid.sides[axis])
	for r, c := range x.c.Speeds {
		planes[x.grid.at(int32(r), axis)] += c
	}
	return planes
}

// tabulate computes the names under let that depend on the rank, once.
func (x *instance) tabulate() {
	x.once.Do(func() {
		for _, e := range x.Application.tables {
			t := make([]float64, len(x.c.Speeds))
			f := frame{x: x}
			for r := range t {
				f.rank = int32(r)
				t[r] = f.eval(e)
			}
			x.tables = append(x.tables, t)
		}
	})
}

// maxValue bounds work and sizes, so that no sum of them overflows.
const maxValue = 1e30

// Validate reports what is wrong with the parameters.
func (x *instance) Validate() error {
	err := x.err
	if err == nil {
		err = x.check()
	}
	if err != nil {
		return fmt.Errorf("application %s: %w", x.Name, err)
	}
	return nil
}

// check judges the values that are known before the run.
func (x *instance) check() error {
	f := frame{x: x}
	if _, err := f.amount(x.Application.Work); err != nil {
		return fmt.Errorf("work: %w", err)
	}
	if x.Memory == nil {
		return nil
	}
	x.tabulate()
	for r := range x.c.Speeds {
		f.rank = int32(r)
		if _, err := f.amount(x.Memory); err != nil {
			return fmt.Errorf("memory of process %d: %w", r, err)
		}
	}
	return nil
}

// Work returns W, which is known too where the processes do not fill the grid.
func (x *instance) Work() units.Flops {
	return units.Flops((&frame{x: x}).eval(x.Application.Work))
}

// Footprints returns the memory of each process, 0 where the file does not tell.
func (x *instance) Footprints() []units.Bytes {
	need := make([]units.Bytes, len(x.c.Speeds))
	if x.Memory == nil || x.err != nil {
		return need
	}
	x.tabulate()
	f := frame{x: x}
	for r := range need {
		f.rank = int32(r)
		need[r] = units.Bytes(f.eval(x.Memory))
	}
	return need
}
