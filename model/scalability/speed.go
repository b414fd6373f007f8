package scalability

import (
	"fmt"

	"github.com/isoscale/isoscale/model/units"
)

// AchievedSpeed returns the speed at which work was done,
//
//	S = W/T
//
//	W  work, > 0
//	T  time from the start to the end of the last process, > 0
//
// Source: [Sun2005] 3.2, [Chen2008] 3.2. Deviations: none.
func AchievedSpeed(w units.Flops, t units.Seconds) (units.FlopsPerSecond, error) {
	const fn = "AchievedSpeed"
	return positiveResult(fn, "S", units.FlopsPerSecond(float64(w)/float64(t)), positive(fn, "W", w), positive(fn, "T", t))
}

// SystemMarkedSpeed returns the marked speed of a system of nodes,
//
//	C = sum_i C_i
//
//	C_i  marked speed of node i, > 0: its sustained speed in a benchmark that is
//	     the same for all nodes
//
// There must be at least one node.
//
// Source: [Sun2005] Def. 2, [Chen2008] Def. 1. Deviations: none. As in the papers,
// a node counts with the processors that it lends, not with all it has.
func SystemMarkedSpeed(nodes []units.FlopsPerSecond) (units.FlopsPerSecond, error) {
	const fn = "SystemMarkedSpeed"
	var sum units.FlopsPerSecond
	for i, c := range nodes {
		if err := positive(fn, fmt.Sprintf("C[%d]", i), c); err != nil {
			return 0, err
		}
		sum += c
	}
	return positiveResult(fn, "C", sum)
}

// SpeedEfficiency returns the share of the marked speed that was achieved,
//
//	E_s = S/C = W/(T C)
//
//	W  work, > 0
//	T  time, > 0
//	C  marked speed of the system, > 0
//
// It may exceed 1: a marked speed is an average over benchmarks, and a program
// can be kinder to the processor than they are.
//
// Source: [Sun2005] Def. 3, [Chen2008] Def. 2. Deviations: none.
func SpeedEfficiency(w units.Flops, t units.Seconds, c units.FlopsPerSecond) (float64, error) {
	const fn = "SpeedEfficiency"
	return positiveResult(fn, "E_s", float64(w)/float64(t)/float64(c),
		positive(fn, "W", w), positive(fn, "T", t), positive(fn, "C", c))
}

// RequiredTime returns the time in which a system must do work W to hold a
// speed-efficiency,
//
//	T = W/(E_s C)
//
//	W    work, > 0
//	E_s  speed-efficiency, > 0
//	C    marked speed of the system, > 0
//
// Source: [Chen2008] Def. 2, solved for T. Deviations: none.
func RequiredTime(w units.Flops, efficiency float64, c units.FlopsPerSecond) (units.Seconds, error) {
	const fn = "RequiredTime"
	return positiveResult(fn, "T", units.Seconds(float64(w)/efficiency/float64(c)),
		positive(fn, "W", w), positive(fn, "E_s", efficiency), positive(fn, "C", c))
}
