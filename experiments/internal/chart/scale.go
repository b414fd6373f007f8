package chart

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A Scale says what an axis shows: its limits, and where it has ticks.
type Scale struct {
	Title    string // the quantity, with its unit unless the labels have it
	Log      bool
	Min, Max float64
	Ticks    []Tick // increasing, within the limits
}

// A Tick is a labelled place on an axis.
type Tick struct {
	At    float64 `json:"at"`
	Label string  `json:"label"`
}

// A Span is what the limits and ticks of an axis depend on besides the axis itself.
type Span struct {
	Values   []float64 // all that the axis must show
	Measured []float64 // where ticks are best, such as the numbers of processes; may be nil
	Zero     bool      // a linear axis starts at zero

	Length float64              // of the axis
	Extent func(string) float64 // of a label along the axis, with the gap to the next
}

// margin is the share of the span of the data by which an axis extends beyond each end,
// so that points at the ends are drawn whole.
const margin = 0.03

// NewScale returns limits from the data, with 94 % of the axis between the smallest
// and the largest value, unless the axis has bounds. Ticks are at the measured values if these
// have room; on a linear axis only if they are few and whole. Else a logarithmic axis has ticks at
// powers of two if it shows whole counts, at 1, 2 and 5 times powers of ten, or at powers of ten.
// Labels of a linear axis all have the same number of decimals.
func NewScale(a Axis, s Span) Scale {
	scale := Scale{Log: a.Log}
	scale.limit(a, s)
	fits := func(ticks []Tick) bool {
		for k := 1; k < len(ticks); k++ {
			room := (scale.Position(ticks[k].At) - scale.Position(ticks[k-1].At)) * s.Length
			if room < (s.Extent(ticks[k].Label)+s.Extent(ticks[k-1].Label))/2 {
				return false
			}
		}
		return true
	}
	candidates := scale.linearCandidates(mostLinear)
	switch measured, whole := sizes(s.Measured); {
	case a.Log:
		candidates = scale.logCandidates(s.Measured, a.counts())
	case whole && len(measured) <= mostLinear: // 1 and 8 processes, not 1, 2, ..., 8
		candidates = slices.Insert(candidates, 0, measured)
	}
	for _, at := range candidates { // the best first
		at = slices.DeleteFunc(at, func(v float64) bool { return v < scale.Min || v > scale.Max })
		ticks := scale.label(a, at)
		if len(at) >= 2 && fits(ticks) {
			scale.Ticks = ticks
			break
		}
	}
	if scale.Ticks == nil { // no room for two
		scale.Ticks = scale.label(a, []float64{middle(s.Values, scale)})
	}
	scale.Title = scale.title(a)
	return scale
}

// Position returns where a value is on the axis, from 0 to 1.
func (s Scale) Position(v float64) float64 {
	if s.Log {
		return math.Log(v/s.Min) / math.Log(s.Max/s.Min)
	}
	return (v - s.Min) / (s.Max - s.Min)
}

func (s *Scale) limit(a Axis, span Span) {
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range span.Values {
		low, high = math.Min(low, v), math.Max(high, v)
	}
	if low > high { // nothing to show
		low, high = 1, 1
	}
	switch {
	case a.Log && low == high:
		s.Min, s.Max = low/2, high*2
	case a.Log:
		factor := math.Exp(margin * math.Log(high/low))
		s.Min, s.Max = low/factor, high*factor
	default:
		s.Min, s.Max = linearLimits(low, high, span.Zero)
	}
	if a.Min != nil {
		s.Min = *a.Min
	}
	if a.Max != nil {
		s.Max = *a.Max
	}
	switch { // one bound is given, and all data are beyond it
	case s.Min < s.Max:
	case a.Min != nil:
		s.Max = s.Min + math.Max(1, math.Abs(s.Min))
	case a.Log:
		s.Min = s.Max / 2
	default:
		s.Min = s.Max - math.Max(1, math.Abs(s.Max))
	}
}

