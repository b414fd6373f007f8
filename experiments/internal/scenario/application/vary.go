package application

// variation returns the draw of a Vary for the process or for the computation.
func (f *frame) variation(v *variation) float64 {
	switch v.By {
	case Normal:
		return f.Normal(v.place, v.loops)
	case Exponential:
		return f.Exponential(v.place, v.loops)
	}
	return 2*f.Uniform(v.place, v.loops) - 1
}
