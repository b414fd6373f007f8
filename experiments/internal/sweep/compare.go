package sweep

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/analysis"
	"github.com/isoscale/isoscale/experiments/internal/design"
	"github.com/isoscale/isoscale/experiments/internal/input"
	"github.com/isoscale/isoscale/experiments/internal/page"
	"github.com/isoscale/isoscale/experiments/internal/schema"
	"github.com/isoscale/isoscale/experiments/internal/studytable"
	"github.com/isoscale/isoscale/experiments/internal/yamldoc"
	"github.com/isoscale/isoscale/experiments/report"
)

// Comparison says which two levels of a factor a study compares, point by point.
type Comparison struct {
	Factor string `json:"factor"`
	From   string `json:"from"` // the text of a level
	To     string `json:"to"`
	By     string `json:"by"` // difference or ratio; "" for what suits the objective
}

const (
	byDifference = "difference"
	byRatio      = "ratio"
)

var compareObject = &schema.Object{What: "two levels of a factor to compare, as in {factor: network, levels: [hockney, flow], by: ratio}", Fields: []schema.Field{
	{Key: "factor", Type: schema.Text, Required: true, Meaning: "name of a factor"},
	{Key: "levels", Type: schema.List{Of: schema.AnyOf{schema.Number{Min: -1e300, Max: 1e300}, schema.Text}, Min: 2, Max: 2}, Default: "the first two", Meaning: "the levels: the map shows the second minus, or over, the first"},
	{Key: "by", Type: schema.OneOf{byDifference, byRatio}, Default: "difference for logarithms, else ratio", Meaning: "what the map shows"},
}}

// readCompare reads the key compare of a plan. Without it, the first factor with two
// levels that sets the method or the network is compared.
func readCompare(d *yamldoc.Decoder, n *yamldoc.Node, points *design.Design) *Comparison {
	if n == nil {
		return defaultComparison(points)
	}
	m := compareObject.Open(d, n)
	defer m.Done()
	var names []string
	for i := range points.Factors {
		if points.Factors[i].Len() > 1 {
			names = append(names, points.Factors[i].Name)
		}
	}
	c := &Comparison{Factor: d.OneOf(m.Require("factor", "name of a factor"), names, "factor with several levels")}
	if v := m.Take("by"); v != nil {
		c.By = d.OneOf(v, []string{byDifference, byRatio}, "way to compare")
	}
	i := slices.IndexFunc(points.Factors, func(f design.Factor) bool { return f.Name == c.Factor })
	levels := m.Take("levels")
	if i < 0 {
		return c
	}
	f := &points.Factors[i]
	c.From, c.To = f.Level(0).Text, f.Level(1).Text
	if levels == nil {
		return c
	}
	const want = "two levels of the factor"
	items := d.Sequence(levels, want)
	if levels.IsSequence() && len(items) != 2 {
		d.Fail(levels, fmt.Sprintf("%d levels", len(items)), want)
	}
	if len(items) != 2 {
		return c
	}
	var known []string
	for l := range min(f.Len(), 1000) {
		known = append(known, f.Level(l).Text)
	}
	c.From, c.To = d.OneOf(items[0], known, "level of "+f.Name), d.OneOf(items[1], known, "level of "+f.Name)
	if c.From == c.To && c.From != "" {
		d.Fail(levels, c.From+" is compared with itself", want)
	}
	return c
}

// defaultComparison compares two methods or two networks; nil if there is no factor
// with just two.
func defaultComparison(points *design.Design) *Comparison {
	for i := range points.Factors {
		f := &points.Factors[i]
		if f.Len() == 2 && len(f.Paths) == 1 && slices.Contains([]string{"method", "network"}, f.Paths[0]) {
			return &Comparison{Factor: f.Name, From: f.Level(0).Text, To: f.Level(1).Text}
		}
	}
	return nil
}

// Difference is how two levels of a factor differ over the points that differ in
// nothing else.
type Difference struct {
	Comparison
	Pairs   int           `json:"pairs"`
	Equal   int           `json:"equal"` // pairs that differ by no more than rounding
	Mean    float64       `json:"mean"`  // of the differences; the geometric mean of ratios
	Lowest  Configuration `json:"lowest"`
	Highest Configuration `json:"highest"`

	factor, from, to int // indices
}

