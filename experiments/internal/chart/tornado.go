package chart

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/isoscale/isoscale/experiments/report"
)

type tornadoData struct{ *report.Tornado }

func (c tornadoData) words() (title, caption string) { return c.Title, c.Caption }

func (c tornadoData) drawable() bool { return len(c.Tornado.Swings) > 0 }

func (c tornadoData) finding() []string {
	s := Swings(c.Tornado)
	if len(s) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%s moves the result most, from %s to %s; %s: %s",
		Clean(s[0].Parameter), Number(min(s[0].Low, s[0].High)), Number(max(s[0].Low, s[0].High)), BaseLabel(c.Tornado), Number(c.Base))}
}

func (c tornadoData) table(t *table) {
	t.column("parameter", false)
	t.column("change", false)
	t.column("value of the parameter", false)
	t.column(unitName(c.Value), true)
	names := TornadoNames(c.Tornado)
	t.rows = append(t.rows, []string{BaseLabel(c.Tornado), "", "", full(c.Base)})
	for _, s := range Swings(c.Tornado) {
		t.rows = append(t.rows, []string{Clean(s.Parameter), names[0], Clean(s.LowNote), full(s.Low)},
			[]string{Clean(s.Parameter), names[1], Clean(s.HighNote), full(s.High)})
	}
}

func (c tornadoData) vega() object {
	place := channel(0, "nominal", "parameter")
	place["sort"] = nil
	x := quantity(3, c.Value)
	x["scale"] = object{"zero": false}
	return object{"mark": "tick", "encoding": object{"y": place, "x": x, "color": channel(1, "nominal", "change")}}
}

// Swings returns the swings of a tornado as they are shown, the longest first.
func Swings(c *report.Tornado) []report.Swing {
	span := func(s report.Swing) float64 { return max(c.Base, s.Low, s.High) - min(c.Base, s.Low, s.High) }
	swings := slices.Clone(c.Swings)
	slices.SortStableFunc(swings, func(a, b report.Swing) int { return cmp.Compare(span(b), span(a)) })
	return swings
}

// BaseLabel names the base of a tornado.
func BaseLabel(c *report.Tornado) string { return Clean(cmp.Or(c.BaseLabel, "base")) }

// TornadoNames are the names of the two changes.
func TornadoNames(c *report.Tornado) []string { return Distinct([]string{c.Low, c.High}, "change") }
