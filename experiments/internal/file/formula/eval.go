package formula

import "math"

// Step is an instruction of an expression. A scope makes the instructions that load what
// its names stand for, and those that its functions are compiled to.
type Step struct {
	Op opcode
	// Code says which function of a [Host] is meant. A and V are parameters of the instruction.
	Code uint8
	A    int32
	V    float64
	F    func(x, y float64) (float64, error)
}

type opcode uint8

// Instructions. Operands are on the stack, where the result takes their place.
const (
	push    opcode = iota // V
	Global                // number A of [Data.Numbers]
	Column                // row [Place.Row] of [Data.Tables] A
	Row                   // [Place.Row]
	Local                 // number A of [Place.Locals], plus V
	Counter               // number A of [Place.Counters]
	Extern0               // the function of the host without an operand
	Extern1               // with one
	Extern2               // with two
	negate
	not
	square
	cube
	add
	subtract
	multiply
	divide
	power
	equal
	unequal
	less
	lessEqual
	greater
	greaterEqual
	call1     // F, at character A
	call2     // likewise
	jump      // to instruction A
	jumpFalse // likewise, if the top, which it takes off, is 0
	duplicate
	drop
	either    // 1 if one of the two operands is
	found     // on top of a value, 0 or 1 and an element: 1 if it was, or if the element equals the value
	keep      // drops what is below the top
	testTexts // number A of the comparisons of texts
)

// maxStack is the size of the machine's stack.
const maxStack = 32

// Place is where in a program an expression is evaluated.
type Place struct {
	Row      int32
	Locals   [5]int64
	Counters []int32
}

// Host evaluates the functions that only a scope has, see [Step].
type Host interface {
	Extern(s *Step, at Place, x, y float64) float64
}

// Data is what the names of an expression stand for, wherever it is evaluated.
type Data struct {
	Numbers []float64
	Texts   []string
	Tables  [][]float64
	Host    Host
}

// Env evaluates expressions at a place. Evaluation changes it, so every goroutine needs its
// own.
type Env struct {
	*Data
	Place

	failed error // of the first function without a result
	at     int32 // its character
}

// Eval returns the value of an expression, 1 or 0 for a condition. A function without a
// result, such as the logarithm of 0, gives NaN.
func (f *Env) Eval(e *Expression) float64 {
	var stack [maxStack]float64
	top := -1
	code := e.code
	for i := 0; i < len(code); i++ {
		s := &code[i]
		switch s.Op {
		case push:
			top++
			stack[top] = s.V
		case Global:
			top++
			stack[top] = f.Numbers[s.A]
		case Column:
			top++
			stack[top] = f.Tables[s.A][f.Row]
		case Row:
			top++
			stack[top] = float64(f.Row)
		case Local:
			top++
			stack[top] = float64(f.Locals[s.A]) + s.V
		case Counter:
			top++
			stack[top] = float64(f.Counters[s.A])
		case Extern0:
			top++
			stack[top] = f.Host.Extern(s, f.Place, 0, 0)
		case Extern1:
			stack[top] = f.Host.Extern(s, f.Place, stack[top], 0)
		case Extern2:
			top--
			stack[top] = f.Host.Extern(s, f.Place, stack[top], stack[top+1])
		case negate:
			stack[top] = -stack[top]
		case not:
			stack[top] = 1 - stack[top]
		case square:
			stack[top] *= stack[top]
		case cube:
			stack[top] *= stack[top] * stack[top]
		case add:
			top--
			stack[top] += stack[top+1]
		case subtract:
			top--
			stack[top] -= stack[top+1]
		case multiply:
			top--
			stack[top] *= stack[top+1]
		case divide:
			top--
			stack[top] /= stack[top+1]
		case power:
			top--
			stack[top] = math.Pow(stack[top], stack[top+1])
		case equal, unequal, less, lessEqual, greater, greaterEqual:
			top--
			stack[top] = compare(s.Op, stack[top], stack[top+1])
		case call1:
			v, err := s.F(stack[top], 0)
			stack[top] = f.result(v, err, s)
		case call2:
			top--
			v, err := s.F(stack[top], stack[top+1])
			stack[top] = f.result(v, err, s)
		case jump:
			i = int(s.A) - 1
		case jumpFalse:
			top--
			if stack[top+1] == 0 {
				i = int(s.A) - 1
			}
		case duplicate:
			top++
			stack[top] = stack[top-1]
		case drop:
			top--
		case either:
			top--
			stack[top] = max(stack[top], stack[top+1])
		case found:
			top--
			stack[top] = max(stack[top], compare(equal, stack[top-1], stack[top+1]))
		case keep:
			top--
			stack[top] = stack[top+1]
		case testTexts:
			top++
			t := &e.tests[s.A]
			stack[top] = truth(t.holds(f.text(&t.left), f.text(&t.right)))
		}
	}
	return stack[0]
}

func (f *Env) text(o *textOperand) string {
	if o.place < 0 {
		return o.text
	}
	return f.Texts[o.place]
}

func compare(op opcode, a, b float64) float64 {
	switch op {
	case equal:
		return truth(a == b)
	case unequal:
		return truth(a != b)
	case less:
		return truth(a < b)
	case lessEqual:
		return truth(a <= b)
	case greater:
		return truth(a > b)
	}
	return truth(a >= b)
}

func truth(holds bool) float64 {
	if holds {
		return 1
	}
	return 0
}

// result returns the value v of a function or, if it has none, NaN, and keeps the first error.
func (f *Env) result(v float64, err error, s *Step) float64 {
	if err == nil {
		return v
	}
	if f.failed == nil {
		f.failed, f.at = err, s.A
	}
	return math.NaN()
}
