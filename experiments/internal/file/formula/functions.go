package formula

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/expr-lang/expr"
)

// function takes x, or x and y. An argument without a result is an error.
type function struct {
	name string
	run  func(x, y float64) (float64, error)
	args int // 1 or 2; -1: one or more, combined from left to right
}

var functions = []function{
	{"abs", one(math.Abs), 1},
	{"ceil", one(math.Ceil), 1},
	{"exp", one(math.Exp), 1},
	{"floor", one(math.Floor), 1},
	{"ln", positive("ln", math.Log), 1},
	{"log", positive("log", math.Log), 1},
	{"log10", positive("log10", math.Log10), 1},
	{"log2", positive("log2", math.Log2), 1},
	{"max", func(x, y float64) (float64, error) { return max(x, y), nil }, -1},
	{"min", func(x, y float64) (float64, error) { return min(x, y), nil }, -1},
	{"mod", mod, 2},
	{"round", one(math.Round), 1},
	{"sqrt", squareRoot, 1},
}

func one(f func(float64) float64) func(x, y float64) (float64, error) {
	return func(x, _ float64) (float64, error) { return f(x), nil }
}

func positive(name string, f func(float64) float64) func(x, y float64) (float64, error) {
	return func(x, _ float64) (float64, error) {
		if !(x > 0) {
			return 0, fmt.Errorf("%s of %s", name, decimal(x))
		}
		return f(x), nil
	}
}

func squareRoot(x, _ float64) (float64, error) {
	if !(x >= 0) {
		return 0, fmt.Errorf("sqrt of %s", decimal(x))
	}
	return math.Sqrt(x), nil
}

// mod is x - y floor(x/y): its sign is that of y, so mod(-1, 4) is 3.
func mod(x, y float64) (float64, error) {
	if y == 0 {
		return 0, errors.New("remainder of a division by 0")
	}
	m := math.Mod(x, y)
	if m != 0 && (m < 0) != (y < 0) {
		m += y
	}
	return m, nil
}

func decimal(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// Functions returns the names of all functions, sorted.
func Functions() []string {
	names := make([]string, len(functions))
	for i, f := range functions {
		names[i] = f.name
	}
	return names
}

func isFunction(name string) bool {
	return slices.ContainsFunc(functions, func(f function) bool { return f.name == name })
}

// functionOptions define the functions and disable those of the compiler.
var functionOptions = func() []expr.Option {
	options := []expr.Option{expr.DisableAllBuiltins()}
	for _, f := range functions {
		options = append(options, f.option())
	}
	return options
}()

// option gives a function its type.
func (f function) option() expr.Option {
	types := map[int]any{
		1:  new(func(float64) float64),
		2:  new(func(float64, float64) float64),
		-1: new(func(float64, ...float64) float64),
	}
	return expr.Function(f.name, func(params ...any) (any, error) {
		x := params[0].(float64)
		if f.args == 1 {
			return f.run(x, 0)
		}
		for _, p := range params[1:] {
			var err error
			if x, err = f.run(x, p.(float64)); err != nil {
				return nil, err
			}
		}
		return x, nil
	}, types[f.args])
}
