package effects

import (
	"math"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/study/studytable"
	"github.com/isoscale/isoscale/experiments/internal/study/studytable/studytabletest"
	"gonum.org/v1/gonum/mat"
)

// constrained returns the combinations of r1, r2 and r3 from 0 to 5 whose sum is at
// most 6, with a response in which all three act, two of them together.
func constrained() *studytable.Table {
	t := &studytable.Table{Responses: []studytable.Response{{Name: "y"}}}
	for _, name := range []string{"r1", "r2", "r3"} {
		t.Factors = append(t.Factors, studytabletest.Numbers(name, 0, 1, 2, 3, 4, 5))
	}
	for a := range 6 {
		for b := range 6 {
			for c := range 6 {
				if a+b+c <= 6 {
					y := float64(2*a+3*b) + 0.2*float64(a*b) - 0.1*float64(c*c)
					t.Rows = append(t.Rows, studytable.Row{Levels: []int{a, b, c}, Values: []float64{y}})
				}
			}
		}
	}
	return t
}

// explainedBy is the sum of squares that some factors of a table explain, each level
// of each with a coefficient of its own, by the QR decomposition.
func explainedBy(t *testing.T, table *studytable.Table, factors []int) float64 {
	t.Helper()
	n := len(table.Rows)
	mean := 0.0
	for _, row := range table.Rows {
		mean += row.Values[0] / float64(n)
	}
	columns := 1
	for _, k := range factors {
		columns += len(table.Factors[k].Levels) - 1
	}
	x, y := mat.NewDense(n, columns, nil), mat.NewVecDense(n, nil)
	for i, row := range table.Rows {
		y.SetVec(i, row.Values[0]-mean)
		x.Set(i, 0, 1)
		at := 1
		for _, k := range factors {
			if l := row.Levels[k]; l > 0 {
				x.Set(i, at+l-1, 1)
			}
			at += len(table.Factors[k].Levels) - 1
		}
	}
	var qr mat.QR
	qr.Factorize(x)
	var b, fitted mat.VecDense
	if err := qr.SolveVecTo(&b, false, y); err != nil {
		t.Fatal(err)
	}
	fitted.MulVec(x, &b)
	return mat.Dot(&fitted, &fitted)
}

// orders calls visit with every order of n things.
func orders(n int, visit func([]int)) {
	var extend func(order []int)
	extend = func(order []int) {
		if len(order) == n {
			visit(order)
			return
		}
	next:
		for i := range n {
			for _, j := range order {
				if i == j {
					continue next
				}
			}
			extend(append(order[:len(order):len(order)], i))
		}
	}
	extend(nil)
}

// The shares of a constrained plan are the means over all orders of the factors, by
// regressions that share no code with the analysis. With interactions and the rest
// they add up to 1, and the dependence is told.
func TestShapleyByBruteForce(t *testing.T) {
	table := constrained()
	var want [3]float64
	orders(3, func(order []int) {
		before := 0.0
		for i, k := range order {
			with := explainedBy(t, table, order[:i+1])
			want[k] += (with - before) / 6
			before = with
		}
	})
	e := mustEffects(t, table, true)
	if e.Method != Shapley {
		t.Fatalf("method %v", e.Method)
	}
	sum := e.Higher.Share
	for i, m := range e.Main {
		if math.Abs(m.SumOfSquares-want[i]) > 1e-9*e.Total.SumOfSquares {
			t.Errorf("%s: %v, want %v", table.Factors[i].Name, m.SumOfSquares, want[i])
		}
		sum += m.Share
	}
	for _, x := range e.Interactions {
		sum += x.Share
	}
	if math.Abs(sum-1) > 1e-9 {
		t.Errorf("shares add up to %v", sum)
	}
	if len(e.Warnings) == 0 || !strings.Contains(strings.Join(e.Warnings, "\n"), "r1, r2, r3 depend on each other in this plan") {
		t.Errorf("warnings %q", e.Warnings)
	}
}

