package collective

import (
	"cmp"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/isoscale/isoscale/model/units"
)

// Calls compares the collective calls that the members of one group make. All must make
// the same ones in the same order, as MPI demands: the same operation and root, and the
// same size where that is one number. A program that breaks the rule may well come to an
// end, with a time that means nothing. The zero value is ready.
//
// Members may be advanced at the same time, each by one goroutine. A call that is like
// the latest of the others takes no lock.
type Calls struct {
	made   atomic.Pointer[[]atomic.Int32] // by place in the group: calls so far
	latest atomic.Pointer[made]

	mu     sync.Mutex
	kept   []*made // those that somebody has still to make, and perhaps earlier ones
	first  int32   // number of kept[0]
	free   []*made // of calls that all have made
	differ *made   // the earliest that members make differently
}

// Entry is a collective call as one member makes it.
type Entry struct {
	Name string      // of the operation, as "allreduce"
	Root int         // number in the group, or -1 if the operation has none
	Size units.Bytes // what every member gives or gets, or -1 if it may differ
	Rank int32       // the member's number among all ranks
}

// made is a call that somebody has made. Its number is stored last: who finds the number of
// the call that it is about to make finds the rest, and the record is not used for another
// one before it has made that call.
type made struct {
	number atomic.Int32
	Entry
	lowest atomic.Int32 // rank that made it so
	place  string       // where that rank made it
	others []*made      // the same call of others, if they make it differently
}

// same reports whether a member calls what others have called.
func (m *made) same(e Entry) bool {
	return m.Size == e.Size && m.Root == e.Root && m.Name == e.Name
}

// Like reports whether the next call of a member of a group of that size is like the
// latest of the others, and counts it. If not, nothing is done, and [Calls.Enter] is to
// follow.
func (c *Calls) Like(size, place int, e Entry) bool {
	n := &c.counts(size)[place]
	l := c.latest.Load()
	number := n.Load()
	if l == nil || l.number.Load() != number || !l.same(e) || l.lowest.Load() > e.Rank {
		return false
	}
	n.Store(number + 1)
	return true
}

// Enter notes the next call of a member, made at a place such as "ring.yaml:12:5", or "".
func (c *Calls) Enter(size, place int, e Entry, at string) {
	n := &c.counts(size)[place]
	c.mu.Lock()
	defer c.mu.Unlock()
	number := n.Load()
	if int(number-c.first) == len(c.kept) {
		c.forget(size)
		m := c.record(number, e, at)
		c.kept = append(c.kept, m)
		c.latest.Store(m)
	} else {
		c.enter(c.kept[number-c.first], e, at)
	}
	n.Store(number + 1)
}

// record returns a record of a call, which nobody knows so far.
func (c *Calls) record(number int32, e Entry, at string) *made {
	var m *made
	if n := len(c.free); n > 0 {
		m, c.free = c.free[n-1], c.free[:n-1]
	} else {
		m = &made{}
	}
	m.number.Store(-1)
	m.Entry, m.place, m.others = e, at, nil
	m.lowest.Store(e.Rank)
	m.number.Store(number)
	return m
}

// enter adds what a rank calls to what others have called.
func (c *Calls) enter(m *made, e Entry, at string) {
	if m.same(e) {
		if e.Rank < m.lowest.Load() {
			m.lowest.Store(e.Rank)
			m.place = at
		}
		return
	}
	for _, o := range m.others {
		if o.same(e) {
			c.enter(o, e, at)
			return
		}
	}
	m.others = append(m.others, c.record(m.number.Load(), e, at))
	if c.differ == nil || m.number.Load() < c.differ.number.Load() {
		c.differ = m
	}
}

// counts returns the numbers of calls made, by place.
func (c *Calls) counts(size int) []atomic.Int32 {
	if m := c.made.Load(); m != nil {
		return *m
	}
	counts := make([]atomic.Int32, size)
	c.made.CompareAndSwap(nil, &counts)
	return *c.made.Load()
}

// mostKept is how many calls are kept at least before those are looked for that all
// members have made.
const mostKept = 16

// forget lets go of calls that all members have made. It looks at each member, so it does
// that once in as many calls.
func (c *Calls) forget(size int) {
	if len(c.kept) < max(mostKept, size) {
		return
	}
	least := c.first + int32(len(c.kept))
	for i := range *c.made.Load() {
		least = min(least, (*c.made.Load())[i].Load())
	}
	for i := c.first; i < least; i++ {
		if m := c.kept[i-c.first]; m.others == nil {
			c.free = append(c.free, m)
		}
	}
	c.kept = append(c.kept[:0], c.kept[least-c.first:]...)
	c.first = least
}

// Disagreement returns the first call that members of g make differently, as an error
// that names the lowest ranks, or nil. A member that has finished must have made as many
// calls as the others. It must not be called while a member may enter a call.
func (c *Calls) Disagreement(g Group, finished func(rank int32) bool) error {
	if m := c.differ; m != nil {
		ways := append([]*made{m}, m.others...)
		slices.SortFunc(ways, func(a, b *made) int { return cmp.Compare(a.lowest.Load(), b.lowest.Load()) })
		a, b := ways[0], ways[1]
		number := m.number.Load() + 1
		return fmt.Errorf("collective calls differ: call %d of rank %d is %v, call %d of rank %d is %v; expected the same operation, root and size on all ranks of the group",
			number, a.lowest.Load(), a, number, b.lowest.Load(), b)
	}
	counts := c.made.Load()
	if counts == nil {
		return nil
	}
	most := c.first + int32(len(c.kept))
	least, early := most, int32(0)
	for i := range *counts {
		if n := (*counts)[i].Load(); n < least && finished(g.World(i)) {
			least, early = n, g.World(i)
		}
	}
	if least == most {
		return nil
	}
	m := c.kept[least-c.first]
	return fmt.Errorf("collective calls differ: rank %d ends after %d, call %d of rank %d is %v; expected as many on all ranks of the group",
		early, least, least+1, m.lowest.Load(), m)
}

// String describes the call, as "bcast of 8 B from root 0 (ring.yaml:12:5)".
func (m *made) String() string {
	text := m.Name
	if m.Size >= 0 {
		text += fmt.Sprintf(" of %v", m.Size)
	}
	if m.Root >= 0 {
		text += fmt.Sprintf(" with root %d", m.Root)
	}
	if m.place != "" {
		text += " (" + m.place + ")"
	}
	return text
}
