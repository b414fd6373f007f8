package schema

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/isoscale/isoscale/internal/each"
)

// Words says in a few words what a value may be: "time, at least 0".
func Words(t Type) string {
	switch t {
	case Text:
		return "text"
	case Name:
		return "name"
	case Any:
		return "any value"
	case Money, PositiveMoney:
		return "money, at least 0"
	case Boolean:
		return "true or false"
	}
	switch t := t.(type) {
	case Pattern:
		return "text"
	case Integer:
		return "whole number" + between(Number{Min: float64(t.Min), Max: float64(t.Max)})
	case Number:
		return "number" + between(t)
	case interface{ Words() string }:
		return t.Words()
	case OneOf:
		return strings.Join(t, ", ")
	case List:
		return "list of " + Words(t.Of)
	case Map:
		return "mapping of names to " + Words(t.Of)
	case AnyOf:
		all := each.Append(nil, t, Words)
		return strings.Join(all, ", or ")
	case Later:
		return Words(t())
	case *Object:
		if len(t.Fields()) > 4 {
			return "mapping"
		}
		keys := each.Append(nil, t.Fields(), func(f Field) string { return f.Key })
		return "{" + strings.Join(keys, ", ") + "}"
	}
	panic(fmt.Sprintf("no words for %T", t))
}

// between says in words in which range a number must be.
func between(t Number) string {
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
