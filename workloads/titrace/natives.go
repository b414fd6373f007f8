package titrace

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/internal/smpi"
)

// Natives finds collective operations of SMPI that consist of given messages, so that a
// trace can name them. SMPI carries out all calls of an operation by one algorithm, so
// every call found restricts the algorithms for later ones. The zero value has found
// none.
type Natives struct {
	// By operation: the algorithms that produce the messages of all calls found so far.
	names [smpi.Exscan + 1][]string
}

// Find returns the action of a call in which rank r performs ops[r], in this order; its
// arguments are the same on all ranks. A simultaneous send and receive is given as an
// Isend, an Irecv and a Wait for each. ok is false if no operation of SMPI has these
// messages on every rank, or only with an algorithm that contradicts an earlier call of
// the same operation.
func (n *Natives) Find(ops [][]workloads.Op) (action string, ok bool) {
	recorded := make([][]step, len(ops))
	for r := range ops {
		recorded[r] = steps(ops[r])
	}
	for _, c := range candidates(ops) {
		names := n.names[c.Operation]
		if names == nil {
			names = byPreference(smpi.Names(c.Operation))
		}
		same := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !gives(name, c, recorded) })
		if len(same) > 0 {
			n.names[c.Operation] = same
			return actionOf(c), true
		}
	}
	return "", false
}

// Settings returns the algorithms as settings of SimGrid, each as KEY:VALUE.
func (n *Natives) Settings() []string {
	var list []string
	for o := smpi.Barrier; o <= smpi.ReduceScatter; o++ {
		if len(n.names[o]) > 0 {
			list = append(list, fmt.Sprintf("smpi/%v:%s", o, n.names[o][0]))
		}
	}
	return list
}

// byPreference puts the names of algorithms before those of rules that choose one.
func byPreference(names []string) []string {
	rules := []string{"default", "mpich", "mvapich2", "ompi"}
	slices.SortStableFunc(names, func(a, b string) int { return slices.Index(rules, a) - slices.Index(rules, b) })
	return names
}

// step has the relevant parts of an operation in a call.
type step struct {
	kind    workloads.Kind
	peer    int32
	size    units.Bytes
	request int // its number among the requests that the rank starts in the call
}

// steps returns the operations of a rank in a call.
func steps(ops []workloads.Op) []step {
	var all []step
	var started []int32
	for _, op := range ops {
		s := step{kind: op.Kind}
		switch op.Kind {
		case workloads.Send, workloads.Recv:
			s.peer, s.size = op.Peer, op.Size
		case workloads.Isend, workloads.Irecv:
			s.peer, s.size, s.request = op.Peer, op.Size, len(started)
			started = append(started, op.Request)
		case workloads.Wait:
			for s.request = len(started) - 1; s.request >= 0 && started[s.request] != op.Request; s.request-- {
			}
		case workloads.Sendrecv: // as package recording has it
			k := len(started)
			started = append(started, -1, -1)
			all = append(all, step{workloads.Isend, op.Peer, op.Size, k},
				step{workloads.Irecv, op.From, op.Size, k + 1}, step{workloads.Wait, 0, 0, k + 1}, step{workloads.Wait, 0, 0, k})
			continue
		}
		all = append(all, s)
	}
	return all
}

// gives reports whether an algorithm of SMPI produces these operations in a call.
func gives(name string, c smpi.Call, recorded [][]step) bool {
	var selector smpi.Selector
	if c.Operation <= smpi.ReduceScatter && selector.Set(c.Operation.String(), name) != nil {
		return false
	}
	for r := range recorded {
		c.Rank = r
		sequence, err := selector.Start(c)
		if err != nil {
			return false
		}
		var ops []workloads.Op
		for op := (workloads.Op{}); sequence.Next(&op); op = (workloads.Op{}) {
			if ops = append(ops, op); len(ops) > len(recorded[r]) {
				return false
			}
		}
		if !slices.EqualFunc(steps(ops), recorded[r], step.equal) {
			return false
		}
	}
	return true
}

