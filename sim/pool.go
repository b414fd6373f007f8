package sim

// pool hands out records by index, so that they can refer to each other without
// pointers: a simulation in its steady state allocates nothing, and the garbage
// collector has nothing to follow.
type pool[T any] struct {
	rec  []T
	link links   // of each record, while it is in a queue
	free []int32 // indices of records that are not in use, taken from the end
}

// newPool returns a pool with room for n records. Room that is not used costs
// addresses, not memory; growing leaves memory behind.
func newPool[T any](n int32) pool[T] {
	return pool[T]{rec: make([]T, 0, n), link: make(links, 0, n), free: make([]int32, 0, n)}
}

// get returns the index of a free record, with whatever it held before. It may
// move all records: no pointer into rec survives it.
func (p *pool[T]) get() int32 {
	if n := len(p.free); n > 0 {
		i := p.free[n-1]
		p.free = p.free[:n-1]
		return i
	}
	var zero T
	p.rec = append(p.rec, zero)
	p.link = append(p.link, none)
	return int32(len(p.rec) - 1)
}

// put frees a record, which must not be in a queue.
func (p *pool[T]) put(i int32) { p.free = append(p.free, i) }
