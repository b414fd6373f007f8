package application

import (
	"slices"

	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/algorithm"
)

// Loop is an inner loop that computations have, which decides how fast they are.
type Loop struct {
	Kernel    string // whose efficiency the node types state; "" for that of the workload
	Precision string // of its numbers; "" for that of the marked speed
	At        string // file:line:column of the first computation that has it
}

// AddLoop returns the number of an inner loop. One without kernel and precision is that
// of the whole workload and has number 0.
func (a *Application) AddLoop(l Loop) int32 {
	if l.Kernel == "" && l.Precision == "" {
		return 0
	}
	same := func(o Loop) bool { return o.Kernel == l.Kernel && o.Precision == l.Precision }
	i := slices.IndexFunc(a.Loops, same)
	if i < 0 {
		i = len(a.Loops)
		a.Loops = append(a.Loops, l)
	}
	return int32(i + 1)
}

// Of returns the application that an algorithm was built from, nil for others.
func Of(a algorithm.Algorithm) *Application {
	if x, ok := a.(*instance); ok {
		return x.Application
	}
	return nil
}

// ProgramAt returns a fresh run of an algorithm that an application was built into,
// whose inner loops have speeds of their own. For each of [Application.Loops], slowness
// returns the time of its work as a multiple of the time at the speed of the workload:
// one value for all ranks, or one for each. The operations have so many times the work,
// while [Run.Performed] returns what the file says.
func ProgramAt(a algorithm.Algorithm, slowness func(Loop) []float64) workloads.Program {
	x := a.(*instance)
	var loops []*operand
	for _, l := range x.Loops {
		o := &operand{table: slowness(l)}
		if len(o.table) == 1 {
			o = &operand{value: o.table[0]}
		}
		loops = append(loops, o)
	}
	return x.program(loops)
}
