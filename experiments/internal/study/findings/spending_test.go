package findings

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/study/sweep/sweeptest"
)

// 64 x 64 SIs without imbalance: the speedup is the number of nodes, so every doubling
// gains 1. With 3 for a doubling of level 1 and 1 for one of level 2 growth by cost
// raises r2 first, and the frontier does the same.
func TestGrowthByPricesOfDoublings(t *testing.T) {
	r := finished(t, sweeptest.Prices)
	var walk, frontier []float64
	for _, p := range r.Spending.Walk {
		walk = append(walk, p.Cost, p.Value)
	}
	for _, p := range r.Spending.Frontier {
		frontier = append(frontier, p.Cost, p.Value)
	}
	if want := []float64{0, 0, 1, 1, 2, 2, 5, 3, 8, 4}; !slices.Equal(walk, want) || !slices.Equal(frontier, want) {
		t.Errorf("walk %v, frontier %v, want %v", walk, frontier, want)
	}
	first := r.Growth[0].Updates
	if len(first) != 2 || first[0].Raised != "r2" || first[0].Scalability != 1 || *first[0].Efficiency != 1 || first[1].Raised != "r1" || math.Abs(*first[1].Efficiency-1./3) > 1e-15 {
		t.Errorf("updates %+v", first)
	}
	text := strings.Join(r.SpendingInWords(), "\n")
	if want := "Growth by the largest gain of log2_speedup for each unit of price raises r2 twice, then r1 twice. At 24 budgets from 0 to 8 it is within 1 % of the best that the budget buys."; text != want {
		t.Errorf("%s\nwant %s", text, want)
	}
	var steps strings.Builder
	if err := ExportSteps(r.Study, &steps, "csv"); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"point,r1,r2,raised,gain,scalability,added [price],efficiency\n0,0,0,r1,1,1,3,0.3333333333333333\n0,0,0,r2,1,1,1,1\n1,0,1,r1,1,1,3,",
		"\n7,2,1,r2,1,1,1,1\n", // nothing but r2 is left to raise
	} {
		if !strings.Contains(steps.String(), want) {
			t.Errorf("%s\nlacks %s", steps.String(), want)
		}
	}
	if strings.Contains(steps.String(), "\n8,") {
		t.Error("there is no step from the largest configuration")
	}
}

// The best of 7 nodes or 11 has nothing to do with that of 6 or 10: the path jumps at
// most sizes. Up to a size it does not: with subclusters that cost nothing, the best is
// the largest up to the size, and there are eight jumps at most for nine bounds.
func TestManySizesAreToldByTheBestUpToASize(t *testing.T) {
	r := finished(t, sweeptest.Sizes)
	if len(r.Growth) <= MaxSizes || r.Path.Jumps < len(r.Growth)/2 {
		t.Fatalf("%d sizes, %d jumps", len(r.Growth), r.Path.Jumps)
	}
	var bounds []float64
	for _, o := range r.UpTo {
		bounds = append(bounds, o.Bound)
	}
	if want := []float64{1, 2, 4, 8, 16, 32, 64, 128, 256}; !slices.Equal(bounds, want) {
		t.Errorf("bounds %v, want %v", bounds, want)
	}
	if text := strings.Join(r.GrowthInWords(), "\n"); !strings.Contains(text, "the best configuration up to a size, at 9 sizes from 1 to 256 nodes") {
		t.Error(text)
	}
}
