package conformance_test

import (
	"fmt"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
	"github.com/isoscale/isoscale/workloads/collective/conformance"
)

// relay is a broadcast in which each rank passes the data on to the next one.
type relay struct{ forgetful bool }

func (relay) Name() string                    { return "relay" }
func (relay) Operation() workloads.Collective { return workloads.Bcast }
func (a relay) Step(c collective.Call, rank, k int) (collective.Step, bool) {
	place := (rank - c.Root + c.Size) % c.Size // in the line that begins at the root
	receive := collective.Step{Kind: workloads.Recv, Peer: (rank - 1 + c.Size) % c.Size, Blocks: collective.Range(0, 1)}
	send := collective.Step{Kind: workloads.Send, Peer: (rank + 1) % c.Size, Blocks: collective.Range(0, 1)}
	var steps []collective.Step
	if place > 0 {
		steps = append(steps, receive)
	}
	if place < c.Size-1 && !(a.forgetful && place == 3) {
		steps = append(steps, send)
	}
	if k >= len(steps) {
		return collective.Step{}, false
	}
	return steps[k], true
}

// A broadcast of one's own: everybody but the root receives the data once.
func Example() {
	promised := func(cs conformance.Case) conformance.Traffic {
		n := cs.Call.Size - 1
		return conformance.Traffic{Messages: n, Volume: units.Bytes(n) * cs.Total()}
	}
	fmt.Println(conformance.CheckAll(relay{}, 33, promised))
	fmt.Println(conformance.CheckAll(relay{forgetful: true}, 33, promised))
	// Output:
	// <nil>
	// bcast relay, 5 ranks, root 0, 0 bytes, eager sends: deadlock: rank 4 in step 0 (recv, peer 3)
}
