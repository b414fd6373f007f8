package findings

// maxMapSide is how many levels of a factor a map shows.
const maxMapSide = 200

// Mapped are the two numeric factors of a map, the strongest that have as many
// levels as a surface needs; ok is false if there are none.
func (r *Result) Mapped() (x, y int, ok bool) {
	if o := r.Study.Axes; o != nil {
		return o[0], o[1], true
	}
	var able, poor []int // two levels make a poor map
	for _, i := range r.Strongest() {
		switch f := &r.Study.Design.Factors[i]; {
		case !f.Numeric || f.Len() < 2 || f.Len() > maxMapSide:
		case f.Len() == 2:
			poor = append(poor, i)
		default:
			able = append(able, i)
		}
	}
	if able = append(able, poor...); len(able) < 2 {
		return 0, 0, false
	}
	x, y = able[0], able[1]
	return min(x, y), max(x, y), true
}

// Strongest returns the factors that were varied, the strongest first; those of
// unknown effects in the order of the plan.
func (r *Result) Strongest() []int {
	var all []int
	if r.Search != nil && r.Search.Surrogate != nil {
		for _, x := range r.Search.Surrogate.LengthScales {
			if i, err := r.Table.FactorIndex(x.Factor); err == nil {
				all = append(all, i)
			}
		}
	}
	switch {
	case r.Effects != nil:
		for _, f := range r.Effects.Factors {
			all = append(all, f.number)
		}
	case r.Search == nil && r.Table != nil:
		for k, levels := range r.levelsThatOccur() {
			if levels > 1 {
				all = append(all, k)
			}
		}
	}
	return all
}
