package conformance

import (
	"testing"

	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
)

// shift is an all-to-all exchange of single requests: rank r receives from r-i,
// sends to r+i in round i = 1, 2, ... and waits. It tries what no algorithm of
// package collective does: a request open during a blocking send.
type shift struct{}

func (shift) Name() string                    { return "shift" }
func (shift) Operation() workloads.Collective { return workloads.Alltoall }
func (shift) Step(c collective.Call, rank, k int) (collective.Step, bool) {
	p := c.Size
	i := 1 + k/3
	if i >= p {
		return collective.Step{}, false
	}
	to, from := (rank+i)%p, (rank-i+p)%p
	switch k % 3 {
	case 0:
		return collective.Step{Kind: workloads.Irecv, Peer: from, Request: i, Blocks: collective.Range(from*p+rank, 1)}, true
	case 1:
		return collective.Step{Kind: workloads.Send, Peer: to, Blocks: collective.Range(rank*p+to, 1)}, true
	}
	return collective.Step{Kind: workloads.Wait, Request: i}, true
}

// TestShift: every block moves once, except what a rank has for itself.
func TestShift(t *testing.T) {
	for _, p := range []int{1, 2, 3, 5, 8} {
		for _, cs := range casesOf(workloads.Alltoall, p, p*p) {
			want := Traffic{Messages: p * (p - 1), Volume: cs.Total()}
			for r := range p {
				want.Volume -= cs.Blocks[r*p+r]
			}
			facts, err := check(shift{}, cs, &want)
			verdict(t, facts, err, "")
		}
	}
}
