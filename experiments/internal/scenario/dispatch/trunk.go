package dispatch

import (
	"slices"
)

// trunk is one direction of the connection that all transfers of a group share. They have one size, and each has the
// same bound, that of its interface. So all of them move at one rate and end in the order in which they began.
//
// Its clock is the time for which each transfer would have needed the trunk alone for what it has moved so far. With n
// transfers the clock advances at the rate
//
//	1/max(n, bound)
//
// per unit of time, where bound is the time that a transfer takes through its interface alone, over that on the trunk
// alone.
type trunk struct {
	simulation *simulation
	alone      exact // what a transfer adds to the clock: its time alone on the trunk
	bound      exact
	fastest    exact // 1/bound, if bound is not 0

	clock     exact
	at        exact // when the clock was brought up to date
	transfers []transfer
	forecast  int // number of the turn at which the first transfer ends
}

type transfer struct {
	end   exact // on the trunk's clock
	place *place
}

// newTrunk returns nil if a transfer takes no time on the trunk.
func (s *simulation) newTrunk(times transferTimes) *trunk {
	if times.byTrunk.zero() {
		return nil
	}
	t := &trunk{simulation: s, alone: times.byTrunk, bound: times.byInterface.times(times.byTrunk.inverse())}
	if !t.bound.zero() {
		t.fastest = t.bound.inverse()
	}
	return t
}

// start begins the transfer of a place's SI.
func (t *trunk) start(p *place) {
	t.advance()
	if len(t.transfers) == 0 {
		t.clock = exact{} // keeps its fractions short
	}
	end := t.clock.plus(t.alone)
	i := len(t.transfers)
	for i > 0 && t.transfers[i-1].end.compare(end) == 0 && t.transfers[i-1].place.si > p.si {
		i--
	}
	t.transfers = slices.Insert(t.transfers, i, transfer{end, p})
	t.foresee()
}

// finish ends the first transfer now.
func (t *trunk) finish() {
	t.advance()
	t.transfers = t.transfers[1:]
	t.foresee()
}

// advance brings the clock up to now.
func (t *trunk) advance() {
	if elapsed := t.simulation.now.minus(t.at); len(t.transfers) > 0 && !elapsed.zero() {
		rate := t.fastest
		if !t.limitedByInterface() {
			rate = t.simulation.reciprocal(len(t.transfers))
		}
		t.clock = t.clock.plus(elapsed.times(rate))
	}
	t.at = t.simulation.now
}

func (t *trunk) limitedByInterface() bool {
	return t.bound.compare(exactInt(len(t.transfers))) > 0
}

// foresee puts the end of the first transfer on the agenda.
func (t *trunk) foresee() {
	if len(t.transfers) == 0 {
		return
	}
	first := t.transfers[0]
	slowness := t.bound
	if !t.limitedByInterface() {
		slowness = exactInt(len(t.transfers))
	}
	t.forecast++
	turn := first.place.turn(first.end.minus(t.clock).times(slowness))
	turn.trunk, turn.forecast = t, t.forecast
	t.simulation.agenda.Push(turn)
}

// reciprocal returns 1/n.
func (s *simulation) reciprocal(n int) exact {
	for len(s.reciprocals) <= n {
		s.reciprocals = append(s.reciprocals, exact{})
	}
	if s.reciprocals[n].zero() {
		s.reciprocals[n] = exactInt(n).inverse()
	}
	return s.reciprocals[n]
}

// server lets one place in at a time, first come, first served.
type server struct {
	busy  bool
	queue []*place
}

// enter reports whether p is let in. If not, it waits.
func (s *server) enter(p *place) bool {
	if s.busy {
		s.queue = append(s.queue, p)
		return false
	}
	s.busy = true
	return true
}

// leave admits the next place and returns it, or nil if none waits.
func (s *server) leave() *place {
	if len(s.queue) == 0 {
		s.busy = false
		return nil
	}
	next := s.queue[0]
	s.queue = s.queue[1:]
	return next
}

// link is one direction of a node's interface, which carries one transfer at a time, and the trunk behind it.
type link struct {
	server
	alone exact  // time of a transfer without contention, 0 if none is needed
	trunk *trunk // of the group; nil if it is infinite
}

// move moves the data of a place's SI, and reports whether that takes no time.
func (l *link) move(p *place) (done bool) {
	if l.alone.zero() {
		return true
	}
	if l.enter(p) {
		l.carry(p)
	}
	return false
}

func (l *link) carry(p *place) {
	if l.trunk != nil {
		l.trunk.start(p)
		return
	}
	p.after(l.alone)
}

// moved ends a transfer, and admits the next one to the interface.
func (l *link) moved() {
	if l.trunk != nil {
		l.trunk.finish()
	}
	if next := l.leave(); next != nil {
		l.carry(next)
	}
}
