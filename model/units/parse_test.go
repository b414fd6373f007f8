package units_test

import (
	"strings"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
)

// The parsers of plain quantities under one signature.
var (
	parseTime      = func(s string) (float64, error) { v, err := units.Time.Parse(s); return float64(v), err }
	parseSize      = func(s string) (float64, error) { v, err := units.Size.Parse(s); return float64(v), err }
	parseBandwidth = func(s string) (float64, error) { v, err := units.Bandwidth.Parse(s); return float64(v), err }
	parseWork      = func(s string) (float64, error) { v, err := units.Work.Parse(s); return float64(v), err }
	parseSpeed     = func(s string) (float64, error) { v, err := units.Speed.Parse(s); return float64(v), err }
	parsePower     = func(s string) (float64, error) { v, err := units.Power.Parse(s); return float64(v), err }
	parseMoney     = func(s string) (float64, error) { v, err := units.ParseMoney(s); return v.Amount, err }
)

// Every unit of every dimension. The wanted values follow from the definitions:
// decimal prefixes are powers of 1000, binary ones of 1024, a byte is 8 bits.
func TestUnits(t *testing.T) {
	const Ki = 1024.0
	decimal := map[string]float64{"": 1, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15, "E": 1e18}
	binary := map[string]float64{
		"Ki": Ki, "Mi": Ki * Ki, "Gi": Ki * Ki * Ki, "Ti": Ki * Ki * Ki * Ki,
		"Pi": Ki * Ki * Ki * Ki * Ki, "Ei": Ki * Ki * Ki * Ki * Ki * Ki,
	}
	type scales = map[string]float64 // unit -> base units
	cross := func(into scales, prefixes map[string]float64, unit string, scale float64) {
		for prefix, factor := range prefixes {
			into[prefix+unit] = factor * scale
		}
	}
	size, bandwidth, work, speed := scales{}, scales{}, scales{}, scales{}
	for _, prefixes := range []map[string]float64{decimal, binary} {
		cross(size, prefixes, "B", 1)
		cross(size, prefixes, "bit", 0.125)
		cross(bandwidth, prefixes, "B/s", 1)
		cross(bandwidth, prefixes, "bit/s", 0.125)
	}
	cross(work, decimal, "flop", 1)
	cross(speed, decimal, "flop/s", 1)

	for _, dimension := range []struct {
		name  string
		parse func(string) (float64, error)
		units scales
		count int
	}{
		{"time", parseTime, scales{
			"s": 1, "ms": 1e-3, "us": 1e-6, "\u00b5s": 1e-6, "\u03bcs": 1e-6, "ns": 1e-9, "ps": 1e-12,
			"min": 60, "h": 3600, "d": 86400,
		}, 10},
		{"size", parseSize, size, 26}, // (7 decimal + 6 binary) * (B, bit)
		{"bandwidth", parseBandwidth, bandwidth, 26},
		{"work", parseWork, work, 7},
		{"speed", parseSpeed, speed, 7},
		{"power", parsePower, scales{"W": 1, "kW": 1e3, "MW": 1e6}, 3},
	} {
		t.Run(dimension.name, func(t *testing.T) {
			expect.Need(t, len(dimension.units) == dimension.count,
				"the test covers %d units, want %d", len(dimension.units), dimension.count)
			for unit, scale := range dimension.units {
				for _, space := range []string{"", " "} {
					text := "1" + space + unit
					expect.Equal(t, expect.Value(dimension.parse(text))(t), scale, "%q", text)
				}
			}
		})
	}
}

// Wanted values are Go constants, which the compiler rounds once from the exact
// decimal number, so equality here means that the parser rounds correctly too.
func TestParse(t *testing.T) {
	for _, tc := range []struct {
		parse func(string) (float64, error)
		text  string
		want  float64
	}{
		{parseTime, "50 us", 50e-6}, // 50*1e-6 would be 4.9999999999999996e-05
		{parseTime, "260.77ms", 260.77e-3},
		{parseTime, "+1.5 h", 5400},
		{parseTime, "-3 ns", -3e-9},
		{parseTime, "1e6 us", 1},
		{parseTime, "1E+3 ms", 1},
		{parseTime, "2.5e-1s", 0.25},
		{parseTime, "007 s", 7},
		{parseTime, "1e006 us", 1},
		{parseTime, "0 s", 0},
		{parseTime, "0", 0},
		{parseTime, "1e2d", 100 * 86400},
		{parseTime, "1e310 ps", 1e298}, // the number overflows, the value does not
		{parseTime, "1e-400 s", 0},     // below the smallest float64
		{parseTime, "0e99999999999999999999 s", 0},
		{parseTime, "1e-99999999999999999999 s", 0},
		{parseSize, "64 MiB", 64 * 1024 * 1024},
		{parseSize, "8 Mbit", 1e6},
		{parseSize, "1 bit", 0.125},
		{parseSize, "0.5 KiB", 512},
		{parseSize, "1EB", 1e18},   // E is the prefix, not an exponent
		{parseSize, "1E2EB", 1e20}, // the first E is an exponent
		{parseSize, "1E2 bit", 12.5},
		{parseSize, "0", 0},
		{parseBandwidth, "100 Mbit/s", 12.5e6},
		{parseBandwidth, "12.5 MB/s", 12.5e6},
		{parseBandwidth, "1 Gibit/s", 134217728}, // 2^30 / 2^3 = 2^27
		{parseBandwidth, "0", 0},
		{parseWork, "2.5 Gflop", 2.5e9},
		{parseWork, "0", 0},
		{parseSpeed, "36.45 Mflop/s", 36.45e6},
		{parseSpeed, "0", 0},
		{parsePower, "1.2 kW", 1200},
		{parsePower, "0", 0},
		{parseMoney, "3200 EUR", 3200},
		{parseMoney, "19.99USD", 19.99},
		{parseMoney, "-1e3 CHF", -1000},
		{parseMoney, "1EUR", 1}, // E begins the currency: no digit follows it
	} {
		expect.Equal(t, expect.Value(tc.parse(tc.text))(t), tc.want, "%q", tc.text)
	}
}

