package sim_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/sharing/flow"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/workloads"
)

// process returns a list of one process.
func process(body func(c *sim.Control)) []sim.Process {
	return []sim.Process{{Name: "test", Body: body}}
}

// coupled is a script that runs beside a process.
type coupled struct {
	script script
	body   func(c *sim.Control)
	events []*sim.Event
	place  []int32 // of ranks
	cores  int     // of a node, on a fabric; 0 for 1
	memory units.BytesPerSecond
}

func (x coupled) on(n sim.Network) (*sim.Result, error) {
	c := sim.Config{Program: x.script.program(), Network: n, Rates: ones(len(x.script)), Ranks: true, Processes: process(x.body), Events: x.events}
	c.Site.Place = x.place
	if x.memory > 0 {
		c.Memory = make([]units.BytesPerSecond, len(x.script))
		for i := range c.Memory {
			c.Memory[i] = x.memory
		}
	}
	return sim.Run(context.Background(), c)
}

// onLinks runs on the star, whose messages take as long as with hockney.
func (x coupled) onLinks(t *testing.T) (*sim.Result, error) {
	t.Helper()
	f := expect.Value(flow.New(
		star{place: x.place, cores: x.cores, memory: x.memory}.machine(len(x.script)), flow.Plain(),
	))(t)
	return sim.Run(context.Background(), sim.Config{Program: x.script.program(), Fabric: f, Protocol: eagerAlways, Ranks: true, Processes: process(x.body), Events: x.events})
}

// want demands the same finish times on a network and on links.
func (x coupled) want(t *testing.T, finish ...units.Seconds) (onNetwork, onLinks *sim.Result) {
	t.Helper()
	onNetwork = expect.Value(x.on(hockney))(t)
	expect.List(t, finishes(onNetwork), finish, "on a network: finish times")
	x.events = nil
	onLinks = expect.Value(x.onLinks(t))(t)
	expect.List(t, finishes(onLinks), finish, "on links: finish times")
	return onNetwork, onLinks
}

// A computation of W flop at 1 flop/s that gets speed v at t ends at t + (W-t)/v.
func TestSpeedChange(t *testing.T) {
	for _, tt := range []struct {
		name   string
		script script
		body   func(c *sim.Control)
		want   []units.Seconds
	}{
		{"once: 4 + 6/3", script{{compute(10)}, {compute(10)}}, func(c *sim.Control) {
			c.Sleep(4)
			c.SetSpeed(0, 3)
		}, []units.Seconds{6, 10}},
		{"twice: 4 s at 1, 2 s at 0.5, then 5/2.5", script{{compute(10)}}, func(c *sim.Control) {
			c.Sleep(4)
			c.SetSpeed(0, 0.5)
			c.SleepUntil(6)
			c.SetSpeed(0, 2.5)
		}, []units.Seconds{8}},
		{"at its end: the next one is faster", script{{compute(4), compute(4)}}, func(c *sim.Control) {
			c.Sleep(4)
			c.SetSpeed(0, 2)
		}, []units.Seconds{6}},
		{"a delay is no computation", script{{delay(10), compute(1)}}, func(c *sim.Control) {
			c.Sleep(4)
			c.SetSpeed(0, 2)
		}, []units.Seconds{10.5}},
		// The message of 1 B leaves when the computation is over: 4 + 6/2 + 1 + 1.
		{"others hear of it", script{{compute(10), send(1, 1, 0)}, {recv(0, 0)}}, func(c *sim.Control) {
			c.Sleep(4)
			c.SetSpeed(0, 2)
		}, []units.Seconds{7, 9}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			x := coupled{script: tt.script, body: tt.body}
			a, b := x.want(t, tt.want...)
			expect.That(t, a.Ranks[0].Compute == b.Ranks[0].Compute,
				"computes %v on a network, %v on links", a.Ranks[0].Compute, b.Ranks[0].Compute)
		})
	}
}

// Two ranks share a core of 1 flop/s: by 4 s each has done 2 of 10 flop. With 4 flop/s
// each has 2 flop/s and is done 4 s later.
func TestSpeedChangeOfASharedCore(t *testing.T) {
	r := expect.Value(coupled{script: script{{compute(10)}, {compute(10)}}, place: []int32{0, 0}, body: func(c *sim.Control) {
		c.Sleep(4)
		c.SetSpeed(0, 4)
	}}.onLinks(t))(t)
	got := finishes(r)
	expect.That(t, slices.Equal(got, []units.Seconds{8, 8}), "finish times %v, want 8 s twice", got)
}