func linearLimits(low, high float64, zero bool) (from, to float64) {
	if zero {
		low, high = math.Min(0, low), math.Max(0, high)
	}
	if low == high {
		pad := cmp.Or(math.Abs(low)/2, 1)
		return low - pad, high + pad
	}
	pad := margin * (high - low)
	if from = low - pad; low == 0 {
		from = 0
	}
	if to = high + pad; high == 0 {
		to = 0
	}
	return from, to
}

// middle returns the place of the only tick of a short axis.
func middle(values []float64, s Scale) float64 {
	for _, v := range values {
		if s.Min <= v && v <= s.Max {
			return v
		}
	}
	return s.Min
}

// sizes returns the distinct measured values in increasing order; whole reports that there are
// some and that all are whole numbers.
func sizes(measured []float64) (different []float64, whole bool) {
	different = slices.Compact(slices.Sorted(slices.Values(measured)))
	return different, len(different) > 0 &&
		!slices.ContainsFunc(different, func(v float64) bool { return v != math.Trunc(v) })
}

// mostMeasured is how many values still pass for sizes that someone chose to measure.
const mostMeasured = 16

// counts reports whether an axis shows numbers or bytes, which, unlike money, are often powers of two.
func (a Axis) counts() bool { return a.Unit == Dimensionless || strings.HasSuffix(a.Unit, "B") }

// logCandidates returns the sets of ticks that a logarithmic axis, perhaps one of counts, may have, the best first.
func (s Scale) logCandidates(measured []float64, counts bool) (all [][]float64) {
	measured, whole := sizes(measured)
	if n := len(measured); n > 0 && n <= mostMeasured {
		all = append(all, slices.Clone(measured))
		for factor := 2.0; factor <= 64; factor *= 2 {
			all = append(all, ladder(measured, factor, s))
		}
	}
	if whole && counts && s.Max/s.Min < 2000 {
		for factor := 2.0; factor <= 16; factor *= 2 {
			all = append(all, powers(factor, s))
		}
	}
	if decades := math.Log10(s.Max / s.Min); decades >= 1 {
		all = append(all, times(s, 1, 2, 5))
		for step := 1.0; step <= decades; step++ {
			all = append(all, powers(math.Pow(10, step), s))
		}
	} else {
		all = append(all, times(s, 1, 2, 3, 4, 5, 6, 7, 8, 9), times(s, 1, 2, 5))
	}
	for _, at := range s.linearCandidates(mostLinear) {
		all = append(all, slices.DeleteFunc(at, func(v float64) bool { return v <= 0 }))
	}
	return all
}

// ladder returns the measured values in the geometric sequence from the first of them, or the
// first and those in the sequence from the second, if the sequence covers most of the axis.
func ladder(measured []float64, factor float64, s Scale) []float64 {
	for first := range min(2, len(measured)) {
		at := []float64{measured[first]}
		for v := measured[first] * factor; v <= s.Max; v *= factor {
			if _, found := slices.BinarySearch(measured, v); found {
				at = append(at, v)
			}
		}
		if len(at) >= 3 && s.Position(at[len(at)-1])-s.Position(at[0]) >= 0.6 {
			if first == 1 {
				at = append([]float64{measured[0]}, at...)
			}
			return at
		}
	}
	return nil
}

// powers returns the powers of a base on the axis.
func powers(base float64, s Scale) (at []float64) {
	for k := math.Floor(math.Log(s.Min) / math.Log(base)); k <= math.Ceil(math.Log(s.Max)/math.Log(base)); k++ {
		v := math.Pow(base, k)
		if exponent := math.Log10(base) * k; math.Abs(exponent-math.Round(exponent)) < 1e-9 {
			v = decimal(1, math.Round(exponent))
		}
		if v >= s.Min && v <= s.Max {
			at = append(at, v)
		}
	}
	return at
}

// times returns the places on the axis that are these multiples of a power of ten.
func times(s Scale, factors ...float64) (at []float64) {
	for k := math.Floor(math.Log10(s.Min)); k <= math.Ceil(math.Log10(s.Max)); k++ {
		for _, f := range factors {
			if v := decimal(f, k); v >= s.Min && v <= s.Max {
				at = append(at, v)
			}
		}
	}
	return at
}

