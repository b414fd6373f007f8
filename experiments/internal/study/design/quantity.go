package design

import (
	"math"
	"regexp"
	"strconv"

	"github.com/isoscale/isoscale/experiments/internal/file/formula"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/model/units"
)

// A quantity is a number as a level or as an end of a range.
type quantity struct {
	value float64 // in unit
	unit  string  // as written; "" for a plain number
	kind  string  // what the unit measures
}

var withUnit = regexp.MustCompile(`^([-+]?[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?) ?([^-+. 0-9].*)$`)

// exactInt is the largest N such that float64 represents every integer up to N.
const exactInt = 1 << 53

// parseQuantity reads a number or a number with a unit, and reports whether n
// is one. Integers that float64 cannot represent are not.
func parseQuantity(n *yamldoc.Node) (quantity, bool) {
	switch v := n.Plain().(type) {
	case int64:
		return quantity{value: float64(v)}, -exactInt <= v && v <= exactInt
	case float64:
		return quantity{value: v + 0}, true // no minus zero
	case string:
		return parseText(v)
	}
	return quantity{}, false
}

// parseText reads a number with a unit.
func parseText(text string) (quantity, bool) {
	parts := withUnit.FindStringSubmatch(text)
	if parts == nil {
		return quantity{}, false
	}
	value, err := strconv.ParseFloat(parts[1], 64)
	if err != nil {
		return quantity{}, false
	}
	q := quantity{value: value + 0, unit: parts[2]}
	if m, err := units.ParseMoney(text); err == nil {
		q.kind = m.Currency
		return q, true
	}
	_, q.kind = formula.Quantity(text)
	return q, q.kind != ""
}

// base returns the quantity in the base unit of its kind; amounts of money have none.
func (q quantity) base() float64 {
	if v, kind := formula.Quantity(strconv.FormatFloat(q.value, 'e', -1, 64) + " " + q.unit); kind != "" {
		return v
	}
	return q.value
}

// in returns the number of the quantity in the unit of another quantity of the
// same kind.
func (q quantity) in(unit quantity) float64 {
	if q.unit == unit.unit || q.value == 0 {
		return q.value
	}
	unit.value = 1
	x := q.base() / unit.base()
	if r, ok := terminates(x); ok {
		return r
	}
	return x
}

// commonUnit converts the quantities to the unit of the first that has one. It
// reports false if they are not of one kind. A zero is of every kind.
func commonUnit(qs []quantity) (unit string, values []float64, ok bool) {
	var first quantity
	for _, q := range qs {
		if q.unit != "" {
			first = q
			break
		}
	}
	values = make([]float64, len(qs))
	for i, q := range qs {
		if q.kind != first.kind && (q.value != 0 || q.unit != "") {
			return "", nil, false
		}
		values[i] = q.in(first)
		if math.IsInf(values[i], 0) || math.IsNaN(values[i]) {
			return "", nil, false
		}
	}
	return first.unit, values, true
}

// terminates reports whether a computed number has at most 10 digits apart from
// rounding errors, and returns that number: 100 for 100.00000000000001.
func terminates(x float64) (float64, bool) {
	r := rounded(x, 12)
	return r, r == rounded(x, 10)
}

// rounded returns x with the given number of significant digits.
func rounded(x float64, digits int) float64 {
	v, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', digits, 64), 64)
	if err != nil { // rounded up beyond the largest float64
		return x
	}
	return v
}

// numberText is the shortest text that is read as x, in a form that YAML and
// model/units both accept.
func numberText(x float64) string {
	if size := math.Abs(x); size != 0 && (size < 1e-5 || size > exactInt) {
		return strconv.FormatFloat(x, 'e', -1, 64)
	}
	return strconv.FormatFloat(x, 'f', -1, 64)
}
