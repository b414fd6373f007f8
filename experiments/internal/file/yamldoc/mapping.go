package yamldoc

import (
	"iter"
	"slices"

	"github.com/isoscale/isoscale/internal/each"
)

// Mapping hands out the values of a mapping and remembers which keys were
// asked for.
type Mapping struct {
	d     *Decoder
	node  *Node // nil when there is no mapping: everything is absent and no problem
	known []string
	usual [8]string // room for the known keys of most mappings
}

// Mapping records a problem if n is present and not a mapping. What names the
// thing that the mapping describes: "a workload". The result is never nil; for an
// absent or wrong node it is empty and reports nothing, so that one mistake gives
// one message.
func (d *Decoder) Mapping(n *Node, what string) *Mapping {
	m := &Mapping{d: d}
	switch {
	case n == nil:
	case n.kind == mapping:
		m.node, m.known = n, m.usual[:0]
	default:
		d.mismatch(n, "", "a mapping that describes "+what)
	}
	return m
}

// Entries are the keys of a mapping, which the file chooses, and their values, in its order. What is as for
// [Decoder.Mapping].
func (d *Decoder) Entries(n *Node, what string) iter.Seq2[string, *Node] {
	return func(yield func(key string, value *Node) bool) {
		if d.Mapping(n, what).node == nil {
			return
		}
		for _, e := range n.entries {
			if !yield(e.key, e.value) {
				return
			}
		}
	}
}

// Take returns the value of key, or nil when it is absent, and marks the key
// as known.
func (m *Mapping) Take(key string) *Node {
	if m.node == nil {
		return nil
	}
	if !slices.Contains(m.known, key) {
		m.known = append(m.known, key)
	}
	return m.node.Value(key)
}

// Require is Take for a key that must be there. Want says what its value
// should be.
func (m *Mapping) Require(key, want string) *Node {
	n := m.Take(key)
	if n == nil && m.node != nil {
		m.d.Fail(m.node, "missing key "+quote(key), want)
	}
	return n
}

// Keys returns the keys in file order.
func (m *Mapping) Keys() []string {
	if m.node == nil {
		return nil
	}
	return each.Of(m.node.entries, func(e entry) string { return e.key })
}

// Done records a problem for every key that was never taken.
func (m *Mapping) Done() {
	if m.node == nil {
		return
	}
	for _, e := range m.node.entries {
		if !slices.Contains(m.known, e.key) {
			m.d.failAt(e.pos, m.node.Path(), "unknown key "+quote(e.key), suggest(e.key, m.known))
		}
	}
}
