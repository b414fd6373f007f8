package observe_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/workloads"
)

// script is a program written down: script[r] are the operations of rank r.
type script [][]workloads.Op

// scripted is one run of a script.
type scripted struct {
	script
	next []int
}

func (s *scripted) Ranks() int { return len(s.script) }

func (s *scripted) Next(rank int, op *workloads.Op) bool {
	if s.next[rank] == len(s.script[rank]) {
		return false
	}
	*op = s.script[rank][s.next[rank]]
	s.next[rank]++
	return true
}

// Shorthands. Cores perform 1 flop/s, so work reads as seconds.
func compute(w units.Flops) workloads.Op { return workloads.Op{Kind: workloads.Compute, Work: w} }
func delay(d units.Seconds) workloads.Op { return workloads.Op{Kind: workloads.Delay, Time: d} }
func send(to int32, size units.Bytes) workloads.Op {
	return workloads.Op{Kind: workloads.Send, Peer: to, Size: size}
}
func isend(to int32, size units.Bytes, request int32) workloads.Op {
	return workloads.Op{Kind: workloads.Isend, Peer: to, Size: size, Request: request}
}
func probe(from int32) workloads.Op { return workloads.Op{Kind: workloads.Probe, Peer: from} }

func recv(from int32) workloads.Op { return workloads.Op{Kind: workloads.Recv, Peer: from} }
func irecv(from, request int32) workloads.Op {
	return workloads.Op{Kind: workloads.Irecv, Peer: from, Request: request}
}
func sendrecv(to int32, size units.Bytes, from int32) workloads.Op {
	return workloads.Op{Kind: workloads.Sendrecv, Peer: to, Size: size, From: from}
}
func wait(request int32) workloads.Op { return workloads.Op{Kind: workloads.Wait, Request: request} }
func waitall() workloads.Op           { return workloads.Op{Kind: workloads.Waitall} }
func measured(c workloads.Collective, root int32, cost units.Seconds) workloads.Op {
	return workloads.Op{Kind: workloads.Measured, Collective: c, Peer: root, Time: cost}
}

// hockney has round numbers: latency 1 s, 1 byte/s, no overheads, all eager.
var hockney = network.Hockney{Latency: 1, Bandwidth: 1, EagerLimit: units.Bytes(math.Inf(1))}

// rendezvous is hockney, but all messages wait for their receiver.
var rendezvous = network.Hockney{Latency: 1, Bandwidth: 1}

// logGP has L = 10, o = 2, g = 5, G = 1 s, and sends more than 4 bytes
// synchronously.
var logGP = network.LogGOPS{Latency: 10, Overhead: 2, Gap: 5, GapPerByte: 1, Synchronous: 4}

// run simulates the script, which must end.
func run(t testing.TB, s script, n sim.Network, observers ...sim.Observer) *sim.Result {
	t.Helper()
	c := sim.Config{
		Program: &scripted{s, make([]int, len(s))}, Network: n, Ranks: true, Observer: sim.Observer(tee(observers)),
	}
	for range s {
		c.Rates = append(c.Rates, 1)
	}
	res, err := sim.Run(context.Background(), c)
	expect.Need(t, err == nil, "%v\nnetwork %+v, script %+v", err, n, s)
	return res
}

// strict hides the network's latency, so that the engine handles everything in
// time order.
type strict struct{ sim.Network }

func (strict) MinLatency() units.Seconds { return 0 }

// scenes are random programs that end, on networks of all kinds, with times
// that are equal only where they have to be. Matching is fixed.
func scenes(t *testing.T, seed uint64, count, kinds int, holds func(t *testing.T, s script, n sim.Network)) {
	t.Helper()
	for i := range uint64(count) {
		rng := rand.New(rand.NewPCG(seed, i))
		n := randomNetwork(rng)
		s := randomScript(rng, kinds)
		holds(t, s, n)
		expect.Need(t, !t.Failed(), "scene %d of seed %d: network %+v, script %+v", i, seed, n, s)
	}
}

// How many kinds of steps may be drawn: up to blocking sends and receives, non-blocking
// ones, exchanges.
const (
	onlyBlocking = 7
	nonBlocking  = 8
	everything   = 9
)

func randomNetwork(rng *rand.Rand) sim.Network {
	some := func() units.Seconds { return units.Seconds(0.1 + rng.Float64()) }
	limit := units.Bytes(2 * rng.Float64()) // sizes are 0.1 to 2.1
	switch rng.IntN(4) {
	case 0:
		return network.Hockney{Latency: some(), Bandwidth: 1, SendOverhead: some(), RecvOverhead: some(), EagerLimit: units.Bytes(math.Inf(1))}
	case 1:
		return network.Hockney{Latency: some(), Bandwidth: 1, SendOverhead: some(), RecvOverhead: some(), EagerLimit: limit}
	case 2:
		return network.Hockney{Latency: some(), Bandwidth: 0.3, EagerLimit: limit}
	}
	return network.LogGOPS{
		Latency: some(), Overhead: some(), Gap: some(), GapPerByte: some(), OverheadPerByte: some(), Synchronous: limit,
	}
}

// withoutSynchronous returns the network, but a LogGOPS without synchronous
// sends.
func withoutSynchronous(n sim.Network) sim.Network {
	if l, ok := n.(network.LogGOPS); ok {
		l.Synchronous = units.Bytes(math.Inf(1))
		return l
	}
	return n
}

// randomScript draws steps in one order for all ranks. The messages of a step are sent
// and received in it, so it can always be finished. Requests are waited for before a
// collective, because a core in a collective does not deal with messages.
func randomScript(rng *rand.Rand, kinds int) script {
	p := 2 + rng.IntN(4)
	s := make(script, p)
	for step := range int32(8 + rng.IntN(16)) {
		a := rng.IntN(p)
		b := (a + 1 + rng.IntN(p-1)) % p
		from, to := int32(a), int32(b)
		size := units.Bytes(0.1 + 2*rng.Float64())
		switch rng.IntN(kinds) {
		case 0, 1, 2:
			s[a] = append(s[a], compute(units.Flops(0.1+3*rng.Float64())))
		case 3:
			s[a] = append(s[a], delay(units.Seconds(rng.Float64())))
		case 4:
			call := measured(workloads.Allreduce, 0, units.Seconds(0.1+rng.Float64()))
			if rng.IntN(2) == 0 {
				call = measured(workloads.Bcast, from, call.Time)
			}
			for r := range s {
				s[r] = append(s[r], waitall(), call)
			}
		case 5, 6:
			s[a] = append(s[a], send(to, size))
			s[b] = append(s[b], recv(from))
		case 7:
			s[a] = append(s[a], isend(to, size, step))
			s[b] = append(s[b], irecv(from, step))
			if rng.IntN(2) == 0 {
				s[a] = append(s[a], waitall())
			}
			if rng.IntN(2) == 0 {
				s[b] = append(s[b], compute(units.Flops(0.1+rng.Float64())), wait(step))
			}
		case 8:
			s[a] = append(s[a], sendrecv(to, size, to))
			s[b] = append(s[b], sendrecv(from, size, from))
		}
	}
	return s
}
