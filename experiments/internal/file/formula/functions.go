package formula

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/isoscale/isoscale/internal/each"
)

// Function is a function of the language.
type Function struct {
	Form    string // its name with its arguments, as in "mod(x, y)"
	Meaning string

	name string
	args int // 1 or 2; -1: one or more, combined from left to right
	// run takes x, or x and y. It returns an error if there is no result.
	run func(x, y float64) (float64, error)
}

// Functions are all functions, sorted by name.
var Functions = []Function{
	{"abs(x)", "absolute value", "abs", 1, one(math.Abs)},
	{"ceil(x)", "the smallest whole number that is not less", "ceil", 1, one(math.Ceil)},
	{"exp(x)", "e^x", "exp", 1, one(math.Exp)},
	{"floor(x)", "the largest whole number that is not more", "floor", 1, one(math.Floor)},
	{"ln(x)", "natural logarithm; x is above 0", "ln", 1, above(aboveZero, "ln", math.Log)},
	{"log(x)", "natural logarithm, as ln", "log", 1, above(aboveZero, "log", math.Log)},
	{"log10(x)", "logarithm to base 10; x is above 0", "log10", 1, above(aboveZero, "log10", math.Log10)},
	{"log2(x)", "logarithm to base 2; x is above 0", "log2", 1, above(aboveZero, "log2", math.Log2)},
	{"max(x, y, ...)", "the largest of one or more numbers", "max", -1, func(x, y float64) (float64, error) { return max(x, y), nil }},
	{"min(x, y, ...)", "the smallest of one or more numbers", "min", -1, func(x, y float64) (float64, error) { return min(x, y), nil }},
	{"mod(x, y)", "x % y: the remainder, with the sign of y, which is not 0", "mod", 2, mod},
	{"round(x)", "the nearest whole number; halves away from 0", "round", 1, one(math.Round)},
	{"sqrt(x)", "square root; x is at least 0", "sqrt", 1, above(0, "sqrt", math.Sqrt)},
}

func one(f func(float64) float64) func(x, y float64) (float64, error) {
	return func(x, _ float64) (float64, error) { return f(x), nil }
}

// aboveZero is the least number above 0.
const aboveZero = math.SmallestNonzeroFloat64

// above returns f as a function that has no result for x below least.
func above(least float64, name string, f func(float64) float64) func(x, y float64) (float64, error) {
	return func(x, _ float64) (float64, error) {
		if !(x >= least) {
			return 0, fmt.Errorf("%s of %s", name, strconv.FormatFloat(x, 'g', -1, 64))
		}
		return f(x), nil
	}
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

// FunctionNames returns the names of all functions, sorted.
func FunctionNames() []string {
	return each.Of(Functions, func(f Function) string { return f.name })
}

func functionOf(name string) *Function {
	if i := slices.IndexFunc(Functions, func(f Function) bool { return f.name == name }); i >= 0 {
		return &Functions[i]
	}
	return nil
}
