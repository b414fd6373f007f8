package sim_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/sharing/flow"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/workloads"
)

// sources is a program that notes the senders of the messages that rank 0 received, in order.
type sources struct {
	workloads.Program
	got []int32
}

func (s *sources) Now(int, units.Seconds) {}

func (s *sources) Received(rank int, from, _ int32, _ units.Bytes) {
	if rank == 0 {
		s.got = append(s.got, from)
	}
}

// What happens at one instant happens in the documented order, whatever led to
// it: here rank 2 has known since 0 that it acts at 2, rank 1 only since 1, and
// both send to rank 0, which takes what comes first.
func TestOrderAtOneInstant(t *testing.T) {
	senders := func(size1, size2 units.Bytes) script {
		return script{
			{recv(anySource, anyTag), recv(anySource, anyTag)},
			{delay(1), delay(1), send(0, size1, 0)},
			{delay(2), send(0, size2, 0)},
		}
	}
	for _, tt := range []struct {
		name    string
		script  script
		network sim.Network // nil: on links
		want    []int32
	}{
		{"messages that arrive at once, by sender", senders(3, 3), hockney, []int32{1, 2}},
		{"messages that arrive at once, however long they take", script{
			{recv(anySource, anyTag), recv(anySource, anyTag)},
			{delay(4), send(0, 1, 0)}, // arrives at 4 + 1 + 1
			{send(0, 5, 0)},           // arrives at 5 + 1, and left earlier
		}, hockney, []int32{1, 2}},
		{"without latency ranks act by number", senders(3, 3), network.Ideal{}, []int32{1, 2}},
		{"without latency, for a message that is there at once", script{
			{delay(2), recv(anySource, anyTag), recv(anySource, anyTag)},
			{delay(1), delay(1), send(0, 1, 0)},
			{delay(2), send(0, 1, 0)},
		}, network.Ideal{}, []int32{1, 2}},
		{"by core, by sender", senders(3, 3), network.LogGOPS{Latency: 1, Synchronous: network.NoLimit}, []int32{1, 2}},
		// Matching is by the order in which messages are sent.
		{"on links ranks act by number", senders(3, 3), nil, []int32{1, 2}},
		{"on links the smaller message does not overtake", senders(9, 1), nil, []int32{1, 2}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := &sources{Program: tt.script.program()}
			c := sim.Config{Program: p, Network: tt.network}
			if tt.network != nil {
				c.Rates = ones(len(tt.script))
			} else {
				f := expect.Value(flow.New(star{}.machine(len(tt.script)), flow.Plain()))(t)
				c.Fabric, c.Protocol = f, eagerAlways
			}
			expect.Value(sim.Run(context.Background(), c))(t)
			expect.List(t, p.got, tt.want, "from")
		})
	}
}

// Rendezvous without latency: a rank may get a clearance at the instant at which it
// sends one, so the order of the two decides which data leave first. A Sendrecv must
// take as long as its parts. With turns of one instant in the order in which they were
// put on the calendar it took two seconds more here, because it has one turn where its
// parts have three.
func TestRendezvousAtOneInstant(t *testing.T) {
	n := network.Hockney{Bandwidth: 1, RecvOverhead: 2, EagerLimit: network.NoLimit}
	rounds := []struct {
		shift int
		size  units.Bytes
		work  [5]units.Flops
	}{{1, 3, [5]units.Flops{0, 4, 0, 2, 4}}, {2, 4, [5]units.Flops{0, 0, 5, 0, 5}}, {}, {}, {}, {}}
	one, three := make(script, 5), make(script, 5)
	for _, round := range rounds {
		for r, work := range round.work {
			to, from := int32((r+round.shift)%5), int32((r-round.shift+5)%5)
			one[r] = append(one[r], compute(work), sendrecv(to, round.size, from, 0))
			three[r] = append(three[r], compute(work), isend(to, round.size, 0, 7), recv(from, 0), wait(7))
		}
	}
	whole := expect.Value(run(t, one, n))(t)
	parts := expect.Value(run(t, three, n))(t)
	d := cmp.Diff(whole.Ranks, parts.Ranks)
	expect.That(t, d == "", "(-sendrecv +parts):\n%s", d)
}
