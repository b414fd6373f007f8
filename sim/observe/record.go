package observe

import (
	"math"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
)

// A record is a span, or a message that starts to leave its sender, or both: a message followed by its send overhead.
type record struct {
	fact
	to         units.Seconds // its time, if it has one
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
	// hasTime: the record has the end of the span (of its wait, if joined) or, without a span, the time at which the
	// message left. Otherwise the message left when the span before it had ended, and has the send overhead of its
	// envelope.
	hasTime = 1 << partBits
	// hasAbout: in a list, the lower half follows.
	hasAbout = 2 << partBits
	peerBits = partBits + 2
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
func (f fact) timed() bool     { return f&(hasTime<<32) != 0 }
func (f fact) withTime() fact  { return f | hasTime<<32 }
func (f fact) isMessage() bool { return f.part()-leaves <= sends-leaves }
func (f fact) isAbout() bool   { return f.peer() != none && f.part() != sim.PartCompute }

// add adds a record to a list: a word with the upper half of its fact, perhaps one with the lower half, and the two of
// its time. The lower half is left out if it is the same as in the message before, or in the span about a message
// before; at the beginning of a piece, if it is 0. For this, the order of a message that a span is about is counted from
// the number of messages that its rank has sent, less 1. The first record of a piece has a time, so that few lead to the
// time of one that has none.
func (l *records) add(of *list, f fact, to units.Seconds) {
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
		if head |= hasTime; isAbout && about != *same {
			head |= hasAbout
		}
	}
	size := sizeOf(head)
	words := l.from(of.next)[:size]
	words[0] = head
	if head&hasAbout != 0 {
		words[1], *same = about, about
	}
	if head&hasTime != 0 {
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
	return int32(1 + head/hasTime&1*2 + head/hasAbout&1)
}

// readPiece appends the records of the piece of a list that begins with word begin to those given. words are its words,
// as far as they are used, and messages how many messages are in the list before it.
func readPiece(all []record, words []uint32, begin int, messages int32) []record {
	var sent, heard uint32
	for i := 0; i < len(words) && words[i] != 0; {
		head, same, from := words[i], &heard, uint32(messages)-1
		all = append(all, record{fact: fact(head&^hasAbout) << 32, begin: begin + i, messages: messages})
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
		if r.timed() {
			r.to = units.Seconds(math.Float64frombits(uint64(words[i-2]) | uint64(words[i-1])<<32))
		}
		r.end = begin + i
	}
	if len(words) == 1<<pieceBits { // what is left has no room for the next record
		all[len(all)-1].end = begin + len(words)
	}
	return all
}
