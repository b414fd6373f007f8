package collective

import "testing"

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
			if parent(v) != up {
				t.Fatalf("parent of %d is %d; expected %d", v, parent(v), up)
			}
			count[up]++
			subtree[up] += subtree[v]
		}
		for v := range p {
			if got := children(p, v); got != count[v] {
				t.Errorf("%d ranks: %d has %d children; expected %d", p, v, got, count[v])
			}
			if got := span(p, v); got != subtree[v] {
				t.Errorf("%d ranks: subtree of %d has %d ranks; expected %d", p, v, got, subtree[v])
			}
		}
	}
}
