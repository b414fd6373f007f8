package heap_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/internal/heap"
)

// Whatever is pushed, popped or changed at the top, the top is the least of a sorted list of the same values.
func TestTopIsTheLeast(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h, want := heap.By(func(a, b *int) bool { return *a < *b }), []int(nil)
		for _, x := range rapid.SliceOf(rapid.IntRange(-2, 9)).Draw(t, "values; below 0, what to do with the top") {
			switch {
			case x >= 0:
				h.Push(x)
				want = append(want, x)
			case len(want) == 0:
			case x == -1:
				expect.Equal(t, h.Pop(), want[0], "popped")
				want = want[1:]
			default:
				*h.Top() += 3
				h.Sink()
				want[0] += 3
			}
			slices.Sort(want)
			expect.Equal(t, h.Len(), len(want), "number of values")
			if len(want) > 0 {
				expect.Equal(t, *h.Top(), want[0], "top")
			}
		}
	})
}
