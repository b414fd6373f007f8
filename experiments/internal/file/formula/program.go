package formula

import (
	"fmt"
	"slices"
	"strings"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/vm"
)

// Values are the values of the names: a float64, a string or a bool each.
type Values map[string]any

// Limits of an expression. They keep compiling and one evaluation short.
const (
	maxText  = 1000 // bytes
	maxNodes = 500
)

// kind is the purpose of an expression: a number or a condition.
type kind struct {
	noun   string
	result expr.Option
	texts  bool // are part of it
}

// program is a compiled expression with the machine that runs it. Runs reuse the
// stack of the machine.
type program struct {
	code    *vm.Program
	names   []string // in the expression, in order of their first use
	machine vm.VM
}

// checkText returns what is wrong with the length of an expression, an *Error.
func (k *kind) checkText(text string) error {
	switch {
	case strings.TrimSpace(text) == "":
		return &Error{Problem: fmt.Sprintf("the %s is empty", k.noun)}
	case len(text) > maxText:
		return &Error{Problem: fmt.Sprintf("the %s has %d bytes", k.noun, len(text)), Expected: fmt.Sprintf("at most %d", maxText)}
	}
	return nil
}

// compile reads an expression. Values give the types of the names. Its errors
// are *Error.
func (k *kind) compile(text string, values Values) (*program, error) {
	if err := k.checkText(text); err != nil {
		return nil, err
	}
	g := &grammar{kind: k, values: values}
	options := slices.Concat(functionOptions, []expr.Option{
		expr.Env(map[string]any(values)), k.result, expr.WarnOnAny(), expr.MaxNodes(maxNodes), expr.Patch(g),
	})
	code, err := guard(func() (*vm.Program, error) { return expr.Compile(text, options...) })
	switch {
	case g.err != nil:
		return nil, g.err
	case err != nil:
		return nil, problem(fmt.Sprintf("the %s is wrong: ", k.noun), err)
	}
	return &program{code: code, names: g.names}, nil
}

// guard turns a panic of the compiler into an error: a typing error in a file
// must never end the program.
func guard[T any](compile func() (T, error)) (result T, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the compiler failed: %v", p)
		}
	}()
	return compile()
}

// run evaluates the expression. Its errors are *Error.
func (p *program) run(values Values) (any, error) {
	v, err := p.machine.Run(p.code, map[string]any(values))
	if err != nil {
		return nil, problem("", err)
	}
	return v, nil
}
