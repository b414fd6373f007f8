package formula

import (
	"fmt"
	"slices"
	"strings"

	"github.com/expr-lang/expr/ast"
)

// operators on numbers and truth values. The remainder % becomes mod.
var operators = []string{
	"+", "-", "*", "/", "%", "^", "**", "==", "!=", "<", "<=", ">", ">=",
	"and", "&&", "or", "||", "not", "!", "in",
}

var textOperators = []string{"contains", "startsWith", "endsWith", "matches"}

// words are the reserved words of the language. Some have no meaning here, but the
// compiler reserves them.
var words = []string{"true", "false", "nil", "let", "if", "else", "and", "or", "not", "in", "contains", "startsWith", "endsWith", "matches"}

// IsWord reports whether a name is reserved: a word of the language or a
// function. The names of an expression must not be words.
func IsWord(name string) bool {
	return slices.Contains(words, name) || isFunction(name)
}

// grammar is a visitor that rejects what is not in the language and makes all
// numbers float64.
type grammar struct {
	*kind
	values Values
	names  []string // that the expression has, in order of their first use
	err    *Error   // the first problem
}

func (g *grammar) fail(n ast.Node, e Error) {
	if g.err == nil {
		e.Character = n.Location().From + 1
		g.err = &e
	}
}

// Visit is called for every node of an expression, for operands before operators.
func (g *grammar) Visit(node *ast.Node) {
	switch n := (*node).(type) {
	case *ast.IntegerNode:
		ast.Patch(node, &ast.FloatNode{Value: float64(n.Value)})
	case *ast.FloatNode, *ast.BoolNode, *ast.ArrayNode, *ast.ConditionalNode:
	case *ast.StringNode:
		if !g.texts {
			g.refuse(n)
		}
	case *ast.CallNode:
		if _, ok := n.Callee.(*ast.IdentifierNode); !ok {
			g.refuse(n)
		}
	case *ast.IdentifierNode:
		g.name(n)
	case *ast.UnaryNode:
		g.operator(n, n.Operator)
	case *ast.BinaryNode:
		g.operator(n, n.Operator)
		if n.Operator == "%" {
			ast.Patch(node, &ast.CallNode{Callee: &ast.IdentifierNode{Value: "mod"}, Arguments: []ast.Node{n.Left, n.Right}})
		}
	default:
		g.refuse(n)
	}
}

func (g *grammar) operator(n ast.Node, operator string) {
	known := operators
	if g.texts {
		known = slices.Concat(operators, textOperators)
	}
	if !slices.Contains(known, operator) {
		g.fail(n, Error{Problem: fmt.Sprintf("%ss have no operator %s", g.noun, operator), Expected: "one of " + strings.Join(known, " ")})
	}
}

func (g *grammar) refuse(n ast.Node) {
	contents := "names, numbers, lists, operators and functions"
	if g.texts {
		contents = "names, numbers, texts, lists, operators and functions"
	}
	g.fail(n, Error{Problem: fmt.Sprintf("%ss have only %s", g.noun, contents)})
}

func (g *grammar) name(n *ast.IdentifierNode) {
	_, ok := g.values[n.Value]
	switch {
	case ok && !slices.Contains(g.names, n.Value):
		g.names = append(g.names, n.Value)
	case !ok && !isFunction(n.Value):
		g.fail(n, Error{Problem: "unknown name " + n.Value, Unknown: n.Value})
	}
}
