package dispatch

import (
	"github.com/isoscale/isoscale/internal/expect"
	"slices"
	"testing"
)

// Turns come by time; at the same instant those of the innermost level come first, so that a super-program is over
// before the level above goes on; within a level they come by SI.
func TestAgendaOrder(t *testing.T) {
	want := []turn{
		{at: exactInt(1), depth: 0, si: 9},
		{at: exactInt(2), depth: 2, si: 7},
		{at: exactInt(2), depth: 1, si: 1},
		{at: exactInt(2), depth: 1, si: 8},
		{at: exactInt(2), depth: 0, si: 0},
		{at: exactInt(3), depth: 5, si: 0},
	}
	for _, order := range [][]int{{0, 1, 2, 3, 4, 5}, {5, 4, 3, 2, 1, 0}, {3, 0, 5, 1, 4, 2}} {
		var a agenda
		for _, i := range order {
			a.push(want[i])
		}
		var got []turn
		for len(a) > 0 {
			got = append(got, a.pop())
		}
		expect.That(t, slices.Equal(got, want), "pushed in the order %v: %+v, want %+v", order, got, want)
	}
}
