package goal

import (
	"bufio"
	"io"
	"strconv"
)

// Write writes s in canonical form: the operations of a rank have the labels
// l1, l2, ... in order and their tags even if 0, cpu and nic only if not 0;
// their dependencies follow, ordered by the operation that is waited for.
// Read gives an Equal schedule back.
func Write(w io.Writer, s *Schedule) error {
	bw := bufio.NewWriterSize(w, 64<<10)
	// Errors of the writer stay in it until Flush.
	line := append(bw.AvailableBuffer(), "num_ranks "...)
	line = strconv.AppendInt(line, int64(s.Ranks()), 10)
	bw.Write(append(line, '\n'))
	for rank := range s.Ranks() {
		line = append(bw.AvailableBuffer(), "\nrank "...)
		line = strconv.AppendInt(line, int64(rank), 10)
		bw.Write(append(line, " {\n"...))
		first, end := s.Rank(rank)
		for i := first; i < end; i++ {
			line = appendLabel(bw.AvailableBuffer(), i-first)
			bw.Write(appendOp(append(line, ": "...), s.ops[i]))
		}
		for i := first; i < end; i++ {
			for _, e := range s.Dependents(i) {
				line = appendLabel(bw.AvailableBuffer(), e.Op()-first)
				word := " requires "
				if e.OnStart() {
					word = " irequires "
				}
				line = appendLabel(append(line, word...), i-first)
				bw.Write(append(line, '\n'))
			}
		}
		bw.WriteString("}\n")
	}
	return bw.Flush()
}

func appendLabel(b []byte, i int32) []byte {
	return strconv.AppendInt(append(b, 'l'), int64(i)+1, 10)
}

// appendOp appends an operation and the end of the line.
func appendOp(b []byte, op Op) []byte {
	b = append(append(b, op.Kind.String()...), ' ')
	b = strconv.AppendUint(b, op.Size, 10)
	if op.Kind != Calc {
		word := "b to "
		if op.Kind == Recv {
			word = "b from "
		}
		b = strconv.AppendInt(append(b, word...), int64(op.Peer), 10)
		b = append(b, " tag "...)
		if op.Tag == AnyTag {
			b = append(b, "-1"...)
		} else {
			b = strconv.AppendUint(b, uint64(op.Tag), 10)
		}
	}
	if op.CPU != 0 {
		b = strconv.AppendUint(append(b, " cpu "...), uint64(op.CPU), 10)
	}
	if op.NIC != 0 {
		b = strconv.AppendUint(append(b, " nic "...), uint64(op.NIC), 10)
	}
	return append(b, '\n')
}
