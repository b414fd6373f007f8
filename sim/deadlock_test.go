package sim_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
)

func TestDeadlockTellsTheStory(t *testing.T) {
	rendezvous := network.Hockney{Latency: 1, Bandwidth: 1, EagerLimit: 10}
	for _, c := range []struct {
		name   string
		script script
		want   string
	}{
		{"everybody receives first",
			script{{compute(2), recv(1, 7)}, {recv(0, 7)}},
			"deadlock at 2 s: 2 of 2 ranks are blocked for ever\n" +
				"  rank 0: recv, peer 1, tag 7, since 2 s\n" +
				"  rank 1: recv, peer 0, tag 7, since 0 s"},
		{"head to head above the eager limit",
			script{{send(1, 11, 3), recv(1, 3)}, {send(0, 11, 3), recv(0, 3)}, {compute(4)}},
			"deadlock at 4 s: 2 of 3 ranks are blocked for ever\n" +
				"  rank 0: send, peer 1, tag 3, since 0 s (11 B, rendezvous)\n" +
				"  rank 1: send, peer 0, tag 3, since 0 s (11 B, rendezvous)"},
		{"the peer has finished",
			script{{recv(1, anyTag)}, {}},
			"deadlock at 0 s: 1 of 2 ranks are blocked for ever\n" +
				"  rank 0: recv, peer 1, tag any, since 0 s (rank 1 has finished)"},
		{"wrong tag to anybody",
			script{{recv(anySource, 2)}, {send(0, 1, 1)}},
			"deadlock at 0 s: 1 of 2 ranks are blocked for ever\n" +
				"  rank 0: recv, peer any, tag 2, since 0 s"},
		{"waitall names what is missing, in program order",
			script{{irecv(1, 1, 1), irecv(1, 2, 2), irecv(1, 3, 3), waitall()}, {send(0, 1, 2), compute(5)}},
			"deadlock at 5 s: 1 of 2 ranks are blocked for ever\n" +
				"  rank 0: waitall recv, peer 1, tag 1, since 0 s (rank 1 has finished)\n" +
				"  rank 0: waitall recv, peer 1, tag 3, since 0 s (rank 1 has finished)"},
		{"a collective that one rank does not call",
			script{{measured(workloads.Barrier, 0, 1)}, {compute(3), measured(workloads.Barrier, 0, 1)}, {}},
			"deadlock at 3 s: 2 of 3 ranks are blocked for ever\n" +
				"  rank 0: barrier, since 0 s (2 of 3 ranks have called it)\n" +
				"  rank 1: barrier, since 3 s (2 of 3 ranks have called it)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := wantDeadlock(t, c.script, rendezvous).Error()
			expect.That(t, got == c.want, "got\n%s\nwant\n%s", got, c.want)
		})
	}
}

// If more than 16 ranks are blocked, those in one collective share a line, and only the
// first 16 of the others are listed. Of 40 ranks, those below 20 wait for a message
// that nobody sends, 20 to 29 and 35 are in a barrier that the others do not call, 36
// has ended, and the others wait for six messages at once.
func TestLongDeadlocksAreShort(t *testing.T) {
	s := make(script, 40)
	for i := range s {
		switch {
		case i < 20:
			s[i] = []workloads.Op{recv(36, 7)}
		case i < 30 || i == 35:
			s[i] = []workloads.Op{compute(units.Flops(i - 19)), measured(workloads.Barrier, 0, 1)}
		case i != 36:
			for q := range int32(6) {
				s[i] = append(s[i], irecv(36, q, q))
			}
			s[i] = append(s[i], waitall())
		}
	}
	d := wantDeadlock(t, s, network.Ideal{})
	want := "deadlock at 16 s: 39 of 40 ranks are blocked for ever\n" +
		"  11 ranks in barrier: 20-29, 35, the first since 1 s (11 of 40 ranks have called it)"
	for i := range 16 {
		want += fmt.Sprintf("\n  rank %d: recv, peer 36, tag 7, since 0 s (rank 36 has finished)", i)
	}
	want += "\n  and 12 more"
	expect.Equal(t, d.Error(), want, "d.Error()")

	// All of them, and all that they wait for: 20 + 11 + 8 times 6.
	d.All = true
	n := strings.Count(d.Error(), "\n")
	expect.That(t, n == 79, "%d lines, want 79:\n%v", n, d)
	for i := range 40 {
		named := strings.Contains(d.Error(), fmt.Sprintf("\n  rank %d: ", i))
		expect.That(t, named != (i == 36), "rank %d: named %v", i, named)
	}

	// Up to 16 ranks, each has lines of its own, but not for every request.
	few := make(script, 17)
	for i := range few[:16] {
		few[i] = []workloads.Op{
			irecv(16, 0, 0), irecv(16, 1, 1), irecv(16, 2, 2), irecv(16, 3, 3), irecv(16, 4, 4), waitall(),
		}
	}
	got := wantDeadlock(t, few, network.Ideal{}).Error()
	n = strings.Count(got, "\n")
	expect.That(t, n == 16*5 && strings.HasSuffix(got, "\n  rank 15: and 1 more"), "%d lines, want 80:\n%s", n, got)
}

// The front end says which collective operation ranks are in; messages of them
// have no tag that means anything. Rank 0 of a flat broadcast never sends.
func TestDeadlockNamesTheCollective(t *testing.T) {
	for ranks, want := range map[int]string{
		3: "deadlock at 0 s: 2 of 3 ranks are blocked for ever\n" +
			"  rank 1: recv in bcast, peer 0, tag collective, since 0 s (rank 0 has finished)\n" +
			"  rank 2: recv in bcast, peer 0, tag collective, since 0 s (rank 0 has finished)",
		18: "deadlock at 0 s: 17 of 18 ranks are blocked for ever\n" +
			"  17 ranks in bcast: 1-17, the first since 0 s",
	} {
		p := sim.NewProgram(ranks, func(r *sim.Rank) {
			if r.Rank() > 0 {
				r.Bcast(0, 8)
			}
		})
		flat := expect.Value(collective.Lookup(workloads.Bcast, "flat"))(t)
		expect.Success(t, p.Choose(collective.Choice{Operation: workloads.Bcast, Algorithm: flat}))
		_, err := sim.Run(context.Background(), sim.Config{Program: p, Network: network.Ideal{}, Rates: ones(ranks)})
		d, ok := errors.AsType[*sim.DeadlockError](err)
		expect.That(t, ok && d.Error() == want, "got\n%v\nwant\n%s", err, want)
	}
}
