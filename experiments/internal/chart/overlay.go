package chart

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/units"
)

// A Result is what is compared with another one: charts, and what the legends call them.
type Result struct {
	Name   string
	Charts []Named
}

// An Overlay is the charts that two results have in common, and below each the ratio of the
// second result to the first at each point that both have. Nothing is interpolated: a point that
// only one result has is drawn and has no ratio.
type Overlay struct {
	Pairs []Pair
	Notes []string // what is left out: also maps, timelines, tornados and scattered points
}

// A Pair is a chart of both results.
type Pair struct {
	Both  Named
	Ratio *Named // nil if the results have no x in common
}

// Charts lists the charts, each with its ratio after it.
func (o Overlay) Charts() []Named {
	var charts []Named
	for _, p := range o.Pairs {
		charts = append(charts, p.Both)
		if p.Ratio != nil {
			charts = append(charts, *p.Ratio)
		}
	}
	return charts
}

// Document shows two results in one picture for each chart, with the ratio below it.
// sources are where the results come from.
func (o Overlay) Document(names, sources [2]string) *Document {
	both := Section{Heading: "Charts"}
	both.Blocks = each.Append(both.Blocks, o.Charts(), func(c Named) Block { return c.Block })
	title := names[0] + " and " + names[1]
	headline := title
	for _, p := range o.Pairs {
		if p.Ratio == nil {
			continue
		}
		if c, lines := p.Ratio.Block.(*LineChart); lines {
			var ys []float64
			for _, s := range c.Series {
				ys = append(ys, s.Y...)
			}
			headline = fmt.Sprintf("%s: %s is %s to %s times %s", Title(p.Both.Block), names[1], Short(slices.Min(ys), 3), Short(slices.Max(ys), 3), names[0])
			break
		}
	}
	d := &Document{
		Title: title,
		Lead: []string{headline, fmt.Sprintf("Curves of %[2]s are dashed, those of %[1]s are not. Below each chart is the ratio %[2]s / %[1]s at each point that both have; nothing is interpolated.",
			names[0], names[1])},
		Sections: []Section{both},
	}
	if len(o.Notes) > 0 {
		d.Sections = append(d.Sections, Section{Heading: "Left out", Blocks: []Block{&Notes{Items: o.Notes}}})
	}
	for i, name := range names {
		d.Provenance = append(d.Provenance, Fact{Label: name, Value: sources[i]})
	}
	return d
}

// comparable charts can be laid over others of their kind: curves of the second result are dashed,
// and its bars beside those of the first. The ratio is nil if no series has an x in both. Axes must
// show the same quantity; where prefixes differ, as in ms and s, the second chart is converted.
type comparable interface {
	over(second Block, c *comparison) (both, ratio Block, err error)
}

// errKind says that charts of a kind are not compared.
var errKind = errors.New("no curves or bars")

// Overlaid lays the charts of two results over each other, in the order of the first. The error
// lists every chart that differs in what its axes show, or says that no chart is in both.
func Overlaid(a, b Result) (Overlay, error) {
	var o Overlay
	var problems []error
	var other, kinds []string
	named := func(charts []Named, name string) int {
		return slices.IndexFunc(charts, func(c Named) bool { return c.Name == name })
	}
	for _, x := range a.Charts {
		at := named(b.Charts, x.Name)
		if at < 0 {
			other = append(other, x.Name+" is in "+a.Name+" alone")
			continue
		}
		var both, ratio Block
		err := errKind
		if first, ok := x.Block.(comparable); ok {
			both, ratio, err = first.over(b.Charts[at].Block, &comparison{names: [2]string{a.Name, b.Name}})
		}
		switch p := (Pair{Both: Named{x.Name, both}}); {
		case errors.Is(err, errKind):
			kinds = append(kinds, x.Name)
		case err != nil:
			problems = append(problems, fmt.Errorf("chart %s: %w", x.Name, err))
		default:
			if ratio != nil {
				p.Ratio = &Named{x.Name + "-ratio", ratio}
			}
			o.Pairs = append(o.Pairs, p)
		}
	}
	for _, y := range b.Charts {
		if named(a.Charts, y.Name) < 0 {
			other = append(other, y.Name+" is in "+b.Name+" alone")
		}
	}
	if len(problems) > 0 {
		return Overlay{}, errors.Join(problems...)
	}
	if len(kinds) > 0 {
		o.Notes = append(o.Notes, "No curves or bars to compare: "+strings.Join(kinds, ", ")+".")
	}
	if len(other) > 0 {
		o.Notes = append(o.Notes, "Not in both: "+strings.Join(other, "; ")+".")
	}
	if len(o.Pairs) == 0 {
		return Overlay{}, fmt.Errorf("%s and %s have no chart of curves or bars in common. %s",
			a.Name, b.Name, strings.Join(o.Notes, " "))
	}
	return o, nil
}

