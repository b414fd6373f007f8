package formula

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/expr-lang/expr"
)

var numbers = kind{noun: "formula", result: expr.AsFloat64()}

// Number returns the value of a formula, which is finite. Variables are the
// names that it may use, none of them [IsWord]. The error wraps an [Error], and
// says which variables there are if a name is unknown.
func Number(text string, variables map[string]float64) (float64, error) {
	if x, err := strconv.ParseFloat(text, 64); err == nil && finite(x) {
		return x, nil
	}
	values := make(Values, len(variables))
	for name, x := range variables {
		values[name] = x
	}
	p, err := numbers.compile(text, values)
	if err != nil {
		return 0, numberError(text, variables, err)
	}
	v, err := p.run(values)
	if err != nil {
		return 0, numberError(text, variables, err)
	}
	x := v.(float64)
	if !finite(x) {
		return 0, numberError(text, variables, &Error{Problem: fmt.Sprintf("the value %g is not finite", x)})
	}
	return x, nil
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// numberError adds the text of the formula to an error, unless it is too long.
func numberError(text string, variables map[string]float64, err error) error {
	var e *Error
	switch {
	case len(text) > maxText:
		return err
	case errors.As(err, &e) && e.Unknown != "":
		of := "numbers alone"
		if len(variables) > 0 {
			of = strings.Join(slices.Sorted(maps.Keys(variables)), ", ")
		}
		return fmt.Errorf("%q is not a formula of %s: %w", text, of, err)
	}
	return fmt.Errorf("%q: %w", text, err)
}
