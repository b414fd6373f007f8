package sim_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"runtime"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/sharing/flow"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/sim/observe"
	"github.com/isoscale/isoscale/workloads"
)

// receipts collects what observers are told of messages received.
type receipts []sim.Received

func (*receipts) Span(sim.Span)             {}
func (*receipts) Sent(sim.Sent)             {}
func (r *receipts) Received(x sim.Received) { *r = append(*r, x) }

// A message of 2 bytes leaves at 0 and takes 2 s to leave and 1 s to travel. It meets
// its receive when it arrives, or when the receive is posted, after a computation of
// 5 s. Under LogGOPS its first byte arrives at o + L = 12. A core that computes until 20
// deals with it then, which takes o + G = 3 s, and posts its receive after that, at 23.
func TestObserversAreToldWhenMessagesArrive(t *testing.T) {
	rendezvous := network.Hockney{Latency: 1, Bandwidth: 1}
	logGP := network.LogGOPS{Latency: 10, Overhead: 2, Gap: 5, GapPerByte: 1, Synchronous: 100}
	for _, c := range []struct {
		name        string
		net         sim.Network
		work        units.Flops // of the receiver before its receive
		arrived, at units.Seconds
	}{
		{"receiver waits", hockney, 0, 3, 3},
		{"receiver computes", hockney, 5, 3, 5},
		// The request arrives at 1 and waits until 5; the clearance arrives at 6; the
		// data have left at 8 and arrive at 9.
		{"rendezvous, receiver computes", rendezvous, 5, 9, 9},
		{"core handles messages, receiver waits", logGP, 0, 12, 12},
		{"core handles messages, receiver computes", logGP, 20, 12, 23},
	} {
		s := script{{send(1, 2, 0)}, {compute(c.work), recv(0, 0)}}
		var got receipts
		ran(t, sim.Config{Program: s.program(), Network: c.net, Rates: ones(2), Observer: &got})
		expect.That(t, len(got) == 1 && got[0].Arrived == c.arrived && got[0].At == c.at,
			"%s: told %+v; want one message that arrived at %v and was received at %v", c.name, got, c.arrived, c.at)
	}
}

// The results of observers depend neither on the number of shards and cores, nor on whether a critical path is told in
// one call or, through a tee, in several what a core does with a message.
func TestObserversDoNotSeeShards(t *testing.T) {
	property(t, looseScenes(everything), func(t testing.TB, sc scene, _ *sim.Result) bool {
		if sc.net.MinLatency() == 0 {
			return false
		}
		ranks := len(sc.script)
		watch := func(shards int) (uint64, string) {
			print := observe.NewFingerprint(ranks)
			path, alone := observe.NewCriticalPath(ranks, sc.net), observe.NewCriticalPath(ranks, sc.net)
			for _, o := range []sim.Observer{observe.Tee(print, path), alone} {
				c := sim.Config{Program: sc.script.program(), Network: sc.net, Rates: ones(ranks), Workers: 2, Observer: o}
				_, err := sim.Run(context.Background(), sim.Sharded(c, shards))
				expect.Need(t, err == nil, "%v\n%v", err, sc)
			}
			text, other := expect.Value(json.Marshal(path.Path()))(t), expect.Value(json.Marshal(alone.Path()))(t)
			expect.Need(t, string(text) == string(other), "path through a tee\n%s\nalone\n%s\n%v", text, other, sc)
			return print.Sum(), string(text)
		}
		sum, path := watch(1)
		for _, shards := range []int{2, 3} {
			otherSum, otherPath := watch(shards)
			expect.Need(t, otherSum == sum && otherPath == path,
				"%d shards: fingerprint %016x, path\n%s\none: %016x\n%s\n%v", shards, otherSum, otherPath, sum, path, sc)
		}
		return true
	})
}

// The critical path of a barrier is the same on two cores as on one.
func TestCriticalPathOnSeveralCores(t *testing.T) {
	const ranks = 4 * 2048
	watch := func(workers int) string {
		n := logGOPSim
		path := observe.NewCriticalPath(ranks, n)
		rates := make([]units.FlopsPerSecond, ranks)
		for i := range rates {
			rates[i] = 1
		}
		r := ran(t, sim.Config{Program: newExchange(ranks), Network: n, Rates: rates, Workers: workers, Observer: path})
		p := path.Path()
		// 13 rounds, each a message on the path.
		expect.That(t, p.Messages == 13 && math.Abs(float64(p.Makespan-r.Makespan)) <= 0,
			"%d workers: %d messages in %v, want 13 in %v", workers, p.Messages, p.Makespan, r.Makespan)
		text := expect.Value(json.Marshal(p))(t)
		return string(text)
	}
	one, two := watch(1), watch(2)
	expect.That(t, one == two, "one core:\n%s\ntwo cores:\n%s", one, two)
}

