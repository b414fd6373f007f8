package sim_test

import (
	"context"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/workloads"
)

// script is a program written down: script[r] are the operations of rank r.
type script [][]workloads.Op

func (s script) Ranks() int { return len(s) }

// program returns a fresh run of the script.
func (s script) program() workloads.Program { return &scripted{s, make([]int, len(s))} }

type scripted struct {
	script
	next []int
}

func (s *scripted) Next(rank int, op *workloads.Op) bool {
	if s.next[rank] == len(s.script[rank]) {
		return false
	}
	*op = s.script[rank][s.next[rank]]
	s.next[rank]++
	return true
}

// Shorthands. Work is in flop on cores of 1 flop/s, so it reads as seconds.
func compute(w units.Flops) workloads.Op { return workloads.Op{Kind: workloads.Compute, Work: w} }
func delay(d units.Seconds) workloads.Op { return workloads.Op{Kind: workloads.Delay, Time: d} }
func send(to int32, size units.Bytes, tag int32) workloads.Op {
	return workloads.Op{Kind: workloads.Send, Peer: to, Size: size, Tag: tag}
}
func isend(to int32, size units.Bytes, tag, req int32) workloads.Op {
	return workloads.Op{Kind: workloads.Isend, Peer: to, Size: size, Tag: tag, Request: req}
}
func recv(from, tag int32) workloads.Op {
	return workloads.Op{Kind: workloads.Recv, Peer: from, Tag: tag}
}
func irecv(from, tag, req int32) workloads.Op {
	return workloads.Op{Kind: workloads.Irecv, Peer: from, Tag: tag, Request: req}
}
func sendrecv(to int32, size units.Bytes, from, tag int32) workloads.Op {
	return workloads.Op{Kind: workloads.Sendrecv, Peer: to, Size: size, From: from, Tag: tag}
}
func wait(req int32) workloads.Op { return workloads.Op{Kind: workloads.Wait, Request: req} }
func waitall() workloads.Op       { return workloads.Op{Kind: workloads.Waitall} }
func measured(c workloads.Collective, root int32, cost units.Seconds) workloads.Op {
	return workloads.Op{Kind: workloads.Measured, Collective: c, Peer: root, Time: cost}
}

const (
	anySource = workloads.AnySource
	anyTag    = workloads.AnyTag
)

func ones(n int) []units.FlopsPerSecond {
	r := make([]units.FlopsPerSecond, n)
	for i := range r {
		r[i] = 1
	}
	return r
}

// hockney has round numbers: latency 1 s, 1 byte/s, no overheads, all eager.
var hockney = network.Hockney{Latency: 1, Bandwidth: 1, EagerLimit: units.Bytes(math.Inf(1))}

// run simulates the script and, as a check in every test that uses it, again in strict time order, beside a
// process that does nothing and, if the network allows, in windows on two and on three shards: the outcomes must
// be equal bit for bit.
func run(t testing.TB, s script, n sim.Network) (*sim.Result, error) {
	t.Helper()
	config := func(n sim.Network) sim.Config {
		return sim.Config{Program: s.program(), Network: n, Rates: ones(len(s)), Ranks: true}
	}
	variants := map[string]sim.Config{
		"strict order": config(strict{n}), "a process": config(n), "a process and an event": config(n),
	}
	for name, c := range variants {
		if name != "strict order" {
			c.Processes = []sim.Process{{Name: "onlooker", Body: func(c *sim.Control) {
				for range 20 {
					c.Sleep(0.75)
				}
			}}}
			if name == "a process and an event" {
				c.Events = []*sim.Event{sim.NewEvent("never")}
			}
			variants[name] = c
		}
	}
	if n.MinLatency() > 0 {
		variants["two shards"] = sim.Sharded(config(n), 2)
		variants["three shards"] = sim.Sharded(config(n), 3)
	}
	res, err := sim.Run(context.Background(), config(n))
	for name, c := range variants {
		other, otherErr := sim.Run(context.Background(), c)
		expect.Need(t, (err == nil) == (otherErr == nil) && (err == nil || err.Error() == otherErr.Error()),
			"running ahead: %v\n%s: %v", err, name, otherErr)
		diff := cmp.Diff(res, other)
		expect.Need(t, diff == "", "running ahead (-) against %s (+):\n%s", name, diff)
	}
	return res, err
}

// strict hides the network's latency, so that ranks cannot run ahead and the engine
// handles everything in time order.
type strict struct{ sim.Network }

func (strict) MinLatency() units.Seconds { return 0 }

func finishes(r *sim.Result) []units.Seconds {
	f := make([]units.Seconds, len(r.Ranks))
	for i := range f {
		f[i] = r.Ranks[i].Finish
	}
	return f
}

func wantFinish(t *testing.T, s script, n sim.Network, want ...units.Seconds) *sim.Result {
	t.Helper()
	res := expect.Value(run(t, s, n))(t)
	got := finishes(res)
	expect.Need(t, len(got) == len(want), "finish times %v, want %v", got, want)
	for i := range got {
		expect.Need(t, math.Abs(float64(got[i]-want[i])) <= 1e-12*(1+math.Abs(float64(want[i]))),
			"finish times %v, want %v", got, want)
	}
	return res
}

func wantDeadlock(t *testing.T, s script, n sim.Network) *sim.DeadlockError {
	t.Helper()
	_, err := run(t, s, n)
	d := expect.Kind[*sim.DeadlockError](t, err)
	return d
}
