package yamldoc

import (
	"fmt"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// builder turns goccy's tree into ours and collects the problems on the way.
type builder struct {
	source
	problems Problems
}

func (b *builder) fail(pos Position, path, msg, want string) {
	b.problems = append(b.problems, &Error{Pos: pos, Path: path, Msg: msg, Want: want})
}

// node converts n, which is nested in depth collections. A value that is not
// written at all gets the position absent.
func (b *builder) node(n ast.Node, absent Position, depth int) *Node {
	switch n := n.(type) {
	case *ast.MappingNode:
		return b.mapping(n, depth)
	case *ast.SequenceNode:
		return b.sequence(n, depth)
	case *ast.LiteralNode:
		return &Node{pos: b.token(n.Start), kind: scalar, text: n.Value.Value, quoted: true}
	case *ast.NullNode:
		if n.Token.Type == token.ImplicitNullType {
			return &Node{pos: absent}
		}
		return &Node{pos: b.token(n.Token)}
	}
	if text, quoted, ok := scalarText(n); ok {
		return &Node{pos: b.token(n.GetToken()), kind: scalar, text: text, quoted: quoted}
	}
	b.fail(absent, "", "not valid YAML: misplaced "+n.Type().YAMLName(), "a value")
	return &Node{pos: absent}
}

// scalarText returns the text as written. Goccy has already guessed a type, by
// rules that mix YAML 1.1 and 1.2; only the text counts.
func scalarText(n ast.Node) (text string, quoted, ok bool) {
	switch n.(type) {
	case *ast.StringNode, *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode,
		*ast.InfinityNode, *ast.NanNode, *ast.NullNode:
	default:
		return "", false, false
	}
	tk := n.GetToken()
	quoted = tk.Type == token.SingleQuoteType || tk.Type == token.DoubleQuoteType
	return tk.Value, quoted, true
}

func (b *builder) mapping(n *ast.MappingNode, depth int) *Node {
	m := &Node{kind: mapping, pos: b.token(n.Start)}
	if !n.IsFlowStyle && len(n.Values) > 0 {
		m.pos = b.token(n.Values[0].Key.GetToken()) // Start is the colon
	}
	if b.tooDeep(m, depth) {
		return m
	}
	if len(n.Values) > maxKeys {
		b.fail(m.pos, "", "too many keys in a mapping", keysWant)
		return m
	}
	seen := make(map[string]Position, len(n.Values))
	for _, v := range n.Values {
		pos := b.token(v.Key.GetToken())
		key, _, ok := scalarText(v.Key)
		if !ok {
			b.fail(pos, "", "the key is not a scalar", "a name as key")
			continue
		}
		value := b.node(v.Value, pos, depth+1)
		if first, ok := seen[key]; ok {
			b.fail(pos, "", fmt.Sprintf("duplicate key %s, first given in line %d", quote(key), first.Line), "every key once")
			continue
		}
		seen[key] = pos
		m.add(key, pos, value)
	}
	return m
}

func (b *builder) sequence(n *ast.SequenceNode, depth int) *Node {
	s := &Node{kind: sequence, pos: b.token(n.Start)}
	if b.tooDeep(s, depth) {
		return s
	}
	for i, v := range n.Values {
		absent := s.pos
		if i < len(n.Entries) && n.Entries[i].Start != nil {
			absent = b.token(n.Entries[i].Start)
		}
		s.push(b.node(v, absent, depth+1))
	}
	return s
}

func (b *builder) tooDeep(n *Node, depth int) bool {
	if depth < maxDepth {
		return false
	}
	b.fail(n.pos, "", "nested too deeply", depthWant)
	return true
}
