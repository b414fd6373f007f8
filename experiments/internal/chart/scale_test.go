package chart

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"pgregory.net/rapid"
)

// letters is a font of which every letter is 7 wide, with a gap of 10.
func letters(label string) float64 { return 7*float64(len(label)) + 10 }

func powersOfTwo(to float64) []float64 {
	var p []float64
	for v := 1.0; v <= to; v *= 2 {
		p = append(p, v)
	}
	return p
}

func multiples(of float64, n int) []float64 {
	var p []float64
	for k := range n {
		p = append(p, of*float64(k+1))
	}
	return p
}

// The data fill most of an axis, whatever the numbers of processes, with labels that
// do not overlap, on a wide page, a phone and a column of a paper. Ticks are numbers
// that were measured, or 1, 2 and 5 times a power of ten.
func TestAxisOfProcesses(t *testing.T) {
	everyTo16 := multiples(1, 16)
	for _, test := range []struct {
		name     string
		measured []float64
		ticks    int // at least, on a wide page
	}{
		{"1 to 16", powersOfTwo(16), 5},
		{"each to 16", everyTo16, 5},
		{"1 to 1024", powersOfTwo(1024), 11},
		{"1 to 6144", []float64{1, 24, 48, 96, 192, 384, 768, 1536, 3072, 6144}, 10},
		{"multiples of 24", multiples(24, 12), 4},
		{"multiples of 24, doubled", []float64{24, 48, 96, 192, 384, 768}, 6},
		{"1 to 262144", []float64{1, 8, 64, 512, 4096, 32768, 262144}, 7},
		{"two", []float64{2, 4}, 2},
	} {
		for _, length := range []float64{800, 290, 200} {
			s := NewScale(Axis{Title: "processes", Unit: "1", Log: true},
				Span{Values: test.measured, Measured: test.measured, Length: length, Extent: letters})
			low, high := test.measured[0], test.measured[len(test.measured)-1]
			fill := s.Position(high) - s.Position(low)
			expect.That(t, fill >= 0.85 && s.Position(low) >= 0 && s.Position(high) <= 1,
				"%s: the data fill %.0f %% of an axis from %g to %g; expected 85 %% at least", test.name, 100*fill, s.Min, s.Max)
			expect.That(t, len(s.Ticks) >= 2 && (length != 800 || len(s.Ticks) >= test.ticks),
				"%s: %d ticks on %g: %v; expected %d", test.name, len(s.Ticks), length, s.Ticks, test.ticks)
			for k, tick := range s.Ticks {
				mantissa := tick.At / math.Pow(10, math.Floor(math.Log10(tick.At)))
				expect.That(t, slices.Contains(test.measured, tick.At) || slices.Contains([]float64{1, 2, 5}, mantissa) || math.Log2(tick.At) == math.Trunc(math.Log2(tick.At)),
					"%s: there is a tick at %v", test.name, tick.At)
				if k == 0 {
					continue
				}
				gap := (s.Position(tick.At) - s.Position(s.Ticks[k-1].At)) * length
				expect.That(t, gap >= 7*float64(len(tick.Label)+len(s.Ticks[k-1].Label))/2,
					"%s: the labels %q and %q overlap on %g", test.name, s.Ticks[k-1].Label, tick.Label, length)
			}
		}
	}
}

