package sim_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/sharing/flow"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/workloads"
)

// Unless a case says otherwise: latency 1 s, 1 byte/s, no overheads, eager.
func TestPointToPoint(t *testing.T) {
	withOverheads := hockney
	withOverheads.SendOverhead, withOverheads.RecvOverhead = 0.25, 0.5
	limit2 := hockney
	limit2.EagerLimit = 2

	for _, c := range []struct {
		name    string
		network sim.Network
		script  script
		want    []units.Seconds
	}{
		{"nothing to do", hockney, script{{}, {}}, []units.Seconds{0, 0}},
		{"Hockney's law: 1 + 3/1", hockney,
			script{{send(1, 3, 0)}, {recv(0, 0)}}, []units.Seconds{0, 4}},
		{"ideal network", network.Ideal{},
			script{{compute(2), send(1, 1e9, 0)}, {recv(0, 0)}}, []units.Seconds{2, 2}},
		{"an empty message costs the latency", hockney,
			script{{send(1, 0, 0)}, {recv(0, 0)}}, []units.Seconds{0, 1}},
		{"late receiver: the message waits", hockney,
			script{{send(1, 3, 0)}, {compute(10), recv(0, 0)}}, []units.Seconds{0, 10}},
		// Second message leaves when the first has: 2, arrives 2+2+1 = 5.
		{"messages of one rank leave one after the other", hockney,
			script{{send(1, 2, 0), send(2, 2, 0)}, {recv(0, 0)}, {recv(0, 0)}}, []units.Seconds{0, 3, 5}},
		// Interface idle again at 2; the second send starts at 7.
		{"an idle interface does not delay", hockney,
			script{{send(1, 2, 0), compute(7), send(1, 2, 0)}, {recv(0, 0), recv(0, 0)}}, []units.Seconds{7, 10}},
		{"different senders do not disturb each other", hockney,
			script{{recv(1, 0), recv(2, 0)}, {send(0, 5, 0)}, {send(0, 5, 0)}}, []units.Seconds{6, 0, 0}},
		// o_s 0.25, wire 3, latency 1, o_r 0.5.
		{"overheads at both ends", withOverheads,
			script{{send(1, 3, 0)}, {recv(0, 0)}}, []units.Seconds{0.25, 4.75}},
		// Arrivals at 1.25+m... sends end at .25 and .5; second leaves at max(.5, 1.25) = 1.25,
		// arrives 3.25. Receiver: 2.25+.5 = 2.75, then 3.25+.5 = 3.75.
		{"overheads of two messages in a row", withOverheads,
			script{{send(1, 1, 0), send(1, 1, 0)}, {recv(0, 0), recv(0, 0)}}, []units.Seconds{0.5, 3.75}},
		{"tags are told apart", hockney,
			script{{send(1, 1, 7), send(1, 1, 8)}, {recv(0, 8), compute(1), recv(0, 7)}}, []units.Seconds{0, 4}},
		{"a message to oneself", hockney,
			script{{isend(0, 2, 0, 1), recv(0, 0), wait(1)}}, []units.Seconds{3}},

		// Non-blocking: 5 s of computation hide the 4 s of the message.
		{"irecv overlaps computation", hockney,
			script{{send(1, 3, 0)}, {irecv(0, 0, 1), compute(5), wait(1)}}, []units.Seconds{0, 5}},
		{"waitall waits for the last", hockney,
			script{{send(1, 3, 0), send(1, 3, 1)}, {irecv(0, 1, 1), irecv(0, 0, 2), waitall()}}, []units.Seconds{0, 7}},
		// Arrivals at .25+1+1 = 2.25 from both; overheads one after the other: 3.25.
		{"waitall pays receive overheads one by one", withOverheads,
			script{{irecv(1, 0, 1), irecv(2, 0, 2), waitall()}, {send(0, 1, 0)}, {send(0, 1, 0)}}, []units.Seconds{3.25, 0.25, 0.25}},
		{"requests left open are waited for at the end", hockney,
			script{{send(1, 3, 0)}, {irecv(0, 0, 1)}}, []units.Seconds{0, 4}},
		{"waits in another order than the requests", hockney,
			script{{send(1, 1, 0), send(1, 1, 1)}, {irecv(0, 0, 1), irecv(0, 1, 2), wait(2), wait(1)}}, []units.Seconds{0, 3}},

		// Both directions at once: 1 + 3.
		{"sendrecv exchanges", hockney,
			script{{sendrecv(1, 3, 1, 0)}, {sendrecv(0, 3, 0, 0)}}, []units.Seconds{4, 4}},
		{"sendrecv around a ring, from anybody", hockney,
			script{{sendrecv(1, 1, 2, 0)}, {sendrecv(2, 1, anySource, 0)}, {sendrecv(0, 1, 1, 0)}}, []units.Seconds{2, 2, 2}},
		// o_s .25, wire 1, latency 1: arrival 2.25, o_r .5.
		{"sendrecv pays both overheads", withOverheads,
			script{{sendrecv(1, 1, 1, 0)}, {sendrecv(0, 1, 0, 0)}}, []units.Seconds{2.75, 2.75}},
		// As head to head with isend: clearance at 2, data left 5, arrived 6.
		{"sendrecv in rendezvous", limit2,
			script{{sendrecv(1, 3, 1, 0)}, {sendrecv(0, 3, 0, 0)}}, []units.Seconds{6, 6}},
		// Rank 1's empty message is there at 1; rank 0's data leave when rank 1 is
		// ready: receive posted at 10, clearance 11, left 14, arrived 15.
		{"sendrecv waits for its send", limit2,
			script{{sendrecv(1, 3, 1, 0)}, {send(0, 0, 0), compute(10), recv(0, 0)}}, []units.Seconds{14, 15}},

		// Wildcards: rank 2's message arrives at 2, rank 1's at 3+2 = 5.
		{"any source takes what arrives first", hockney,
			script{{recv(anySource, 0), compute(1), recv(1, 0)}, {compute(3), send(0, 1, 0)}, {send(0, 1, 0)}}, []units.Seconds{5, 3, 0}},
		// The posted wildcard must not wait for rank 1, whose message comes at 12.
		{"any source, blocked before anything is sent", hockney,
			script{{recv(anySource, 0)}, {compute(10), send(0, 1, 0)}, {compute(4), send(0, 1, 0)}}, []units.Seconds{6, 10, 4}},
		{"any tag, in order of sending", hockney,
			script{{send(1, 1, 9), send(1, 1, 4)}, {recv(0, anyTag), recv(0, 4)}}, []units.Seconds{0, 3}},
		// An irecv from anyone, posted first, takes rank 1's message; the receive
		// from rank 1 then waits for its second one, leaving at 1, arriving at 3.
		{"the oldest posted receive wins", hockney,
			script{{irecv(anySource, 0, 1), recv(1, 0), wait(1)}, {send(0, 1, 0), send(0, 1, 0)}}, []units.Seconds{3, 0}},

		// Rendezvous, 3 bytes > 2: request arrives at 1, clearance at 2, data leave
		// until 5, arrive at 6.
		{"rendezvous, receiver waiting", limit2,
			script{{send(1, 3, 0)}, {recv(0, 0)}}, []units.Seconds{5, 6}},
		// Receive posted at 10: clearance at 11, left 14, arrived 15.
		{"rendezvous, late receiver holds the sender", limit2,
			script{{send(1, 3, 0)}, {compute(10), recv(0, 0)}}, []units.Seconds{14, 15}},
		{"the eager limit itself is eager", limit2,
			script{{send(1, 2, 0)}, {compute(10), recv(0, 0)}}, []units.Seconds{0, 10}},
		// Both isend: request at 1, both receives posted at 0: clearance at 2, left 5, arrived 6.
		{"head to head with isend", limit2,
			script{
				{isend(1, 3, 0, 1), recv(1, 0), wait(1)},
				{isend(0, 3, 0, 1), recv(0, 0), wait(1)}}, []units.Seconds{6, 6}},
		// Receiver computes 0..20 with the receive posted: it answers at 1 all the same.
		{"a computing rank answers a request", limit2,
			script{{send(1, 3, 0)}, {irecv(0, 0, 1), compute(20), wait(1)}}, []units.Seconds{5, 20}},
		// The sender computes 0..20 after isend: data leave at 2..5 meanwhile.
		{"a computing rank's data leave when cleared", limit2,
			script{{isend(1, 3, 0, 1), compute(20), wait(1)}, {recv(0, 0)}}, []units.Seconds{20, 6}},
		// Send overheads of 10: rank 1's request leaves at 10 and arrives at 11, in
		// the middle of rank 0's overhead (5..15), when its interface is idle.
		// Clearance at 12, data leave 12..15 and arrive at 16. Rank 0's own empty
		// message leaves at 15 and arrives at 16.
		{"a message in preparation does not occupy the interface",
			network.Hockney{Latency: 1, Bandwidth: 1, SendOverhead: 10, EagerLimit: 2},
			script{{irecv(1, 0, 1), compute(5), send(2, 0, 0)}, {send(0, 3, 0)}, {recv(0, 0)}}, []units.Seconds{16, 15, 16}},
		// The request must not overtake the eager message before it: that leaves at
		// 2; request leaves at 2, arrives 3; clearance at 4; data left 7, arrived 8.
		{"a request does not overtake data", limit2,
			script{{send(1, 2, 0), send(1, 3, 0)}, {recv(0, 0), recv(0, 0)}}, []units.Seconds{7, 8}},
	} {
		t.Run(c.name, func(t *testing.T) { wantFinish(t, c.script, c.network, c.want...) })
	}
}

