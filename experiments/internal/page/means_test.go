package page

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/isoscale/isoscale/internal/expect"
)

// Spans that begin and end within parts and on their borders, by hand, over four parts of 10 s starting at 100 s.
func TestMeans(t *testing.T) {
	m := NewMeans(100, 140, 4)
	m.Add(100, 140, 1)
	m.Add(105, 125, 2)
	m.Add(112, 114, 10)
	m.Add(130, 140, 4)
	m.Add(120, 120, 7) // takes no time
	d := cmp.Diff([]float64{1 + 1, 1 + 2 + 2, 1 + 1, 1 + 4}, m.Values(), cmpopts.EquateApprox(0, 1e-12))
	expect.That(t, d == "", "%v", d)
}
