package matching

import "math"

// Any matches every source, or every tag that is not reserved. It is the
// wildcard of workloads and of goal, whose tags are converted to int32.
const Any int32 = -1

// Long is the number of entries up to which a walk is faster than a Queue: a walk that
// visits more moves the entries to a Queue.
const Long = 32

// Envelope has the source and tag of a message, or those that a receive accepts. Source
// and Tag may be Any on either side.
type Envelope struct{ Source, Tag int32 }

// Queue holds entries by age. Adding an entry and taking the oldest match cost
// constant amortised time, wildcards on either side included. The zero value is
// empty and reserves no tags.
type Queue struct {
	// Reserved, if above 0, is the first of the tags that Any does not match: those of
	// collective operations and groups. It is then FirstContext, and AnyOf returns
	// wildcards for these tags.
	Reserved int32

	entries []entry // oldest first, including those taken since the last compaction
	taken   int
	// views find entries by what a query leaves open: views[v], built at the first such
	// query, has a line for each envelope, with Any for what the query leaves open.
	views [numViews]map[Envelope]line
}

type entry struct {
	Envelope
	record int32
	taken  bool
	next   [numViews]int32 // place of the next one in its line of a view
}

// view says what a query leaves open, as a sum.
type view int

const (
	anySource view = 1 << iota
	anyTag
	numViews = 4
)

// line is a list of entries, oldest first, by their places in Queue.entries. Some may
// have been taken through another view.
type line struct{ first, last int32 }

// Len returns the number of entries.
func (q *Queue) Len() int { return len(q.entries) - q.taken }

// Add adds an entry, the youngest; record is the number by which its owner knows it.
func (q *Queue) Add(record int32, e Envelope) {
	if q.taken > Long && q.taken > len(q.entries)/2 {
		q.compact()
	}
	place := int32(len(q.entries))
	q.entries = append(q.entries, entry{Envelope: e, record: record})
	for v := range view(numViews) {
		if q.views[v] != nil {
			q.list(v, place)
		}
	}
}

// Take removes the oldest entry that matches and returns its record.
func (q *Queue) Take(e Envelope) (record int32, ok bool) {
	place, ok := q.oldest(e)
	if !ok {
		return 0, false
	}
	x := &q.entries[place]
	x.taken = true
	q.taken++
	return x.record, true
}

// Find returns the record of the oldest entry that matches.
func (q *Queue) Find(e Envelope) (record int32, ok bool) {
	place, ok := q.oldest(e)
	if !ok {
		return 0, false
	}
	return q.entries[place].record, true
}

// oldest returns the place of the oldest entry that matches.
func (q *Queue) oldest(e Envelope) (place int32, ok bool) {
	var v view
	sources, tags := []int32{Any, e.Source}, []int32{q.anyFor(e.Tag), e.Tag}
	if e.Source == Any {
		v, sources = v|anySource, sources[:1]
	}
	if q.isAny(e.Tag) {
		v |= anyTag
	}
	if tags[0] == tags[1] {
		tags = tags[1:]
	}
	if q.views[v] == nil {
		q.build(v)
	}
	oldest := int32(len(q.entries))
	for _, source := range sources {
		for _, tag := range tags {
			if place, ok := q.first(v, Envelope{source, tag}); ok {
				oldest = min(oldest, place)
			}
		}
	}
	return oldest, int(oldest) < len(q.entries)
}

// first returns the place of the oldest entry in a line of a view.
func (q *Queue) first(v view, e Envelope) (place int32, ok bool) {
	l, ok := q.views[v][e]
	if !ok {
		return 0, false
	}
	place = l.first
	for q.entries[place].taken {
		if place == l.last {
			delete(q.views[v], e)
			return 0, false
		}
		place = q.entries[place].next[v]
	}
	if place != l.first {
		q.views[v][e] = line{place, l.last}
	}
	return place, true
}