// A comparison is of one chart of two results. It counts the points with and without a ratio.
type comparison struct {
	names    [2]string
	only     [2]int // points that one result has alone
	undrawn  int    // points of both without a ratio, or with one out of range
	compared int
}

// common returns the axes of both charts, and by how much the numbers of b are multiplied
// to be in the units of a. Where one chart leaves a bound to the data, both do.
func (c *comparison) common(which [2]string, a, b [2]Axis) (axes [2]Axis, factors [2]float64, err error) {
	outer := func(a, b *float64, factor float64, of func(x, y float64) float64) *float64 {
		if a == nil || b == nil {
			return nil
		}
		return new(of(*a, *b*factor))
	}
	for i, a := range a {
		b, same := b[i], false
		if factors[i], same = convert(b.Unit, a.Unit); !same || a.Title != b.Title {
			return axes, factors, fmt.Errorf("the %s is %q in %s and %q in %s; expected the same quantity",
				which[i], a.label(), c.names[0], b.label(), c.names[1])
		}
		a.Log = a.Log && b.Log
		a.Min, a.Max = outer(a.Min, b.Min, factors[i], math.Min), outer(a.Max, b.Max, factors[i], math.Max)
		axes[i] = a
	}
	return axes, factors, nil
}

// ratios is the axis of the ratio.
func (c *comparison) ratios(log bool) Axis {
	return Axis{Title: c.names[1] + " / " + c.names[0], Unit: Dimensionless, Log: log}
}

// convert returns how many of the unit to are one of the unit from, and whether both are
// of one quantity.
func convert(from, to string) (float64, bool) {
	if from == to {
		return 1, true
	}
	for _, in := range []func(from, to string) (float64, bool){in(units.Time), in(units.Size), in(units.Bandwidth),
		in(units.Work), in(units.Speed), in(units.Power)} {
		if factor, ok := in(from, to); ok {
			return factor, true
		}
	}
	return 0, false
}

func in[T ~float64](d units.Dimension[T]) func(from, to string) (float64, bool) {
	return func(from, to string) (float64, bool) {
		a, errFrom := d.Parse("1 " + from)
		b, errTo := d.Parse("1 " + to)
		return float64(a / b), errFrom == nil && errTo == nil
	}
}

// matches pairs series by name: those of the first result in their order, then those that only
// the second has. A pair is two indices, -1 for a result that lacks the series.
func matches[S any](a, b []S, name func(S) string) [][2]int {
	var out [][2]int
	used := make([]bool, len(b))
	for i, s := range a {
		k := slices.IndexFunc(b, func(t S) bool { return name(t) == name(s) })
		if k >= 0 && used[k] {
			k = -1
		} else if k >= 0 {
			used[k] = true
		}
		out = append(out, [2]int{i, k})
	}
	for k := range b {
		if !used[k] {
			out = append(out, [2]int{-1, k})
		}
	}
	return out
}

// ratio returns b/a, and whether a chart can show it: 0 or within the magnitudes of an axis.
func (c *comparison) ratio(a, b float64, log bool) (float64, bool) {
	r := b / a // not finite for a = 0
	size := math.Abs(r)
	fits := size <= largest && (size >= smallestLog || b == 0 && a != 0) && (!log || r > 0)
	if fits {
		c.compared++
	} else {
		c.undrawn++
	}
	return r, fits
}

// caption is of both charts: what both say, how the results are told apart, and what has no ratio.
func (c *comparison) caption(a, b, how string) string {
	if c.compared+c.undrawn == 0 {
		how += " They have no point in common, so there is no ratio."
	} else {
		how += c.missing()
	}
	switch {
	case a == b && a != "":
		return a + " " + how
	case a == b:
		return how
	}
	for i, text := range []string{a, b} {
		if text != "" {
			how += " " + c.names[i] + ": " + text
		}
	}
	return how
}

