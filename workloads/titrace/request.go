package titrace

// maxOpen is how many requests a rank may have open.
const maxOpen = 1 << 24

// key is what a trace knows a request by. The source is workloads.AnySource
// for a receive from any rank, the tag workloads.AnyTag for one of any tag.
type key struct{ src, dst, tag int32 }

// requests are the open requests of a rank. Several of one key are found in
// the order in which they were added.
//
// The name of a request is its place in next, so names are small and are used
// again.
type requests struct {
	byKey map[key]queue
	next  []int32 // by name: the next of the same key; or of those that are free
	free  int32   // the first name that is free, -1 if there is none
	open  int
}

// queue is the first and the last request of a key.
type queue struct{ head, tail int32 }

// add returns the name of a new request.
func (r *requests) add(k key) (name int32, ok bool) {
	switch {
	case r.byKey == nil:
		r.byKey, r.free = map[key]queue{}, -1
		fallthrough
	case r.free < 0:
		if len(r.next) == maxOpen {
			return 0, false
		}
		name = int32(len(r.next))
		r.next = append(r.next, -1)
	default:
		name = r.free
		r.free = r.next[name]
		r.next[name] = -1
	}
	r.open++
	r.push(k, name)
	return name, true
}

// push puts a request behind the others of its key.
func (r *requests) push(k key, name int32) {
	q, ok := r.byKey[k]
	if ok {
		r.next[q.tail] = name
		q.tail = name
	} else {
		q = queue{name, name}
	}
	r.byKey[k] = q
}

// pop takes the first request of a key out of its queue.
func (r *requests) pop(k key) (name int32, ok bool) {
	q, ok := r.byKey[k]
	if !ok {
		return 0, false
	}
	name = q.head
	if name == q.tail {
		delete(r.byKey, k)
	} else {
		q.head = r.next[name]
		r.byKey[k] = q
	}
	return name, true
}

// close ends the first request of a key.
func (r *requests) close(k key) (name int32, ok bool) {
	if name, ok = r.pop(k); ok {
		r.next[name] = r.free
		r.free = name
		r.open--
	}
	return name, ok
}

// rotate returns the first request of a key and makes it the last.
func (r *requests) rotate(k key) (name int32, ok bool) {
	if name, ok = r.pop(k); ok {
		r.next[name] = -1
		r.push(k, name)
	}
	return name, ok
}

// reset ends all.
func (r *requests) reset() {
	if r.byKey == nil {
		return
	}
	clear(r.byKey)
	r.next, r.free, r.open = r.next[:0], -1, 0
}
