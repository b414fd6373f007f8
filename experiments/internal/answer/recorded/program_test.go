package recorded

import (
	"io"
	"math"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/workloads"
)

// written is a trace given by a test: the steps of each rank.
type written struct {
	steps    [][]Step
	groups   [][]int32
	measured Measured
	closed   bool
}

func (w *written) Ranks() int          { return len(w.steps) }
func (w *written) Groups() [][]int32   { return w.groups }
func (w *written) Measured() *Measured { return &w.measured }
func (w *written) Close() error        { w.closed = true; return nil }

func (w *written) Next(rank int, s *Step) error {
	if len(w.steps[rank]) == 0 {
		return io.EOF
	}
	*s, w.steps[rank] = w.steps[rank][0], w.steps[rank][1:]
	return nil
}

// Rank 0 computes 2 s and sends 1 MB; rank 1 posts the receive before it computes 1 s; then both enter a barrier. By
// rendezvous, with 10 ms and 1 GB/s between nodes, a request, a clearance and the data take 3 x 10 + 1 ms. The barrier,
// a message of 0 bytes each, takes 10 ms more.
func example() *written {
	return &written{
		groups: [][]int32{{0, 1}},
		steps: [][]Step{{
			{Kind: Compute, Time: 2},
			{Kind: Send, Peer: 1, Tag: -7, Size: 1e6, Message: 40},
			{Kind: Wait, Message: 40},
			{Kind: Collective, Operation: workloads.Barrier},
		}, {
			{Kind: Receive, Peer: 0, Tag: -7, Message: 9},
			{Kind: Compute, Time: 1},
			{Kind: Wait, Message: 9},
			{Kind: Collective, Operation: workloads.Barrier},
		}},
		measured: Measured{Length: 4, Useful: []units.Seconds{2, 1}, Messages: 1, Bytes: 1e6},
	}
}

func TestStepsTakeTheirTime(t *testing.T) {
	for rate, computing := range map[units.FlopsPerSecond]float64{1e9: 2, 4e9: 0.5} { // recorded at 1 Gflop/s
		w := example()
		p := NewProgram(w, 1e9)
		r, err := sim.Run(t.Context(), sim.Config{Program: p, Rates: []units.FlopsPerSecond{rate, rate},
			Network: network.Hockney{Latency: 0.01, Bandwidth: 1e9}})
		expect.Success(t, err)
		expect.Success(t, p.Disagreement(func(int32) bool { return true }))
		expect.Success(t, p.Close())
		expect.That(t, w.closed, "the trace is open")
		expect.Close(t, float64(r.Makespan), computing+3*0.01+0.001+0.01, 1e-12, "time at %v", rate)
	}
}

// The ranks compute 2 and 1 s of 4 s, a load balance of three quarters. On a network free of cost the run takes the 2 s
// that rank 0 computes, half of what was measured.
func TestFactorsByHand(t *testing.T) {
	f, ideal, err := Factors(t.Context(), example())
	expect.Success(t, err)
	expect.Equal(t, ideal, 2, "ideal time")
	expect.Close(t, f.LoadBalance, 0.75, 1e-12, "load balance")
	expect.Close(t, f.Serialisation, 1, 1e-12, "serialisation")
	expect.Close(t, f.Transfer, 0.5, 1e-12, "transfer")
	idle := &written{steps: [][]Step{nil, nil}, measured: Measured{Length: 1, Useful: []units.Seconds{0, 0}}}
	_, _, err = Factors(t.Context(), idle)
	expect.That(t, err == ErrIdle, "error %v, want that no rank computes", err)
}

func TestFaultsOfTraces(t *testing.T) {
	for _, tt := range []struct {
		says  string
		steps []Step // of rank 0 of two
	}{
		{"rank 0: a wait for a request that is not open", []Step{{Kind: Wait, Message: 3}}},
		{"rank 0: a message to or from rank 2 of 2", []Step{{Kind: Send, Peer: 2}}},
		{"rank 0: a message to or from rank -1 of 2", []Step{{Kind: Receive, Peer: -1}}},
		{"rank 0: a second request 5 before the first has ended", []Step{{Kind: Send, Peer: 1, Message: 5}, {Kind: Receive, Peer: 1, Message: 5}}},
		{"rank 0: a collective call of communicator 2 of 2", []Step{{Kind: Collective, Group: 2}}},
		{"rank 0: a collective call of a communicator that the rank does not belong to", []Step{{Kind: Collective, Group: 1, Operation: workloads.Barrier}}},
		{"root 2 of 2 ranks", []Step{{Kind: Collective, Operation: workloads.Bcast, Root: 2}}},
	} {
		p := NewProgram(&written{groups: [][]int32{{0, 1}, {1}}, steps: [][]Step{tt.steps, nil}}, 1)
		_, err := sim.Run(t.Context(), sim.Config{Program: p, Network: network.Ideal{}, Rates: []units.FlopsPerSecond{1, 1}})
		expect.That(t, err != nil, "%s: no error", tt.says)
		expect.Failure(t, p.Close(), tt.says)
	}
	p := NewProgram(&written{groups: [][]int32{{0, 1}}, steps: [][]Step{
		{{Kind: Collective, Operation: workloads.Barrier}}, {{Kind: Collective, Operation: workloads.Allreduce, Size: 8}}}}, 1)
	_, _ = sim.Run(t.Context(), sim.Config{Program: p, Network: network.Ideal{}, Rates: []units.FlopsPerSecond{1, 1}})
	expect.Failure(t, p.Disagreement(func(int32) bool { return true }), "barrier")
	expect.Equal(t, (&FormatError{"a.prv", 12, "no number"}).Error(), "a.prv: byte 12: no number", "text")
}

// The size of a block, from the bytes that each of four ranks sends and receives.
func TestBlocksOfCalls(t *testing.T) {
	for _, tt := range []struct {
		op                   workloads.Collective
		sent, received, want units.Bytes
	}{
		{workloads.Barrier, 3, 3, 0},
		{workloads.Bcast, 80, 0, 80}, // the root
		{workloads.Bcast, 0, 80, 80},
		{workloads.Scatter, 320, 80, 80},
		{workloads.Gather, 80, 320, 80},
		{workloads.Allgather, 80, 320, 80},
		{workloads.Alltoall, 320, 320, 80},
		{workloads.ReduceScatter, 320, 80, 80},
		{workloads.Allreduce, 80, 80, 80},
		{workloads.Reduce, 0, 80, 80},
	} {
		got := Block(tt.op, 4, tt.sent, tt.received)
		expect.That(t, math.Abs(float64(got-tt.want)) == 0, "%v of %v and %v: a block of %v, want %v", tt.op, tt.sent, tt.received, got, tt.want)
	}
}
