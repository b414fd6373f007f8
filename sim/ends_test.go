package sim_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/workloads"
)

// endless is a program whose ranks do the same thing for ever.
type endless struct {
	ranks int
	op    workloads.Op
}

func (p endless) Ranks() int                        { return p.ranks }
func (p endless) Next(_ int, op *workloads.Op) bool { *op = p.op; return true }

// A run ends when its context does, also in the middle of a rank that never waits.
func TestCancelledInTheMiddleOfARank(t *testing.T) {
	for _, ranks := range []int{1, 8192} { // one shard, several
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
		defer cancel()
		rates := ones(ranks)
		_, err := sim.Run(ctx, sim.Config{Program: endless{ranks, compute(1)}, Network: hockney, Rates: rates})
		expect.That(t, errors.Is(err, context.DeadlineExceeded),
			"%d ranks: %v, want the end of the context", ranks, err)
	}
}

// Ranks whose operations take no time are named.
func TestNoProgressOfTime(t *testing.T) {
	for _, tt := range []struct {
		name string
		op   workloads.Op
	}{{"delays of 0 s", delay(0)}, {"computations of 0 flop", compute(0)}, {
		"messages to itself that cost nothing", sendrecv(0, 0, 0, 0),
	}} {
		_, err := sim.Run(context.Background(), sim.Impatient(sim.Config{
			Program: endless{1, tt.op}, Network: network.Ideal{}, Rates: ones(1),
		}))
		expect.That(t, err != nil && strings.Contains(err.Error(), "rank 0 at 0 s") && strings.Contains(err.Error(), "no clock goes on in 32768 operations"),
			"%s: %v", tt.name, err)
	}
}

// exchanging ranks exchange messages for ever.
type exchanging struct{}

func (exchanging) Ranks() int { return 2 }
func (exchanging) Next(rank int, op *workloads.Op) bool {
	*op = sendrecv(int32(1-rank), 0, int32(1-rank), 0)
	return true
}

// Two ranks that keep each other busy and let no time pass are found too.
func TestNoProgressOfTwoRanks(t *testing.T) {
	_, err := sim.Run(context.Background(), sim.Impatient(sim.Config{
		Program: exchanging{}, Network: network.Ideal{}, Rates: ones(2),
	}))
	expect.Failure(t, err, "no clock goes on")
}

// panics is a network that panics for one sender.
type panics struct {
	network.Hockney
	of int32
}

var errBroken = errors.New("broken")

func (p panics) Message(from, to int32, size units.Bytes) network.Cost {
	if from == p.of {
		panic(errBroken)
	}
	return p.Hockney.Message(from, to, size)
}

// A panic of a user's part comes back as an error that says where, when and in
// whose turn, on one shard and on several.
func TestPanicOfANetwork(t *testing.T) {
	s := script{{compute(3), send(1, 0, 0)}, {recv(0, 0)}, {compute(1)}, {}}
	config := sim.Config{Program: s.program(), Network: panics{hockney, 0}, Rates: ones(4)}
	for _, c := range []sim.Config{config, sim.Sharded(config, 2)} {
		c.Program = s.program()
		_, err := sim.Run(context.Background(), c)
		var p *sim.PanicError
		expect.Need(t, errors.As(err, &p) && errors.Is(err, errBroken), "%v, want a *sim.PanicError of errBroken", err)
		expect.That(t, p.Rank == 0 && strings.HasSuffix(p.Where, "sim_test.panics.Message") && len(p.Stack) != 0,
			"%+v\nwant rank 0, sim_test.panics.Message", p)
		if !strings.Contains(err.Error(), "sim_test.panics.Message at") || !strings.Contains(err.Error(), "rank 0: broken") {
			t.Error(err)
		}
	}
}
