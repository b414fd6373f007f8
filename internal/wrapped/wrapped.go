package wrapped

import "github.com/isoscale/isoscale/workloads"

// Outermost returns the outermost of wrapped programs that is a T. A program returns the one that it
// wraps by a method Unwrap.
func Outermost[T any](p workloads.Program) (T, bool) {
	for {
		if t, ok := p.(T); ok {
			return t, true
		}
		w, ok := p.(interface{ Unwrap() workloads.Program })
		if !ok {
			var none T
			return none, false
		}
		p = w.Unwrap()
	}
}
