package export

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/simgrid/platformxml"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/sharing/flow"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
)

// wiring has the links that the messages of a run use, and their routes.
type wiring struct {
	links   []topology.Link
	routes  []platformxml.Route // by pair of hosts, in ascending order
	weightS units.Bytes         // SimGrid's network/weight-S
}

// newWiring returns the routes between pairs of hosts, in both directions if acknowledgements flow back.
func newWiring(platform *topology.Platform, p flow.Parameters, pairs map[pair]bool) (*wiring, error) {
	all := maps.Clone(pairs)
	if p.CrossTraffic {
		for q := range pairs {
			all[pair{q.to, q.from}] = true
		}
	}
	if len(all) > platformxml.MaxRoutes/2 {
		return nil, input.Errorf("messages flow between %d pairs of hosts, each of which needs a route in the platform; expected at most %d", len(all), platformxml.MaxRoutes/2)
	}
	w := &wiring{weightS: p.WeightS}
	number := make([]int32, len(platform.Links)) // in w.links, counted from 1
	for _, q := range slices.SortedFunc(maps.Keys(all),
		func(a, b pair) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to)) }) {
		route, err := platform.Route(nil, q.from, q.to)
		if err != nil {
			return nil, input.Errorf("%v", err)
		}
		for i, l := range route {
			if number[l] == 0 {
				w.links = append(w.links, platform.Links[l])
				number[l] = int32(len(w.links))
			}
			route[i] = number[l] - 1
		}
		w.routes = append(w.routes, platformxml.Route{From: q.from, To: q.to, Links: route})
	}
	if !p.Weighted {
		w.weightS = 0
		if w.weighted() {
			w.balance()
		}
	}
	return w, nil
}

// SimGrid shares links by weights. A flow has the penalty
//
//	p = l + S (sum of 1/b over its route), or 1 if l = 0
//
// with the latency l of its route, the bandwidths b of its links, and S from the option
// network/weight-S: see docs/models/flow.md. If the flow parameters say that links are
// shared equally, all flows on a link need the same penalty.

// weighted reports whether some link has flows of different penalties even with S = 0.
func (w *wiring) weighted() bool {
	penalties := make([]float64, len(w.links)) // 0: not known yet
	for _, r := range w.routes {
		p := w.latency(r)
		if p == 0 {
			p = 1
		}
		for _, l := range r.Links {
			if other := penalties[l]; other != 0 && math.Abs(other-p) > 1e-12*max(other, p) { // more than rounding
				return true
			}
			penalties[l] = p
		}
	}
	return false
}

func (w *wiring) latency(r platformxml.Route) float64 {
	return each.Sum(r.Links, func(l int32) float64 { return float64(w.links[l].Latency) })
}

// mostOwn is the largest penalty that a route has from its own links when routes are
// balanced; the rest up to 1 is room for added links that make up for rounding.
const mostOwn = 0.99

// balance gives every route the penalty 1, to the last bit. S is such that one route nearly has
// that penalty from its own links and no route has more. Added links make up the rest: fat pipes without
// latency and with about twice the largest bandwidth, which limit no flow.
func (w *wiring) balance() {
	s, fastest := math.Inf(1), 0.0
	for _, r := range w.routes {
		inverse := 0.0 // sum of 1/b
		for _, l := range r.Links {
			inverse += 1 / float64(w.links[l].Bandwidth)
			fastest = max(fastest, float64(w.links[l].Bandwidth))
		}
		s = min(s, (mostOwn-w.latency(r))/inverse)
	}
	w.weightS = units.Bytes(s)
	made := map[float64][]int32{} // added links, by the penalty without them
	for i := range w.routes {
		r := &w.routes[i]
		p := w.latency(*r)
		if p == 0 {
			continue // its penalty is 1
		}
		for _, l := range r.Links { // in the order in which SimGrid adds
			p += s / float64(w.links[l].Bandwidth)
		}
		links, there := made[p]
		if !there {
			links = w.makeUp(p, s, fastest, len(made)+1)
			made[p] = links
		}
		r.Links = append(r.Links, links...)
	}
}

// makeUp adds links that raise a penalty to 1. The last of them makes up for rounding.
func (w *wiring) makeUp(penalty, s, fastest float64, set int) (links []int32) {
	n := math.Ceil(2 * fastest * (1 - penalty) / s)
	each := n * s / (1 - penalty)
	for k := 1.0; k <= n; k++ {
		if k == n {
			each = s / (1 - penalty)
		}
		penalty += s / each
		links = append(links, int32(len(w.links)))
		w.links = append(w.links, topology.Link{
			Name: fmt.Sprintf("weight.%d.%.0f", set, k), Bandwidth: units.BytesPerSecond(each), FatPipe: true,
		})
	}
	return links
}