// A grid of three by three without one corner: little of a factor follows from the other,
// but the sums of squares lost without each, 0.6 % and 86 %, leave out 13 % that both
// explain. Shares are Shapley values, for two factors the mean of what one explains alone
// and what is lost without it, by regressions that share no code with the analysis.
func TestShapleyOfGridWithoutACorner(t *testing.T) {
	table := &studytable.Table{Factors: []studytable.Factor{studytabletest.Numbers("n1", 1, 2, 4), studytabletest.Numbers("n2", 1, 2, 4)}, Responses: []studytable.Response{{Name: "y"}}}
	for i, y := range []float64{35.07, 22.59, 61.21, 36.41, 24.31, 62.41, 37.81, 26.12} {
		table.Rows = append(table.Rows, studytable.Row{Levels: []int{(i + 1) / 3, (i + 1) % 3}, Values: []float64{y}})
	}
	e := mustEffects(t, table, false)
	if e.Method != Shapley || len(e.Warnings) != 1 || !strings.Contains(e.Warnings[0], "miss what they explain by 13 %") {
		t.Fatalf("%v, %q", e.Method, e.Warnings)
	}
	both := explainedBy(t, table, []int{0, 1})
	for k, m := range e.Main {
		alone, other := explainedBy(t, table, []int{k}), explainedBy(t, table, []int{1 - k})
		if want := (alone + both - other) / 2; math.Abs(m.SumOfSquares-want) > 1e-9*e.Total.SumOfSquares {
			t.Errorf("%s: %v, want %v", table.Factors[k].Name, m.SumOfSquares, want)
		}
	}
}

// A response that is the same everywhere has no variance to divide, though the mean of eight
// equal numbers is rounded.
func TestConstantOfGridWithoutACorner(t *testing.T) {
	for _, y := range []float64{0.1, 7.7e-5, 3e9 + 0.1, 0} {
		table := &studytable.Table{Factors: []studytable.Factor{studytabletest.Numbers("n1", 1, 2, 4), studytabletest.Numbers("n2", 1, 2, 4)}, Responses: []studytable.Response{{Name: "y"}}}
		for i := range 8 {
			table.Rows = append(table.Rows, studytable.Row{Levels: []int{(i + 1) / 3, (i + 1) % 3}, Values: []float64{y}})
		}
		if e := mustEffects(t, table, true); e.Total.SumOfSquares != 0 || e.Warnings != nil {
			t.Errorf("%v: %v, %q", y, e.Total.SumOfSquares, e.Warnings)
		}
	}
}

// Two factors with the correlation r and a response that is their sum: by symmetry
// each has a half. Alone each explains (1 + r)/2 of the variance, and is lost with
// (1 - r)/2.
func TestShapleyOfSymmetricFactors(t *testing.T) {
	table := &studytable.Table{Factors: []studytable.Factor{studytabletest.Numbers("a", 0, 1, 2, 3), studytabletest.Numbers("b", 0, 1, 2, 3)}, Responses: []studytable.Response{{Name: "y"}}}
	for a := range 4 {
		for b := range 4 {
			if a+b <= 3 {
				table.Rows = append(table.Rows, studytable.Row{Levels: []int{a, b}, Values: []float64{float64(a + b)}})
			}
		}
	}
	e := mustEffects(t, table, false)
	for _, m := range e.Main {
		studytabletest.CloseTo(t, "share", m.Share, 0.5)
	}
}

// Random orders come close to all orders.
func TestShapleyOfRandomOrders(t *testing.T) {
	c, err := constrained().Gather("y", -1)
	if err != nil {
		t.Fatal(err)
	}
	v := variedFactors(c)
	y, weights := make([]float64, len(v.List)), make([]float64, len(v.List))
	for i, one := range v.List {
		y[i], weights[i] = one.Mean-10, 1
	}
	m, ok := v.fit(v.codes(true), nil, y, weights)
	if !ok {
		t.Fatal("not fitted")
	}
	exact, sampled := m.shapley(0), m.sampledShapley(0)
	total := exact[0] + exact[1] + exact[2]
	for i := range exact {
		if math.Abs(exact[i]-sampled[i]) > 0.02*total {
			t.Errorf("term %d: %v, by random orders %v", i, exact[i], sampled[i])
		}
	}
}
