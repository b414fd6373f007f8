package formula

import (
	"fmt"
	"strings"
)

// NodeKind says what a [Node] is.
type NodeKind uint8

// The kinds of node.
const (
	Literal     NodeKind = iota + 1 // a number: Value, with Unit if it has one
	Quoted                          // a text: Text
	Name                            // a name: Text
	Operation                       // an operator on one or two operands: Text
	Call                            // a function: Text
	List                            // the elements of a list, on the right of "in"
	Conditional                     // condition, value if it holds, value otherwise
	constant                        // true or false: Value is 1 or 0
)

// Node is a part of an expression whose names and functions have not been looked up.
type Node struct {
	Kind      NodeKind
	Text      string // the name, the operator, the function or the text; the number as written
	Unit      string
	Value     float64
	Args      []*Node // operands, arguments or elements
	Character int     // place in the text, from 1
}

// maxText bounds an expression, in bytes. It keeps compiling and evaluation short.
const maxText = 1000

// levels are the operators on two operands, those that bind least first. Signs bind more
// strongly than these, and powers more strongly than signs.
var levels = [][]string{
	{"or"},
	{"and"},
	{"==", "!=", "<", "<=", ">", ">=", "in", "not", "contains", "startsWith", "endsWith", "matches"},
	{"+", "-"},
	{"*", "/", "%"},
}

const comparisonLevel = 2

// parser reads by recursive descent, and stops at the first problem.
type parser struct {
	lexer
	token token
	err   *Error
}

func parse(text string) (*Node, *Error) {
	switch {
	case strings.TrimSpace(text) == "":
		return nil, &Error{Problem: "the expression is empty"}
	case len(text) > maxText:
		return nil, &Error{Problem: fmt.Sprintf("the expression has %d bytes", len(text)), Expected: fmt.Sprintf("at most %d", maxText)}
	}
	p := &parser{lexer: lexer{text: text}}
	p.advance()
	n := p.choice()
	if p.token.kind != atEnd {
		p.unexpected("an operator or the end")
	}
	return n, p.err
}

func (p *parser) advance() {
	t, err := p.lexer.token()
	if err != nil {
		p.fail(err)
	}
	p.token = t // with a problem, the end: reading stops
}

func (p *parser) fail(e *Error) {
	if p.err == nil {
		p.err = e
	}
}

func (p *parser) unexpected(expected string) {
	e := &Error{Problem: fmt.Sprintf("unexpected %q", oneLine(p.token.text)), Character: p.token.at, Expected: expected}
	if p.token.kind == atEnd {
		e.Problem = "the expression ends too early"
	}
	p.fail(e)
	p.token, p.text = token{at: p.token.at}, ""
}

// is reports whether the next token is one of some operators.
func (p *parser) is(operators ...string) bool {
	for _, o := range operators {
		if p.token.kind == operator && p.token.text == o {
			return true
		}
	}
	return false
}

// expect takes an operator that must come next.
func (p *parser) expect(o, expected string) {
	if !p.is(o) {
		p.unexpected(expected)
		return
	}
	p.advance()
}

func (p *parser) choice() *Node {
	n := p.binary(0)
	if !p.is("?") {
		return n
	}
	at := p.token.at
	p.advance()
	yes := p.choice()
	p.expect(":", "a colon and the value otherwise, as in a > b ? a : b")
	return &Node{Kind: Conditional, Args: []*Node{n, yes, p.choice()}, Character: at}
}

// binary reads operators of a level and above, from left to right.
func (p *parser) binary(level int) *Node {
	if level == len(levels) {
		return p.sign()
	}
	if level == comparisonLevel && p.is("not") { // not a == b is not (a == b)
		at := p.token.at
		p.advance()
		return &Node{Kind: Operation, Text: "not", Args: []*Node{p.binary(level)}, Character: at}
	}
	n := p.binary(level + 1)
	for p.is(levels[level]...) {
		o, at := p.token.text, p.token.at
		p.advance()
		if o == "not" { // a not in b
			if !p.is("in") {
				p.unexpected("in, as in a not in [1, 2]")
			}
			p.advance()
			in := &Node{Kind: Operation, Text: "in", Args: []*Node{n, p.binary(level + 1)}, Character: at}
			n = &Node{Kind: Operation, Text: "not", Args: []*Node{in}, Character: at}
			continue
		}
		n = &Node{Kind: Operation, Text: o, Args: []*Node{n, p.binary(level + 1)}, Character: at}
	}
	return n
}

// sign reads an operand with its signs and powers. Powers associate to the right.
func (p *parser) sign() *Node {
	at := p.token.at
	for _, o := range []string{"-", "+", "!"} {
		if p.is(o) {
			p.advance()
			if o == "!" {
				o = "not"
			}
			return &Node{Kind: Operation, Text: o, Args: []*Node{p.sign()}, Character: at}
		}
	}
	n := p.operand()
	if !p.is("^") {
		return n
	}
	at = p.token.at
	p.advance()
	return &Node{Kind: Operation, Text: "^", Args: []*Node{n, p.sign()}, Character: at}
}

func (p *parser) operand() *Node {
	t := p.token
	n := &Node{Text: t.text, Unit: t.unit, Value: t.value, Character: t.at}
	switch {
	case t.kind == aNumber:
		n.Kind = Literal
	case t.kind == aText:
		n.Kind = Quoted
	case p.is("true", "false"):
		n.Kind = constant
		if t.text == "true" {
			n.Value = 1
		}
	case t.kind == aName:
		n.Kind = Name
		p.advance()
		if p.is("(") {
			n.Kind, n.Args = Call, p.list(")")
		}
		return n
	case p.is("["):
		n.Kind, n.Args = List, p.list("]")
		return n
	case p.is("("):
		p.advance()
		n = p.choice()
		p.expect(")", "as many ) as (")
		return n
	default:
		p.unexpected("a number, a name or a function")
		n.Kind = Literal
		return n
	}
	p.advance()
	return n
}

// list reads elements between brackets; the opening bracket comes next.
func (p *parser) list(end string) []*Node {
	p.advance()
	var all []*Node
	for !p.is(end) && p.err == nil {
		if len(all) > 0 {
			p.expect(",", "a comma or "+end)
		}
		all = append(all, p.choice())
	}
	p.advance()
	return all
}
