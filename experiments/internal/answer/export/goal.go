package export

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
)

// GOALResult is a scenario exported for LogGOPSim; its JSON form is a contract
// (docs/formats/json.md).
type GOALResult struct {
	Makespan float64 `json:"makespan_s"` // of the run that was recorded
	Counts
	Parameters string           `json:"loggops,omitempty"` // in ns; "" if they are not whole numbers
	Warnings   []string         `json:"warnings"`
	Provenance input.Provenance `json:"provenance"`
}

// GOAL simulates a scenario on network loggops and writes what its processes do as a GOAL schedule.
func GOAL(ctx context.Context, s *scenario.Scenario, overrides []input.Override,
	w io.Writer) (r *GOALResult, err error) {
	if !s.Network.Kind.OfGOAL {
		return nil, input.Errorf("--goal: GOAL schedules are for the model LogGOPS, but the network is %s; expected --set network=loggops", s.Network.Kind.Name)
	}
	stop := input.Stopwatch("trace --goal", s.Inputs, overrides, s.Seed)
	sys, err := system.NewAt(ctx, s)
	if err != nil {
		return nil, err
	}
	ranks := len(sys.Speeds)
	texts := &spool{piece: max(smallest, min(largestBuf, spoolMemory/ranks)), ranks: make([]spooled, ranks)}
	defer func() {
		if closed := texts.close(); err == nil {
			err = closed
		}
	}()
	g := &goalWriter{Counts: Counts{Ranks: ranks}, system: sys, ranks: make([]goalRank, ranks), texts: texts}
	g.network, _ = s.Network.Base.(network.LogGOPS)
	x, err := record(ctx, s, sys, g)
	if err != nil {
		return nil, err
	}
	out := bufio.NewWriter(w) // keeps an error until Flush
	fmt.Fprintf(out, "num_ranks %d\n", len(g.ranks))
	for rank := range g.ranks {
		fmt.Fprintf(out, "\nrank %d {\n", rank)
		if err := texts.copy(out, rank); err != nil {
			return nil, err
		}
		out.WriteString("}\n")
	}
	if err := out.Flush(); err != nil {
		return nil, err
	}
	r = &GOALResult{Makespan: float64(x.Makespan), Counts: g.whole(), Warnings: append([]string{}, x.Warnings...)}
	var why string
	if r.Parameters, why = parameters(g.network); why != "" {
		r.Warnings = append(r.Warnings, why)
	}
	if g.other > 0 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("%d of %d messages have a connection of their own, such as "+
			"memory, or a link on a node or between devices, groups or levels, but GOAL has one L and one G; times "+
			"differ", g.other, g.sent))
	}
	if g.rounded > 0 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("%d of %d computations and delays are not a whole number of "+
			"nanoseconds and are rounded, by up to half a nanosecond each; times differ", g.rounded, g.timed))
	}
	if g.pieces > 0 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("streams are ranks from %d on, with cores and interfaces of "+
			"their own, because dependencies between cores carry no time in GOAL; messages start and end their %s, "+
			"each of which ends up to 2 (L + 2 o) later", ranks, input.Plural(int(g.pieces), "piece")))
	}
	if g.broken > 0 {
		r.Warnings = append(r.Warnings, "sizes of messages that are not whole bytes are rounded up; times differ")
	}
	r.Provenance.Simulations, r.Provenance.Events = 1, x.Events
	stop(&r.Provenance)
	return r, nil
}

// parameters returns the parameters in the form of LogGOPSim, or why it cannot take them.
func parameters(l network.LogGOPS) (text, why string) {
	var fields []string
	for _, p := range []struct {
		symbol string
		value  units.Seconds
	}{{"L", l.Latency}, {"o", l.Overhead}, {"g", l.Gap}, {"G", l.GapPerByte}, {"O", l.OverheadPerByte}} {
		ns, whole := nanoseconds(p.value)
		if !whole || ns > math.MaxInt32 {
			return "", fmt.Sprintf("%s is %v, but LogGOPSim takes whole nanoseconds up to %d; expected, say, --set "+
				"network.%s='%g ns'", p.symbol, p.value, math.MaxInt32, p.symbol, max(1, min(math.MaxInt32, ns)))
		}
		fields = append(fields, fmt.Sprintf("%s=%.0f", p.symbol, ns))
	}
	fields = append(fields, fmt.Sprintf("S=%.0f", min(math.MaxUint32, math.Floor(float64(l.Synchronous)))))
	return strings.Join(fields, ","), ""
}

