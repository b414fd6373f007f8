package formula

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

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
	names := slices.Sorted(maps.Keys(variables))
	pool := compiled.of(fmt.Sprintf("%d %s %s", len(names), strings.Join(names, " "), text)) // no name has blanks
	e, ok := pool.Get().(*Expression)
	if !ok {
		var err error
		if e, err = NewExpression(text, names); err != nil {
			return 0, err
		}
	}
	defer pool.Put(e)
	return e.Value(variables)
}

// compiled are the formulas that were computed: the points of a study compute the same
// ones over and over.
var compiled pools

// pools has formulas by their names and text. Each is used by one caller at a time.
type pools struct {
	mu  sync.Mutex
	all map[string]*sync.Pool
}

// maxPools bounds the memory of formulas that are never computed again.
const maxPools = 1000

func (p *pools) of(key string) *sync.Pool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.all[key] == nil {
		if len(p.all) >= maxPools {
			p.all = nil
		}
		if p.all == nil {
			p.all = map[string]*sync.Pool{}
		}
		p.all[key] = new(sync.Pool)
	}
	return p.all[key]
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
