package observe

import (
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/sim"
)

// No part of a rank's time has a number from leaves on.
func TestRecordsWithoutAPartHaveNumbersOfTheirOwn(t *testing.T) {
	expect.Equal(t, sim.Part(leaves).String(), "Part(10)", "leaves")
}

// Records of interleaved lists are found by their number, over several slabs and blocks.
func TestListsKeepRecordsInOrder(t *testing.T) {
	var all lists[[2]int]
	of := make([]list, 5)
	for i := range 4 * leastBlock {
		r := i % 7 * i % 5 // some lists are longer than others
		*all.add(&of[r], 0) = [2]int{r, int(of[r].n) - 1}
	}
	for r := range of {
		pieces := all.pieces(of[r])
		for i := range of[r].n {
			expect.Equal(t, *all.at(place(pieces, i)), [2]int{r, int(i)}, "record %d of list %d", i, r)
		}
	}
}