func TestTimeIsAccountedFor(t *testing.T) {
	n := network.Hockney{Latency: 1, Bandwidth: 1, SendOverhead: 0.25, RecvOverhead: 0.5, EagerLimit: 2}
	res := wantFinish(t, script{
		{delay(2), compute(3), send(1, 1, 0), send(1, 3, 0)},
		{recv(0, 0), compute(1), recv(0, 0)},
	}, n, 12.75, 14.25)
	// Rank 0: 2 + 3 + .25 = 5.25, the first message leaves until 6.25. Second
	// send: overhead to 5.5; its request leaves at 6.25 and arrives at 7.25.
	// Rank 1: first message at 7.25, overhead to 7.75, computes to 8.75, posts.
	// Clearance at 9.75, data leave until 12.75 and arrive at 13.75.
	want := []sim.Breakdown{
		{Delay: 2, Compute: 3, SendOverhead: 0.5, WaitSend: 7.25},
		{Compute: 1, RecvOverhead: 1, WaitMessage: 7.25 + 5},
	}
	for r, b := range want {
		got := res.Ranks[r]
		expect.Equal(t, got.Breakdown, b, "rank %d", r)
		sum := got.Compute + got.Overhead() + got.Wait()
		expect.That(t, sum == got.Finish, "rank %d: parts add up to %v, finished at %v", r, sum, got.Finish)
	}
	expect.That(t, res.Messages == 2 && res.Bytes == 4 && res.Work == 4 && res.Operations == 7 && res.Makespan == 14.25,
		"totals %+v", res)
}

