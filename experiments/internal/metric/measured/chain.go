package measured

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/model/units"
)

// A Chain is points of a named system with one work for each process, within 2 %.
type Chain struct {
	Name   string
	Work   float64 // for each process, of the point on the fewest processes
	places []place // in the order of processes
}

// Points yields the points with their systems.
func (c *Chain) Points() iter.Seq2[*System, *Point] {
	return func(yield func(*System, *Point) bool) {
		for _, at := range c.places {
			if !yield(at.system, at.point) {
				return
			}
		}
	}
}

// SameWorkEach is how far the work of a process may be from that on the fewest
// processes.
const SameWorkEach = 0.02

// Chains returns a chain for each point on the fewest processes of each named system,
// which may be the only one of its chain.
func (r *Result) Chains() []Chain {
	var all []Chain
	for _, systems := range r.byName() {
		all = append(all, r.chainsOf(systems)...)
	}
	return all
}

// chainsOf returns the chains of one named system.
func (r *Result) chainsOf(systems []System) []Chain {
	// The points of each system by their work for each process.
	type share struct {
		work  float64
		point *Point
	}
	shares := make([][]share, len(systems))
	for i, s := range systems {
		for k := range s.Points {
			if p := &s.Points[k]; p.Value("achieved_speed") != nil {
				shares[i] = append(shares[i], share{*p.Work / float64(s.Processes), p})
			}
		}
		slices.SortStableFunc(shares[i], func(a, b share) int { return cmp.Compare(a.work, b.work) })
	}
	var chains []Chain
	for _, base := range shares[0] {
		c := Chain{
			Name:   strings.TrimPrefix(fmt.Sprintf("%s, %s a process", systems[0].System, units.Flops(base.work)), ", "),
			Work:   base.work,
			places: []place{{r, &systems[0], base.point}},
		}
		for i := 1; i < len(systems); i++ {
			all := shares[i]
			k, _ := slices.BinarySearchFunc(all, base.work, func(s share, w float64) int { return cmp.Compare(s.work, w) })
			nearest, off := -1, SameWorkEach
			for j := max(k-1, 0); j <= k && j < len(all); j++ {
				if d := math.Abs(all[j].work/base.work - 1); d <= off {
					nearest, off = j, d
				}
			}
			if nearest >= 0 {
				c.places = append(c.places, place{r, &systems[i], all[nearest].point})
			}
		}
		chains = append(chains, c)
	}
	return chains
}
