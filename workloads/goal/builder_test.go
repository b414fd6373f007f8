package goal_test

import (
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/workloads/goal"
)

func TestBuilder(t *testing.T) {
	var b goal.Builder
	b.NextRank()
	send := b.Add(goal.Op{Kind: goal.Send, Size: 8, Peer: 1})
	calc := b.Add(goal.Op{Kind: goal.Calc, Size: 5, CPU: 1})
	b.Require(calc, send)
	b.NextRank()
	recv := b.Add(goal.Op{Kind: goal.Recv, Size: 8, Peer: goal.AnySource, Tag: goal.AnyTag, NIC: 2})
	calc = b.Add(goal.Op{Kind: goal.Calc, Size: 6})
	b.RequireStart(calc, recv)
	got := expect.Value(b.Schedule())(t)
	want := read(t, `num_ranks 2
rank 0 {
x: send 8b to 1
y: calc 5 cpu 1
y requires x
}
rank 1 {
x: recv 8b from -1 tag -1 nic 2
y: calc 6
y irequires x
}`)
	expect.That(t, got.Equal(want) && got.Shape() == want.Shape(), "got %+v, want %+v", got, want)
	expect.Equal(t, got.Line(0), 0, "line")
	expect.Equal(t, want.Line(0), 3, "line")
}

func TestBuilderErrors(t *testing.T) {
	calc := goal.Op{Kind: goal.Calc}
	for _, tt := range []struct {
		name  string
		calls func(b *goal.Builder)
		want  string
	}{
		{"nothing", func(b *goal.Builder) {}, "goal: no rank; expected at least one"},
		{"operation first", func(b *goal.Builder) { b.Add(calc); b.NextRank() }, "goal: an operation before the first rank"},
		{"dependency first", func(b *goal.Builder) { b.Require(0, 0) }, "goal: a dependency before the first rank"},
		{"dependency on later", func(b *goal.Builder) { b.NextRank(); b.Add(calc); b.Require(0, 1); b.Add(calc) },
			"goal: rank 0: operation 0 depends on 1; expected numbers from 0 to 0"},
		{"negative", func(b *goal.Builder) { b.NextRank(); b.Add(calc); b.RequireStart(-1, 0) },
			"goal: rank 0: operation -1 depends on 0; expected numbers from 0 to 0"},
		{"no kind", func(b *goal.Builder) { b.NextRank(); b.Add(goal.Op{}) },
			"goal: rank 0, operation 0 (invalid): kind 0; expected Send, Recv or Calc"},
		{"large", func(b *goal.Builder) { b.NextRank(); b.Add(goal.Op{Kind: goal.Calc, Size: 1 << 63}) },
			"goal: rank 0, operation 0 (calc): size 9223372036854775808; expected at most 9223372036854775807"},
		{"calc with tag", func(b *goal.Builder) { b.NextRank(); b.Add(goal.Op{Kind: goal.Calc, Tag: 1}) },
			"goal: rank 0, operation 0 (calc): it has a peer, tag or NIC; expected zeros"},
		{"send to any", func(b *goal.Builder) { b.NextRank(); b.Add(goal.Op{Kind: goal.Send, Peer: goal.AnySource}) },
			"goal: rank 0, operation 0 (send): peer -1; expected a rank from 0 to 0"},
		{"no such peer", func(b *goal.Builder) {
			b.NextRank()
			b.Add(calc)
			b.NextRank()
			b.Add(calc)
			b.Add(goal.Op{Kind: goal.Recv, Peer: 2})
		}, "goal: rank 1, operation 1 (recv): peer 2; expected a rank from 0 to 1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var b goal.Builder
			tt.calls(&b)
			s, err := b.Schedule()
			expect.That(t, s == nil && err != nil && err.Error() == tt.want, "got %v, %v\nwant %s", s, err, tt.want)
		})
	}
}
