package paper

import "fmt"

// Exactly returns an input without rounding, such as a problem size.
func Exactly(v float64) Printed { return Printed{Text: fmt.Sprint(v), Value: v} }

// Compute returns the cell for a formula of printed inputs. Each input may have
// been rounded by half a unit of its last place either way; how far that moves
// the result is found at the corners of that box, where a formula that is
// monotone in each input has its extremes.
func Compute(row, column string, printed Printed, formula func(x []float64) float64, inputs ...Printed) Cell {
	x := make([]float64, len(inputs))
	for i, in := range inputs {
		x[i] = in.Value
	}
	ours := formula(x)
	lo, hi := ours, ours
	for corner := range 1 << len(inputs) {
		for i, in := range inputs {
			x[i] = in.Value - in.Place/2
			if corner>>i&1 == 1 {
				x[i] = in.Value + in.Place/2
			}
		}
		v := formula(x)
		lo, hi = min(lo, v), max(hi, v)
	}
	return CompareRange(row, column, printed, ours, lo, hi, Recomputed)
}

// As returns the cell as one of several readings of the printed one.
func (c Cell) As(reading string) Cell {
	c.Reading = reading
	return c
}

// Because returns the cell with the reason for its difference, if it has one.
func (c Cell) Because(note string) Cell {
	if c.Verdict == Differs {
		c.Note = note
	}
	return c
}
