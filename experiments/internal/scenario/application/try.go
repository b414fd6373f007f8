package application

import (
	"github.com/isoscale/isoscale/experiments/internal/scenario/application/expression"
	"github.com/isoscale/isoscale/workloads"
)

// What [Try] looks at: operations of all ranks together, instructions of a rank between
// two of them, and ranks.
const (
	triedOperations = 1 << 20
	triedSilent     = 1 << 16
	triedRanks      = 1 << 14
)

// Try carries out what each rank of a fresh run does, one rank after the other, without
// time and messages: afterwards, [Run.Err] is what the lowest rank has asked for that is
// impossible. Long programs are not tried to their end. It uses the run up.
func Try(p Run) {
	var r *run
	switch p := p.(type) {
	case *run:
		r = p
	case *listening:
		r = p.run
	}
	r.silent, r.tried = triedSilent, true
	ranks := min(r.Ranks(), triedRanks)
	for rank := range ranks {
		var op workloads.Op
		for range max(64, triedOperations/ranks) {
			if !r.Next(rank, &op) {
				break
			}
			op = workloads.Op{}
		}
		if r.problem != nil {
			return
		}
	}
}

// tryDynamic gives a process tasks as if all had asked for them in turn: which tasks it
// really gets is known when time passes.
func (r *run) tryDynamic(f *frame, i *instruction, k *int32, op *workloads.Op) bool {
	n := int64(r.whole(f, i, i.count, "tasks", 0, expression.MaxItems))
	if f.Row == 0 {
		if n > 0 {
			r.amount(f, i, i.input, "input")
		}
		return f.failed
	}
	for !f.failed {
		t := int64(f.Row) - 1 + int64(*k)*int64(len(r.performed)-1)
		if t >= n || *k > triedSilent {
			return false
		}
		*k++
		r.amount(f, i, i.output, "output")
		if !f.failed && r.task(f, i, int(t), op) {
			return true
		}
	}
	return true
}
