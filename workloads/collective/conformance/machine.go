package conformance

import (
	"fmt"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/model/units"
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
	next       int             // number of the current step
	step       collective.Step // that step, once it is posted
	started    bool            // the step has been posted
	done       bool            // there is no further step
	data       []value         // by block
	uncombined []int           // by block: how often received to be combined and not yet computed on
	known      []bool          // by rank: whether this rank can know that that one has begun
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
	ends
	sends []message
	recvs int // receives posted
}

// message is the content of a send when it was posted.
type message struct {
	blocks  []int
	payload []value
	known   []bool // if the contract asks for it
}

// request is a posted send or receive; index is its number among those of its kind on its channel.
type request struct {
	name    int // of an Isend or Irecv; otherwise own
	on      *channel
	index   int
	receive bool
	blocks  []int // received
	combine bool
}

// maxRequest is the largest number of a request within a call.
const maxRequest = 1<<30 - 1

// own is the name of a request for which the step that starts it also waits.
const own = -1

func newMachine(a collective.Algorithm, cs Case, rendezvous bool) *machine {
	p, n := cs.Call.Size, len(cs.Blocks)
	call := cs.Call
	call.Pieces = n
	m := &machine{
		algorithm:  a,
		cs:         cs,
		call:       call,
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
		contribution := make(value, p)
		contribution[i] = 1
		for b := range r.data {
			if m.contract.starts(i, b, p, cs.Call.Root) {
				r.data[b] = contribution
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
		s := r.step // a rank only stops in a step
		what := s.Kind.String()
		switch s.Kind {
		case workloads.Wait:
			what += fmt.Sprintf(", request %d", s.Request)
		case workloads.Sendrecv:
			what += fmt.Sprintf(", peer %d, from %d", s.Peer, s.From)
		default:
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
	// No sensible algorithm needs more than a few steps for each pair of a rank and a
	// block.
	limit := 64 + 16*m.call.Size*(1+len(m.cs.Blocks))
	for !r.done {
		if r.next > limit {
			return moved, fmt.Errorf("rank %d does not end within %d steps", i, limit)
		}
		if !r.started {
			s, ok, err := m.step(i, r.next)
			if err != nil {
				return moved, err
			}
			if !ok {
				r.done = true
				return true, m.staysDone(i)
			}
			if err := m.start(i, s); err != nil {
				return moved, fmt.Errorf("rank %d, step %d (%v): %w", i, r.next, s.Kind, err)
			}
			r.step, r.started, moved = s, true, true
		}
		complete, err := m.finish(r)
		if err != nil {
			return moved, fmt.Errorf("rank %d, step %d (%v): %w", i, r.next, r.step.Kind, err)
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

// step asks for a step twice, because it must be a pure function.
func (m *machine) step(i, k int) (s collective.Step, ok bool, err error) {
	s, ok = m.algorithm.Step(m.call, i, k)
	if again, okAgain := m.algorithm.Step(m.call, i, k); ok != okAgain || s != again {
		return s, ok, fmt.Errorf("rank %d, step %d: asked twice, answered %+v, %t and %+v, %t", i, k, s, ok, again, okAgain)
	}
	return s, ok, nil
}

// staysDone reports a step after the end of a rank.
func (m *machine) staysDone(i int) error {
	last := m.ranks[i].next
	for k := last + 1; k <= last+4; k++ {
		if _, ok := m.algorithm.Step(m.call, i, k); ok {
			return fmt.Errorf("rank %d has no step %d but a step %d", i, last, k)
		}
	}
	return nil
}

// start validates a step and posts its messages, if it has any.
func (m *machine) start(i int, s collective.Step) error {
	r := &m.ranks[i]
	blocks, err := m.blocks(s.Blocks)
	if err != nil {
		return err
	}
	if s.Kind != workloads.Sendrecv && s.Received != (collective.BlockSet{}) {
		return fmt.Errorf("blocks received are for a sendrecv only")
	}
	switch s.Kind {
	case workloads.Send:
		return m.send(i, s.Peer, own, blocks)
	case workloads.Isend:
		if err := r.mayOpen(s.Request); err != nil {
			return err
		}
		return m.send(i, s.Peer, s.Request, blocks)
	case workloads.Recv:
		return m.receive(i, s.Peer, own, blocks, s.Combine)
	case workloads.Irecv:
		if err := r.mayOpen(s.Request); err != nil {
			return err
		}
		return m.receive(i, s.Peer, s.Request, blocks, s.Combine)
	case workloads.Sendrecv:
		received, err := m.blocks(s.Received)
		if err != nil {
			return err
		}
		if err := m.send(i, s.Peer, own, blocks); err != nil {
			return err
		}
		return m.receive(i, s.From, own, received, s.Combine)
	case workloads.Wait:
		if !r.isOpen(s.Request) {
			return fmt.Errorf("waits for request %d, which is not open", s.Request)
		}
		return nil
	case workloads.Compute:
		return r.compute(blocks)
	}
	return fmt.Errorf("not a kind of step of a collective operation")
}

// mayOpen reports what is wrong with the name of a new request.
func (r *rank) mayOpen(name int) error {
	if name < 0 || name > maxRequest {
		return fmt.Errorf("request is %d; expected 0 to %d", name, maxRequest)
	}
	if r.isOpen(name) {
		return fmt.Errorf("request %d is open already", name)
	}
	return nil
}

func (r *rank) isOpen(name int) bool {
	return slices.ContainsFunc(r.open, func(q request) bool { return q.name == name })
}

// blocks lists the blocks of a set.
func (m *machine) blocks(set collective.BlockSet) ([]int, error) {
	n := len(m.cs.Blocks)
	number := func(b int) int { return b }
	if a, ok := m.algorithm.(interface{ number(block int) int }); ok { // numbers blocks in its own order
		number = a.number
	}
	if set.First < 0 || set.Count < 0 || set.Count > n {
		return nil, fmt.Errorf("%d blocks from %d on; there are %d", set.Count, set.First, n)
	}
	list := make([]int, set.Count)
	for j := range list {
		b := set.At(j, n)
		if b < 0 || b >= n {
			return nil, fmt.Errorf("block %d; there are %d", b, n)
		}
		list[j] = number(b)
	}
	return list, nil
}

// send posts a message.
func (m *machine) send(i, to, name int, blocks []int) error {
	ch, err := m.channel(i, to, ends{i, to})
	if err != nil {
		return err
	}
	r := &m.ranks[i]
	msg := message{blocks: blocks}
	if m.contract.meets {
		msg.known = slices.Clone(r.known)
	}
	for _, b := range blocks {
		if r.data[b] == nil {
			return fmt.Errorf("sends block %d, which it does not have", b)
		}
		if r.uncombined[b] != 0 {
			return fmt.Errorf("sends block %d before the computation that combines it", b)
		}
		msg.payload = append(msg.payload, r.data[b])
	}
	r.open = append(r.open, request{name: name, on: ch, index: len(ch.sends)})
	ch.sends = append(ch.sends, msg)
	m.traffic.Messages++
	m.traffic.Volume += m.size(blocks)
	return nil
}

// receive posts a receive.
func (m *machine) receive(i, from, name int, blocks []int, combine bool) error {
	ch, err := m.channel(i, from, ends{from, i})
	if err != nil {
		return err
	}
	r := &m.ranks[i]
	r.open = append(r.open, request{name: name, on: ch, index: ch.recvs, receive: true, blocks: blocks,
		combine: combine})
	ch.recvs++
	return nil
}

// size adds up blocks. It is deliberately simple: it must not share code with what it
// checks.
func (m *machine) size(blocks []int) units.Bytes {
	var sum units.Bytes
	for _, b := range blocks {
		sum += m.cs.Blocks[b]
	}
	return sum
}

// channel returns the channel with the given ends: self and peer.
func (m *machine) channel(self, peer int, key ends) (*channel, error) {
	if peer < 0 || peer >= m.call.Size || peer == self {
		return nil, fmt.Errorf("peer is %d; expected another one of %d ranks", peer, m.call.Size)
	}
	ch := m.channels[key]
	if ch == nil {
		ch = &channel{ends: key}
		m.channels[key] = ch
		m.order = append(m.order, key)
	}
	return ch, nil
}

// compute takes note of the arithmetic that combines blocks.
func (r *rank) compute(blocks []int) error {
	for _, b := range blocks {
		if r.uncombined[b] == 0 {
			return fmt.Errorf("computes on block %d, which has nothing to combine", b)
		}
		r.uncombined[b]--
	}
	return nil
}

// finish completes the current step of a rank if possible: a Wait waits for the request
// that it names, any other step for its own requests.
func (m *machine) finish(r *rank) (complete bool, err error) {
	name := own
	if r.step.Kind == workloads.Wait {
		name = r.step.Request
	}
	for j := 0; j < len(r.open); {
		if r.open[j].name != name {
			j++
			continue
		}
		complete, err := m.settle(r, r.open[j])
		if !complete || err != nil {
			return false, err
		}
		r.open = slices.Delete(r.open, j, j+1)
	}
	return true, nil
}

// settle completes a request if it can: a receive once its message is there, a
// rendezvous send once its receive is. An eager send always can.
func (m *machine) settle(r *rank, q request) (complete bool, err error) {
	if !q.receive {
		return !m.rendezvous || q.on.recvs > q.index, nil
	}
	if len(q.on.sends) <= q.index {
		return false, nil
	}
	return true, m.deliver(r, q, q.on.sends[q.index])
}

// deliver puts what a message carries where the receive wants it.
func (m *machine) deliver(r *rank, q request, msg message) error {
	if !slices.Equal(q.blocks, msg.blocks) {
		return fmt.Errorf("expects %s (%v bytes); rank %d sends %s (%v bytes)",
			listed(q.blocks), float64(m.size(q.blocks)), q.on.from, listed(msg.blocks), float64(m.size(msg.blocks)))
	}
	for j, b := range q.blocks {
		v := msg.payload[j]
		if q.combine {
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

// listed names the blocks, but only the first few of many.
func listed(blocks []int) string {
	const most = 8
	if len(blocks) > most {
		return fmt.Sprintf("%d blocks %v and more", len(blocks), blocks[:most])
	}
	return fmt.Sprintf("%d blocks %v", len(blocks), blocks)
}

// sum adds up the contributions to two values.
func sum(v, w value) value {
	total := make(value, len(v))
	for i := range total {
		total[i] = v[i] + w[i]
	}
	return total
}
