package platformxml

import "slices"

// A star is a zone whose points each have links of their own to a common
// middle, which may have a backbone: flat clusters, and zones of routing Cluster.
type star struct {
	spokes   []spoke
	backbone int32             // none if there is none
	loops    map[int32][]int32 // declared routes of a point to itself
}

// A spoke is what a point has of its own; none for what it has not. A router, or
// a host without a link, is in the middle itself, before the backbone.
type spoke struct {
	up, down int32
	limiter  int32 // passed by all messages of the host, in and out
	loopback int32
}

var hub = spoke{none, none, none, none}

// links implements rule: limiter, up, backbone, down, limiter. A link that
// stands there twice is passed once.
func (s *star) links(buf []int32, from, to int32) ([]int32, bool) {
	a, b := s.spokes[from], s.spokes[to]
	if from == to {
		if loop := s.loops[from]; loop != nil {
			for i, l := range loop {
				if !slices.Contains(loop[:i], l) {
					buf = append(buf, l)
				}
			}
			return buf, true
		}
		if a.loopback != none {
			return append(buf, a.loopback), true
		}
	}
	var all [6]int32
	n := 0
	add := func(link int32) {
		for _, l := range all[:n] {
			if l == link {
				return
			}
		}
		if link != none {
			all[n] = link
			n++
		}
	}
	if a.up != none {
		add(a.limiter)
		add(a.up)
		add(s.backbone)
	}
	if b.down != none {
		add(s.backbone)
		add(b.down)
		add(b.limiter)
	}
	return append(buf, all[:n]...), true
}
