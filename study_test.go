package isoscale_test

import (
	"context"
	"errors"
	"testing"

	"github.com/isoscale/isoscale"
	"github.com/isoscale/isoscale/internal/expect"
)

// A panic of one point becomes the error of that point, with the value of the panic,
// and the other points are computed.
func TestStudyWithPanic(t *testing.T) {
	cause := errors.New("no such machine")
	f := func(_ context.Context, p int) (int, error) {
		switch p {
		case 2:
			panic(cause)
		case 4:
			return 1 / (p - 4), nil // a panic of the runtime
		}
		return p * p, nil
	}
	points := []int{1, 2, 3, 4, 5}
	i := 0
	for result, err := range isoscale.Study(context.Background(), points, f) {
		p := points[i]
		i++
		switch p {
		case 2:
			expect.That(t, errors.Is(err, cause), "point 2: %v", err)
		case 4:
			expect.That(t, err != nil, "point 4 has no error")
		default:
			expect.Success(t, err)
			expect.Equal(t, result, p*p, "result of a point")
		}
	}
	expect.Equal(t, i, len(points), "points")
}

// Two ranks compute n^2/2 s each, and a message of n bytes takes 1 + n s: E is 0.2, 0.4, 9/17, 8/13, 25/37 and 0.72 for
// n from 1 to 6. Iso returns the first size that reaches a target, be it 1, also if the one before is nearer to it.
func TestIsoIsTheSmallestSizeThatReaches(t *testing.T) {
	c := expect.Value(isoscale.NewCluster(1, 1, isoscale.Node{Name: "node", Count: 2, Cores: 1, Speed: 1}))(t)
	at := func(n int) isoscale.Simulation {
		return isoscale.Simulation{Cluster: c, Body: func(r *isoscale.Rank) {
			r.Compute(isoscale.Flops(n*n) / 2)
			r.Bcast(0, isoscale.Bytes(n))
		}}
	}
	for target, want := range map[float64]int{0.1: 1, 0.2: 1, 0.201: 2, 0.6: 4, 0.62: 5, 0.67: 5, 0.68: 6, 0.72: 6} {
		points := expect.Value(isoscale.Iso(t.Context(), target, 6, at))(t)
		expect.Equal(t, points[0].N, want, "size for %v", target)
		expect.That(t, points[0].Efficiency >= target, "efficiency %v for %v", points[0].Efficiency, target)
	}
	_, err := isoscale.Iso(t.Context(), 0.73, 6, at)
	expect.Failure(t, err, "the largest found is 0.72 at n = 6, searching n from 1 to 6; expected a lower target or a largest size above 6")
}
