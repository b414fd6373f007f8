package sim_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/sharing/flow"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/workloads"
)

// star is a machine of hosts around a switch that is never the bottleneck: link
// 2h leads from host h, link 2h+1 to it. Both have 1 byte/s and 0.5 s, so a message
// alone takes 1 s + size: as under hockney. Cores compute 1 flop/s.
type star struct {
	cores     int
	bandwidth units.BytesPerSecond // of links; 0 for 1
	memory    units.BytesPerSecond // of nodes; 0 for no limit
	place     []int32              // host of each rank; nil: its own
}

func (star) Route(buf []int32, from, to int32) ([]int32, error) {
	if from == to {
		return buf, nil // at once
	}
	return append(buf, 2*from, 2*to+1), nil
}

func (s star) machine(ranks int) flow.Machine {
	m := flow.Machine{Router: s, Place: s.place}
	for h := range int32(ranks) {
		if s.place == nil {
			m.Place = append(m.Place, h)
		}
		m.Hosts = append(m.Hosts, flow.Host{Cores: max(1, s.cores), Speed: 1, Memory: -1})
		link := flow.Link{Bandwidth: s.bandwidth, Latency: 0.5}
		if link.Bandwidth == 0 {
			link.Bandwidth = 1
		}
		m.Links = append(m.Links, link, link)
	}
	if s.memory > 0 {
		for h := range m.Hosts {
			m.Hosts[h].Memory = int32(len(m.Links))
			m.Links = append(m.Links, flow.Link{Bandwidth: s.memory})
		}
	}
	return m
}

// eagerAlways lets all data flow at once and no sender wait.
var eagerAlways = network.Protocol{EagerBelow: units.Bytes(math.Inf(1)), DetachedBelow: units.Bytes(math.Inf(1))}

func onFabric(t testing.TB, s script, m flow.Machine, p network.Protocol) (*sim.Result, error) {
	t.Helper()
	f := expect.Value(flow.New(m, flow.Plain()))(t)
	return sim.Run(context.Background(), sim.Config{Program: s.program(), Fabric: f, Protocol: p, Ranks: true})
}

// memoryBound computes and moves bytes.
func memoryBound(w units.Flops, bytes units.Bytes) workloads.Op {
	return workloads.Op{Kind: workloads.Compute, Work: w, Size: bytes}
}

func test(req int32) workloads.Op { return workloads.Op{Kind: workloads.Test, Request: req} }

