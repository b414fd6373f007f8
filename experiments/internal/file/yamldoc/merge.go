package yamldoc

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
		if old := n.get(e.key); old != nil {
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
