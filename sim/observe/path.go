package observe

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
)

// Kind tells what a segment of the critical path is: the name of a [sim.Part] or one of
// the kinds below.
type Kind string

// The kinds of segments that are not a part of one rank's time.
const (
	Message   Kind = "message"           // on its way: transmission and latency
	Handshake Kind = "handshake"         // the request or clearance of a rendezvous on its way
	Interface Kind = "network interface" // a message keeps the interface of its sender or receiver busy
)

// Path is the critical path of a run. Its segments follow each other without gap
// or overlap from 0 to the makespan.
type Path struct {
	Makespan units.Seconds `json:"makespan_s"`
	Messages int           `json:"messages"` // segments that are messages
	Kinds    []KindShare   `json:"kinds"`    // longest first
	Ranks    []RankShare   `json:"ranks"`    // longest first
	Segments []Segment     `json:"segments"` // in order of time
}

// Segment is a stretch of the critical path.
type Segment struct {
	Kind Kind `json:"kind"`
	// Rank is where it is: for messages and handshakes the sender.
	Rank int32 `json:"rank"`
	// To is the receiver of a message or handshake, or of the message that keeps its
	// sender's interface busy, or the rank that let a collective begin. In all other
	// segments it equals Rank.
	To    int32         `json:"to"`
	Tag   int32         `json:"tag"`        // of a message
	Size  units.Bytes   `json:"size_bytes"` // of a message
	From  units.Seconds `json:"from_s"`
	Until units.Seconds `json:"until_s"`

	// The message that keeps an interface busy or, where cores handle messages, causes
	// an overhead; otherwise 0.
	Sender, Receiver int32       `json:"-"`
	Handled          units.Bytes `json:"-"`
	// Memory limits the computation, not the core.
	ByMemory bool `json:"-"`
}

// Length is the time that the segment takes. A message may take none.
func (g Segment) Length() units.Seconds { return g.Until - g.From }

// between reports whether the segment is on the way between two ranks.
func (g Segment) between() bool { return g.Kind == Message || g.Kind == Handshake }

// String describes the segment in a line.
func (g Segment) String() string {
	switch {
	case g.Kind == Message, g.Kind == Interface && g.To != g.Rank:
		return fmt.Sprintf("%v %d -> %d, %v, tag %d", g.Kind, g.Rank, g.To, g.Size, g.Tag)
	case g.Kind == Handshake:
		return fmt.Sprintf("%v %d -> %d, tag %d", g.Kind, g.Rank, g.To, g.Tag)
	case g.Kind == Kind(sim.PartCollectiveCost.String()) && g.To != g.Rank:
		return fmt.Sprintf("%v on rank %d, begun by rank %d", g.Kind, g.Rank, g.To)
	}
	return fmt.Sprintf("%v on rank %d", g.Kind, g.Rank)
}

// KindShare is how much of the path is of one kind.
type KindShare struct {
	Kind     Kind          `json:"kind"`
	Time     units.Seconds `json:"time_s"`
	Segments int           `json:"segments"`
}

// RankShare is how much of the path is on one rank. Messages and handshakes on their
// way are on no rank.
type RankShare struct {
	Rank     int32         `json:"rank"`
	Time     units.Seconds `json:"time_s"`
	Segments int           `json:"segments"`
}

// newPath adds up the segments, in their order.
func newPath(makespan units.Seconds, segments []Segment) *Path {
	p := &Path{Makespan: makespan, Kinds: []KindShare{}, Ranks: []RankShare{}, Segments: segments}
	kinds := map[Kind]int{} // their places in the lists
	ranks := map[int32]int{}
	for _, g := range segments {
		i, ok := kinds[g.Kind]
		if !ok {
			i = len(p.Kinds)
			kinds[g.Kind] = i
			p.Kinds = append(p.Kinds, KindShare{Kind: g.Kind})
		}
		p.Kinds[i].Time += g.Length()
		p.Kinds[i].Segments++
		if g.Kind == Message {
			p.Messages++
		}
		if g.between() {
			continue
		}
		i, ok = ranks[g.Rank]
		if !ok {
			i = len(p.Ranks)
			ranks[g.Rank] = i
			p.Ranks = append(p.Ranks, RankShare{Rank: g.Rank})
		}
		p.Ranks[i].Time += g.Length()
		p.Ranks[i].Segments++
	}
	slices.SortFunc(p.Kinds, func(a, b KindShare) int {
		return cmp.Or(cmp.Compare(b.Time, a.Time), cmp.Compare(a.Kind, b.Kind))
	})
	slices.SortFunc(p.Ranks, func(a, b RankShare) int {
		return cmp.Or(cmp.Compare(b.Time, a.Time), cmp.Compare(a.Rank, b.Rank))
	})
	return p
}

// WriteText writes a summary for people: the shares of kinds and ranks, and the
// segments in order of time. Of ranks and segments it writes at most limit each
// and says how many are left out.
func (p *Path) WriteText(w io.Writer, limit int) error {
	var b strings.Builder
	segments := "segments"
	if len(p.Segments) == 1 {
		segments = "segment"
	}
	fmt.Fprintf(&b, "critical path of %v: %d %s, %d of them messages\n",
		p.Makespan, len(p.Segments), segments, p.Messages)
	share := func(t units.Seconds) float64 { return 100 * float64(t/p.Makespan) }
	for _, k := range p.Kinds {
		fmt.Fprintf(&b, "%12v  %5.1f %%  %v\n", k.Time, share(k.Time), k.Kind)
	}
	for i, r := range p.Ranks {
		if i == limit {
			fmt.Fprintf(&b, "%21s  and %d more ranks\n", "", len(p.Ranks)-limit)
			break
		}
		fmt.Fprintf(&b, "%12v  %5.1f %%  rank %d\n", r.Time, share(r.Time), r.Rank)
	}
	for i, g := range p.Segments {
		if i == limit {
			fmt.Fprintf(&b, "%12s  and %d more segments\n", "", len(p.Segments)-limit)
			break
		}
		fmt.Fprintf(&b, "%12v  +%-11v  %v\n", g.From, g.Length(), g)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
