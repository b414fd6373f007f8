package goalsim_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/sim/goalsim"
	"github.com/isoscale/isoscale/sim/observe"
	"github.com/isoscale/isoscale/workloads/goal"
)

// story is what an observer was told of a run.
type story struct {
	spans    [][]sim.Span // by core
	sent     [][]sim.Sent
	received []sim.Received
}

func (s *story) Span(x sim.Span)         { s.spans[x.Rank] = append(s.spans[x.Rank], x) }
func (s *story) Sent(x sim.Sent)         { s.sent[x.Rank] = append(s.sent[x.Rank], x) }
func (s *story) Received(x sim.Received) { s.received = append(s.received, x) }

func tell(t testing.TB, s *goal.Schedule, p goalsim.Parameters) (*goalsim.Result, *story) {
	t.Helper()
	cores := s.Ranks() * s.CPUs()
	to := &story{spans: make([][]sim.Span, cores), sent: make([][]sim.Sent, cores)}
	r := expect.Value(goalsim.Observe(context.Background(), s, p, to))(t)
	return r, to
}

// Rank 0 computes 100 ns and sends 11 bytes twice, with L=1000 o=10 g=50 G=2: its core is
// busy for 10 ns, its interface for 50 + 10*2 = 70 ns. The first bytes arrive at 100 +
// 1010 and 170 + 1010; rank 1 is busy for 10 + 10*2 = 30 ns with each, and posts its
// second receive when it has computed for 500 ns, at 1110 + 30 + 500: its core is then
// free for the second message, whose arrival it could not turn to before.
func TestWhatAnObserverIsTold(t *testing.T) {
	const text = `num_ranks 2
rank 0 {
work: calc 100
a: send 11b to 1 tag 1
b: send 11b to 1 tag 2
a requires work
b requires a
}
rank 1 {
a: recv 11b from 0 tag 1
work: calc 500
b: recv 11b from 0 tag 2
work requires a
b requires work
}
`
	p := expect.Value(goalsim.ParseParameters("L=1000,o=10,g=50,G=2,O=0,S=100"))(t)
	_, got := tell(t, read(t, text), p)
	var lines []string
	ns := func(s units.Seconds) int { return int(math.Round(float64(s) * 1e9)) }
	for core, spans := range got.spans {
		for _, x := range spans {
			lines = append(lines, fmt.Sprintf("%d: %v %d-%d", core, x.Part, ns(x.From), ns(x.To)))
		}
	}
	for _, x := range got.sent[0] {
		lines = append(lines, fmt.Sprintf("sent %d to %d at %d", x.Order, x.To, ns(x.At)))
	}
	for _, x := range got.received {
		lines = append(lines, fmt.Sprintf("received %d: arrived %d, at %d", x.Order, ns(x.Arrived), ns(x.At)))
	}
	want := []string{
		"0: compute 0-100", "0: send overhead 100-110", "0: wait for send 110-170", "0: send overhead 170-180",
		"1: wait for message 0-1110", "1: receive overhead 1110-1140", "1: compute 1140-1640", "1: receive overhead 1640-1670",
		"sent 0 to 1 at 100", "sent 1 to 1 at 170",
		"received 0: arrived 1110, at 1110", "received 1: arrived 1180, at 1640",
	}
	expect.Same(t, lines, want, "got")
}

// An observer changes nothing; what it is told of a core has no gap and no overlap and
// ends when the core is free; each message is told once, and received after it arrived,
// o + L after it left. The critical path has the length of the run.
func TestObserverOfRandomSchedules(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, p := drawCase(t)
		want, err := goalsim.Run(context.Background(), s, p)
		if err != nil {
			t.Skip("the schedule does not end")
		}
		cores := s.Ranks() * s.CPUs()
		to := &story{spans: make([][]sim.Span, cores), sent: make([][]sim.Sent, cores)}
		path := observe.NewCriticalPath(cores, inSeconds(p))
		got := expect.Value(goalsim.Observe(context.Background(), s, p, observe.Tee(to, path)))(t)
		diff := cmp.Diff(want, got)
		expect.Need(t, diff == "", "with an observer (-without +with):\n%s", diff)
		for host, finish := range want.HostFinish {
			last := units.Seconds(0)
			for core := range s.CPUs() {
				until := units.Seconds(0)
				for _, x := range to.spans[host*s.CPUs()+core] {
					expect.Need(t, x.From == until && x.To > x.From, "span %+v follows one that ends at %v", x, until)
					until = x.To
				}
				last = max(last, until)
			}
			expect.Equal(t, last, units.Seconds(float64(finish)/1e9), "host %d: the last span ends at", host)
		}
		messages, seen := 0, map[[2]int]bool{}
		for _, sent := range to.sent {
			messages += len(sent)
		}
		for _, x := range to.received {
			name := [2]int{int(x.From), int(x.Order)}
			left := to.sent[x.From][x.Order].At
			expect.That(t, !seen[name] && x.At >= x.Arrived &&
				math.Abs(float64(x.Arrived-left)*1e9-float64(p.Overhead+p.Latency)) <= 1e-3,
				"received %+v of a message that left at %v, told before: %v", x, left, seen[name])
			seen[name] = true
		}
		expect.That(t, int64(messages) == want.Messages && int64(len(seen)) == want.Messages-want.Unreceived,
			"%d messages sent, %d received; want %d and %d", messages, len(seen), want.Messages, want.Messages-want.Unreceived)
		expect.Equal(t, path.Path().Makespan, units.Seconds(float64(want.Makespan)/1e9), "the critical path takes")
	})
}

func inSeconds(p goalsim.Parameters) network.LogGOPS {
	of := func(t goalsim.Nanoseconds) units.Seconds { return units.Seconds(float64(t) / 1e9) }
	return network.LogGOPS{Latency: of(p.Latency), Overhead: of(p.Overhead), Gap: of(p.Gap), GapPerByte: of(p.GapPerByte), OverheadPerByte: of(p.OverheadPerByte), Synchronous: units.Bytes(p.EagerLimit)}
}
