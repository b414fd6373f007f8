package titrace

import (
	"encoding/binary"
	"math"
	"strconv"

	"github.com/isoscale/isoscale/workloads"
)

// Nearly all lines of a trace are messages, waits and computations in the same form:
// decimal whole numbers, one blank before each field, nothing else. These plain lines
// are handled faster. They are scanned once, into an action; a spool keeps the action
// in place of the line; and the action is performed without checking ranks and sizes
// again. Everything unusual or wrong is left to fields (see Program.action), where all
// error messages are. So if an action turns out to be wrong only when it is performed,
// it is written out again: a plain line can be restored byte by byte.

// action is what a plain line says.
type action struct {
	kind     workloads.Kind // 0 if the line is not plain
	datatype int8           // of a message, or noDatatype
	peer     int32          // of a message; the source of a Wait or Test
	dst      int32          // the destination of a Wait or Test
	tag      int32
	amount   float64 // the count of a message, flop or seconds
}

// noDatatype is the data type that is left out.
const noDatatype = -1

// plainKind returns the kind of an action by its name, 0 if it is never plain.
func plainKind(name []byte) workloads.Kind {
	switch string(name) {
	case "compute":
		return workloads.Compute
	case "sleep":
		return workloads.Delay
	case "send":
		return workloads.Send
	case "isend":
		return workloads.Isend
	case "recv":
		return workloads.Recv
	case "irecv":
		return workloads.Irecv
	case "wait":
		return workloads.Wait
	case "waitall":
		return workloads.Waitall
	case "test":
		return workloads.Test
	}
	return 0
}

// scan reads a line and returns the rank before the action. If the line is not plain, a
// is undefined.
func (a *action) scan(line []byte) (rank int32, plain bool) {
	n, i := plainDigits(line, 0)
	if i == 0 || n > maxRank || i == len(line) || line[i] != ' ' {
		return 0, false
	}
	name := i + 1
	for i = name; i < len(line) && line[i] > ' '; i++ {
	}
	a.kind = plainKind(line[name:i])
	switch a.kind {
	case 0:
		return 0, false
	case workloads.Waitall:
		return int32(n), i == len(line)
	case workloads.Compute, workloads.Delay:
		if i == len(line) || line[i] != ' ' {
			return 0, false
		}
		a.amount, plain = parseNumber(line[i+1:])
		return int32(n), plain
	}
	return int32(n), a.scanNumbers(line, i)
}

// scanNumbers reads the arguments of a message, Wait or Test.
func (a *action) scanNumbers(line []byte, i int) bool {
	var numbers [4]int64
	found := 0
	for i < len(line) {
		n, end := plainDigits(line, i+1)
		if line[i] != ' ' || end == i+1 || found == len(numbers) {
			return false
		}
		numbers[found] = n
		found++
		i = end
	}
	if found < 3 || numbers[0] > maxRank {
		return false
	}
	a.peer = int32(numbers[0])
	if a.kind == workloads.Wait || a.kind == workloads.Test {
		a.dst, a.tag = int32(numbers[1]), int32(numbers[2])
		return found == 3 && numbers[1] <= maxRank && numbers[2] < int64(workloads.CollectiveTag)
	}
	a.tag, a.amount, a.datatype = int32(numbers[1]), float64(numbers[2]), noDatatype
	if found == 4 {
		if numbers[3] >= int64(len(datatypeSizes)) {
			return false
		}
		a.datatype = int8(numbers[3])
	}
	return numbers[1] < int64(workloads.CollectiveTag)
}

// plainDigits reads at most 15 digits from i on, without leading zeros. It returns i as
// the end if there are none.
func plainDigits(b []byte, i int) (n int64, end int) {
	n, end = digits(b, i)
	if end > i+1 && b[i] == '0' {
		return 0, i
	}
	return n, end
}

// appendLine writes the plain line of a message, Wait or Test, as scan read it.
func (a *action) appendLine(b []byte, rank int32) []byte {
	number := func(n int64) { b = strconv.AppendInt(append(b, ' '), n, 10) }
	b = strconv.AppendInt(b, int64(rank), 10)
	b = append(append(b, ' '), a.kind.String()...)
	number(int64(a.peer))
	if a.kind == workloads.Wait || a.kind == workloads.Test {
		number(int64(a.dst))
		number(int64(a.tag))
		return b
	}
	number(int64(a.tag))
	number(int64(a.amount))
	if a.datatype != noDatatype {
		number(int64(a.datatype))
	}
	return b
}

// A record is how a spool keeps a line: the kind of an action and what it needs,
// or 0, the length of the line and the line.

// maxRecord is the largest number of bytes of an action, or of the header of a line,
// including the distance that a spool adds.
const maxRecord = 32

func appendText(b, line []byte) []byte {
	return append(binary.AppendUvarint(append(b, 0), uint64(len(line))), line...)
}

func (a *action) appendRecord(b []byte) []byte {
	b = append(b, byte(a.kind))
	switch a.kind {
	case workloads.Waitall:
	case workloads.Compute, workloads.Delay:
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(a.amount))
	case workloads.Wait, workloads.Test:
		b = binary.AppendUvarint(b, uint64(a.peer))
		b = binary.AppendUvarint(b, uint64(a.dst))
		b = binary.AppendUvarint(b, uint64(a.tag))
	default:
		b = binary.AppendUvarint(b, uint64(a.peer))
		b = binary.AppendUvarint(b, uint64(a.tag))
		b = binary.AppendUvarint(b, uint64(a.amount))
		b = append(b, byte(a.datatype))
	}
	return b
}

// decode reads the rest of an action's record after the kind, and returns the index
// after it.
func (a *action) decode(b []byte, i int) int {
	var n uint64
	switch a.kind {
	case workloads.Waitall:
	case workloads.Compute, workloads.Delay:
		a.amount = math.Float64frombits(binary.LittleEndian.Uint64(b[i:]))
		i += 8
	case workloads.Wait, workloads.Test:
		n, i = uvarint(b, i)
		a.peer = int32(n)
		n, i = uvarint(b, i)
		a.dst = int32(n)
		n, i = uvarint(b, i)
		a.tag = int32(n)
	default:
		n, i = uvarint(b, i)
		a.peer = int32(n)
		n, i = uvarint(b, i)
		a.tag = int32(n)
		n, i = uvarint(b, i)
		a.amount = float64(n)
		a.datatype = int8(b[i])
		i++
	}
	return i
}

// uvarint reads what binary.AppendUvarint wrote at i, and returns the index after it.
func uvarint(b []byte, i int) (n uint64, end int) {
	for shift := 0; ; shift += 7 {
		c := b[i]
		i++
		n |= uint64(c&0x7f) << shift
		if c < 0x80 {
			return n, i
		}
	}
}
