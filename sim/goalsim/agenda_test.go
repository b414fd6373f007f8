package goalsim

import (
	"slices"
	"testing"
	"unsafe"

	"pgregory.net/rapid"

	"github.com/isoscale/isoscale/internal/expect"
)

// TestAgenda: whatever is pushed, also before the last time popped and with old
// numbers, pop returns the first of all pending events.
func TestAgenda(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var a agenda
		var pending []event
		numbers := rapid.Permutation(slices.Collect(func(yield func(uint32) bool) {
			for i := range uint32(300) {
				if !yield(i) {
					return
				}
			}
		})).Draw(t, "numbers")
		// Few different times, so that many are equal, over the whole range.
		times := rapid.OneOf(rapid.Uint64Range(0, 3), rapid.Uint64Range(100, 104), rapid.Uint64Range(maxTime-2, 2*maxTime))
		pop := func() {
			got, ok := a.pop()
			expect.Need(t, ok == (len(pending) > 0), "pop is %v with %d pending", ok, len(pending))
			if !ok {
				return
			}
			k := 0
			for i, e := range pending {
				if e.time < pending[k].time || e.time == pending[k].time && e.seq < pending[k].seq {
					k = i
				}
			}
			expect.Need(t, got == pending[k], "popped %+v, want %+v", got, pending[k])
			pending = slices.Delete(pending, k, k+1)
		}
		for i, seq := range numbers {
			e := event{time: times.Draw(t, "time"), seq: seq, what: uint32(i)}
			a.push(e)
			pending = append(pending, e)
			if rapid.IntRange(0, 3).Draw(t, "pop") > 1 {
				pop()
			}
		}
		for range len(pending) + 1 {
			pop()
		}
	})
}

// The sizes that doc comments and Memory promise.
func TestSizes(t *testing.T) {
	for _, x := range []struct {
		name      string
		got, want uintptr
	}{
		{"opState", unsafe.Sizeof(opState{}), 16},
		{"event", unsafe.Sizeof(event{}), 16},
		{"group", unsafe.Sizeof(group{}), 8},
		{"queue", unsafe.Sizeof(queue{}), 8},
	} {
		expect.Equal(t, x.got, x.want, "%s", x.name)
	}
}
