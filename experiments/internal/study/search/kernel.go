package search

import "math"

// A Kernel says how much the results at two points have in common.
type Kernel struct {
	Lengths []float64 // length scale of each dimension, above 0
	Nominal []bool    // dimensions whose values are equal or not, and no more; nil for none
	// Nugget is the variance of the noise of a result over that of the process; 0 for
	// results that are reproducible.
	Nugget float64
}

// correlation of the process at two points, 1 where they are equal.
func (k *Kernel) correlation(a, b []float64) float64 {
	product, sum := 1.0, 0.0
	for i, l := range k.Lengths {
		d := math.Abs(a[i] - b[i])
		if d != 0 && k.Nominal != nil && k.Nominal[i] {
			d = 1
		}
		d *= math.Sqrt(5) / l
		product *= 1 + d + float64(d*d/3)
		sum += d
	}
	return product * math.Exp(-sum)
}