// 10 flop with 40 B at 4 B/s take 10 s at 1 flop/s. From 4 s on at 2 flop/s, memory
// would let the whole take 10 s still: the speed changes nothing. At 0.5 flop/s it
// would take 20 s: what is left, 12 s.
func TestSpeedChangeWithMemory(t *testing.T) {
	for speed, want := range map[units.FlopsPerSecond]units.Seconds{2: 10, 0.5: 16} {
		coupled{script: script{{memoryBound(10, 40)}}, memory: 4, body: func(c *sim.Control) {
			c.Sleep(4)
			c.SetSpeed(0, speed)
		}}.want(t, want)
	}
}

// 100 B at 1 B/s: latency until 1 s, by 5 s 4 B have arrived, the others take 96/8 s.
func TestBandwidthChange(t *testing.T) {
	r := expect.Value(coupled{script: script{{send(1, 100, 0)}, {recv(0, 0)}}, body: func(c *sim.Control) {
		c.Sleep(5)
		for l := range c.Links() {
			c.SetBandwidth(l, 8*c.Bandwidth(l))
		}
	}}.onLinks(t))(t)
	expect.Equal(t, r.Ranks[1].Finish, 17, "arrives at")
}

// Background traffic shares the links: 20 B flow from 1 s on, alone until 3 s. A
// transfer of 5 B, whose latency ends then, has half the link for 10 s. The other 13 B
// take until 13 s (5 B) and 21 s.
func TestTransfer(t *testing.T) {
	var arrived units.Seconds
	r := expect.Value(coupled{script: script{{send(1, 20, 0)}, {recv(0, 0)}}, body: func(c *sim.Control) {
		c.Sleep(2)
		c.Await(c.Transfer(0, 1, 5))
		arrived = c.Now()
	}}.onLinks(t))(t)
	expect.That(t, arrived == 13 && r.Ranks[1].Finish == 26,
		"the transfer ends at %v, the message at %v; want 13 s and 26 s", arrived, r.Ranks[1].Finish)
}

