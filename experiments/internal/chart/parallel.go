package chart

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"

	"github.com/isoscale/isoscale/experiments/internal/chart/palette"
	"github.com/isoscale/isoscale/internal/each"
)

var _ = isKind("parallel axes", new(Parallel))

// Parallel shows points of three and more variables: an upright axis for each
// variable, and each point as a line from axis to axis. The value to be explained is on
// the last axis and gives the line its colour.
type Parallel struct {
	Title   string `json:"title,omitzero"` // required
	Caption string `json:"caption,omitzero"`

	Axes  []ParallelAxis `json:"axes,omitzero"`  // at least 2, from left to right
	Value Axis           `json:"value,omitzero"` // of the last axis, with both bounds; it may be logarithmic

	Lines  []ParallelLine `json:"lines,omitzero"`  // the last ones are in front
	Marked string         `json:"marked,omitzero"` // what marked lines are; required if there are some
	Least  bool           `json:"least,omitzero"`  // the least value is the best, otherwise the greatest
	Height int            `json:"height,omitzero"` // in CSS pixels; 0 chooses one
}

// A ParallelAxis is a variable with levels, which are at equal distances.
type ParallelAxis struct {
	Name   string   `json:"name,omitzero"`   // required
	Levels []string `json:"levels,omitzero"` // from the bottom up, at least 1
}

// A ParallelLine is a point.
type ParallelLine struct {
	At     []int   `json:"at,omitzero"`     // its level on each axis
	Value  float64 `json:"value,omitzero"`  // within the bounds of the chart
	Label  string  `json:"label,omitzero"`  // what else the reader is told about it; may be empty
	Marked bool    `json:"marked,omitzero"` // bold, in front of the others
}

func (c *Parallel) check(at place) {
	at = at.chart(c.Title, c.Height, nil, nil, &c.Value)
	bounded := at.checkBounds("value", &c.Value, false)
	at.demand(len(c.Axes) >= 2, "has %d axes; expected at least 2", len(c.Axes))
	for i, a := range c.Axes {
		here := at.in(fmt.Sprintf("axis %d", i+1), a.Name)
		here.checkPresent("name", a.Name)
		here.demand(len(a.Levels) != 0, "has no levels; expected at least 1")
	}
	for i, l := range c.Lines {
		here := at.in(fmt.Sprintf("line %d", i+1), l.Label)
		here.demand(!l.Marked || c.Marked != "", "is marked, and the chart does not say what marked lines are")
		here.checkNumber("value", l.Value, c.Value.Log)
		if bounded && (l.Value < *c.Value.Min || l.Value > *c.Value.Max) {
			here.reportf("value is %v; expected %v to %v", l.Value, *c.Value.Min, *c.Value.Max)
		}
		if len(l.At) != len(c.Axes) {
			here.reportf("has %d levels; expected %d, one for each axis", len(l.At), len(c.Axes))
			continue
		}
		for k, level := range l.At {
			here.demand(level >= 0 && level < len(c.Axes[k].Levels),
				"at[%d] is %d; expected an index into the %d levels of the axis", k, level, len(c.Axes[k].Levels))
		}
	}
}

func (c *Parallel) drawable() bool { return len(c.Lines) > 0 }

func (c *Parallel) finding() []string {
	value := c.Value.label()
	found := []string{plural(len(c.Lines), "line") +
		fmt.Sprintf(" over %s and %s", plural(len(c.Axes), "variable"), value)}
	ends := Ends(each.Of(c.Lines, func(l ParallelLine) float64 { return l.Value }))
	best := c.Lines[ends[1]]
	if c.Least {
		best = c.Lines[ends[0]]
	}
	where := ""
	for k, name := range c.names() {
		where += fmt.Sprintf("%s %s, ", name, Clean(c.Axes[k].Levels[best.At[k]]))
	}
	return append(found, fmt.Sprintf("the best has %s%s %s", where, value, Short(best.Value, 4)))
}

