package goalsim_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/sim/goalsim"
	"github.com/isoscale/isoscale/workloads/goal"
)

func TestDeadlock(t *testing.T) {
	// Rank 0: both computations end at 40 and the receive is posted at 40; the
	// send behind it never begins. Rank 1: a rendezvous send with the wrong tag;
	// it begins at 0, its message arrives at 1500 + 2500 and finds the core free.
	// Rank 2 is done. Rank 3 waits for itself.
	s := read(t, `num_ranks 4
rank 0 {
a: calc 40
r: recv 70000b from 1 tag 3
s: send 8b to 1
r requires a
s requires r
}
rank 1 {
send 70000b to 0 tag 4
recv 8b from -1 tag -1
}
rank 2 {
calc 1
}
rank 3 {
x: calc 5
y: calc 6
x requires y
y requires x
}`)
	_, err := goalsim.Run(context.Background(), s, goalsim.DefaultParameters())
	d := expect.Kind[*goalsim.DeadlockError](t, err)
	// Rank 0 takes the message with its core: 4000 + 1500 + 69999*6.
	want := &goalsim.DeadlockError{Time: 425494, Hosts: 4, Stuck: 3, Unfinished: 6, Blocked: []goalsim.Blocked{
		{Rank: 0, Operation: "recv", Peer: 1, Tag: 3, Size: 70000, Line: 4, Since: 40, Waits: "for a message"},
		{Rank: 1, Operation: "send", Peer: 0, Tag: 4, Size: 70000, Line: 10, Since: 4000, Waits: "to be received"},
		{Rank: 1, Operation: "recv", Peer: goal.AnySource, Tag: goal.AnyTag, Size: 8, Line: 11, Waits: "for a message"},
		{Rank: 3, Operation: "calc", Size: 5, Line: 17, Waits: "for its dependencies"},
	}}
	expect.Same(t, d, want, "got")
	expect.Equal(t, d.Error(), `deadlock at 425494 ns: 3 of 4 hosts are blocked for ever, with 6 operations not done
  rank 0: recv, peer 1, tag 3, 70000 bytes (line 4) waits for a message since 40 ns
  rank 1: send, peer 0, tag 4, 70000 bytes (line 10) waits to be received since 4000 ns
  rank 1: recv, peer any, tag any, 8 bytes (line 11) waits for a message since 0 ns
  rank 3: calc (line 17) waits for its dependencies`, "got\n%s\nwant", d)
}

// The list of a large deadlock and its text are bounded, the counts are not.
func TestDeadlockIsBounded(t *testing.T) {
	var b goal.Builder
	const ranks = 3000
	for range ranks {
		b.NextRank()
		b.Add(goal.Op{Kind: goal.Recv, Size: 1, Peer: 0})
	}
	s := expect.Value(b.Schedule())(t)
	_, err := goalsim.Run(context.Background(), s, goalsim.DefaultParameters())
	d := expect.Kind[*goalsim.DeadlockError](t, err)
	expect.That(t, d.Stuck == ranks && d.Unfinished == ranks && len(d.Blocked) == 1000,
		"%d hosts, %d operations, %d in the list; want %d, %d, 1000", d.Stuck, d.Unfinished, len(d.Blocked), ranks, ranks)
	lines := strings.Count(d.Error(), "\n")
	expect.That(t, lines == 17 && strings.HasSuffix(d.Error(), "\n  and 2984 more hosts"),
		"%d lines after the first, want 17 with the last \"and 2984 more hosts\":\n%v", lines, d)
}

// Of a host with many operations, four are listed.
func TestDeadlockOfManyOperations(t *testing.T) {
	for operations, want := range map[int]string{
		4: "\n  rank 0: recv, peer 0, tag 0, 4 bytes waits for a message since 0 ns",
		5: "\n  rank 0: and more",
	} {
		var b goal.Builder
		b.NextRank()
		for i := range operations {
			b.Add(goal.Op{Kind: goal.Recv, Size: uint64(i + 1), Peer: 0})
		}
		s := expect.Value(b.Schedule())(t)
		_, err := goalsim.Run(context.Background(), s, goalsim.DefaultParameters())
		expect.That(t, err != nil && strings.Count(err.Error(), "\n") == operations &&
			strings.HasSuffix(err.Error(), want),
			"%d operations: %v", operations, err)
	}
}

func TestOverflow(t *testing.T) {
	const top = 1 << 62 // the largest time
	for _, tt := range []struct{ name, text, parameters, want string }{
		{"calc", fmt.Sprintf("num_ranks 1\nrank 0 {\ncalc %d\n}", uint64(top)+1), "",
			"calc of rank 0 (line 3) would end after more than 4611686018427387904 ns; expected smaller sizes or parameters"},
		{"calc after calc", fmt.Sprintf("num_ranks 1\nrank 0 {\ncalc %d\ncalc 1\n}", uint64(top)), "",
			"calc of rank 0 (line 4) would end after more than 4611686018427387904 ns; expected smaller sizes or parameters"},
		{"send", "num_ranks 1\nrank 0 {\nsend 9223372036854775807b to 0\nrecv 1b from 0\n}", "G=2147483647",
			"send of rank 0 (line 3) would end after more than 4611686018427387904 ns; expected smaller sizes or parameters"},
		{"arrival", fmt.Sprintf("num_ranks 2\nrank 0 {\nsend 1b to 1\n}\nrank 1 {\ncalc %d\nrecv 1b from 0\n}", uint64(top)), "",
			"send of rank 0 (line 3) would end after more than 4611686018427387904 ns; expected smaller sizes or parameters"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := expect.Value(goalsim.ParseParameters(tt.parameters))(t)
			_, err := goalsim.Run(context.Background(), read(t, tt.text), p)
			_, ok := errors.AsType[*goalsim.OverflowError](err)
			expect.That(t, ok && err.Error() == tt.want, "error %v\nwant %s", err, tt.want)
		})
	}
	// The largest time itself is fine.
	s := read(t, fmt.Sprintf("num_ranks 1\nrank 0 {\ncalc %d\n}", uint64(top)))
	r, err := goalsim.Run(context.Background(), s, goalsim.DefaultParameters())
	expect.That(t, err == nil && r.Makespan == top, "got %v, %v; want %d", r, err, uint64(top))
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for name, s := range map[string]*goal.Schedule{
		"at the beginning": dissemination(t, 2, 1),
		"in the loop":      read(t, "num_ranks 1 rank 0 {\n}"),
	} {
		_, err := goalsim.Run(ctx, s, goalsim.DefaultParameters())
		expect.That(t, errors.Is(err, context.Canceled), "%s: error %v, want context.Canceled", name, err)
	}
}

func TestBadParameters(t *testing.T) {
	_, err := goalsim.Run(context.Background(), dissemination(t, 2, 1), goalsim.Parameters{Gap: -1, EagerLimit: 1 << 32})
	want := "LogGOPS parameter g is -1; expected 0 to 2147483647 ns\nLogGOPS parameter S is 4294967296; expected 0 to 4294967295 bytes"
	expect.That(t, err != nil && err.Error() == want, "error %v\nwant %s", err, want)
}
