package isoscale_test

import (
	"context"
	"errors"
	"testing"

	"github.com/isoscale/isoscale"
	"github.com/isoscale/isoscale/internal/expect"
)

// A panic of one point is its error, with what it panicked with, and the other points
// are computed.
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
