package sim_test

import (
	"context"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/sharing/flow"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/sim/observe"
	"github.com/isoscale/isoscale/workloads"
)

// beside is a script of ranks and of their streams: those of stream k of rank r are at
// k ranks + r, and an operation of kind 0 ends a piece.
type beside struct {
	*scripted
	ranks int
}

func (b beside) Ranks() int   { return b.ranks }
func (b beside) Streams() int { return len(b.script)/b.ranks - 1 }

func (b beside) Next(number int, op *workloads.Op) bool {
	return b.scripted.Next(number, op) && op.Kind != 0
}

func piece(stream, request int32) workloads.Op {
	return workloads.Op{Kind: workloads.Begin, Peer: stream, Request: request}
}

func runBeside(n sim.Network, o sim.Observer, ranks int, s script) (*sim.Result, error) {
	p := beside{s.program().(*scripted), ranks}
	return sim.Run(context.Background(), sim.Config{Program: p, Network: n, Rates: ones(ranks), Ranks: true, Observer: o})
}

var over workloads.Op

// Times by hand: latency 1 s, 1 byte/s, 1 flop/s.
func TestStreams(t *testing.T) {
	for name, tt := range map[string]struct {
		ranks int
		s     script
		want  units.Seconds
	}{
		"a piece beside a computation":         {1, script{{piece(1, 0), compute(5), wait(0)}, {delay(3), over}}, 5},
		"a longer one":                         {1, script{{piece(1, 0), compute(5), wait(0), compute(1)}, {delay(7), over}}, 8},
		"pieces follow each other":             {1, script{{piece(1, 0), piece(1, 1), compute(1), waitall()}, {delay(2), over, delay(3), over}}, 5},
		"streams do not":                       {1, script{{piece(1, 0), piece(2, 1), waitall()}, {delay(2), over}, {delay(3), over}}, 3},
		"what nobody waits for ends too":       {1, script{{piece(1, 0)}, {compute(2), over}}, 2},
		"an empty piece":                       {1, script{{compute(1), piece(1, 0), wait(0)}, {over}}, 1},
		"a test of one that is over":           {1, script{{piece(1, 0), compute(3), {Kind: workloads.Test, Request: 0}, wait(0)}, {delay(2), over}}, 3},
		"computations follow each other":       {1, script{{piece(1, 0), piece(2, 1), compute(5), waitall()}, {compute(3), over}, {delay(1), compute(2), over}}, 5 + 3 + 2},
		"in the order in which they are ready": {1, script{{delay(1), piece(1, 0), delay(1), compute(5), wait(0)}, {compute(3), over}}, 1 + 3 + 5},
		"a message to the stream of the other": {2, script{{piece(1, 0), compute(1), send(1, 4, 0), wait(0)}, {piece(1, 0), recv(0, 0), wait(0)}, {send(1, 4, 0), over}, {recv(0, 0), over}}, 4 + 4 + 1},
		"and one that comes before its piece":  {2, script{{piece(1, 0), wait(0)}, {compute(20), piece(1, 0), wait(0)}, {send(1, 4, 0), over}, {recv(0, 0), compute(1), over}}, 21},
		"collective calls of streams and ranks": {2, script{{piece(1, 0), measured(workloads.Barrier, 0, 4), wait(0)}, {compute(1), piece(1, 0), measured(workloads.Barrier, 0, 4), wait(0)},
			{measured(workloads.Barrier, 0, 9), over}, {measured(workloads.Barrier, 0, 9), over}}, 10},
	} {
		r, err := runBeside(hockney, nil, tt.ranks, tt.s)
		expect.That(t, err == nil && r.Makespan == tt.want && len(r.Ranks) == tt.ranks, "%s: %v, %v; want %v", name, r, err, tt.want)
	}
}

// A critical path goes through streams, under the number of their rank; observers that know
// ranks only see the messages of a rank and its streams as one.
func TestObserversOfStreams(t *testing.T) {
	s := script{{compute(2), piece(1, 0), compute(1), wait(0)}, {piece(1, 0), wait(0)}, {send(1, 4, 7), over}, {recv(0, 7), compute(3), over}}
	for _, n := range []sim.Network{hockney, network.LogGOPS{Latency: 1, GapPerByte: 1, Synchronous: 1e9}} {
		path, matrix := observe.NewCriticalPath(2, n), &observe.Matrix{}
		r := expect.Value(runBeside(n, observe.Tee(path, matrix), 2, s))(t)
		p := path.Path()
		expect.List(t, matrix.Traffic(), []observe.Traffic{{From: 0, To: 1, Messages: 1, Bytes: 4}}, "messages")
		expect.That(t, p.Makespan == r.Makespan && p.Messages == 1 && p.Segments[0].Kind == "compute" && p.Segments[0].Rank == 0 && p.Segments[0].Until == 2,
			"%+v", p)
		last := p.Segments[len(p.Segments)-1]
		expect.That(t, last.Kind == "compute" && last.Rank == 1 && last.Length() == 3, "%+v", last)
	}
}

