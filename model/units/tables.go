package units

import "slices"

// A unit is one accepted spelling of a unit. It stands for factor * 10^exponent base
// units. Powers of ten are separate from the factor because they can be applied to the
// decimal text without rounding.
type unit struct {
	symbol   string
	exponent int
	factor   float64
	sloppy   []string // refused spellings that may mean this unit
}

// A dimension is what one parser accepts and what its errors say.
type dimension struct {
	name    string // Quantity of the ParseError
	example string // Example of the ParseError
	accepts string // the units in words
	units   []unit
}

// A prefix multiplies the unit that it precedes.
type prefix struct {
	symbol   string
	exponent int
	factor   float64
	sloppy   []string
}

// K is used for 1000 and for 1024, so it may mean either.
var (
	decimalPrefixes = []prefix{
		{symbol: "", exponent: 0, factor: 1},
		{symbol: "k", exponent: 3, factor: 1, sloppy: []string{"K"}},
		{symbol: "M", exponent: 6, factor: 1},
		{symbol: "G", exponent: 9, factor: 1},
		{symbol: "T", exponent: 12, factor: 1},
		{symbol: "P", exponent: 15, factor: 1},
		{symbol: "E", exponent: 18, factor: 1},
	}
	binaryPrefixes = []prefix{
		{symbol: "Ki", factor: 1 << 10, sloppy: []string{"K", "ki"}},
		{symbol: "Mi", factor: 1 << 20},
		{symbol: "Gi", factor: 1 << 30},
		{symbol: "Ti", factor: 1 << 40},
		{symbol: "Pi", factor: 1 << 50},
		{symbol: "Ei", factor: 1 << 60},
	}
)

// prefixed returns the base unit under each prefix, in the prefixes' order. A
// sloppy spelling of either part is a sloppy spelling of the whole.
func prefixed(prefixes []prefix, base unit) []unit {
	units := make([]unit, len(prefixes))
	for i, p := range prefixes {
		u := unit{
			symbol:   p.symbol + base.symbol,
			exponent: p.exponent + base.exponent,
			factor:   p.factor * base.factor,
		}
		for _, front := range append([]string{p.symbol}, p.sloppy...) {
			for _, back := range append([]string{base.symbol}, base.sloppy...) {
				if front+back != u.symbol {
					u.sloppy = append(u.sloppy, front+back)
				}
			}
		}
		units[i] = u
	}
	return units
}

// The ladders: units of one kind, from the smallest to the largest, from which format
// chooses one.
var (
	timeLadder = []unit{
		{"ps", -12, 1, []string{"psec", "psecs", "picosecond", "picoseconds"}},
		{"ns", -9, 1, []string{"nsec", "nsecs", "nanosecond", "nanoseconds"}},
		{"us", -6, 1, []string{"usec", "usecs", "µsec", "microsecond", "microseconds"}},
		{"ms", -3, 1, []string{"msec", "msecs", "millisecond", "milliseconds"}},
		{"s", 0, 1, []string{"sec", "secs", "second", "seconds"}},
	}

	byteLadder   = prefixed(decimalPrefixes, aByte)
	kibiLadder   = prefixed(binaryPrefixes, aByte)
	binaryLadder = slices.Concat(byteLadder[:1], kibiLadder)

	byteRateLadder = prefixed(decimalPrefixes, aBytePerSecond)
	bitRateLadder  = prefixed(decimalPrefixes, aBitPerSecond)

	workLadder = prefixed(decimalPrefixes,
		unit{"flop", 0, 1, []string{"flops"}})
	speedLadder = prefixed(decimalPrefixes,
		unit{"flop/s", 0, 1, []string{"flop", "flops", "flops/s", "flop/sec"}})
	powerLadder = prefixed(decimalPrefixes[:3], // W, kW, MW
		unit{"W", 0, 1, []string{"watt", "watts"}})
)

// A lone prefix ("64K", "10G") is sloppy for bytes, and for either kind of
// rate, because networks are rated in bits. A lower case b is ambiguous.
var (
	aByte = unit{"B", 0, 1, []string{"", "b", "byte", "bytes"}}
	aBit  = unit{"bit", 0, 1. / 8, []string{"b", "bits"}}

	aBytePerSecond = unit{"B/s", 0, 1, []string{"", "b", "b/s", "B", "Bps", "byte/s", "bytes/s", "B/sec"}}
	aBitPerSecond  = unit{"bit/s", 0, 1. / 8, []string{"", "b", "b/s", "bit", "bps", "bits", "bits/s", "bit/sec"}}
)

// What the parsers accept: one table per dimension.
var (
	timeDimension = dimension{
		name:    "time",
		example: "50 us",
		accepts: "s, ms, us, ns, ps, min, h or d",
		units: slices.Concat(timeLadder, []unit{
			{"\u00b5s", -6, 1, nil}, // micro sign
			{"\u03bcs", -6, 1, nil}, // Greek mu
			{"min", 0, 60, []string{"m", "mins", "minute", "minutes"}},
			{"h", 0, 3600, []string{"hr", "hrs", "hour", "hours"}},
			{"d", 0, 86400, []string{"day", "days"}},
		}),
	}
	sizeDimension = dimension{
		name:    "size",
		example: "64 MiB",
		accepts: "B or bit, alone or after k, M, G, T, P, E, Ki, Mi, Gi, Ti, Pi or Ei",
		units: slices.Concat(byteLadder, kibiLadder,
			prefixed(decimalPrefixes, aBit), prefixed(binaryPrefixes, aBit)),
	}
	bandwidthDimension = dimension{
		name:    "bandwidth",
		example: "100 Mbit/s",
		accepts: "B/s or bit/s, alone or after k, M, G, T, P, E, Ki, Mi, Gi, Ti, Pi or Ei",
		units: slices.Concat(byteRateLadder, prefixed(binaryPrefixes, aBytePerSecond),
			bitRateLadder, prefixed(binaryPrefixes, aBitPerSecond)),
	}
	workDimension = dimension{
		name:    "work",
		example: "2.5 Gflop",
		accepts: "flop, alone or after k, M, G, T, P or E",
		units:   workLadder,
	}
	speedDimension = dimension{
		name:    "speed",
		example: "36.45 Mflop/s",
		accepts: "flop/s, alone or after k, M, G, T, P or E",
		units:   speedLadder,
	}
	powerDimension = dimension{
		name:    "power",
		example: "350 W",
		accepts: "W, kW or MW",
		units:   powerLadder,
	}
)