// A node that stands still from 4 s to 7 s.
func TestStopAndRestart(t *testing.T) {
	outage := func(c *sim.Control) {
		c.Sleep(4)
		c.Stop(0)
		c.Sleep(3)
		c.Restart(0)
	}
	overheads := network.Hockney{Latency: 1, Bandwidth: 1, SendOverhead: 2, RecvOverhead: 2, EagerLimit: network.NoLimit}
	for _, tt := range []struct {
		name    string
		script  script
		net     sim.Network // nil: hockney, and links
		want    []units.Seconds
		stopped units.Seconds // in the breakdown of rank 0
	}{
		{"adds to a computation", script{{compute(10)}}, nil, []units.Seconds{13}, 3},
		{"adds to a delay", script{{delay(10)}}, nil, []units.Seconds{13}, 3},
		{"between two computations", script{{compute(4), compute(6)}}, nil, []units.Seconds{13}, 3},
		{"is over before the rank has begun to wait", script{{compute(8), recv(1, 0)}, {compute(10), send(0, 0, 0)}}, nil, []units.Seconds{11, 10}, 3},
		{"holds up what arrives in it", script{{recv(1, 0)}, {compute(4.5), send(0, 0, 0)}}, nil, []units.Seconds{7, 4.5}, 0},
		{"does not matter to a message that arrives later", script{{recv(1, 0)}, {compute(7), send(0, 0, 0)}}, nil, []units.Seconds{8, 7}, 0},
		{"nor to a rank that has finished", script{{compute(2)}, {compute(9)}}, nil, []units.Seconds{2, 9}, 0},
		// The message has left before, 3.5 + 1 + 1.
		{"lets a message travel on", script{{compute(3.5), send(1, 1, 0)}, {recv(0, 0)}}, nil, []units.Seconds{3.5, 5.5}, 0},
		// The overhead goes from 3 s to 5 s; 1 s is left at 7 s. Then latency, 2 s of the receiver.
		{"stops in an overhead", script{{compute(3), send(1, 0, 0)}, {recv(0, 0)}}, overheads, []units.Seconds{8, 11}, 3},
		// The message arrives at 3 s; 1 s of its overhead is left at 7 s.
		{"stops while receiving", script{{recv(1, 0)}, {send(0, 0, 0)}}, overheads, []units.Seconds{8, 2}, 3},
		// A rendezvous: 8 B leave from 2 s on until 10 s, whatever the core does.
		{"the interface sends on", script{{send(1, 8, 0)}, {recv(0, 0)}}, network.Hockney{Latency: 1, Bandwidth: 1, EagerLimit: 1}, []units.Seconds{10, 11}, 3},
		// The same with 3 B, which have left at 5 s.
		{"and the core hears of it afterwards", script{{send(1, 3, 0)}, {recv(0, 0)}}, network.Hockney{Latency: 1, Bandwidth: 1, EagerLimit: 1}, []units.Seconds{7, 6}, 3},
		// Request at 5 s, answered at 7 s, clearance at 8 s, 2 B and latency.
		{"no clearance while it lasts", script{{recv(1, 0)}, {compute(4), send(0, 2, 0)}}, network.Hockney{Latency: 1, Bandwidth: 1, EagerLimit: 1}, []units.Seconds{11, 10}, 0},
		// LogGOPS: o = 2 from 3 s to 5 s; 1 s is left at 7 s. The message has left at 3 s.
		{"stops a core that sends", script{{compute(3), send(1, 1, 0)}, {recv(0, 0)}}, network.LogGOPS{Latency: 1, Overhead: 2, Synchronous: 10}, []units.Seconds{8, 8}, 3},
		// It arrives at 3 s and the core deals with it until 5 s.
		{"stops a core that receives", script{{recv(1, 0), compute(1)}, {send(0, 1, 0)}}, network.LogGOPS{Latency: 1, Overhead: 2, Synchronous: 10}, []units.Seconds{9, 2}, 3},
		// It arrives at 5 s, during the computation until 4 + 6 = 13 s.
		{"a core that computes receives afterwards", script{{compute(10), recv(1, 0)}, {compute(2), send(0, 1, 0)}}, network.LogGOPS{Latency: 1, Overhead: 2, Synchronous: 10}, []units.Seconds{15, 4}, 3},
		// All have entered at 5 s; rank 0 pays the 2 s from 7 s on.
		{"in a collective", script{{compute(1), measured(workloads.Barrier, 0, 2)}, {compute(5), measured(workloads.Barrier, 0, 2)}}, hockney, []units.Seconds{9, 7}, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			x := coupled{script: tt.script, body: outage}
			if tt.net == nil {
				a, b := x.want(t, tt.want...)
				for _, r := range []*sim.Result{a, b} {
					expect.Equal(t, r.Ranks[0].Stopped, tt.stopped, "stopped")
				}
				return
			}
			r := expect.Value(x.on(tt.net))(t)
			got := finishes(r)
			expect.That(t, slices.Equal(got, tt.want) && r.Ranks[0].Stopped == tt.stopped,
				"finish times %v, rank 0 stopped %v; want %v and %v", got, r.Ranks[0].Stopped, tt.want, tt.stopped)
		})
	}
}

// A computation that waits for memory stands still too: 8 B at 1 B/s, stopped from 4 s
// to 7 s.
func TestStopOfAComputationInMemory(t *testing.T) {
	for _, w := range []units.Flops{0, 1} {
		coupled{script: script{{memoryBound(w, 8)}}, memory: 1, body: func(c *sim.Control) {
			c.Sleep(4)
			c.Stop(0)
			c.Sleep(3)
			c.Restart(0)
		}}.want(t, 11)
	}
}

// While a node is stopped its speed may change: 6 of 10 flop are left, at 2 flop/s.
func TestSpeedChangeWhileStopped(t *testing.T) {
	coupled{script: script{{compute(10)}}, body: func(c *sim.Control) {
		c.Sleep(4)
		c.Stop(0)
		c.Sleep(3)
		c.SetSpeed(0, 2)
		c.Restart(0)
	}}.want(t, 10)
}

