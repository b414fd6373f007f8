package units_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
)

func TestString(t *testing.T) {
	for _, tc := range []struct {
		value fmt.Stringer
		want  string
	}{
		{units.Seconds(0), "0 s"},
		{units.Seconds(math.Copysign(0, -1)), "0 s"},
		{units.Seconds(50e-6), "50 us"},
		{units.Seconds(-50e-6), "-50 us"},
		{units.Seconds(0.26077), "260.77 ms"},
		{units.Seconds(1), "1 s"},
		{units.Seconds(1e-3), "1 ms"},
		{units.Seconds(1e-6), "1 us"},
		{units.Seconds(1e-9), "1 ns"},
		{units.Seconds(1e-12), "1 ps"},
		{units.Seconds(999e-12), "999 ps"},
		{units.Seconds(60), "60 s"},
		{units.Seconds(86400), "86400 s"},
		{units.Seconds(1234567), "1.23457e+06 s"}, // 6 digits, above all prefixes
		{units.Seconds(1e-15), "0.001 ps"},        // below all prefixes
		{units.Seconds(1e-20), "1e-08 ps"},
		{units.Seconds(1.0 / 3), "333.333 ms"},
		{units.Seconds(2e-3 / 3), "666.667 us"},
		// Rounding to 6 digits must not reach 1000 of a unit. The largest
		// number that stays below is 999.999.
		{units.Seconds(0.9999994), "999.999 ms"},
		{units.Seconds(0.9999996), "1 s"},
		{units.Seconds(-0.9999996), "-1 s"},
		{units.Seconds(0.9999996e-9), "1 ns"},
		{units.Seconds(math.NaN()), "NaN s"},
		{units.Seconds(math.Inf(1)), "+Inf s"},
		{units.Seconds(math.Inf(-1)), "-Inf s"},

		{units.Bytes(0), "0 B"},
		{units.Bytes(0.125), "0.125 B"},
		{units.Bytes(999), "999 B"},
		{units.Bytes(1000), "1 kB"},
		{units.Bytes(1024), "1.024 kB"},
		{units.Bytes(999999), "999.999 kB"},
		{units.Bytes(1.5e9), "1.5 GB"},
		{units.Bytes(1e12), "1 TB"},
		{units.Bytes(1e15), "1 PB"},
		{units.Bytes(1e18), "1 EB"},
		{units.Bytes(1e21), "1000 EB"}, // no prefix above E
		{units.Bytes(math.NaN()), "NaN B"},

		{units.BytesPerSecond(0), "0 B/s"},
		{units.BytesPerSecond(12.5e6), "12.5 MB/s"},
		{units.BytesPerSecond(math.Inf(1)), "+Inf B/s"},

		{units.Flops(0), "0 flop"},
		{units.Flops(2.5e9), "2.5 Gflop"},
		{units.Flops(math.Inf(-1)), "-Inf flop"},

		{units.FlopsPerSecond(0), "0 flop/s"},
		{units.FlopsPerSecond(36.45e6), "36.45 Mflop/s"},
		{units.FlopsPerSecond(999.9996e9), "1 Tflop/s"},
		{units.FlopsPerSecond(math.NaN()), "NaN flop/s"},

		{units.Watts(0), "0 W"},
		{units.Watts(0.25), "0.25 W"},
		{units.Watts(350), "350 W"},
		{units.Watts(1200), "1.2 kW"},
		{units.Watts(21e6), "21 MW"},
		{units.Watts(3e9), "3000 MW"},
		{units.Watts(math.Inf(1)), "+Inf W"},

		{units.Money{Amount: 3200, Currency: "EUR"}, "3200 EUR"},
		{units.Money{Amount: 1234567.89, Currency: "USD"}, "1234567.89 USD"}, // all digits
		{units.Money{Amount: -0.5, Currency: "CHF"}, "-0.5 CHF"},
		{units.Money{Amount: 0, Currency: "EUR"}, "0 EUR"},
		{units.Money{}, "0"},
		{units.Money{Amount: math.NaN(), Currency: "EUR"}, "NaN EUR"},
		{units.Money{Amount: math.Inf(1), Currency: "EUR"}, "+Inf EUR"},
	} {
		expect.Equal(t, tc.value.String(), tc.want, "%T(%g)", tc.value, tc.value)
	}
}

func TestBinary(t *testing.T) {
	for value, want := range map[units.Bytes]string{
		0:                     "0 B",
		1000:                  "1000 B", // a KiB has 1024
		1023:                  "1023 B",
		1024:                  "1 KiB",
		1536:                  "1.5 KiB",
		128 << 20:             "128 MiB",
		-128 << 20:            "-128 MiB",
		1 << 30:               "1 GiB",
		1 << 40:               "1 TiB",
		1 << 50:               "1 PiB",
		1 << 60:               "1 EiB",
		1 << 70:               "1024 EiB", // no prefix above Ei
		1<<20 - 1<<10:         "1023 KiB",
		1<<20 - 6:             "1023.99 KiB", // 1024 - 6/1024 = 1023.9941...
		1<<20 - 1:             "1 MiB",       // 1024 - 1/1024 = 1023.9990..., to 6 digits 1024.00
		units.Bytes(infinity): "+Inf B",
	} {
		expect.Equal(t, value.Binary(), want, "%g", float64(value))
	}
}

func TestBits(t *testing.T) {
	for value, want := range map[units.BytesPerSecond]string{
		0:       "0 bit/s",
		0.125:   "1 bit/s",
		125:     "1 kbit/s",
		12.5e6:  "100 Mbit/s",
		-12.5e6: "-100 Mbit/s",
		// 8 * 124.99999 = 999.99992, to 6 digits 1000
		124.99999:                      "1 kbit/s",
		25e9:                           "200 Gbit/s",
		units.BytesPerSecond(infinity): "+Inf bit/s",
	} {
		expect.Equal(t, value.Bits(), want, "%g", float64(value))
	}
}

var infinity = math.Inf(1)