func TestParseMoneyCurrency(t *testing.T) {
	for text, want := range map[string]units.Money{
		"3200 EUR": {Amount: 3200, Currency: "EUR"},
		"0 JPY":    {Amount: 0, Currency: "JPY"},
		"0":        {},
	} {
		expect.Equal(t, expect.Value(units.ParseMoney(text))(t), want, "%q", text)
	}
}

// A refused spelling names the units that may be meant, all of them and no
// others.
func TestSloppySpellings(t *testing.T) {
	for _, tc := range []struct {
		parse  func(string) (float64, error)
		symbol string
		meant  string
	}{
		{parseTime, "sec", `"s"`},
		{parseTime, "seconds", `"s"`},
		{parseTime, "S", `"s"`},
		{parseTime, "msec", `"ms"`},
		{parseTime, "MS", `"ms"`},
		{parseTime, "usec", `"us"`},
		{parseTime, "nanoseconds", `"ns"`},
		{parseTime, "psec", `"ps"`},
		{parseTime, "m", `"min"`},
		{parseTime, "minutes", `"min"`},
		{parseTime, "hours", `"h"`},
		{parseTime, "day", `"d"`},

		{parseSize, "Mb", `"MB" or "Mbit"`},
		{parseSize, "b", `"B" or "bit"`},
		{parseSize, "KB", `"kB" or "KiB"`},
		{parseSize, "K", `"kB" or "KiB"`},
		{parseSize, "M", `"MB"`},
		{parseSize, "Kbit", `"kbit" or "Kibit"`},
		{parseSize, "Mib", `"MiB" or "Mibit"`},
		{parseSize, "Gbits", `"Gbit"`},
		{parseSize, "bytes", `"B"`},
		{parseSize, "Mbytes", `"MB"`},

		{parseBandwidth, "Mb/s", `"MB/s" or "Mbit/s"`},
		{parseBandwidth, "Mb", `"MB/s" or "Mbit/s"`},
		{parseBandwidth, "Mbps", `"Mbit/s"`},
		{parseBandwidth, "MBps", `"MB/s"`},
		{parseBandwidth, "mbps", `"MB/s" or "Mbit/s"`},
		{parseBandwidth, "KB/s", `"kB/s" or "KiB/s"`},
		{parseBandwidth, "MB", `"MB/s"`},
		{parseBandwidth, "Gbit", `"Gbit/s"`},
		{parseBandwidth, "G", `"GB/s" or "Gbit/s"`},
		{parseBandwidth, "Mbits/s", `"Mbit/s"`},

		{parseWork, "Mflops", `"Mflop"`},
		{parseWork, "MFLOP", `"Mflop"`},
		{parseWork, "Kflop", `"kflop"`},

		{parseSpeed, "Mflops", `"Mflop/s"`},
		{parseSpeed, "MFLOPS", `"Mflop/s"`},
		{parseSpeed, "GFlop/s", `"Gflop/s"`},
		{parseSpeed, "Kflop/s", `"kflop/s"`},
		{parseSpeed, "Mflop", `"Mflop/s"`},

		{parsePower, "watts", `"W"`},
		{parsePower, "KW", `"kW"`},
	} {
		reason := parseError(t, tc.parse, "100 "+tc.symbol).Reason
		expect.Equal(t, reason, `unit "`+tc.symbol+`" is not accepted, perhaps `+tc.meant+" is meant", "reason")
	}
}

