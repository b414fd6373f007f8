package yamldoc

// Rewritten returns a copy of the tree under n in which some scalars have another text.
// change is asked for the text of each scalar, in the order of the file; the places of
// nodes stay. A scalar with another text is as one without quotes.
func (n *Node) Rewritten(change func(n *Node) string) *Node {
	c := n.clone()
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
	for _, item := range n.items {
		item.rewrite(change)
	}
}
