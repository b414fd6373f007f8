package formula

import (
	"fmt"
	"slices"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/conf"
	"github.com/expr-lang/expr/parser"
)

// NodeKind says what a [Node] is.
type NodeKind uint8

// The kinds of node.
const (
	Literal     NodeKind = iota + 1 // a number: Value
	Truth                           // true or false: Value is 1 or 0
	Name                            // a name: Text
	Operation                       // an operator on one or two operands: Text
	Call                            // a function of the language or of the caller: Text
	List                            // the elements of a list, on the right of "in"
	Conditional                     // condition, value if it holds, value otherwise
)

// Node is a part of an expression whose names and functions have not been looked
// up: what [Parse] returns to callers with names of their own.
type Node struct {
	Kind      NodeKind
	Text      string  // the name, the operator or the function
	Value     float64 // of a Literal or a Truth
	Args      []*Node // operands, arguments or elements
	Character int     // place in the text, from 1
}

// Parse returns the tree of an expression without texts. Operators have one
// spelling each: "and", "or", "not", "^", and mod(x, y) for x % y. The error is an
// [Error].
func Parse(text string) (*Node, error) {
	if err := numbers.checkText(text); err != nil {
		return nil, err
	}
	c := conf.CreateNew()
	expr.DisableAllBuiltins()(c)
	expr.MaxNodes(maxNodes)(c)
	tree, err := guard(func() (*parser.Tree, error) { return parser.ParseWithConfig(text, c) })
	if err != nil {
		return nil, problem(fmt.Sprintf("the %s is wrong: ", numbers.noun), err)
	}
	g := &grammar{kind: &numbers}
	n := g.tree(tree.Node)
	if g.err != nil {
		return nil, g.err
	}
	return n, nil
}

// spellings are operators with two forms.
var spellings = map[string]string{"&&": "and", "||": "or", "!": "not", "**": "^"}

// tree converts a node with everything below it, and notes the first part that is
// not in the language.
func (g *grammar) tree(n ast.Node) *Node {
	at := n.Location().From + 1
	operation := func(operator string, args ...ast.Node) *Node {
		g.operator(n, operator)
		if other, ok := spellings[operator]; ok {
			operator = other
		}
		if operator == "%" {
			return &Node{Kind: Call, Text: "mod", Args: g.trees(args), Character: at}
		}
		return &Node{Kind: Operation, Text: operator, Args: g.trees(args), Character: at}
	}
	switch n := n.(type) {
	case *ast.IntegerNode:
		return &Node{Kind: Literal, Value: float64(n.Value), Character: at}
	case *ast.FloatNode:
		return &Node{Kind: Literal, Value: n.Value, Character: at}
	case *ast.BoolNode:
		truth := &Node{Kind: Truth, Character: at}
		if n.Value {
			truth.Value = 1
		}
		return truth
	case *ast.IdentifierNode:
		return &Node{Kind: Name, Text: n.Value, Character: at}
	case *ast.CallNode:
		if f, ok := n.Callee.(*ast.IdentifierNode); ok {
			return &Node{Kind: Call, Text: f.Value, Args: g.trees(n.Arguments), Character: f.Location().From + 1}
		}
	case *ast.ArrayNode:
		return &Node{Kind: List, Args: g.trees(n.Nodes), Character: at}
	case *ast.ConditionalNode:
		return &Node{Kind: Conditional, Args: g.trees([]ast.Node{n.Cond, n.Exp1, n.Exp2}), Character: at}
	case *ast.UnaryNode:
		return operation(n.Operator, n.Node)
	case *ast.BinaryNode:
		return operation(n.Operator, n.Left, n.Right)
	}
	g.refuse(n)
	return &Node{Kind: Literal, Character: at}
}

func (g *grammar) trees(nodes []ast.Node) []*Node {
	all := make([]*Node, 0, len(nodes))
	for _, n := range nodes {
		all = append(all, g.tree(n))
	}
	return slices.Clip(all)
}

// Function returns a function of the language by its name, and how many arguments it
// takes: 1 or 2, and -1 for one or more that are combined from left to right. It is
// nil for a name that is none. An argument without a result gives an error.
func Function(name string) (f func(x, y float64) (float64, error), args int) {
	for _, f := range functions {
		if f.name == name {
			return f.run, f.args
		}
	}
	return nil, 0
}