// vega does not use the data of the table: it has a row for each crossing of a line and an
// axis, with its height from 0 to 1, because each axis has levels of its own.
func (c *Parallel) vega() object {
	names := append(c.names(), c.Value.label())
	var rows []object
	for i, l := range c.Lines {
		cross := func(axis int, level string, height float64) {
			rows = append(rows, object{"line": i, "axis": names[axis], "level": level, "height": height,
				"value": l.Value, "marked": l.Marked})
		}
		for k, level := range l.At {
			cross(k, Clean(c.Axes[k].Levels[level]), levelAt(level, len(c.Axes[k].Levels)))
		}
		cross(len(c.Axes), full(l.Value), shareOf(c.Value, l.Value))
	}
	colour := object{"field": "value", "type": "quantitative", "title": names[len(c.Axes)]}
	if c.Value.Log {
		colour["scale"] = object{"type": "log"}
	}
	return object{"data": object{"values": rows}, "mark": object{"type": "line", "point": true}, "encoding": object{
		"x":       object{"field": "axis", "type": "nominal", "sort": nil, "title": nil},
		"y":       object{"field": "height", "type": "quantitative", "axis": nil},
		"color":   colour,
		"detail":  object{"field": "line", "type": "nominal"},
		"size":    object{"condition": object{"test": "datum.marked", "value": 3}, "value": 1},
		"tooltip": []any{object{"field": "axis"}, object{"field": "level"}},
	}}
}

// mostNamed is up to how many levels an axis names all of them, if there is room. Of more,
// such as samples with a level each, about seven names are enough.
const mostNamed = 13

func (c *Parallel) keys() []string {
	if !slices.ContainsFunc(c.Lines, func(l ParallelLine) bool { return l.Marked }) {
		return nil
	}
	return []string{Clean(c.Marked)}
}

func (c *Parallel) size() (rows int, ratio float64) { return 0, 0.62 }

// strong returns the inks of a ramp for lines, which must be darker than areas to be seen.
func (r ramp) strong() ramp { return r[1:] }

func (c *Parallel) draw(s *sheet, top float64) {
	colours := s.theme.heat.strong()
	f := &frame{sheet: s}
	top = s.colourScale(top, c.Value, colours) + 0.3*s.em
	f.top = s.legend(top, c.keys(), func(_ int, at point) { s.trace(MarkPath, s.sample(at)) }) + 2.2*s.em
	f.bottom = s.height - 1.2*s.em
	scale := c.Value.bounded(f.bottom-f.top, s.line)
	f.left, f.right = 0.6*s.em, s.width-s.labelWidth(scale)-0.9*s.em
	x := func(axis int) float64 { return f.left + (f.right-f.left)*float64(axis)/float64(len(c.Axes)) }
	y := func(share float64) float64 { return f.bottom - share*(f.bottom-f.top) }
	line := func(l *ParallelLine) []point {
		var points []point
		for k, level := range l.At {
			points = append(points, point{x(k), y(levelAt(level, len(c.Axes[k].Levels)))})
		}
		return append(points, point{x(len(l.At)), y(scale.Position(l.Value))})
	}
	// Neighbours of the same colour are one path.
	var same, marked [][]point
	var colour ink
	flush := func() {
		s.lines(stroke{ink: colour, width: 0.09}, same...)
		same = nil
	}
	for i := range c.Lines {
		l := &c.Lines[i]
		if l.Marked {
			marked = append(marked, line(l))
			continue
		}
		if next := colours.at(scale.Position(l.Value)).faded(0.75); next.CSS() != colour.CSS() {
			flush()
			colour = next
		}
		same = append(same, line(l))
	}
	flush()
	if len(marked) > 0 {
		s.lines(stroke{ink: s.theme.paper.faded(palette.HaloOpacity), width: 0.3}, marked...)
		s.lines(stroke{ink: s.theme.series[0], width: 0.14}, marked...)
	}
	c.axes(f, scale, x, y)
}

// axes draws the axes over the lines, with the names of as many levels as have room.
func (c *Parallel) axes(f *frame, scale Scale, x func(int) float64, y func(float64) float64) {
	last := len(c.Axes)
	room := (f.right - f.left) / float64(last)
	beyond := f.width - 0.2*f.em - f.right
	title := fit(Clean(c.Value.Title), 0.5*room+beyond, f.em)
	value := math.Max(0, measure(title, f.em)-beyond)
	var upright [][]point
	for k := range last + 1 {
		upright = append(upright, []point{{x(k), f.top}, {x(k), f.bottom}})
	}
	f.lines(stroke{ink: f.theme.ink, width: 0.09}, upright...)
	for k, a := range c.Axes {
		gaps := float64(max(1, len(a.Levels)-1))
		every := everyOf(1.3*f.em, (f.bottom-f.top)/gaps)
		if len(a.Levels) > mostNamed {
			every = max(every, int(math.Ceil(gaps/6)))
		}
		for l, name := range Distinct(a.Levels, "level") {
			if l%every == 0 {
				// Many lines meet here: the name covers them, and begins where they are apart.
				at, name := point{x(k) + 0.6*f.em, y(levelAt(l, len(a.Levels))) + 0.35*f.em}, fit(Clean(name), 0.6*room, f.em)
				under := f.around(at.x, at.y, start, name)
				under.left = x(k) + 0.2*f.em
				f.areas(f.theme.paper, under.corners())
				f.text(f.theme.ink, at.x, at.y, start, name)
			}
		}
		named := room - 0.7*f.em
		if k == last-1 {
			named -= value // the part of the title of the value left of its axis
		}
		f.text(f.theme.ink, x(k)-0.3*f.em, f.top-0.9*f.em, start, fit(Clean(a.Name), named, f.em))
	}
	for _, t := range scale.Ticks {
		f.text(f.theme.muted, f.right+0.4*f.em, y(scale.Position(t.At))+0.35*f.em, start, t.Label)
	}
	f.text(f.theme.ink, f.width-0.2*f.em, f.top-0.9*f.em, end, title)
}