func TestParseErrors(t *testing.T) {
	all := []func(string) (float64, error){
		parseTime, parseSize, parseBandwidth, parseWork, parseSpeed, parsePower, parseMoney,
	}
	// Texts that are no quantity of any kind, with a part of the reason.
	for text, want := range map[string]string{
		"":          "does not begin with a decimal number",
		"s":         "does not begin with a decimal number",
		" 1 s":      "does not begin with a decimal number",
		".5 s":      "does not begin with a decimal number",
		"- 5 s":     "does not begin with a decimal number",
		"--5 s":     "does not begin with a decimal number",
		"NaN s":     "does not begin with a decimal number",
		"Inf s":     "does not begin with a decimal number",
		"+Inf s":    "does not begin with a decimal number",
		"\u22125 s": "does not begin with a decimal number", // typographic minus
		"5":         "is missing",
		"5 ":        "is missing",
		"0.0":       "is missing", // only the text "0" does without a unit
		"-0":        "is missing",
		"1e3":       "is missing",
		"5. s":      `". s"`,
		"1,5 s":     `",5 s"`,
		"1_000 B":   `"_000 B"`,
		"0x10 B":    `"x10 B"`,
		"0x1p4 B":   `"x1p4 B"`,
		"5  s":      `" s"`,
		"5 s ":      `"s "`,
		"5\ts":      `"\ts"`,
		"5 s\n":     `"s\n"`,
		"5e s 3":    `"e s 3"`,
		"5 \xff":    `"\xff"`,
		"5 parsecs": `"parsecs"`,
		"5 €":       `"€"`,
		"5 EURO":    `"EURO"`,
		"5 eur":     `"eur"`,
	} {
		for _, parse := range all {
			reason := parseError(t, parse, text).Reason
			expect.That(t, strings.Contains(reason, want), "%q: reason %q does not contain %q", text, reason, want)
		}
	}
	// A quantity of another kind.
	for text, parse := range map[string]func(string) (float64, error){
		"1 B":      parseTime,
		"1 s":      parseSize,
		"1 us":     parseBandwidth,
		"1 W":      parseWork,
		"1 Mbit/s": parseSpeed,
		"1 flop":   parsePower,
		"1 kW":     parseMoney,
	} {
		reason := parseError(t, parse, text).Reason
		expect.That(t, strings.Contains(reason, "is not a"), "%q: reason %q", text, reason)
	}
	// Overflow, in the number or by the unit. The largest float64 is 1.798e308.
	for text, parse := range map[string]func(string) (float64, error){
		"1e309 s":                  parseTime,
		"-1e309 s":                 parseTime,
		"1e308 min":                parseTime,
		"1e292 EB":                 parseSize,
		"1e300 EiB/s":              parseBandwidth,
		"1e303 Mflop":              parseWork,
		"1e9999 flop/s":            parseSpeed,
		"1e18446744073709551616 W": parsePower, // 2^64, which would wrap to 1e0
		"1e309 EUR":                parseMoney,
	} {
		expect.Equal(t, parseError(t, parse, text).Reason, "the value is too large", "%q: reason", text)
	}
}

func TestParseErrorMessage(t *testing.T) {
	for _, tc := range []struct {
		parse      func(string) (float64, error)
		text, want string
	}{
		{parseTime, "50 sec",
			`time "50 sec": unit "sec" is not accepted, perhaps "s" is meant; expected a number with a unit such as "50 us"`},
		{parseSize, "64",
			`size "64": the unit is missing; expected a number with a unit such as "64 MiB"`},
		{parseBandwidth, "100 us",
			`bandwidth "100 us": "us" is not a unit of bandwidth, use B/s or bit/s, alone or after k, M, G, T, P, E, Ki, Mi, Gi, Ti, Pi or Ei; expected a number with a unit such as "100 Mbit/s"`},
		{parseWork, "many flop",
			`work "many flop": it does not begin with a decimal number; expected a number with a unit such as "2.5 Gflop"`},
		{parseSpeed, "36,45 Mflop/s",
			`speed "36,45 Mflop/s": ",45 Mflop/s" after the number is not a unit; expected a number with a unit such as "36.45 Mflop/s"`},
		{parsePower, "1e999 W",
			`power "1e999 W": the value is too large; expected a number with a unit such as "350 W"`},
		{parseMoney, "3200 eur",
			`money "3200 eur": "eur" is not a currency of three upper case letters; expected a number with a unit such as "3200 EUR"`},
	} {
		e := parseError(t, tc.parse, tc.text)
		expect.Equal(t, e.Error(), tc.want, "e.Error()")
		expect.Value(tc.parse(e.Example))(t)
	}
}

// parseError returns the error for the text and checks what holds for all.
func parseError(t *testing.T, parse func(string) (float64, error), text string) *units.ParseError {
	t.Helper()
	value, err := parse(text)
	e := expect.Kind[*units.ParseError](t, err)
	expect.That(t, value == 0, "%q: value %v beside an error", text, value)
	expect.Equal(t, e.Text, text, "%q: the error quotes", text)
	return e
}