// list puts an entry into its line of a view.
func (q *Queue) list(v view, place int32) {
	e := q.entries[place].Envelope
	if v&anyTag != 0 {
		if e.Tag = q.anyFor(e.Tag); !q.isAny(e.Tag) {
			return
		}
	}
	if v&anySource != 0 {
		e.Source = Any
	}
	l, ok := q.views[v][e]
	if ok {
		q.entries[l.last].next[v] = place
	} else {
		l.first = place
	}
	l.last = place
	q.views[v][e] = l
}

// build makes a view of all entries.
func (q *Queue) build(v view) {
	q.views[v] = map[Envelope]line{}
	for place := range q.entries {
		if !q.entries[place].taken {
			q.list(v, int32(place))
		}
	}
}

// compact drops the entries taken, and all views; views that are still needed are built
// again.
func (q *Queue) compact() {
	kept := q.entries[:0]
	for _, e := range q.entries {
		if !e.taken {
			kept = append(kept, e)
		}
	}
	q.entries, q.taken, q.views = kept, 0, [numViews]map[Envelope]line{}
}

// isAny reports whether a tag is a wildcard.
func (q *Queue) isAny(tag int32) bool { return tag == Any || q.Reserved > 0 && IsAnyOf(tag) }

// anyFor returns the wildcard that matches a tag. It returns a wildcard, or a tag that
// none matches, unchanged.
func (q *Queue) anyFor(tag int32) int32 {
	switch {
	case q.isAny(tag):
		return tag
	case q.Reserved == 0 || tag < q.Reserved:
		return Any
	}
	if context, ok := ContextOf(tag); ok && IsAnyFor(AnyOf(context), tag) {
		return AnyOf(context)
	}
	return tag
}

// Queues are the long queues of an engine, known to it by number.
type Queues struct {
	Reserved int32 // of each
	queues   []Queue
	free     []int32
}

// Open returns the number of an empty queue.
func (s *Queues) Open() int32 {
	if n := len(s.free); n > 0 {
		i := s.free[n-1]
		s.free = s.free[:n-1]
		return i
	}
	s.queues = append(s.queues, Queue{Reserved: s.Reserved})
	return int32(len(s.queues) - 1)
}

// At returns queue i. It is valid until the next Open.
func (s *Queues) At(i int32) *Queue { return &s.queues[i] }

// Close frees queue i with its memory.
func (s *Queues) Close(i int32) {
	s.queues[i] = Queue{Reserved: s.Reserved}
	s.free = append(s.free, i)
}

// Tags from FirstContext on are divided into contexts: context c has the ContextTags
// tags from FirstContext + c ContextTags on. Context 0 is for collective operations
// among all ranks. Every other context belongs to a group: the lower half of its tags
// is for messages, which AnyOf(c) matches, the upper half for collective operations,
// which no wildcard matches.
const (
	FirstContext int32 = 1 << 30
	ContextTags  int32 = 1 << contextBits
	Contexts           = FirstContext/ContextTags - 1 // the largest context

	contextBits = 16
)

// AnyOf returns the wildcard for the messages of a group: a number below Any that
// differs from the first tag of the group in the two highest bits.
func AnyOf(context int32) int32 { return math.MinInt32 | context<<contextBits }

// IsAnyOf reports whether a tag is a wildcard of a group.
func IsAnyOf(tag int32) bool {
	return tag >= AnyOf(1) && tag <= AnyOf(Contexts) && tag%ContextTags == 0
}

// IsAnyFor reports whether a wildcard of a group matches a tag.
func IsAnyFor(wildcard, tag int32) bool {
	const differ = 3 << 30 // the two highest bits
	return uint32(wildcard^tag)&^uint32(ContextTags/2-1) == differ
}

// ContextOf returns the context of a group that a tag or wildcard belongs to, if any.
func ContextOf(tag int32) (context int32, ok bool) {
	return tag & (FirstContext - 1) >> contextBits, IsAnyOf(tag) || tag >= FirstContext+ContextTags
}
