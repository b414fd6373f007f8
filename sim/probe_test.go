package sim_test

import (
	"context"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/sharing/flow"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
)

// Latency 1 s, 1 byte/s. What a probe finds is what a receive then gets, at no later
// time than the receive alone.
func TestProbe(t *testing.T) {
	type seen struct {
		At     units.Seconds
		Status sim.Status
		OK     bool
	}
	probe := func(r *sim.Rank, from, tag int) seen {
		s := r.Probe(from, tag)
		return seen{r.Now(), s, true}
	}
	iprobe := func(r *sim.Rank, from, tag int) seen {
		s, ok := r.Iprobe(from, tag)
		return seen{r.Now(), s, ok}
	}
	recv := func(r *sim.Rank, from, tag int) seen {
		s := r.Recv(from, tag)
		return seen{r.Now(), s, true}
	}
	interfaces := network.Hockney{Latency: 1, Bandwidth: 1, EagerLimit: network.NoLimit}
	for _, c := range []struct {
		name    string
		network sim.Network
		body    func(r *sim.Rank) []seen // of rank 0
		others  []func(r *sim.Rank)
		want    []seen
	}{
		// 3 bytes that leave at 4 arrive at 4 + 3 + 1.
		{"waits", interfaces, func(r *sim.Rank) []seen {
			return []seen{probe(r, 1, 7), probe(r, sim.AnySource, sim.AnyTag), recv(r, sim.AnySource, sim.AnyTag)}
		}, []func(r *sim.Rank){func(r *sim.Rank) { r.Compute(4); r.Send(0, 7, 3) }},
			[]seen{{8, sim.Status{Source: 1, Tag: 7, Size: 3}, true}, {8, sim.Status{Source: 1, Tag: 7, Size: 3}, true}, {8, sim.Status{Source: 1, Tag: 7, Size: 3}, true}}},
		// The message of rank 2 arrives at 2, that of rank 1 at 3.
		{"the first that arrives", interfaces, func(r *sim.Rank) []seen {
			return []seen{probe(r, sim.AnySource, sim.AnyTag), probe(r, 1, sim.AnyTag), probe(r, sim.AnySource, sim.AnyTag), recv(r, 1, 5), probe(r, sim.AnySource, 5)}
		}, []func(r *sim.Rank){
			func(r *sim.Rank) { r.Send(0, 5, 2) },
			func(r *sim.Rank) { r.Send(0, 5, 1) },
		}, []seen{{2, sim.Status{Source: 2, Tag: 5, Size: 1}, true}, {3, sim.Status{Source: 1, Tag: 5, Size: 2}, true}, {3, sim.Status{Source: 2, Tag: 5, Size: 1}, true}, {3, sim.Status{Source: 1, Tag: 5, Size: 2}, true}, {3, sim.Status{Source: 2, Tag: 5, Size: 1}, true}}},
		// A receive that was posted before takes the first message, at 2; the next
		// leaves at 1 and arrives at 1 + 2 + 1.
		{"not what a posted receive takes", interfaces, func(r *sim.Rank) []seen {
			r.Irecv(sim.AnySource, sim.AnyTag)
			return []seen{probe(r, sim.AnySource, sim.AnyTag)}
		}, []func(r *sim.Rank){func(r *sim.Rank) { r.Send(0, 1, 1); r.Send(0, 2, 2); r.Send(0, 3, 3) }},
			[]seen{{4, sim.Status{Source: 1, Tag: 2, Size: 2}, true}}},
		{"does not wait", interfaces, func(r *sim.Rank) []seen {
			a := iprobe(r, 1, 7)
			r.Compute(10)
			return []seen{a, iprobe(r, 1, 8), iprobe(r, 1, 7), recv(r, 1, 7), iprobe(r, 1, 7)}
		}, []func(r *sim.Rank){func(r *sim.Rank) { r.Compute(4); r.Send(0, 7, 3) }},
			[]seen{{0, sim.Status{}, false}, {10, sim.Status{}, false}, {10, sim.Status{Source: 1, Tag: 7, Size: 3}, true}, {10, sim.Status{Source: 1, Tag: 7, Size: 3}, true}, {10, sim.Status{}, false}}},
		// The request to send arrives at 1. The receive at 1 clears it; that is back
		// at 2, and the data of 3 bytes arrive at 2 + 3 + 1.
		{"a request to send", network.Hockney{Latency: 1, Bandwidth: 1, EagerLimit: 2}, func(r *sim.Rank) []seen {
			return []seen{probe(r, 1, sim.AnyTag), recv(r, 1, 7)}
		}, []func(r *sim.Rank){func(r *sim.Rank) { r.Send(0, 7, 3) }},
			[]seen{{1, sim.Status{Source: 1, Tag: 7, Size: 3}, true}, {6, sim.Status{Source: 1, Tag: 7, Size: 3}, true}}},
		// o + L + (3-1) G + o = 2 + 1 + 2 + 2.
		{"cores handle messages", network.LogGOPS{Latency: 1, Overhead: 2, GapPerByte: 1, Synchronous: network.NoLimit}, func(r *sim.Rank) []seen {
			return []seen{probe(r, 1, 7), recv(r, 1, 7)}
		}, []func(r *sim.Rank){func(r *sim.Rank) { r.Send(0, 7, 3) }},
			[]seen{{7, sim.Status{Source: 1, Tag: 7, Size: 3}, true}, {7, sim.Status{Source: 1, Tag: 7, Size: 3}, true}}},
		// Collective operations are not probed: 1 byte from rank 1, behind a barrier
		// of empty messages that arrive at 1, leaves at 1 and arrives at 3.
		{"no collective operation", interfaces, func(r *sim.Rank) []seen {
			r.Compute(1)
			a := iprobe(r, sim.AnySource, sim.AnyTag)
			r.Barrier()
			return []seen{a, probe(r, sim.AnySource, sim.AnyTag)}
		}, []func(r *sim.Rank){func(r *sim.Rank) { r.Barrier(); r.Send(0, 0, 1) }},
			[]seen{{1, sim.Status{}, false}, {4, sim.Status{Source: 1, Tag: 0, Size: 1}, true}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []seen
			fresh := func() *sim.Program {
				return sim.NewProgram(len(c.others)+1, func(r *sim.Rank) {
					if r.Rank() > 0 {
						c.others[r.Rank()-1](r)
						return
					}
					got = c.body(r)
				})
			}
			if _, _, err := runProgram(t, fresh, c.network); err != nil {
				t.Fatal(err)
			}
			expect.Same(t, got, c.want, "seen")
		})
	}
}

