package observe

import (
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/sim"
)

// No part has a number from joined on.
func TestJoinedIsNoPart(t *testing.T) {
	expect.Equal(t, sim.Part(joined).String(), "Part(10)", "joined")
}

// Records of interleaved lists are found by their number, over several slabs and blocks.
func TestListsKeepRecordsInOrder(t *testing.T) {
	var all lists[[2]int]
	of := make([]list, 5)
	for i := range 4 * leastBlock {
		r := i % 7 * i % 5 // some lists are longer than others
		record := all.add(&of[r])
		*record = [2]int{r, int(of[r].n) - 1}
	}
	for r := range of {
		pieces := all.pieces(of[r])
		for i := range of[r].n {
			expect.Equal(t, *all.of(pieces, i), [2]int{r, int(i)}, "record %d of list %d", i, r)
		}
	}
}
