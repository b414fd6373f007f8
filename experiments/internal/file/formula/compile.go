package formula

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Kind is the type of a value.
type Kind uint8

// The types of value.
const (
	IsNumber Kind = iota
	IsTruth       // true or false: the number 1 or 0
	IsText
)

// Meaning is what a name stands for.
type Meaning struct {
	Kind  Kind
	Unit  string // of the number; [Plain] for none, "" where base units are meant
	Load  Step   // puts the value on the stack; of a text, A is its place in [Data.Texts]
	Needs uint8  // what the value depends on, in bits that the scope defines
}

// Scope is what an expression may refer to.
type Scope interface {
	Lookup(name string) (Meaning, bool)
	// Call compiles a function that only the scope has. It reports false for others.
	Call(c *Compiler, n *Node) bool
	// Unknown returns what is wrong with a name or function that is not known.
	Unknown(n *Node) *Error
}

// Expression is a compiled expression: instructions for a machine with a small stack. It
// may be evaluated by several goroutines at once. An absent expression is nil.
type Expression struct {
	text  string
	code  []Step
	tests []textTest
	names []string // in order of their first use
	needs uint8
	bare  bool   // the text is a single number without a unit
	unit  string // of the value
}

func (e *Expression) String() string { return e.text }

// Needs returns what the value depends on, in bits that the scope defines.
func (e *Expression) Needs() uint8 { return e.needs }

// Bare reports whether the expression is a single number without a unit.
func (e *Expression) Bare() bool { return e.bare }

// Unit returns the unit of the value as far as the text and its names tell; "" for none.
func (e *Expression) Unit() string { return e.unit }

func Constant(v float64, text string) *Expression {
	return &Expression{text: text, code: []Step{{Op: push, V: v}}}
}

// Compiler turns the tree of an expression into instructions.
type Compiler struct {
	Needs uint8 // of what has been compiled

	scope Scope
	code  []Step
	tests []textTest
	used  []string // names so far
	depth int      // values on the stack
	in    measure
	err   *Error
}

// Compile compiles an expression in a scope. Its problems are an [Error].
func Compile(text string, s Scope, want Kind) (*Expression, error) {
	n, err := parse(text)
	if err != nil {
		return nil, err
	}
	return compile(text, n, s, want)
}

func compile(text string, n *Node, s Scope, want Kind) (*Expression, error) {
	c := &Compiler{scope: s}
	m := c.measure(n)
	c.in = m
	c.kind(n, want)
	if c.err != nil {
		return nil, c.err
	}
	e := &Expression{text: text, code: slices.Clip(c.code), tests: c.tests, needs: c.Needs}
	if m.unit != Plain && m.unit != various {
		e.unit = m.unit
	}
	sign := n.Kind == Operation && len(n.Args) == 1 && n.Args[0].Kind == Literal
	e.names = c.used
	e.bare = m == measure{} && (n.Kind == Literal || sign)
	return e, nil
}

// Part compiles a part of an expression by itself, nil after a problem.
func (c *Compiler) Part(n *Node) *Expression {
	e, err := compile("", n, c.scope, IsNumber)
	if err != nil && c.err == nil {
		c.err = err.(*Error)
	}
	return e
}

// Fail reports a problem at a node.
func (c *Compiler) Fail(n *Node, problem, expected string) {
	c.fail(&Error{Problem: problem, Character: n.Character, Expected: expected})
}

// Unknown reports a word that is none of those known.
func (c *Compiler) Unknown(n *Node, problem string, known []string) {
	e := unknown(n.Character, problem, n.Text, known)
	e.Problem = problem
	c.fail(e)
}

func (c *Compiler) fail(e *Error) {
	if c.err == nil {
		c.err = e
	}
}

// Emit adds an instruction that makes the stack longer by more values.
func (c *Compiler) Emit(n *Node, s Step, more int) {
	c.code = append(c.code, s)
	if c.depth += more; c.depth > maxStack {
		c.Fail(n, "nested too deeply", fmt.Sprintf("at most %d values at a time", maxStack))
	}
}

// aim makes earlier jumps lead to the next instruction.
func (c *Compiler) aim(jumps ...int) {
	for _, at := range jumps {
		c.code[at].A = int32(len(c.code))
	}
}

// Number compiles a node that must be a number.
func (c *Compiler) Number(n *Node) { c.kind(n, IsNumber) }

// kind compiles a node whose value must be of a type.
func (c *Compiler) kind(n *Node, want Kind) {
	switch found := c.value(n); {
	case found == want || c.err != nil:
	case want == IsTruth && found == IsNumber:
		c.Fail(n, "this is a number", "a condition such as rank == 0")
	case found == IsTruth:
		c.Fail(n, "this is true or false", "a number")
	default:
		c.Fail(n, "this is a text", "a number, or a comparison such as network == 'flow'")
	}
}

// beside compiles nodes of measure m, which must agree with what they stand beside.
func (c *Compiler) beside(m measure, compile func()) {
	before := c.in
	if c.in = beside(m, before); m.named {
		c.in = m
	}
	compile()
	c.in = before
}

