package goalsim

// Events that find their core or interface busy wait for it. All that wait at
// one host for the same thing (group) can go on at the same time, the one with
// the smallest number first. Putting each of them back into the agenda, as the
// rules are worded, costs a visit to each of n waiting events whenever one of
// them goes on: n² visits. Here only one of a group, the guard, goes back into
// the agenda; later ones are parked. When the guard goes on, the parked event
// with the smallest number becomes the guard.
//
// This changes no order. Let R be the time at which the core and the interface
// of the group are free; R never decreases. An event of the group that was put
// back goes on when (R, its number) is the smallest key of all events, however
// often it was put back before. No parked event has a smaller number than the
// guard, so the guard's key comes first among them.
type group struct {
	guard  int32 // operation of the event that is in the agenda, or none
	parked int32 // root of a pairing heap of operations, or none
}

const none = -1

// wait puts an event that cannot go on before free back, or parks it.
func (x *run) wait(g *group, e event, free uint64) {
	id := int32(e.what &^ arrivalBit)
	x.state[id].seq = e.seq
	if g.guard == none || g.guard == id || e.seq < x.state[g.guard].seq {
		g.guard = id
		e.time = free
		x.agenda.push(e)
		return
	}
	x.state[id].next, x.state[id].child = none, none
	g.parked = x.meld(g.parked, id)
}

// wentOn must be called when an event of the group has gone on, with the time
// at which the next one can.
func (x *run) wentOn(g *group, what uint32, free uint64) {
	if g.guard != int32(what&^arrivalBit) {
		return
	}
	g.guard = g.parked
	if g.parked == none {
		return
	}
	g.parked = x.mergePairs(x.state[g.guard].child)
	x.agenda.push(event{time: free, seq: x.state[g.guard].seq, what: uint32(g.guard) | what&arrivalBit})
}

// meld joins two pairing heaps (Fredman, Sedgewick, Sleator, Tarjan: The
// pairing heap, Algorithmica 1, 1986), ordered by seq. Children of a node are a
// list: the first is child, its siblings follow by next.
func (x *run) meld(a, b int32) int32 {
	switch {
	case a == none:
		return b
	case b == none:
		return a
	}
	if x.state[b].seq < x.state[a].seq {
		a, b = b, a
	}
	x.state[b].next = x.state[a].child
	x.state[a].child = b
	return a
}

// mergePairs melds the heaps of a list: two at a time, then the results from
// the last to the first.
func (x *run) mergePairs(list int32) int32 {
	pairs := int32(none)
	for list != none {
		a := list
		b := x.state[a].next
		if b == none {
			list = none
		} else {
			list = x.state[b].next
			x.state[b].next = none
		}
		x.state[a].next = none
		p := x.meld(a, b)
		x.state[p].next = pairs
		pairs = p
	}
	root := int32(none)
	for pairs != none {
		rest := x.state[pairs].next
		x.state[pairs].next = none
		root = x.meld(root, pairs)
		pairs = rest
	}
	return root
}
