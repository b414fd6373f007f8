package matching_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/sim/internal/matching"
)

const reserved = matching.FirstContext

// Tags of messages in group 1, of a collective operation there, and the wildcard of the
// messages.
const (
	grouped    = reserved + matching.ContextTags
	collective = grouped + matching.ContextTags/2
)

var anyGrouped = matching.AnyOf(1)

// accepts states the rule: sources are equal or one is Any, tags likewise, but Any does
// not match reserved tags; the tags of a group's messages are reserved and have their
// own wildcard.
func accepts(a, b matching.Envelope) bool {
	anyFor := func(any, tag int32) bool {
		switch tag {
		case 0, 1:
			return any == matching.Any
		case grouped, grouped + 1:
			return any == anyGrouped
		}
		return false
	}
	return (a.Source == b.Source || a.Source == matching.Any || b.Source == matching.Any) &&
		(a.Tag == b.Tag || anyFor(a.Tag, b.Tag) || anyFor(b.Tag, a.Tag))
}

// A queue finds the same entry as a walk over all entries.
func TestQueueTakesTheOldestMatch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		type record struct {
			matching.Envelope
			number int32
		}
		q := matching.Queue{Reserved: reserved}
		var walk []record
		tags := []int32{matching.Any, 0, 1, reserved, anyGrouped, grouped, grouped + 1, collective}
		envelope := rapid.Custom(func(t *rapid.T) matching.Envelope {
			return matching.Envelope{
				Source: rapid.Int32Range(-1, 2).Draw(t, "source"), Tag: rapid.SampledFrom(tags).Draw(t, "tag"),
			}
		})
		next := int32(0)
		// Many entries at once and many taken, so that queues are compacted.
		for range rapid.IntRange(1, 20).Draw(t, "rounds") {
			for range rapid.IntRange(0, 60).Draw(t, "added") {
				e := envelope.Draw(t, "entry")
				q.Add(next, e)
				walk = append(walk, record{e, next})
				next++
			}
			for range rapid.IntRange(0, 60).Draw(t, "taken") {
				e := envelope.Draw(t, "query")
				found, any := q.Find(e)
				got, ok := q.Take(e)
				expect.Need(t, found == got && any == ok,
					"find %v of %v: %d, %v; take: %d, %v", e, walk, found, any, got, ok)
				i := slices.IndexFunc(walk, func(r record) bool { return accepts(e, r.Envelope) })
				expect.Need(t, ok == (i >= 0) && (!ok || got == walk[i].number),
					"take %v of %v: %d, %v", e, walk, got, ok)
				if ok {
					walk = slices.Delete(walk, i, i+1)
				}
				expect.Need(t, q.Len() == len(walk), "length %d, want %d", q.Len(), len(walk))
			}
		}
	})
}

// Any on both sides matches; a reserved tag matches itself alone.
func TestWildcards(t *testing.T) {
	for _, tt := range []struct {
		entry, query matching.Envelope
		want         bool
	}{
		{matching.Envelope{Source: 1, Tag: 1}, matching.Envelope{Source: 1, Tag: 1}, true},
		{matching.Envelope{Source: 1, Tag: 1}, matching.Envelope{Source: 2, Tag: 1}, false},
		{matching.Envelope{Source: 1, Tag: 1}, matching.Envelope{Source: 1, Tag: 0}, false},
		{matching.Envelope{Source: 1, Tag: 1}, matching.Envelope{Source: matching.Any, Tag: matching.Any}, true},
		{matching.Envelope{Source: matching.Any, Tag: matching.Any}, matching.Envelope{Source: 5, Tag: 1}, true},
		{matching.Envelope{Source: matching.Any, Tag: matching.Any}, matching.Envelope{Source: matching.Any, Tag: matching.Any}, true},
		{matching.Envelope{Source: 1, Tag: reserved}, matching.Envelope{Source: 1, Tag: matching.Any}, false},
		{matching.Envelope{Source: 1, Tag: matching.Any}, matching.Envelope{Source: 1, Tag: reserved}, false},
		{matching.Envelope{Source: 1, Tag: reserved}, matching.Envelope{Source: matching.Any, Tag: reserved}, true},
		{matching.Envelope{Source: 1, Tag: grouped}, matching.Envelope{Source: 1, Tag: matching.Any}, false},
		{matching.Envelope{Source: 1, Tag: grouped}, matching.Envelope{Source: 1, Tag: anyGrouped}, true},
		{matching.Envelope{Source: 1, Tag: grouped}, matching.Envelope{Source: 1, Tag: matching.AnyOf(2)}, false},
		{matching.Envelope{Source: 1, Tag: collective}, matching.Envelope{Source: 1, Tag: anyGrouped}, false},
		{matching.Envelope{Source: 1, Tag: 1}, matching.Envelope{Source: 1, Tag: anyGrouped}, false},
		{matching.Envelope{Source: matching.Any, Tag: anyGrouped}, matching.Envelope{Source: 3, Tag: collective - 1}, true},
	} {
		q := matching.Queue{Reserved: reserved}
		q.Add(7, tt.entry)
		if _, got := q.Take(tt.query); got != tt.want {
			t.Errorf("entry %v, query %v: %v, want %v", tt.entry, tt.query, got, tt.want)
		}
	}
}

// BenchmarkReverse posts n receives and takes them from the last to the first.
func BenchmarkReverse(b *testing.B) {
	const n = 1 << 16
	for b.Loop() {
		var q matching.Queue
		for i := range int32(n) {
			q.Add(i, matching.Envelope{Source: 0, Tag: i})
		}
		for i := int32(n) - 1; i >= 0; i-- {
			if got, ok := q.Take(matching.Envelope{Source: 0, Tag: i}); !ok || got != i {
				b.Fatal("wrong match")
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/match")
}
