package collective

import (
	"cmp"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/isoscale/isoscale/model/units"
)

// Calls compares the collective calls of the members of one group. As MPI demands, all
// must make the same calls in the same order: the same operation and root, and the same
// size where that is one number. A program that breaks the rule may still end, with a
// meaningless time. The zero value is ready.
//
// Members may be advanced at the same time, each by one goroutine. A call that matches
// the latest call of the others takes no lock.
type Calls struct {
	made   atomic.Pointer[[]atomic.Int32] // by place in the group: number of calls so far
	latest atomic.Pointer[made]

	mu     sync.Mutex
	kept   []*made // calls that some member has yet to make, and perhaps earlier ones
	first  int32   // number of kept[0]
	free   []*made // records of calls that all have made, for reuse
	differ *made   // the earliest call that members make differently
}

// Entry is a collective call as one member makes it.
type Entry struct {
	Name string      // of the operation, as "allreduce"
	Root int         // number in the group, or -1 if the operation has none
	Size units.Bytes // what every member gives or gets, or -1 if it may differ
	Rank int32       // the member's number among all ranks
}

// made is a call that some member has made. Its number is stored last: a member that reads
// the number of its next call sees the other fields too, and the record is not reused
// before this member has made the call.
type made struct {
	number atomic.Int32
	Entry
	lowest atomic.Int32 // the lowest rank that made this call
	place  string       // where that rank made it
	others []*made      // the calls with the same number of members that make it differently
}

// same reports whether a member's call is the same.
func (m *made) same(e Entry) bool {
	return m.Size == e.Size && m.Root == e.Root && m.Name == e.Name
}

// Like reports whether the next call of a member, in a group of that size, matches the
// latest call of the others; if so, it counts the call. If not, it does nothing, and
// the caller must call [Calls.Enter].
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

// Enter notes the next call of a member. at is where it is made, such as "ring.yaml:12:5", or "".
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

// record returns a new record of a call.
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

// enter adds the call of a rank to the record of the others' calls.
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

// counts returns the number of calls made, by place.
func (c *Calls) counts(size int) []atomic.Int32 {
	if m := c.made.Load(); m != nil {
		return *m
	}
	counts := make([]atomic.Int32, size)
	c.made.CompareAndSwap(nil, &counts)
	return *c.made.Load()
}

// mostKept is the least number of kept calls at which forget looks for calls that all
// members have made.
const mostKept = 16

// forget releases calls that all members have made. It looks at every member, so it does
// so only once in as many calls as there are members.
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
// that names the lowest ranks, or nil. A finished member must have made as many calls as
// the others. Disagreement must not be called while a member may enter a call.
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
