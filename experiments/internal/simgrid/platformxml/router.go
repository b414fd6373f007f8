package platformxml

import "github.com/isoscale/isoscale/topology"

// none is the number of no point, zone or link.
const none = topology.NoLink

// A point is an end of routes inside a zone: a host, a router, or a zone inside
// the zone.
type point struct {
	zone  int32 // the zone it is in, none for the outermost zone
	index int32 // among the points of that zone
}

// A zone is a part of the platform with its own rule for routes. Its points are
// either hosts and routers or other zones, never both. Either rule or graph is
// used, and none of them if the zone has no routes.
type zone struct {
	name    string
	parent  int32 // none for the outermost zone
	point   int32 // the zone itself, as a point of its parent
	points  int32 // in the zone
	rule    rule  // for hosts and routers
	graph   graph // for points of any kind
	bypass  map[[2]int32]*way
	hasZone bool // its points are zones
}

// A rule knows the links between any two hosts or routers of a zone, which are
// given by their index.
type rule interface {
	// links appends the links to buf. ok is false if there is no route.
	links(buf []int32, from, to int32) (longer []int32, ok bool)
}

// A graph knows which of the routes of a zone lead from one of its points to
// another.
type graph interface {
	// path appends the routes to buf, in order. ok is false if there are none.
	path(buf []*way, from, to int32) (longer []*way, ok bool)
}

// A way is a route as declared: links, and the points where it begins and ends
// if it connects zones (none if it connects hosts or routers).
type way struct {
	from, to int32
	links    []int32
}

// hierarchy implements topology.Router: routes within zones, joined at their
// gateways.
type hierarchy struct {
	names    []topology.Host
	hosts    []int32 // the point of each host
	points   []point
	zones    []zone
	loopback int32 // the implicit link of hosts to themselves
}

func (h *hierarchy) Route(buf []int32, from, to int32) ([]int32, error) {
	longer, ok := h.between(buf, h.hosts[from], h.hosts[to])
	if !ok || len(longer) == len(buf) {
		if from != to {
			return buf, &topology.NoRouteError{From: h.names[from].Name, To: h.names[to].Name}
		}
		longer = append(buf, h.loopback)
	}
	return longer, nil
}

// between appends the links between two hosts or routers.
//
// Let Z be the innermost zone that holds both. If they are points of Z, its rule
// tells. Otherwise they are inside of two different zones of Z, A and B. The
// route from A to B in Z begins at a gateway inside A and ends at one inside B;
// the rest are routes inside A and inside B. So no zone is gone through twice,
// which bounds the recursion and the work. A bypass route from a zone inside A to
// one inside B replaces the route from A to B; as in SimGrid, an end that is the
// gateway of a bypass route first reaches itself over its loopback.
func (h *hierarchy) between(buf []int32, a, b int32) ([]int32, bool) {
	var upA, upB [maxDepth + 1]int32
	pathA, pathB := h.ancestors(upA[:0], a), h.ancestors(upB[:0], b)
	ancestor := none
	for len(pathA) > 0 && len(pathB) > 0 && pathA[len(pathA)-1] == pathB[len(pathB)-1] {
		ancestor = pathA[len(pathA)-1]
		pathA, pathB = pathA[:len(pathA)-1], pathB[:len(pathB)-1]
	}
	z := &h.zones[ancestor]
	if len(pathA) == 0 { // both are points of z
		from, to := h.points[a].index, h.points[b].index
		switch direct := z.bypass[[2]int32{a, b}]; {
		case direct != nil:
			return append(buf, direct.links...), true
		case z.rule != nil:
			return z.rule.links(buf, from, to)
		case z.graph != nil:
			var some [8]*way
			ways, ok := z.graph.path(some[:0], from, to)
			for _, w := range ways {
				buf = append(buf, w.links...)
			}
			if !ok && a == b {
				return append(buf, h.loopback), true
			}
			return buf, ok
		}
		return buf, false
	}
	if w := h.shortcut(z, pathA, pathB); w != nil {
		buf, ok := h.between(buf, a, w.from)
		if !ok {
			return buf, false
		}
		return h.between(append(buf, w.links...), w.to, b)
	}
	if z.graph == nil {
		return buf, false
	}
	childA, childB := h.zones[pathA[len(pathA)-1]].point, h.zones[pathB[len(pathB)-1]].point
	var some [8]*way
	ways, ok := z.graph.path(some[:0], h.points[childA].index, h.points[childB].index)
	if !ok {
		return buf, false
	}
	at := a
	for _, w := range ways {
		var ok bool
		if buf, ok = h.to(buf, at, w.from); !ok {
			return buf, false
		}
		buf, at = append(buf, w.links...), w.to
	}
	return h.to(buf, at, b)
}

// to is between for points that may be the same, and then appends nothing.
func (h *hierarchy) to(buf []int32, a, b int32) ([]int32, bool) {
	if a == b {
		return buf, true
	}
	return h.between(buf, a, b)
}

// ancestors appends the zones that hold a point, innermost first.
func (h *hierarchy) ancestors(buf []int32, p int32) []int32 {
	for z := h.points[p].zone; z != none; z = h.zones[z].parent {
		buf = append(buf, z)
	}
	return buf
}

// shortcut returns the bypass route of z that is nearest to the two ends: the
// one that ends in the smallest zones, where the larger of both distances counts
// first, then the smaller one, then a smaller zone at the source.
func (h *hierarchy) shortcut(z *zone, pathA, pathB []int32) *way {
	if len(z.bypass) == 0 {
		return nil
	}
	look := func(i, j int) *way {
		if i >= len(pathA) || j >= len(pathB) {
			return nil
		}
		return z.bypass[[2]int32{h.zones[pathA[i]].point, h.zones[pathB[j]].point}]
	}
	for far := range max(len(pathA), len(pathB)) {
		for near := range far {
			if w := look(near, far); w != nil {
				return w
			}
			if w := look(far, near); w != nil {
				return w
			}
		}
		if w := look(far, far); w != nil {
			return w
		}
	}
	return nil
}
