package expression

import (
	"fmt"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/formula"
)

// Expression is a compiled expression: instructions for a machine with a small stack.
// An absent expression is nil.
type Expression struct {
	text  string
	code  []step
	on    dependence
	truth bool // it is a condition, with the value 1 or 0
}

// String returns the text of the expression.
func (e *Expression) String() string { return e.text }

// DependsOnProcesses reports whether the value depends on how many processes there are
// or on which of them it is for.
func (e *Expression) DependsOnProcesses() bool { return e.on&(onProcesses|onRank) != 0 }

// Constant reports whether the value is the same for all processes at all times.
func (e *Expression) Constant() bool { return e.on.constant() }

// Steady reports whether the value stays the same for a process.
func (e *Expression) Steady() bool { return e.on.steady() }

// Draws reports whether the value is random.
func (e *Expression) Draws() bool { return e.on&onDraw != 0 }

// Varies reports whether the value depends on from or to.
func (e *Expression) Varies() bool { return e.on&onPeer != 0 }

// Constant returns the expression for a number.
func Constant(v float64, text string) *Expression {
	return &Expression{text: text, code: []step{{op: push, v: v}}}
}

// step is an instruction of an expression.
type step struct {
	op opcode
	a  int32 // what it works on: see the instructions
	v  float64
	f  func(x, y float64) (float64, error)
}

type opcode uint8

const (
	push       opcode = iota // v
	global                   // a: number of the constant
	table                    // a: number of the name under let
	rank                     //
	speed                    // marked speed of the process
	index                    // a: number of the loop
	from                     //
	to                       //
	task                     //
	coordinate               // a: axis
	negate                   //
	not                      //
	add                      // the others take their operands from the stack
	subtract
	multiply
	divide
	power
	square
	cube
	equal
	unequal
	less
	lessEqual
	greater
	greaterEqual
	call1     // f
	call2     // f
	jump      // a: to this step
	jumpFalse // a: likewise, if the top is 0, which is taken
	duplicate
	drop
	share      // a: axis; n is on the stack
	speedShare // a: number of the split by speed
	portion    // a: distribution
	owner      // a: distribution; the item is on the stack
	after      // a: likewise
	of         // a: number of the name under let; the process is on the stack
	neighbour  // a: the distances are on the stack, one for each axis; 1: around
	uniform    // a: place in the file
	gaussian   // a: likewise
	exponent   // a: likewise
)

// maxStack is the size of the machine's stack.
const maxStack = 32

// compiler turns the tree of an expression into instructions.
type compiler struct {
	scope *Scope
	code  []step
	on    dependence
	depth int // of the stack
	err   *Error
}

// Error is one line about what is wrong with an expression.
type Error struct {
	What  formula.Error
	Known []string // what could stand in the place of the unknown word
}

func (e *Error) Error() string { return e.What.Error() }

func (e *Error) Unwrap() error { return &e.What }

func (c *compiler) fail(n *formula.Node, problem, expected string) {
	if c.err == nil {
		c.err = &Error{What: formula.Error{Problem: problem, Character: n.Character, Expected: expected}}
	}
}

// unknown reports a word that is none of those known.
func (c *compiler) unknown(n *formula.Node, problem string, known []string) {
	if c.err == nil {
		c.err = &Error{formula.Error{Problem: problem, Character: n.Character, Expected: "one of " + strings.Join(known, ", "), Unknown: n.Text}, known}
	}
}

// emit adds an instruction that leaves so many values more on the stack.
func (c *compiler) emit(n *formula.Node, s step, more int) {
	c.code = append(c.code, s)
	if c.depth += more; c.depth > maxStack {
		c.fail(n, "nested too deeply", fmt.Sprintf("at most %d values at a time", maxStack))
	}
}

// aim makes earlier jumps lead to the next instruction.
func (c *compiler) aim(jumps ...int) {
	for _, at := range jumps {
		c.code[at].a = int32(len(c.code))
	}
}

// number compiles a node that must be a number, truth one that must be a condition.
func (c *compiler) number(n *formula.Node) {
	if c.value(n) && c.err == nil {
		c.fail(n, "this is true or false", "a number")
	}
}

func (c *compiler) truth(n *formula.Node) {
	if !c.value(n) && c.err == nil {
		c.fail(n, "this is a number", "a condition such as rank == 0")
	}
}

// value compiles any node and reports whether it is a condition.
func (c *compiler) value(n *formula.Node) (truth bool) {
	if c.err != nil {
		return false
	}
	switch n.Kind {
	case formula.Literal, formula.Truth:
		c.emit(n, step{op: push, v: n.Value}, 1)
		return n.Kind == formula.Truth
	case formula.Name:
		c.name(n)
		return false
	case formula.Call:
		c.call(n)
		return false
	case formula.Conditional:
		return c.conditional(n)
	case formula.Operation:
		return c.operation(n)
	}
	c.fail(n, "a list stands alone", "a list only after in, as in rank in [0, 1]")
	return false
}

var arithmetic = map[string]opcode{"+": add, "-": subtract, "*": multiply, "/": divide, "^": power}