// Spans follow each other and show the outage.
func TestSpansOfAnOutage(t *testing.T) {
	o := &spans{}
	expect.Value(sim.Run(context.Background(), sim.Config{
		Program: script{{compute(5), delay(5), compute(2)}}.program(), Network: hockney, Rates: ones(1), Observer: o,
		Processes: process(func(c *sim.Control) {
			c.Sleep(6)
			c.Stop(0)
			c.Sleep(1)
			c.Restart(0)
			c.Sleep(5)
			c.SetSpeed(0, 2)
		}),
	}))(t)
	// 1 of the last 2 flop is left at 12 s.
	want := []string{"compute 0 s 5 s", "delay 5 s 6 s", "stopped 6 s 7 s", "delay 7 s 11 s", "compute 11 s 12.5 s"}
	expect.List(t, o.list, want, "o.list")
}

// spans notes the spans of a run of one rank.
type spans struct{ list []string }

func (o *spans) Span(x sim.Span) {
	o.list = append(o.list, fmt.Sprint(x.Part, " ", x.From, " ", x.To))
}
func (*spans) Sent(sim.Sent)         {}
func (*spans) Received(sim.Received) {}

// A node that fails takes its ranks with it; the others go on.
func TestFail(t *testing.T) {
	s := script{{compute(10), send(1, 1, 0)}, {compute(12)}, {recv(0, 1)}}
	fail := func(c *sim.Control) {
		c.Sleep(4)
		c.Fail(0)
		c.Fail(2)
		a, b := c.State(0), c.State(1)
		expect.That(t, a == sim.Failed && b == sim.Running, "ranks are %v and %v, want failed and running", a, b)
	}
	a, b := coupled{script: s, body: fail}.want(t, 4, 12, 4)
	for _, r := range []*sim.Result{a, b} {
		expect.That(t, r.Ranks[0].Failed && !r.Ranks[1].Failed && r.Ranks[0].Compute == 4 &&
			r.Ranks[2].WaitMessage == 4,
			"%+v", r.Ranks)
		want := []string{"node 0 failed at 4 s with 1 of its 1 ranks unfinished", "node 2 failed at 4 s with 1 of its 1 ranks unfinished"}
		expect.List(t, r.Warnings, want, "warnings")
	}
	// All: the run is over.
	coupled{script: s[:1], body: fail2}.want(t, 4)
	// Somebody waits for the rank.
	s[1] = append(s[1], recv(0, 0))
	_, err := coupled{script: s, body: fail}.on(hockney)
	expect.Failure(t, err, "rank 1: recv, peer 0, tag 0, since 12 s (rank 0 has failed with its node)")
}

func fail2(c *sim.Control) {
	c.Sleep(4)
	c.Fail(0)
	c.Sleep(100)
}

// Ranks and processes wait for each other by events. The process has its turn when rank
// 0 has computed, 3 s, and then rank 1 goes on at 5 s.
func TestEvents(t *testing.T) {
	for range 2 {
		ready, begin := sim.NewEvent("ready"), sim.NewEvent("begin")
		c := sim.Config{
			Network: hockney, Rates: ones(2), Ranks: true, Events: []*sim.Event{ready, begin},
			Processes: process(func(c *sim.Control) {
				expect.That(t, c.AwaitAny(begin, ready) == ready, "the wrong event")
				c.Await(ready) // at once
				expect.That(t, c.Now() == 3 && c.State(0) == sim.Running && c.State(1) == sim.Waiting,
					"at %v ranks are %v and %v; want 3 s, running, waiting", c.Now(), c.State(0), c.State(1))
				c.Sleep(2)
				c.Trigger(begin)
				c.Trigger(begin)
			}),
		}
		p := sim.NewProgram(2, func(r *sim.Rank) {
			if r.Rank() == 0 {
				r.Compute(3)
				r.Trigger(ready)
				r.Compute(4)
				r.Await(begin)
			} else {
				r.Await(begin)
				r.Trigger(begin)
				r.Compute(1)
			}
		})
		c.Program = p
		r := ran(t, c)
		got := finishes(r)
		expect.That(t, slices.Equal(got, []units.Seconds{7, 6}) && r.Ranks[1].WaitEvent == 5,
			"finish times %v, rank 1 waits %v; want 7 s, 6 s and 5 s", got, r.Ranks[1].WaitEvent)
	}
}

// Ranks that run ahead under a network with latency must not see an event too early,
// without any process: rank 1 computes until 2 s, the event is at 3 s.
func TestEventsBetweenRanks(t *testing.T) {
	trigger, await := workloads.Op{Kind: workloads.Trigger}, workloads.Op{Kind: workloads.Await}
	for _, s := range []script{
		{{compute(3), trigger}, {compute(2), await, compute(1)}},
		{{compute(2), await, compute(1)}, {compute(3), trigger}},
	} {
		r := ran(t, sim.Config{
			Program: s.program(), Network: hockney, Rates: ones(2), Events: []*sim.Event{sim.NewEvent("x")},
		})
		expect.Equal(t, r.Makespan, 4, "makespan")
	}
}

