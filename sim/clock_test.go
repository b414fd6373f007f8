package sim

import (
	"fmt"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim/kernel"
	"github.com/isoscale/isoscale/workloads"
)

// pingPong passes a message of one byte to and fro.
type pingPong struct {
	rounds int
	step   [2]int
}

func (p *pingPong) Ranks() int { return 2 }

func (p *pingPong) Next(rank int, op *workloads.Op) bool {
	s := p.step[rank]
	if s == 2*p.rounds {
		return false
	}
	p.step[rank]++
	op.Kind = workloads.Send
	if (s+rank)%2 == 1 {
		op.Kind = workloads.Recv
	}
	op.Peer, op.Size = int32(1-rank), 1
	return true
}

// A process that looks at the ranks every second sees each of them exactly where it is
// at that time: the engine may not let ranks run ahead then. One way takes 1 s (wire) +
// 1 s (latency), so by time t the ranks have sent floor(t/2) + 1 messages, four in all.
func TestProcessesAndRanksShareTheClock(t *testing.T) {
	e := newEngine(Config{
		Program: &pingPong{rounds: 2},
		Network: network.Hockney{Latency: 1, Bandwidth: 1, EagerLimit: 10},
		Rates:   []units.FlopsPerSecond{1, 1},
	})
	k := kernel.New()
	var seen []string
	k.Go("observer", func(p *kernel.Process) {
		for range 9 {
			seen = append(seen, fmt.Sprintf("%v: %d sent", p.Now(), e.shards[0].sent))
			p.Sleep(1)
		}
	})
	expect.Success(t, k.Run(e))
	want := []string{
		"0 s: 1 sent", "1 s: 1 sent", "2 s: 2 sent", "3 s: 2 sent", "4 s: 3 sent",
		"5 s: 3 sent", "6 s: 4 sent", "7 s: 4 sent", "8 s: 4 sent",
	}
	expect.List(t, seen, want, "seen")
	s := e.shards[0]
	expect.That(t, s.unfinished == 0 && s.ranks[0].clock == 8, "%d ranks left, rank 0 at %v; want none, at 8 s", s.unfinished, s.ranks[0].clock)
}
