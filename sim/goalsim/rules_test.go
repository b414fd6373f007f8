package goalsim_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/sim/goalsim"
	"github.com/isoscale/isoscale/workloads/goal"
)

// TestRules runs the schedules of testdata. Each says in its comments with
// which parameters, when each host must finish, and why: the numbers are worked
// out by hand from the rules in docs/formats/goal.md.
func TestRules(t *testing.T) {
	files := expect.Value(filepath.Glob("testdata/*.goal"))(t)
	expect.Need(t, len(files) != 0, "no schedule in testdata")
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".goal"), func(t *testing.T) {
			text := expect.Value(os.ReadFile(file))(t)
			p := expect.Value(goalsim.ParseParameters(directive(t, text, "parameters")))(t)
			var want []goalsim.Nanoseconds
			for _, number := range strings.Fields(directive(t, text, "finish")) {
				n := expect.Value(strconv.ParseInt(number, 10, 64))(t)
				want = append(want, goalsim.Nanoseconds(n))
			}
			s := expect.Value(goal.Read(file, bytes.NewReader(text)))(t)
			got := expect.Value(goalsim.Run(context.Background(), s, p))(t)
			expect.Same(t, got.HostFinish, want, "finish times")
		})
	}
}

// directive returns the rest of the comment line that begins with the name.
func directive(t *testing.T, text []byte, name string) string {
	t.Helper()
	for line := range strings.SplitSeq(string(text), "\n") {
		if rest, ok := strings.CutPrefix(line, "// "+name+": "); ok {
			return rest
		}
	}
	t.Fatalf("no line // %s:", name)
	return ""
}

// A round of a dissemination barrier under eager messages of s bytes, all hosts
// in step: send at t, arrival at t+o+L (the core is free since t+o), core busy
// for o+(s-1)G more, and the interface is free earlier if g < o+L+o. So P ranks
// need log2(P) (2o + L + (s-1)G).
func TestDissemination(t *testing.T) {
	for _, tt := range []struct {
		ranks      int
		size       uint64
		parameters string
		want       goalsim.Nanoseconds
	}{
		{2, 1, "", 5500},
		{16, 8, "", 4 * 5542},
		{16384, 8, "", 77588}, // 14 rounds of 5542
		{256, 8, "L=1800,o=400,g=500,G=1", 8 * 2607},
		{64, 65535, "L=0,o=0,g=0,G=1", 6 * 65534},
	} {
		p := expect.Value(goalsim.ParseParameters(tt.parameters))(t)
		got := expect.Value(goalsim.Run(context.Background(), dissemination(t, tt.ranks, tt.size), p))(t)
		for host, finish := range got.HostFinish {
			expect.Need(t, finish == tt.want,
				"%d ranks, %s: host %d finishes at %d, want %d", tt.ranks, p, host, finish, tt.want)
		}
		expect.That(t, got.Makespan == tt.want && 3*got.Messages == got.Events && got.Unreceived == 0,
			"%d ranks: %d ns, %d messages, %d events, %d unreceived", tt.ranks, got.Makespan, got.Messages, got.Events, got.Unreceived)
	}
}

// Zero parameters: messages cost nothing, so only computations count.
func TestFreeMessages(t *testing.T) {
	s := read(t, `num_ranks 2
rank 0 {
a: calc 30
s: send 1000000b to 1
s requires a
}
rank 1 {
r: recv 1000000b from 0
c: calc 12
c requires r
}`)
	got := expect.Value(goalsim.Run(context.Background(), s, goalsim.Parameters{}))(t)
	want := []goalsim.Nanoseconds{30, 42}
	expect.That(t, cmp.Equal(want, got.HostFinish), "finish times %v, want %v", got.HostFinish, want)
}

func TestUnreceived(t *testing.T) {
	s := read(t, "num_ranks 2\nrank 0 {\nsend 1b to 1\nsend 1b to 1\n}\nrank 1 {\nrecv 1b from 0\n}\n")
	got := expect.Value(goalsim.Run(context.Background(), s, goalsim.DefaultParameters()))(t)
	expect.That(t, got.Unreceived == 1 && got.Messages == 2 && got.Events == 5,
		"%d unreceived of %d messages, %d events; want 1 of 2, 5", got.Unreceived, got.Messages, got.Events)
}

func read(t testing.TB, text string) *goal.Schedule {
	t.Helper()
	return expect.Value(goal.Read("test.goal", strings.NewReader(text)))(t)
}
