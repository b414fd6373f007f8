package units_test

import (
	"math"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
)

func FuzzParseSeconds(f *testing.F) {
	fuzz(f, parseTime, func(x float64) string { return units.Seconds(x).String() },
		"50 us", "1.5h", "-3e-9 \u00b5s", "50 sec", "1e400 s")
}

func FuzzParseBytes(f *testing.F) {
	fuzz(f, parseSize, func(x float64) string { return units.Bytes(x).String() },
		"64 MiB", "1EB", "8 Mbit", "1 KB", "1e-320 B")
}

func FuzzParseBytesPerSecond(f *testing.F) {
	fuzz(f, parseBandwidth, func(x float64) string { return units.BytesPerSecond(x).String() },
		"100 Mbit/s", "12.5 MB/s", "1 Gbps")
}

func FuzzParseFlops(f *testing.F) {
	fuzz(f, parseWork, func(x float64) string { return units.Flops(x).String() },
		"2.5 Gflop", "1Eflop", "3 Mflops")
}

func FuzzParseFlopsPerSecond(f *testing.F) {
	fuzz(f, parseSpeed, func(x float64) string { return units.FlopsPerSecond(x).String() },
		"36.45 Mflop/s", "1e99999999999999999999 flop/s", "3 MFLOPS")
}

func FuzzParseWatts(f *testing.F) {
	fuzz(f, parsePower, func(x float64) string { return units.Watts(x).String() },
		"350 W", "1.2kW", "5 watts")
}

func FuzzParseMoney(f *testing.F) {
	for _, seed := range []string{"3200 EUR", "0", "1EUR", "-0.5 CHF", "5 eur", "1e308 USD"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		m, err := units.ParseMoney(text)
		if err != nil {
			return
		}
		again, err := units.ParseMoney(m.String())
		expect.That(t, err == nil && again == m, "%q is %#v and prints as %q, which is read as %#v, %v", text, m, m, again, err)
	})
}

// fuzz checks that no text makes the parser panic and that an accepted one
// gives a finite value whose printed form is read as that value again.
func fuzz(f *testing.F, parse func(string) (float64, error), format func(float64) string, seeds ...string) {
	for _, seed := range append(seeds, "", "0", "-0", "1", "+Inf s", "1_0 B", "\xff") {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		value, err := parse(text)
		if err != nil {
			return
		}
		expect.Need(t, !math.IsNaN(value) && !math.IsInf(value, 0), "%q is %v", text, value)
		again, err := parse(format(value))
		expect.Need(t, err == nil, "%q is %g: %v", text, value, err)
		expect.That(t, math.Abs(again-value) <= 1e-5*math.Abs(value),
			"%q is %g and prints as %q, which is read as %g", text, value, format(value), again)
	})
}
