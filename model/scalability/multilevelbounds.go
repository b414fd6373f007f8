package scalability

import (
	"fmt"
	"math"
)

// BoundsApply reports whether the lower bounds below may be used,
//
//	Sc >= Sc_0   for every doubling,   Sc_0 = log2 Sp_0
//
//	Sp_0  speedup of a two-node cluster; Sc_0 is the argument, finite
//	Sc    what one doubling of nodes, at any level, added to log2 of the speedup,
//	      finite; one element for each doubling from one computer to the cluster
//
// It is not so where returns diminish: in the model of [Level] with constant work
// every doubling of a level gains less than the one before. Of 18 sizes of the
// cluster, the bounds fail for the optimal configuration at 16, 4, 1, 0 and 0 in
// the five cases of section 5 of the source, taking for Sp_0 the smaller of the two
// levels' two-node speedups: with all work fixed they are worthless, with work that
// grows with the nodes they hold.
//
// Source: [Jin] Eq. 20, which says that it should hold for a well configured cluster.
// Deviations: the source goes on to use it; here it is a condition to check.
func BoundsApply(sc0 float64, doublings []float64) (bool, error) {
	const fn = "BoundsApply"
	if err := finite(fn, "Sc_0", sc0); err != nil {
		return false, err
	}
	apply := true
	for i, sc := range doublings {
		if err := finite(fn, fmt.Sprintf("Sc[%d]", i), sc); err != nil {
			return false, err
		}
		apply = apply && sc >= sc0
	}
	return apply, nil
}

// SpeedupBound returns a lower bound of the speedup of a hierarchical cluster,
//
//	S >= Sp_0^r
//
//	Sp_0  speedup of a two-node cluster, > 0
//	r     log2 of the number of computers, >= 0
//
// It holds where [BoundsApply] does.
//
// Source: [Jin] Eq. 21. Deviations: the source prints exp of a sum of base-2
// logarithms; 2 to that power is meant.
func SpeedupBound(twoNode, r float64) (float64, error) {
	const fn = "SpeedupBound"
	return positiveResult(fn, "S", math.Pow(twoNode, r), positive(fn, "Sp_0", twoNode), nonNegative(fn, "r", r))
}

// EfficiencyBound returns a lower bound of the efficiency of a hierarchical cluster,
//
//	E >= (Sp_0/2)^r,   that is   log2 E >= (Sc_0 - 1) log2 n
//
// with the symbols of [SpeedupBound] and [BoundsApply], and n = 2^r. It holds where
// BoundsApply does.
//
// Source: [Jin] Eq. 22 and 23. Deviations: none.
func EfficiencyBound(twoNode, r float64) (float64, error) {
	const fn = "EfficiencyBound"
	return positiveResult(fn, "E", math.Pow(twoNode/2, r), positive(fn, "Sp_0", twoNode), nonNegative(fn, "r", r))
}