// missing says what has no ratio, "" if all points have one.
func (c *comparison) missing() string {
	var parts []string
	for i, n := range c.only {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%s only in %s", plural(n, "point"), c.names[i]))
		}
	}
	if c.undrawn > 0 {
		parts = append(parts, plural(c.undrawn, "point")+" where "+c.names[0]+" is 0, an x has several values or the ratio is out of range")
	}
	if parts == nil {
		return ""
	}
	return " Without a ratio: " + strings.Join(parts, ", ") + "."
}

// meaning is the caption of a chart of ratios.
func (c *comparison) meaning() string {
	return fmt.Sprintf("The value of %s divided by that of %s, at %s.", c.names[1], c.names[0],
		plural(c.compared, "point")) + c.missing()
}

func (c *LineChart) over(second Block, with *comparison) (Block, Block, error) {
	b, ok := second.(*LineChart)
	if !ok {
		return nil, nil, errKind
	}
	axes, factors, err := with.common([2]string{"x axis", "y axis"}, [2]Axis{c.X, c.Y}, [2]Axis{b.X, b.Y})
	if err != nil {
		return nil, nil, err
	}
	x, y := axes[0], axes[1]
	o := laidOver{comparison: with, of: [2]*LineChart{c, b.converted(factors[0], factors[1])},
		both: &LineChart{Title: c.Title, X: x, Y: y, Square: c.Square && b.Square && x.Log == y.Log, Height: max(c.Height, b.Height)},
		at:   [2][]int{make([]int, len(c.Series)), make([]int, len(b.Series))}}
	ratio := &LineChart{Title: c.Title + ": ratio", X: x, Y: with.ratios(y.Log), Targets: []Target{{Label: "equal", Y: 1}}}
	ratio.Series = o.curves()
	o.marks()
	o.both.Caption = with.caption(c.Caption, b.Caption, "Dashed: "+with.names[1]+".")
	if len(ratio.Series) == 0 {
		return o.both, nil, nil
	}
	if ratio.Caption = with.meaning(); !ratio.Y.Log {
		ratio.Y.Min, ratio.Y.Max = around(ratio.Series)
	}
	return o.both, ratio, nil
}

// laidOver is a chart of the curves of two results while it is made.
type laidOver struct {
	*comparison
	of     [2]*LineChart // of the results, in units of the first
	both   *LineChart
	at     [2][]int // where the series of each are in both
	shared bool     // legend entries are of both results
}

// curves draws the series of both results, and returns the ratios of those that both have.
func (o *laidOver) curves() (ratios []Series) {
	for _, m := range matches(o.of[0].Series, o.of[1].Series, func(s Series) string { return s.Name }) {
		if k := slices.Index(m[:], -1); k >= 0 {
			k = 1 - k // the one that has it
			o.draw(k, m[k], o.names[k]+": ")
			if s := o.of[k].Series[m[k]]; !s.Ideal {
				o.only[k] += len(s.X)
			}
			continue
		}
		s, t := &o.of[0].Series[m[0]], &o.of[1].Series[m[1]]
		ideal := s.Ideal && t.Ideal
		// What both are compared with, such as published values, is drawn once.
		if (ideal || s.Points && t.Points) && slices.Equal(s.X, t.X) && slices.Equal(s.Y, t.Y) {
			o.draw(0, m[0], "")
			o.at[1][m[1]] = o.at[0][m[0]]
		} else {
			o.draw(0, m[0], o.names[0]+": ")
			o.draw(1, m[1], o.names[1]+": ")
		}
		if ideal {
			continue
		}
		if r := s.divided(t, o.both.Y.Log, o.comparison); len(r.X) > 0 {
			ratios = append(ratios, r)
		}
	}
	if o.shared {
		o.both.Series = append(o.both.Series, Series{Name: "dashed: " + o.names[1], Ideal: true}) // in the legend alone
	}
	return ratios
}