func TestProgramErrors(t *testing.T) {
	for _, c := range []struct {
		name string
		op   workloads.Op
		want string
	}{
		{"peer too large", send(2, 0, 0), "peer 2; expected a rank from 0 to 1"},
		{"negative peer", send(-1, 0, 0), "peer -1"},
		{"negative tag", send(1, 0, -1), "tag -1; expected at least 0"},
		{"receive tag", recv(1, -2), "tag -2"},
		{"source too large", sendrecv(1, 0, 2, 0), "peer 2"},
		{"negative size", send(1, -1, 0), "size"},
		{"size NaN", send(1, units.Bytes(math.NaN()), 0), "size NaN"},
		{"work NaN", compute(units.Flops(math.NaN())), "expected a finite time"},
		{"negative work", compute(-1), "expected a finite time"},
		{"infinite delay", delay(units.Seconds(math.Inf(1))), "expected a finite time"},
		{"unknown request", wait(3), "request 3 is not open"},
		{"unknown kind", workloads.Op{Kind: 99}, "unknown kind"},
		{"zero operation", workloads.Op{}, "unknown kind"},
		{"unknown collective", measured(99, 0, 1), "unknown collective"},
		{"root too large", measured(workloads.Bcast, 5, 1), "peer 5"},
		{"negative cost", measured(workloads.Barrier, 0, -1), "costs"},
		{"cost NaN", measured(workloads.Barrier, 0, units.Seconds(math.NaN())), "costs NaN"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := run(t, script{{compute(2), c.op}, {}}, hockney)
			p := expect.Kind[*sim.ProgramError](t, err)
			expect.That(t, p.Rank == 0 && p.Time == 2 && strings.Contains(p.Error(), c.want),
				"error %q, want one of rank 0 at 2 s with %q", p, c.want)
		})
	}
}

