package sharing

// sum is a sum that terms are added to and taken from. It knows when so little
// is left of it that rounding errors of its past show, and it must be computed
// anew.
type sum struct {
	value float64
	peak  float64 // the largest value since it was exact
}

func exactly(value float64) sum { return sum{value, value} }

func (s sum) plus(term float64) sum {
	value := s.value + term
	return sum{value, max(s.peak, value)}
}

// doubtful reports whether the value may be wrong by more than some 1e-10.
func (s sum) doubtful() bool { return s.value < s.peak*cancelled }

// cancelled is the ratio below which a difference has lost too many digits.
const cancelled = 0x1p-20