var comparisons = map[string]opcode{"==": equal, "!=": unequal, "<": less, "<=": lessEqual, ">": greater, ">=": greaterEqual}

func (c *compiler) operation(n *formula.Node) (truth bool) {
	a := n.Args
	switch {
	case n.Text == "not":
		c.truth(a[0])
		c.emit(n, step{op: not}, 0)
		return true
	case n.Text == "and" || n.Text == "or":
		c.either(n)
		return true
	case n.Text == "in":
		c.membership(n)
		return true
	case len(a) == 1:
		c.number(a[0])
		if n.Text == "-" {
			c.emit(n, step{op: negate}, 0)
		}
		return false
	}
	c.number(a[0])
	if op, ok := smallPower(n); ok {
		c.emit(n, step{op: op}, 0)
		return false
	}
	c.number(a[1])
	if op, ok := arithmetic[n.Text]; ok {
		c.emit(n, step{op: op}, -1)
		return false
	}
	c.emit(n, step{op: comparisons[n.Text]}, -1)
	return true
}

// smallPower tells squares and cubes, for which multiplication is faster.
func smallPower(n *formula.Node) (opcode, bool) {
	if n.Text == "^" && n.Args[1].Kind == formula.Literal {
		switch n.Args[1].Value {
		case 2:
			return square, true
		case 3:
			return cube, true
		}
	}
	return 0, false
}

// either compiles "and" and "or", which look at their second operand only if the first
// does not decide.
func (c *compiler) either(n *formula.Node) {
	c.truth(n.Args[0])
	decided := c.jumpKeeping(n, n.Text == "and")
	c.truth(n.Args[1])
	c.aim(decided)
}

// jumpKeeping adds a jump that keeps the condition on the stack if it is taken, which it
// is if the condition does not hold, or if it does. It returns the place of the jump.
func (c *compiler) jumpKeeping(n *formula.Node, ifFalse bool) int {
	c.emit(n, step{op: duplicate}, 1)
	if !ifFalse {
		c.emit(n, step{op: not}, 0)
	}
	at := len(c.code)
	c.emit(n, step{op: jumpFalse}, -1)
	c.emit(n, step{op: drop}, -1)
	return at
}

// membership compiles "a in [b, c]" as "a == b or a == c".
func (c *compiler) membership(n *formula.Node) {
	list := n.Args[1]
	if list.Kind != formula.List || len(list.Args) == 0 {
		c.fail(list, "this is no list", "a list of numbers after in, as in rank in [0, 1]")
		return
	}
	var found []int
	for i, x := range list.Args {
		c.number(n.Args[0])
		c.number(x)
		c.emit(n, step{op: equal}, -1)
		if i < len(list.Args)-1 {
			found = append(found, c.jumpKeeping(n, false))
		}
	}
	c.aim(found...)
}

func (c *compiler) conditional(n *formula.Node) (truth bool) {
	c.truth(n.Args[0])
	otherwise := len(c.code)
	c.emit(n, step{op: jumpFalse}, -1)
	first := c.value(n.Args[1])
	end := len(c.code)
	c.emit(n, step{op: jump}, -1) // the other value takes the place of the first
	c.aim(otherwise)
	if second := c.value(n.Args[2]); first != second {
		c.fail(n, "one of the two values is a number and the other true or false", "two numbers or two conditions")
	}
	c.aim(end)
	return first
}

// name compiles a name.
func (c *compiler) name(n *formula.Node) {
	s, on, ok := c.scope.lookup(n.Text)
	if !ok {
		c.scope.unknown(c, n)
		return
	}
	c.on |= on
	c.emit(n, s, 1)
}

// call compiles a function of the language or of applications.
func (c *compiler) call(n *formula.Node) {
	if f, args := formula.Function(n.Text); f != nil {
		c.plain(n, f, args)
		return
	}
	f, ok := functions[n.Text]
	if !ok {
		c.unknown(n, "unknown function "+n.Text, functionNames())
		return
	}
	f(c, n)
}

// plain compiles a function of the language.
func (c *compiler) plain(n *formula.Node, f func(x, y float64) (float64, error), args int) {
	if len(n.Args) != args && (args != -1 || len(n.Args) == 0) {
		c.fail(n, fmt.Sprintf("%s has %d arguments", n.Text, len(n.Args)), fmt.Sprint(max(1, args)))
		return
	}
	c.number(n.Args[0])
	if args == 1 {
		c.emit(n, step{op: call1, f: f}, 0)
	}
	for _, a := range n.Args[1:] {
		c.number(a)
		c.emit(n, step{op: call2, f: f}, -1)
	}
}

// compile compiles an expression in a scope.
func compile(text string, s *Scope, truth bool) (*Expression, error) {
	tree, err := formula.Parse(text)
	if err != nil {
		return nil, err
	}
	c := &compiler{scope: s}
	if truth {
		c.truth(tree)
	} else {
		c.number(tree)
	}
	if c.err != nil {
		return nil, c.err
	}
	return &Expression{text: text, code: slices.Clip(c.code), on: c.on, truth: truth}, nil
}
