package radix

import (
	"cmp"
	"math"
	"slices"
	"testing"
	"unsafe"

	"pgregory.net/rapid"

	"github.com/isoscale/isoscale/internal/expect"
)

// Random additions and raises agree with a list that is sorted by key and keeps the
// order of additions at one key.
func TestAgainstSortedList(t *testing.T) {
	type item struct {
		key   uint64
		value int32
	}
	rapid.Check(t, func(t *rapid.T) {
		var h Heap[int32]
		var list []item
		var due []int32
		step := rapid.OneOf(rapid.SampledFrom([]uint64{1, 2, 3, 1 << 40}), rapid.Uint64Range(1, 1<<62))
		for i := range int32(rapid.IntRange(1, 300).Draw(t, "calls")) {
			if len(list) == 0 || rapid.Bool().Draw(t, "add") {
				key := h.Floor() + step.Draw(t, "step")
				if key <= h.Floor() {
					key = math.MaxUint64 // past the end of the range
				}
				if key == h.Floor() {
					continue
				}
				h.Add(key, i)
				list = append(list, item{key, i})
				slices.SortStableFunc(list, func(a, b item) int { return cmp.Compare(a.key, b.key) })
				continue
			}
			least, floor := list[0].key, h.Floor()
			expect.Need(t, h.Min() == least && h.Floor() == floor,
				"Min is %d with floor %d, want %d with %d", h.Min(), h.Floor(), least, floor)
			var want []int32
			for len(list) > 0 && list[0].key == least {
				want = append(want, list[0].value)
				list = list[1:]
			}
			due = h.Raise(due[:0])
			expect.Need(t, slices.Equal(due, want) && h.Floor() == least && h.Empty() == (len(list) == 0),
				"Raise gives %v with floor %d, empty %t; want %v, %d, %t", due, h.Floor(), h.Empty(), want, least, len(list) == 0)
		}
	})
}

// A block of values of 8 bytes or less is of a size class of 1024 bytes.
func TestSizes(t *testing.T) {
	expect.Equal(t, unsafe.Sizeof(entry[int32]{}), 16, "an entry")
	for _, s := range []uintptr{unsafe.Sizeof(block[int32]{}), unsafe.Sizeof(block[struct{ a, b uint32 }]{})} {
		expect.Equal(t, s, 1016, "a block")
	}
}
