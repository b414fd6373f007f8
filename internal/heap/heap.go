package heap

// Heap keeps the value that comes before all others at its top.
type Heap[T any] struct {
	before func(a, b *T) bool
	values []T
}

// By returns an empty heap. before must be a strict weak order and does not change the values.
func By[T any](before func(a, b *T) bool) Heap[T] { return Heap[T]{before: before} }

func (h *Heap[T]) Len() int { return len(h.values) }

// Top returns the value that comes before all others. Whoever changes it calls [Heap.Sink] then. REQUIRES: there is one.
func (h *Heap[T]) Top() *T { return &h.values[0] }

// Push adds a value.
func (h *Heap[T]) Push(x T) {
	h.values = append(h.values, x)
	for i := len(h.values) - 1; i > 0; {
		above := (i - 1) / 2
		if !h.before(&h.values[i], &h.values[above]) {
			break
		}
		h.values[i], h.values[above] = h.values[above], h.values[i]
		i = above
	}
}

// Pop removes the top and returns it. REQUIRES: there is one.
func (h *Heap[T]) Pop() T {
	top, last := h.values[0], len(h.values)-1
	h.values[0] = h.values[last]
	h.values = h.values[:last]
	h.Sink()
	return top
}

// Sink moves the top to its place, after it has come to be behind others.
func (h *Heap[T]) Sink() {
	for i := 0; ; {
		below := 2*i + 1
		if below >= len(h.values) {
			return
		}
		if below+1 < len(h.values) && h.before(&h.values[below+1], &h.values[below]) {
			below++
		}
		if !h.before(&h.values[below], &h.values[i]) {
			return
		}
		h.values[i], h.values[below] = h.values[below], h.values[i]
		i = below
	}
}
