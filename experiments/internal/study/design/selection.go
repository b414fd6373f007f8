package design

import (
	"math/bits"
	"sort"
)

// selection is a set of numbers below a size: a bit for each, and the number of
// those set before every block, so that the i-th is found by a binary search
// and a scan of one block.
type selection struct {
	bits   []uint64
	before []uint32 // by block, the number of bits set in earlier blocks
	total  int
}

const blockWords = 64 // 4096 bits

func newSelection(size int) *selection {
	return &selection{bits: make([]uint64, (size+63)/64)}
}

func (s *selection) set(i int)      { s.bits[i>>6] |= 1 << (i & 63) }
func (s *selection) has(i int) bool { return s.bits[i>>6]>>(i&63)&1 != 0 }

// setRange sets the n numbers from first.
func (s *selection) setRange(first, n int) {
	for n > 0 {
		low := first & 63
		width := min(64-low, n)
		s.bits[first>>6] |= ^uint64(0) >> (64 - width) << low
		first, n = first+width, n-width
	}
}

func (s *selection) len() int {
	n := 0
	for _, word := range s.bits {
		n += bits.OnesCount64(word)
	}
	return n
}

// index counts the bits before each block. Nothing may be set after it.
func (s *selection) index() {
	for i, word := range s.bits {
		if i%blockWords == 0 {
			s.before = append(s.before, uint32(s.total))
		}
		s.total += bits.OnesCount64(word)
	}
}

// at returns the i-th number of the set, with i from 0 to total-1.
func (s *selection) at(i int) int {
	block := sort.Search(len(s.before), func(b int) bool { return int(s.before[b]) > i }) - 1
	rest := i - int(s.before[block])
	word := block * blockWords
	for n := bits.OnesCount64(s.bits[word]); rest >= n; n = bits.OnesCount64(s.bits[word]) {
		rest -= n
		word++
	}
	b := s.bits[word]
	for ; rest > 0; rest-- {
		b &= b - 1
	}
	return word<<6 + bits.TrailingZeros64(b)
}
