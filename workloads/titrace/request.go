package titrace

import "slices"

const (
	// maxOpen is how many requests a rank may have open.
	maxOpen = 1 << 24
	// fewOpen is the number of requests up to which a linear search is faster than a map.
	fewOpen = 16
)

// key identifies a request in a trace. The source is workloads.AnySource for a receive
// from any rank, the tag workloads.AnyTag for any tag.
type key struct{ src, dst, tag int32 }

// requests are the open requests of a rank. Those with the same key are found in the
// order in which they were added.
//
// The name of a request is its index in next, so names are small and are reused.
type requests struct {
	few   []request     // all, while byKey is empty, in the order of their queues
	byKey map[key]queue // all, if not empty
	next  []int32       // by name: the next request of the same key in byKey, or the next free name
	free  int32         // the first free name, -1 if there is none
	open  int
}

type request struct {
	key  key
	name int32
}

// queue is the first and the last request of a key.
type queue struct{ head, tail int32 }

func (r *requests) add(k key) (name int32, ok bool) {
	switch {
	case r.next == nil:
		r.free = -1
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
	}
	r.open++
	r.push(k, name)
	return name, true
}

// push appends a request to the queue of its key.
func (r *requests) push(k key, name int32) {
	if len(r.byKey) == 0 {
		if len(r.few) < fewOpen {
			r.few = append(r.few, request{k, name})
			return
		}
		if r.byKey == nil {
			r.byKey = map[key]queue{}
		}
		for _, f := range r.few {
			r.enqueue(f.key, f.name)
		}
		r.few = r.few[:0]
	}
	r.enqueue(k, name)
}

// enqueue is push for many requests.
func (r *requests) enqueue(k key, name int32) {
	q, ok := r.byKey[k]
	if ok {
		r.next[q.tail] = name
		q.tail = name
	} else {
		q = queue{name, name}
	}
	r.byKey[k] = q
}

// pop removes the first request of a key.
func (r *requests) pop(k key) (name int32, ok bool) {
	if len(r.byKey) == 0 {
		for i := range r.few {
			if r.few[i].key == k {
				name = r.few[i].name
				r.few = slices.Delete(r.few, i, i+1)
				return name, true
			}
		}
		return 0, false
	}
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
		r.push(k, name)
	}
	return name, ok
}

// reset ends all requests.
func (r *requests) reset() {
	clear(r.byKey)
	r.few, r.next, r.free, r.open = r.few[:0], r.next[:0], -1, 0
}