// Messages from a process arrive at once and cost nothing, also where cores handle messages:
// rank 0 waits for one, rank 1 computes meanwhile, rank 2 is blocked in a Waitall.
func TestMessagesFromProcesses(t *testing.T) {
	s := script{
		{recv(workloads.FromProcess, 5), compute(1)},
		{compute(8), recv(anySource, anyTag)},
		{irecv(anySource, 7, 1), irecv(workloads.FromProcess, anyTag, 2), waitall()},
	}
	body := func(c *sim.Control) {
		c.Sleep(3)
		for rank, tag := range []int{5, 6, 7} {
			c.Send(rank, tag, 100)
		}
		c.Sleep(1)
		c.Send(2, 9, 1)
	}
	want := []units.Seconds{4, 8, 4}
	coupled{script: s, body: body}.want(t, want...)
	for _, n := range []sim.Network{network.Ideal{}, network.LogGOPS{Latency: 1, Overhead: 1, Gap: 1, GapPerByte: 1, Synchronous: network.NoLimit}, network.Hockney{Latency: 1, Bandwidth: 1, RecvOverhead: 3, EagerLimit: 1}} {
		r := expect.Value(coupled{script: s, body: body}.on(n))(t)
		got := finishes(r)
		expect.That(t, slices.Equal(got, want) && r.Messages == 4 && r.Bytes == 301 && len(r.Warnings) == 0,
			"%T: finish times %v, %d messages of %v, %q; want %v, 4 of 301 B", n, got, r.Messages, r.Bytes, r.Warnings, want)
	}
	// A body sees where they come from.
	p := sim.NewProgram(1, func(r *sim.Rank) {
		got, want := r.Recv(sim.AnySource, sim.AnyTag), (sim.Status{Source: sim.FromProcess, Tag: 3, Size: 10})
		expect.That(t, got == want, "%+v, want %+v", got, want)
		s := r.Recv(sim.FromProcess, 4)
		expect.That(t, s.Tag == 4 && r.Now() == 1, "%+v at %v", s, r.Now())
	})
	expect.Value(sim.Run(context.Background(), sim.Config{Program: p, Network: hockney, Rates: ones(1), Processes: process(func(c *sim.Control) {
		c.Send(0, 3, 10)
		c.Sleep(1)
		c.Send(0, 4, 0)
	})}))(t)
}

// What a process can see of the machine and the ranks.
func TestStates(t *testing.T) {
	see := func(c *sim.Control) string {
		var s []string
		for r := range c.Ranks() {
			s = append(s, c.State(r).String())
		}
		return fmt.Sprint(c.Now(), ": ", strings.Join(s, " "))
	}
	var seen []string
	body := func(c *sim.Control) {
		expect.That(t, c.Name() == "test" && c.Nodes() == 2 && c.NodeOf(2) == 1 &&
			slices.Equal(c.RanksOn(0), []int{0, 1}) && c.Speed(1) == 1,
			"the site is not what it should be")
		c.Sleep(1)
		seen = append(seen, see(c))
		c.Sleep(1.5)
		seen = append(seen, see(c))
		c.Stop(1)
		c.SetSpeed(0, 2)
		seen = append(seen, see(c))
		expect.That(t, c.Speed(0) == 2, "%v", c.Speed(0))
		c.Sleep(4)
		c.Restart(1)
		c.Sleep(0) // its ranks act after the process
		seen = append(seen, see(c))
	}
	// Rank 1 sends a message of 2 B by rendezvous: request at 2 s, clearance at 3 s,
	// data until 5 s, which arrive at 6 s.
	s := script{{compute(10)}, {delay(1), send(2, 2, 0)}, {recv(1, 0), compute(2)}}
	r := expect.Value(coupled{script: s, body: body, place: []int32{0, 0, 1}}.on(network.Hockney{
		Latency: 1, Bandwidth: 1, EagerLimit: 1,
	}))(t)
	// The message arrives while node 1 is stopped.
	expect.List(t, finishes(r), []units.Seconds{6.25, 5, 8.5}, "finish times")
	expect.List(t, seen, []string{"1 s: running waiting waiting", "2.5 s: running waiting waiting", "2.5 s: running waiting stopped", "6.5 s: finished finished running"}, "seen")
}

