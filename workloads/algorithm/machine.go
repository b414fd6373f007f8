package algorithm

import (
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
)

// phase is a part of an algorithm. Like [collective.Next] it stores operation
// number *k of the rank in *op, adds 1 to *k and returns true; when the rank has
// no more operations in the phase, it returns false and leaves both alone. Rounds
// count from 0.
//
// Ranks may be in different phases and may be asked from different goroutines. A phase
// must change only data of its rank.
type phase func(rank, round int, k *int32, op *workloads.Op) bool

// machine is a run of an algorithm. Every rank goes through the same phases in the same
// order: some once, then some in each round, then some once. It has to remember only
// its place.
type machine struct {
	phases []phase
	// Phases first ... end-1 make up a round. Without rounds, both are 0.
	first, end int32
	rounds     int32
	at         []place // by rank
}

// place is where a rank is: 12 bytes.
type place struct {
	phase int32
	round int32
	k     int32 // operations that the phase has given
}

var _ workloads.Program = (*machine)(nil)

// newMachine returns a machine with one phase, the start of the program.
func newMachine(ranks int, startup units.Seconds) *machine {
	m := &machine{at: make([]place, ranks)}
	return m.once(func(_, _ int, k *int32, op *workloads.Op) bool {
		return startup > 0 && single(workloads.Op{Kind: workloads.Delay, Time: startTime(ranks, startup)}, k, op)
	})
}

// startTime returns when p processes begin, which are started one after the other.
func startTime(p int, startup units.Seconds) units.Seconds {
	return units.Seconds(units.Seconds(p) * startup)
}

// once adds phases that ranks go through once.
func (m *machine) once(phases ...phase) *machine {
	m.phases = append(m.phases, phases...)
	return m
}

// repeat adds phases that ranks go through in each round. There must be at least
// one round, and no other call of repeat.
func (m *machine) repeat(rounds int, phases ...phase) *machine {
	m.first = int32(len(m.phases))
	m.once(phases...)
	m.end, m.rounds = int32(len(m.phases)), int32(rounds)
	return m
}

func (m *machine) Ranks() int { return len(m.at) }

// Step tells which phase of which round the rank is in (stepper of package export).
func (m *machine) Step(rank int) uint64 {
	p := &m.at[rank]
	return uint64(p.round)<<32 | uint64(p.phase)
}

func (m *machine) Next(rank int, op *workloads.Op) bool {
	p := &m.at[rank]
	for int(p.phase) < len(m.phases) {
		if m.phases[p.phase](rank, int(p.round), &p.k, op) {
			return true
		}
		p.k = 0
		p.phase++
		if p.phase == m.end {
			if p.round++; p.round < m.rounds {
				p.phase = m.first
			}
		}
	}
	return false
}

// single gives the only operation of a phase.
func single(only workloads.Op, k *int32, op *workloads.Op) bool {
	if *k > 0 {
		return false
	}
	*op = only
	*k = 1
	return true
}

// compute is a phase of one computation, or empty where there is no work.
func compute(work func(rank, round int) units.Flops) phase {
	return func(rank, round int, k *int32, op *workloads.Op) bool {
		if *k > 0 {
			return false
		}
		w := work(rank, round)
		return w > 0 && single(workloads.Op{Kind: workloads.Compute, Work: w}, k, op)
	}
}

// call is a phase of one collective operation. With a single process it is empty,
// whatever the measured cost.
func call[B collective.Blocks](ch collective.Choice, c collective.Call, blocks B) phase {
	return func(rank, _ int, k *int32, op *workloads.Op) bool {
		return c.Size > 1 && collective.Next(ch, c, blocks, 0, rank, k, op)
	}
}

// broadcastRow is a phase in which, in round i, the owner of row i of a matrix
// broadcasts it to all processes.
func broadcastRow(ch collective.Choice, owner []int32, processes int, size func(i int) units.Bytes) phase {
	return func(rank, i int, k *int32, op *workloads.Op) bool {
		c := collective.Call{Size: processes, Root: int(owner[i])}
		return c.Size > 1 && collective.Next(ch, c, collective.Uniform(1, size(i)), 0, rank, k, op)
	}
}

// Message is the smallest program with a message: process 0 sends one of the
// given size to process 1.
type Message struct{ Size units.Bytes }

// Program returns a fresh run.
func (m Message) Program() workloads.Program {
	return newMachine(2, 0).once(func(rank, _ int, k *int32, op *workloads.Op) bool {
		if rank == 0 {
			return single(workloads.Op{Kind: workloads.Send, Peer: 1, Size: m.Size}, k, op)
		}
		return single(workloads.Op{Kind: workloads.Recv, Peer: 0}, k, op)
	})
}
