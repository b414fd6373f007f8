package design

import "math/bits"

// latinHypercube returns, by factor, the level of each of n samples. The
// samples of a factor are its n strata in an order shuffled for this factor, so
// each stratum has one sample [McKay1979].
// A stratum of a factor with listed levels is 1/n of the list: one level, or
// several of which one is drawn.
//
// The order depends on the seed and the name of the factor alone: other factors
// can be added or moved without changing it.
func latinHypercube(seed int64, factors []Factor, n int) [][]uint32 {
	samples := make([][]uint32, len(factors))
	for i := range factors {
		f := &factors[i]
		key := nameKey(seed, f.Name)
		strata := make([]uint32, n)
		for k := range strata {
			// Continuous factors have n levels: the strata themselves.
			first, end := k*f.Len()/n, (k+1)*f.Len()/n
			if end > first {
				first += int(jitter(mix(key), k) * float64(end-first))
			}
			strata[k] = uint32(first)
		}
		g := generator(key)
		// Fisher and Yates, in the form of Durstenfeld.
		for k := n - 1; k > 0; k-- {
			j := g.below(uint64(k + 1))
			strata[k], strata[j] = strata[j], strata[k]
		}
		samples[i] = strata
	}
	return samples
}

// nameKey starts the numbers drawn for one factor.
func nameKey(seed int64, name string) uint64 {
	return mix(mix(uint64(seed)) + fnv1a(fnvOffset, name))
}

// generator is splitmix64. Its numbers determine the points of a plan, so they
// must not change with a release of Go.
type generator uint64

func (g *generator) next() uint64 {
	x := mix(uint64(*g))
	*g += golden
	return x
}

// below returns a number from 0 to n-1, all equally likely: Lemire, Fast random
// integer generation in an interval, ACM TOMACS 29(1), 2019.
func (g *generator) below(n uint64) uint64 {
	high, low := bits.Mul64(g.next(), n)
	for low < -n%n {
		high, low = bits.Mul64(g.next(), n)
	}
	return high
}

// jitter returns where in its stratum the sample of a factor lies, from 0 to 1,
// 1 excluded.
func jitter(key uint64, stratum int) float64 {
	return float64(mix(key+uint64(stratum))>>11) / (1 << 53)
}