func TestFabric(t *testing.T) {
	small := network.Protocol{DetachedBelow: 10} // flows from the match on
	for _, c := range []struct {
		name   string
		star   star
		p      network.Protocol
		script script
		want   []units.Seconds
	}{
		{"one message is Hockney's law", star{}, eagerAlways, script{{send(1, 4, 0)}, {recv(0, 0)}}, []units.Seconds{0, 5}},
		// Both flow from 1 on at 1/2 byte/s.
		{"two share the way to the receiver", star{}, eagerAlways,
			script{{send(2, 4, 0)}, {send(2, 4, 0)}, {recv(0, 0), recv(1, 0)}}, []units.Seconds{0, 0, 9}},
		// Alone from 1 to 3, at 1/2 until 7; the other has had 2 bytes by then.
		{"a second one joins", star{}, eagerAlways,
			script{{send(2, 4, 0)}, {compute(2), send(2, 4, 0)}, {irecv(0, 0, 1), irecv(1, 0, 2), wait(1), wait(2)}}, []units.Seconds{0, 2, 9}},
		{"both directions are apart", star{}, eagerAlways,
			script{{send(1, 4, 0), recv(1, 0)}, {send(0, 4, 0), recv(0, 0)}}, []units.Seconds{5, 5}},
		{"eager data flow before the receive", star{}, eagerAlways,
			script{{send(1, 4, 0)}, {compute(9), recv(0, 0)}}, []units.Seconds{0, 9}},
		{"detached data wait for the receive", star{}, small,
			script{{send(1, 4, 0)}, {compute(9), recv(0, 0)}}, []units.Seconds{0, 14}},
		{"a large send waits for its end", star{}, small,
			script{{send(1, 10, 0)}, {compute(9), recv(0, 0)}}, []units.Seconds{20, 20}},
		// The small one, sent later, arrives at 4, the large one at 1 + 12 + 2:
		// until 4 they share. The first receive gets the large one.
		{"messages of a pair match in order", star{}, eagerAlways,
			script{{send(1, 12, 0), send(1, 1, 0)}, {recv(0, 0), compute(1), recv(0, 0)}}, []units.Seconds{0, 15}},
		{"overheads", star{}, network.Protocol{
			EagerBelow: 10, DetachedBelow: 10,
			Send: network.Overheads{{Fixed: 2, PerByte: 0.5}}, Isend: network.Overheads{{Fixed: 3}}, Recv: network.Overheads{{Fixed: 7}},
		},
			// 2 + 4/2 before the send, 1 + 4 on the way, 7 after: 16. The isend is
			// posted at 4 + 3, matched at 16, 21 s on the way; a large message costs
			// the receiver nothing.
			script{{send(1, 4, 0), isend(1, 20, 0, 1), wait(1)}, {recv(0, 0), recv(0, 0)}}, []units.Seconds{37, 37}},
		{"two computations share a core", star{place: []int32{0, 0}}, small,
			script{{compute(2)}, {compute(4)}}, []units.Seconds{4, 6}},
		// Three on two cores: 2/3 each until the first has done 2 flop at 3.
		{"three share two cores", star{cores: 2, place: []int32{0, 0, 0}}, small,
			script{{compute(2)}, {compute(4)}, {compute(5)}}, []units.Seconds{3, 5, 6}},
		{"a core each", star{cores: 2, place: []int32{0, 0}}, small, script{{compute(2)}, {compute(4)}}, []units.Seconds{2, 4}},
		// The roofline: 2 flop and 6 bytes at 2 byte/s take 3 s; with little
		// traffic the core is what limits.
		{"memory limits", star{memory: 2}, small, script{{memoryBound(2, 6)}, {memoryBound(2, 1)}}, []units.Seconds{3, 2}},
		{"bytes without work", star{memory: 2}, small, script{{memoryBound(0, 6)}}, []units.Seconds{3}},
		{"memory of no limit", star{}, small, script{{memoryBound(2, 6)}}, []units.Seconds{2}},
		// 1 byte/s each: 6 s, where two nodes would take 3.
		{"two share the memory", star{memory: 2, cores: 2, place: []int32{0, 0}}, small,
			script{{memoryBound(2, 6)}, {memoryBound(2, 6)}}, []units.Seconds{6, 6}},
		// One needs 0.5 of 2 byte/s and gets it; the other has 1.5 for 6 bytes: 4 s.
		{"who needs little gets it", star{memory: 2, cores: 2, place: []int32{0, 0}}, small,
			script{{memoryBound(4, 2)}, {memoryBound(2, 6)}}, []units.Seconds{4, 4}},
		{"no work", star{place: []int32{0, 0}}, small, script{{compute(0)}, {compute(1)}}, []units.Seconds{0, 1}},
		{"to oneself", star{}, eagerAlways, script{{send(0, 4, 0), recv(0, 0)}}, []units.Seconds{0}},
		// Tests at 0 and 1 find nothing and end at 1 and 3; at 6 the message has
		// been there since 5; the next one is free, for another request it takes 1 s.
		{"tests", star{}, network.Protocol{EagerBelow: 10, DetachedBelow: 10, TestStep: 1},
			script{{send(1, 4, 0)}, {irecv(0, 0, 7), isend(0, 0, 0, 8), test(7), test(7), test(7), test(7), test(8), wait(7)}}, []units.Seconds{0, 7}},
		// The test at 6 ends at 7 and pays until 14. The other message arrives at 25
		// and costs 7; the wait for the first costs nothing more.
		{"a test pays for what it finds received", star{}, network.Protocol{
			EagerBelow: 10, DetachedBelow: 10, TestStep: 1, Recv: network.Overheads{{Fixed: 7}},
		},
			script{{send(1, 4, 0), compute(20), send(1, 4, 1)}, {irecv(0, 0, 7), compute(6), test(7), recv(0, 1), wait(7)}}, []units.Seconds{20, 32}},
		// Rank 2 tests in vain until 1, 3, 6, 10, 15 and 21; rank 1 from 5.5 to
		// 8.5, as two have been in vain by then, and its overhead lasts until 15.5.
		// Only then tests are short again, so rank 2's seventh is in vain from 21
		// to 23 after one in vain. Its message arrives at 28 and costs 7; the
		// answer arrives at 40 and costs 7.
		{"a test has found what it paid for", star{}, network.Protocol{
			EagerBelow: 10, DetachedBelow: 10, TestStep: 1, Recv: network.Overheads{{Fixed: 7}},
		},
			script{
				{send(1, 4, 0), recv(2, 0), send(2, 4, 5)},
				{irecv(0, 0, 7), compute(5.5), test(7), wait(7)},
				{irecv(0, 5, 9), test(9), test(9), test(9), test(9), test(9), test(9), test(9), send(0, 4, 0), wait(9)},
			}, []units.Seconds{35, 15.5, 47}},
		// In vain at 1, 2 and 3, found at 6.
		{"steady tests", star{}, network.Protocol{EagerBelow: 10, DetachedBelow: 10, TestStep: 1, SteadyTests: true},
			script{{send(1, 4, 0)}, {irecv(0, 0, 7), test(7), test(7), test(7), compute(2), test(7), wait(7)}}, []units.Seconds{0, 6}},
		// The collective's requests end at 5, the other one when rank 0 sends.
		{"waitall from a name on", star{}, eagerAlways,
			script{
				{send(1, 4, 1), compute(20), send(1, 4, 0)},
				{irecv(0, 0, 3), irecv(0, 1, 1<<30), {Kind: workloads.Waitall, Request: 1 << 30}, compute(1), isend(2, 1, 0, 5), waitall()},
				{recv(1, 0)},
			}, []units.Seconds{20, 25, 8}},
		{"a measured collective", star{}, small, script{{compute(3), measured(workloads.Barrier, 0, 1)}, {measured(workloads.Barrier, 0, 1)}}, []units.Seconds{4, 4}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := expect.Value(onFabric(t, c.script, c.star.machine(len(c.script)), c.p))(t)
			for i, f := range finishes(r) {
				if math.Abs(float64(f-c.want[i])) > 1e-12*float64(c.want[i]) {
					t.Errorf("finished at %v, want %v", finishes(r), c.want)
					break
				}
			}
			for i, x := range r.Ranks {
				sum := x.Compute + x.Overhead() + x.Wait()
				expect.That(t, math.Abs(float64(sum-x.Finish)) <= 1e-12*float64(x.Finish),
					"rank %d: parts add up to %v, finished at %v", i, sum, x.Finish)
			}
		})
	}
}

