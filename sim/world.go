package sim

import (
	"fmt"
	"slices"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim/kernel"
	"github.com/isoscale/isoscale/workloads"
)

// world is what processes can see and change in a run. It is nil without processes.
type world struct {
	engine    *engine
	kernel    *kernel.Kernel
	turn      *Control // whose turn it is
	site      Site
	place     []int32 // node of each rank
	nodes     []worldNode
	fabric    Fabric // nil on a network
	adjust    Adjustable
	mostTurns int
	order     uint32      // of messages sent by processes
	bytes     units.Bytes // sent by processes
	transfers map[int32]*Event
	blocked   []kernel.Blocked // at the end
}

type worldNode struct {
	ranks []int32
	speed units.FlopsPerSecond // of each rank, when the node is not stopped
	state nodeState
	since units.Seconds // stopped or failed: when
	lost  int           // failed: ranks that had not finished
	// Stopped: the rest of the spans of its ranks, in the order of ranks, and functions
	// that are called when the node goes on.
	rest [][]aheadSpan
	then []func(at units.Seconds)
}

type nodeState uint8

const (
	nodeRuns nodeState = iota
	nodeStopped
	nodeFailed
)

// newWorld prepares a run for processes.
func newWorld(e *engine, c Config) *world {
	w := &world{engine: e, kernel: kernel.New(), site: c.Site, fabric: c.Fabric, mostTurns: mostTurns}
	if c.mostTurns > 0 {
		w.mostTurns = c.mostTurns
	}
	w.adjust, _ = c.Fabric.(Adjustable)
	s := e.shards[0]
	s.rates = slices.Clone(s.rates)
	w.place = c.place()
	w.nodes = nodesOf(w.place[:e.all])
	for i := range w.nodes {
		if n := &w.nodes[i]; len(n.ranks) > 0 {
			n.speed = s.rates[n.ranks[0]]
		}
	}
	for _, x := range e.events {
		x.inner = w.kernel.NewEvent(x.name)
	}
	s.ahead = make([][]aheadSpan, e.all)
	s.late = s.byCore
	s.setHorizon(s.horizon)
	return w
}

// nodesOf returns the nodes with their ranks, which share one slice.
func nodesOf(place []int32) []worldNode {
	nodes := make([]worldNode, slices.Max(place)+1)
	count := make([]int32, len(nodes))
	for _, node := range place {
		count[node]++
	}
	all := make([]int32, len(place))
	for i, n := range count {
		nodes[i].ranks, all = all[:0:n], all[n:]
	}
	for id, node := range place {
		nodes[node].ranks = append(nodes[node].ranks, int32(id))
	}
	return nodes
}

// nodeOf returns the node of a rank.
func (w *world) nodeOf(id int32) *worldNode { return &w.nodes[w.place[id]] }

// stoppedSince returns when the node of a rank was stopped, if it stands still.
func (w *world) stoppedSince(id int32) (units.Seconds, bool) {
	if w == nil {
		return 0, false
	}
	n := w.nodeOf(id)
	return n.since, n.state == nodeStopped
}

// failures returns a warning for each node that failed before all its ranks had
// finished.
func (w *world) failures() []string {
	var all []string
	for i, n := range w.nodes {
		if n.lost > 0 {
			all = append(all, fmt.Sprintf("node %d failed at %v with %d of its %d ranks unfinished",
				i, n.since, n.lost, len(n.ranks)))
		}
	}
	return all
}

// stuck reports whether no rank can act before a process does something.
func (w *world) stuck() bool {
	_, ok := w.engine.Next()
	return !ok
}

// defers reports whether the node of a rank is stopped or failed. Then the caller must
// do nothing: a stopped node calls the function when it goes on, a failed one never.
func (w *world) defers(id int32, then func(at units.Seconds)) bool {
	n := w.nodeOf(id)
	if n.state == nodeStopped {
		n.then = append(n.then, then)
	}
	return n.state != nodeRuns
}

// defersRelease is defers for a release.
func (w *world) defersRelease(f release) bool {
	return w.defers(f.rank, func(at units.Seconds) {
		f.at = at
		w.engine.setFree(f)
	})
}

// send gives a rank a message from a process, which arrives now.
func (w *world) send(to, tag int32, size units.Bytes, now units.Seconds) {
	e := w.engine
	s := e.shards[0]
	s.sent++
	w.bytes += size
	m := message{src: workloads.FromProcess, tag: tag, size: size, arrival: now, order: w.order, sendReq: none,
		recvReq: none, phase: eager}
	w.order++
	if s.fabric == nil {
		s.deliver(to, &m)
		return
	}
	m.phase = arrived
	i := s.newRecord(m, to)
	s.arrivals++
	if p := s.takePosted(s.rank(to), m.src, tag); p != none {
		s.pair(p, i)
		s.received(i, now)
	} else {
		s.addUnexpected(s.rank(to), i)
		s.probedOnFabric(to, i, now)
	}
}