// Operations that a program must not request, and waits that never end.
func TestStreamMisuse(t *testing.T) {
	for want, tt := range map[string]struct {
		ranks int
		s     script
	}{
		"rank 0 at 0 s: begin: stream 2; expected one of a rank, from 1 to 1":                       {1, script{{piece(2, 0)}, {over}}},
		"rank 0 at 1 s: compute: takes -1 s; expected a finite time of at least 0 that ends before": {1, script{{piece(1, 0)}, {compute(1), compute(-1)}}},
		"rank 1: recv, peer 0, tag 3, since 0 s (rank 0 has begun nothing there, on stream 1)":      {2, script{{}, {piece(1, 0), wait(0)}, {}, {recv(0, 3), over}}},
	} {
		_, err := runBeside(hockney, nil, tt.ranks, tt.s)
		expect.Failure(t, err, want)
	}
}

// A body beside the rank takes its own time: 2 ranks exchange 4 bytes in 1 + 4 s and combine
// them in 4 s, while a rank computes for 10 s or for 3 s.
func TestBeside(t *testing.T) {
	run := func(n sim.Network, streams int, body func(r *sim.Rank)) (*sim.Result, error) {
		p := sim.NewProgram(2, body)
		p.SetStreams(streams)
		return sim.Run(context.Background(), sim.Config{Program: p, Network: n, Rates: ones(2), Ranks: true})
	}
	allreduce := func(r *sim.Rank) { r.Allreduce(4, 1) }
	for work, want := range map[units.Flops]units.Seconds{10: 11, 3: 10} {
		for _, among := range []bool{false, true} {
			res, err := run(hockney, 1, func(r *sim.Rank) {
				member, free := r, units.Seconds(0)
				if among {
					member = r.Among(0)
					free = r.Now()
				}
				q := member.Beside(1, allreduce)
				r.Compute(work)
				expect.That(t, r.Now() == free+units.Seconds(work), "computes until %v", r.Now())
				expect.Equal(t, r.Wait(q), sim.Status{}, "status")
				r.Compute(1)
				expect.That(t, r.Now() == free+want, "ends at %v, want %v", r.Now(), free+want)
			})
			expect.That(t, err == nil && res.Work == 2*(work+1+4), "%+v, %v", res, err)
		}
	}
	res, err := run(hockney, 2, func(r *sim.Rank) { // messages between streams, and of the ranks
		other := 1 - r.Rank()
		q := r.Beside(2, func(r *sim.Rank) {
			x := r.Sendrecv(other, 3, 4, sim.AnySource)
			expect.That(t, x.Source == other && x.Tag == 3 && r.Now() == 5, "%+v at %v", x, r.Now())
		})
		first := r.Beside(1, func(r *sim.Rank) { r.Compute(2) })
		r.Waitall(q, first)
	})
	expect.That(t, err == nil && res.Makespan == 5 && res.Messages == 2, "%+v, %v", res, err)

	for want, body := range map[string]func(r *sim.Rank){
		"beside: stream 2; expected one of the 1 that each rank has, from 1":                func(r *sim.Rank) { r.Beside(2, allreduce) },
		"beside: called on a stream; expected a call by the rank itself":                    func(r *sim.Rank) { r.Beside(1, func(r *sim.Rank) { r.Beside(1, allreduce) }) },
		"split: called on a stream; expected a call by the rank itself":                     func(r *sim.Rank) { r.Beside(1, func(r *sim.Rank) { r.Among(0) }) },
		"rank 0 at 0 s: no body; expected a function":                                       func(r *sim.Rank) { r.Beside(1, nil) },
		"rank 1 ends after 0, call 1 of rank 0 is bcast of 4 B with root 0 (stream_test.go": func(r *sim.Rank) { r.Beside(1, func(r *sim.Rank) { besideOf(r, 0) }) },
		"call 1 of rank 1 is bcast of 4 B with root 1":                                      func(r *sim.Rank) { r.Beside(1, func(r *sim.Rank) { besideOf(r, r.Rank()) }) },
		"panic: a bug": func(r *sim.Rank) { r.Beside(1, func(r *sim.Rank) { panic("a bug") }) },
	} {
		_, err := run(hockney, 1, body)
		expect.Failure(t, err, want)
	}
}

// besideOf broadcasts from root: for root 0 only on rank 0, for root 1 on all ranks, for others not.
func besideOf(r *sim.Rank, root int) {
	switch {
	case root == 0 && r.Rank() == 0, root == 1:
		r.Bcast(root, 4)
	}
}

// On a fabric where computations wait for memory, those of a rank and its streams follow each
// other too: each moves 4 bytes at 1 byte/s. What a collective operation combines does not wait.
func TestStreamsComputeOnAFabric(t *testing.T) {
	inMemory := workloads.Op{Kind: workloads.Compute, Work: 1, Size: 4}
	combining := workloads.Op{Kind: workloads.Compute, Collective: workloads.Allreduce, Work: 7}
	s := script{{piece(1, 0), piece(2, 1), compute(2), inMemory, waitall()}, {inMemory, over}, {combining, over}}
	f := expect.Value(flow.New(star{cores: 1, memory: 1}.machine(1), flow.Plain()))(t)
	p := beside{s.program().(*scripted), 1}
	r, err := sim.Run(context.Background(), sim.Config{Program: p, Fabric: f, Protocol: eagerAlways, Ranks: true})
	expect.That(t, err == nil && r.Makespan == 2+4+4, "%+v, %v", r, err)
}
