package dispatch

// turn is the next thing that happens to a place.
type turn struct {
	at    exact
	depth int    // of the place's level, from 0
	si    uint64 // the SI that the place holds, by its number among all of its level
	place *place
	// For the end of a transfer on a trunk: that trunk, and the number of its
	// forecast. The turn counts only if that is still the trunk's last.
	trunk    *trunk
	forecast int
}

// obsolete reports whether transfers that began or ended since the turn was
// foreseen have changed when the transfer ends.
func (t *turn) obsolete() bool { return t.trunk != nil && t.forecast != t.trunk.forecast }

// before orders turns: by time; at one instant the innermost level first, so that
// a super-program is over before the level above goes on; within a level by the
// numbers of the SIs.
func (a *turn) before(b *turn) bool {
	switch c := a.at.compare(b.at); {
	case c != 0:
		return c < 0
	case a.depth != b.depth:
		return a.depth > b.depth
	}
	return a.si < b.si
}

// agenda is a heap of turns, the next one first.
type agenda []turn

func (a *agenda) push(t turn) {
	*a = append(*a, t)
	h := *a
	i := len(h) - 1
	for i > 0 {
		parent := (i - 1) / 2
		if !h[i].before(&h[parent]) {
			break
		}
		h[i], h[parent] = h[parent], h[i]
		i = parent
	}
}

// pop removes the next turn. REQUIRES: there is one.
func (a *agenda) pop() turn {
	h := *a
	next := h[0]
	last := len(h) - 1
	h[0] = h[last]
	h = h[:last]
	*a = h
	for i := 0; ; {
		child := 2*i + 1
		if child >= last {
			return next
		}
		if child+1 < last && h[child+1].before(&h[child]) {
			child++
		}
		if !h[child].before(&h[i]) {
			return next
		}
		h[i], h[child] = h[child], h[i]
		i = child
	}
}