// More messages than a walk visits, of two tags: probes of one tag find its messages in
// order, and those of the other tag stay.
func TestProbeOfManyMessages(t *testing.T) {
	const n = 100
	ranBodies(t, 2, func(r *sim.Rank) {
		if r.Rank() == 1 {
			for i := range n {
				r.Send(0, i%2, units.Bytes(i))
			}
			return
		}
		r.Compute(n * n)
		for i := range n / 2 {
			want := sim.Status{Source: 1, Tag: 1, Size: units.Bytes(2*i + 1)}
			expect.Equal(t, r.Probe(sim.AnySource, 1), want, "probe %d", i)
			expect.Equal(t, r.Recv(1, 1), want, "receive %d", i)
		}
		for i := range n / 2 {
			got := r.Recv(1, sim.AnyTag)
			expect.That(t, got.Size == units.Bytes(2*i), "%v, want %d B", got, 2*i)
		}
	})
}

// On a fabric an envelope takes no time: the probe ends when the message is sent, at
// 4, and its 3 bytes arrive at 8. An Iprobe takes as long as a test: 0.25 s, and 0.5 s
// after one in vain.
func TestProbeOnFabric(t *testing.T) {
	protocol := eagerAlways
	protocol.TestStep = 0.25
	var probed, received units.Seconds
	program := sim.NewProgram(2, func(r *sim.Rank) {
		if r.Rank() == 1 {
			r.Compute(4)
			r.Send(0, 7, 3)
			return
		}
		for range 2 {
			_, ok := r.Iprobe(1, 7)
			expect.That(t, !ok, "found what was not sent")
		}
		expect.That(t, r.Now() == 0.75, "at %v after two in vain, want 0.75 s", r.Now())
		expect.Equal(t, r.Probe(1, sim.AnyTag), (sim.Status{Source: 1, Tag: 7, Size: 3}), "probe")
		probed = r.Now()
		r.Recv(1, 7)
		received = r.Now()
	})
	model := expect.Value(flow.New(star{}.machine(2), flow.Parameters{}))(t)
	expect.Value(sim.Run(context.Background(), sim.Config{Program: program, Fabric: model, Protocol: protocol}))(t)
	expect.That(t, probed == 4 && received == 8, "probed at %v, received at %v; want 4 s and 8 s", probed, received)
}

// A message from a process ends a probe.
func TestProbeOfAProcess(t *testing.T) {
	program := sim.NewProgram(1, func(r *sim.Rank) {
		got, want := r.Probe(sim.FromProcess, 3), (sim.Status{Source: sim.FromProcess, Tag: 3, Size: 5})
		expect.That(t, got == want && r.Now() == 2, "%v at %v, want %v at 2 s", got, r.Now(), want)
		r.Recv(sim.FromProcess, 3)
	})
	ran(t, sim.Config{Program: program, Network: hockney, Rates: ones(1), Processes: []sim.Process{{
		Name: "p", Body: func(c *sim.Control) { c.Sleep(2); c.Send(0, 3, 5) },
	}}})
}

func TestProbeDeadlock(t *testing.T) {
	_, _, err := runBodies(t, 2, func(r *sim.Rank) {
		if r.Rank() == 0 {
			r.Compute(2)
			r.Probe(sim.AnySource, 7)
		}
	})
	expect.Kind[*sim.DeadlockError](t, err)
	want := "rank 0: probe, peer any, tag 7, since 2 s"
	expect.That(t, strings.Contains(err.Error(), want), "%v\nwant %s", err, want)
}