func TestLabels(t *testing.T) {
	for _, test := range []struct {
		name   string
		axis   Axis
		values []float64
		want   []string
		title  string
	}{
		{"exact integers", Axis{Title: "nodes", Unit: "1", Log: true}, []float64{131072, 262144}, []string{"131072", "262144"}, "nodes"},
		{"fixed decimals", Axis{Title: "efficiency", Unit: "1"}, []float64{0, 1}, []string{"0.0", "0.2", "0.4", "0.6", "0.8", "1.0"}, "efficiency"},
		{"a prefix", Axis{Title: "time", Unit: "s", Log: true}, []float64{1e-6, 1e-3}, []string{"1 µs", "10 µs", "100 µs", "1 ms"}, "time"},
		{"no prefix", Axis{Title: "time", Unit: "s"}, []float64{0, 300}, []string{"0", "50", "100", "150", "200", "250", "300"}, "time (s)"},
		{"a prefix on a linear axis", Axis{Title: "rate", Unit: "B/s"}, []float64{0, 4e9}, []string{"0", "1 GB/s", "2 GB/s", "3 GB/s", "4 GB/s"}, "rate"},
		{"decades", Axis{Title: "work", Unit: "1", Log: true}, []float64{1e3, 1e9}, []string{"1000", "10000", "100000", "1e6", "1e7", "1e8", "1e9"}, "work"},
		{"few sizes on a linear axis", Axis{Title: "processes", Unit: "1"}, []float64{1, 8}, []string{"1", "8"}, "processes"},
		{"no sizes on a linear axis", Axis{Title: "time", Unit: "s"}, []float64{0.5, 8}, []string{"0", "1", "2", "3", "4", "5", "6", "7", "8"}, "time (s)"},
	} {
		var measured []float64
		if test.name == "exact integers" || strings.HasSuffix(test.name, "sizes on a linear axis") {
			measured = test.values
		}
		s := NewScale(test.axis, Span{Values: test.values, Measured: measured, Zero: true, Length: 400, Extent: letters})
		var got []string
		for _, tick := range s.Ticks {
			got = append(got, tick.Label)
		}
		expect.That(t, slices.Equal(got, test.want) && s.Title == test.title,
			"%s: %q with labels %q; expected %q with %q", test.name, s.Title, got, test.title, test.want)
	}
}

// The integers that float64 has are written with all digits.
func TestIntegersAreExact(t *testing.T) {
	for v, want := range map[float64]string{131072: "131072", 262144: "262144", 1048576: "1048576", 1 << 53: "9007199254740992", -5: "-5"} {
		expect.Equal(t, Number(v), want, "Number(%v)", v)
	}
}

func FuzzScale(f *testing.F) {
	f.Add(1.0, 2.0, true, 100.0)
	f.Add(-1e30, 1e30, false, 800.0)
	f.Add(1e-9, 1e30, true, 30.0)
	f.Fuzz(func(t *testing.T, a, b float64, log bool, length float64) {
		for _, v := range []float64{a, b} {
			if math.IsNaN(v) || math.Abs(v) > 1e30 || log && v < 1e-9 {
				return
			}
		}
		if !(length > 1 && length < 1e5) {
			return
		}
		s := NewScale(Axis{Title: "x", Unit: "1", Log: log}, Span{Values: []float64{a, b}, Length: length, Extent: letters})
		expect.That(t, s.Min < s.Max && s.Min <= min(a, b) && s.Max >= max(a, b) && len(s.Ticks) != 0,
			"%v and %v: %+v", a, b, s)
		for k, tick := range s.Ticks {
			expect.That(t, tick.At >= s.Min && tick.At <= s.Max && tick.Label != "" &&
				(k <= 0 || tick.At > s.Ticks[k-1].At),
				"%v and %v: tick %d is %+v of %+v", a, b, k, tick, s)
		}
	})
}

// Data fill 1/1.06 of an axis, with 3 % of their span free at either end: of the logarithm,
// on a logarithmic axis. An axis of bars begins at zero, any other where its data are; at
// zero nothing is free. A single value has the factor of two, or a half of it, around it.
func TestLimitsOfAnAxis(t *testing.T) {
	one, two := 1.0, 2.0
	for _, test := range []struct {
		name     string
		axis     Axis
		values   []float64
		zero     bool
		min, max float64
	}{
		{"linear", Axis{}, []float64{150, 100, 200}, false, 97, 203},
		{"bars", Axis{}, []float64{150, 100, 200}, true, 0, 206},
		{"bars below zero", Axis{}, []float64{-100, -50}, true, -103, 0},
		{"from zero", Axis{}, []float64{0, 100}, false, 0, 103},
		{"one value", Axis{}, []float64{5}, false, 2.5, 7.5},
		{"zero alone", Axis{}, []float64{0}, false, -1, 1},
		{"logarithmic", Axis{Log: true}, []float64{1, 1e100}, false, 1e-3, 1e103},
		{"one value, logarithmic", Axis{Log: true}, []float64{5}, false, 2.5, 10},
		{"given", Axis{Min: &one, Max: &two}, []float64{-50, 50}, false, 1, 2},
		{"lower one given", Axis{Min: &one}, []float64{2, 4}, false, 1, 4.06},
		{"data below the lower one", Axis{Min: &two}, []float64{-3, -1}, false, 2, 4},
		{"data above the upper one", Axis{Max: &two}, []float64{3, 5}, false, 0, 2},
		{"data above the upper one, logarithmic", Axis{Max: &two, Log: true}, []float64{30, 50}, false, 1, 2},
	} {
		s := NewScale(test.axis, Span{Values: test.values, Zero: test.zero, Length: 500, Extent: letters})
		near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Abs(b) }
		expect.That(t, near(s.Min, test.min) && near(s.Max, test.max),
			"%s: from %v to %v, want %v to %v", test.name, s.Min, s.Max, test.min, test.max)
	}
}

