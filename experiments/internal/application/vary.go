package application

// variation returns the draw of a Vary for the process or for the computation.
func (f *frame) variation(v *variation) float64 {
	s := step{op: uniform, a: v.place, v: float64(v.loops)}
	switch v.By {
	case Normal:
		s.op = gaussian
	case Exponential:
		s.op = exponent
	default:
		return 2*f.draw(&s) - 1
	}
	return f.draw(&s)
}
