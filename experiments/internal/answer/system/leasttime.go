package system

import (
	"github.com/isoscale/isoscale/model/compute"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
)

// A Least is what process 0 of a run does whatever the network: its own operations one
// after the other, without any wait.
type Least struct {
	Busy units.Seconds // it computes or is delayed
	Sent units.Bytes   // what it sends to other nodes
}

// Least returns what process 0 does in a run of the workload at problem size n, up to the
// first operation whose outcome depends on who is first, or up to leastOperations. So no run
// takes less than Busy, and none in which the messages of a process leave one after the
// other at a bandwidth B takes less than Sent/B.
//
//	Busy = sum over its computations of max(W/v, Q/m)
//
//	W, Q  work, flop, and memory traffic, byte, of a computation
//	v     its speed, flop/s
//	m     its share of the memory bandwidth; where the network model shares memory, all of
//	      that of the node, byte/s
//
// Source: the roofline of [Williams2009].
func (s *System) Least(n int) (Least, error) {
	a := s.Algorithm(n)
	if err := a.Validate(); err != nil {
		return Least{}, err
	}
	process := s.Process(0)
	if s.Transport.SharesMemory() {
		process.Memory = compute.Share(s.Placement.Blocks[0].Memory().Bandwidth, 1)
	}
	nodes, _ := s.Placement.Locations()
	var x Least
	send := func(to int32, size units.Bytes) {
		if nodes[to] != nodes[0] {
			x.Sent += size
		}
	}
	program := s.Workload.Program(a, s.Placement)
	for range leastOperations {
		var op workloads.Op
		if !program.Next(0, &op) {
			break
		}
		switch op.Kind {
		case workloads.Compute:
			x.Busy += process.Time(op.Work, op.Size)
		case workloads.Delay:
			x.Busy += op.Time
		case workloads.Send, workloads.Isend:
			send(op.Peer, op.Size)
		case workloads.Sendrecv:
			send(op.Peer, op.Size)
			if op.From == workloads.AnySource {
				return x, nil
			}
		case workloads.Recv, workloads.Irecv:
			if op.Peer == workloads.AnySource {
				return x, nil
			}
		case workloads.Test, workloads.Probe, workloads.Iprobe:
			return x, nil
		}
	}
	return x, nil
}

// leastOperations bounds how long Least takes: some milliseconds.
const leastOperations = 200000
