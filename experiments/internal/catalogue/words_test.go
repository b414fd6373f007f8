package catalogue

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/schema"
)

// words says in a few words what a value may be: "time, at least 0".
func words(t schema.Type) string {
	switch t {
	case schema.Text:
		return "text"
	case schema.Name:
		return "name"
	case schema.Any:
		return "any value"
	case schema.Money, schema.PositiveMoney:
		return "money, at least 0"
	case schema.Boolean:
		return "true or false"
	}
	switch t := t.(type) {
	case schema.Pattern:
		return "text"
	case schema.Integer:
		return "whole number" + between(schema.Number{Min: float64(t.Min), Max: float64(t.Max)})
	case schema.Number:
		return "number" + between(t)
	case interface{ Words() string }:
		return t.Words()
	case schema.OneOf:
		return strings.Join(t, ", ")
	case schema.List:
		return "list of " + words(t.Of)
	case schema.Map:
		return "mapping of names to " + words(t.Of)
	case schema.AnyOf:
		var all []string
		for _, x := range t {
			all = append(all, words(x))
		}
		return strings.Join(all, ", or ")
	case schema.Later:
		return words(t())
	case *schema.Object:
		if len(t.Fields) > 4 {
			return "mapping"
		}
		var keys []string
		for _, f := range t.Fields {
			keys = append(keys, f.Key)
		}
		return "{" + strings.Join(keys, ", ") + "}"
	}
	panic(fmt.Sprintf("no words for %T", t))
}

// between says which numbers there may be.
func between(t schema.Number) string {
	number := func(x float64) string {
		if e := math.Log2(x); x > 1e6 && e == math.Trunc(e) {
			return "2^" + strconv.Itoa(int(e))
		}
		return strconv.FormatFloat(x, 'g', 10, 64)
	}
	open := t.Max >= math.MaxInt32 && t.Max != 1<<30 || t.Max == math.MaxFloat64
	switch {
	case t.Above && open:
		return ", above " + number(t.Min)
	case t.Above && t.Below:
		return ", above " + number(t.Min) + ", below " + number(t.Max)
	case t.Above:
		return ", above " + number(t.Min) + ", at most " + number(t.Max)
	case open:
		return ", at least " + number(t.Min)
	}
	return ", " + number(t.Min) + " to " + number(t.Max)
}
