package flow

import (
	"math"
	"slices"

	"github.com/isoscale/isoscale/model/internal/sharing"
	"github.com/isoscale/isoscale/model/units"
)

// Model is a machine with messages and computations under way. It must be made by
// [New] and is used by one goroutine at a time.
//
// Every message and computation has a name, a number that the caller chooses and the
// model does not interpret.
type Model struct {
	Parameters
	machine Machine

	shared     sharing.System
	travelling travellers
	started    uint64    // messages
	names      []int32   // by sharing.Flow: the name of its message or computation
	nodes      []node    // by host
	crowded    []bool    // by rank: its host has more ranks than cores
	on         []seat    // by sharing.Flow: a computation's place on its node
	record     *recorder // nil: not recorded
	changes    bool      // the slices of machine are the model's own

	// Scratch.
	ended   []sharing.Flow
	changed []int32 // hosts whose cores are shared anew
	route   []int32
	parts   []float64 // of a message over the links of route; nil: all of it over each
	uses    []sharing.Use
}

// New returns a model of an idle machine. It does not copy the machine's slices, which
// must not change. Links and their resources have the same numbers.
func New(m Machine, p Parameters) (*Model, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	if err := m.validate(); err != nil {
		return nil, err
	}
	f := &Model{Parameters: p, machine: m, travelling: newTravellers(), nodes: make([]node, len(m.Hosts))}
	for _, l := range m.Links {
		f.shared.AddResource(float64(l.Bandwidth), l.FatPipe)
	}
	for i := range f.nodes {
		f.nodes[i].first = nobody
	}
	ranks := make([]int32, len(m.Hosts))
	for _, h := range m.Place {
		ranks[h]++
	}
	f.crowded = make([]bool, len(m.Place))
	for r, h := range m.Place {
		f.crowded[r] = int(ranks[h]) > m.Hosts[h].Cores
	}
	return f, nil
}

// Transfer starts a message of the given size between two ranks. Advance returns its
// name when its last byte has arrived. The error is the router's, if there is no route
// between the hosts.
func (f *Model) Transfer(now units.Seconds, from, to int32, size units.Bytes, name int32) error {
	t := travelling{from: f.machine.Place[from], to: f.machine.Place[to], name: name, size: size + f.Envelope,
		order: f.started}
	var err error
	if f.route, err = f.machine.Router.Route(f.route[:0], t.from, t.to); err != nil {
		return err
	}
	f.started++
	if t.hops = longRoute; f.machine.Ways != nil {
		f.divide(t.from, t.to, t.order)
		for i, l := range f.route {
			t.latency += units.Seconds(units.Seconds(f.parts[i]) * f.machine.Links[l].Latency)
		}
	} else {
		for _, l := range f.route {
			t.latency += f.machine.Links[l].Latency
		}
		t.keep(f.route)
	}
	t.until = now + units.Seconds(units.Seconds(f.LatencyFactor.At(t.size))*t.latency)
	f.travelling.push(t)
	return nil
}

// divide finds the routes of a message, and its part on each link.
func (f *Model) divide(from, to int32, message uint64) {
	f.route, f.parts = f.machine.Ways(f.route[:0], f.parts[:0], from, to, message)
}

// part returns the part of a message that takes link i of its route.
func (f *Model) part(i int) float64 {
	if f.machine.Ways == nil {
		return 1
	}
	return f.parts[i]
}

// Next returns when the next message or computation ends or changes its speed, or false
// if there is none.
func (f *Model) Next() (units.Seconds, bool) {
	at, ok := f.shared.Next()
	if end, any := f.travelling.first(); any && (!ok || end < at) {
		return end, true
	}
	return at, ok
}

// Advance brings the model to the time that Next returns and appends the names of
// what ends then to ended. After it, Next may return the same time again.
func (f *Model) Advance(to units.Seconds, ended []int32) []int32 {
	if f.record != nil {
		f.record.elapse(f, to)
	}
	// Ending flows make room before new ones take it, so that rates are solved for
	// once.
	if at, ok := f.shared.Next(); ok && at <= to {
		f.ended = f.shared.Finish(to, f.ended[:0])
		for _, x := range f.ended {
			ended = append(ended, f.names[x])
			f.leave(x)
		}
		// Only after all have left, because an ended flow has no rate to change.
		for _, host := range f.changed {
			f.nodes[host].changed = false
			f.shareCores(to, host)
		}
		f.changed = f.changed[:0]
	}
	for end, any := f.travelling.first(); any && end <= to; end, any = f.travelling.first() {
		t := f.travelling.pop()
		if d, flows := f.demand(&t); flows {
			f.start(to, d, t.name)
		} else {
			ended = append(ended, t.name)
		}
	}
	return ended
}

