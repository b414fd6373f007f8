package goal

import (
	"bufio"
	"fmt"
	"io"
)

// Write writes s in canonical form: the operations of a rank have the labels
// l1, l2, ... in order and their tags even if 0, cpu and nic only if not 0;
// their dependencies follow, ordered by the operation that is waited for.
// Read gives an Equal schedule back.
func Write(w io.Writer, s *Schedule) error {
	out := bufio.NewWriterSize(w, 64<<10) // keeps an error until Flush
	fmt.Fprintf(out, "num_ranks %d\n", s.Ranks())
	for rank := range s.Ranks() {
		fmt.Fprintf(out, "\nrank %d {\n", rank)
		first, end := s.Rank(rank)
		for i := first; i < end; i++ {
			fmt.Fprintf(out, "l%d: ", i-first+1)
			writeOp(out, s.ops[i])
		}
		for i := first; i < end; i++ {
			for _, e := range s.Dependents(i) {
				word := "requires"
				if e.OnStart() {
					word = "irequires"
				}
				fmt.Fprintf(out, "l%d %s l%d\n", e.Op()-first+1, word, i-first+1)
			}
		}
		out.WriteString("}\n")
	}
	return out.Flush()
}

// writeOp writes an operation and the end of the line.
func writeOp(out *bufio.Writer, op Op) {
	fmt.Fprintf(out, "%v %d", op.Kind, op.Size)
	if op.Kind != Calc {
		word, tag := "to", int64(op.Tag)
		if op.Kind == Recv {
			word = "from"
		}
		if op.Tag == AnyTag {
			tag = -1
		}
		fmt.Fprintf(out, "b %s %d tag %d", word, op.Peer, tag)
	}
	if op.CPU != 0 {
		fmt.Fprintf(out, " cpu %d", op.CPU)
	}
	if op.NIC != 0 {
		fmt.Fprintf(out, " nic %d", op.NIC)
	}
	out.WriteByte('\n')
}
