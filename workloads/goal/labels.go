package goal

import (
	"bytes"
	"hash/maphash"
)

// labels finds operations of one rank by their labels. It is emptied in constant time,
// so one table serves all ranks, and it allocates nothing more after the largest rank.
//
// It is a hash table with linear probing, at most half full. A slot is in use only if
// it has the current generation. The seed of the hash is random, so that no file can
// contain labels that collide on purpose; results do not depend on it.
type labels struct {
	seed       maphash.Seed
	slots      []slot // a power of two of them
	used       int
	generation uint32
	text       []byte // all labels, one after the other
	ends       []int  // label i is text[ends[i-1]:ends[i]]
}

type slot struct {
	hash       uint64
	generation uint32
	label      int32 // which label
	op         int32
}

func newLabels() *labels {
	return &labels{seed: maphash.MakeSeed(), slots: make([]slot, 64), generation: 1}
}

// reset forgets all labels.
func (l *labels) reset() {
	l.generation++
	l.used, l.text, l.ends = 0, l.text[:0], l.ends[:0]
}

// find returns the operation with that label.
func (l *labels) find(name []byte) (op int32, ok bool) {
	s := l.slot(name, maphash.Bytes(l.seed, name))
	return s.op, s.generation == l.generation
}

// define gives the label to op, unless it is taken: the first definition wins.
func (l *labels) define(name []byte, op int32) {
	if 2*l.used >= len(l.slots) {
		l.grow()
	}
	hash := maphash.Bytes(l.seed, name)
	s := l.slot(name, hash)
	if s.generation == l.generation {
		return
	}
	*s = slot{hash: hash, generation: l.generation, label: int32(l.used), op: op}
	l.used++
	l.text = append(l.text, name...)
	l.ends = append(l.ends, len(l.text))
}

// slot returns the slot of a label, or the free slot where it belongs.
func (l *labels) slot(name []byte, hash uint64) *slot {
	mask := uint64(len(l.slots) - 1)
	for i := hash & mask; ; i = (i + 1) & mask {
		s := &l.slots[i]
		if s.generation != l.generation || s.hash == hash && bytes.Equal(l.name(s.label), name) {
			return s
		}
	}
}

func (l *labels) name(i int32) []byte {
	from := 0
	if i > 0 {
		from = l.ends[i-1]
	}
	return l.text[from:l.ends[i]]
}

func (l *labels) grow() {
	old := l.slots
	l.slots = make([]slot, 2*len(old))
	mask := uint64(len(l.slots) - 1)
	for _, s := range old {
		if s.generation != l.generation {
			continue
		}
		i := s.hash & mask
		for l.slots[i].generation == l.generation {
			i = (i + 1) & mask
		}
		l.slots[i] = s
	}
}