// rounding is a relative difference that is none.
const rounding = 1e-9

// findDifference compares what the plan compares.
func (r *Result) findDifference() {
	c := r.study.About.Compare
	if c == nil {
		c = defaultComparison(r.study.Design)
	}
	if c == nil {
		return
	}
	factor, err := r.table.FactorIndex(c.Factor)
	if err != nil {
		return
	}
	d := &Difference{Comparison: *c, factor: factor}
	if d.By == "" {
		if d.By = byRatio; strings.HasPrefix(r.response.Name, "log2_") {
			d.By = byDifference
		}
	}
	level := func(text string) int {
		return slices.IndexFunc(r.table.Factors[factor].Levels, func(l studytable.Level) bool { return l.Text == text })
	}
	if d.from, d.to = level(c.From), level(c.To); d.from < 0 || d.to < 0 {
		return
	}
	means, err := analysis.Rank(r.table, r.response.Name, r.goal, len(r.table.Rows))
	if err != nil {
		return
	}
	first := map[string]float64{}
	key := func(levels []int) string {
		levels = slices.Clone(levels)
		levels[factor] = 0
		return fmt.Sprint(levels)
	}
	for _, x := range means {
		if x.Levels[factor] == d.from {
			first[key(x.Levels)] = x.Mean
		}
	}
	sum := 0.0
	slices.SortFunc(means, func(a, b analysis.Ranked) int { return slices.Compare(a.Levels, b.Levels) })
	for _, x := range means {
		before, known := first[key(x.Levels)]
		if x.Levels[factor] != d.to || !known {
			continue
		}
		v := d.between(before, x.Mean)
		if math.IsNaN(v) {
			r.warn("%s of %s and %s cannot be compared by ratio: some values are 0 or have different signs", r.response.Name, d.From, d.To)
			return
		}
		if d.Pairs++; math.Abs(x.Mean-before) <= rounding*max(math.Abs(before), math.Abs(x.Mean)) {
			d.Equal++
		}
		if d.Pairs == 1 || v < d.Lowest.Value {
			d.Lowest = *r.configuration(x.Levels, v)
		}
		if d.Pairs == 1 || v > d.Highest.Value {
			d.Highest = *r.configuration(x.Levels, v)
		}
		if d.By == byRatio {
			v = math.Log(v)
		}
		sum += v
	}
	if d.Pairs == 0 {
		return
	}
	if d.Mean = sum / float64(d.Pairs); d.By == byRatio {
		d.Mean = math.Exp(d.Mean)
	}
	for _, c := range []*Configuration{&d.Lowest, &d.Highest} {
		delete(c.Levels, d.Factor)
	}
	r.Difference = d
}

// between compares two values; NaN if they have no ratio.
func (d *Difference) between(from, to float64) float64 {
	switch {
	case d.By == byDifference:
		return to - from
	case from == to:
		return 1
	}
	if v := to / from; v > 0 && v <= math.MaxFloat64 {
		return v
	}
	return math.NaN()
}

// differenceInWords says how much two levels differ.
func (r *Result) differenceInWords() []string {
	d := r.Difference
	if d == nil {
		return nil
	}
	if d.Equal == d.Pairs {
		return []string{fmt.Sprintf("Of %s, %s and %s agree at %s.", d.Factor, d.From, d.To, input.Plural(d.Pairs, "configuration"))}
	}
	where := func(c Configuration) string {
		levels := slices.Clone(c.levels)
		levels[d.factor] = -1
		return r.table.Describe(r.varied(levels))
	}
	amount, by := func(v float64) string { return fmt.Sprintf("%+.4g", v) }, "by"
	switch {
	case d.By == byRatio:
		amount, by = func(v float64) string { return fmt.Sprintf("%.4g", v) }, "by a factor of"
	case r.response.Unit != "":
		amount = r.value
	}
	text := fmt.Sprintf("From %s %s to %s, %s changes %s %s (%s) to %s (%s), in the mean of %s %s %s",
		d.Factor, d.From, d.To, r.response.Name, by, amount(d.Lowest.Value), where(d.Lowest), amount(d.Highest.Value), where(d.Highest),
		input.Plural(d.Pairs, "configuration"), by, amount(d.Mean))
	if d.Equal > 0 {
		text += fmt.Sprintf("; at %d it does not change", d.Equal)
	}
	return []string{text + "."}
}

