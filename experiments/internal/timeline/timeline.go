package timeline

import (
	"math"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/sim/observe"
)

// Timeline is the record of a run in arrays. Times are in ticks from the start.
type Timeline struct {
	Ranks int
	Tick  units.Seconds // a power of ten
	End   uint32        // of the run
	Names []string      // of the ranks; none if there are many

	Spans, Messages int // of the run, also where they are not listed

	// Spans of rank r are SpanFirst[r] to SpanFirst[r+1]-1; one begins where the one
	// before ended, the first at 0. Empty if the run has too many.
	SpanFirst, SpanEnd []uint32
	SpanPart           []uint8 // a sim.Part

	// Messages of sender r are MessageFirst[r] to MessageFirst[r+1]-1, in the order in
	// which they left. Empty if the run has too many.
	MessageFirst, MessageTo                        []uint32
	MessageLeaves, MessageArrives, MessageReceived []uint32
	MessageSize                                    []float64 // in bytes
	MessageTag                                     []int32

	// The critical path in order of time: segment i ends at PathUntil[i], where the
	// next one begins.
	PathFrom, PathUntil, PathRank, PathTo []uint32
	PathKind                              []uint8 // in PathKinds

	// BinShare[(w*Columns+c)*3+k] is what part of the time of the ranks of row w in
	// column c is of kind k, in 1/255.
	Rows, Columns, RanksPerRow int
	ColumnWidth                units.Seconds
	BinShare                   []uint8

	Use *LinkUse // nil without links
}

// LinkUse is the use of links over time.
type LinkUse struct {
	Links  []string
	Window units.Seconds
	Share  []uint8 // of the capacity, in 1/255: link after link, window after window
}

// Never stands for the time of what did not happen.
const Never uint32 = math.MaxUint32

// The kinds of time, in bins and colours.
const (
	kindCompute = iota
	kindOverhead
	kindWait
	binKinds // what follows is not in bins
	kindStopped
)

var kindNames = [...]string{kindCompute: "compute", kindOverhead: "overhead", kindWait: "wait", kindStopped: "stopped"}

// The parts of a rank's time: the first and the last of package sim.
const (
	firstPart = sim.PartCompute
	lastPart  = sim.PartStopped
)

// kindOf returns the kind of a part.
func kindOf(p sim.Part) int {
	switch p {
	case sim.PartCompute:
		return kindCompute
	case sim.PartDelay, sim.PartSendOverhead, sim.PartRecvOverhead, sim.PartCollectiveCost:
		return kindOverhead
	case sim.PartStopped:
		return kindStopped
	}
	return kindWait
}

// PathKinds are the kinds of segments of critical paths: the parts, then the ways.
var PathKinds = func() []observe.Kind {
	var list []observe.Kind
	for p := firstPart; p <= lastPart; p++ {
		list = append(list, observe.Kind(p.String()))
	}
	return append(list, observe.Message, observe.Handshake, observe.Interface)
}()

// tickOf returns the smallest power of ten seconds of which fewer than 2^32-1 make up
// a time.
func tickOf(end units.Seconds) units.Seconds {
	if end <= 0 {
		return 1
	}
	exponent := math.Ceil(math.Log10(float64(end) / (float64(Never) - 1)))
	tick := math.Pow(10, exponent)
	for math.Round(float64(end)/tick) >= float64(Never) { // by rounding
		exponent++
		tick = math.Pow(10, exponent)
	}
	return units.Seconds(tick)
}

// ticks returns the nearest tick, at most the one before Never.
func (t *Timeline) ticks(s units.Seconds) uint32 {
	return uint32(min(math.Round(float64(s/t.Tick)), float64(Never)-1))
}

// addPath adds a critical path.
func (t *Timeline) addPath(p *observe.Path) {
	number := map[observe.Kind]uint8{}
	for i, k := range PathKinds {
		number[k] = uint8(i)
	}
	for _, g := range p.Segments {
		t.PathFrom = append(t.PathFrom, t.ticks(g.From))
		t.PathUntil = append(t.PathUntil, t.ticks(g.Until))
		t.PathRank = append(t.PathRank, uint32(g.Rank))
		t.PathTo = append(t.PathTo, uint32(g.To))
		t.PathKind = append(t.PathKind, number[g.Kind])
	}
}
