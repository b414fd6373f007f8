package conformance

import (
	"fmt"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
)

// machine runs a call without time: every rank goes on until it must wait.
type machine struct {
	algorithm  collective.Algorithm
	cs         Case
	call       collective.Call
	contract   contract
	rendezvous bool

	ranks    []rank
	channels map[ends]*channel
	order    []ends // the keys of channels, in the order of first use
	traffic  Traffic
}

// rank is the state of one rank.
type rank struct {
	next       int     // number of the current step
	started    bool    // the current step has been posted
	done       bool    // there is no further step
	data       []value // by block
	uncombined []int   // by block: received to be combined, not yet computed on
	known      []bool  // by rank: whether this rank can know that it has begun
	open       []request
}

// value is the content of a block: how often each rank's contribution is in
// it; nil if the rank does not have the block. It is never changed, so that
// messages may share it.
type value []int32

// ends are the two ranks of a channel.
type ends struct{ from, to int }

// channel holds the messages from one rank to another. All have the same tag,
// so the i-th one sent is the i-th one received, as MPI demands.
type channel struct {
	sends []message
	recvs []collective.Step
}

// message is a send as it was when it was posted.
type message struct {
	step    collective.Step
	payload []value
	known   []bool
}

// request is a posted send or receive: number index of its kind on its channel.
type request struct {
	step  collective.Step
	on    *channel
	index int
}

func newMachine(a collective.Algorithm, cs Case, rendezvous bool) *machine {
	p, n := cs.Call.Size, len(cs.Blocks)
	m := &machine{
		algorithm:  a,
		cs:         cs,
		call:       cs.Call,
		contract:   contracts[a.Operation()],
		rendezvous: rendezvous,
		ranks:      make([]rank, p),
		channels:   make(map[ends]*channel),
	}
	for i := range m.ranks {
		r := &m.ranks[i]
		r.data = make([]value, n)
		r.uncombined = make([]int, n)
		r.known = make([]bool, p)
		r.known[i] = true
		own := make(value, p)
		own[i] = 1
		for b := range r.data {
			if m.contract.starts(i, b, p, cs.Call.Root) {
				r.data[b] = own
			}
		}
	}
	return m
}

func (m *machine) protocol() string {
	if m.rendezvous {
		return "rendezvous"
	}
	return "eager"
}

// run runs all ranks to their end, or reports why it cannot.
func (m *machine) run() error {
	for progress := true; progress; {
		progress = false
		for i := range m.ranks {
			moved, err := m.advance(i)
			if err != nil {
				return err
			}
			progress = progress || moved
		}
	}
	return m.deadlock()
}

// deadlock lists the ranks that are not done.
func (m *machine) deadlock() error {
	var stuck []string
	for i := range m.ranks {
		r := &m.ranks[i]
		if r.done {
			continue
		}
		var s collective.Step
		m.algorithm.Step(m.call, i, r.next, &s)
		what := s.Kind.String()
		if s.Kind != workloads.Waitall {
			what += fmt.Sprintf(", peer %d", s.Peer)
		}
		stuck = append(stuck, fmt.Sprintf("rank %d in step %d (%s)", i, r.next, what))
	}
	if stuck == nil {
		return nil
	}
	return fmt.Errorf("deadlock: %s", strings.Join(stuck, "; "))
}

// advance runs one rank until it must wait or is done, and tells whether it
// moved at all.
func (m *machine) advance(i int) (moved bool, err error) {
	r := &m.ranks[i]
	// No sensible algorithm needs more steps than a few for each pair of a
	// rank and a block.
	limit := 64 + 16*m.call.Size*(1+len(m.cs.Blocks))
	for !r.done {
		if r.next > limit {
			return moved, fmt.Errorf("rank %d does not end within %d steps", i, limit)
		}
		s, ok, err := m.step(i, r.next)
		if err != nil {
			return moved, err
		}
		if !ok {
			r.done = true
			return true, m.staysDone(i)
		}
		if !r.started {
			if err := m.start(i, s); err != nil {
				return moved, fmt.Errorf("rank %d, step %d (%v): %w", i, r.next, s.Kind, err)
			}
			r.started = true
			moved = true
		}
		complete, err := m.finish(i, s)
		if err != nil {
			return moved, fmt.Errorf("rank %d, step %d (%v): %w", i, r.next, s.Kind, err)
		}
		if !complete {
			return moved, nil
		}
		r.next++
		r.started = false
		moved = true
	}
	return moved, nil
}

// step asks for a step twice, for a step must be a pure function.
func (m *machine) step(i, k int) (s collective.Step, ok bool, err error) {
	var again collective.Step
	ok = m.algorithm.Step(m.call, i, k, &s)
	if okAgain := m.algorithm.Step(m.call, i, k, &again); ok != okAgain || s != again {
		return s, ok, fmt.Errorf("rank %d, step %d: asked twice, answered %+v, %t and %+v, %t", i, k, s, ok, again, okAgain)
	}
	return s, ok, nil
}

// staysDone reports a step of a rank that had none before it.
func (m *machine) staysDone(i int) error {
	last := m.ranks[i].next
	for k := last + 1; k <= last+4; k++ {
		var s collective.Step
		if m.algorithm.Step(m.call, i, k, &s) {
			return fmt.Errorf("rank %d has no step %d but a step %d", i, last, k)
		}
	}
	return nil
}

