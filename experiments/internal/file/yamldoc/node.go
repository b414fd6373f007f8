package yamldoc

import "github.com/isoscale/isoscale/internal/each"

type kind uint8

const (
	null kind = iota
	scalar
	mapping
	sequence
)

// Node is a value in a document: a scalar, a mapping, a sequence or null. It
// does not change once it is built. The nil *Node stands for an absent
// value: its methods return zero values.
type Node struct {
	pos    Position
	kind   kind
	text   string // of a scalar
	quoted bool   // scalar in quotes or in block style: a string whatever it looks like

	entries []entry // of a mapping or a sequence, in file order

	// The parent, for Path. Storing whole paths would make a deep tree with
	// long keys quadratic in memory.
	parent *Node
	key    string // under which a mapping holds this node
	index  int    // under which a sequence holds it
}

// entry is a value in a collection. In a sequence it has neither a key nor a position of a key.
type entry struct {
	key   string
	pos   Position
	value *Node
}

// Pos returns where the value starts. A key without a value (key:) has the
// position of the key.
func (n *Node) Pos() Position {
	if n == nil {
		return Position{}
	}
	return n.pos
}

// IsNull reports whether n is present and has no value.
func (n *Node) IsNull() bool { return n != nil && n.kind == null }

// IsScalar reports whether n is a text, a number or a bool.
func (n *Node) IsScalar() bool { return n != nil && n.kind == scalar }

func (n *Node) IsMapping() bool { return n != nil && n.kind == mapping }

func (n *Node) IsSequence() bool { return n != nil && n.kind == sequence }

func (n *Node) Has(key string) bool { return n.Value(key) != nil }

// Value returns the value under a key; nil if n is no mapping that has it.
func (n *Node) Value(key string) *Node {
	if !n.IsMapping() {
		return nil
	}
	for _, e := range n.entries {
		if e.key == key {
			return e.value
		}
	}
	return nil
}

// Item returns an element of a sequence, from 0; nil if n is no sequence that has it.
func (n *Node) Item(i int) *Node {
	if !n.IsSequence() || i >= len(n.entries) {
		return nil
	}
	return n.entries[i].value
}

// Text returns the text of a scalar as written, without its quotes, and ""
// for everything else.
func (n *Node) Text() string {
	if n == nil {
		return ""
	}
	return n.text
}

// Plain returns the value as map[string]any, []any, string, float64, int64,
// bool or nil. See the package comment for the type of a scalar. The result is
// the caller's own.
func (n *Node) Plain() any {
	if n == nil {
		return nil
	}
	switch n.kind {
	case scalar:
		if n.quoted {
			return n.text
		}
		return resolve(n.text)
	case mapping:
		m := make(map[string]any, len(n.entries))
		for _, e := range n.entries {
			m[e.key] = e.value.Plain()
		}
		return m
	case sequence:
		return each.Of(n.entries, func(e entry) any { return e.value.Plain() })
	}
	return nil
}

// add appends an entry to a collection under construction.
func (n *Node) add(key string, pos Position, value *Node) {
	value.parent, value.key, value.index = n, key, len(n.entries)
	n.entries = append(n.entries, entry{key, pos, value})
}

// push appends an item to a sequence under construction.
func (n *Node) push(value *Node) { n.add("", Position{}, value) }

// clone copies the tree under n; the copy of n is a root.
func (n *Node) clone() *Node {
	c := new(Node)
	n.copyTo(c)
	return c
}

// copyTo makes c a copy of n and of the tree under it, and leaves c at its place in its own
// tree. The children of a node are one allocation: each point of a study copies its scenario.
func (n *Node) copyTo(c *Node) {
	c.pos, c.kind, c.text, c.quoted = n.pos, n.kind, n.text, n.quoted
	c.entries = nil
	if len(n.entries) == 0 {
		return
	}
	c.entries = make([]entry, 0, len(n.entries))
	children := make([]Node, len(n.entries))
	for i, e := range n.entries {
		e.value.copyTo(&children[i])
		c.add(e.key, e.pos, &children[i])
	}
}

// depth counts the levels of collections under and including n.
func (n *Node) depth() int {
	d := each.Max(0, n.entries, func(e entry) int { return e.value.depth() })
	if n.kind == mapping || n.kind == sequence {
		d++
	}
	return d
}

// Scalar returns a scalar that is in no file, as if it were written without
// quotes.
func Scalar(pos Position, text string) *Node { return &Node{pos: pos, kind: scalar, text: text} }

// List is a key with values from a file that is not YAML.
type List struct {
	Key    string
	Pos    Position
	Values []Value
}

// Value is a scalar and its place.
type Value struct {
	Pos  Position
	Text string
}

// Lists returns a mapping of sequences. Keys must differ.
func Lists(pos Position, lists ...List) *Node {
	root := &Node{pos: pos, kind: mapping}
	for _, l := range lists {
		s := &Node{pos: l.Pos, kind: sequence}
		for _, v := range l.Values {
			s.push(&Node{pos: v.Pos, kind: scalar, text: v.Text})
		}
		root.add(l.Key, l.Pos, s)
	}
	return root
}
