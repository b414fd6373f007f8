package kernel

// instant is a queue of the ids that are due at one time: ids[next:], first in,
// first out.
type instant struct {
	ids  []int32
	next int
}

func (q *instant) empty() bool { return q.next == len(q.ids) }

// push adds an id at the end.
func (q *instant) push(id int32) {
	if len(q.ids) == cap(q.ids) {
		q.makeRoom()
	}
	q.ids = append(q.ids, id)
}

// pop removes the first id. REQUIRES: the queue is not empty.
func (q *instant) pop() int32 {
	id := q.ids[q.next]
	q.next++
	if q.empty() {
		q.clear()
	}
	return id
}

// clear removes all ids and keeps the memory.
func (q *instant) clear() { q.ids, q.next = q.ids[:0], 0 }

// makeRoom moves the ids to the front of the slice if at least half of it has
// been popped. So the slice grows with the ids that are pending, not with those
// that pass through, and there is at most one move for each pop.
func (q *instant) makeRoom() {
	if q.next < len(q.ids)/2 {
		return
	}
	n := copy(q.ids, q.ids[q.next:])
	q.ids, q.next = q.ids[:n], 0
}
