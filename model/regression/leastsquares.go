package regression

import (
	"fmt"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// leastRelative returns the coefficients c that minimize the sum of squares of the
// relative errors c basis(p)/y - 1 over the points, by QR. All y are positive.
//
// Source: [Tofallis2008]. Deviations: none.
func leastRelative(d points, columns int, basis func(into []float64, p float64)) ([]float64, error) {
	if d.len() < columns {
		return nil, fmt.Errorf("regression: %d points do not determine %d coefficients", d.len(), columns)
	}
	a := mat.NewDense(d.len(), columns, nil)
	ones := make([]float64, d.len())
	unit := floats.Min(d.y) // so that no weight overflows
	for i, p := range d.p {
		row := a.RawRowView(i)
		basis(row, p)
		floats.Scale(unit/d.y[i], row)
		ones[i] = 1
	}
	c, err := solve(a, ones)
	if err != nil {
		return nil, err
	}
	floats.Scale(unit, c)
	return c, nil
}

// solve returns the c that minimizes |A c - y|, by QR.
func solve(a *mat.Dense, y []float64) ([]float64, error) {
	var qr mat.QR
	qr.Factorize(a)
	var c mat.VecDense
	if err := qr.SolveVecTo(&c, false, mat.NewVecDense(len(y), y)); err != nil {
		if _, poor := err.(mat.Condition); !poor || c.Len() == 0 {
			return nil, fmt.Errorf("regression: the points do not determine the coefficients: %w", err)
		}
	}
	return c.RawVector().Data, nil
}
