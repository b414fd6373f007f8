package dispatch

import (
	"errors"
	"fmt"

	"github.com/isoscale/isoscale/model/units"
)

// Work is a super-program in which every SI of a level is made of the same
// number of SIs of the next.
type Work struct {
	// SIs is w_1, w_2, ...: the program has w_1 SIs of level 1, each of which
	// has w_2 of level 2, and so on. As many as the machine has levels.
	SIs []int
	// Time is the mean time of an SI of the last level on an atomic node.
	Time units.Seconds
	// Scatter is the half width of the uniform distribution of these times,
	// as a fraction of Time: 0 for equal times, at most 1.
	Scatter float64
	// Seed chooses the times. The i-th SI of the program takes the same time
	// on every machine.
	Seed uint64
}

// Validate returns every value that is out of its range, joined.
func (w Work) Validate() error {
	var problems []error
	for i, n := range w.SIs {
		if n < 1 || n > maxCount {
			problems = append(problems, fmt.Errorf("work.SIs[%d] is %d; expected %s", i, n, countWanted))
		}
	}
	if !amount(float64(w.Time)) {
		problems = append(problems, fmt.Errorf("work.Time is %v; expected a time from 0 to 1e100 s", w.Time))
	}
	if !(w.Scatter >= 0 && w.Scatter <= 1) {
		problems = append(problems, fmt.Errorf("work.Scatter is %v; expected a fraction from 0 to 1", w.Scatter))
	}
	return errors.Join(problems...)
}

// factor returns the time of the SI of the last level with this number, counted
// from 0 in program order, over Time:
//
//	1 + Scatter (2x - 1), x uniform in [0, 1)
//
// x is drawn by position, with the output function of SplitMix64 [Steele2014]
// applied twice, so that it depends on nothing but the seed and the number.
func (w Work) factor(number uint64) float64 {
	z := splitmix(w.Seed + golden*(number+1))
	x := float64(float64(splitmix(z+golden)>>11) * 0x1p-53)
	return 1 + float64(w.Scatter*(float64(2*x)-1))
}

const golden = 0x9e3779b97f4a7c15

func splitmix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