// transfer starts a message that nobody receives, to load the links between two nodes.
func (w *world) transfer(from, to int32, size units.Bytes, now units.Seconds, done *Event) error {
	s := w.engine.shards[0]
	m := s.newRecord(message{src: from, size: size, sendReq: none, recvReq: none, phase: background}, to)
	if err := s.fabric.Transfer(now, from, to, size, m); err != nil {
		s.msgs.put(m)
		return err
	}
	if w.transfers == nil {
		w.transfers = map[int32]*Event{}
	}
	w.transfers[m] = done
	return nil
}

// transferred ends a message of transfer.
func (w *world) transferred(m int32, now units.Seconds) {
	done := w.transfers[m]
	delete(w.transfers, m)
	w.engine.shards[0].msgs.put(m)
	w.engine.happen(done, now)
}

// setSpeed changes the speed of a node's ranks.
func (w *world) setSpeed(node int32, speed units.FlopsPerSecond, now units.Seconds) {
	n := &w.nodes[node]
	n.speed = speed
	s := w.engine.shards[0]
	for _, id := range n.ranks {
		s.rates[id] = speed
		if n.state == nodeRuns {
			s.respeed(id, now)
		}
	}
	if w.adjust != nil && n.state == nodeRuns {
		w.adjust.SetSpeed(now, node, speed)
	}
}

// stopped is the due time of a rank whose node is stopped. No calendar entry has this
// time and no time is before it, so nobody wakes the rank.
const stopped units.Seconds = -1

// stop makes the ranks of a node stand still.
func (w *world) stop(node int32, now units.Seconds) {
	n := &w.nodes[node]
	n.state, n.since = nodeStopped, now
	n.rest = make([][]aheadSpan, len(n.ranks))
	s := w.engine.shards[0]
	for i, id := range n.ranks {
		n.rest[i] = w.halt(s, id, now)
	}
	if w.adjust != nil {
		w.adjust.SetSpeed(now, node, 0)
	}
}

// halt takes a rank out of the run and returns the rest of its spans.
func (w *world) halt(s *shard, id int32, now units.Seconds) []aheadSpan {
	r := s.rank(id)
	rest := s.cut(id, now)
	r.due = stopped
	r.clock = min(r.clock, now)
	switch {
	case r.state == blockedCompute:
		s.idle(id, r, now, PartCompute)
	case r.state == running && r.is(flagLaunching):
		s.idle(id, r, now, PartWaitSend) // it waited for its interface
	}
	return rest
}

// restart lets the ranks of a stopped node go on.
func (w *world) restart(node int32, now units.Seconds) {
	n := &w.nodes[node]
	n.state = nodeRuns
	s := w.engine.shards[0]
	if w.adjust != nil {
		w.adjust.SetSpeed(now, node, n.speed)
	}
	for i, id := range n.ranks {
		r := s.rank(id)
		r.due = never
		r.recvFree = max(r.recvFree, now) // arrivals are dealt with from now on
		switch r.state {
		case finished, failed:
			continue
		case running, blockedCompute:
			s.idle(id, r, now, PartStopped)
		}
		if rest := n.rest[i]; len(rest) > 0 {
			s.idle(id, r, now, PartStopped)
			r.clock = s.resume(id, rest, now)
		}
		if r.state != blockedCompute {
			s.schedule(id, now) // its turn finds out what is next
		}
	}
	then := n.then
	n.rest, n.then = nil, nil
	for _, f := range then {
		f(now)
	}
}

// fail ends the ranks of a node that have not finished.
func (w *world) fail(node int32, now units.Seconds) {
	n := &w.nodes[node]
	wasStopped := n.state == nodeStopped
	n.state, n.since, n.rest, n.then = nodeFailed, now, nil, nil
	s := w.engine.shards[0]
	for _, id := range n.ranks {
		r := s.rank(id)
		if r.state == finished {
			continue
		}
		w.halt(s, id, now)
		part := PartStopped
		if !wasStopped {
			part = r.state.waits()
		}
		s.idle(id, r, now, part)
		r.state = lost
		n.lost++
		s.unfinished--
	}
	if w.adjust != nil {
		w.adjust.SetSpeed(now, node, 0)
	}
	if s.unfinished == 0 {
		w.kernel.Stop()
	}
}

// waits returns the part of its time that a rank spends in this state.
func (x state) waits() Part {
	switch x {
	case blockedMeeting:
		return PartWaitCollective
	case blockedEvent:
		return PartWaitEvent
	}
	return PartWaitMessage
}
