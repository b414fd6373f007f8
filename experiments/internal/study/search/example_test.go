package search_test

import (
	"fmt"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/study/search"
)

// Where is the minimum of a parabola, by 3 results and 3 more?
func Example() {
	simulate := func(x float64) float64 { return (x - 0.3) * (x - 0.3) }
	var candidates [][]float64
	for i := range 21 {
		candidates = append(candidates, []float64{float64(i) / 20})
	}
	taken := make([]bool, len(candidates))
	var x [][]float64
	var y []float64
	next := []int{0, 10, 20}
	for len(x) < 6 {
		for _, i := range next {
			taken[i] = true
			x, y = append(x, candidates[i]), append(y, simulate(candidates[i][0]))
		}
		p, err := search.Fit(x, y, search.Options{})
		if err != nil {
			fmt.Println(err)
			return
		}
		next = p.Next(candidates, taken, 1, search.Improvement)
	}
	best := slices.Index(y, slices.Min(y))
	fmt.Println("the smallest of", len(y), "results is at", x[best][0])
	// Output: the smallest of 6 results is at 0.3
}
