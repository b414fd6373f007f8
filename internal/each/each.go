package each

import "cmp"

// Of returns the values of a function for items; without items, an empty slice.
func Of[S ~[]T, T, V any](items S, of func(T) V) []V {
	return Append(make([]V, 0, len(items)), items, of)
}

// Append appends the values of a function for items to a slice.
func Append[S ~[]T, T, V any](to []V, items S, of func(T) V) []V {
	for _, item := range items {
		to = append(to, of(item))
	}
	return to
}

// Where appends the items for which a function is true to a slice.
func Where[S ~[]T, T any](to []T, items S, is func(T) bool) []T {
	for _, item := range items {
		if is(item) {
			to = append(to, item)
		}
	}
	return to
}

// Ascending is 0, 1, 2... n-1.
func Ascending(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// Sum adds the values of a function for items, in their order.
func Sum[S ~[]T, T any, V ~int | ~int32 | ~int64 | ~uint64 | ~float64](items S, of func(T) V) V {
	var sum V
	for _, item := range items {
		sum += of(item)
	}
	return sum
}

// Max returns the largest of least and the values of a function for items.
func Max[S ~[]T, T any, V cmp.Ordered](least V, items S, of func(T) V) V {
	for _, item := range items {
		least = max(least, of(item))
	}
	return least
}

// Total adds numbers in their order, unlike gonum, whose order depends on the processor.
func Total[S ~[]V, V ~int | ~int32 | ~int64 | ~uint64 | ~float64](numbers S) V {
	var sum V
	for _, x := range numbers {
		sum += x
	}
	return sum
}
