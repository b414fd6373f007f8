package chart

import "slices"

// Few returns the indices of at most n of so many items, in their order: those that must
// stay, such as the best, and of the others some evenly from the first to the last.
func Few(items, n int, stay ...int) []int {
	slices.Sort(stay)
	few := slices.Compact(slices.DeleteFunc(stay, func(i int) bool { return i < 0 || i >= items }))
	var rest []int
	for i := range items {
		if !slices.Contains(few, i) {
			rest = append(rest, i)
		}
	}
	more := max(0, min(n-len(few), len(rest)))
	for k := range more {
		few = append(few, rest[k*(len(rest)-1)/max(1, more-1)])
	}
	slices.Sort(few)
	return few
}

// Ends returns the indices of the smallest and the largest value that is a number.
func Ends(values []float64) []int {
	low, high := -1, -1
	for i, v := range values {
		if v == v && (low < 0 || v < values[low]) {
			low = i
		}
		if v == v && (high < 0 || v > values[high]) {
			high = i
		}
	}
	return []int{low, high}
}
