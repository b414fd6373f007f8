package run

import (
	"math"

	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
)

// A kernel is what computations of one arithmetic intensity add up to.
type kernel struct {
	work    units.Flops
	traffic units.Bytes   // between core and memory
	time    units.Seconds // that the computations take
}

// intensity is the arithmetic intensity in flop/B.
func (k kernel) intensity() float64 { return float64(k.work) / float64(k.traffic) }

// mostKernels is how many intensities are told apart. Further ones are added to the last.
const mostKernels = 8

// addTo adds a kernel to those of the same intensity, but for rounding.
func (k kernel) addTo(list []kernel) []kernel {
	for i := range list {
		if same := math.Abs(list[i].intensity()-k.intensity()) <= 1e-9*k.intensity(); same || i == mostKernels-1 {
			list[i].work += k.work
			list[i].traffic += k.traffic
			list[i].time += k.time
			return list
		}
	}
	return append(list, k)
}

// kernels is a program that records the computations of another one: those that perform
// work and move memory.
type kernels struct {
	workloads.Program
	system *system.System
	ranks  [][]kernel // a rank writes its own, whatever others do at the same time
}

var _ workloads.Program = (*kernels)(nil)

// Unwrap returns the program whose computations are recorded.
func (k *kernels) Unwrap() workloads.Program { return k.Program }

// Next records the time of the roofline of [compute.Process], as the engine has it where
// no fabric shares the memory.
func (k *kernels) Next(rank int, op *workloads.Op) bool {
	ok := k.Program.Next(rank, op)
	if ok && op.Kind == workloads.Compute && op.Work > 0 && op.Size > 0 {
		time := k.system.Process(rank).Time(op.Work, op.Size)
		k.ranks[rank] = kernel{op.Work, op.Size, time}.addTo(k.ranks[rank])
	}
	return ok
}

// recordKernels makes a system record the computations of its program.
func recordKernels(s *system.System) *kernels {
	k := &kernels{system: s, ranks: make([][]kernel, s.Placement.Ranks())}
	s.Program = func(p workloads.Program) workloads.Program {
		k.Program = p
		return k
	}
	return k
}