// demand returns the demand of a message on the links after its latency phase. It is
// false if the message need not wait any longer.
func (f *Model) demand(t *travelling) (sharing.Demand, bool) {
	if f.machine.Ways != nil {
		f.divide(t.from, t.to, t.order)
	} else if t.hops == longRoute {
		// No error: the route existed when the message started.
		f.route, _ = f.machine.Router.Route(f.route[:0], t.from, t.to)
	} else {
		f.route = append(f.route[:0], t.links[:t.hops]...)
	}
	if t.size == 0 || len(f.route) == 0 {
		return sharing.Demand{}, false
	}
	d := sharing.Demand{Amount: float64(t.size) / f.BandwidthFactor.At(t.size), Penalty: 1, Bound: math.Inf(1)}
	f.uses = f.uses[:0]
	for i, l := range f.route {
		f.uses = append(f.uses, sharing.Use{Resource: sharing.Resource(l), Weight: f.part(i)})
	}
	if latency := float64(t.latency); latency > 0 {
		if f.Weighted {
			d.Penalty = latency
			for i, l := range f.route {
				d.Penalty += float64(f.part(i) * float64(f.WeightS) / float64(f.machine.Links[l].Bandwidth))
			}
		}
		if f.Window > 0 {
			d.Bound = min(float64(f.Window)/(2*latency), f.pipeBound(d.Penalty))
		}
	}
	if f.record != nil {
		for i, l := range f.route {
			f.record.crossed(l, units.Bytes(f.part(i))*t.size)
		}
	}
	if f.CrossTraffic {
		if f.machine.Ways != nil {
			f.divide(t.to, t.from, t.order)
		} else {
			f.route, _ = f.machine.Router.Route(f.route[:0], t.to, t.from) // no route back: no acknowledgements
		}
		for i, l := range f.route {
			f.uses = append(f.uses, sharing.Use{Resource: sharing.Resource(l), Weight: f.part(i) * acknowledgements})
		}
	}
	d.Uses = f.uses
	return d, true
}

// pipeBound returns the bound of a flow that SimGrid takes to be slower than its
// share of a fat pipe, or +Inf.
//
// SimGrid bounds each flow that has a window by the smallest bandwidth b of its route.
// On a fat pipe of that bandwidth, the flow with the smallest penalty p also gets
// exactly this rate from the pipe. The rounding of b p < b / (1/p) decides whether the
// flow is held back by its bound, and leaves the pipe to the others, or fills the pipe
// and holds them back with it. The same operations give the same answer here.
func (f *Model) pipeBound(penalty float64) float64 {
	b, fat := math.Inf(1), false
	for _, l := range f.route {
		link := &f.machine.Links[l]
		switch bandwidth := float64(link.Bandwidth); {
		case bandwidth < b:
			b, fat = bandwidth, link.FatPipe
		case bandwidth == b:
			fat = fat || link.FatPipe
		}
	}
	share := 1 / penalty
	if fat && b*penalty < b/share {
		return b * belowPipe
	}
	return math.Inf(1)
}

// belowPipe puts a bound clearly below a capacity from which it differs by a rounding
// error: package sharing treats a closer pipe and bound as equal, and takes the pipe
// first.
const belowPipe = 1 - 0x1p-47

// start adds a flow.
func (f *Model) start(now units.Seconds, d sharing.Demand, name int32) sharing.Flow {
	if f.record != nil {
		f.record.elapse(f, now) // the time before this flow
	}
	x := f.shared.Start(now, d)
	if f.record != nil {
		f.record.uses(d.Uses)
	}
	for int(x) >= len(f.names) {
		f.names = append(f.names, 0)
		f.on = append(f.on, seat{host: nobody})
	}
	f.names[x] = name
	return x
}

// Changes while messages and computations are under way. Times are as for
// [Model.Transfer]: not before the latest that the model was told, and not after Next.

// Place returns the host of each rank. It must not be changed.
func (f *Model) Place() []int32 { return f.machine.Place }

// Speeds returns the speed of a core of each rank's host.
func (f *Model) Speeds() []units.FlopsPerSecond {
	speeds := make([]units.FlopsPerSecond, len(f.machine.Place))
	for r, h := range f.machine.Place {
		speeds[r] = f.machine.Hosts[h].Speed
	}
	return speeds
}

// SetSpeed changes the speed of the cores of a host. Its computations go on at the new
// speed; at 0 they stand still, also those that wait for memory.
func (f *Model) SetSpeed(now units.Seconds, host int32, speed units.FlopsPerSecond) {
	f.own()
	f.machine.Hosts[host].Speed = speed
	if f.record != nil {
		f.record.elapse(f, now)
	}
	f.nodes[host].stopped = speed == 0
	f.shareCores(now, host)
}

// Links returns the number of links.
func (f *Model) Links() int { return len(f.machine.Links) }

// Bandwidth returns the bandwidth of a link.
func (f *Model) Bandwidth(link int32) units.BytesPerSecond { return f.machine.Links[link].Bandwidth }

