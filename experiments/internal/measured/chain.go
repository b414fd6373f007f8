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

// A chain is points of a named system with one work for each process, within 2 %.
type chain struct {
	name   string
	work   float64 // for each process, of the point on the fewest processes
	places []place // in the order of processes
}

// points yields the points with their systems.
func (c *chain) points() iter.Seq2[*System, *Point] {
	return func(yield func(*System, *Point) bool) {
		for _, at := range c.places {
			if !yield(at.system, at.point) {
				return
			}
		}
	}
}

// sameWorkEach is how far the work of a process may be from that on the fewest
// processes.
const sameWorkEach = 0.02

// chains returns a chain for each point on the fewest processes of each named system,
// which may be the only one of its chain.
func (r *Result) chains() []chain {
	var all []chain
	for _, systems := range r.byName() {
		all = append(all, r.chainsOf(systems)...)
	}
	return all
}

// chainsOf returns the chains of one named system.
func (r *Result) chainsOf(systems []System) []chain {
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
	var chains []chain
	for _, base := range shares[0] {
		c := chain{
			name:   strings.TrimPrefix(fmt.Sprintf("%s, %s a process", systems[0].System, units.Flops(base.work)), ", "),
			work:   base.work,
			places: []place{{r, &systems[0], base.point}},
		}
		for i := 1; i < len(systems); i++ {
			all := shares[i]
			k, _ := slices.BinarySearchFunc(all, base.work, func(s share, w float64) int { return cmp.Compare(s.work, w) })
			nearest, off := -1, sameWorkEach
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
