package export

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math"

	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/experiments/internal/scenario/build"
	"github.com/isoscale/isoscale/experiments/internal/scenario/cluster"
	"github.com/isoscale/isoscale/experiments/internal/simgrid/platformxml"
	"github.com/isoscale/isoscale/model/sharing/flow"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/titrace"
)

// TIResult is a scenario exported for SimGrid; its JSON form is a contract (docs/formats/json.md).
type TIResult struct {
	Makespan float64 `json:"makespan_s"` // of the run that was recorded
	Counts
	Settings []string `json:"cfg"` // of SimGrid, each as KEY:VALUE
	// With native: how the calls of collective operations were written.
	Collectives *Collectives     `json:"collectives,omitempty"`
	Warnings    []string         `json:"warnings"`
	Provenance  input.Provenance `json:"provenance"`

	machine flow.Machine
	system  *system.System
	network *wiring
}

// TI simulates a scenario on network flow and writes what its processes do to trace, as a
// merged time-independent trace. Collective operations are written as their messages or,
// with native, as SMPI's operations if these have the same messages.
func TI(ctx context.Context, s *scenario.Scenario, overrides []input.Override, native bool,
	trace io.Writer) (*TIResult, error) {
	if s.Network.Flow == nil {
		return nil, input.Errorf("--ti: SimGrid's messages share links, but network %s has none; expected network flow, as in --set network=flow", s.Network.Kind.Name)
	}
	if s.Network.Flow.Detours() {
		return nil, input.Errorf("--ti: network routing %s, which SimGrid does not have; expected %s", s.Network.Flow.Routing, build.Minimal)
	}
	stop := input.Stopwatch("trace --ti", s.Inputs, overrides, s.Seed)
	sys, err := system.NewAt(ctx, s)
	if err != nil {
		return nil, err
	}
	machine := sys.Transport.Machine(sys.Rates)
	w := newTIWriter(trace, s.Network.Flow, machine)
	var to sink = w
	var calls *nativeWriter
	if native {
		calls = &nativeWriter{out: w, ranks: make([]nativeRank, w.Ranks)}
		to = calls
	}
	x, err := record(ctx, s, sys, to)
	if err != nil {
		return nil, err
	}
	if calls != nil {
		if err := calls.Close(); err != nil {
			return nil, err
		}
	}
	if err := w.out.Flush(); err != nil {
		return nil, err
	}
	r := &TIResult{Makespan: float64(x.Makespan), Counts: w.whole(), Warnings: append([]string{}, x.Warnings...),
		machine: machine, system: sys}
	r.network, err = newWiring(sys.Transport.Platform, s.Network.Flow.Parameters, w.pairs)
	if err != nil {
		return nil, err
	}
	settings := settings{Flow: s.Network.Flow, weightS: r.network.weightS, sizes: w.sizes, tests: w.tests}
	if r.Settings, err = settings.list(); err != nil {
		return nil, err
	}
	if calls != nil {
		r.Settings = append(r.Settings, calls.found.Settings()...)
		r.Collectives = &calls.Collectives
	}
	r.Provenance.Simulations, r.Provenance.Events = 1, x.Events
	stop(&r.Provenance)
	return r, nil
}

func (r *TIResult) WriteHostfile(w io.Writer) error {
	out := bufio.NewWriter(w) // keeps an error until Flush
	for _, h := range r.machine.Place {
		fmt.Fprintln(out, r.system.Transport.Platform.Hosts[h].Name)
	}
	return out.Flush()
}

func (r *TIResult) WritePlatform(w io.Writer) error {
	p := platformxml.Platform{Name: r.system.Transport.Platform.Name, Links: r.network.links, Routes: r.network.routes}
	for i, h := range r.machine.Hosts {
		host := r.system.Transport.Platform.Hosts[i]
		host.Cores, host.Speed = h.Cores, h.Speed
		p.Hosts = append(p.Hosts, host)
	}
	return platformxml.Write(w, p)
}

// pair is two hosts between which messages flow in this direction.
type pair struct{ from, to int32 }

// tiWriter writes what processes do as actions.
type tiWriter struct {
	Counts
	out      *titrace.Writer
	network  *cluster.Flow
	machine  flow.Machine
	on       []int // number of processes, by host
	begun    []bool
	pairs    map[pair]bool
	sizes    payloads
	tests    bool
	overhead bool // sends or receives take time on a core
}