// start validates a step and posts its message, if it has one.
func (m *machine) start(i int, s collective.Step) error {
	if n := len(m.cs.Blocks); s.First < 0 || s.Count < 0 || s.Count > n {
		return fmt.Errorf("%d blocks from %d on; there are %d", s.Count, s.First, n)
	}
	r := &m.ranks[i]
	var index int
	var on *channel
	switch s.Kind {
	case workloads.Send, workloads.Isend:
		ch, err := m.channel(i, s.Peer, i, s.Peer)
		if err != nil {
			return err
		}
		msg := message{step: s, known: slices.Clone(r.known)}
		for j := range s.Count {
			b := m.block(s, j)
			if r.data[b] == nil {
				return fmt.Errorf("sends block %d, which it does not have", b)
			}
			if r.uncombined[b] != 0 {
				return fmt.Errorf("sends block %d before the computation that combines it", b)
			}
			msg.payload = append(msg.payload, r.data[b])
		}
		ch.sends = append(ch.sends, msg)
		m.traffic.Messages++
		m.traffic.Volume += m.cs.size(s.First, s.Count)
		on, index = ch, len(ch.sends)-1
	case workloads.Recv, workloads.Irecv:
		ch, err := m.channel(i, s.Peer, s.Peer, i)
		if err != nil {
			return err
		}
		ch.recvs = append(ch.recvs, s)
		on, index = ch, len(ch.recvs)-1
	case workloads.Compute:
		return m.compute(r, s)
	case workloads.Waitall:
		return nil
	default:
		return fmt.Errorf("not a kind of step of a collective operation")
	}
	r.open = append(r.open, request{s, on, index})
	return nil
}

// channel returns the channel between two ranks, one of which is self.
func (m *machine) channel(self, peer, from, to int) (*channel, error) {
	if peer < 0 || peer >= m.call.Size || peer == self {
		return nil, fmt.Errorf("peer is %d; expected another one of %d ranks", peer, m.call.Size)
	}
	key := ends{from, to}
	ch := m.channels[key]
	if ch == nil {
		ch = new(channel)
		m.channels[key] = ch
		m.order = append(m.order, key)
	}
	return ch, nil
}

// block returns the number of the j-th block of a step.
func (m *machine) block(s collective.Step, j int) int { return (s.First + j) % len(m.cs.Blocks) }

// compute takes note of the arithmetic that combines blocks.
func (m *machine) compute(r *rank, s collective.Step) error {
	for j := range s.Count {
		b := m.block(s, j)
		if r.uncombined[b] == 0 {
			return fmt.Errorf("computes on block %d, which has nothing to combine", b)
		}
		r.uncombined[b]--
	}
	return nil
}

// finish completes the current step of rank i if nothing stands against it. A
// blocking send or receive is a request that is waited for at once.
func (m *machine) finish(i int, s collective.Step) (complete bool, err error) {
	r := &m.ranks[i]
	switch s.Kind {
	case workloads.Send, workloads.Recv:
		last := len(r.open) - 1
		complete, err = m.settle(r, r.open[last])
		if complete {
			r.open = r.open[:last]
		}
		return complete, err
	case workloads.Waitall:
		for len(r.open) > 0 {
			complete, err = m.settle(r, r.open[0])
			if !complete || err != nil {
				return false, err
			}
			r.open = r.open[1:]
		}
	}
	return true, nil
}

// settle completes a request if it can: a receive once its message is there, a
// rendezvous send once its receive is. An eager send always can.
func (m *machine) settle(r *rank, q request) (complete bool, err error) {
	if q.step.Kind == workloads.Send || q.step.Kind == workloads.Isend {
		return !m.rendezvous || len(q.on.recvs) > q.index, nil
	}
	if len(q.on.sends) <= q.index {
		return false, nil
	}
	return true, m.deliver(r, q.step, q.on.sends[q.index])
}

// deliver puts what a message carries where the receive wants it.
func (m *machine) deliver(r *rank, s collective.Step, msg message) error {
	sent := msg.step
	if s.Count != sent.Count || s.Count > 0 && m.block(s, 0) != m.block(sent, 0) {
		return fmt.Errorf("expects %d blocks from %d on (%v bytes); rank %d sends %d from %d on (%v bytes)",
			s.Count, s.First, float64(m.cs.size(s.First, s.Count)),
			s.Peer, sent.Count, sent.First, float64(m.cs.size(sent.First, sent.Count)))
	}
	for j, v := range msg.payload {
		b := m.block(s, j)
		if s.Combine {
			if r.data[b] == nil {
				return fmt.Errorf("combines into block %d, which it does not have", b)
			}
			v = sum(r.data[b], v)
			r.uncombined[b]++
		}
		r.data[b] = v
	}
	for other, met := range msg.known {
		r.known[other] = r.known[other] || met
	}
	return nil
}

// sum adds up the contributions to two values.
func sum(v, w value) value {
	total := make(value, len(v))
	for i := range total {
		total[i] = v[i] + w[i]
	}
	return total
}
