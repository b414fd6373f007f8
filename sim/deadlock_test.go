package sim_test

import (
	"testing"

	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/workloads"
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
			if got := wantDeadlock(t, c.script, rendezvous).Error(); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}