func newTIWriter(w io.Writer, n *cluster.Flow, m flow.Machine) *tiWriter {
	t := &tiWriter{
		Counts: Counts{Ranks: len(m.Place)}, out: titrace.NewWriter(w, len(m.Place)), network: n, machine: m,
		on: make([]int, len(m.Hosts)), begun: make([]bool, len(m.Place)), pairs: map[pair]bool{}, sizes: newPayloads(),
		overhead: n.Protocol.SendOverhead(0, true) > 0 || n.Protocol.RecvOverhead(0) > 0,
	}
	for _, h := range m.Place {
		t.on[h]++
	}
	return t
}

// mostBytes is the size of the largest message: SimGrid counts elements (here bytes) in 31
// bits, and compares sizes with thresholds of 31 bits.
const mostBytes = math.MaxInt32 - 1

func (t *tiWriter) Op(rank int, op *workloads.Op, _ uint64) error {
	t.begin(rank)
	t.add(op)
	switch op.Kind {
	case workloads.Compute:
		if err := t.compute(rank, op); err != nil || op.Work == 0 {
			return err
		}
	case workloads.Send, workloads.Isend:
		if err := t.message(rank, op); err != nil {
			return err
		}
		op.Size = t.sizes.of(op.Size)
	case workloads.Recv, workloads.Irecv:
		op.Size = t.sizes.of(op.Size)
	case workloads.Measured:
		return refuseMeasured(rank, op)
	case workloads.Test:
		t.tests = true
	}
	if err := t.out.Op(rank, op); err != nil {
		return input.Errorf("%v; a time-independent trace cannot hold that", err)
	}
	return nil
}

// compute replaces a computation that waits for memory by one that takes the same time
// without memory. That time is known only if no other process uses the memory.
func (t *tiWriter) compute(rank int, op *workloads.Op) error {
	id := t.machine.Place[rank]
	h := t.machine.Hosts[id]
	if op.Size == 0 || h.Memory < 0 {
		return nil
	}
	if t.on[id] > 1 {
		return refuse(rank, "its computations share the memory bandwidth of the node with %d more, which SimGrid does not model; expected one process on each node, node types without memory_bandwidth, or a workload without memory traffic, such as a built-in one with --set workload.bytes_per_flop=0",
			t.on[id]-1)
	}
	memory := t.machine.Links[h.Memory].Bandwidth
	op.Work = max(op.Work, units.Flops(float64(op.Size)/float64(memory)*float64(h.Speed)))
	return nil
}

// message notes what SimGrid must know about a message.
func (t *tiWriter) message(rank int, op *workloads.Op) error {
	payload, protocol := t.sizes.of(op.Size), &t.network.Protocol
	switch {
	case payload > mostBytes:
		return refuse(rank, "a message of %v; SimGrid takes at most %v", op.Size, units.Bytes(mostBytes))
	case t.overhead && !protocol.Detached(op.Size):
		return refuse(rank, "a message of %v is larger than eager_limit, and SimGrid has no overheads for such messages; expected no eager_limit, or send_overhead and recv_overhead of 0 s", op.Size)
	case protocol.Detached(op.Size) != protocol.Detached(payload):
		return refuse(rank, "a message of %g B becomes one of %g B, which is beyond eager_limit; expected another eager_limit", float64(op.Size), float64(payload))
	}
	t.pairs[pair{t.machine.Place[rank], t.machine.Place[op.Peer]}] = true
	return nil
}

// begin writes the first action of a rank.
func (t *tiWriter) begin(rank int) {
	if !t.begun[rank] {
		t.begun[rank] = true
		t.out.Begin(rank)
	}
}

// End writes the last action of a rank.
func (t *tiWriter) End(rank int) {
	t.begin(rank)
	t.out.End(rank)
}

// payloads are the sizes of messages in a program and in its trace. A trace has whole
// bytes, so each size in the program gets the next whole number that is not taken.
type payloads struct {
	size    map[units.Bytes]units.Bytes // size in the program, by size in the trace
	payload map[units.Bytes]units.Bytes // size in the trace, by size in the program
	exact   bool                        // all sizes are the same in both
}

func newPayloads() payloads {
	return payloads{map[units.Bytes]units.Bytes{}, map[units.Bytes]units.Bytes{}, true}
}

// of returns the size in the trace of a size in the program.
func (p *payloads) of(size units.Bytes) units.Bytes {
	q, known := p.payload[size]
	if known {
		return q
	}
	q = units.Bytes(math.Ceil(float64(size)))
	for _, taken := p.size[q]; taken; _, taken = p.size[q] {
		q++
	}
	p.size[q], p.payload[size] = size, q
	p.exact = p.exact && q == size
	return q
}
