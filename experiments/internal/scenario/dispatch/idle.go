package dispatch

// standstill is what the processors of a node wait for while they execute nothing
// and the group of the node has a super-program. A processor waits for the SI of the
// node that is closest to it:
//
//   - transfer: one whose operands are on their way;
//   - dispatch: else one that a free place waits for;
//   - transfer: else the place of one whose results are on their way back.
//
// With none of these there is no SI left for it: it waits for the end.
type standstill struct {
	since                        exact // up to where time is accounted for
	waiting, coming, goingBack   int   // places of the node in these states
	idleForTransfer, idleForTurn int   // processors, in the state since then
}

// account adds the time up to now to the totals of the level. It is called before
// the state of the node changes.
func (n *node) account(now exact, t *totals) {
	s := &n.still
	if s.idleForTransfer+s.idleForTurn > 0 && now != s.since {
		if d := now.minus(s.since); !d.zero() {
			t.lostToTransfer = t.lostToTransfer.plus(d.times(exactInt(s.idleForTransfer)))
			t.lostToDispatch = t.lostToDispatch.plus(d.times(exactInt(s.idleForTurn)))
		}
	}
	s.since = now
}

// classify finds what the idle processors wait for, after the state of the node has
// changed.
func (n *node) classify() {
	s := &n.still
	idle := n.processors.free
	fetch := min(idle, s.coming)
	turn := min(idle-fetch, s.waiting)
	back := min(idle-fetch-turn, s.goingBack)
	s.idleForTransfer, s.idleForTurn = fetch+back, turn
}

// lost returns the losses of a level. idle is the time of its processors while
// their group had a super-program and they executed nothing.
func (t totals) lost(idle, available exact) Lost {
	return Lost{
		Transfer: share(t.lostToTransfer, available),
		Dispatch: share(t.lostToDispatch, available),
		End:      share(idle.minus(t.lostToTransfer).minus(t.lostToDispatch), available),
	}
}

// share returns a part of a whole, 0 of nothing.
func share(part, whole exact) float64 {
	if whole.zero() {
		return 0
	}
	return part.times(whole.inverse()).hi
}
