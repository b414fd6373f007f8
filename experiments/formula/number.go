package formula

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/expr-lang/expr"
)

// maxText bounds the length of an expression in bytes.
const maxText = 1024

// Number returns the value of an expression of numbers, with + - * / ^ and
// functions such as log2, sqrt, min and max. Errors name the variables that there
// are. The value is finite.
func Number(text string, variables map[string]float64) (float64, error) {
	if x, err := strconv.ParseFloat(text, 64); err == nil && !math.IsInf(x, 0) && !math.IsNaN(x) {
		return x, nil
	}
	if len(text) > maxText {
		return 0, fmt.Errorf("a formula of %d bytes; at most %d are read", len(text), maxText)
	}
	program, err := expr.Compile(text, append(functions(), expr.Env(variables), expr.AsFloat64())...)
	if err != nil {
		return 0, fmt.Errorf("%q is no formula of %s: %s", text, names(variables), firstLine(err))
	}
	value, err := expr.Run(program, variables)
	if err != nil {
		return 0, fmt.Errorf("%q: %s", text, firstLine(err))
	}
	x := value.(float64)
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return 0, fmt.Errorf("%q has the value %g, which is not finite", text, x)
	}
	return x, nil
}

// functions are those of mathematics, and nothing else: what the language has for
// texts and collections could be made to take much memory.
func functions() []expr.Option {
	options := []expr.Option{expr.DisableAllBuiltins()}
	for _, name := range []string{"min", "max", "abs", "floor", "ceil", "round"} {
		options = append(options, expr.EnableBuiltin(name))
	}
	for _, f := range []struct {
		name string
		f    func(float64) float64
	}{{"log2", math.Log2}, {"ln", math.Log}, {"log10", math.Log10}, {"sqrt", math.Sqrt}, {"exp", math.Exp}} {
		options = append(options, expr.Function(f.name, func(p ...any) (any, error) {
			x, err := number(p[0])
			if err != nil {
				return nil, err
			}
			return f.f(x), nil
		}, f.f, func(int) float64 { return 0 }))
	}
	return options
}

func number(v any) (float64, error) {
	switch v := v.(type) {
	case float64:
		return v, nil
	case int:
		return float64(v), nil
	}
	return 0, fmt.Errorf("%v is not a number", v)
}

func names(variables map[string]float64) string {
	var all []string
	for name := range variables {
		all = append(all, name)
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}

// firstLine drops the excerpt below the message.
func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}
