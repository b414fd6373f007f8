package units_test

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
)

// notation is one way to print a quantity with the parser that reads it.
type notation struct {
	name   string
	format func(float64) string
	parse  func(string) (float64, error)
	low    float64 // the mantissa is at least 1 from here on ...
	high   float64 // ... and below step up to here
	step   float64
}

// The bounds are the smallest unit and one step above the largest.
var notations = []notation{
	{"Seconds", func(x float64) string { return units.Seconds(x).String() }, parseTime, 1e-12, 1e3, 1000},
	{"Bytes", func(x float64) string { return units.Bytes(x).String() }, parseSize, 1, 1e21, 1000},
	{"Bytes.Binary", func(x float64) string { return units.Bytes(x).Binary() }, parseSize, 1, 1 << 70, 1024},
	{"BytesPerSecond", func(x float64) string { return units.BytesPerSecond(x).String() }, parseBandwidth, 1, 1e21, 1000},
	{"BytesPerSecond.Bits", func(x float64) string { return units.BytesPerSecond(x).Bits() }, parseBandwidth, 0.125, 0.125e21, 1000},
	{"Flops", func(x float64) string { return units.Flops(x).String() }, parseWork, 1, 1e21, 1000},
	{"FlopsPerSecond", func(x float64) string { return units.FlopsPerSecond(x).String() }, parseSpeed, 1, 1e21, 1000},
	{"Watts", func(x float64) string { return units.Watts(x).String() }, parsePower, 1, 1e9, 1000},
}

// magnitudes draws values of either sign whose logarithm is spread evenly, as
// those of time and bandwidth are; a plain float generator rarely leaves the
// range of the largest prefix.
func magnitudes(minExponent, maxExponent float64) *rapid.Generator[float64] {
	return rapid.Custom(func(t *rapid.T) float64 {
		x := math.Pow(10, rapid.Float64Range(minExponent, maxExponent).Draw(t, "exponent"))
		if rapid.Bool().Draw(t, "negative") {
			return -x
		}
		return x
	})
}

// Six digits have a relative error of at most 5e-6; that of reading is negligible.
func TestParseReadsString(t *testing.T) {
	for _, n := range notations {
		t.Run(n.name, rapid.MakeCheck(func(t *rapid.T) {
			x := rapid.OneOf(magnitudes(-15, 24), magnitudes(-300, 300)).Draw(t, "x")
			text := n.format(x)
			got := expect.Value(n.parse(text))(t)
			expect.Need(t, math.Abs(got-x) <= 1e-5*math.Abs(x), "%g prints as %q, which is read as %g", x, text, got)
			again := n.format(got)
			expect.Need(t, again == text, "%g prints as %q, which when read prints as %q", x, text, again)
		}))
	}
}

// Near each step between two units, where rounding is delicate, and everywhere
// else between the smallest unit and the largest, the mantissa is in [1, step).
func TestMantissaRange(t *testing.T) {
	for _, n := range notations {
		t.Run(n.name, rapid.MakeCheck(func(t *rapid.T) {
			spread := rapid.Float64Range(math.Log(n.low), math.Log(n.high))
			steps := int(math.Round(math.Log(n.high/n.low) / math.Log(n.step)))
			near := rapid.Custom(func(t *rapid.T) float64 {
				i := rapid.IntRange(1, steps-1).Draw(t, "step")
				off := rapid.Float64Range(-1e-5, 1e-5).Draw(t, "off")
				return math.Log(n.low) + float64(i)*math.Log(n.step) + off
			})
			x := math.Exp(rapid.OneOf(spread, near).Draw(t, "log"))
			x = min(max(x, n.low), n.high*(1-1e-5)) // undo the rounding of Exp at the ends
			text := n.format(x)
			number, _, _ := strings.Cut(text, " ")
			m := expect.Value(strconv.ParseFloat(number, 64))(t)
			expect.Need(t, m >= 1 && m < n.step, "%g prints as %q", x, text)
		}))
	}
}
