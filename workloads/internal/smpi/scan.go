package smpi

// scanLinear is the only way of SMPI to carry out scan and exscan: every rank
// starts its receives from all ranks below it, then its messages to all above,
// both in rank order, and waits for them one by one.
func scanLinear(q *Sequence) {
	size := q.bytes(q.count)
	n := q.ranks() - 1
	if i, ok := q.in(n, 1); ok {
		if i < q.rank() {
			q.irecv(i, i, size)
		} else {
			q.isend(i, i+1, size)
		}
	}
	if i, ok := q.in(n, 1); ok {
		q.wait(i)
	}
}
