package dispatch

import (
	"github.com/isoscale/isoscale/internal/expect"
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
	for i := range want {
		for j := range want {
			expect.Equal(t, want[i].before(&want[j]), i < j, "%d before %d", i, j)
		}
	}
}
