package batchqueue

import "github.com/isoscale/isoscale/model/units"

// fcfs is first come, first served.
type fcfs struct {
	*machine
	head, tail int32 // the waiting jobs are head to tail-1
}

func (f *fcfs) submitted(job int32) { f.tail = job + 1 }

func (f *fcfs) ended(int32) {}

func (f *fcfs) schedule() {
	for f.head < f.tail && f.jobs[f.head].Nodes <= f.free {
		f.begin(f.head)
		f.head++
	}
}

func (f *fcfs) alarm() (units.Seconds, bool) { return 0, false }

func (f *fcfs) ring() bool { return false }
