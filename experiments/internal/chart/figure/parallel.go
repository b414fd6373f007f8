package figure

import (
	"math"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/chart"
	"github.com/isoscale/isoscale/experiments/internal/chart/palette"
	"github.com/isoscale/isoscale/experiments/report"
)

type parallel struct{ *report.Parallel }

// mostNamed is how many levels of an axis have names if there is room: of samples, each
// with a level of its own, about seven are enough.
const mostNamed = 13

func (c parallel) names() []string {
	if !slices.ContainsFunc(c.Lines, func(l report.ParallelLine) bool { return l.Marked }) {
		return nil
	}
	return []string{chart.Clean(c.Marked)}
}

func (c parallel) shape() float64 { return 0.62 }

// strong are the inks of a ramp for lines, which must be darker than areas to be seen.
func (r ramp) strong() ramp { return r[1:] }

func (c parallel) draw(s *sheet, top float64) {
	colours := s.theme.heat.strong()
	var keys []key
	for _, name := range c.names() {
		keys = append(keys, key{name, func(at point) { s.trace(report.MarkPath, []point{{at.x - s.em, at.y}, {at.x + s.em, at.y}}) }})
	}
	f := &frame{sheet: s}
	f.top, f.bottom = s.legend(s.colourScale(top, c.Value, colours)+0.3*s.em, keys)+2.2*s.em, s.height-1.2*s.em
	scale := chart.ParallelScale(c.Parallel, f.bottom-f.top, s.line)
	f.left, f.right = 0.6*s.em, s.width-s.labelWidth(scale)-0.9*s.em
	x := func(axis int) float64 { return f.left + (f.right-f.left)*float64(axis)/float64(len(c.Axes)) }
	y := func(share float64) float64 { return f.bottom - share*(f.bottom-f.top) }
	line := func(l *report.ParallelLine) []point {
		points := make([]point, 0, len(l.At)+1)
		for k, level := range l.At {
			points = append(points, point{x(k), y(chart.LevelAt(level, len(c.Axes[k].Levels)))})
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
func (c parallel) axes(f *frame, scale chart.Scale, x func(int) float64, y func(float64) float64) {
	last := len(c.Axes)
	room := (f.right - f.left) / float64(last)
	beyond := f.width - 0.2*f.em - f.right
	title := fit(chart.Clean(c.Value.Title), 0.5*room+beyond, f.em)
	value := math.Max(0, measure(title, f.em)-beyond)
	var upright [][]point
	for k := range last + 1 {
		upright = append(upright, []point{{x(k), f.top}, {x(k), f.bottom}})
	}
	f.lines(stroke{ink: f.theme.ink, width: 0.09}, upright...)
	for k, a := range c.Axes {
		gaps := float64(max(1, len(a.Levels)-1))
		every := int(math.Ceil(1.3 * f.em / ((f.bottom - f.top) / gaps)))
		if len(a.Levels) > mostNamed {
			every = max(every, int(math.Ceil(gaps/6)))
		}
		for l, name := range chart.Distinct(a.Levels, "level") {
			if l%every == 0 {
				f.haloed(x(k)+0.35*f.em, y(chart.LevelAt(l, len(a.Levels)))+0.35*f.em, start, fit(chart.Clean(name), 0.6*room, f.em))
			}
		}
		named := room - 0.7*f.em
		if k == last-1 {
			named -= value // which ends above the end of its labels
		}
		f.text(f.theme.ink, x(k)-0.3*f.em, f.top-0.9*f.em, start, fit(chart.Clean(a.Name), named, f.em))
	}
	for _, t := range scale.Ticks {
		f.text(f.theme.muted, f.right+0.4*f.em, y(scale.Position(t.At))+0.35*f.em, start, t.Label)
	}
	f.text(f.theme.ink, f.width-0.2*f.em, f.top-0.9*f.em, end, title)
}