// draw adds series i of result k, with a name before its own.
func (o *laidOver) draw(k, i int, name string) {
	o.at[k][i] = len(o.both.Series)
	s := o.of[k].Series[i]
	dashed := s.Dashed
	if !s.Ideal {
		s.Dashed = k == 1 && !s.Points
	}
	switch {
	case s.Colour != "":
		s.Colour = fmt.Sprint(k, s.Colour)
	case !dashed: // shared by both results, whose lines and markers differ
		s.Colour = "of " + s.Name
	}
	if s.Ideal || s.Colour == "of "+s.Name && !s.Points {
		s.Entry = s.Name
		o.shared = o.shared || !s.Ideal && k == 1
	}
	s.Name = name + s.Name
	o.both.Series = append(o.both.Series, s)
}

// marks adds the bands, the marked points and the targets of both results.
func (o *laidOver) marks() {
	for k, c := range o.of {
		for _, band := range c.Bands {
			band.Name = o.names[k] + ": " + band.Name
			if band.Colour != "" {
				band.Colour = fmt.Sprint(k, band.Colour)
			}
			o.both.Bands = append(o.both.Bands, band)
		}
		for _, p := range c.Points {
			text := o.names[k] + ": " + p.Label
			if slices.ContainsFunc(o.of[1-k].Points, func(q MarkedPoint) bool { return q.Label == p.Label && q.X == p.X }) {
				text = []string{p.Label, ""}[k] // of both, once
			}
			o.both.Points = append(o.both.Points, MarkedPoint{Series: o.at[k][p.Series], X: p.X, Y: p.Y, Label: text})
		}
		for _, t := range c.Targets {
			if !slices.Contains(o.both.Targets, t) {
				o.both.Targets = append(o.both.Targets, t)
			}
		}
	}
}

// around returns the ends of a linear axis of ratios. It would otherwise begin at zero, and ratios near 1 would look
// alike.
func around(ratios []Series) (low, high *float64) {
	least, most := 1.0, 1.0
	for _, s := range ratios {
		least, most = min(least, slices.Min(s.Y)), max(most, slices.Max(s.Y))
	}
	margin := cmp.Or(0.05*(most-least), 0.05)
	return new(least - margin), new(most + margin)
}

// divided returns the ratio of another curve to this one at each x at which both have one value.
func (s *Series) divided(b *Series, log bool, c *comparison) Series {
	r := Series{Name: s.Name, Plain: s.Plain, Points: s.Points}
	first, second := s.values(), b.values()
	for _, x := range s.X {
		if y, both := second[x]; !both {
			c.only[0]++
		} else if v, fits := c.ratio(first[x], y, log); fits {
			r.X, r.Y = append(r.X, x), append(r.Y, v)
		}
	}
	for _, x := range b.X {
		if _, both := first[x]; !both {
			c.only[1]++
		}
	}
	return r
}

// values returns the y of each x, NaN where the curve has several, such as both ends of a step.
func (s *Series) values() map[float64]float64 {
	at := make(map[float64]float64, len(s.X))
	for k, x := range s.X {
		if y, again := at[x]; again && y != s.Y[k] {
			at[x] = none
		} else {
			at[x] = s.Y[k]
		}
	}
	return at
}

// converted is the chart in other units.
func (c *LineChart) converted(fx, fy float64) *LineChart {
	times := func(values []float64, factor float64) []float64 {
		if values == nil {
			return nil
		}
		return each.Of(values, func(v float64) float64 { return v * factor })
	}
	n := *c
	n.Series = each.Of(c.Series, func(s Series) Series {
		s.X, s.Y, s.Low, s.High = times(s.X, fx), times(s.Y, fy), times(s.Low, fy), times(s.High, fy)
		return s
	})
	n.Bands = each.Of(c.Bands, func(b Band) Band {
		b.X, b.Low, b.High = times(b.X, fx), times(b.Low, fy), times(b.High, fy)
		return b
	})
	n.Targets = each.Of(c.Targets, func(t Target) Target { return Target{t.Label, t.Y * fy} })
	n.Points = each.Of(c.Points, func(p MarkedPoint) MarkedPoint {
		return MarkedPoint{p.Series, p.X * fx, p.Y * fy, p.Label}
	})
	return &n
}

