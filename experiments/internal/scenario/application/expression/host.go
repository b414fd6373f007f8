package expression

import (
	"math"

	"github.com/isoscale/isoscale/experiments/internal/file/formula"
	"github.com/isoscale/isoscale/workloads/algorithm"
)

// The codes of functions of applications, and of names that are no plain numbers. Beside
// each stands what A of its step is, then its operands.
const (
	speed uint8 = iota // marked speed of the process
	coordinate
	share      // axis; n
	speedShare // number of the split by speed
	portion    // distribution
	owner      // distribution; an item
	after      // likewise
	of         // number of the name under let; a process
	moved      // axis; a process, a distance
	movedAround
	uniform // place in the file
	normal
	exponential
	messageSize // of the message that was received last
)

func (v *Values) Extern(s *formula.Step, at formula.Place, x, y float64) float64 {
	switch s.Code {
	case speed:
		return float64(v.speeds[at.Row])
	case coordinate:
		return float64(v.Grid.at(at.Row, s.A))
	case share:
		return v.share(at.Row, s.A, x)
	case speedShare:
		q := int(v.Grid.at(at.Row, v.names.splits[s.A].axis))
		return float64(v.bySpeed[s.A].start(q+1) - v.bySpeed[s.A].start(q))
	case portion:
		return float64(v.divisions[s.A].below(v.place(at.Row, s.A), v.items[s.A]))
	case owner:
		if !(x >= 0 && x < float64(v.items[s.A])) {
			return float64(Nobody)
		}
		return float64(v.divisions[s.A].owner(int(x)))
	case after:
		d, q, n := v.divisions[s.A], v.place(at.Row, s.A), v.items[s.A]
		if x = min(max(x, -1), float64(n-1)); x != x {
			return x
		}
		return float64(d.below(q, n) - d.below(q, int(x)+1))
	case of:
		if t := v.data.Tables[s.A]; x >= 0 && x < float64(len(t)) {
			return t[int(x)]
		}
		return math.NaN()
	case messageSize:
		return math.Float64frombits(uint64(at.Locals[received]))
	case moved, movedAround:
		return v.moved(x, s.A, y, s.Code == movedAround)
	}
	return v.Draw(s.Code, at, s.A, int(s.V))
}

// share returns the equal part of n whole items that a process has along an axis.
func (v *Values) share(rank, axis int32, n float64) float64 {
	if !(n >= 0 && n <= 1<<53) || n != math.Trunc(n) {
		return math.NaN()
	}
	p := len(v.speeds)
	if axis != AllAxes {
		p = int(v.Grid.Sides[axis])
	}
	b, q := blocked{int(n), p}, int(v.Grid.at(rank, axis))
	return float64(b.start(q+1) - b.start(q))
}

func (v *Values) place(rank, d int32) int {
	return int(v.Grid.at(rank, v.names.Distributions[d].Along))
}

// moved returns the process at a distance along an axis from another. Nobody has no
// neighbours.
func (v *Values) moved(process float64, axis int32, distance float64, around bool) float64 {
	switch {
	case !(process >= 0):
		return process
	case !(math.Abs(distance) < 1<<40) || distance != math.Trunc(distance):
		return math.NaN()
	}
	return float64(v.Grid.Moved(int32(process), axis, int64(distance), around))
}

// Draw draws a number at a place in the file, for the task or for the indices of so many
// loops around it: in [0, 1), normally distributed with mean 0 and deviation 1, or
// exponentially with mean 1.
func (v *Values) Draw(how uint8, at formula.Place, place int32, loops int) float64 {
	bits := algorithm.Mix(uint64(v.seed), uint64(place))
	if task := at.Locals[Task]; task > 0 {
		bits = algorithm.Mix(bits, uint64(task-1))
	} else {
		bits = algorithm.Mix(bits, uint64(at.Row))
		for _, i := range at.Counters[:loops] {
			bits = algorithm.Mix(bits, uint64(i))
		}
	}
	switch how {
	case normal: // by the method of Box and Muller
		return math.Sqrt(-2*math.Log(1-fraction(bits))) * math.Cos(2*math.Pi*fraction(algorithm.Mix(bits, 1)))
	case exponential:
		return -math.Log(1 - fraction(bits))
	}
	return fraction(bits)
}

// How the factors of a variation are drawn.
const (
	Uniform     = uniform
	Normal      = normal
	Exponential = exponential
)

// fraction returns a number from [0, 1).
func fraction(bits uint64) float64 { return float64(bits>>11) / (1 << 53) }