// At one instant messages arrive, then ranks act, then processes.
func TestRanksBeforeProcesses(t *testing.T) {
	var at2 sim.RankState
	coupled{script: script{{recv(1, 0), compute(1)}, {compute(1), send(0, 0, 0), compute(4)}}, body: func(c *sim.Control) {
		c.Sleep(2)
		at2 = c.State(0)
		c.SetSpeed(0, 0.5) // the computation has begun at this instant
	}}.want(t, 4, 5)
	expect.That(t, at2 == sim.Running, "rank 0 is %v when its message has arrived, want running", at2)
}

// A process that never ends does not keep the run alive, and leaves no goroutine.
func TestEndlessProcess(t *testing.T) {
	before := runtime.NumGoroutine()
	ended := 0
	for range 10 {
		r, err := coupled{script: script{{compute(3.5)}}, body: func(c *sim.Control) {
			defer func() { ended++ }()
			c.Go(sim.Process{Name: "waits for ever", Body: func(c *sim.Control) { c.Await(c.NewEvent("never")) }})
			for {
				c.Sleep(1)
			}
		}}.on(hockney)
		expect.Need(t, err == nil && r.Makespan == 3.5, "%v, %v; want 3.5 s", r, err)
	}
	expect.That(t, ended == 10, "%d of 10 processes have executed their deferred calls", ended)
	deadline := time.Now().Add(time.Minute)
	for runtime.NumGoroutine() > before && time.Now().Before(deadline) {
		runtime.Gosched()
	}
	n := runtime.NumGoroutine()
	expect.That(t, n <= before, "%d goroutines, %d before", n, before)
}

// A panic in a process says where, when and what.
func TestPanicOfAProcess(t *testing.T) {
	_, err := coupled{script: script{{compute(10)}}, body: func(c *sim.Control) {
		c.Sleep(2)
		panics2()
	}}.on(hockney)
	var p *sim.PanicError
	expect.Need(t, errors.As(err, &p) && errors.Is(err, errBroken), "%v, want a *sim.PanicError of errBroken", err)
	expect.That(t, p.Time == 2 && p.Process == "test" && p.Rank == -1 &&
		strings.HasSuffix(p.Where, "sim_test.panics2") && strings.Contains(string(p.Stack), "panics2"),
		"%+v", p)
	want := `panics2 at 2 s, process "test": broken`
	expect.That(t, strings.HasSuffix(err.Error(), want), "%v, want ... %s", err, want)
}

func panics2() { panic(errBroken) }

