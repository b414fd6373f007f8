package formula

import (
	"fmt"
	"math"
	"slices"

	"github.com/isoscale/isoscale/internal/each"
)

// Variable is a name that stands for one value.
type Variable struct {
	Name string
	Kind Kind
	Unit string // of a number, see [Meaning]
}

// Variables are the names that an expression may use, none of them [IsWord].
type Variables []Variable

// Numbers returns names that stand for numbers in base units.
func Numbers(names []string) Variables {
	all := make(Variables, len(names))
	for i, n := range names {
		all[i].Name = n
	}
	return all
}

// Compile compiles an expression of the variables. Its problems are an [Error].
func (v Variables) Compile(text string, want Kind) (*Expression, error) {
	return Compile(text, v, want)
}

func (v Variables) Lookup(name string) (Meaning, bool) {
	i := slices.IndexFunc(v, func(v Variable) bool { return v.Name == name })
	if i < 0 {
		return Meaning{}, false
	}
	return Meaning{Kind: v[i].Kind, Unit: v[i].Unit, Load: Step{Op: Global, A: byUse}}, true
}

// Call implements [Scope]: there are no functions beside those of the language.
func (v Variables) Call(*Compiler, *Node) bool { return false }

func (v Variables) Unknown(n *Node) *Error {
	if n.Kind == Call {
		return unknown(n.Character, "unknown function", n.Text, FunctionNames())
	}
	known := each.Append(nil, v, func(x Variable) string { return x.Name })
	slices.Sort(known)
	e := unknown(n.Character, "unknown name", n.Text, known)
	if len(known) == 0 {
		e.Expected = "numbers and functions alone"
	}
	return e
}

// Names returns the names in an expression of variables, in order of their first use.
func (e *Expression) Names() []string { return slices.Clone(e.names) }

// Number returns the value, which is finite. Values have every name that the expression
// uses. An expression without a value there, such as the logarithm of 0, is an [Error].
func (e *Expression) Number(values map[string]float64) (float64, error) {
	var few [8]float64
	d := Data{Numbers: few[:0]}
	d.Numbers = each.Append(d.Numbers, e.names, func(name string) float64 { return values[name] })
	x, err := e.evaluate(&d)
	if err == nil && (math.IsNaN(x) || math.IsInf(x, 0)) {
		err = &Error{Problem: fmt.Sprintf("the value %g is not finite", x)}
	}
	return x, err
}

// Values are the values of names: a float64, a string or a bool each.
type Values map[string]any

// Holds reports whether a condition is true. Values must have all [Expression.Names], of
// the types that they were compiled with. A condition without a value is an [Error].
func (e *Expression) Holds(values Values) (bool, error) { return e.Test()(values) }

// Test returns [Expression.Holds] for many calls of one goroutine: it allocates once.
func (e *Expression) Test() func(values Values) (bool, error) {
	d := Data{Numbers: make([]float64, len(e.names)), Texts: make([]string, len(e.names))}
	return func(values Values) (bool, error) {
		for i, name := range e.names {
			switch x := values[name].(type) {
			case float64:
				d.Numbers[i] = x
			case bool:
				d.Numbers[i] = truth(x)
			case string:
				d.Texts[i] = x
			}
		}
		x, err := e.evaluate(&d)
		return err == nil && x != 0, err
	}
}

func (e *Expression) evaluate(d *Data) (float64, error) {
	f := Env{Data: d}
	x := f.Eval(e)
	if f.failed != nil {
		return 0, &Error{Problem: oneLine(f.failed.Error()), Character: int(f.at)}
	}
	return x, nil
}

// Explain says what is wrong with the text of an expression; what was expected is in the
// [Error].
func Explain(text string, err error) string {
	problem := err.Error()
	if e, ok := err.(*Error); ok {
		problem = e.Where()
	}
	if len(text) > maxText {
		return problem
	}
	return fmt.Sprintf("%q: %s", text, problem)
}