// The earliest error is reported, not the one that running ahead meets first;
// run compares with strict order.
func TestEarliestProgramErrorWins(t *testing.T) {
	for _, c := range []struct {
		script script
		rank   int
	}{
		{script{{compute(0.5), wait(1)}, {compute(0.25), wait(1)}}, 1},
		{script{{compute(0.25), wait(1)}, {compute(0.25), wait(1)}}, 0},
	} {
		_, err := run(t, c.script, hockney)
		p, ok := errors.AsType[*sim.ProgramError](err)
		expect.That(t, ok && p.Rank == c.rank && p.Time == 0.25, "error %v, want one of rank %d at 250 ms", err, c.rank)
	}
}

// Time must not overflow to infinity by many large steps either.
func TestClockCannotReachInfinity(t *testing.T) {
	_, err := run(t, script{{delay(1.7e308), delay(1.7e308)}}, hockney)
	expect.Failure(t, err, "finite")
}

func TestConfigErrors(t *testing.T) {
	good := sim.Config{Program: script{{}, {}}.program(), Network: hockney, Rates: ones(2), Ranks: true}
	for _, c := range []struct {
		want   string
		break_ func(*sim.Config)
	}{
		{"no program", func(c *sim.Config) { c.Program = nil }},
		{"no network", func(c *sim.Config) { c.Network = nil }},
		{"both a network and a fabric", func(c *sim.Config) { c.Fabric = new(flow.Model) }},
		{"0 ranks", func(c *sim.Config) { c.Program = script{}.program() }},
		{"1 rates for 2 ranks", func(c *sim.Config) { c.Rates = ones(1) }},
		{"rank 1 computes at 0", func(c *sim.Config) { c.Rates = []units.FlopsPerSecond{1, 0} }},
		{"rank 1 computes at NaN", func(c *sim.Config) { c.Rates = []units.FlopsPerSecond{1, units.FlopsPerSecond(math.NaN())} }},
		{"latency", func(c *sim.Config) { c.Network = network.Hockney{Latency: units.Seconds(math.Inf(1)), Bandwidth: 1} }},
	} {
		cfg := good
		c.break_(&cfg)
		expect.Refusal(sim.Run(context.Background(), cfg))(t, c.want)
	}
}

func TestUnreceivedMessagesAreAWarning(t *testing.T) {
	res := wantFinish(t, script{{send(1, 1, 0), send(1, 1, 1), send(1, 1, 2)}, {recv(0, 1)}}, hockney, 0, 3)
	expect.That(t, len(res.Warnings) == 1 && res.Warnings[0] == "2 of 3 messages were sent but never received",
		"warnings %q", res.Warnings)
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	const rounds = 1 << 16
	ping, pong := make([]workloads.Op, 0, 2*rounds), make([]workloads.Op, 0, 2*rounds)
	for range rounds {
		ping = append(ping, send(1, 1, 0), recv(1, 0))
		pong = append(pong, recv(0, 0), send(0, 1, 0))
	}
	_, err := sim.Run(
		ctx, sim.Config{Program: script{ping, pong}.program(), Network: hockney, Rates: ones(2), Ranks: true},
	)
	expect.Need(t, errors.Is(err, context.Canceled), "error %v, want the context's", err)
}
