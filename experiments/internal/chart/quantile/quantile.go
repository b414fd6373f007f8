package quantile

import (
	"cmp"
)

// Of returns the smallest of the values that at least percent of them, from 0 to 100, do
// not exceed: the value of rank ceil(n percent/100), and the smallest of all for 0.
// Without values it is 0. REQUIRES: the values are sorted.
func Of[T cmp.Ordered](sorted []T, percent int) T {
	if len(sorted) == 0 {
		var none T
		return none
	}
	return sorted[max((len(sorted)*percent+99)/100-1, 0)]
}