// varied leaves the factors with one level out of a configuration.
func (r *Result) varied(levels []int) []int {
	for i := range levels {
		if len(r.table.Factors[i].Levels) == 1 {
			levels[i] = -1
		}
	}
	return levels
}

// differenceSection shows the difference over the two factors of the map.
func (r *Result) differenceSection() *report.Section {
	d := r.Difference
	x, y, ok := r.mapped()
	if d == nil || !ok || r.study.Design.Kind != design.Factorial || x == d.factor || y == d.factor {
		return nil
	}
	at := r.slice(x, y)
	before, after := slices.Clone(at), slices.Clone(at)
	before[d.factor], after[d.factor] = d.from, d.to
	from, g := r.gridOver(x, y, before), r.gridOver(x, y, after)
	if from == nil || g == nil {
		return nil
	}
	r.show(from)
	r.show(g)
	far := 0.0 // the largest difference, of ratios in logarithms
	for j, row := range g.Values {
		for i := range row {
			row[i] = d.between(from.Values[j][i], row[i])
			v := math.Abs(row[i])
			if d.By == byRatio {
				v = math.Abs(math.Log(row[i]))
			}
			if v > far { // false for NaN
				far = v
			}
		}
	}
	text := r.differenceInWords()
	if far <= rounding {
		return &report.Section{Heading: "Difference of " + d.From + " and " + d.To, Text: text}
	}
	low, high, none, unit := -far, far, 0.0, page.Unit(r.shown.Unit)
	what := fmt.Sprintf("%s of %s minus that of %s", r.label(r.response.Name), d.To, d.From)
	if d.By == byRatio {
		low, high, none, unit = math.Exp(-far), math.Exp(far), 1, report.Dimensionless
		what = fmt.Sprintf("%s of %s over that of %s", r.label(r.response.Name), d.To, d.From)
	}
	surface := r.surface(g)
	surface.Title = fmt.Sprintf("%s, over %s and %s", what, r.label(r.table.Factors[x].Name), r.label(r.table.Factors[y].Name))
	surface.Value = report.Axis{Title: what, Unit: unit, Min: &low, Max: &high, Log: d.By == byRatio}
	surface.Diverging = true
	others := slices.Clone(after)
	others[x], others[y], others[d.factor] = -1, -1, -1
	surface.Caption = "Colour: " + what + "."
	if fixed := r.table.Describe(r.varied(others)); fixed != "" {
		surface.Caption += " Other factors: " + fixed + "."
	}
	surface.Layers = differenceLayers(g, none, low, high)
	if len(surface.Layers) > 0 && surface.Layers[len(surface.Layers)-1].Mark == report.MarkPath {
		surface.Caption += fmt.Sprintf(" Bold line: no difference (%g).", none)
	} else {
		surface.Caption += " There is no line without a difference on this map."
	}
	return &report.Section{Heading: "Difference of " + d.From + " and " + d.To, Text: text, Blocks: []report.Block{surface}}
}

// differenceLayers are lines of equal difference, the one without difference bold.
func differenceLayers(g *analysis.Grid, none, low, high float64) []report.Layer {
	equal := report.Layer{Name: "equal difference", Mark: report.MarkContours}
	zero := report.Layer{Name: "no difference", Mark: report.MarkPath}
	levels := slices.DeleteFunc(g.NiceLevels(contours), func(v float64) bool { return math.Abs(v-none) <= 1e-9*math.Abs(high-low) })
	lines, err := g.Contours(append(levels, none))
	if err != nil {
		return nil
	}
	for _, c := range lines {
		into := &equal
		if c.Level == none {
			into = &zero
		}
		for _, l := range c.Lines {
			into.Traces = append(into.Traces, report.Trace{Label: fmt.Sprintf("%.4g", c.Level), X: l.X, Y: l.Y})
		}
	}
	return slices.DeleteFunc([]report.Layer{equal, zero}, func(l report.Layer) bool { return len(l.Traces) == 0 })
}

func (c *Comparison) String() string {
	text := fmt.Sprintf("%s, %s with %s", c.Factor, c.To, c.From)
	if c.By != "" {
		text += ", by " + c.By
	}
	return text
}