// apart compiles nodes of measure m, which may differ from what is around them: a comparison is true or false.
func (c *Compiler) apart(m measure, compile func()) {
	before := c.in
	c.in = m
	compile()
	c.in = before
}

// value compiles any node and returns its type. A text leaves nothing on the stack.
func (c *Compiler) value(n *Node) Kind {
	if c.err != nil {
		return IsNumber
	}
	switch n.Kind {
	case Literal:
		c.Emit(n, Step{Op: push, V: c.literal(n)}, 1)
	case constant:
		c.Emit(n, Step{Op: push, V: n.Value}, 1)
		return IsTruth
	case Quoted:
		return IsText
	case Name:
		return c.name(n)
	case Call:
		c.call(n)
	case Conditional:
		return c.conditional(n)
	case Operation:
		return c.operation(n)
	default:
		c.Fail(n, "a list stands alone", "a list only after in, as in rank in [0, 1]")
	}
	return IsNumber
}

func (c *Compiler) name(n *Node) Kind {
	m, ok := c.scope.Lookup(n.Text)
	if !ok {
		c.fail(c.scope.Unknown(n))
		return IsNumber
	}
	c.Needs |= m.Needs
	m.Load.A = c.place(n.Text, m)
	if m.Kind != IsText {
		c.Emit(n, m.Load, 1)
	}
	return m.Kind
}

// byUse is the place of a name among the data whose scope leaves it to the compiler: names count in order of their use.
const byUse int32 = -1

// place returns the place of the value of a name, which is used here.
func (c *Compiler) place(name string, m Meaning) int32 {
	at := slices.Index(c.used, name)
	if at < 0 {
		at = len(c.used)
		c.used = append(c.used, name)
	}
	if m.Load.A == byUse {
		return int32(at)
	}
	return m.Load.A
}

var arithmetic = map[string]opcode{"+": add, "-": subtract, "*": multiply, "/": divide, "^": power}

var comparisons = map[string]opcode{"==": equal, "!=": unequal, "<": less, "<=": lessEqual, ">": greater, ">=": greaterEqual}

// textTests are the comparisons of texts.
var textTests = map[string]func(a, b string) bool{
	"==":         func(a, b string) bool { return a == b },
	"!=":         func(a, b string) bool { return a != b },
	"contains":   strings.Contains,
	"startsWith": strings.HasPrefix,
	"endsWith":   strings.HasSuffix,
	"matches":    nil, // see pattern
}

func (c *Compiler) operation(n *Node) Kind {
	a := n.Args
	switch o := n.Text; {
	case o == "not":
		c.kind(a[0], IsTruth)
		c.Emit(n, Step{Op: not}, 0)
		return IsTruth
	case o == "and" || o == "or":
		c.kind(a[0], IsTruth)
		decided := c.jumpKeeping(n, o == "and")
		c.kind(a[1], IsTruth)
		c.aim(decided)
		return IsTruth
	case o == "in":
		c.apart(beside(c.measure(a[0]), c.measureAll(a[1].Args)), func() { c.membership(n) })
		return IsTruth
	case len(a) == 1:
		c.Number(a[0])
		if o == "-" {
			c.Emit(n, Step{Op: negate}, 0)
		}
		return IsNumber
	case c.isText(a[0]) || c.isText(a[1]):
		c.compareTexts(n, a[0], a[1])
		return IsTruth
	case o == "*" || o == "/" || o == "^":
		c.product(n)
		return IsNumber
	}
	stand := c.beside
	if comparisons[n.Text] != 0 {
		stand = c.apart
	}
	var kind Kind
	stand(c.measureAll(a), func() { kind = c.sumOrComparison(n) })
	return kind
}

// smallPower recognises squares and cubes, for which multiplication is faster.
func smallPower(n *Node) (opcode, bool) {
	if n.Text == "^" && n.Args[1].Kind == Literal && n.Args[1].Unit == "" {
		switch n.Args[1].Value {
		case 2:
			return square, true
		case 3:
			return cube, true
		}
	}
	return 0, false
}

func (c *Compiler) sumOrComparison(n *Node) Kind {
	first := c.value(n.Args[0])
	second := c.value(n.Args[1])
	op, sum := arithmetic[n.Text]
	switch {
	case c.err != nil:
	case n.Text == "%":
		c.Emit(n, Step{Op: call2, F: mod, A: int32(n.Character)}, -1)
	case first == IsTruth && second == IsTruth && (n.Text == "==" || n.Text == "!="):
		c.Emit(n, Step{Op: comparisons[n.Text]}, -1)
	case first == IsTruth && comparisons[n.Text] != 0 && second == IsNumber:
		c.Fail(n, "a comparison of true or false with a number", "two numbers; a range is written as 1 < n and n < 4")
	case first != IsNumber || second != IsNumber:
		at := n.Args[0]
		if first == IsNumber {
			at = n.Args[1]
		}
		c.Fail(at, "this is true or false", "a number")
	case sum:
		c.Emit(n, Step{Op: op}, -1)
	case comparisons[n.Text] == 0:
		c.Fail(n, n.Text+" of numbers", "a text before and after it, as in network "+n.Text+" 'flow'")
	default:
		c.Emit(n, Step{Op: comparisons[n.Text]}, -1)
	}
	if comparisons[n.Text] != 0 {
		return IsTruth
	}
	return IsNumber
}

