package units_test

import (
	"math"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
)

// The constants are what their names mean in text.
func TestConstants(t *testing.T) {
	for text, got := range map[string]float64{
		"1 ns": float64(units.Nanosecond), "1 us": float64(units.Microsecond), "1 ms": float64(units.Millisecond),
	} {
		want, err := units.Time.Parse(text)
		expect.That(t, err == nil && got == float64(want), "%s: %v, %v", text, got, err)
	}
	for text, got := range map[string]units.Bytes{
		"1 kB": units.KB, "1 MB": units.MB, "1 GB": units.GB, "1 KiB": units.KiB, "1 MiB": units.MiB, "1 GiB": units.GiB,
	} {
		want, err := units.Size.Parse(text)
		expect.That(t, err == nil && got == want, "%s: %v, %v", text, got, err)
	}
	for text, got := range map[string]units.Flops{"1 Mflop": units.Mflop, "1 Gflop": units.Gflop, "1 Tflop": units.Tflop} {
		want, err := units.Work.Parse(text)
		expect.That(t, err == nil && got == want, "%s: %v, %v", text, got, err)
	}
}

func TestArithmetic(t *testing.T) {
	for i, tt := range []struct{ got, want units.Seconds }{
		{(3 * units.MB).Over(units.GB.PerSecond()), 3e-3},
		{units.Bytes(0).Over(1), 0},
		{units.Bytes(1).Over(0), units.Seconds(math.Inf(1))},
		{(5 * units.Gflop).At(2 * units.Tflop.PerSecond()), 2.5e-3},
		{units.Flops(1).At(0), units.Seconds(math.Inf(1))},
	} {
		expect.Equal(t, tt.got, tt.want, "time %d", i)
	}
}