// names returns the names of the axes except that of the value, all different.
func (c *Parallel) names() []string {
	return DistinctOf(c.Axes, "axis", func(a ParallelAxis) string { return a.Name })
}

// levelAt returns where a level is on its axis, from 0 at the bottom to 1 at the top. A
// single level is in the middle.
func levelAt(level, levels int) float64 {
	if levels == 1 {
		return 0.5
	}
	return float64(level) / float64(levels-1)
}

// data has a row for each line: its levels, its value and whether it is marked. Marked lines,
// the best and the worst are kept in tables that are cut.
func (c *Parallel) data(d *data) {
	d.text(c.names()...)
	d.axis(true, c.Value, "")
	d.text("label", "marked")
	for _, l := range c.Lines {
		var row []string
		for k, level := range l.At {
			row = append(row, Clean(c.Axes[k].Levels[level]))
		}
		marked := ""
		if l.Marked {
			marked = Clean(c.Marked)
		}
		d.row(append(row, full(l.Value), Clean(l.Label), marked)...)
		if l.Marked {
			d.keep()
		}
	}
	if len(d.rows) > 0 {
		d.keepEnds(0, len(c.Axes))
	}
}

func (c *Parallel) pixels() int { return cmp.Or(c.Height, 460) }

// interactive gives axes and lines to the script, because ECharts has no parallel axes here. It
// draws them in a plane whose x is the number of an axis and whose y goes from 0 to 1.
func (c *Parallel) interactive(i *Interactive) {
	type line struct {
		At     []int   `json:"at"`
		Value  float64 `json:"value"`
		Label  string  `json:"label,omitempty"`
		Marked bool    `json:"marked,omitempty"`
	}
	marked := Clean(c.Marked)
	if marked != "" {
		i.legend([]string{marked})
	}
	i.axes(opts.XAxis{Type: "value"}, opts.YAxis{Type: "value"})
	i.colours(c.Value)
	// From the back to the front.
	for _, s := range []struct{ role, name, kind string }{{"lines", "", "lines"}, {"marked-halo", marked, "lines"},
		{"marked", marked, "lines"}, {"uprights", "", "custom"}} {
		i.add(role{Kind: s.role}, charts.SingleSeries{Name: s.name, Type: s.kind, Data: []int{}})
	}
	const around, lineHeight = 120, 1.6 * 14
	ticks := c.Value.bounded(float64(max(120, c.pixels()-around)), func(string) float64 { return lineHeight }).Ticks
	own := struct {
		Axes   []ParallelAxis `json:"axes"`
		Value  string         `json:"value"` // the name of the last axis
		Min    float64        `json:"min"`   // of it; logarithms to the base 10 if it is logarithmic
		Max    float64        `json:"max"`
		Log    bool           `json:"log,omitempty"`
		Ticks  []Tick         `json:"ticks"`
		Lines  []line         `json:"lines"`
		Marked string         `json:"marked,omitempty"`
		Least  bool           `json:"least,omitempty"`
	}{Value: c.Value.label(), Min: c.Value.height(*c.Value.Min), Max: c.Value.height(*c.Value.Max), Log: c.Value.Log,
		Ticks: ticks, Marked: marked, Least: c.Least,
		Lines: each.Of(c.Lines, func(l ParallelLine) line { return line{l.At, l.Value, Clean(l.Label), l.Marked} })}
	for k, name := range c.names() {
		own.Axes = append(own.Axes, ParallelAxis{name, Distinct(c.Axes[k].Levels, "level")})
	}
	i.Own = own
}