// jumpKeeping adds a jump that is taken if the condition on the stack is false or, without
// ifFalse, true. A taken jump keeps the condition. It returns the place of the jump.
func (c *Compiler) jumpKeeping(n *Node, ifFalse bool) int {
	c.Emit(n, Step{Op: duplicate}, 1)
	if !ifFalse {
		c.Emit(n, Step{Op: not}, 0)
	}
	at := len(c.code)
	c.Emit(n, Step{Op: jumpFalse}, -1)
	c.Emit(n, Step{Op: drop}, -1)
	return at
}

// membership compiles "a in [b, c]": the stack has a, whether it was found so far, an element.
func (c *Compiler) membership(n *Node) {
	a, list := n.Args[0], n.Args[1]
	if list.Kind != List || len(list.Args) == 0 {
		c.Fail(list, "this is not a list", "a list after in, as in rank in [0, 1]")
		return
	}
	text := c.isText(a)
	if !text {
		c.Number(a)
	}
	c.Emit(n, Step{Op: push}, 1)
	for _, x := range list.Args {
		if text {
			c.compareTexts(&Node{Text: "==", Character: x.Character}, a, x)
			c.Emit(x, Step{Op: either}, -1)
			continue
		}
		c.Number(x)
		c.Emit(x, Step{Op: found}, -1)
	}
	if !text {
		c.Emit(n, Step{Op: keep}, -1)
	}
}

func (c *Compiler) conditional(n *Node) Kind {
	c.kind(n.Args[0], IsTruth)
	otherwise := len(c.code)
	c.Emit(n, Step{Op: jumpFalse}, -1)
	first := c.value(n.Args[1])
	end := len(c.code)
	c.Emit(n, Step{Op: jump}, -1) // the other value takes the place of the first
	c.aim(otherwise)
	second := c.value(n.Args[2])
	switch {
	case first == IsText || second == IsText:
		c.Fail(n, "one of the two values is a text", "two numbers or two conditions")
	case first != second:
		c.Fail(n, "one of the two values is a number and the other true or false", "two numbers or two conditions")
	}
	c.aim(end)
	return first
}

// call compiles a function of the language or of the scope.
func (c *Compiler) call(n *Node) {
	f := functionOf(n.Text)
	if f == nil {
		if !c.scope.Call(c, n) {
			c.fail(c.scope.Unknown(n))
		}
		return
	}
	if len(n.Args) != f.args && (f.args != -1 || len(n.Args) == 0) {
		c.Fail(n, fmt.Sprintf("%s has %d arguments", n.Text, len(n.Args)), f.Form)
		return
	}
	c.beside(c.measureAll(n.Args), func() {
		c.Number(n.Args[0])
		if f.args == 1 {
			c.Emit(n, Step{Op: call1, F: f.run, A: int32(n.Character)}, 0)
		}
		for _, a := range n.Args[1:] {
			c.Number(a)
			c.Emit(n, Step{Op: call2, F: f.run, A: int32(n.Character)}, -1)
		}
	})
}

// textTest compares two texts.
type textTest struct {
	left, right textOperand
	holds       func(a, b string) bool
}

// textOperand is a text of the expression, or a name with its place among the texts.
type textOperand struct {
	text  string
	place int32 // -1: the operand is the text
}

func (c *Compiler) isText(n *Node) bool {
	if n.Kind == Name {
		m, ok := c.scope.Lookup(n.Text)
		return ok && m.Kind == IsText
	}
	return n.Kind == Quoted
}

func (c *Compiler) compareTexts(n, left, right *Node) {
	t := textTest{holds: textTests[n.Text]}
	for i, a := range []*Node{left, right} {
		if !c.isText(a) {
			c.value(a) // an unknown name is the problem, if it is one
			c.Fail(a, "this is not a text", "a text, which is compared with another one")
			return
		}
		o := textOperand{a.Text, -1}
		if a.Kind == Name {
			m, _ := c.scope.Lookup(a.Text)
			o.place = c.place(a.Text, m)
		}
		if i == 0 {
			t.left = o
		} else {
			t.right = o
		}
	}
	switch _, known := textTests[n.Text]; {
	case !known:
		c.Fail(n, n.Text+" of texts", "one of == != in contains startsWith endsWith matches")
		return
	case t.holds == nil:
		pattern, err := regexp.Compile(t.right.text)
		if err != nil || right.Kind != Quoted {
			c.Fail(right, "this is not a regular expression", "a text such as '^f.*x$'")
			return
		}
		t.holds = func(a, _ string) bool { return pattern.MatchString(a) }
	}
	c.Emit(n, Step{Op: testTexts, A: int32(len(c.tests))}, 1)
	c.tests = append(c.tests, t)
}
