package application

import (
	"fmt"
	"reflect"

	"github.com/isoscale/isoscale/experiments/internal/scenario/application/expression"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads/algorithm"
	"github.com/isoscale/isoscale/workloads/parameter"
)

// instance is an application with the values of its parameters on some processes.
type instance struct {
	*Application
	c      algorithm.Case
	values *expression.Values
	err    error // why it cannot run
}

var _ algorithm.Algorithm = (*instance)(nil)

// build gives the parameters their values.
func (a *Application) build(c algorithm.Case) *instance {
	given := make(map[string]float64)
	for _, p := range a.Parameters {
		if v, ok := valueOf(c, p.Parameter); ok {
			given[p.Name] = v
		}
	}
	x := &instance{Application: a, c: c}
	x.values, x.err = a.On(c.Speeds, c.Seed, given)
	return x
}

// valueOf returns the value of a parameter, if expressions can use it.
func valueOf(c algorithm.Case, p parameter.Parameter) (v float64, ok bool) {
	if p.Name == ProblemSize {
		return float64(c.N), true
	}
	x := reflect.ValueOf(c.Values[p.Name]) // a number, or one with a unit
	if !x.CanFloat() {
		return 0, false
	}
	return x.Float(), true
}

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
	f := x.values.At(0)
	if err := f.CheckAmount(x.Application.Work); err != nil {
		return fmt.Errorf("work: %w", err)
	}
	if x.Memory == nil {
		return nil
	}
	x.values.Tabulate()
	for r := range x.c.Speeds {
		f.Row = int32(r)
		if err := f.CheckAmount(x.Memory); err != nil {
			return fmt.Errorf("memory of process %d: %w", r, err)
		}
	}
	return nil
}

// Grid returns the sides of the grid of processes, none without one.
func (x *instance) Grid() []int {
	return each.Append(nil, x.values.Grid.Sides, func(s int32) int { return int(s) })
}

// Growth is p^Power log2(p)^Log.
type Growth struct{ Power, Log *expression.Expression }

// Isoefficiency returns the powers of p and log2(p) with which W must grow if messages cost only their latency, or
// only their bytes; nil where the file does not say, or where a collective operation is not carried out as
// by default.
func (x *instance) Isoefficiency() (latency, bytes *[2]float64) {
	for _, p := range x.Parameters {
		if _, ok := p.Type.(parameter.Algorithm); ok {
			if ch := x.c.Choice(p.Name); ch.Algorithm == nil || ch.Algorithm.Name() != p.Default {
				return nil, nil
			}
		}
	}
	f := x.values.At(0)
	of := func(g *Growth) *[2]float64 {
		if g == nil {
			return nil
		}
		known := [2]float64{f.Eval(g.Power)}
		if g.Log != nil {
			known[1] = f.Eval(g.Log)
		}
		return &known
	}
	return of(x.Application.Latency), of(x.Application.Bytes)
}

// Work returns W, which is known even if the processes do not fill the grid.
func (x *instance) Work() units.Flops {
	f := x.values.At(0)
	return units.Flops(f.Eval(x.Application.Work))
}

// Footprints returns the memory of each process, 0 where the file does not tell.
func (x *instance) Footprints() []units.Bytes {
	if x.Memory == nil || x.err != nil {
		return make([]units.Bytes, len(x.c.Speeds))
	}
	x.values.Tabulate()
	return each.Of(x.values.Table(x.Memory), func(of float64) units.Bytes { return units.Bytes(of) })
}