// Calls that cannot be carried out end the run and say what was expected.
func TestMisuseOfControl(t *testing.T) {
	foreign := sim.NewEvent("foreign")
	for want, body := range map[string]func(c *sim.Control){
		"sleep: -1 s; expected a finite time of at least 0":                 func(c *sim.Control) { c.Sleep(-1) },
		"sleep until: 1 s; expected a time from 2 s":                        func(c *sim.Control) { c.Sleep(2); c.SleepUntil(1) },
		"state: rank 1; expected one from 0 to 0":                           func(c *sim.Control) { c.State(1) },
		"set speed: node 7; expected one from 0 to 0":                       func(c *sim.Control) { c.SetSpeed(7, 1) },
		"set speed: 0 flop/s; expected a speed from":                        func(c *sim.Control) { c.SetSpeed(0, 0) },
		"stop: node 0 has stopped before":                                   func(c *sim.Control) { c.Stop(0); c.Stop(0) },
		"restart: node 0 is not stopped":                                    func(c *sim.Control) { c.Restart(0) },
		"fail: node 0 has failed before":                                    func(c *sim.Control) { c.Fail(0); c.Fail(0) },
		"restart: node 0 is not stopped; expected one":                      func(c *sim.Control) { c.Fail(0); c.Restart(0) },
		"set bandwidth: there are no links":                                 func(c *sim.Control) { c.SetBandwidth(0, 1) },
		"transfer: the network shares nothing":                              func(c *sim.Control) { c.Transfer(0, 0, 1) },
		"send: tag -1; expected one from 0":                                 func(c *sim.Control) { c.Send(0, -1, 1) },
		"send: size -1 B; expected":                                         func(c *sim.Control) { c.Send(0, 0, -1) },
		"await: no events; expected at least one":                           func(c *sim.Control) { c.AwaitAny() },
		`trigger: event "foreign"; expected one of Events`:                  func(c *sim.Control) { c.Trigger(foreign) },
		"await: no event; expected":                                         func(c *sim.Control) { c.Await(nil) },
		"go: no body; expected a function":                                  func(c *sim.Control) { c.Go(sim.Process{}) },
		`node: there is no node "x"; expected one of: `:                     func(c *sim.Control) { c.Node("x") },
		`sleep: called outside the body of process "test"; expected a call`: func(c *sim.Control) { c.Go(sim.Process{Body: func(*sim.Control) { c.Sleep(1) }}); c.Sleep(2) },
	} {
		_, err := coupled{script: script{{compute(10)}}, body: body}.on(hockney)
		_, ok := errors.AsType[*sim.PanicError](err)
		expect.That(t, ok && strings.Contains(err.Error(), want), "%v, want a *sim.PanicError: %s", err, want)
	}
	for want, s := range map[string]script{
		"event 1; expected one of the 1 in Events": {{{Kind: workloads.Trigger, Request: 1}}},
		"event -1; expected one":                   {{{Kind: workloads.Await, Request: -1}}},
	} {
		_, err := coupled{script: s, body: func(*sim.Control) {}, events: []*sim.Event{sim.NewEvent("x")}}.on(hockney)
		_, ok := errors.AsType[*sim.ProgramError](err)
		expect.That(t, ok && strings.Contains(err.Error(), want), "%v, want a *sim.ProgramError: %s", err, want)
	}
}

// Processes and ranks that wait for each other.
func TestDeadlockWithProcesses(t *testing.T) {
	never := sim.NewEvent("never")
	s := script{{{Kind: workloads.Await}}, {recv(workloads.FromProcess, 0)}, {compute(9)}}
	_, err := coupled{script: s, events: []*sim.Event{never}, body: func(c *sim.Control) {
		c.Sleep(1)
		c.Stop(2)
		c.Await(never)
	}}.on(hockney)
	expect.Kind[*sim.DeadlockError](t, err)
	expect.Equal(t, err.Error(), `deadlock at 1 s: 3 of 3 ranks are blocked for ever
  rank 0: await, since 0 s (event "never")
  rank 1: recv, from a process, tag 0, since 0 s
  rank 2: stopped, since 1 s
  process "test" waits for "never" since 1 s`, "%v\nwant", err)
}

// A process that lets no time pass is named; a process that goes on for ever while all
// ranks are blocked does not hide their deadlock.
func TestProcessesThatGoOnForEver(t *testing.T) {
	run := func(step units.Seconds) error {
		_, err := sim.Run(context.Background(), sim.Busy(sim.Config{
			Program: script{{recv(0, 0)}}.program(), Network: hockney, Rates: ones(1),
			Processes: process(func(c *sim.Control) {
				for {
					c.Sleep(step)
				}
			}),
		}, 1000))
		return err
	}
	expect.Failure(t, run(0), `process "test" has had 1000 turns at this time`)
	expect.Kind[*sim.DeadlockError](t, run(1))
}

// A run ends when its context does, whatever processes and ranks do.
func TestCancelledWithProcesses(t *testing.T) {
	for _, ranks := range []script{{{recv(0, 0)}}, {{compute(1e300 / 2)}}} {
		ctx, cancel := context.WithCancel(context.Background())
		_, err := sim.Run(ctx, sim.Config{Program: ranks.program(), Network: hockney, Rates: ones(1), Processes: process(func(c *sim.Control) {
			for {
				c.Sleep(1)
				if c.Now() == 100 {
					cancel()
				}
			}
		})})
		cancel()
		expect.That(t, errors.Is(err, context.Canceled), "%v, want the end of the context", err)
	}
}

// Events are good for one run.
func TestEventOfTwoRuns(t *testing.T) {
	x := sim.NewEvent("x")
	config := func(events ...*sim.Event) error {
		_, err := sim.Run(context.Background(), sim.Config{
			Program: script{{}}.program(), Network: hockney, Rates: ones(1), Events: events,
		})
		return err
	}
	expect.Success(t, config(x))
	var c *sim.ConfigError
	err := config(x)
	expect.That(t, errors.As(err, &c) && c.Field == "Events" && strings.Contains(err.Error(), `event "x" has been used by another run`),
		"%v, want a *sim.ConfigError", err)
}

