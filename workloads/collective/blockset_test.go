package collective_test

import (
	"slices"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/workloads/collective"
)

func members(s collective.BlockSet, n int) []int {
	var list []int
	for j := range s.Count {
		list = append(list, s.At(j, n))
	}
	return list
}

func TestRange(t *testing.T) {
	for _, tt := range []struct {
		first, count int
		want         []int
	}{
		{2, 0, nil}, {2, 1, []int{2}}, {3, 3, []int{3, 4, 0}}, {0, 5, []int{0, 1, 2, 3, 4}},
	} {
		expect.List(t, members(collective.Range(tt.first, tt.count), 5), tt.want, "%d blocks from %d on", tt.count, tt.first)
	}
}

// TestRelay lets every block travel its distance by powers of two, the smallest
// first, and notes which rank passes it on in which round.
func TestRelay(t *testing.T) {
	compared := 0
	for p := 1; p <= 40; p++ {
		for bit := 0; 1<<bit < p; bit++ {
			passed := make([][]int, p) // by rank, in ascending order of distance
			for distance := range p {
				if distance>>bit&1 == 0 {
					continue
				}
				for source := range p {
					holder := source
					for b := range bit {
						if distance>>b&1 == 1 {
							holder = (holder + 1<<b) % p
						}
					}
					passed[holder] = append(passed[holder], source*p+(source+distance)%p)
				}
			}
			for rank, want := range passed {
				got := members(collective.Relay(p, rank, bit), p*p)
				expect.That(t, slices.Equal(got, want), "%d ranks: rank %d passes on %v over 2^%d; expected %v", p, rank, got, bit, want)
				compared++
			}
		}
	}
	expect.That(t, compared != 0, "nothing was compared")
}
