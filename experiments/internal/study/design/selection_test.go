package design

import (
	"testing"

	"pgregory.net/rapid"
)

// Against a slice of bools, with ranges longer than a block of 4096.
func TestSelection(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.IntRange(1, 20000).Draw(t, "size")
		s, want := newSelection(size), make([]bool, size)
		for range rapid.IntRange(0, 10).Draw(t, "ranges") {
			first := rapid.IntRange(0, size-1).Draw(t, "first")
			n := rapid.IntRange(0, size-first).Draw(t, "n")
			s.setRange(first, n)
			for i := range n {
				want[first+i] = true
			}
		}
		for range rapid.IntRange(0, 10).Draw(t, "singles") {
			i := rapid.IntRange(0, size-1).Draw(t, "i")
			s.set(i)
			want[i] = true
		}
		s.index()
		rank := 0
		for i, w := range want {
			if s.has(i) != w {
				t.Fatalf("%d: %v", i, s.has(i))
			}
			if w {
				if got := s.at(rank); got != i {
					t.Fatalf("member %d is %d, want %d", rank, got, i)
				}
				rank++
			}
		}
		if s.total != rank || s.len() != rank {
			t.Fatalf("total %d, len %d, want %d", s.total, s.len(), rank)
		}
	})
}
