package yamldoc

// List is a key with values, as a file says that is no YAML.
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
