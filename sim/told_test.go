package sim_test

import (
	"context"
	"encoding/json"
	"math"
	"runtime"
	"testing"

	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/sim/observe"
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
	rendezvous := network.Hockney{Latency: 1, Bandwidth: 1, EagerLimit: network.AlwaysRendezvous}
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
		_, err := sim.Run(context.Background(), sim.Config{Program: s.program(), Network: c.net, Rates: ones(2), Observer: &got})
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != 1 || got[0].Arrived != c.arrived || got[0].At != c.at {
			t.Errorf("%s: told %+v; want one message that arrived at %v and was received at %v", c.name, got, c.arrived, c.at)
		}
	}
}

// What observers make of a run does not depend on how many shards and cores it has.
func TestObserversDoNotSeeShards(t *testing.T) {
	property(t, looseScenes(everything), func(t testing.TB, sc scene, _ *sim.Result) bool {
		if sc.net.MinLatency() == 0 {
			return false
		}
		ranks := len(sc.script)
		watch := func(shards int) (uint64, string) {
			print, path := observe.NewFingerprint(ranks), observe.NewCriticalPath(ranks, sc.net)
			c := sim.Config{Program: sc.script.program(), Network: sc.net, Rates: ones(ranks), Workers: 2, Observer: observe.Tee(print, path)}
			if _, err := sim.Run(context.Background(), sim.Sharded(c, shards)); err != nil {
				t.Fatalf("%v\n%v", err, sc)
			}
			text, err := json.Marshal(path.Path())
			if err != nil {
				t.Fatal(err)
			}
			return print.Sum(), string(text)
		}
		sum, path := watch(1)
		for _, shards := range []int{2, 3} {
			if otherSum, otherPath := watch(shards); otherSum != sum || otherPath != path {
				t.Fatalf("%d shards: fingerprint %016x, path\n%s\none: %016x\n%s\n%v", shards, otherSum, otherPath, sum, path, sc)
			}
		}
		return true
	})
}

// The critical path of a barrier on two cores is that on one.
func TestCriticalPathOnSeveralCores(t *testing.T) {
	const ranks = 4 * 2048
	watch := func(workers int) string {
		n := network.DefaultLogGOPS()
		path := observe.NewCriticalPath(ranks, n)
		rates := make([]units.FlopsPerSecond, ranks)
		for i := range rates {
			rates[i] = 1
		}
		r, err := sim.Run(context.Background(), sim.Config{Program: newExchange(ranks), Network: n, Rates: rates, Workers: workers, Observer: path})
		if err != nil {
			t.Fatal(err)
		}
		p := path.Path()
		// 13 rounds, each a message on the path.
		if p.Messages != 13 || math.Abs(float64(p.Makespan-r.Makespan)) > 0 {
			t.Errorf("%d workers: %d messages in %v, want 13 in %v", workers, p.Messages, p.Makespan, r.Makespan)
		}
		text, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	if one, two := watch(1), watch(2); one != two {
		t.Errorf("one core:\n%s\ntwo cores:\n%s", one, two)
	}
}

// The critical path of a barrier under LogGOPS, with three spans for each message, keeps
// less than 60 bytes a message: 12 for it, 36 for its spans and some for their blocks.
func TestMemoryOfACriticalPath(t *testing.T) {
	if testing.Short() {
		t.Skip("sends a million messages: left out with -short")
	}
	const ranks, rounds = 65536, 16
	n := network.DefaultLogGOPS()
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	rates := make([]units.FlopsPerSecond, ranks)
	for i := range rates {
		rates[i] = 1
	}
	before := heap()
	path := observe.NewCriticalPath(ranks, n)
	if _, err := sim.Run(context.Background(), sim.Config{Program: newExchange(ranks), Network: n, Rates: rates, Observer: path}); err != nil {
		t.Fatal(err)
	}
	perMessage := float64(heap()-before) / (ranks * rounds)
	t.Logf("%.1f bytes a message", perMessage)
	if perMessage > 60 {
		t.Errorf("%.1f bytes a message, want at most 60", perMessage)
	}
	runtime.KeepAlive(path)
}