// nanoseconds returns the nearest whole number of nanoseconds, and whether the time is equal
// to it but for rounding.
func nanoseconds(t units.Seconds) (ns float64, whole bool) {
	x := float64(t) * 1e9
	ns = math.Round(x)
	return ns, math.Abs(x-ns) <= 1e-9*max(1, math.Abs(x)*1e-3)
}

// goalWriter writes what processes do as operations of GOAL. What follows waits for the end of a blocking operation;
// of a non-blocking one it waits for the start, and for the end only after its Wait.
//
// A stream is a rank of its own, with the number that the engine gives it. On another core of its process's host, its
// operations would run in the past, because a dependency between cores orders operations but carries no time.
// The process sends the stream a byte when it gives it a piece, and gets a byte back at the end of the piece.
type goalWriter struct {
	Counts
	system         *system.System
	network        network.LogGOPS
	ranks          []goalRank
	texts          *spool
	timed, rounded int64 // computations, and those whose time was rounded
	broken         int64 // sends and receives whose size is not a whole number of bytes
	pieces         int64 // of streams
	sent, other    int64 // messages, and those whose cost differs from what LogGOPSim computes
	line           []byte
}

// goalRank is the state of a rank.
type goalRank struct {
	operations int
	next       []dependency // what the next operation waits for
	requests   []goalRequest
	late       float64 // time that rounding has left out so far, ns
	begun      bool    // of a stream: it has begun its piece
}

// dependency is an operation (counted from 1) to wait for: for its start, or for its end.
type dependency struct {
	operation int
	start     bool
}

// goalRequest is an open request.
type goalRequest struct {
	name      int32
	operation int
}

func (g *goalWriter) Op(rank int, op *workloads.Op, _ uint64) error {
	g.add(op)
	if first := rank - rank%g.Ranks; first > 0 {
		if err := g.beginPiece(rank); err != nil {
			return err
		}
		op.Peer += int32(first)
	}
	r := &g.ranks[rank]
	switch op.Kind {
	case workloads.Begin:
		return g.give(rank, op)
	case workloads.Compute:
		return g.calc(rank, g.system.Process(rank%g.Ranks).Time(op.Work, op.Size))
	case workloads.Delay:
		return g.calc(rank, op.Time)
	case workloads.Send, workloads.Recv:
		return g.message(rank, op, false)
	case workloads.Isend, workloads.Irecv:
		if err := g.message(rank, op, true); err != nil {
			return err
		}
		r.requests = append(r.requests, goalRequest{op.Request, r.operations})
	case workloads.Wait:
		r.wait(func(name int32) bool { return name == op.Request })
	case workloads.Waitall:
		r.wait(func(name int32) bool { return name >= op.Request })
	case workloads.Test: // takes no time
	case workloads.Measured:
		return refuseMeasured(rank, op)
	default:
		return refuse(rank, "GOAL has no operation for %v", op.Kind)
	}
	return nil
}

func (g *goalWriter) End(int) {}

// give gives a piece to a stream: the request is the receive of the byte that the stream sends at the end.
func (g *goalWriter) give(rank int, op *workloads.Op) error {
	g.pieces++
	stream := op.Peer*int32(g.Ranks) + int32(rank)
	if err := g.message(rank, &workloads.Op{Kind: workloads.Send, Peer: stream, Size: 1}, false); err != nil {
		return err
	}
	if err := g.message(rank, &workloads.Op{Kind: workloads.Irecv, Peer: stream, Size: 1}, true); err != nil {
		return err
	}
	r := &g.ranks[rank]
	r.requests = append(r.requests, goalRequest{op.Request, r.operations})
	return nil
}

// beginPiece lets a stream wait for its process to give it a piece.
func (g *goalWriter) beginPiece(stream int) error {
	if more := stream + 1 - len(g.ranks); more > 0 {
		more += g.Ranks - 1 - stream%g.Ranks // also the same stream of the ranks behind
		g.ranks = append(g.ranks, make([]goalRank, more)...)
		g.texts.ranks = append(g.texts.ranks, make([]spooled, more)...)
	}
	r := &g.ranks[stream]
	if r.begun {
		return nil
	}
	r.begun = true
	return g.message(stream, &workloads.Op{Kind: workloads.Recv, Peer: int32(stream % g.Ranks), Size: 1}, false)
}

func (g *goalWriter) EndPiece(stream int) error {
	if err := g.beginPiece(stream); err != nil {
		return err
	}
	g.ranks[stream].begun = false
	return g.message(stream, &workloads.Op{Kind: workloads.Send, Peer: int32(stream % g.Ranks), Size: 1}, false)
}

