package sim_test

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/workloads"
)

// scene is a random simulation.
type scene struct {
	script script
	net    sim.Network
}

// String prints what it takes to write the scene down as a table case.
func (s scene) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "network %T%+v\n", s.net, s.net)
	for r, ops := range s.script {
		fmt.Fprintf(&b, "rank %d:\n", r)
		for _, op := range ops {
			fmt.Fprintf(&b, "  %+v\n", op)
		}
	}
	return b.String()
}

// GoString is for the log of rapid.
func (s scene) GoString() string { return s.String() }

// features are what a scene may contain.
type features struct {
	wildcards, collectives, rendezvous, zeroLatency bool
}

var everything = features{wildcards: true, collectives: true, rendezvous: true, zeroLatency: true}

// orderedScenes cannot deadlock.
func orderedScenes(f features) *rapid.Generator[scene] { return scenes(f, (*dice).ordered) }

// looseScenes mostly do not deadlock.
func looseScenes(f features) *rapid.Generator[scene] {
	return scenes(f, func(d *dice) script { return d.loosen(d.ordered()) })
}

// chaoticScenes mostly deadlock, unless they are small.
func chaoticScenes(f features) *rapid.Generator[scene] { return scenes(f, (*dice).chaotic) }

func scenes(f features, draw func(*dice) script) *rapid.Generator[scene] {
	return rapid.Custom(func(t *rapid.T) scene {
		d := newDice(t, f)
		return scene{draw(d), d.network()}
	})
}

// dice draws the parts of one scene.
type dice struct {
	t       *rapid.T
	f       features
	palette *rapid.Generator[float64]
	exact   bool // sums of what the palette holds have no rounding error
}

// Times and sizes come from one of three palettes: dyadic numbers, where ties
// are frequent and sums exact; decimals, where times that are equal on paper
// differ by rounding; and anything, where ties are rare.
func newDice(t *rapid.T, f features) *dice {
	d := &dice{t: t, f: f}
	switch rapid.IntRange(0, 2).Draw(t, "palette") {
	case 0:
		d.palette, d.exact = rapid.SampledFrom([]float64{0, 0, 1, 1, 1, 2, 3, 0.5, 0.25}), true
	case 1:
		d.palette = rapid.SampledFrom([]float64{0, 0.1, 0.1, 0.2, 0.3, 0.6, 0.7})
	case 2:
		d.palette = rapid.Float64Range(1e-3, 4)
	}
	return d
}

func (d *dice) seconds() units.Seconds { return units.Seconds(d.palette.Draw(d.t, "time")) }
func (d *dice) size() units.Bytes      { return units.Bytes(d.palette.Draw(d.t, "size")) }
func (d *dice) below(n int) int        { return rapid.IntRange(0, n-1).Draw(d.t, "choice") }
func (d *dice) oneIn(n int) bool       { return d.below(n) == n-1 }
func (d *dice) tag() int32             { return int32(d.below(3)) }

// latency is a time above 0 unless zero latency is a feature.
func (d *dice) latency() units.Seconds {
	if l := d.seconds(); l > 0 || d.f.zeroLatency {
		return l
	}
	return 0.5
}

// network draws a network for up to maxRanks ranks.
func (d *dice) network() sim.Network {
	limit := units.Bytes(math.Inf(1))
	if d.f.rendezvous {
		limit = rapid.SampledFrom([]units.Bytes{0, 0.5, 1, limit}).Draw(d.t, "eager limit")
	}
	kind := d.below(6)
	if kind == 0 && d.f.zeroLatency {
		return network.Ideal{}
	}
	h := network.Hockney{
		Latency:      d.latency(),
		Bandwidth:    units.BytesPerSecond(rapid.SampledFrom([]float64{1, 2, 0.7}).Draw(d.t, "bandwidth")),
		SendOverhead: d.seconds(),
		RecvOverhead: d.seconds(),
		EagerLimit:   limit,
	}
	if kind < 4 {
		return h
	}
	p := pairwise{Hockney: h}
	for i := range maxRanks {
		p.out[i], p.in[i], p.self[i] = d.seconds(), d.seconds(), d.latency()
		p.recvOverhead[i] = h.RecvOverhead
		if d.exact {
			p.recvOverhead[i] = d.seconds()
		}
	}
	return p
}

const maxRanks = 6

