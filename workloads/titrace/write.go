package titrace

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/isoscale/isoscale/workloads"
)

// Write writes a program as a merged trace, rank by rank: init, one action for
// each operation with sizes in bytes, finalize. It asks the program for all
// operations and closes it if it is an [io.Closer].
//
// Collective operations are written as their messages, because a program has nothing
// else. So a trace that was read and written has different actions but the same
// messages; writing it again gives the same bytes. Tags from workloads.CollectiveTag
// upwards, which a trace cannot have, become tags from there downwards; a receive with
// any tag would take these messages too.
//
// Write refuses operations that a trace has no action for: Measured ones, and a Wait or
// Test for a request with the same peer and tag as an earlier one that is still open,
// because the trace would mean the earlier one. The memory traffic of computations is
// not written.
func Write(w io.Writer, p workloads.Program) (err error) {
	if c, ok := p.(io.Closer); ok {
		defer func() {
			// The reason why a program gave up says more than the place.
			if why := c.Close(); why != nil {
				err = why
			}
		}()
	}
	out := NewWriter(w, p.Ranks())
	for rank := range p.Ranks() {
		out.Begin(rank)
		var op workloads.Op
		for p.Next(rank, &op) {
			if err := out.Op(rank, &op); err != nil {
				return err
			}
			op = workloads.Op{}
		}
		out.End(rank)
	}
	return out.Flush()
}

// Writer writes a merged trace operation by operation, by the rules of [Write]. The
// ranks may take turns. It keeps the open requests of each rank.
type Writer struct {
	out   *bufio.Writer
	ranks []writer
}

// written is an open request of the trace being written.
type written struct {
	name int32
	key  key
}

// writer writes the actions of one rank.
type writer struct {
	out  *bufio.Writer
	rank int32
	open []written // in the order in which they were started
}

// NewWriter returns a writer of a trace of that many ranks.
func NewWriter(w io.Writer, ranks int) *Writer {
	t := &Writer{out: bufio.NewWriter(w), ranks: make([]writer, ranks)}
	for rank := range t.ranks {
		t.ranks[rank] = writer{out: t.out, rank: int32(rank)}
	}
	return t
}

// Begin writes the first action of a rank.
func (t *Writer) Begin(rank int) { t.ranks[rank].action("init") }

// Op writes the next operation of a rank, or returns why a trace cannot have it.
func (t *Writer) Op(rank int, op *workloads.Op) error {
	if err := t.ranks[rank].op(op); err != nil {
		return fmt.Errorf("titrace: rank %d: %w", rank, err)
	}
	return nil
}

// End writes the last action of a rank.
func (t *Writer) End(rank int) { t.ranks[rank].action("finalize") }

// Flush writes what is left and returns the first error of all writes.
func (t *Writer) Flush() error { return t.out.Flush() }

func (w *writer) op(op *workloads.Op) error {
	switch op.Kind {
	case workloads.Compute:
		w.action("compute", float64(op.Work))
	case workloads.Delay:
		w.action("sleep", float64(op.Time))
	case workloads.Send:
		w.message("send", op.Peer, op)
	case workloads.Recv:
		w.message("recv", op.Peer, op)
	case workloads.Isend:
		w.message("isend", op.Peer, op)
		w.open = append(w.open, written{op.Request, key{w.rank, op.Peer, op.Tag}})
	case workloads.Irecv:
		w.message("irecv", op.Peer, op)
		w.open = append(w.open, written{op.Request, key{op.Peer, w.rank, op.Tag}})
	case workloads.Sendrecv:
		// sendRecv has no tag, so it cannot express all Sendrecvs. The names are larger
		// than any that a program may use.
		const sent, received = math.MaxInt32 - 1, math.MaxInt32
		w.message("isend", op.Peer, op)
		w.message("irecv", op.From, op)
		w.open = append(w.open, written{sent, key{w.rank, op.Peer, op.Tag}},
			written{received, key{op.From, w.rank, op.Tag}})
		if err := w.wait(sent); err != nil {
			return err
		}
		return w.wait(received)
	case workloads.Wait:
		return w.wait(op.Request)
	case workloads.Test:
		i, err := w.find(op.Request)
		if err != nil {
			return err
		}
		w.request("test", w.open[i].key)
	case workloads.Waitall:
		return w.waitall(op.Request)
	case 0:
		return errors.New("the program gave up")
	default:
		return fmt.Errorf("there is no action for %v", op.Kind)
	}
	return nil
}

func (w *writer) wait(name int32) error {
	i, err := w.find(name)
	if err != nil {
		return err
	}
	w.request("wait", w.open[i].key)
	w.open = slices.Delete(w.open, i, i+1)
	return nil
}

// waitall waits for all requests whose names are at least lowest.
func (w *writer) waitall(lowest int32) error {
	if !slices.ContainsFunc(w.open, func(r written) bool { return r.name < lowest }) {
		if len(w.open) > 0 {
			w.action("waitall")
		}
		w.open = w.open[:0]
		return nil
	}
	for {
		i := slices.IndexFunc(w.open, func(r written) bool { return r.name >= lowest })
		if i < 0 {
			return nil
		}
		if err := w.wait(w.open[i].name); err != nil {
			return err
		}
	}
}

// find returns the place of a request, if it is the first of its key.
func (w *writer) find(name int32) (int, error) {
	i := slices.IndexFunc(w.open, func(r written) bool { return r.name == name })
	if i < 0 {
		return 0, fmt.Errorf("request %d is not open", name)
	}
	k := w.open[i].key
	if slices.ContainsFunc(w.open[:i], func(r written) bool { return r.key == k }) {
		return 0, fmt.Errorf("request %d from rank %d to rank %d with tag %d has an older one of the same kind before it", name, k.src, k.dst, k.tag)
	}
	return i, nil
}

func (w *writer) message(name string, peer int32, op *workloads.Op) {
	w.action(name, writtenSource(peer), writtenTag(op.Tag), strconv.FormatFloat(float64(op.Size), 'f', -1, 64))
}

func (w *writer) request(name string, k key) {
	w.action(name, writtenSource(k.src), k.dst, writtenTag(k.tag))
}

func writtenSource(rank int32) int32 {
	if rank == workloads.AnySource {
		return anySource
	}
	return rank
}

func writtenTag(tag int32) int32 {
	switch {
	case tag == workloads.AnyTag:
		return anyTag
	case tag >= workloads.CollectiveTag:
		return workloads.CollectiveTag - 1 - (tag - workloads.CollectiveTag)
	}
	return tag
}

// action writes a line. Flush returns errors of the writer.
func (w *writer) action(name string, arguments ...any) {
	fmt.Fprintf(w.out, "%d %s", w.rank, name)
	for _, a := range arguments {
		fmt.Fprintf(w.out, " %v", a)
	}
	_ = w.out.WriteByte('\n')
}
