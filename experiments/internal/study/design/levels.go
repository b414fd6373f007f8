package design

import (
	"fmt"
	"math"
	"math/bits"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/formula"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/units"
)

// A quantity is a number used as a level or as an end of a range.
type quantity struct {
	value float64 // in unit
	unit  string  // as written; "" for a plain number
	kind  string  // what the unit measures
}

var withUnit = regexp.MustCompile(`^([-+]?[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?) ?([^-+. 0-9].*)$`)

// exactInt is the largest N such that float64 represents every integer up to N.
const exactInt = 1 << 53

// parseQuantity reads a number or a number with a unit, and reports whether n is one. Integers that float64 cannot
// represent are rejected.
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
	if v, ok := formula.Base(q.value, q.unit); ok {
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
	if i := slices.IndexFunc(qs, func(q quantity) bool { return q.unit != "" }); i >= 0 {
		first = qs[i]
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
	r := input.Digits(x, 12)
	return r, r == input.Digits(x, 10)
}

// numberText is the shortest text that is read as x, in a form that YAML and
// model/units both accept.
func numberText(x float64) string {
	if size := math.Abs(x); size != 0 && (size < 1e-5 || size > exactInt) {
		return strconv.FormatFloat(x, 'e', -1, 64)
	}
	return strconv.FormatFloat(x, 'f', -1, 64)
}

func (q quantity) text() string {
	if q.unit == "" {
		return numberText(q.value)
	}
	return numberText(q.value) + " " + q.unit
}

// Times multiplies a number of a scenario, with or without a unit, by a factor; false if it is no number.
func Times(n *yamldoc.Node, by float64) (*yamldoc.Node, bool) {
	q, ok := parseQuantity(n)
	q.value *= by
	return yamldoc.Scalar(n.Pos(), q.text()), ok
}

// spaced returns n numbers from one end of the line to the other, both included. The number in the text is the number
// that is used, so it is rounded to this many significant digits unless it terminates.
func (l line) spaced(n, digits int) func(i int) float64 {
	return func(i int) float64 {
		switch i {
		case 0:
			return l.from
		case n - 1:
			return l.to
		}
		x := l.at(float64(i) / float64(n-1))
		if math.Abs(x) < 1e-12*max(math.Abs(l.from), math.Abs(l.to)) && !l.log {
			return 0 // rounding error of the difference of the ends
		}
		if r, ok := terminates(x); ok {
			return r
		}
		return input.Digits(x, digits)
	}
}

// edge returns where stratum i of n begins.
func (l line) edge(i, n int) float64 { return l.at(float64(i) / float64(n)) }

// strata returns the levels of a continuous factor in a Latin hypercube: one number in each 1/n of the line, at a place
// that key draws for this stratum alone. It has 6 significant digits, or more if needed to stay in the stratum and to
// move by at most a hundredth of its width.
func (l line) strata(n int, key uint64) func(i int) float64 {
	return func(i int) float64 {
		low, high := l.edge(i, n), l.edge(i+1, n)
		x := l.at((float64(i) + jitter(key, i)) / float64(n))
		for digits := 6; digits <= 17; digits++ {
			if v := input.Digits(x, digits); low <= v && v < high && math.Abs(v-x) <= (high-low)/100 {
				return v
			}
		}
		return low
	}
}

// increasing reports whether each of n numbers is larger than the one before.
func increasing(n int, number func(i int) float64) bool {
	last := math.Inf(-1)
	for i := range n {
		next := number(i)
		if next <= last {
			return false
		}
		last = next
	}
	return true
}

// line leads from one number to another, with equal differences or with equal
// ratios.
type line struct {
	from, to float64
	log      bool
}

// at returns the number at t, from 0 to 1.
func (l line) at(t float64) float64 {
	switch {
	case t == 0:
		return l.from
	case t == 1:
		return l.to
	case l.log:
		// Not from*(to/from)^t: the quotient may overflow.
		return math.Pow(l.from, 1-t) * math.Pow(l.to, t)
	}
	// The conversion prevents the compiler from fusing the product and the sum on
	// processors that can.
	return l.from + float64((l.to-l.from)*t)
}

// span is a range as it is written.
type span struct{ from, to, step, count *yamldoc.Node }

// ends reads the ends of a range, and its step, in one unit. It returns false if an end is missing, which has been
// reported.
func (r *reader) ends(f *Factor, x *span) (values []float64, ok bool) {
	nodes := []*yamldoc.Node{x.from, x.to}
	if x.from == nil || x.to == nil {
		return nil, false
	}
	if x.step != nil {
		nodes = append(nodes, x.step)
	}
	var given []quantity
	for _, n := range nodes {
		q, ok := parseQuantity(n)
		if !ok {
			r.Fail(n, "found "+describe(n), "a number, or a number with a unit such as 50 us")
			return nil, false
		}
		given = append(given, q)
		if f.Unit, values, ok = commonUnit(given); !ok {
			r.Fail(n, fmt.Sprintf("%s, but %s", measure(q), measure(given[0])), "one kind of quantity in from, to and step")
			return nil, false
		}
	}
	f.Numeric = true
	return values, true
}

// wholes is ends for numbers that must satisfy fits, with the first at most the second.
func (r *reader) wholes(f *Factor, x *span, fits func(x float64) bool, what, want string) (values []float64, ok bool) {
	v, ok := r.ends(f, x)
	for i, n := range []*yamldoc.Node{x.from, x.to, x.step}[:len(v)] {
		if !fits(v[i]) {
			r.Fail(n, numberText(v[i])+" is not "+what, want)
			return nil, false
		}
	}
	if ok && v[0] > v[1] {
		r.Fail(x.from, fmt.Sprintf("from %s is more than to %s", numberText(v[0]), numberText(v[1])), "a range with from <= to")
		return nil, false
	}
	return v, ok
}

func isWhole(x float64) bool { return x == math.Trunc(x) && math.Abs(x) <= exactInt }

// measure describes a quantity with its kind, as in "50 us is a time".
func measure(q quantity) string {
	switch {
	case q.unit == "":
		return q.text() + " is a plain number"
	case q.kind == q.unit:
		return q.text() + " is money"
	}
	return q.text() + " is a " + q.kind
}

// whole reads from, to and step.
func (r *reader) whole(f *Factor, x *span) {
	if x.from == nil || x.to == nil {
		missing := "from"
		if x.from != nil {
			missing = "to"
		}
		r.Fail(f.Node, fmt.Sprintf("missing key %q", missing), "both from and to")
		return
	}
	v, ok := r.wholes(f, x, isWhole, "a whole number up to 2^53", "a whole number; use log or linear for other numbers")
	if !ok {
		return
	}
	first, step := int(v[0]), 1
	if x.step != nil {
		step = int(v[2])
	}
	if step <= 0 {
		r.Fail(x.step, fmt.Sprintf("the step is %d", step), "a step of at least 1")
		return
	}
	n := (int(v[1])-first)/step + 1
	if n > r.limits.levels {
		r.tooMany(f.Node, n)
		return
	}
	f.levels = levels{n: n, number: func(i int) float64 { return float64(first + i*step) }}
}

var powersRange = schema.Declare("a range of powers of two", func(k *schema.Keys, x *span) {
	k.Required("from", schema.Node(wholeType, &x.from), "the first power of two")
	k.Required("to", schema.Node(wholeType, &x.to), "the last power of two")
})

// powers reads powers_of_two.
func (r *reader) powers(f *Factor, n *yamldoc.Node) {
	var x span
	powersRange.Read(r.Decoder, n, &x)
	isPower := func(x float64) bool { return x >= 1 && isWhole(x) && bits.OnesCount64(uint64(x)) == 1 }
	if v, ok := r.wholes(f, &x, isPower, "a power of two from 1 to 2^53", "a number such as 64"); ok {
		f.levels = levels{n: bits.Len64(uint64(v[1] / v[0])), number: func(i int) float64 { return math.Ldexp(v[0], i) }}
	}
}

var spacedRange = schema.Declare("a range", func(k *schema.Keys, x *span) {
	k.Required("from", schema.Node(quantityType, &x.from), "where the range begins")
	k.Required("to", schema.Node(quantityType, &x.to), "where the range ends")
	k.Optional("count", schema.Node(integer(2, planLimits.levels), &x.count), "the number of levels; not allowed in a Latin hypercube, which has one level per sample")
})

// spaced reads log and linear. In a Latin hypercube the number of samples takes
// the place of count.
func (r *reader) spaced(f *Factor, n *yamldoc.Node, log bool) {
	var x span
	spacedRange.Read(r.Decoder, n, &x)
	switch {
	case x.count != nil && r.samples > 0:
		r.Fail(x.count, "a count in a Latin hypercube", "no count: a Latin hypercube has as many levels as samples")
		return
	case x.count == nil && r.samples == 0 && n.IsMapping():
		r.Fail(n, `missing key "count"`, "the number of levels")
	}
	count := r.Int(x.count, 2, r.limits.levels, "")
	v, ok := r.ends(f, &x)
	if !ok || x.count == nil && r.samples == 0 {
		return
	}
	l := line{from: v[0], to: v[1], log: log}
	switch {
	case log && l.from <= 0:
		r.Fail(x.from, fmt.Sprintf("a logarithmic range from %s", numberText(l.from)), "a number above 0")
	case l.from >= l.to:
		r.Fail(x.from, fmt.Sprintf("from %s is not less than to %s", numberText(l.from), numberText(l.to)), "from less than to")
	case math.IsInf(l.to-l.from, 0):
		r.Fail(x.to, "the range is too wide for 64-bit numbers", "a smaller range")
	case r.samples > 0:
		f.levels = levels{n: r.samples, number: l.strata(r.samples, mix(nameKey(r.seed, f.Name)))}
		if !increasing(r.samples+1, func(i int) float64 { return l.edge(i, r.samples) }) {
			r.Fail(n, fmt.Sprintf("the range is too narrow for %d different levels", r.samples), "fewer samples or a wider range")
		}
	case count > 0:
		for digits := 6; digits <= 17; digits++ {
			if f.levels = (levels{n: count, number: l.spaced(count, digits)}); increasing(count, f.levels.number) {
				return
			}
		}
		r.Fail(n, fmt.Sprintf("the range is too narrow for %d different levels", count), "a smaller count or a wider range")
	}
}

// flow writes a value as YAML in one line. Reading it gives an equal value.
func flow(n *yamldoc.Node) string {
	var d yamldoc.Decoder
	switch {
	case n.IsMapping():
		m := d.Mapping(n, "")
		entry := func(key string) string { return flowString(key) + ": " + flow(m.Take(key)) }
		return "{" + strings.Join(each.Of(m.Keys(), entry), ", ") + "}"
	case n.IsSequence():
		return "[" + strings.Join(each.Of(d.Sequence(n, ""), flow), ", ") + "]"
	}
	switch v := n.Plain().(type) {
	case string:
		return flowString(v)
	case nil:
		return "null"
	}
	return n.Text()
}

// plainText matches strings that need no quotes unless they look like another
// type: words, paths, numbers with units.
var plainText = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_./+*-]*( [A-Za-z0-9_./+*-]+)*$`)

func flowString(s string) string {
	if plainText.MatchString(s) && !looksTyped(s) {
		return s
	}
	return strconv.Quote(s)
}

func looksTyped(s string) bool {
	switch strings.ToLower(s) {
	case "true", "false", "null":
		return true
	}
	_, err := strconv.ParseFloat(s, 64)
	return err == nil
}
