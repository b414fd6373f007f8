package observe_test

import (
	"context"
	"fmt"
	"math"
	"os"

	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/sim/observe"
	"github.com/isoscale/isoscale/workloads"
)

// pair is a program of two ranks: rank 0 computes for 3 s and sends 2 bytes,
// rank 1 computes for 1 s, receives, and computes for 4 s.
type pair struct{ next [2]int }

func (p *pair) Ranks() int { return 2 }

func (p *pair) Next(rank int, op *workloads.Op) bool {
	ops := [][]workloads.Op{
		{{Kind: workloads.Compute, Work: 3}, {Kind: workloads.Send, Peer: 1, Size: 2}},
		{{Kind: workloads.Compute, Work: 1}, {Kind: workloads.Recv, Peer: 0}, {Kind: workloads.Compute, Work: 4}},
	}[rank]
	if p.next[rank] == len(ops) {
		return false
	}
	*op = ops[p.next[rank]]
	p.next[rank]++
	return true
}

// simulate runs the pair on a network with a latency of 1 s and 1 byte/s, where
// the message leaves at 3 s, has left at 5 s and arrives at 6 s.
func simulate(o sim.Observer, n network.Hockney) {
	_, err := sim.Run(context.Background(), sim.Config{
		Program:  &pair{},
		Network:  n,
		Rates:    []units.FlopsPerSecond{1, 1},
		Observer: o,
	})
	if err != nil {
		fmt.Println(err)
	}
}

var slow = network.Hockney{Latency: 1, Bandwidth: 1, EagerLimit: units.Bytes(math.Inf(1))}

// Several observers watch one run.
func Example() {
	matrix := new(observe.Matrix)
	path := observe.NewCriticalPath(2, slow)
	simulate(observe.Tee(matrix, path), slow)

	for _, t := range matrix.Traffic() {
		fmt.Printf("%d message from rank %d to rank %d, %v\n", t.Messages, t.From, t.To, t.Bytes)
	}
	fmt.Println("the run takes", path.Path().Makespan)
	// Output:
	// 1 message from rank 0 to rank 1, 2 B
	// the run takes 10 s
}

// The first computation of rank 1 is not on the path: rank 1 waits anyway.
func ExampleCriticalPath() {
	c := observe.NewCriticalPath(2, slow)
	simulate(c, slow)
	if err := c.Path().WriteText(os.Stdout, 10); err != nil {
		fmt.Println(err)
	}
	// Output:
	// critical path of 10 s: 3 segments, 1 of them messages
	//          7 s   70.0 %  compute
	//          3 s   30.0 %  message
	//          4 s   40.0 %  rank 1
	//          3 s   30.0 %  rank 0
	//          0 s  +3 s          compute on rank 0
	//          3 s  +3 s          message 0 -> 1, 2 B, tag 0
	//          6 s  +4 s          compute on rank 1
}

func ExampleMatrix_WriteCSV() {
	m := new(observe.Matrix)
	simulate(m, slow)
	if err := m.WriteCSV(os.Stdout); err != nil {
		fmt.Println(err)
	}
	// Output:
	// from,to,messages,bytes
	// 0,1,1,2
}

// Times are in microseconds. The viewer draws an arrow from the "send" at 3 s to
// the "receive" at 6 s.
func ExampleTimeline() {
	t := observe.NewTimeline(2, observe.DefaultTimelineLimit)
	simulate(t, slow)
	if err := t.Write(os.Stdout, func(rank int) string { return fmt.Sprintf("rank %d", rank) }); err != nil {
		fmt.Println(err)
	}
	// Output:
	// {"traceEvents":[
	// {"name":"process_name","ph":"M","pid":1,"tid":0,"args":{"name":"simulation"}},
	// {"name":"thread_name","ph":"M","pid":1,"tid":1,"args":{"name":"rank 0"}},
	// {"name":"thread_sort_index","ph":"M","pid":1,"tid":1,"args":{"sort_index":0}},
	// {"name":"thread_name","ph":"M","pid":1,"tid":2,"args":{"name":"rank 1"}},
	// {"name":"thread_sort_index","ph":"M","pid":1,"tid":2,"args":{"sort_index":1}},
	// {"name":"compute","ph":"X","pid":1,"tid":1,"ts":0.000,"dur":3000000.000},
	// {"name":"send","ph":"X","pid":1,"tid":1,"ts":3000000.000,"dur":0.000,"args":{"to":1,"size_bytes":2,"tag":0}},
	// {"name":"message","ph":"s","pid":1,"tid":1,"ts":3000000.000,"cat":"message","id":0,"args":{"to":1,"size_bytes":2,"tag":0}},
	// {"name":"compute","ph":"X","pid":1,"tid":2,"ts":0.000,"dur":1000000.000},
	// {"name":"wait for message","ph":"X","pid":1,"tid":2,"ts":1000000.000,"dur":5000000.000},
	// {"name":"receive","ph":"X","pid":1,"tid":2,"ts":6000000.000,"dur":0.000,"args":{"from":0,"size_bytes":2,"tag":0}},
	// {"name":"message","ph":"f","pid":1,"tid":2,"bp":"e","ts":6000000.000,"cat":"message","id":0,"args":{"from":0,"size_bytes":2,"tag":0}},
	// {"name":"compute","ph":"X","pid":1,"tid":2,"ts":6000000.000,"dur":4000000.000}
	// ],"displayTimeUnit":"ns"}
}

// A fingerprint is the same for the same run and another for any other.
func ExampleFingerprint() {
	sum := func(n network.Hockney) uint64 {
		f := observe.NewFingerprint(2)
		simulate(f, n)
		return f.Sum()
	}
	faster := slow
	faster.Latency = 0.999
	first := sum(slow)
	fmt.Println("the same network:", first == sum(slow))
	fmt.Println("a faster network:", first == sum(faster))
	// Output:
	// the same network: true
	// a faster network: false
}
