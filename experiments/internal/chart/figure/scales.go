package figure

import (
	"github.com/isoscale/isoscale/experiments/internal/chart"
	"github.com/isoscale/isoscale/experiments/report"
)

// A Room is the plot that an axis and its labels have: lengths and the size of text,
// all in the same unit.
type Room struct{ Width, Height, Size float64 }

// Scales returns the numeric axes of a chart for a plot of a size: of line and scatter
// charts both, of bars and tornados that of the values, as y. The other is zero.
func Scales(b report.Block, room Room) (x, y chart.Scale) {
	s := &sheet{em: room.Size}
	switch b := b.(type) {
	case *report.LineChart:
		return s.scales(lineAxes(b), room)
	case *report.ScatterChart:
		return s.scales(scatterAxes(b), room)
	case *report.BarChart:
		span := chart.Span{Values: barValues(b), Zero: true, Length: room.Height, Extent: s.line}
		if b.Horizontal {
			span.Length, span.Extent = room.Width, s.along
			return chart.Scale{}, widened(chart.NewScale(b.Y, span), barChart{b}.labelled(), 0.1)
		}
		return chart.Scale{}, widened(chart.NewScale(b.Y, span), barChart{b}.labelled(), 0.06)
	case *report.Tornado:
		return chart.Scale{}, tornado{b}.scale(chart.Span{Length: room.Width, Extent: s.along})
	}
	return chart.Scale{}, chart.Scale{}
}

func (s *sheet) scales(a axes, room Room) (x, y chart.Scale) {
	a = a.squared()
	if a.square { // no wider than high
		room.Width = min(room.Width, room.Height)
	}
	x, y = chart.NewScale(a.x, s.flat(a, room.Width)), chart.NewScale(a.y, s.upright(a, room.Height))
	if a.square {
		y.Ticks = x.Ticks
	}
	return x, y
}

// line and along are what a label takes of an upright and of a level axis.
func (s *sheet) line(string) float64        { return 1.6 * s.em }
func (s *sheet) along(label string) float64 { return measure(label, s.em) + 0.9*s.em }