// All powers within the limits, the smallest and the largest among them, exactly.
func TestPowersWithinTheLimits(t *testing.T) {
	for _, test := range []struct {
		base, min, max float64
		want           []float64
	}{
		{2, 3, 70, []float64{4, 8, 16, 32, 64}},
		{2, 1, 8, []float64{1, 2, 4, 8}},
		{10, 0.001, 10, []float64{0.001, 0.01, 0.1, 1, 10}},
		{10, 0.00099, 0.0011, []float64{0.001}},
		{100, 0.5, 2e4, []float64{1, 100, 1e4}},
	} {
		expect.List(t, powers(test.base, Scale{Log: true, Min: test.min, Max: test.max}), test.want, "powers of %v from %v to %v", test.base, test.min, test.max)
	}
}

func TestValuesBetween(t *testing.T) {
	for _, tt := range []struct {
		low, high float64
		n         int
		want      []float64
	}{
		{0, 10, 3, []float64{5}},
		{0, 10, 4, []float64{2, 4, 6, 8}},
		{0, 10, 9, []float64{1, 2, 3, 4, 5, 6, 7, 8, 9}},
		{-0.25, 0.35, 6, []float64{-0.2, -0.1, 0, 0.1, 0.2, 0.3}},
		{0, 16.311, 8, []float64{2, 4, 6, 8, 10, 12, 14, 16}},
		{3, 3, 5, nil},
		{1, 2, 0, nil},
		{1e-7, 3.5e-7, 3, []float64{2e-7, 3e-7}},
		{0, 4e300, 4, []float64{1e300, 2e300, 3e300}},
	} {
		expect.List(t, Between(tt.low, tt.high, tt.n), tt.want, "%v to %v, %d", tt.low, tt.high, tt.n)
	}
}

func TestValuesBetweenAny(t *testing.T) {
	for _, low := range []float64{-2.6e-267, 0, -1e307, 1e308} { // steps and ends beyond the largest number
		expect.That(t, len(Between(low, math.MaxFloat64, 13)) <= 13, "from %v", low)
	}
	rapid.Check(t, func(t *rapid.T) {
		low, high := rapid.Float64().Draw(t, "low"), rapid.Float64().Draw(t, "high")
		n := rapid.IntRange(0, 30).Draw(t, "n")
		levels := Between(low, high, n)
		expect.Need(t, len(levels) <= n && slices.IsSorted(levels) && (len(levels) == 0 || levels[0] > low &&
			levels[len(levels)-1] < high),
			"%v", levels)
	})
}

// The slopes of a plane are equal but for rounding: an axis of such values ends, with a tick between them.
func TestAxisOfValuesThatRoundingTellsApart(t *testing.T) {
	for _, low := range []float64{-3.23, 1, 1e300} {
		high := math.Nextafter(low, math.Inf(1))
		a := Axis{Title: "slope", Unit: "1", Min: &low, Max: &high}
		s := NewScale(a, Span{Values: []float64{low, high}, Length: 200, Extent: letters})
		expect.That(t, len(s.Ticks) == 1 && low <= s.Ticks[0].At && s.Ticks[0].At <= high, "%g: %v", low, s.Ticks)
	}
}