// SetBandwidth changes the bandwidth of a link, above 0, which the flows over it now
// share. The weights and windows of messages under way stay as they are.
func (f *Model) SetBandwidth(now units.Seconds, link int32, bandwidth units.BytesPerSecond) {
	f.own()
	if f.record != nil {
		f.record.elapse(f, now)
	}
	f.machine.Links[link].Bandwidth = bandwidth
	f.shared.SetCapacity(now, sharing.Resource(link), float64(bandwidth))
}

// own makes the slices of the machine the model's own before the first change.
func (f *Model) own() {
	if !f.changes {
		f.machine.Hosts, f.machine.Links = slices.Clone(f.machine.Hosts), slices.Clone(f.machine.Links)
		f.changes = true
	}
}

// Computations on a node.
//
// The operating system gives every process of a node the same time on its cores,
// at most one core each: with n computations on c cores of speed s, each may run
// at b = s min(1, c/n). A computation of W flop that moves Q bytes to and from
// memory runs at v <= b and takes v Q/W of the memory bandwidth B; where that is
// short, computations share it in equal parts of bytes. Alone it takes
//
//	max(W/s, Q/B)
//
// which is the roofline of [Williams2009]. A core that waits for memory stays
// occupied.

// node is what happens on a host.
type node struct {
	running int32 // computations that share something
	first   sharing.Flow
	changed bool // in Model.changed
	stopped bool
}

// seat is a computation's place in the list of its node.
type seat struct {
	host       int32 // nobody: not a computation
	next, prev sharing.Flow
	limited    bool // by the core, not only by memory
}

const nobody = -1

// Compute starts work of a rank with the given memory traffic and returns W/s, or +Inf
// if the host has more ranks than cores. Advance returns its name when it is done. If
// the rank shares nothing with anybody, shares is false, nothing starts, and the work
// takes W/s.
func (f *Model) Compute(now units.Seconds, rank int32, work units.Flops, traffic units.Bytes, name int32) (core units.Seconds, shares bool) {
	if traffic == 0 && !f.crowded[rank] {
		return 0, false // the common case, decided by one byte per rank
	}
	id := f.machine.Place[rank]
	h, n := &f.machine.Hosts[id], &f.nodes[id]
	// Less traffic counts as none, which keeps penalties in their range.
	inMemory := h.Memory >= 0 && float64(traffic) > smallest*float64(work)
	if !inMemory && !f.crowded[rank] {
		return 0, false
	}
	if core = units.Seconds(float64(work) / float64(h.Speed)); f.crowded[rank] {
		core = units.Seconds(math.Inf(1))
	}
	d := sharing.Demand{Amount: float64(work), Penalty: 1, Bound: float64(h.Speed)}
	limited := true
	if inMemory {
		perUnit := float64(traffic) / float64(work)
		if limited = perUnit < largest; !limited {
			// Practically only bytes, which no core slows down.
			perUnit, d.Amount, d.Bound = 1, float64(traffic), math.Inf(1)
		}
		d.Penalty = perUnit
		f.uses = append(f.uses[:0], sharing.Use{Resource: sharing.Resource(h.Memory), Weight: perUnit})
		d.Uses = f.uses
	}
	x := f.start(now, d, name)
	f.on[x] = seat{host: id, next: n.first, prev: nobody, limited: limited}
	if n.first != nobody {
		f.on[n.first].prev = x
	}
	n.first = x
	n.running++
	if int(n.running) > h.Cores {
		f.shareCores(now, id)
	}
	return core, true
}

// leave removes an ended flow from its node, if it is a computation.
func (f *Model) leave(x sharing.Flow) {
	s := f.on[x]
	if s.host == nobody {
		return
	}
	f.on[x].host = nobody
	n := &f.nodes[s.host]
	if s.prev == nobody {
		n.first = s.next
	} else {
		f.on[s.prev].next = s.next
	}
	if s.next != nobody {
		f.on[s.next].prev = s.prev
	}
	n.running--
	if int(n.running) >= f.machine.Hosts[s.host].Cores && !n.changed {
		n.changed = true
		f.changed = append(f.changed, s.host)
	}
}

// shareCores sets how fast the computations of a host may run.
func (f *Model) shareCores(now units.Seconds, host int32) {
	h, n := &f.machine.Hosts[host], &f.nodes[host]
	bound := float64(h.Speed) * min(1, float64(h.Cores)/float64(n.running))
	for x := n.first; x != nobody; x = f.on[x].next {
		switch {
		case f.on[x].limited:
			f.shared.SetBound(now, x, bound)
		case n.stopped:
			f.shared.SetBound(now, x, 0)
		case f.changes:
			f.shared.SetBound(now, x, math.Inf(1)) // the node may have been stopped
		}
	}
}
