package timeline

import (
	"fmt"
	"math"
	"slices"

	"github.com/isoscale/isoscale/model/units"
)

// Timeline is the record of a run in arrays. Times are in ticks from the start.
type Timeline struct {
	Ranks int           `json:"ranks"`
	Tick  units.Seconds `json:"tick_s"`          // a power of ten
	End   uint32        `json:"end"`             // of the run
	Names []string      `json:"names,omitempty"` // of the ranks; none if there are many

	Parts     []Part   `json:"parts"`      // what SpanPart refers to
	PathKinds []string `json:"path_kinds"` // what PathKind refers to

	// Spans and Messages are those of the run, also where they are not listed.
	Spans    int `json:"spans"`
	Messages int `json:"messages"`

	// BinShare[(w*Columns+c)*3+k] is what part of the time of the ranks of row w in
	// column c is of kind k, in 1/255.
	Rows        int           `json:"rows"`
	Columns     int           `json:"columns"`
	RanksPerRow int           `json:"ranks_per_row"`
	ColumnWidth units.Seconds `json:"column_s"`
	BinShare    []uint8       `json:"-"`

	// Spans of rank r are SpanFirst[r] to SpanFirst[r+1]-1; one begins where the one
	// before ended, the first at 0. Empty if the run has too many.
	SpanFirst, SpanEnd []uint32 `json:"-"`
	SpanPart           []uint8  `json:"-"` // in Parts

	// Messages of sender r are MessageFirst[r] to MessageFirst[r+1]-1, in the order in
	// which they left. Empty if the run has too many.
	MessageFirst, MessageTo                        []uint32  `json:"-"`
	MessageLeaves, MessageArrives, MessageReceived []uint32  `json:"-"`
	MessageSize                                    []float64 `json:"-"` // in bytes
	MessageTag                                     []int32   `json:"-"`

	// The critical path in order of time: segment i ends at PathUntil[i], where the
	// next one begins.
	PathFrom, PathUntil, PathRank, PathTo []uint32 `json:"-"`
	PathKind                              []uint8  `json:"-"` // in PathKinds

	Use *LinkUse `json:"-"` // nil without links
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
	Name string `json:"name"`
	Kind Kind   `json:"kind"`
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

// MarshalText writes the name of a kind.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads the name of a kind.
func (k *Kind) UnmarshalText(name []byte) error {
	i := slices.Index(kindNames[:], string(name))
	if i < 0 || len(name) == 0 {
		return fmt.Errorf("a part is of kind %q; expected compute, overhead, wait or stopped", name)
	}
	*k = Kind(i)
	return nil
}

var kindNames = [...]string{Compute: "compute", Overhead: "overhead", Wait: "wait", Stopped: "stopped"}

// The largest numbers of rows and columns of the bins.
const (
	MostRows    = 256
	MostColumns = 512
)

// Binned returns the timeline without its spans and messages: with bins alone.
func (t *Timeline) Binned() *Timeline {
	b := *t
	b.SpanFirst, b.SpanEnd, b.SpanPart = nil, nil, nil
	b.MessageFirst, b.MessageTo, b.MessageLeaves, b.MessageArrives, b.MessageReceived = nil, nil, nil, nil, nil
	b.MessageSize, b.MessageTag = nil, nil
	return &b
}

// Coarse returns the timeline with bins that are the mean of as many rows and columns as
// it takes to have no more than those.
func (t *Timeline) Coarse(mostRows, mostColumns int) *Timeline {
	rows, columns := (t.Rows+mostRows-1)/mostRows, (t.Columns+mostColumns-1)/mostColumns
	if rows <= 1 && columns <= 1 {
		return t
	}
	const kinds = int(BinKinds)
	c := *t
	c.Rows, c.Columns = (t.Rows+rows-1)/rows, (t.Columns+columns-1)/columns
	c.RanksPerRow, c.ColumnWidth = rows*t.RanksPerRow, t.ColumnWidth*units.Seconds(columns)
	c.BinShare = make([]uint8, c.Rows*c.Columns*kinds)
	for w := range c.Rows {
		for k := range c.Columns * kinds {
			sum, n := 0, 0
			for i := w * rows; i < min(t.Rows, (w+1)*rows); i++ {
				for j := k / kinds * columns; j < min(t.Columns, (k/kinds+1)*columns); j++ {
					sum += int(t.BinShare[(i*t.Columns+j)*kinds+k%kinds])
					n++
				}
			}
			c.BinShare[w*c.Columns*kinds+k] = uint8(sum / n)
		}
	}
	return &c
}

// Rounded returns the timeline with bins whose edges between kinds are multiples of a step,
// a divisor of 255, so that neighbours are more often equal.
func (t *Timeline) Rounded(step int) *Timeline {
	r := *t
	r.BinShare = make([]uint8, len(t.BinShare))
	for i := 0; i < len(t.BinShare); i += int(BinKinds) {
		sum, before := 0, 0
		for k := i; k < i+int(BinKinds); k++ {
			sum += int(t.BinShare[k])
			edge := (sum + step/2) / step * step
			r.BinShare[k] = uint8(edge - before)
			before = edge
		}
	}
	return &r
}

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

// Seconds is a number of ticks in seconds, rounded once.
func (t *Timeline) Seconds(ticks float64) units.Seconds {
	if perSecond := math.Round(1 / float64(t.Tick)); perSecond > 1 {
		return units.Seconds(ticks / perSecond)
	}
	return units.Seconds(ticks * float64(t.Tick))
}

// Share is what part of the time of all ranks is of a kind, from the bins.
func (t *Timeline) Share(kind Kind) float64 {
	sum := 0
	for at := int(kind); at < len(t.BinShare); at += int(BinKinds) {
		sum += int(t.BinShare[at])
	}
	return float64(sum) / (255 * float64(max(1, t.Rows*t.Columns)))
}