// meddle is what a process does to a node at some time in random runs.
type meddle struct {
	at    units.Seconds
	node  int
	speed units.FlopsPerSecond // 0: stop until
	until units.Seconds
}

// meddling returns processes that do all this and then end. All times are multiplied by
// scale, speeds divided by it.
func meddling(all []meddle, scale units.Seconds) []sim.Process {
	var ps []sim.Process
	for _, m := range all {
		ps = append(ps, sim.Process{Name: "meddler", Body: func(c *sim.Control) {
			c.SleepUntil(m.at * scale)
			if m.speed > 0 {
				c.SetSpeed(m.node%c.Nodes(), m.speed/units.FlopsPerSecond(scale))
				return
			}
			for !c.Up(m.node % c.Nodes()) {
				c.Sleep(scale)
			}
			c.Stop(m.node % c.Nodes())
			c.SleepUntil(max(c.Now(), m.until*scale))
			c.Restart(m.node % c.Nodes())
		}})
	}
	return ps
}

func drawMeddles(t *rapid.T) []meddle {
	times := rapid.SampledFrom([]units.Seconds{0, 0.25, 0.5, 1, 1.5, 2, 3, 5, 8})
	var all []meddle
	for range rapid.IntRange(1, 5).Draw(t, "meddlers") {
		all = append(all, meddle{
			at: times.Draw(t, "at"), until: times.Draw(t, "until"), node: rapid.IntRange(0, 7).Draw(t, "node"),
			speed: rapid.SampledFrom([]units.FlopsPerSecond{0, 0.5, 1, 2, 4}).Draw(t, "speed"),
		})
	}
	return all
}

// With all times doubled and all speeds halved, everything ends twice as late, to the
// last bit. The outcome does not depend on whether ranks run ahead, nor on cores.
func TestScaleOfTimeWithProcesses(t *testing.T) {
	check(t, func(t *rapid.T) {
		sc := orderedScenes(everything).Draw(t, "scene")
		twiceAsSlow := stretched(sc.net, 2, 2)
		if rapid.Bool().Draw(t, "loggops") {
			sc.net = network.LogGOPS{Latency: 1, Overhead: 0.5, Gap: 0.25, GapPerByte: 0.25, Synchronous: 3}
			twiceAsSlow = network.LogGOPS{Latency: 2, Overhead: 1, Gap: 0.5, GapPerByte: 0.5, Synchronous: 3}
		}
		ms := drawMeddles(t)
		run := func(n sim.Network, scale units.Seconds, s script, procs int, events ...*sim.Event) (*sim.Result, error) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
			rates := ones(len(s))
			for i := range rates {
				rates[i] /= units.FlopsPerSecond(scale)
			}
			return sim.Run(context.Background(), sim.Config{Program: s.program(), Network: n, Rates: rates, Ranks: true, Processes: meddling(ms, scale), Events: events})
		}
		want := expect.Value(run(sc.net, 1, sc.script, 2))(t)
		for name, f := range map[string]func() (*sim.Result, error){
			"one core":     func() (*sim.Result, error) { return run(sc.net, 1, sc.script, 1) },
			"strict order": func() (*sim.Result, error) { return run(strict{sc.net}, 1, sc.script, 2) },
			"an event":     func() (*sim.Result, error) { return run(sc.net, 1, sc.script, 2, sim.NewEvent("never")) },
		} {
			got, err := f()
			expect.Need(t, err == nil, "%v %v", name, err)
			d := cmp.Diff(want, got)
			expect.Need(t, d == "", "%s: %s\n%v\n%+v", name, d, sc, ms)
		}
		twice := slices.Clone(sc.script)
		for r := range twice {
			twice[r] = slices.Clone(twice[r])
			for i := range twice[r] {
				twice[r][i].Time *= 2
			}
		}
		got := expect.Value(run(twiceAsSlow, 2, twice, 2))(t)
		for r := range want.Ranks {
			expect.Need(t, got.Ranks[r].Finish == 2*want.Ranks[r].Finish,
				"rank %d ends at %v; twice as slow at %v\n%v\n%+v", r, want.Ranks[r].Finish, got.Ranks[r].Finish, sc, ms)
		}
	})
}
