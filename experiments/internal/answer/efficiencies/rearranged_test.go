package efficiencies

import (
	"fmt"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/workloads"
)

// listed is a program of one rank.
type listed struct {
	ops  []workloads.Op
	next int
}

func (*listed) Ranks() int { return 1 }

func (p *listed) Next(_ int, op *workloads.Op) bool {
	if p.next == len(p.ops) {
		return false
	}
	*op = p.ops[p.next]
	p.next++
	return true
}

// Sends move ahead of the computation before them until something is received, and pieces of messages have requests of
// their own. Operations of collective calls stay as they are, except for the names of requests.
func TestRearranged(t *testing.T) {
	compute := workloads.Op{Kind: workloads.Compute, Work: 8, Size: 4}
	send := workloads.Op{Kind: workloads.Send, Size: 16}
	recv := workloads.Op{Kind: workloads.Recv, Size: 16}
	isend := workloads.Op{Kind: workloads.Isend, Size: 16, Request: 1}
	irecv := workloads.Op{Kind: workloads.Irecv, Size: 16, Request: 2}
	wait := workloads.Op{Kind: workloads.Wait, Request: 2}
	waitall := workloads.Op{Kind: workloads.Waitall, Request: 1}
	call := workloads.Op{Kind: workloads.Isend, Size: 16, Request: 3, Collective: workloads.Barrier}
	for _, c := range []struct {
		ops                []workloads.Op
		first, inFourParts string
	}{
		{[]workloads.Op{compute, send, isend, compute}, "Send/16 Isend1/16 Compute8/4 Compute8/4",
			"Compute2/1 Send/4 Isend4/4 Compute2/1 Send/4 Isend5/4 Compute2/1 Send/4 Isend6/4 Compute2/1 Send/4 Isend7/4 Compute8/4"},
		{[]workloads.Op{recv, compute, send}, "Recv/16 Compute8/4 Send/16", strings.Repeat(" Recv/16 Compute2/1 Send/4", 4)[1:]},
		{[]workloads.Op{irecv, compute, send}, "Irecv2/16 Compute8/4 Send/16",
			"Irecv8/16 Irecv9/16 Irecv10/16 Irecv11/16" + strings.Repeat(" Compute2/1 Send/4", 4)},
		{[]workloads.Op{irecv, wait, compute}, "Irecv2/16 Wait2 Compute8/4",
			"Irecv8/16 Irecv9/16 Irecv10/16 Irecv11/16 Wait8 Compute2/1 Wait9 Compute2/1 Wait10 Compute2/1 Wait11 Compute2/1"},
		{[]workloads.Op{isend, waitall}, "Isend1/16 Waitall1", "Isend4/4 Isend5/4 Isend6/4 Isend7/4 Waitall4"},
		{[]workloads.Op{compute, call, compute}, "Compute8/4 Isend3/16 Compute8/4", "Compute8/4 Isend12/16 Compute8/4"},
	} {
		text := func(arrange func([]workloads.Op, bool) []workloads.Op) string {
			p := rearrangement(arrange)(&listed{ops: c.ops})
			var all []string
			for op := (workloads.Op{}); p.Next(0, &op); op = (workloads.Op{}) {
				s := op.Kind.String()
				if op.Request > 0 {
					s += fmt.Sprint(op.Request)
				}
				if op.Work > 0 {
					s += fmt.Sprint(float64(op.Work))
				}
				if op.Size > 0 {
					s += fmt.Sprintf("/%g", float64(op.Size))
				}
				all = append(all, s)
			}
			return strings.Join(all, " ")
		}
		expect.Equal(t, strings.ToLower(text(sendFirst)), strings.ToLower(c.first), "sends first")
		expect.Equal(t, strings.ToLower(text(inPieces)), strings.ToLower(c.inFourParts), "in pieces")
	}
}
