package workload

import (
	"fmt"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/scenario/application"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/algorithm"
)

// This file decides how fast the computations of a workload are. Its kernel applies to all of them. In an application
// file, a computation may name its own kernel instead, and a precision instead of that of the marked speed.

// precisionOfCores is the precision for which the marked speed of cores holds: that of the benchmarks it comes from,
// such as HPL.
const precisionOfCores = "fp64"

// SustainedOn returns the fraction of the marked speed that the algorithm's inner
// loops reach on the processes of a block.
func (w Workload) SustainedOn(r topology.Block) float64 {
	if w.Kernel == "" {
		return w.Sustained
	}
	fraction, _ := r.Type.Kernel(w.Kernel, r.OnDevices()) // checked by the reader
	return w.Sustained * fraction
}

// loops returns the inner loops with speeds of their own.
func (w Workload) loops() []application.Loop {
	if w.Application == nil {
		return nil
	}
	return w.Application.Loops
}

// SlownessOn returns, for each inner loop with a speed of its own, the time of its work on the processes of a block
// relative to the time at the speed of the workload,
//
//	(s c)/(s' c')
//
//	s, c    efficiency of the kernel of the workload and marked speed, flop/s
//	s', c'  efficiency of the kernel of the loop and speed at its precision, flop/s
func (w Workload) SlownessOn(r topology.Block) []float64 {
	return each.Of(w.loops(), func(l application.Loop) float64 { return w.slowness(l, r) })
}

func (w Workload) slowness(l application.Loop, r topology.Block) float64 {
	x := 1.0
	if l.Kernel != "" {
		own, _ := r.Type.Kernel(l.Kernel, r.OnDevices()) // checked by the reader
		if w.Kernel != "" {
			x, _ = r.Type.Kernel(w.Kernel, r.OnDevices())
		}
		x /= own
	}
	if l.Precision != "" {
		x *= float64(r.Speed() / speedAt(r, l.Precision))
	}
	return x
}

// speedAt returns the speed of a process of a block at a precision, 0 if it is not known.
func speedAt(r topology.Block, precision string) units.FlopsPerSecond {
	switch {
	case r.OnDevices():
		return r.Type.Devices.Speed(precision)
	case precision == precisionOfCores:
		return r.Speed()
	}
	return 0
}

// CheckSpeeds reports why the speed of some computation is not known on some of the
// processes of a placement.
func (w Workload) CheckSpeeds(p *topology.Placement) error {
	for _, r := range p.Blocks {
		if err := checkKernel(w.Kernel, r); err != nil {
			return err
		}
		for _, l := range w.loops() {
			err := checkKernel(l.Kernel, r)
			if err == nil {
				err = checkPrecision(l.Precision, r)
			}
			if err != nil {
				return fmt.Errorf("%s: %w", l.At, err)
			}
		}
		if w.Application == nil {
			continue
		}
		marked := r.Precision // a placement may have chosen it
		if !r.OnDevices() {
			marked = w.Application.Precision
		}
		if err := checkPrecision(marked, r); err != nil {
			return fmt.Errorf("application %s: %w", w.Name, err)
		}
	}
	return nil
}

// AssumedSpeeds warns, for each node type on whose devices the workload runs, that its time assumes their marked speed,
// unless the workload states what it sustains of that.
func (w Workload) AssumedSpeeds(p *topology.Placement) (warnings []string) {
	if w.SustainedGiven || w.Kernel != "" || w.Application != nil && !w.Application.Unnamed ||
		!slices.ContainsFunc(p.Blocks, topology.Block.OnDevices) || !w.PerformsWork() {
		return nil
	}
	limit := ""
	if w.MovesMemory() {
		limit = ", where memory does not limit it"
	}
	for _, r := range p.Blocks {
		if !r.OnDevices() {
			continue
		}
		text := fmt.Sprintf("the time of %s assumes that it reaches the marked speed of the devices of %s, %v at %s%s: sustained of the workload states what fraction it reaches, or kernel with devices.kernels of the node type", w.Name, r.Type.Name, r.Speed(), r.Precision, limit)
		if !slices.Contains(warnings, text) {
			warnings = append(warnings, text)
		}
	}
	return warnings
}

func checkKernel(kernel string, r topology.Block) error {
	if kernel == "" {
		return nil
	}
	if _, known := r.Type.Kernel(kernel, r.OnDevices()); known {
		return nil
	}
	place, key := "the cores", "kernels"
	if r.OnDevices() {
		place, key = "the devices", "devices.kernels"
	}
	return fmt.Errorf("the efficiency of kernel %q on %s of node type %s is not known; expected it under %s of that type, as in {%s: 0.9}", kernel, place, r.Type.Name, key, kernel)
}

func checkPrecision(precision string, r topology.Block) error {
	switch {
	case precision == "" || speedAt(r, precision) > 0:
		return nil
	case r.OnDevices():
		return fmt.Errorf("the speed of the devices of node type %s at precision %q is not known; expected it under devices.speed of that type, as in {%s: 990 Tflop/s}", r.Type.Name, precision, precision)
	}
	return fmt.Errorf("the speed of the cores of node type %s at precision %q is not known, as their marked speed is for %s; expected processes on devices, or %s", r.Type.Name, precision, precisionOfCores, precisionOfCores)
}

// Program returns a fresh run of the algorithm on the processes of a placement, with its memory traffic.
func (w Workload) Program(a algorithm.Algorithm, p *topology.Placement) workloads.Program {
	switch {
	case len(w.loops()) > 0:
		return application.ProgramAt(a, func(l application.Loop) []float64 { return w.slownesses(l, p) })
	case w.BytesPerFlop == 0:
		return a.Program()
	}
	return workloads.InMemory{Program: a.Program(), BytesPerFlop: w.BytesPerFlop}
}

// slownesses returns the slowness of an inner loop: one value if all processes have the same, so that large machines of
// equal nodes need no memory for it, or else one for each process.
func (w Workload) slownesses(l application.Loop, p *topology.Placement) []float64 {
	first := w.slowness(l, p.Blocks[0])
	if !slices.ContainsFunc(p.Blocks, func(r topology.Block) bool { return w.slowness(l, r) != first }) {
		return []float64{first}
	}
	all := make([]float64, 0, p.Ranks())
	for r := range p.Each {
		all = append(all, w.slowness(l, *r))
	}
	return all
}
