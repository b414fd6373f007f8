package findings

import (
	"math"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/study/sweep"
	"github.com/isoscale/isoscale/experiments/internal/study/sweep/sweeptest"
)

func TestDifference(t *testing.T) {
	ratios := map[[2]int]float64{}
	product, equal := 1.0, 0
	for _, n := range []int{1, 2, 3} {
		for _, w := range []int{6, 7, 9} {
			ratio := math.Ceil(float64(w)/float64(n)) * float64(n) / float64(w)
			ratios[[2]int{n, w}] = ratio
			product *= ratio
			if ratio == 1 {
				equal++
			}
		}
	}
	r := finished(t, sweeptest.Methods)
	d := r.Difference
	if d == nil {
		t.Fatal("two methods are not compared")
	}
	if d.By != sweep.ByRatio || d.Pairs != 9 || d.Equal != equal || math.Abs(d.Mean-math.Pow(product, 1./9)) > 1e-12 {
		t.Errorf("%+v, want 9 ratios with %d equal and the mean %v", d, equal, math.Pow(product, 1./9))
	}
	// 7 SIs on 3 nodes: 3 rounds in place of 7/3.
	if math.Abs(d.Highest.Value-9./7) > 1e-12 || d.Highest.Levels["n"] != "3" || d.Highest.Levels["w"] != "7" || d.Highest.Levels["method"] != "" {
		t.Errorf("the highest is %+v, want 9/7 at n = 3, w = 7", d.Highest)
	}
	if text := strings.Join(r.DifferenceInWords(), " "); !strings.Contains(text, "From method formula to dispatch, time changes by a factor of 1 (") || !strings.Contains(text, "to 1.286 (n = 3, w = 7)") {
		t.Error(text)
	}
}

// The same by difference of another outcome, the other way round: the signs change, and
// there is a line of zero only where values have both.
func TestDifferenceTheOtherWay(t *testing.T) {
	there := finished(t, sweeptest.Methods+"compare: {factor: method, by: difference}\n").Difference
	back := finished(t, sweeptest.Methods+"compare: {factor: method, levels: [dispatch, formula], by: difference}\n").Difference
	if there.Lowest.Value != -back.Highest.Value || there.Highest.Value != -back.Lowest.Value || math.Abs(there.Mean+back.Mean) > 1e-15 {
		t.Errorf("there %+v, back %+v", there, back)
	}
	// 7 SIs on 3 nodes take 3 s in place of 7/3 s.
	if math.Abs(there.Highest.Value-2./3) > 1e-12 {
		t.Errorf("the highest is %v, want 2/3", there.Highest.Value)
	}
}
