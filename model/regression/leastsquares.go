package regression

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// linear returns the coefficients c that minimize |A c - y|, A having basis(p) as
// its rows, by QR.
func linear(d points, columns int, basis func(into []float64, p float64)) ([]float64, error) {
	if d.len() < columns {
		return nil, fmt.Errorf("regression: %d points do not settle %d coefficients", d.len(), columns)
	}
	a := mat.NewDense(d.len(), columns, nil)
	for i, p := range d.p {
		basis(a.RawRowView(i), p)
	}
	return solve(a, d.y)
}

// inverse returns the coefficients of 1/y, less what is known of it, to start
// from. The rows are weighted by y^2, as dy = -y^2 d(1/y): then they count about as
// they do in y.
func inverse(d points, columns int, basis func(into []float64, p float64), known func(p float64) float64) ([]float64, error) {
	if d.len() < columns {
		return nil, fmt.Errorf("regression: %d points do not settle %d coefficients", d.len(), columns)
	}
	a := mat.NewDense(d.len(), columns, nil)
	right := make([]float64, d.len())
	most := floats.Max(d.y)
	for i, p := range d.p {
		weight := d.y[i] / most * (d.y[i] / most)
		row := a.RawRowView(i)
		basis(row, p)
		floats.Scale(weight, row)
		right[i] = weight * (1/d.y[i] - known(p))
	}
	return solve(a, right)
}

func solve(a *mat.Dense, y []float64) ([]float64, error) {
	var qr mat.QR
	qr.Factorize(a)
	var c mat.VecDense
	if err := qr.SolveVecTo(&c, false, mat.NewVecDense(len(y), y)); err != nil {
		if _, poor := err.(mat.Condition); !poor || c.Len() == 0 {
			return nil, fmt.Errorf("regression: the points do not settle the coefficients: %w", err)
		}
	}
	return c.RawVector().Data, nil
}

// refine improves parameters until no small change lessens the sum of squares any
// more, by the method of Levenberg and Marquardt: steps of linear least squares,
// shortened as long as they do not help. It is for positive y: parameters with
// which the form is not positive at some point have jumped over a pole of it. It
// starts from the first of the starts without that, which may be nil.
//
// Source: [Marquardt1963].
func refine(f form, d points, starts ...[]float64) ([]float64, error) {
	n, m := d.len(), len(f.parameters())
	residuals := func(into, theta []float64) float64 {
		for i, p := range d.p {
			v := f.value(theta, p)
			if !(v > 0) {
				return math.Inf(1)
			}
			into[i] = d.y[i] - v
		}
		return floats.Dot(into, into)
	}
	right := make([]float64, n+m) // residuals, then zeros for the damping
	theta, cost := make([]float64, m), math.Inf(1)
	for _, start := range starts {
		if start != nil && !(cost <= math.MaxFloat64) {
			copy(theta, start)
			cost = residuals(right[:n], theta)
		}
	}
	trial, trialResiduals := make([]float64, m), make([]float64, n)
	size := floats.Norm(d.y, 2)
	damping := 1e-3
	const rounds = 500
	for range rounds {
		if !(cost <= math.MaxFloat64) {
			break
		}
		a := mat.NewDense(n+m, m, nil)
		for i, p := range d.p {
			f.gradient(a.RawRowView(i), theta, p)
		}
		column := make([]float64, n+m)
		for j := range m {
			a.Set(n+j, j, math.Sqrt(damping)*floats.Norm(mat.Col(column, j, a)[:n], 2))
		}
		step, err := solve(a, right)
		if err != nil {
			return nil, unsettled(f)
		}
		floats.AddTo(trial, theta, step)
		trialCost := residuals(trialResiduals, trial)
		var change mat.VecDense // of the predictions
		change.MulVec(a.Slice(0, n, 0, m), mat.NewVecDense(m, step))
		moved := mat.Norm(&change, 2)
		if trialCost <= cost {
			copy(theta, trial)
			copy(right, trialResiduals)
			cost = trialCost
			damping = max(damping/10, 1e-15)
		} else {
			damping *= 10
		}
		// This close to the bottom the residuals are rounding errors of y.
		if moved <= 1e-13*size {
			return theta, nil
		}
	}
	return nil, fmt.Errorf("regression: the fit of %s did not converge in %d rounds", f.name(), rounds)
}
