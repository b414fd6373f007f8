package paper

import (
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
)

// T is printed 2.0, so it lies in 1.95 to 2.05, and 1/T in 0.4878 to 0.5128.
func TestCompute(t *testing.T) {
	inverse := func(x []float64) float64 { return 1 / x[0] }
	for _, tt := range []struct {
		printed, input string
		want           Verdict
	}{
		{"0.5", "2.0", Exact},
		{"0.50", "2.0", Exact},
		{"0.51", "2.0", Rounding},    // of the input
		{"0.513", "2.0", Rounding},   // 0.5128 rounds to it
		{"0.514", "2.0", Differs},    // just outside
		{"0.501", "2.000", Rounding}, // one unit of the last place
		{"0.502", "2.000", Differs},
	} {
		printed := expect.Value(parsePrinted(tt.printed))(t)
		input := expect.Value(parsePrinted(tt.input))(t)
		c := compute("r", "c", printed, inverse, input)
		expect.That(t, c.Verdict == tt.want && c.Ours == 0.5 && c.How == Recomputed,
			"%s from 1/%s: %+v, want %s", tt.printed, tt.input, c, tt.want)
	}
	// Two inputs have four corners: 2.0/1.0 lies in 1.95/1.05 to 2.05/0.95 = 2.158.
	ratio := func(x []float64) float64 { return x[0] / x[1] }
	a, b := Printed{Value: 2, Place: 0.1}, Printed{Value: 1, Place: 0.1}
	for printed, want := range map[float64]Verdict{2.158: Rounding, 2.159: Differs, 1.857: Rounding, 1.856: Differs} {
		c := compute("r", "c", Printed{Value: printed, Place: 0.001}, ratio, a, b)
		expect.That(t, c.Verdict == want, "%v: %+v, want %s", printed, c, want)
	}
	// An exact input leaves nothing open.
	c := compute("r", "c", Printed{Value: 2.1, Place: 0.01}, ratio, whole(2), whole(1))
	expect.That(t, c.Verdict == Differs, "%+v", c)
}

func TestNoteOfADifference(t *testing.T) {
	var table draftTable
	for ours, want := range map[float64]string{1: "", 9: "x"} {
		c := table.compare("r", "c", Printed{Value: 1, Place: 1}, ours, Recomputed).as("y")
		c.because("x")
		expect.That(t, c.Note == want && c.Reading == "y", "%+v; a note belongs to a difference only", c)
	}
}
