package compute

import (
	"math"

	"github.com/isoscale/isoscale/model/units"
)

// Unlimited is the memory bandwidth of a process that never waits for memory.
var Unlimited = units.BytesPerSecond(math.Inf(1))

// Process has the speed and memory bandwidth of one process of a node. Its computations
// follow the roofline of [Williams2009]: each is limited either by the core or by the memory,
//
//	T    = max(W/v, Q/m)
//	rate = W/T = min(v, m/b)
//
//	W  work, flop, at least 0
//	Q  memory traffic: what moves between the core and the memory of the node,
//	   byte, at least 0
//	b  Q/W, byte/flop: the inverse of the operational intensity of the source
//	v  speed of the core in the inner loops, flop/s: the sustained fraction of
//	   its marked speed
//	m  memory bandwidth that the process has, byte/s: see [Share]
//
// Source: [Williams2009]. Deviations: the source draws the roofline of a whole node,
// whose peaks of computation and of bandwidth all cores attain together; here each
// process has its own, from its core and a share of the bandwidth. The source counts
// the traffic between caches and memory; here the workload gives it.
type Process struct {
	Speed  units.FlopsPerSecond // v, above 0
	Memory units.BytesPerSecond // m, above 0; may be Unlimited
}

// Time returns how long a computation takes.
func (p Process) Time(work units.Flops, traffic units.Bytes) units.Seconds {
	return units.Seconds(max(float64(work)/float64(p.Speed), float64(traffic)/float64(p.Memory)))
}

// Rate returns the speed at which work with the given traffic per flop is performed.
func (p Process) Rate(bytesPerFlop float64) units.FlopsPerSecond {
	if bytesPerFlop == 0 {
		return p.Speed
	}
	return min(p.Speed, units.FlopsPerSecond(float64(p.Memory)/bytesPerFlop))
}

// Share returns the memory bandwidth that each process of a node has if all
// compute at once,
//
//	m = B/q
//
//	B  memory bandwidth of the node, byte/s; 0 if it is not known, which is no limit
//	q  processes on the node, at least 1
//
// This is the max-min fair share of q equal processes that all wait for memory.
// Deviation from that: a process gets no more while others do something else.
func Share(node units.BytesPerSecond, processes int) units.BytesPerSecond {
	if node == 0 {
		return Unlimited
	}
	return node / units.BytesPerSecond(processes)
}
