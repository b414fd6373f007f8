package sim

// pool hands out records by index, so that they can refer to each other without
// pointers: a simulation in its steady state allocates nothing, and the garbage
// collector has nothing to follow. The zero value is an empty pool.
//
// A record that is in use may be in one queue: see links.
type pool[T any] struct {
	rec  []T
	link links // of each record, in its queue or in the list of free records
	free int32 // first free record + 1, or 0; links in the list of free records count likewise
}

// newPool returns a pool with room for n records. Room that is not used costs
// addresses, not memory; growing leaves memory behind.
func newPool[T any](n int32) pool[T] {
	return pool[T]{rec: make([]T, 0, n), link: make(links, 0, n)}
}

// get returns the index of a free record, with whatever it held before. It may
// move all records: no pointer into rec survives it.
func (p *pool[T]) get() int32 {
	if p.free > 0 {
		i := p.free - 1
		p.free = p.link[i]
		return i
	}
	var zero T
	p.rec = append(p.rec, zero)
	p.link = append(p.link, 0)
	return int32(len(p.rec) - 1)
}

// put frees a record, which must not be in a queue.
func (p *pool[T]) put(i int32) { p.link[i], p.free = p.free, i+1 }
