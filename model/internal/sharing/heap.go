package sharing

// entry is an element of a heap: 16 bytes, with the key beside the reference so that
// comparing touches nothing else.
type entry struct {
	key float64
	ref int32
}

// kind says which owner's field holds the position of an entry. The heaps are binary,
// with the smallest key first; equal keys leave in an order that depends on the calls
// alone. container/heap would box each entry and could not tell the owners where their
// entries are.
type kind uint8

const (
	members kind = iota // of a resource: flows, by virtual end
	limits              // of a resource: edges and ^flows, by the level not to pass
	feeders             // of a resource: edges, by minus the level of the source
	queue               // of the system: resources, by the level at which to look at them
	ends                // of the system: resources and ^flows, by the time of their next end
)

func (s *System) place(k kind, ref int32, at int) {
	switch pos := int32(at); {
	case k == members:
		s.flows[ref].pos = pos
	case k == limits && ref < 0:
		s.flows[^ref].limitPos = pos
	case k == limits:
		s.edges[ref].outPos = pos
	case k == feeders:
		s.edges[ref].inPos = pos
	case k == queue:
		s.resources[ref].queuePos = pos
	case ref < 0:
		s.flows[^ref].pos = pos
	default:
		s.resources[ref].endPos = pos
	}
}

func (s *System) push(h *[]entry, k kind, key float64, ref int32) {
	*h = append(*h, entry{key, ref})
	s.rise(*h, k, len(*h)-1)
}

func (s *System) remove(h *[]entry, k kind, at int32) {
	last := len(*h) - 1
	moved := (*h)[last]
	*h = (*h)[:last]
	if int(at) < last {
		(*h)[at].ref = moved.ref
		s.rekey(*h, k, at, moved.key)
	}
}

func (s *System) rekey(h []entry, k kind, at int32, key float64) {
	old := h[at].key
	h[at].key = key
	if key < old {
		s.rise(h, k, int(at))
	} else {
		s.sink(h, k, int(at))
	}
}

func (s *System) rise(h []entry, k kind, at int) {
	e := h[at]
	for at > 0 {
		parent := (at - 1) / 2
		if h[parent].key <= e.key {
			break
		}
		h[at] = h[parent]
		s.place(k, h[at].ref, at)
		at = parent
	}
	h[at] = e
	s.place(k, e.ref, at)
}

func (s *System) sink(h []entry, k kind, at int) {
	e := h[at]
	for {
		child := 2*at + 1
		if child >= len(h) {
			break
		}
		if child+1 < len(h) && h[child+1].key < h[child].key {
			child++
		}
		if h[child].key >= e.key {
			break
		}
		h[at] = h[child]
		s.place(k, h[at].ref, at)
		at = child
	}
	h[at] = e
	s.place(k, e.ref, at)
}

// list is an unordered set of edges.
type list []int32

// take removes the element at a position and returns the one that has moved there, or
// -1.
func (l *list) take(at int32) (moved int32) {
	last := len(*l) - 1
	moved = (*l)[last]
	*l = (*l)[:last]
	if int(at) == last {
		return -1
	}
	(*l)[at] = moved
	return moved
}
