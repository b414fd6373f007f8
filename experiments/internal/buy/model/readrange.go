package model

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/model/units"
)

var rangesObject = &schema.Object{What: "what is known of the ranges of figures, as in {samples: 1000, model: 0.1}", Fields: []schema.Field{
	{Key: "samples", Type: rangeSampleCount, Default: "1000", Meaning: "cases that are drawn"},
	{Key: "model", Type: modelError, Default: "0.1", Meaning: "range of the simulated times on a node type, relative to them"},
	{Key: "figures", Type: schema.List{Of: figureRangeObject}, Default: "none", Meaning: "ranges of figures that are not beside their values, and what they have in common"},
}}

var figureRangeObject = &schema.Object{What: "the range of a figure, as in {of: nodes.fat.price, range: 5 %, group: prices of vendor A}", Fields: []schema.Field{
	{Key: "of", Type: schema.Text, Required: true, Meaning: "the figure, by its place in the file"},
	{Key: "range", Type: percentType, Default: "that beside its value", Meaning: "half the width of its range, relative to its value"},
	{Key: "group", Type: schema.Text, Default: "none", Meaning: "figures that are all too high or all too low"},
}}

var (
	rangeSampleCount = schema.Integer{Min: 100, Max: maxSamples}
	modelError       = schema.Number{Max: maxRange}
	percentType      = schema.Pattern(`^` + percentSyntax + `$`)
	percentPattern   = regexp.MustCompile(string(percentType))
)

const (
	percentSyntax = `[0-9]+(\.[0-9]+)? ?%`
	plusMinus     = "+-"
	maxRange      = 0.9 // relative to the value

	defaultRangeSamples = 1000
	defaultModelError   = 0.1
)

// ranged is a type whose values may have a range: 25000 USD +- 5 %.
func ranged(t schema.Type) schema.Type {
	return schema.AnyOf{t, schema.Pattern(`^[0-9][^+]* ?\+- ?` + `[0-9]+(\.[0-9]+)? ?(%|[A-Za-z][A-Za-z/]*)?$`)}
}

// A besideRange is what a file has to the right of "+-".
type besideRange struct {
	value, half string
	at          *yamldoc.Node
}

// withoutRanges returns a file without the ranges beside values, and notes these by the
// place of the value: prefix and its path. Values are then read as if they had none.
func (r *reader) withoutRanges(root *yamldoc.Node, prefix string) *yamldoc.Node {
	if root == nil {
		return nil
	}
	return root.Rewritten(func(n *yamldoc.Node) string {
		value, half, found := strings.Cut(n.Text(), plusMinus)
		path := prefix + n.Path()
		if !found || !mayHaveRange.MatchString(path) {
			return n.Text()
		}
		r.beside[path] = besideRange{strings.TrimSpace(value), strings.TrimSpace(half), n}
		r.besideOrder = append(r.besideOrder, path)
		return strings.TrimSpace(value)
	})
}

// mayHaveRange matches the places of figures with ranges: those that [parameter] knows.
var mayHaveRange = regexp.MustCompile(`^(` +
	`nodes\.[^.]+\.(price|marked_speed|node_speed|memory_bandwidth|power|on_node\.latency|on_node\.bandwidth)|` +
	`networks\.[^.]+\.(latency|bandwidth|price_per_port|price_per_cable|power_per_port|switch\.price|switch\.power)|` +
	`offers\[[0-9]+\]\.(price|time)|on_node\.(latency|bandwidth)|energy\.price_per_kwh|workloads\[[0-9]+\]\.(runs_per_year|weight))$`)

// ranges reads the ranges of figures. REQUIRES: the figures have been read.
func (r *reader) ranges(n *yamldoc.Node) {
	if n == nil && len(r.beside) == 0 {
		return
	}
	d := rangesObject.Open(&r.Decoder, n)
	u := &Ranges{
		Samples: rangeSampleCount.ReadOr(&r.Decoder, d.Take("samples"), fmt.Sprintf("a number of cases, 100 to %d", maxSamples), defaultRangeSamples),
		Model:   modelError.ReadOr(&r.Decoder, d.Take("model"), "a relative range, 0 to 0.9", defaultModelError),
	}
	r.plan.Ranges = u
	figures := r.Sequence(d.Take("figures"), "a list of ranges, as in [{of: nodes.fat.price, range: 5 %}]")
	d.Done()
	listed := map[string]bool{}
	for _, item := range figures {
		d := figureRangeObject.Open(&r.Decoder, item)
		of, half := d.Require("of", "the place of a figure, as in nodes.fat.price"), d.Take("range")
		x := Range{Of: r.String(of, "the place of a figure"), Group: r.String(d.Take("group"), "the name of a group")}
		d.Done()
		b, beside := r.beside[x.Of]
		switch {
		case listed[x.Of]:
			r.Fail(of, "duplicate range of "+x.Of, "each figure once")
		case half != nil && beside:
			r.Fail(half, x.Of+" has a range beside its value", "one of them")
		case half != nil:
			if text := r.String(half, wantRange); r.Err() == nil && !percentPattern.MatchString(text) {
				r.Fail(half, fmt.Sprintf("%q is no percentage", text), wantRange)
			} else {
				x.Half = r.rangeWithin(half, percentOf(text))
			}
		case beside:
			x.Half = r.halfOf(b)
		default:
			r.Fail(item, "no range, neither here nor beside the value of "+x.Of, "range: 5 %")
		}
		listed[x.Of] = true
		r.addRange(of, x)
	}
	for _, path := range r.besideOrder {
		if !listed[path] {
			r.addRange(r.beside[path].at, Range{Of: path, Half: r.halfOf(r.beside[path])})
		}
	}
}

const wantRange = "half the width of the range, above 0 and at most 90 %, such as 5 %"

// addRange adds the range of a figure that there is.
func (r *reader) addRange(at *yamldoc.Node, x Range) {
	if r.Err() != nil {
		return
	}
	var known bool
	if x.Parameter, known = r.plan.parameterAt(x.Of); !known {
		r.Fail(at, x.Of+" is no figure with a range", "the place of a price, speed, bandwidth, latency, power or number of runs that the plan has, such as nodes."+r.plan.Nodes[0].Name+".price")
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
	if percentPattern.MatchString(b.half) {
		return r.rangeWithin(b.at, percentOf(b.half))
	}
	half, ok := ratio(b.half, b.value)
	if !ok {
		r.Fail(b.at, fmt.Sprintf("the range %q is not in the unit of %q", b.half, b.value), "a range such as 5 %, or in that unit")
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
	for _, parse := range []func(string) (float64, error){number(units.Power.Parse), number(units.Speed.Parse), number(units.Bandwidth.Parse), number(units.Time.Parse), plainNumber} {
		x, errA := parse(a)
		y, errB := parse(b)
		if errA == nil && errB == nil && y > 0 {
			return x / y, true
		}
	}
	return 0, false
}

func plainNumber(text string) (float64, error) { return strconv.ParseFloat(text, 64) }

// number is the parser of a quantity in its base unit.
func number[T ~float64](parse func(string) (T, error)) func(string) (float64, error) {
	return func(text string) (float64, error) {
		x, err := parse(text)
		return float64(x), err
	}
}