// wait makes the next operation wait for requests.
func (r *goalRank) wait(awaited func(name int32) bool) {
	left := r.requests[:0]
	for _, q := range r.requests {
		if awaited(q.name) {
			r.next = append(r.next, dependency{q.operation, false})
		} else {
			left = append(left, q)
		}
	}
	r.requests = left
}

// calc writes a computation. The next one makes up what rounding leaves out.
func (g *goalWriter) calc(rank int, t units.Seconds) error {
	if t == 0 {
		return nil
	}
	r := &g.ranks[rank]
	g.timed++
	ns, whole := nanoseconds(t)
	if !whole {
		g.rounded++
		exact := float64(float64(t)*1e9) + r.late
		ns = math.Round(exact)
		r.late = exact - ns
	}
	if ns > math.MaxInt64/2 {
		return refuse(rank, "a computation of %v; GOAL counts nanoseconds in 63 bits", t)
	}
	g.line = fmt.Appendf(g.line[:0], "l%d: calc %.0f\n", r.operations+1, ns)
	return g.emit(rank, false)
}

// message writes a send or a receive; started says that what follows does not wait for its end.
func (g *goalWriter) message(rank int, op *workloads.Op, started bool) error {
	size := units.Bytes(math.Ceil(float64(op.Size)))
	if size != op.Size {
		g.broken++
	}
	if from, to := int32(rank%g.Ranks), op.Peer%int32(g.Ranks); (op.Kind == workloads.Send || op.Kind == workloads.Isend) &&
		(from != to || op.Peer == int32(rank)) { // not between a process and its stream
		g.sent++
		if g.system.Transport.Network.Message(from, to, size) != g.network.Message(from, to, size) {
			g.other++
		}
	}
	if size == 0 && g.network.Synchronous >= 1 {
		size = 1 // the cost is the same, and LogGOPSim takes 0 bytes for 2^64
	}
	word, preposition := "send", "to"
	if op.Kind == workloads.Recv || op.Kind == workloads.Irecv {
		word, preposition = "recv", "from"
	}
	g.line = fmt.Appendf(g.line[:0], "l%d: %s %.0fb %s %d tag %d\n", g.ranks[rank].operations+1, word, float64(size),
		preposition, op.Peer, op.Tag)
	return g.emit(rank, started)
}

// emit adds the operation in g.line and its dependencies.
func (g *goalWriter) emit(rank int, started bool) error {
	r := &g.ranks[rank]
	r.operations++
	for _, d := range r.next {
		word := "requires"
		if d.start {
			word = "irequires"
		}
		g.line = fmt.Appendf(g.line, "l%d %s l%d\n", r.operations, word, d.operation)
	}
	r.next = append(r.next[:0], dependency{r.operations, started})
	return g.texts.add(rank, g.line)
}

// spool collects a text for each rank, a part of it in memory and the rest in a temporary file.
type spool struct {
	piece int // bytes of a rank that are kept in memory
	ranks []spooled
	file  *os.File // nil: nothing was written yet
	size  int64
}

// spooled is the text of a rank: extents of the file, and the part that is not in the file yet.
type spooled struct {
	extents []extent
	text    []byte
}

type extent struct {
	at   int64
	size int
}

// The memory for all ranks, and the least and the most of it for one rank.
const (
	spoolMemory          = 64 << 20
	smallest, largestBuf = 1 << 10, 1 << 20
)

func (s *spool) add(rank int, text []byte) error {
	r := &s.ranks[rank]
	if len(r.text) > 0 && len(r.text)+len(text) > s.piece {
		if err := s.flush(r); err != nil {
			return err
		}
	}
	r.text = append(r.text, text...)
	return nil
}

// flush moves the text of a rank to the file.
func (s *spool) flush(r *spooled) error {
	if s.file == nil {
		f, err := os.CreateTemp("", "isoscale-*.goal")
		if err != nil {
			return err
		}
		s.file = f
	}
	if _, err := s.file.WriteAt(r.text, s.size); err != nil {
		return err
	}
	r.extents = append(r.extents, extent{s.size, len(r.text)})
	s.size += int64(len(r.text))
	r.text = r.text[:0]
	return nil
}

func (s *spool) copy(w io.Writer, rank int) error {
	r := &s.ranks[rank]
	for _, e := range r.extents {
		if _, err := io.Copy(w, io.NewSectionReader(s.file, e.at, int64(e.size))); err != nil {
			return err
		}
	}
	_, err := w.Write(r.text)
	return err
}

func (s *spool) close() error {
	if s.file == nil {
		return nil
	}
	return errors.Join(s.file.Close(), os.Remove(s.file.Name()))
}
