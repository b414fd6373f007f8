package observe

import (
	"strconv"

	"github.com/isoscale/isoscale/sim"
)

// Fingerprint condenses a run into 64 bits. The idea is that of OMNeT++, whose
// fingerprints hash chosen ingredients of every event. If it changes, so did the
// trajectory of the simulation; a person decides whether that is a mistake. If it stays
// the same, next to nothing has changed. It is no protection against malice.
//
// Every rank has three histories: its spans, the messages that it has sent and
// those that it has received. An event is a line of text:
//
//	span, name of the part, start, end
//	sent, receiver, tag, bytes, time
//	received, sender, order (see [sim.Observer]), time
//
// with a tab after each item but the last and a line feed after that. Times and
// bytes have 12 significant digits, as in 1.00000000000e+00. Each history is
// hashed with 64-bit FNV-1a, and the fingerprint is the 64-bit FNV-1a of the
// three hashes of every rank in decimal, one a line, rank by rank.
//
// The histories are separate because the engine does not promise the order of a rank's
// spans relative to its messages.
//
// Twelve digits allow for other processors, where Go may fuse a multiplication and an
// addition into one rounding: a time that differs in its last bit is printed with the
// same digits unless it lies next to a boundary of rounding, as about one time in five
// thousand does. So if fingerprints are compared across processors, keep the programs
// short, or use numbers whose sums and products are exact.
type Fingerprint struct {
	ranks [][3]uint64
	line  []byte
}

var _ sim.Observer = (*Fingerprint)(nil)

// The histories of a rank.
const (
	historySpans = iota
	historySent
	historyReceived
)

// Parameters of 64-bit FNV-1a (Fowler, Noll, Vo).
const (
	fnvOffset uint64 = 14695981039346656037
	fnvPrime  uint64 = 1099511628211
)

// NewFingerprint returns an observer of a run of that many ranks.
func NewFingerprint(ranks int) *Fingerprint {
	f := &Fingerprint{ranks: make([][3]uint64, ranks)}
	for r := range f.ranks {
		f.ranks[r] = [3]uint64{fnvOffset, fnvOffset, fnvOffset}
	}
	return f
}

func (f *Fingerprint) Span(x sim.Span) {
	f.text("span").text(x.Part.String()).real(float64(x.From)).real(float64(x.To)).end(x.Rank, historySpans)
}

func (f *Fingerprint) Sent(x sim.Sent) {
	f.text("sent").integer(int64(x.To)).integer(int64(x.Tag)).real(float64(x.Size)).real(float64(x.At)).
		end(x.Rank, historySent)
}

func (f *Fingerprint) Received(x sim.Received) {
	f.text("received").integer(int64(x.From)).integer(int64(x.Order)).real(float64(x.At)).end(x.Rank, historyReceived)
}

// Sum returns the fingerprint of what was observed so far.
func (f *Fingerprint) Sum() uint64 {
	sum := fnvOffset
	var line []byte
	for _, histories := range f.ranks {
		for _, h := range histories {
			line = append(strconv.AppendUint(line[:0], h, 10), '\n')
			sum = fnv(sum, line)
		}
	}
	return sum
}

func (f *Fingerprint) text(s string) *Fingerprint {
	f.line = append(append(f.line, s...), '\t')
	return f
}

func (f *Fingerprint) integer(i int64) *Fingerprint {
	f.line = append(strconv.AppendInt(f.line, i, 10), '\t')
	return f
}

func (f *Fingerprint) real(x float64) *Fingerprint {
	f.line = append(strconv.AppendFloat(f.line, x, 'e', 11, 64), '\t')
	return f
}

// end adds the line to a history. It turns the last tab into the line feed.
func (f *Fingerprint) end(rank int32, history int) {
	f.line[len(f.line)-1] = '\n'
	h := &f.ranks[rank][history]
	*h = fnv(*h, f.line)
	f.line = f.line[:0]
}

// fnv continues the hash h with more data.
func fnv(h uint64, data []byte) uint64 {
	for _, c := range data {
		h = (h ^ uint64(c)) * fnvPrime
	}
	return h
}
