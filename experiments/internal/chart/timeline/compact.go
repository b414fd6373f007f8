package timeline

import (
	"slices"
	"sort"
)

// Compact returns a form of the timeline that compresses to a third of what the binary
// form does, for pages: the same layout with version 2, whose arrays hold differences
// from what is near, byte by byte. See docs/formats/timeline.md. The same timeline gives
// the same bytes.
func (t *Timeline) Compact() []byte {
	c := *t
	c.SpanEnd = differences(t.SpanEnd)
	c.PathFrom = lessBefore(t.PathFrom, t.PathUntil)
	c.PathUntil = differences(t.PathUntil)
	c.MessageArrives = less(t.MessageArrives, t.MessageLeaves)
	c.MessageLeaves, c.MessageReceived = slices.Clone(t.MessageLeaves), slices.Clone(t.MessageReceived)
	spans := &spanOfMessages{leaves: make([]uint32, len(t.MessageTo)), received: make([]uint32, len(t.MessageTo))}
	last := make([]uint32, t.Ranks) // span of the message before, for each receiver
	for rank := range max(0, len(t.MessageFirst)-1) {
		sending := uint32(0)
		for i := t.MessageFirst[rank]; i < t.MessageFirst[rank+1]; i++ {
			sending, spans.leaves[i], c.MessageLeaves[i] = t.before(uint32(rank), sending, t.MessageLeaves[i])
			to := t.MessageTo[i]
			last[to], spans.received[i], c.MessageReceived[i] = t.before(to, last[to], t.MessageReceived[i])
		}
	}
	return c.encode(compactVersion, spans)
}

// spanOfMessages are the spans at whose ends messages leave and are received, as steps
// from the span of the message before.
type spanOfMessages struct{ leaves, received []uint32 }

// before returns the first span of a rank that does not end before a time, counted from
// the first of the rank, its distance from another one, and how long before its end the
// time is. Behind the last span there is one that ends at 0. Differences are modulo 2^32.
func (t *Timeline) before(rank, from, at uint32) (span, step, early uint32) {
	var ends []uint32
	if len(t.SpanFirst) > 0 {
		ends = t.SpanEnd[t.SpanFirst[rank]:t.SpanFirst[rank+1]]
	}
	span = uint32(sort.Search(len(ends), func(i int) bool { return ends[i] >= at }))
	end := uint32(0)
	if int(span) < len(ends) {
		end = ends[span]
	}
	return span, span - from, end - at
}

// differences returns each element less the one before, modulo 2^32.
func differences(x []uint32) []uint32 { return lessBefore(x, x) }

// lessBefore returns each element less the one before it in another list, which begins
// with 0.
func lessBefore(x, y []uint32) []uint32 {
	out := slices.Clone(x)
	for i := 1; i < len(x); i++ {
		out[i] -= y[i-1]
	}
	return out
}

// less returns the differences of two lists.
func less(x, y []uint32) []uint32 {
	out := slices.Clone(x)
	for i := range out {
		out[i] -= y[i]
	}
	return out
}

// planes puts the first bytes of all elements before all second ones, and so on.
func planes(data []byte, size int) []byte {
	out := make([]byte, 0, len(data))
	for k := range size {
		for i := k; i < len(data); i += size {
			out = append(out, data[i])
		}
	}
	return out
}