// decimal returns the float64 nearest to a multiple of a power of ten, infinity beyond the largest.
func decimal(factor, exponent float64) float64 {
	v, _ := strconv.ParseFloat(fmt.Sprintf("%.0fe%.0f", factor, exponent), 64) // its only error is an overflow
	return v
}

// mostLinear is how many ticks of a linear axis are helpful.
const mostLinear = 10

// linearCandidates returns sets of ticks at equal steps. The first has the smallest: at most so many span the axis.
// There are none between ends that are equal but for rounding.
func (s Scale) linearCandidates(most float64) (all [][]float64) {
	width := s.Max - s.Min
	if !(width > 1e-12*max(math.Abs(s.Min), math.Abs(s.Max), math.SmallestNonzeroFloat32)) || math.IsInf(width, 0) {
		return nil
	}
	for k := math.Floor(math.Log10(width / most)); k <= math.Ceil(math.Log10(width))+1; k++ {
		for _, factor := range []float64{1, 2, 5} {
			step := decimal(factor, k)
			if width/step > most || math.IsInf(step, 0) {
				continue
			}
			var at []float64
			for i, last := math.Ceil(s.Min/step-1e-9), math.Floor(s.Max/step+1e-9); i <= last; i++ {
				at = append(at, roundTo(i*step, int(k)))
			}
			all = append(all, at)
		}
	}
	return all
}

// Between returns at most n values strictly between two others, at multiples of 1, 2 or 5 times a
// power of ten. There are none between equal values.
func Between(low, high float64, n int) []float64 {
	for _, at := range (Scale{Min: low, Max: high}).linearCandidates(float64(n + 1)) {
		at = slices.DeleteFunc(at, func(v float64) bool { return v <= low || v >= high })
		if len(at) <= n {
			return at
		}
	}
	return nil
}

// roundTo rounds to a multiple of 10^k for negative k, and to an integer for others.
func roundTo(v float64, k int) float64 {
	return parsed(strconv.FormatFloat(v, 'f', max(0, -k), 64)) + 0 // no negative zero
}

func (s Scale) label(a Axis, at []float64) []Tick {
	ticks := make([]Tick, len(at))
	decimals := 0
	if !s.Log {
		for _, v := range at {
			decimals = max(decimals, decimalsOf(v))
		}
	}
	for k, v := range at {
		ticks[k].At = v
		switch {
		case s.inLabels(a):
			ticks[k].Label = prefixed(v, a.Unit, 6)
		case !s.Log && decimals <= 6 && math.Max(math.Abs(s.Min), math.Abs(s.Max)) < 1e7:
			ticks[k].Label = strconv.FormatFloat(v, 'f', decimals, 64)
		default:
			ticks[k].Label = tickNumber(v)
		}
	}
	return ticks
}

// inLabels reports whether the labels have the unit with a prefix, because numbers in the
// unit itself would be long.
func (s Scale) inLabels(a Axis) bool {
	below, above := takesPrefix(a.Unit)
	size := math.Max(math.Abs(s.Min), math.Abs(s.Max))
	small := size
	if s.Log {
		small = s.Min
	}
	return below && small < 0.01 || above && size >= 1e4
}

// decimalsOf is how many decimals a value needs.
func decimalsOf(v float64) int {
	_, decimals, _ := strings.Cut(strconv.FormatFloat(v, 'f', -1, 64), ".")
	return len(decimals)
}

// tickNumber is [Number], but gives large round numbers an exponent.
func tickNumber(v float64) string {
	if math.Abs(v) >= 1e6 && math.Mod(v, 1e5) == 0 {
		return Short(v, 6)
	}
	return Number(v)
}

func (s Scale) title(a Axis) string {
	if a.Unit == "" || a.Unit == Dimensionless || s.inLabels(a) {
		return a.Title
	}
	return a.Title + " (" + a.Unit + ")"
}
