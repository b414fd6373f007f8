package observe

import (
	"math"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
)

// A record is a span, or a message that starts to leave its sender, or both: a message followed by its send overhead.
type record struct {
	fact
	to         units.Seconds // end of the span, or of its wait, if joined; without a span, when the message left
	begin, end int           // words of its list before it, and up to its end
	messages   int32         // of its list before it
}

// fact is what a record says besides its time. The lower half is about a message: of a span, the order of the message;
// of a message, its envelope and order, packed, or the complement of their place in unpacked. The upper half has a
// part, the bits below, and from peerBits on the sender of the span's message or the receiver of the message, plus 1.
// A computation has a peer if memory limits it. No fact is 0.
type fact uint64

const (
	partBits = 4
	// hasTime: in a list, the time of the record follows. Without it, a message leaves when the span before it has
	// ended, and has the send overhead of its envelope; a wait takes as long as the one before.
	hasTime = 1 << partBits
	// later and earlier: the wait ends at the next greater or smaller number.
	later   = 2 << partBits
	earlier = 3 << partBits
	timing  = 3 << partBits
	// hasAbout: in a list, the lower half follows.
	hasAbout = 4 << partBits
	peerBits = partBits + 3
	maxRanks = 1<<(32-peerBits) - 1
)

// Parts of records besides those of spans.
const (
	leaves = sim.PartStopped + 1 // a message without a span
	sends  = leaves + 1          // a message with its send overhead
	joined = sends + 1           // joined+i: a wait for a message followed by the receive overhead overheads[i]
)

func newFact(p sim.Part, peer int32, about uint32) fact {
	return fact(peer+1)<<(32+peerBits) | fact(p)<<32 | fact(about)
}

func (f fact) part() sim.Part  { return sim.Part(f >> 32 & (1<<partBits - 1)) }
func (f fact) peer() int32     { return int32(f>>(32+peerBits)) - 1 }
func (f fact) about() uint32   { return uint32(f) }
func (f fact) withTime() fact  { return f&^(timing<<32) | hasTime<<32 }
func (f fact) isMessage() bool { return f.part()-leaves <= sends-leaves }
func (f fact) isAbout() bool   { return f.peer() != none && f.part() != sim.PartCompute }

// add adds a record to a list: a word with the upper half of its fact, perhaps one with the lower half, and two of its
// time. The lower half is left out if it is the same as in the message before, or in the span about a message before; at
// the beginning of a piece, if it is 0. For this, the order of a message that a span is about is counted from the number
// of messages that its rank has sent, less 1. Up to the first span of a piece all records have times, so that a piece
// can be read alone.
func (l *records) add(of *list, f fact, to units.Seconds) {
	if !of.hasSpan() {
		f = f.withTime()
	}
	head, about, same := uint32(f>>32), f.about(), &of.heard
	message, isAbout := f.isMessage(), f.isAbout()
	if message {
		same = &of.sent
	} else {
		about -= uint32(of.messages) - 1
	}
	if isAbout && about != *same {
		head |= hasAbout
	}
	if room := -of.n & (1<<pieceBits - 1); room < sizeOf(head) {
		l.addPiece(of, room)
		if head = uint32(f.withTime() >> 32); isAbout && about != 0 {
			head |= hasAbout
		}
	}
	size := sizeOf(head)
	words := l.from(of.next)[:size]
	words[0] = head
	if head&hasAbout != 0 {
		words[1], *same = about, about
	}
	if head&timing == hasTime {
		bits := math.Float64bits(float64(to))
		words[size-2], words[size-1] = uint32(bits), uint32(bits>>32)
	}
	of.n, of.next = of.n+size, of.next+uint32(size)
	if message {
		of.messages++
	}
	if f.part() != leaves {
		of.spans = of.n
	}
}

// sizeOf returns how many words the record with that upper half takes.
func sizeOf(head uint32) int32 {
	return int32(1 + head/hasTime&^(head/later)&1*2 + head/hasAbout&1)
}

// timeOfWait returns the timing of the next record of a list, a wait that ends at a time after a span that ends at end.
func (of *list) timeOfWait(end, to units.Seconds) fact {
	if !of.hasSpan() { // the record will have its time, and whoever reads it alone does not know end
		return hasTime << 32
	}
	likely := end + of.waited
	of.waited = to - end
	switch math.Float64bits(float64(to)) - math.Float64bits(float64(likely)) {
	case 0:
		return 0
	case 1:
		return later << 32
	case 1<<64 - 1:
		return earlier << 32
	}
	return hasTime << 32
}

// readPiece appends the records of the piece of a list that begins with word begin to those given. words are its words,
// as far as they are used, and messages how many messages are in the list before it.
func (p *part) readPiece(all []record, words []uint32, begin int, messages int32) []record {
	var sent, heard uint32
	var end, waited units.Seconds // the end of the span before, and how long the last wait after a span took
	hasSpan := false
	for i := 0; i < len(words) && words[i] != 0; {
		head, same, from := words[i], &heard, uint32(messages)-1
		all = append(all, record{fact: fact(head&^(timing|hasAbout)) << 32, begin: begin + i, messages: messages})
		r := &all[len(all)-1]
		if r.isMessage() {
			same, from = &sent, 0
			messages++
		}
		if head&hasAbout != 0 {
			*same = words[i+1]
		}
		if r.isAbout() {
			r.fact |= fact(*same + from)
		}
		i += int(sizeOf(head))
		r.end = begin + i
		switch part := r.part(); {
		case head&timing == hasTime:
			r.to = units.Seconds(math.Float64frombits(uint64(words[i-2]) | uint64(words[i-1])<<32))
		case part == leaves:
			r.to = end
		case part == sends:
			e, _ := p.unpack(r.about(), 0)
			r.to = end + e.overhead
		default:
			bits := math.Float64bits(float64(end + waited))
			switch head & timing {
			case later:
				bits++
			case earlier:
				bits--
			}
			r.to = units.Seconds(math.Float64frombits(bits))
		}
		if r.part() >= joined && hasSpan {
			waited = r.to - end
		}
		if r.part() != leaves {
			end, hasSpan = p.ends(r), true
		}
	}
	if len(words) == 1<<pieceBits { // what is left has no room for the next record
		all[len(all)-1].end = begin + len(words)
	}
	return all
}

// ends returns the end of a span.
func (p *part) ends(r *record) units.Seconds {
	if part := r.part(); part >= joined {
		return r.to + p.overheads[part-joined]
	}
	return r.to
}
