package scalability

// A polynomial holds the coefficients of x^0, x^1, ...
type polynomial []float64

func (p polynomial) eval(x float64) float64 {
	var v float64
	for i := len(p) - 1; i >= 0; i-- {
		v = float64(v*x) + p[i]
	}
	return v
}

func (p polynomial) derivative() polynomial {
	d := make(polynomial, len(p)-1)
	for i := range d {
		d[i] = float64(i+1) * p[i+1]
	}
	return d
}

// crossings returns, in increasing order, the places in [a, b] where p changes
// between negative and not negative. Between neighbouring crossings of its
// derivative p is monotone, so each such interval holds at most one.
func (p polynomial) crossings(a, b float64) []float64 {
	if len(p) < 2 {
		return nil
	}
	var at []float64
	left := a
	for _, right := range append(p.derivative().crossings(a, b), b) {
		if (p.eval(left) < 0) != (p.eval(right) < 0) {
			at = append(at, p.bisect(left, right))
		}
		left = right
	}
	return at
}

// bisect returns the place in [a, b] where p changes between negative and not
// negative, given that it does so once. The trend line works on [-1, 1]: 64
// halvings leave less than float64 resolves there.
func (p polynomial) bisect(a, b float64) float64 {
	negative := p.eval(a) < 0
	for range 64 {
		mid := a + float64((b-a)/2)
		if (p.eval(mid) < 0) == negative {
			a = mid
		} else {
			b = mid
		}
	}
	return b
}