// The critical path of a barrier under LogGOPS keeps 2 words of 4 bytes for each message: one with its send overhead, and
// one for the wait for it with the receive overhead, which is as long as the one before. Of 16 messages these are 32, and 4
// more in each piece of 32 words, so 2 pieces. With 12 bytes for each and 56 for the rank these are 336 bytes, 21 a
// message; less than half as much is in reserve.
func TestMemoryOfACriticalPath(t *testing.T) {
	const ranks, rounds = 65536, 16
	n := logGOPSim
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.GC() // objects freed during one collection may outlive the next
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	rates := make([]units.FlopsPerSecond, ranks)
	for i := range rates {
		rates[i] = 1
	}
	before := heap()
	path := observe.NewCriticalPath(ranks, n)
	expect.Value(sim.Run(
		context.Background(), sim.Config{Program: newExchange(ranks), Network: n, Rates: rates, Observer: path},
	))(t)
	perMessage := float64(heap()-before) / (ranks * rounds)
	t.Logf("%.1f bytes a message", perMessage)
	expect.That(t, perMessage >= 21 && perMessage <= 31.5, "%.1f bytes a message, want 21 to 31.5", perMessage)
	runtime.KeepAlive(path)
}

// pathOnFabric returns the critical path of a script on a star.
func pathOnFabric(s script, p network.Protocol) (*observe.Path, *sim.Result, error) {
	f, err := flow.New(star{}.machine(len(s)), flow.Plain())
	if err != nil {
		return nil, nil, err
	}
	path := observe.NewCriticalPath(len(s), nil)
	r, err := sim.Run(context.Background(), sim.Config{Program: s.program(), Fabric: f, Protocol: p, Observer: path})
	if err != nil {
		return nil, nil, err
	}
	return path.Path(), r, nil
}

// On a star a message alone takes 1 s and 1 s for each byte. Senders of messages below
// 10 bytes go on at once; with small, data flow from the match of send and receive on,
// as in TestFabric.
func TestCriticalPathOnAFabric(t *testing.T) {
	small := network.Protocol{DetachedBelow: 10}
	for _, c := range []struct {
		name   string
		p      network.Protocol
		script script
		want   []string
	}{
		{"a receiver that waits", eagerAlways, script{{compute(2), send(1, 4, 0)}, {recv(0, 0)}},
			[]string{"compute on rank 0 until 2", "message 0 -> 1, 4 B, tag 0 until 7"}},
		{"a receiver that comes late", eagerAlways, script{{send(1, 4, 0)}, {compute(9), recv(0, 0)}},
			[]string{"compute on rank 1 until 9"}},
		{"the receive lets the data flow", small, script{{send(1, 4, 0)}, {compute(9), recv(0, 0)}},
			[]string{"compute on rank 1 until 9", "message 0 -> 1, 4 B, tag 0 until 14"}},
		{"and ends the send, too", small, script{{send(1, 10, 0)}, {compute(9), recv(0, 0)}},
			[]string{"compute on rank 1 until 9", "message 0 -> 1, 10 B, tag 0 until 20"}},
		{"the send lets the data flow", small, script{{compute(3), send(1, 10, 0)}, {recv(0, 0)}},
			[]string{"compute on rank 0 until 3", "message 0 -> 1, 10 B, tag 0 until 14"}},
		// The first message of rank 0 flows last: it waits for its receive at 9, the
		// second has flowed at once, and orders on the wire differ from those of sending.
		{"a later message flows first", network.Protocol{EagerBelow: 10, DetachedBelow: 100},
			script{{send(1, 20, 1), send(1, 4, 2)}, {recv(0, 2), compute(4), recv(0, 1)}},
			[]string{"message 0 -> 1, 4 B, tag 2 until 5", "compute on rank 1 until 9", "message 0 -> 1, 20 B, tag 1 until 30"}},
	} {
		p, _, err := pathOnFabric(c.script, c.p)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, g := range p.Segments {
			got = append(got, fmt.Sprintf("%v until %g", g, float64(g.Until)))
		}
		expect.List(t, got, c.want, "%s", c.name)
	}
}

// Each of many sends that wait for their delivery is found at once: to search all for each would take hours.
func TestCriticalPathOfManySends(t *testing.T) {
	const n = 200_000
	p, r, err := pathOnFabric(script{slices.Repeat([]workloads.Op{send(1, 10, 0)}, n), slices.Repeat([]workloads.Op{recv(0, 0)}, n)}, network.Protocol{DetachedBelow: 10})
	expect.Success(t, err)
	expect.Equal(t, [2]float64{float64(len(p.Segments)), float64(r.Makespan)}, [2]float64{n, 11 * n}, "segments, makespan")
}

// The critical path has no gaps and reaches from 0 to the end, whatever flows.
func TestCriticalPathOnAFabricHasNoGaps(t *testing.T) {
	checked := 0
	check(t, func(rt *rapid.T) {
		s := looseScenes(everything).Draw(rt, "scene").script
		for _, p := range []network.Protocol{eagerAlways, {DetachedBelow: 2}} {
			path, r, err := pathOnFabric(s, p)
			if err != nil {
				continue // a deadlock, or a network without a way
			}
			checked++
			at := units.Seconds(0)
			for _, g := range path.Segments {
				expect.Need(rt, g.From == at && g.Until >= g.From,
					"segment %v from %v to %v after %v", g, g.From, g.Until, at)
				at = g.Until
			}
			expect.Need(rt, at == r.Makespan, "the path ends at %v, the run at %v", at, r.Makespan)
		}
	})
	expect.That(t, checked >= 50, "checked %d runs; expected at least 50", checked)
}
