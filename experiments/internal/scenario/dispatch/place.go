package dispatch

// place is one of the SIs that a node may have at a time.
type place struct {
	group *group
	node  *node
	local bool // the node is the one that the IDU is on
	si    uint64
	stage stage
	since exact // when it became free, was dispatched, began or ended execution
}

// stage is what a place is doing. Each ends with a turn, at which the place
// proceeds.
type stage int

const (
	dispatching stage = iota
	outbound          // latency on the way to the node
	fetching          // operands move in
	executing
	returning // results move out
	inbound   // latency on the way back
)

// after puts the end of the stage on the agenda.
func (p *place) after(d exact) { p.group.agenda.Push(p.turn(d)) }

// turn returns the turn of the place after some time.
func (p *place) turn(d exact) turn {
	return turn{at: p.group.now.plus(d), depth: p.group.depth, si: p.si, place: p}
}

// proceed ends the stage of a place and begins the next stage that takes time.
func (p *place) proceed() {
	g := p.group
	stats := &g.totals[g.depth]
	p.node.account(g.now, stats)
	defer p.node.classify()
	switch p.stage {
	case dispatching:
		p.node.still.waiting--
		p.node.still.coming++
		stats.dispatchWait = stats.dispatchWait.plus(g.now.minus(p.since))
		p.since = g.now
		if p.local {
			p.arrive()
		} else {
			p.delay(outbound)
		}
		if g.dispatched {
			g.dispatched = false
			g.dispatch()
		}
	case outbound:
		p.stage = fetching
		if p.node.in.move(p) {
			p.arrive()
		}
	case fetching:
		p.node.in.moved()
		p.arrive()
	case executing:
		stats.executed++
		executed := g.now.minus(p.since)
		stats.busy, stats.used = stats.busy.plus(executed), stats.used.plus(executed.times(p.node.processors))
		p.since = g.now
		if next := p.node.executor.leave(); next != nil {
			next.execute()
		}
		p.node.still.goingBack++
		if p.local {
			p.release()
			break
		}
		p.stage = returning
		if p.node.out.move(p) {
			p.delay(inbound)
		}
	case returning:
		p.node.out.moved()
		p.delay(inbound)
	case inbound:
		p.release()
	}
}

// delay begins a latency without data.
func (p *place) delay(s stage) {
	p.stage = s
	if p.group.level.latency.zero() {
		p.proceed()
		return
	}
	p.after(p.group.level.latency)
}

// arrive brings an SI to where its node executes it.
func (p *place) arrive() {
	stats := &p.group.totals[p.group.depth]
	stats.transfer = stats.transfer.plus(p.group.now.minus(p.since))
	p.stage = executing
	p.node.still.coming--
	if p.node.executor.enter(p) {
		p.execute()
	}
}

func (p *place) execute() {
	p.since = p.group.now
	if p.node.group != nil {
		p.node.group.start(p.si, p)
		return
	}
	t := p.group.time(p.si)
	stats := &p.group.totals[p.group.depth]
	stats.work = stats.work.plus(t)
	p.after(t.times(p.node.slowness))
}

// release makes the place free.
func (p *place) release() {
	g := p.group
	stats := &g.totals[g.depth]
	stats.transfer = stats.transfer.plus(g.now.minus(p.since))
	g.meter.Note(1, g.ticks.seconds(g.now))
	p.since = g.now
	p.node.still.goingBack--
	g.idle = append(g.idle, p)
	if len(g.idle) <= g.level.count-g.next {
		p.node.still.waiting++ // it gets an SI in this turn
	}
	g.dispatch()
}

// standstill is what a node waits for while it executes nothing and its group has a super-program: for the SI that will
// reach it first.
//
//   - transfer: for an SI whose operands are on their way;
//   - dispatch: otherwise for an SI that a free place waits for;
//   - transfer: otherwise for the place of an SI whose results are on their way back.
//
// Without any of these no SI is left for it: it waits for the end.
type standstill struct {
	since                      exact // time is accounted for up to here
	waiting, coming, goingBack int   // places of the node in these states
	forTransfer, forTurn       bool  // what the node has been waiting for since then
}

// account adds the time up to now to the totals of the level. It is called before
// the state of the node changes.
func (n *node) account(now exact, t *totals) {
	s := &n.still
	switch {
	case now == s.since:
	case s.forTransfer:
		t.lostToTransfer = t.lostToTransfer.plus(now.minus(s.since).times(n.processors))
	case s.forTurn:
		t.lostToDispatch = t.lostToDispatch.plus(now.minus(s.since).times(n.processors))
	}
	s.since = now
}

// classify finds what an idle node waits for, after its state has changed.
func (n *node) classify() {
	s, idle := &n.still, !n.executor.busy
	s.forTurn = idle && s.coming == 0 && s.waiting > 0
	s.forTransfer = idle && !s.forTurn && s.coming+s.goingBack > 0
}

// lost returns the losses of a level whose groups had super-programs for some of all processor time.
func (t totals) lost(present, all exact) Lost {
	return Lost{
		Transfer: share(t.lostToTransfer, all),
		Dispatch: share(t.lostToDispatch, all),
		End:      share(present.minus(t.used).minus(t.lostToTransfer).minus(t.lostToDispatch), all),
	}
}

// share returns part/whole, or 0 if the whole is 0.
func share(part, whole exact) float64 {
	if whole.zero() {
		return 0
	}
	return part.times(whole.inverse()).hi
}
