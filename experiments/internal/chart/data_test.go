package chart

import (
	"math"
	"slices"
	"testing"
)

// What must stay does, in its order, and no more than so many are left.
func TestFew(t *testing.T) {
	for _, test := range []struct {
		items, n int
		stay     []int
		want     []int
	}{
		{3, 5, nil, []int{0, 1, 2}},
		{10, 3, nil, []int{0, 4, 9}},
		{10, 3, []int{7, 7, -1, 10}, []int{0, 7, 9}},
		{10, 1, []int{7, 2}, []int{2, 7}},
		{0, 4, nil, nil},
	} {
		if got := Few(test.items, test.n, test.stay...); !slices.Equal(got, test.want) {
			t.Errorf("Few(%d, %d, %v) = %v; expected %v", test.items, test.n, test.stay, got, test.want)
		}
	}
}

// What is not a number is neither the smallest nor the largest, and of equals the first is.
func TestEnds(t *testing.T) {
	nan := math.NaN()
	if got := Ends([]float64{nan, 3, 1, 9, 1, nan, 9}); !slices.Equal(got, []int{2, 3}) {
		t.Errorf("the ends are at %v; expected 2 and 3", got)
	}
	if got := Ends([]float64{nan}); !slices.Equal(got, []int{-1, -1}) {
		t.Errorf("the ends of nothing are at %v; expected -1", got)
	}
}
