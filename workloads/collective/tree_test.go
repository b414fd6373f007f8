package collective

import (
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
)

// TestTree builds the tree from parents alone, by counting, and compares.
func TestTree(t *testing.T) {
	for p := 1; p <= 70; p++ {
		count := make([]int, p)   // children
		subtree := make([]int, p) // ranks, itself included
		for v := p - 1; v >= 0; v-- {
			subtree[v]++
			if v == 0 {
				continue
			}
			lowest := 1
			for v%(2*lowest) == 0 {
				lowest *= 2
			}
			up := v - lowest
			expect.Need(t, parent(v) == up, "parent of %d is %d; expected %d", v, parent(v), up)
			count[up]++
			subtree[up] += subtree[v]
		}
		for v := range p {
			expect.Equal(t, children(p, v), count[v], "%d ranks: %d: children", p, v)
			expect.Equal(t, span(p, v), subtree[v], "%d ranks: subtree of %d: ranks", p, v)
		}
	}
}
