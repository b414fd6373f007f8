package algorithm

import "github.com/isoscale/isoscale/workloads/collective"

// Isoefficiency functions: the work W must grow in proportion to p^a log2(p)^b with the number p
// of equal processes to keep the efficiency constant, if no messages share a link. One function
// counts only the latency of messages, the other only their bytes. Nil: not known.
//
// Source: [Grama1993], with W in proportion to T_o of the algorithm.

// growth has a, the power of p, and b, that of log2(p).
type growth = [2]float64

// bytesOfRows is the isoefficiency of n broadcasts of a row of n elements along binomial trees, in n^3
// work: T_o = p n log2(p) n, so that n^3 grows as (p log2(p))^3.
func bytesOfRows(bcast collective.Choice) *growth {
	if bcast.Algorithm != collective.Default(bcast.Operation).Algorithm {
		return nil
	}
	return &growth{3, 3}
}

// Isoefficiency returns the powers of p and log2(p) that W grows as. The barrier of each step separates
// the broadcasts: for latency T_o = p n log2(p), so that n^3 grows as (p log2(p))^1.5.
func (g Gauss) Isoefficiency() (latency, bytes *[2]float64) {
	bytes = bytesOfRows(g.Bcast)
	if bytes != nil && g.Barrier.Algorithm == collective.Default(g.Barrier.Operation).Algorithm {
		latency = &growth{1.5, 1.5}
	}
	return latency, bytes
}

// Isoefficiency returns the powers of p and log2(p) that W grows as. Broadcasts that wait for nobody hide
// an unknown part of the latency.
func (f Floyd) Isoefficiency() (latency, bytes *[2]float64) {
	if f.Overlap {
		return nil, nil
	}
	return nil, bytesOfRows(f.Bcast)
}

// Isoefficiency returns the powers of p and log2(p) that W grows as. One broadcast of n rows has the bytes
// of n broadcasts.
func (m MatMul) Isoefficiency() (latency, bytes *[2]float64) { return nil, bytesOfRows(m.Bcast) }
