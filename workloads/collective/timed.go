package collective

import "github.com/isoscale/isoscale/model/units"

// timed is an algorithm of another package with measured times for some groups and sizes.
type timed interface {
	Algorithm
	// Measured returns the time of a call of total bytes among ranks on that many nodes (0: any), and the smallest size
	// measured for such groups; known is false if there is no time.
	Measured(ranks, nodes int, total units.Bytes) (t units.Seconds, least units.Bytes, known bool)
	// Otherwise carries out calls whose time is not known.
	Otherwise() Algorithm
}

// timedAt is a timed algorithm for ranks at known places.
type timedAt struct {
	timed
	otherwise Algorithm
	places    *Places
}

func (a *timedAt) Otherwise() Algorithm { return a.otherwise }

// nodesOf returns on how many nodes (the last level of places) the ranks of a call are, 0 if that is not known.
func (a *timedAt) nodesOf(c Call) int {
	p := a.places
	if n, ok := p.nodes.Load(c.members()); ok {
		return n.(int)
	}
	levels := p.Levels()
	if len(levels) == 0 {
		return 0
	}
	seen := map[int32]bool{}
	for rank := range c.Size {
		seen[levels[len(levels)-1][c.world(rank)]] = true
	}
	p.nodes.Store(c.members(), len(seen))
	return len(seen)
}

// measuredTime returns the measured time of a call, or the algorithm that carries it out if
// there is none.
func measuredTime(a timed, c Call, total units.Bytes) (units.Seconds, Algorithm) {
	nodes := 0
	at, placed := a.(*timedAt)
	if placed {
		nodes = at.nodesOf(c)
	}
	const rounding = 1e-9
	size := units.Bytes(resultOf(a.Operation(), c, total)) // as nccl-tests print it
	if t, least, known := a.Measured(c.Size, nodes, size); known {
		if placed && size < least*(1-rounding) {
			at.places.rough.note(measuredTimes, size, least)
		}
		return t, nil
	}
	if placed && nodes > 0 && c.Size > 1 {
		at.places.rough.noteOther(a.Otherwise().Name(), c.Size, nodes)
	}
	return 0, a.Otherwise()
}
