package formula

import (
	"fmt"
	"slices"
	"sync"
)

// Expression is a formula that is compiled once and evaluated any number of times, by
// several goroutines at once.
type Expression struct {
	text    string
	mu      sync.Mutex
	program *program
}

// NewExpression compiles a formula of some names, none of them [IsWord]. Its errors are
// those of [Number].
func NewExpression(text string, names []string) (*Expression, error) {
	zeros, values := make(map[string]float64, len(names)), make(Values, len(names))
	for _, name := range names {
		zeros[name], values[name] = 0, 0.0
	}
	p, err := numbers.compile(text, values)
	if err != nil {
		return nil, numberError(text, zeros, err)
	}
	return &Expression{text: text, program: p}, nil
}

// Names returns the names in the formula, in order of their first use.
func (f *Expression) Names() []string { return slices.Clone(f.program.names) }

// Value returns the value of the formula, which is finite. Variables have every
// name that the formula uses.
func (f *Expression) Value(variables map[string]float64) (float64, error) {
	values := make(Values, len(variables))
	for name, x := range variables {
		values[name] = x
	}
	f.mu.Lock()
	v, err := f.program.run(values)
	f.mu.Unlock()
	if err != nil {
		return 0, numberError(f.text, variables, err)
	}
	x := v.(float64)
	if !finite(x) {
		return 0, numberError(f.text, variables, &Error{Problem: fmt.Sprintf("the value %g is not finite", x)})
	}
	return x, nil
}
