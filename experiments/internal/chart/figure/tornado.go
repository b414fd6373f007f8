package figure

import (
	"math"

	"github.com/isoscale/isoscale/experiments/internal/chart"
	"github.com/isoscale/isoscale/experiments/report"
)

type tornado struct{ *report.Tornado }

func (c tornado) names() []string { return chart.TornadoNames(c.Tornado) }
func (c tornado) shape() float64  { return ratio(false) }
func (c tornado) rows() int       { return len(c.Swings) }

func (c tornado) values() []float64 {
	values := []float64{c.Base}
	for _, s := range c.Swings {
		values = append(values, s.Low, s.High)
	}
	return values
}

// scale is that of the results, with room for their numbers at both sides.
func (c tornado) scale(span chart.Span) chart.Scale {
	span.Values = c.values()
	s := chart.NewScale(c.Value, span)
	room := 0.15 * (s.Max - s.Min)
	s.Min, s.Max = s.Min-room, s.Max+room
	return s
}

func (c tornado) draw(s *sheet, top float64) {
	var keys []key
	for i, name := range c.names() {
		keys = append(keys, key{name, func(at point) {
			s.areas(s.theme.series[i], box{at.x - 0.8*s.em, at.y - 0.4*s.em, at.x + 0.8*s.em, at.y + 0.4*s.em}.corners())
		}})
	}
	f := &frame{sheet: s}
	f.top, f.bottom = s.legend(top, keys)+1.4*s.em, s.height-3.1*s.em
	swings := chart.Swings(c.Tornado)
	names := make([]string, len(swings))
	for k, w := range swings {
		names[k] = fit(chart.Clean(w.Parameter), 0.36*s.width, s.em)
		f.left = math.Max(f.left, measure(names[k], s.em))
	}
	f.left, f.right = f.left+0.9*s.em, s.width-0.8*s.em
	f.x = c.scale(chart.Span{Length: f.right - f.left, Extent: s.along})
	f.barAxes(names)
	f.swings(c.Tornado, swings)
	x := f.px(c.Base)
	f.reference([]point{{x, f.top}, {x, f.bottom}})
	label := chart.BaseLabel(c.Tornado) + ": " + chart.Number(c.Base)
	half := measure(label, s.em) / 2
	f.text(f.theme.ink, math.Min(math.Max(x, half), s.width-half), f.top-0.35*s.em, mid, label)
}

func (f *frame) swings(c *report.Tornado, swings []report.Swing) {
	step := (f.bottom - f.top) / float64(max(1, len(swings)))
	base := f.px(c.Base)
	for side, k := range []ink{f.theme.series[0], f.theme.series[1]} {
		var polygons [][]point
		for i, w := range swings {
			v := w.Low
			if side == 1 {
				v = w.High
			}
			middle, half := f.top+(float64(i)+0.5)*step, math.Min(0.34*step, f.em)
			b := box{math.Min(base, f.px(v)), middle - half, math.Max(base, f.px(v)), middle + half}
			if (w.Low-c.Base)*(w.High-c.Base) > 0 { // on the same side, each has half of the row
				if side == 0 {
					b.bottom = middle
				} else {
					b.top = middle
				}
			}
			polygons = append(polygons, b.corners())
			left := v < c.Base || v == c.Base && side == 0
			if left {
				f.text(f.theme.ink, b.left-0.35*f.em, (b.top+b.bottom)/2+0.35*f.em, end, chart.Short(v, 3))
			} else {
				f.text(f.theme.ink, b.right+0.35*f.em, (b.top+b.bottom)/2+0.35*f.em, start, chart.Short(v, 3))
			}
		}
		f.areas(k, polygons...)
	}
}
