package timeline

import (
	"math"

	"github.com/isoscale/isoscale/model/units"
)

// Timeline is the record of a run in arrays. Times are in ticks from the start.
type Timeline struct {
	Ranks int
	Tick  units.Seconds // a power of ten
	End   uint32        // of the run
	Names []string      // of the ranks; none if there are many

	Parts     []Part   // what SpanPart refers to
	PathKinds []string // what PathKind refers to

	Spans, Messages int // of the run, also where they are not listed

	// Spans of rank r are SpanFirst[r] to SpanFirst[r+1]-1; one begins where the one
	// before ended, the first at 0. Empty if the run has too many.
	SpanFirst, SpanEnd []uint32
	SpanPart           []uint8 // in Parts

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

// Part is what a rank can spend time on.
type Part struct {
	Name string
	Kind Kind
}

// Kind is a kind of time, which has a colour.
type Kind int

// The kinds. Those from BinKinds on are not in bins.
const (
	Compute Kind = iota
	Overhead
	Wait
	BinKinds
	Stopped
)

// String returns the name of a kind.
func (k Kind) String() string { return kindNames[k] }

var kindNames = [...]string{Compute: "compute", Overhead: "overhead", Wait: "wait", Stopped: "stopped"}

// The largest numbers of rows and columns of the bins.
const (
	MostRows    = 256
	MostColumns = 512
)

// TickOf returns the smallest power of ten seconds of which fewer than 2^32-1 make up
// a time.
func TickOf(end units.Seconds) units.Seconds {
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

// Ticks returns the nearest tick, at most the one before Never.
func (t *Timeline) Ticks(s units.Seconds) uint32 {
	return uint32(min(math.Round(float64(s/t.Tick)), float64(Never)-1))
}