// pairwise is a network on which the latency is Latency and more, by sender and
// receiver; that of a rank to itself may be smaller, which the contract of
// MinLatency allows. The receive overhead depends on the sender, but only where
// sums are exact: a Waitall pays for messages that are there already in an order
// that shows in nothing but the rounding.
type pairwise struct {
	network.Hockney
	out, in, self, recvOverhead [maxRanks + 1]units.Seconds
}

func (p pairwise) Message(from, to int32, size units.Bytes) network.Cost {
	c := p.Hockney.Message(from, to, size)
	c.RecvOverhead = p.recvOverhead[from]
	if from == to {
		c.Latency = p.self[from]
	} else {
		c.Latency += p.out[from] + p.in[to]
	}
	return c
}

// stretched returns the network with latencies and all other times multiplied.
func stretched(n sim.Network, latency, others units.Seconds) sim.Network {
	stretch := func(h network.Hockney) network.Hockney {
		h.Latency *= latency
		h.Bandwidth /= units.BytesPerSecond(others)
		h.SendOverhead *= others
		h.RecvOverhead *= others
		return h
	}
	switch n := n.(type) {
	case network.Hockney:
		return stretch(n)
	case pairwise:
		n.Hockney = stretch(n.Hockney)
		for i := range n.out {
			n.out[i] *= latency
			n.in[i] *= latency
			n.self[i] *= latency
			n.recvOverhead[i] *= others
		}
		return n
	}
	return n // ideal
}

// ordered draws a script that cannot deadlock: there is an order of steps, the
// same for all ranks, in which a step's messages are both sent and received in
// that step. Take the earliest step that somebody cannot finish: everybody is
// there or past it, so its messages are on both sides and it can be finished.
//
// A receive from any source has a tag of its own that only its step uses, and
// a receive of any tag from rank s is used only by ranks that receive
// everything from s that way; so no wildcard takes a message meant for another
// step, or it takes one that is as good.
func (d *dice) ordered() script {
	n := 1 + d.below(maxRanks)
	s := make(script, n)
	anyTagFrom := uint64(0)
	if d.f.wildcards {
		anyTagFrom = rapid.Uint64().Draw(d.t, "any tag")
	}
	usesAnyTag := func(from, to int) bool { return anyTagFrom>>(from*n+to)&1 == 1 }
	for i, step := range rapid.SliceOfN(d.step(n), 0, 24).Draw(d.t, "steps") {
		step(s, i, usesAnyTag)
	}
	return s
}

// step draws one step of an ordered script of n ranks; the result appends it to the
// script as the i-th step.
func (d *dice) step(n int) *rapid.Generator[func(s script, i int, usesAnyTag func(from, to int) bool)] {
	return rapid.Custom(func(t *rapid.T) func(script, int, func(from, to int) bool) {
		d := &dice{t, d.f, d.palette, d.exact}
		kind, r, time := d.below(10), d.below(n), d.seconds()
		var traffic []message
		var call workloads.Op
		switch kind {
		case 4:
			if d.f.collectives {
				call = d.collective(n)
			}
		case 5:
			for range 1 + d.below(3) {
				traffic = append(traffic, d.message(n))
			}
		case 6, 7, 8, 9:
			traffic = append(traffic, d.message(n))
		}
		return func(s script, i int, usesAnyTag func(from, to int) bool) {
			switch {
			case kind == 0:
				s[r] = append(s[r], compute(units.Flops(time)))
			case kind == 1:
				s[r] = append(s[r], delay(time))
			case kind == 2:
				s[r] = append(s[r], waitall())
			case kind == 3:
				if names := openNames(s[r]); len(names) > 0 {
					s[r] = append(s[r], wait(names[int(time)%len(names)]))
				}
			case call.Kind == workloads.Measured:
				for r := range s {
					s[r] = append(s[r], call)
				}
			case kind == 5:
				for _, m := range traffic {
					if d.f.wildcards && !usesAnyTag(m.from, r) {
						m.to, m.tag = r, int32(10+i)
						m.isend = m.isend || m.from == r // a receive of before may be taken
						m.appendTo(s, anySource, m.tag)
					}
				}
			case kind > 5:
				m := traffic[0]
				if usesAnyTag(m.from, m.to) {
					m.appendTo(s, int32(m.from), anyTag)
				} else {
					m.appendTo(s, int32(m.from), m.tag)
				}
			}
		}
	})
}

// message is a send and its receive.
type message struct {
	from, to     int
	tag          int32
	size         units.Bytes
	isend, irecv bool
}

func (d *dice) message(n int) message {
	return message{d.below(n), d.below(n), d.tag(), d.size(), d.oneIn(2), d.oneIn(2)}
}

