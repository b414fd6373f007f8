package smpi

// fanOut is the base of the k-nomial trees of MVAPICH2 in SMPI.
const fanOut = 4

// knomialNode returns the parent of relative rank v in the 4-nomial tree, and the
// smallest power of 4 that is not a distance to children. The parent is v with its
// last digit to base 4 that is not 0 set to 0; the children are v with one of the zeros
// behind that digit set to 1, 2 or 3.
func knomialNode(v, p int) (parent, distance int) {
	distance = 1
	for distance < p && v%(fanOut*distance) == 0 {
		distance *= fanOut
	}
	return v - v%(fanOut*distance), distance
}

// reduceKnomial is mvapich2_knomial: up the 4-nomial tree. A rank posts the receives
// from all its children: those that differ in the last digit first, and of these the
// largest one first. When all have come, it starts its message to the parent and waits
// for it. Without data there are no messages.
func reduceKnomial(q *Sequence) {
	if q.count == 0 {
		return
	}
	size := q.bytes(q.count)
	v, p := q.relative(), q.ranks()
	parent, distance := knomialNode(v, p)
	request := 0
	for d := 1; d < distance; d *= fanOut {
		for k := fanOut - 1; k > 0; k-- {
			if child := v + k*d; child < p {
				q.irecv(request, q.absolute(child), size)
				request++
			}
		}
	}
	if request > 0 {
		q.waitall()
	}
	if v > 0 {
		q.isend(0, q.absolute(parent), size)
		q.waitall()
	}
}
