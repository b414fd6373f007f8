package sim_test

import (
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
)

// Latency 1 s, 1 byte/s, 2 s to receive. Messages of 1 byte leave at 1, 3 and 10, and
// arrive at 3, 5 and 12. A Waitall receives in the order of arrival, whatever the list:
// the messages of 5 and 12 until 7 and 14. Waiting for the later one first would take
// until 16. The third request stays open.
func TestWaitallOfSome(t *testing.T) {
	n := network.Hockney{Latency: 1, Bandwidth: 1, RecvOverhead: 2, EagerLimit: network.NoLimit}
	_, _, err := runProgram(t, func() *sim.Program {
		return sim.NewProgram(4, func(r *sim.Rank) {
			if i := r.Rank(); i > 0 {
				r.Compute([]units.Flops{0, 1, 3, 10}[i])
				r.Send(0, 10*i, 1)
				return
			}
			first, second, third := r.Irecv(1, sim.AnyTag), r.Irecv(sim.AnySource, 20), r.Irecv(3, 30)
			out := r.Isend(0, 5, 0)
			got := r.Waitall(third, out, second)
			want := []sim.Status{{Source: 3, Tag: 30, Size: 1}, {}, {Source: 2, Tag: 20, Size: 1}}
			expect.Same(t, got, want, "statuses")
			expect.Equal(t, r.Now(), 14, "at")
			// It arrived at 3.
			expect.Equal(t, r.Wait(first), sim.Status{Source: 1, Tag: 10, Size: 1}, "the message of rank 1")
			expect.Equal(t, r.Now(), 16, "received at")
			r.Recv(0, 5)
			expect.That(t, r.Waitall() == nil, "statuses without a list")
		})
	}, n)
	if err != nil {
		t.Fatal(err)
	}
}

// Requests that are started again and again behave like new ones each time.
func TestPersistentRequests(t *testing.T) {
	const ranks, rounds = 5, 4
	size := units.Bytes(3)
	neighbours := func(r *sim.Rank) (left, right int) { return (r.Rank() + ranks - 1) % ranks, (r.Rank() + 1) % ranks }
	_, want, err := runBodies(t, ranks, func(r *sim.Rank) {
		left, right := neighbours(r)
		for k := range rounds {
			r.Compute(units.Flops(r.Rank() * k % 3))
			in, out := r.Irecv(left, 1), r.Isend(right, 1, size)
			r.Compute(1)
			r.Wait(in)
			r.Wait(out)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, wait := range map[string]func(r *sim.Rank, in, out sim.Request){
		"wait":        func(r *sim.Rank, in, out sim.Request) { r.Wait(in); r.Wait(out) },
		"all":         func(r *sim.Rank, in, out sim.Request) { r.Waitall() },
		"all of them": func(r *sim.Rank, in, out sim.Request) { r.Waitall(in, out) },
	} {
		t.Run(name, func(t *testing.T) {
			got := ranBodies(t, ranks, func(r *sim.Rank) {
				left, right := neighbours(r)
				in, out := r.RecvInit(left, 1), r.SendInit(right, 1, size)
				s := r.Wait(in)
				expect.That(t, s == (sim.Status{}) && r.Now() == 0, "wait for an inactive request: %v at %v", s, r.Now())
				for k := range rounds {
					r.Compute(units.Flops(r.Rank() * k % 3))
					r.Start(in, out)
					r.Compute(1)
					wait(r, in, out)
				}
			})
			got.Operations, got.Events = want.Operations, want.Events // a Waitall is one, two Waits are two
			expect.Same(t, got, want, "anew against persistent")
		})
	}
}

func TestRequestMisuse(t *testing.T) {
	for _, c := range []struct {
		name string
		body func(r *sim.Rank)
		want string
	}{
		{"start of what is active", func(r *sim.Rank) { q := r.RecvInit(0, 0); r.Start(q, q) },
			"start: a request that is active; expected one that was waited for since its last start"},
		{"start of an Irecv", func(r *sim.Rank) { r.Start(r.Irecv(0, 0)) },
			"start: a request of Isend or Irecv; expected one of SendInit or RecvInit"},
		{"no request", func(r *sim.Rank) { r.Waitall(sim.Request{}) },
			"waitall: no request; expected what Isend, Irecv, SendInit, RecvInit or Beside returned"},
		{"twice in the list", func(r *sim.Rank) { q := r.Isend(0, 0, 0); r.Waitall(q, q) },
			"waitall: request 1 is in the list twice; expected each once"},
		{"waited for before", func(r *sim.Rank) { q := r.Isend(0, 0, 0); r.Wait(q); r.Waitall(q) },
			"waitall: 1 of 1 requests are not open; expected none that was waited for before"},
		{"no such peer", func(r *sim.Rank) { r.SendInit(1, 0, 0) }, "sendinit: peer 1; expected a rank from 0 to 0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := runBodies(t, 1, c.body)
			expect.That(t, err != nil && err.Error() == "rank 0 at 0 s: "+c.want, "%v\nwant %s", err, c.want)
		})
	}
}