// appendTo appends both ends. To oneself, the first end must not block.
func (m message) appendTo(s script, source, tag int32) {
	sends := func() {
		op := send(int32(m.to), m.size, m.tag)
		if m.isend {
			op.Kind, op.Request = workloads.Isend, freeName(s[m.from])
		}
		s[m.from] = append(s[m.from], op)
	}
	receives := func() {
		op := recv(source, tag)
		if m.irecv {
			op.Kind, op.Request = workloads.Irecv, freeName(s[m.to])
		}
		s[m.to] = append(s[m.to], op)
	}
	if m.from == m.to && !m.isend {
		m.irecv = true
		receives()
		sends()
		return
	}
	sends()
	receives()
}

func (d *dice) collective(n int) workloads.Op {
	c := workloads.Collective(1 + d.below(int(workloads.Alltoall)))
	return measured(c, int32(d.below(n)), d.seconds())
}

// loosen makes some receives wild and leaves some operations out.
func (d *dice) loosen(s script) script {
	for r, ops := range s {
		for i := range ops {
			if k := ops[i].Kind; d.f.wildcards && (k == workloads.Recv || k == workloads.Irecv) {
				if d.oneIn(3) {
					ops[i].Peer = anySource
				}
				if d.oneIn(3) {
					ops[i].Tag = anyTag
				}
			}
		}
		if len(ops) > 0 && d.oneIn(20) {
			i := d.below(len(ops))
			s[r] = slices.Delete(ops, i, i+1)
		}
	}
	return withoutMisuse(withCommonCollectives(s))
}

// chaotic draws ranks that do not care about each other.
func (d *dice) chaotic() script {
	n := 1 + d.below(maxRanks)
	s := make(script, n)
	for r := range s {
		s[r] = rapid.SliceOfN(d.operation(n), 0, 12).Draw(d.t, "operations")
	}
	return withoutMisuse(withCommonCollectives(s))
}

func (d *dice) operation(n int) *rapid.Generator[workloads.Op] {
	return rapid.Custom(func(t *rapid.T) workloads.Op {
		d := &dice{t, d.f, d.palette, d.exact}
		peer, tag, name := int32(d.below(n)), d.tag()%2, int32(d.below(4))
		source, wanted := peer, tag
		if d.f.wildcards && d.oneIn(2) {
			source = anySource
		}
		if d.f.wildcards && d.oneIn(2) {
			wanted = anyTag
		}
		switch d.below(13) {
		case 0:
			return compute(units.Flops(d.seconds()))
		case 1:
			return delay(d.seconds())
		case 2, 3:
			return send(peer, d.size(), tag)
		case 4, 5, 6:
			return isend(peer, d.size(), tag, name)
		case 7:
			return recv(source, wanted)
		case 8, 9:
			return irecv(source, wanted, name)
		case 10:
			return wait(name)
		case 11:
			if d.f.collectives {
				return d.collective(n)
			}
		}
		return waitall()
	})
}

// withCommonCollectives makes every rank's calls of collectives a beginning of
// the same list.
func withCommonCollectives(s script) script {
	var calls []workloads.Op
	for _, ops := range s {
		n := 0
		for i := range ops {
			if ops[i].Kind != workloads.Measured {
				continue
			}
			if n == len(calls) {
				calls = append(calls, ops[i])
			}
			ops[i] = calls[n]
			n++
		}
	}
	return s
}

// withoutMisuse leaves out operations that use names of requests wrongly.
func withoutMisuse(s script) script {
	for r, ops := range s {
		var good []workloads.Op
		for _, op := range ops {
			open := slices.Contains(openNames(good), op.Request)
			switch op.Kind {
			case workloads.Isend, workloads.Irecv:
				if open {
					continue
				}
			case workloads.Wait:
				if !open {
					continue
				}
			}
			good = append(good, op)
		}
		s[r] = good
	}
	return s
}

// openNames returns the names of the requests that are open after the
// operations.
func openNames(ops []workloads.Op) []int32 {
	var names []int32
	for _, op := range ops {
		switch op.Kind {
		case workloads.Isend, workloads.Irecv:
			names = append(names, op.Request)
		case workloads.Wait:
			names = slices.DeleteFunc(names, func(n int32) bool { return n == op.Request })
		case workloads.Waitall:
			names = nil
		}
	}
	return names
}

func freeName(ops []workloads.Op) int32 {
	name, taken := int32(0), openNames(ops)
	for slices.Contains(taken, name) {
		name++
	}
	return name
}
