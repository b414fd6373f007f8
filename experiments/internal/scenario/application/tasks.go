package application

import (
	"strconv"

	"github.com/isoscale/isoscale/experiments/internal/scenario/application/expression"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
)

// Tags of the messages about tasks.
const (
	requestTag = maxTag - 1
	taskTag    = maxTag
)

// noneLeft is the task that a process has been given if there is none for it.
const noneLeft int32 = -1

// bag is a bag of tasks that process 0 hands out. Only process 0 changes it; the others
// read their own task after the message with it.
type bag struct {
	next  int32   // task
	told  int32   // processes that know that there are no more
	given []int32 // by process: its task
}

// listening is a run with bags of tasks: process 0 has to know who asks for one.
type listening struct {
	*run
}

// Now implements sim.Listener.
func (l *listening) Now(int, units.Seconds) {}

// Received implements sim.Listener.
func (l *listening) Received(rank int, from, tag int32, _ units.Bytes) {
	if rank == 0 && tag == requestTag {
		l.asking = from
	}
}

// task gives the computation of a task, if it has any work.
func (r *run) task(f *frame, i *instruction, task int, op *workloads.Op) bool {
	f.Locals[expression.Task] = int64(task) + 1
	return r.compute(f, i, r.amount(f, i, i.work, "flop"), r.amount(f, i, i.traffic, "bytes"), op)
}

// static gives the tasks of the process.
func (r *run) static(f *frame, i *instruction, k *int32, op *workloads.Op) bool {
	n := r.whole(f, i, i.count, "tasks", 0, expression.MaxItems)
	for silent := 0; !f.failed; silent++ {
		t := int(f.Row) + int(*k)*len(r.performed)
		if t >= n {
			return false
		}
		if silent > maxSilent {
			r.fail(f, i, "too many tasks without any work; expected at most "+strconv.Itoa(maxSilent))
		}
		*k++
		if r.task(f, i, t, op) {
			return true
		}
	}
	return true
}

// dynamic gives the part of the process in handing tasks out: process 0 answers requests
// with a task, or tells that there are none left; the others ask and compute. Process 0
// alone has all tasks.
func (r *run) dynamic(f *frame, i *instruction, k *int32, op *workloads.Op) bool {
	switch {
	case len(r.performed) == 1:
		return r.static(f, i, k, op)
	case r.tried:
		return r.tryDynamic(f, i, k, op)
	case f.Row == 0:
		return r.handOut(f, i, k, op)
	}
	const asking, receiving, computing, returning = 0, 1, 2, 3
	for {
		switch *k {
		case asking:
			*k = receiving
			return set(op, workloads.Op{Kind: workloads.Send, Peer: 0, Tag: requestTag})
		case returning:
			*k = receiving
			return set(op, workloads.Op{Kind: workloads.Send, Peer: 0, Tag: requestTag, Size: units.Bytes(r.amount(f, i, i.output, "output"))})
		case receiving:
			*k = computing
			return set(op, workloads.Op{Kind: workloads.Recv, Peer: 0, Tag: taskTag})
		}
		task := r.bags[i.request].given[f.Row]
		if task == noneLeft {
			return false
		}
		*k = returning
		if r.task(f, i, int(task), op) || f.failed {
			return true
		}
	}
}

// handOut gives the part of process 0.
func (r *run) handOut(f *frame, i *instruction, k *int32, op *workloads.Op) bool {
	const filling, waiting, answering = 0, 1, 2
	b := &r.bags[i.request]
	if *k == filling { // each time that the program comes here
		if b.given == nil {
			b.given = make([]int32, len(r.performed))
		}
		b.next, b.told = 0, 0
		*k = waiting
	}
	if *k == waiting {
		*k = answering
		return int(b.told) < len(r.performed)-1 &&
			set(op, workloads.Op{Kind: workloads.Recv, Peer: workloads.AnySource, Tag: requestTag})
	}
	*k = waiting
	size := 0.0
	if n := r.whole(f, i, i.count, "tasks", 0, expression.MaxItems); int(b.next) < n {
		b.given[r.asking] = b.next
		b.next++
		size = r.amount(f, i, i.input, "input")
	} else {
		b.given[r.asking] = noneLeft
		b.told++
	}
	return set(op, workloads.Op{Kind: workloads.Send, Peer: r.asking, Tag: taskTag, Size: units.Bytes(size)})
}
