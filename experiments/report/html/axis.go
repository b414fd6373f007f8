package html

import (
	"math"

	"github.com/go-echarts/go-echarts/v2/opts"

	"github.com/isoscale/isoscale/experiments/internal/chart"
	"github.com/isoscale/isoscale/experiments/internal/chart/figure"
	"github.com/isoscale/isoscale/experiments/report"
)

// label names the quantity of an axis and its unit.
func label(a report.Axis) string { return chart.Titled(a.Title, a.Unit) }

func scale(a report.Axis) string {
	if a.Log {
		return "log"
	}
	return "value"
}

// logBase chooses the base of a logarithmic axis from the values on it. Powers
// of two suit the sizes of machines and problems, which are whole numbers. Powers of
// ten are easier to read for fractions, and fewer beyond three decades. A linear axis has base 0.
func logBase(a report.Axis, values []float64) int {
	if !a.Log {
		return 0
	}
	low, high := math.Inf(1), math.Inf(-1)
	whole := true
	for _, v := range values {
		low, high = math.Min(low, v), math.Max(high, v)
		whole = whole && v == math.Trunc(v)
	}
	if whole && low >= 1 && high <= 1000*low {
		return 2
	}
	return 10
}

// A scaleSpec is what the script needs to draw an axis as the drawings have it:
// limits and ticks, on a wide page and on a phone.
type scaleSpec struct {
	Min    float64    `json:"min"`
	Max    float64    `json:"max"`
	Name   string     `json:"name"`
	Wide   []tickSpec `json:"wide"`
	Narrow []tickSpec `json:"narrow"`
	Base   int        `json:"base,omitempty"` // of a logarithmic axis, for the ticks of a part
}

type tickSpec struct {
	At    float64 `json:"at"`
	Label string  `json:"label"`
}

// Plots on a wide page and on a phone, in CSS pixels. The font of the reader may be
// wider than that of the layout, so the room for labels is less.
const (
	wideWidth   = 720
	narrowWidth = 250
	labelSize   = 14
)

// scales returns the axes of a chart.
func scales(b report.Block, height int) (x, y *scaleSpec) {
	const around = 110 // legend, title and labels
	tall := float64(max(120, height-around))
	wideX, wideY := figure.Scales(b, figure.Room{Width: wideWidth, Height: tall, Size: labelSize})
	narrowX, narrowY := figure.Scales(b, figure.Room{Width: narrowWidth, Height: tall, Size: labelSize})
	return scaleOf(wideX, narrowX), scaleOf(wideY, narrowY)
}

func scaleOf(wide, narrow chart.Scale) *scaleSpec {
	if wide.Ticks == nil {
		return nil
	}
	return &scaleSpec{Min: wide.Min, Max: wide.Max, Name: chart.Clean(wide.Title), Wide: ticks(wide), Narrow: ticks(narrow)}
}

func ticks(s chart.Scale) []tickSpec {
	out := make([]tickSpec, len(s.Ticks))
	for k, t := range s.Ticks {
		out[k] = tickSpec{t.At, t.Label}
	}
	return out
}

// bound converts an optional bound to an option; nil is no option.
func bound(v *float64) any {
	if v == nil {
		return nil
	}
	return *v
}

func xAxis(a report.Axis) opts.XAxis {
	return opts.XAxis{
		Name: label(a), NameLocation: "middle", Type: scale(a),
		Min: bound(a.Min), Max: bound(a.Max), Scale: opts.Bool(true),
	}
}

func yAxis(a report.Axis) opts.YAxis {
	return opts.YAxis{
		Name: label(a), NameLocation: "end", Type: scale(a),
		Min: bound(a.Min), Max: bound(a.Max),
	}
}