func TestFabricDeadlock(t *testing.T) {
	s := script{{send(1, 20, 0), recv(1, 0)}, {send(0, 20, 0), recv(0, 0)}}
	_, err := onFabric(t, s, star{}.machine(2), network.Protocol{DetachedBelow: 20})
	var d *sim.DeadlockError
	expect.That(t, errors.As(err, &d) && len(d.Blocked) == 2 && d.Blocked[0].Operation == "send" && d.Blocked[1].Peer == 0,
		"error %v, want a deadlock of two sends", err)
	// A byte less and nobody waits.
	expect.Value(onFabric(t, s, star{}.machine(2), network.Protocol{DetachedBelow: 21}))(t)
}

type nowhere struct{ star }

func (n nowhere) Route(buf []int32, from, to int32) ([]int32, error) {
	if to == 2 {
		return buf, errors.New("no route to 2")
	}
	return n.star.Route(buf, from, to)
}

func TestFabricWithoutRoute(t *testing.T) {
	// Ranks compute 1 flop/s. Data flow from the match on, or if eager from the send.
	for _, c := range []struct {
		name     string
		script   script
		protocol network.Protocol
		want     units.Seconds
	}{
		{"sent first", script{{recv(1, 0)}, {compute(1), send(0, 1, 0), send(2, 1, 0)}, {compute(5), recv(1, 0)}}, network.SMPI(), 5},
		{"sent first, sender at its end", script{{}, {compute(1), send(2, 1, 0)}, {compute(5), recv(1, 0)}}, network.SMPI(), 5},
		{"sent first, sender waits", script{{}, {compute(1), send(2, 1e6, 0)}, {compute(5), recv(1, 0)}}, network.SMPI(), 5},
		{"received first", script{{recv(1, 0)}, {compute(1), send(0, 1, 0), send(2, 1, 0)}, {recv(1, 0)}}, network.SMPI(), 1},
		{"eager", script{{}, {compute(1), send(2, 1, 0)}, {compute(5), recv(1, 0)}}, eagerAlways, 1},
	} {
		m := star{}.machine(3)
		m.Router = nowhere{}
		_, err := onFabric(t, c.script, m, c.protocol)
		var p *sim.ProgramError
		expect.That(t, errors.As(err, &p) && p.Rank == 1 && p.Time == c.want &&
			strings.Contains(p.Msg, "no route to 2") && p.Op.Kind == workloads.Send && p.Op.Peer == 2,
			"%s: error %v, want rank 1 without a route at %v", c.name, err, c.want)
	}
}

// looped is a star where messages to oneself go through the switch as well.
type looped struct{}

func (looped) Route(buf []int32, from, to int32) ([]int32, error) {
	return append(buf, 2*from, 2*to+1), nil
}

// Where links are so fast that nobody notices sharing, a flow network is Hockney's
// with the same latency.
func TestFabricOfFastLinksIsHockney(t *testing.T) {
	h := network.Hockney{Latency: 1, Bandwidth: 1e24, EagerLimit: units.Bytes(math.Inf(1))}
	rapid.Check(t, func(t *rapid.T) {
		s := orderedScenes(features{}).Draw(t, "scene").script
		want, wantErr := sim.Run(
			context.Background(), sim.Config{Program: s.program(), Network: h, Rates: ones(len(s)), Ranks: true},
		)
		m := star{bandwidth: 1e24}.machine(len(s))
		m.Router = looped{}
		f := expect.Value(flow.New(m, flow.Plain()))(t)
		got, gotErr := sim.Run(
			context.Background(), sim.Config{Program: s.program(), Fabric: f, Protocol: eagerAlways, Ranks: true},
		)
		expect.Need(t, (wantErr == nil) == (gotErr == nil), "hockney: %v; flow: %v", wantErr, gotErr)
		if wantErr != nil {
			return
		}
		for r := range want.Ranks {
			a, b := want.Ranks[r].Finish, got.Ranks[r].Finish
			expect.Need(t, math.Abs(float64(a-b)) <= 1e-9*(1+float64(a)), "rank %d: hockney %v, flow %v", r, a, b)
		}
	})
}
