package model

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/model/units"
)

var rangesKeys = schema.Declare("what is known of the ranges of figures, as in {samples: 1000, model: 0.1}", func(k *schema.Keys, r *reader) {
	x := &Ranges{}
	r.plan.Ranges = x
	k.Optional("samples", schema.Integer{Min: 100, Max: maxSamples}.To(&x.Samples).Or(1000), "cases that are drawn")
	k.Optional("model", schema.Number{Max: maxRange}.To(&x.Model).Or(0.1), "range of the simulated times on a node type, relative to them")
	k.Optional("figures", schema.Func(schema.List{Of: figureRangeKeys.Object}, r.listedRanges).Else("none"), "ranges of figures that are not given with their values, and what they have in common")
})

// A listed range is read into a plan whose figures are known.
type listed struct {
	Range
	*reader
}

var figureRangeKeys = schema.Declare("the range of a figure, as in {of: nodes.fat.price, range: 5 %, group: prices of vendor A}", func(k *schema.Keys, x *listed) {
	k.Required("of", schema.Text.To(&x.Of).Wanted("the place of a figure, as in nodes.fat.price"), "the figure, by its place in the file")
	k.Optional("range", schema.Func(percentType, x.percent).Else("the one given with its value"), "half the width of its range, relative to its value")
	k.Optional("group", schema.Text.To(&x.Group).Else("none"), "figures that are all too high or all too low")
	if !k.Declaring() {
		x.add(k)
	}
})

var (
	percentType    = schema.Pattern(`^` + percentSyntax + `$`)
	percentPattern = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(string(percentType)) })
)

const (
	percentSyntax = `[0-9]+(\.[0-9]+)? ?%`
	plusMinus     = "+-"
	maxRange      = 0.9 // relative to the value
)

// withRange is a type whose values may have a range beside them: 25000 USD +- 5 %.
func withRange(t schema.Type) schema.Type {
	return schema.AnyOf{t, schema.Pattern(`^[0-9][^+]* ?\+- ?` + `[0-9]+(\.[0-9]+)? ?(%|[A-Za-z][A-Za-z/]*)?$`)}
}

// ranged declares a key whose value may have a range, which is removed before the value is read.
func ranged[T any](v *schema.Variable[T]) *schema.Variable[T] { return v.As(withRange) }

// A besideRange is what a file has to the right of "+-".
type besideRange struct {
	value, half string
	at          *yamldoc.Node
}

// withoutRanges returns a file without the ranges beside values, and notes each range by the place of its value: prefix
// and the value's path. Values are then read as if they had no ranges.
func (r *reader) withoutRanges(root *yamldoc.Node, prefix string) *yamldoc.Node {
	if root == nil {
		return nil
	}
	return root.Rewritten(func(n *yamldoc.Node) string {
		value, half, found := strings.Cut(n.Text(), plusMinus)
		path := prefix + n.Path()
		if !found || !mayHaveRange().MatchString(path) {
			return n.Text()
		}
		r.beside[path] = besideRange{strings.TrimSpace(value), strings.TrimSpace(half), n}
		r.besideOrder = append(r.besideOrder, path)
		return strings.TrimSpace(value)
	})
}

// ranges reads the ranges of figures. REQUIRES: the figures have been read.
func (r *reader) ranges(n *yamldoc.Node) {
	if n == nil && len(r.beside) == 0 {
		return
	}
	rangesKeys.Read(&r.Decoder, n, r)
	for _, path := range r.besideOrder {
		if !r.listed[path] {
			r.addRange(r.beside[path].at, Range{Of: path, Half: r.halfOf(r.beside[path])})
		}
	}
}

// listedRanges reads the list of ranges. The list may repeat places that have a range beside their value.
func (r *reader) listedRanges(n *yamldoc.Node) {
	r.listed = map[string]bool{}
	for _, item := range r.Sequence(n, "a list of ranges, as in [{of: nodes.fat.price, range: 5 %}]") {
		figureRangeKeys.Read(&r.Decoder, item, &listed{reader: r})
	}
}