// equal compares steps. The size that a receive expects does not matter: the message
// has its own.
func (s step) equal(t step) bool {
	if s.kind == workloads.Recv || s.kind == workloads.Irecv {
		s.size = t.size
	}
	return s == t
}

// candidates returns the calls that may have these messages.
func candidates(ops [][]workloads.Op) []smpi.Call {
	p := len(ops)
	sent, received, largest := make([]units.Bytes, p), make([]units.Bytes, p), units.Bytes(0)
	onlySend, onlyReceive := -1, -1
	for r := range ops {
		sends, receives := 0, 0
		for _, op := range ops[r] {
			switch op.Kind {
			case workloads.Send, workloads.Isend:
				sends++
				sent[r] += op.Size
				largest = max(largest, op.Size)
			case workloads.Recv, workloads.Irecv:
				receives++
				received[r] += op.Size
			case workloads.Wait, workloads.Waitall:
			default:
				return nil // work, or an operation outside of a call
			}
		}
		if receives == 0 && onlySend < 0 {
			onlySend = r
		}
		if sends == 0 && onlyReceive < 0 {
			onlyReceive = r
		}
	}
	var calls []smpi.Call
	add := func(o smpi.Operation, root int, size units.Bytes) {
		if root < 0 || size != units.Bytes(math.Trunc(float64(size))) || size > math.MaxInt32 {
			return
		}
		count := int64(size)
		c := smpi.Call{Operation: o, Ranks: p, Root: root, SendCount: count, RecvCount: count, SendElement: 1,
			RecvElement: 1}
		if o == smpi.ReduceScatter {
			for range p {
				c.RecvCounts = append(c.RecvCounts, count)
			}
		}
		calls = append(calls, c)
	}
	others := units.Bytes(p - 1)
	if largest == 0 {
		add(smpi.Barrier, 0, 0)
		return calls
	}
	if onlySend >= 0 {
		add(smpi.Bcast, onlySend, received[(onlySend+1)%p])
		add(smpi.Scatter, onlySend, sent[onlySend]/others)
	}
	if onlyReceive >= 0 {
		add(smpi.Reduce, onlyReceive, largest)
		add(smpi.Gather, onlyReceive, received[onlyReceive]/others)
	}
	add(smpi.Alltoall, 0, sent[0]/others) // before SMPI's allgather by ring, which has the same messages
	add(smpi.Allgather, 0, received[0]/others)
	add(smpi.ReduceScatter, 0, sent[0]/others)
	add(smpi.Allreduce, 0, largest)
	add(smpi.Allreduce, 0, sent[0]*units.Bytes(p)/(2*others))
	add(smpi.Scan, 0, largest)
	return calls
}

// actionOf writes a call without work.
func actionOf(c smpi.Call) string {
	switch c.Operation {
	case smpi.Barrier:
		return "barrier"
	case smpi.Bcast:
		return fmt.Sprintf("bcast %d %d", c.SendCount, c.Root)
	case smpi.Reduce:
		return fmt.Sprintf("reduce %d 0 %d", c.SendCount, c.Root)
	case smpi.Allreduce:
		return fmt.Sprintf("allreduce %d 0", c.SendCount)
	case smpi.Scan:
		return fmt.Sprintf("scan %d 0", c.SendCount)
	case smpi.Gather, smpi.Scatter:
		return fmt.Sprintf("%v %d %d %d", c.Operation, c.SendCount, c.RecvCount, c.Root)
	case smpi.ReduceScatter:
		return "reducescatter" + strings.Repeat(fmt.Sprintf(" %d", c.RecvCounts[0]), c.Ranks) + " 0"
	}
	return fmt.Sprintf("%v %d %d", c.Operation, c.SendCount, c.RecvCount)
}

// Collective writes an action that [Natives.Find] has found as the next one of a rank.
func (t *Writer) Collective(rank int, action string) { t.ranks[rank].action(action) }