// over puts the bars of two charts side by side; piles stay piles.
func (c *BarChart) over(second Block, with *comparison) (Block, Block, error) {
	b, ok := second.(*BarChart)
	if !ok {
		return nil, nil, errKind
	}
	axes, factors, err := with.common([2]string{"axis of categories", "axis of values"}, [2]Axis{c.X, c.Y},
		[2]Axis{b.X, b.Y})
	if err != nil {
		return nil, nil, err
	}
	own := [2][]string{Distinct(c.Categories, "category"), Distinct(b.Categories, "category")}
	names, categories, at := with.names, slices.Clone(own[0]), slices.Clone(c.At)
	for k, name := range own[1] {
		if slices.Contains(categories, name) {
			continue
		}
		categories = append(categories, name)
		if b.At != nil {
			at = append(at, b.At[k]*factors[0])
		}
	}
	if len(at) != len(categories) { // numbers in one of the two alone
		at = nil
	}
	both := &BarChart{Title: c.Title, X: axes[0], Y: axes[1], Categories: categories, At: at, Horizontal: c.Horizontal}
	ratio := &BarChart{Title: c.Title + ": ratio", X: axes[0], Y: with.ratios(false), Categories: categories, At: at,
		Horizontal: c.Horizontal}
	var piles [2][]BarSeries // those of a pile follow each other
	for _, m := range matches(c.Series, b.Series, func(s BarSeries) string { return s.Name }) {
		var sides [2]Series // over the indices of categories
		for k, chart := range []*BarChart{c, b} {
			if m[k] < 0 {
				continue
			}
			s := &chart.Series[m[k]]
			sides[k] = s.points(own[k], categories, []float64{1, factors[1]}[k])
			drawn := sides[k].bars(len(categories))
			drawn.Name, drawn.Offset, drawn.Hollow, drawn.Dashed = names[k]+": "+s.Name, s.Offset, s.Hollow, s.Dashed
			if drawn.Colour = "of " + s.Name; s.Colour != "" { // of several
				drawn.Colour = fmt.Sprint(k, s.Colour)
			} else {
				drawn.Entry = s.Name
			}
			if s.Stack == "" {
				both.Series = append(both.Series, drawn)
				continue
			}
			drawn.Stack = names[k] + ": " + s.Stack
			piles[k] = append(piles[k], drawn)
		}
		switch {
		case m[1] < 0:
			with.only[0] += len(sides[0].X)
		case m[0] < 0:
			with.only[1] += len(sides[1].X)
		case !c.Series[m[0]].Offset && !b.Series[m[1]].Offset:
			if r := sides[0].divided(&sides[1], false, with); len(r.X) > 0 {
				ratio.Series = append(ratio.Series, r.bars(len(categories)))
			}
		}
	}
	sides := "left %s, right %s"
	if c.Horizontal {
		sides = "upper %s, lower %s"
	}
	both.X.Title += " (" + fmt.Sprintf(sides, names[0], names[1]) + ")"
	how := "For each series, first " + names[0] + ", then " + names[1] + "."
	if piles[0] != nil || piles[1] != nil {
		how = "In each pair of stacks, first " + names[0] + ", then " + names[1] + "."
		both.Series = slices.Concat(piles[0], piles[1], both.Series)
	}
	both.Caption = with.caption(c.Caption, b.Caption, how)
	if len(ratio.Series) == 0 {
		return both, nil, nil
	}
	ratio.Caption = with.meaning() + " At 1 they are equal."
	return both, ratio, nil
}

// points returns a series over its own categories, in other units, as points over the indices of those of two charts.
func (b *BarSeries) points(own, categories []string, factor float64) Series {
	s := Series{Name: b.Name}
	for k, name := range categories {
		if at := slices.Index(own, name); at >= 0 && !b.IsMissing(at) {
			s.X, s.Y = append(s.X, float64(k)), append(s.Y, b.Values[at]*factor)
			if b.ranged() {
				s.Low, s.High = append(s.Low, b.Low[at]*factor), append(s.High, b.High[at]*factor)
			}
		}
	}
	return s
}

// bars turns such points into bars of so many categories.
func (s *Series) bars(categories int) BarSeries {
	b := BarSeries{Name: s.Name, Values: make([]float64, categories), Missing: slices.Repeat([]bool{true}, categories)}
	if s.Low != nil {
		b.Low, b.High = make([]float64, categories), make([]float64, categories)
	}
	for k, x := range s.X {
		b.Values[int(x)], b.Missing[int(x)] = s.Y[k], false
		if b.ranged() {
			b.Low[int(x)], b.High[int(x)] = s.Low[k], s.High[k]
		}
	}
	return b
}