func (x *listed) add(k *schema.Keys) {
	half, of := k.Node("range"), k.Node("of")
	b, beside := x.beside[x.Of]
	switch {
	case x.listed[x.Of]:
		x.Fail(of, "duplicate range of "+x.Of, "each figure once")
	case half != nil && beside:
		x.Fail(half, x.Of+" has a range with its value", "one of them")
	case beside:
		x.Half = x.halfOf(b)
	case half == nil:
		x.Fail(k.Self(), "no range, neither here nor with the value of "+x.Of, "range: 5 %")
	}
	x.listed[x.Of] = true
	x.addRange(of, x.Range)
}

func (x *listed) percent(n *yamldoc.Node) {
	if text := x.String(n, wantRange); x.Err() == nil && !percentPattern().MatchString(text) {
		x.Fail(n, fmt.Sprintf("%q is no percentage", text), wantRange)
	} else {
		x.Half = x.rangeWithin(n, percentOf(text))
	}
}

const wantRange = "half the width of the range, above 0 and at most 90 %, such as 5 %"

// addRange adds the range of a figure that exists.
func (r *reader) addRange(at *yamldoc.Node, x Range) {
	if r.Err() != nil {
		return
	}
	var known bool
	if x.Parameter, known = r.plan.parameterAt(x.Of); !known {
		r.Fail(at, x.Of+" is not a figure with a range", "the place of a price, speed, bandwidth, latency, power or number of runs that the plan has, such as nodes."+r.plan.Nodes[0].Name+".price")
		return
	}
	for _, y := range r.plan.Ranges.Figures {
		if y.Parameter == x.Parameter {
			r.Fail(at, x.Of+" is the figure whose range stands at "+y.Of, "one range for each figure")
			return
		}
	}
	r.plan.Ranges.Figures = append(r.plan.Ranges.Figures, x)
}

// halfOf returns half the width of a range beside a value, relative to the value.
func (r *reader) halfOf(b besideRange) float64 {
	half, ok := percentOf(b.half), true
	if !percentPattern().MatchString(b.half) {
		half, ok = ratio(b.half, b.value)
	}
	if !ok {
		r.Fail(b.at, fmt.Sprintf("the range %q is not in the unit of %q", b.half, b.value),
			"a range such as 5 %, or in that unit")
		return 0
	}
	return r.rangeWithin(b.at, half)
}

func (r *reader) rangeWithin(at *yamldoc.Node, half float64) float64 {
	if !(half > 0 && half <= maxRange) && r.Err() == nil {
		r.Fail(at, fmt.Sprintf("a range of %.3g %% of the value", 100*half), wantRange)
	}
	return half
}

func percentOf(text string) float64 {
	x, _ := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(text, "%")), 64)
	return x / 100
}

// ratio returns the ratio of two quantities of one dimension, or of two numbers.
func ratio(a, b string) (float64, bool) {
	if x, err := units.ParseMoney(a); err == nil {
		y, err := units.ParseMoney(b)
		return x.Amount / y.Amount, err == nil && x.Currency == y.Currency && y.Amount > 0
	}
	for _, parse := range []func(string) (float64, error){
		number(units.Power.Parse), number(units.Speed.Parse), number(units.Bandwidth.Parse), number(units.Time.Parse),
		func(text string) (float64, error) { return strconv.ParseFloat(text, 64) },
	} {
		x, errA := parse(a)
		y, errB := parse(b)
		if errA == nil && errB == nil && y > 0 {
			return x / y, true
		}
	}
	return 0, false
}

// number is the parser of a quantity in its base unit.
func number[T ~float64](parse func(string) (T, error)) func(string) (float64, error) {
	return func(text string) (float64, error) {
		x, err := parse(text)
		return float64(x), err
	}
}
