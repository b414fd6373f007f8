package scalability

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/isoscale/isoscale/model/units"
)

// A Level is one level of a hierarchical cluster that runs super-instructions: a
// super-instruction of one level is a program of w super-instructions of the next,
// dealt to n nodes. Only load imbalance is lost.
//
// Work is the number at these node counts. Where the work of a level depends on node
// counts, its own or another level's, the caller computes it for each configuration.
type Level struct {
	Nodes     float64 // n, nodes of this level in one node of the level above, >= 1; not whole in derivatives
	Work      float64 // w, super-instructions of this level, > 0
	Imbalance float64 // c, super-instructions during which each other node idles at the end, >= 0
}

// Levels are the levels of a cluster, the topmost first.
type Levels []Level

func (l Level) check(fn, suffix string) error {
	enough := l.Nodes >= 1 && l.Nodes <= math.MaxFloat64
	return cmp.Or(demand(enough, fn, "n"+suffix, l.Nodes, "a finite number, 1 or more"),
		positive(fn, "w"+suffix, l.Work), nonNegative(fn, "c"+suffix, l.Imbalance))
}

// complexity returns C of a checked level.
func (l Level) complexity() float64 { return (l.Work + float64(l.Imbalance*(l.Nodes-1))) / l.Nodes }

// Complexity returns how many super-instructions of the level, one after another, take
// as long as one of the level above,
//
//	C = (w + c (n - 1))/n
//
// with the symbols of [Level].
//
// Source: [Jin] Eq. 24-26. Deviations: none. Super-instructions are whole, so a
// simulation shows steps where this is smooth.
func (l Level) Complexity() (float64, error) {
	const fn = "Level.Complexity"
	return positiveResult(fn, "C", l.complexity(), l.check(fn, ""))
}

// Time returns the time of a program on a hierarchical cluster,
//
//	T = C_1 C_2 ... C_k t
//
//	C_i  complexity of level i, see [Level.Complexity]; at least one level
//	t    time of a super-instruction of the lowest level on one computer, s, > 0
//
// Source: [Jin] Eq. 16. Deviations: none.
func (levels Levels) Time(t units.Seconds) (units.Seconds, error) {
	const fn = "Levels.Time"
	if err := cmp.Or(levels.check(fn), positive(fn, "t", t)); err != nil {
		return 0, err
	}
	for _, l := range levels {
		t *= units.Seconds(l.complexity())
	}
	return positiveResult(fn, "T", t)
}

// Log2Speedup returns the base-2 logarithm of the speedup of a
// hierarchical cluster over one computer that does the same work,
//
//	log2 S = sum_i log2(w_i n_i/(w_i + c_i (n_i - 1)))
//
// with the symbols of [Level] for levels i = 1 to k, the topmost first; at least one.
//
// Imbalance makes it lower than log2 of the number of computers. More nodes lower it if
// they lower the work of a level, or if w < c.
//
// Source: [Jin] Eq. 24-26 in Eq. 21. Deviations: the source does not define the
// speedup where work grows with the cluster. Its text agrees with the one here,
// which compares equal work; against one computer with the work of one computer it
// would not.
func (levels Levels) Log2Speedup() (float64, error) {
	const fn = "Levels.Log2Speedup"
	if err := levels.check(fn); err != nil {
		return 0, err
	}
	sum := 0.0
	for _, l := range levels {
		sum += math.Log2(l.Nodes) - math.Log1p(l.Imbalance*(l.Nodes-1)/l.Work)/math.Ln2
	}
	return finiteResult(fn, "log2 S", sum)
}

func (levels Levels) check(fn string) error {
	if err := count(fn, "k", len(levels), 1); err != nil {
		return err
	}
	for i, l := range levels {
		if err := l.check(fn, fmt.Sprintf("[%d]", i)); err != nil {
			return err
		}
	}
	return nil
}

// Scalability returns the scalability of one level that grows,
//
//	Sc = log2(C/C')/log2(n'/n)
//
//	C, n    complexity and nodes of the level before, see [Level.Complexity]
//	C', n'  those after, n' > n
//
// It is the [Satisfaction.Dimension] for U = log2(1/T) and r = log2 n, as long as the
// other levels keep their complexity. 1 is ideal at constant work: twice the nodes,
// half the time. If w grows, Sc counts the longer program as lost time; to compare
// equal work, use [Levels.Log2Speedup] as U.
//
// Source: [Jin] Eq. 17; with n' = 2n, Eq. 18. Deviations: none.
func (l Level) Scalability(after Level) (float64, error) {
	const fn = "Level.Scalability"
	// Logarithms of both complexities, so that neither ratio overflows.
	gain := math.Log2(l.complexity()) - math.Log2(after.complexity())
	return finiteResult(fn, "Sc", gain/math.Log2(after.Nodes/l.Nodes), l.check(fn, ""), after.check(fn, "'"),
		demand(after.Nodes > l.Nodes, fn, "n'", after.Nodes, fmt.Sprintf("more than n = %g", l.Nodes)))
}

// BoundsApply reports whether the lower bounds below may be used,
//
//	Sc >= Sc_0   for every doubling,   Sc_0 = log2 Sp_0
//
//	Sp_0  speedup of a two-node cluster; Sc_0 is the argument, finite
//	Sc    what one doubling of nodes, at any level, added to log2 of the speedup,
//	      finite; one element for each doubling from one computer to the cluster
//
// They may not where returns diminish: in the model of [Level] with constant work,
// every doubling of a level gains less than the previous one. Of 18 sizes of the
// cluster, the bounds fail for the optimal configuration at 16, 4, 1, 0 and 0 in the
// five cases of section 5 of the source, taking for Sp_0 the smaller of the two levels'
// two-node speedups: with fixed work the bounds are worthless, with work that grows
// with the nodes they hold.
//
// Source: [Jin] Eq. 20, which says that it should hold for a well configured cluster.
// Deviations: the source goes on to use it; here it is a condition to check.
func BoundsApply(sc0 float64, doublings []float64) (bool, error) {
	const fn = "BoundsApply"
	if err := cmp.Or(finite(fn, "Sc_0", sc0), every(fn, "Sc", doublings, finite)); err != nil {
		return false, err
	}
	return !slices.ContainsFunc(doublings, func(sc float64) bool { return sc < sc0 }), nil
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
