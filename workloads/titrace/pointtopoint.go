package titrace

import (
	"fmt"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
)

// reader reads the arguments of one action of one rank.
type reader struct {
	p    *Program
	rank *rank
	me   int32
	*fields
}

// peer reads a rank, or the value that stands for nobody or, if any is set, for
// anybody.
func (a *reader) peer(what string, any bool) int32 {
	n, ok := a.integer(nobody, int64(len(a.p.ranks)-1))
	switch {
	case ok && (n >= 0 || n == nobody):
		return n
	case ok && n == anySource && any:
		return workloads.AnySource
	}
	a.bad(what, a.expectedPeer(any))
	return 0
}

func (a *reader) expectedPeer(any bool) string {
	s := fmt.Sprintf("a rank from 0 to %d", len(a.p.ranks)-1)
	if any {
		return fmt.Sprintf("%s, %d for any or %d for none", s, anySource, nobody)
	}
	return fmt.Sprintf("%s or %d for none", s, nobody)
}

// tag reads a tag or, if any is set, the value that stands for any tag.
func (a *reader) tag(any bool) int32 {
	n, ok := a.integer(anyTag, int64(workloads.CollectiveTag-1))
	switch {
	case ok && n >= 0:
		return n
	case ok && n == anyTag && any:
		return workloads.AnyTag
	}
	a.bad("the tag", a.expectedTag(any))
	return 0
}

func (a *reader) expectedTag(any bool) string {
	s := fmt.Sprintf("a whole number from 0 to %d", workloads.CollectiveTag-1)
	if any {
		return fmt.Sprintf("%s, or %d for any", s, anyTag)
	}
	return s
}

// datatype reads a data type, or returns noDatatype if there is none.
func (a *reader) datatype() int8 {
	if a.err != nil || !a.more() {
		return noDatatype
	}
	last := len(datatypeSizes) - 1
	n, ok := a.integer(0, int64(last))
	if !ok {
		a.bad("the data type", fmt.Sprintf("a number from 0 to %d", last))
		return noDatatype
	}
	return int8(n)
}

// elementSize reads a data type like datatype and returns its size. If there is none,
// it is that of the last init.
func (a *reader) elementSize() float64 {
	if t := a.datatype(); t != noDatatype {
		return float64(datatypeSizes[t])
	}
	return a.lastInit()
}

// lastInit returns the size of elements without a data type.
func (a *reader) lastInit() float64 {
	size := a.p.defaultSize.Load()
	if size == 0 && a.err == nil {
		a.start = len(a.b)
		a.fail("the size of what is counted is not known", "a data type, or an init before this action")
	}
	return float64(size)
}

// message reads the arguments of send, isend, recv and irecv.
func (a *reader) message(kind workloads.Kind, op *workloads.Op) bool {
	receives := kind == workloads.Recv || kind == workloads.Irecv
	m := action{kind: kind}
	m.peer = a.peer("the peer", receives)
	m.tag = a.tag(receives)
	m.amount = a.count("the count")
	if m.datatype = a.datatype(); m.datatype == noDatatype {
		a.lastInit()
	}
	if a.err != nil {
		return false
	}
	done, possible := a.p.perform(a.rank, a.me, &m, op)
	if !possible {
		a.start = 0
		a.fail("one open request too many", fmt.Sprintf("at most %d of a rank", maxOpen))
	}
	return done
}

// request reads the arguments of wait and test, which identify a request.
func (a *reader) request(kind workloads.Kind, op *workloads.Op) bool {
	// SMPI stores receives from any source under the value of the source minus one.
	const stored = "-556"
	w := action{kind: kind}
	if a.more() && fieldEnd(a.b, a.i)-a.i == len(stored) && string(a.b[a.i:a.i+len(stored)]) == stored {
		a.word()
		w.peer = workloads.AnySource
	} else {
		w.peer = a.peer("the source", true)
	}
	w.dst = a.peer("the destination", false)
	w.tag = a.tag(true)
	if a.err != nil {
		return false
	}
	done, possible := a.p.perform(a.rank, a.me, &w, op)
	if !possible {
		a.start = skipBlanks(a.b, 0)
		a.fail(fmt.Sprintf("rank %d waits and has no open request", a.me), "an isend or irecv before it")
	}
	return done
}

// sendRecv reads the arguments of sendRecv. Both messages have tag 0. If both peers are
// the rank itself, it is a copy, which costs nothing.
func (a *reader) sendRecv(op *workloads.Op) bool {
	sent := a.count("the count to send")
	to := a.peer("the rank to send to", false)
	received := a.count("the count to receive")
	from := a.peer("the rank to receive from", true)
	sent *= a.needDatatype("the data type sent")
	received *= a.needDatatype("the data type received")
	if a.err != nil || to == a.me && from == a.me || to == nobody && from == nobody {
		return false
	}
	switch {
	case to == nobody:
		op.Kind, op.Peer, op.Size = workloads.Recv, from, units.Bytes(received)
	case from == nobody:
		// Not a Send: an isend has another overhead.
		op.Kind, op.Peer, op.Size, op.Request = workloads.Isend, to, units.Bytes(sent), lonelySend
		a.rank.step = stepWait
	default:
		op.Kind, op.Peer, op.From, op.Size = workloads.Sendrecv, to, from, units.Bytes(sent)
	}
	return true
}

// needDatatype reads a required data type.
func (a *reader) needDatatype(what string) float64 {
	if a.err == nil && !a.more() {
		a.word()
		a.bad(what, "")
	}
	return a.elementSize()
}

// datatypeSizes are the sizes of SMPI's data types in bytes, by the number that
// stands for them in a trace. They are those of C on 64-bit Linux. Measured by
// sending a million of each.
var datatypeSizes = [...]int8{
	0: 8, // MPI_DOUBLE
	4, 1, 2, 8, 4,
	6: 1, // MPI_BYTE
	8, 1, 1, 2, 4, 8, 8, 16, 4, 1,
	17: 1, 2, 4, 8, 1, 2, 4, 8, // MPI_INT8_T to MPI_UINT64_T
	25: 8, 16, 32, // complex numbers
	8, 8,
	30: 8, 16, 16, 8, 8, 8, 16, 16, // pairs, for MPI_MINLOC and MPI_MAXLOC
	38: 4, 4, 8, 16, 8, 16, 16, 4, 2, 4, 8, 16, // those of Fortran
	50: 32,
	51: 1, 8, 16, 32, // those of C++
	0, 0, 1, 8, 8,
}

const (
	doubleSize = 8 // element size after "init" with an argument
	byteSize   = 1 // and without an argument
)
