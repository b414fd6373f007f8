package yamldoc

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// ScalarKey is the key under which Set keeps a string that has to become a
// mapping: with network.latency set to 50 us, "network: hockney" becomes
// "network: {name: hockney, latency: 50 us}".
const ScalarKey = "name"

// setFlag begins the name of the file in positions of nodes that [Node.Set] makes.
const setFlag = "--set "

// Set returns a copy of the tree under n in which the value at path is
// replaced, as by --set path=value on the command line. The value is YAML in one
// line: a scalar or a flow collection, such as 50 us, [1, 2] or {name: gauss}.
//
// Missing keys are created. A null on the path becomes a mapping; a string becomes
// a mapping that keeps it under ScalarKey. Elements of sequences
// are replaced, never added. The copy of n is the root of the new tree. New
// nodes have the position --set path=value:1:column, with the column counted in
// path=value.
func (n *Node) Set(path, value string) (*Node, error) {
	file := setFlag + path + "=" + value
	fail := func(offset int, at, msg, want string) error {
		column := utf8.RuneCountInString(path[:offset]) + 1
		return &Error{Pos: Position{file, 1, column}, Path: at, Msg: msg, Want: want}
	}
	if n == nil {
		return nil, fail(0, "", "there is no document", "a document to change")
	}
	steps, offset, msg := parsePath(path)
	if msg != "" {
		return nil, fail(offset, "", msg, "a path such as systems[2].nodes.blade")
	}
	src := source{file: file, shift: utf8.RuneCountInString(path) + 1}
	v, err := src.value(path, value)
	if err != nil {
		return nil, err
	}
	root := n.clone()
	if at, msg, want := root.assign(steps, v, src.at(1, 1)); msg != "" {
		return nil, fail(0, at, msg, want)
	}
	return root, nil
}

// Change is a value for a path, such as one of a factor of a study.
type Change struct {
	Path  string
	Value *Node
}

// With returns a copy of the tree under n with the changes made one after the
// other, by the rules of [Node.Set]. Errors have the place of the value.
func (n *Node) With(changes ...Change) (*Node, error) {
	root := n.clone()
	for _, c := range changes {
		steps, _, msg := parsePath(c.Path)
		if msg != "" {
			return nil, &Error{Pos: c.Value.Pos(), Path: c.Path, Msg: msg, Want: "a path such as systems[2].nodes.blade"}
		}
		if at, msg, want := root.assign(steps, c.Value, c.Value.Pos()); msg != "" {
			return nil, &Error{Pos: c.Value.Pos(), Path: at, Msg: msg, Want: want}
		}
	}
	return root, nil
}

// assign puts a copy of v at the end of the steps from n, which is part of a
// tree under construction. It returns where it failed, or no message.
func (n *Node) assign(steps []step, v *Node, pos Position) (at, msg, want string) {
	if len(steps)+v.depth() > maxDepth {
		return "", "nested too deeply", depthWant
	}
	cur := n
	for _, s := range steps {
		next, msg, want := cur.child(s, pos)
		if msg != "" {
			return at, msg, want
		}
		cur, at = next, joinPath(at, s)
	}
	v.copyTo(cur)
	return "", "", ""
}

// value reads the text behind the equals sign.
func (s source) value(path, text string) (*Node, error) {
	const want = "a YAML scalar or flow collection in one line"
	bad := func(msg string) error {
		return &Error{Pos: s.at(1, 1), Path: path, Msg: msg, Want: want}
	}
	if strings.ContainsAny(text, "\r\n") {
		return nil, bad("the value has several lines")
	}
	v, err := s.parse([]byte(text))
	if err != nil {
		return nil, err
	}
	if v == nil {
		return nil, bad("there is no value")
	}
	isFlow := strings.HasPrefix(strings.TrimLeft(text, " \t"), "{") || strings.HasPrefix(strings.TrimLeft(text, " \t"), "[")
	if (v.kind == mapping || v.kind == sequence) && !isFlow {
		return nil, bad("the value is a block collection")
	}
	return v, nil
}

// child returns the node that s leads to and creates it if necessary. It changes n, which
// is part of a tree under construction.
func (n *Node) child(s step, pos Position) (child *Node, msg, want string) {
	if s.isIndex {
		if n.kind != sequence {
			return nil, "found " + describe(n), "a sequence"
		}
		if s.index >= len(n.entries) {
			return nil, fmt.Sprintf("there is no element %d", s.index), fmt.Sprintf("an index below %d", len(n.entries))
		}
		return n.entries[s.index].value, "", ""
	}
	switch {
	case n.kind == mapping:
	case n.kind == null:
		(&Node{pos: pos, kind: mapping}).copyTo(n)
	case n.isString():
		old := n.clone()
		(&Node{pos: old.pos, kind: mapping}).copyTo(n)
		n.add(ScalarKey, old.pos, old)
	default:
		return nil, "found " + describe(n), "a mapping"
	}
	child = n.Value(s.key)
	if child == nil {
		child = &Node{pos: pos}
		n.add(s.key, pos, child)
	}
	return child, "", ""
}

func (n *Node) isString() bool {
	if n.kind != scalar {
		return false
	}
	_, ok := n.Plain().(string)
	return ok
}

// Rewritten returns a copy of the tree under n in which some scalars have another text.
// change returns the text of each scalar and is called in the order of the file; positions
// stay. A scalar whose text changes counts as one without quotes.
func (n *Node) Rewritten(change func(n *Node) string) *Node {
	c := n.clone()
	c.parent, c.key, c.index = n.parent, n.key, n.index
	c.rewrite(change)
	return c
}

func (n *Node) rewrite(change func(n *Node) string) {
	if n.kind == scalar {
		if text := change(n); text != n.text {
			n.text, n.quoted = text, false
		}
	}
	for _, e := range n.entries {
		e.value.rewrite(change)
	}
}

// Merge returns a copy of the tree under n changed by over: mappings are merged key
// by key, any other value in over replaces that of n.
// The copy of n is the root of the new tree.
func (n *Node) Merge(over *Node) *Node {
	root := n.clone()
	root.merge(over)
	return root
}

func (n *Node) merge(over *Node) {
	if n.kind != mapping || over.kind != mapping {
		over.copyTo(n)
		return
	}
	for _, e := range over.entries {
		if old := n.Value(e.key); old != nil {
			old.merge(e.value)
		} else {
			n.add(e.key, e.pos, e.value.clone())
		}
	}
}

// Without returns a copy of the mapping n without a key.
func (n *Node) Without(key string) *Node {
	c := &Node{pos: n.pos, kind: n.kind, text: n.text, quoted: n.quoted}
	for _, e := range n.entries {
		if e.key != key {
			c.add(e.key, e.pos, e.value.clone())
		}
	}
	return c
}
