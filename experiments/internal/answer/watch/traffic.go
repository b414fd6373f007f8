package watch

import (
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
)

// mostCells is how many rows and columns the matrix of messages has at most, so that it
// takes 16 KB for any number of ranks.
const mostCells = 32

// Traffic counts messages and bytes by sender and receiver when they are sent. Of more
// than [mostCells] ranks, neighbours share a row and a column. The requests and clearances
// of a rendezvous are not counted, nor are collectives of measured cost, which send no
// messages. It is a [sim.Observer].
type Traffic struct {
	ranks int
	each  int // ranks in a row and a column; the last may have fewer
	side  int // rows, and as many columns
	cells []volume
}

// volume is what is sent.
type volume struct {
	messages int64
	bytes    units.Bytes
}

var _ sim.Observer = (*Traffic)(nil)

// NewTraffic returns an observer of a run of that many ranks.
func NewTraffic(ranks int) *Traffic {
	t := &Traffic{ranks: ranks, each: max(1, (ranks+mostCells-1)/mostCells)}
	t.side = (ranks + t.each - 1) / t.each
	t.cells = make([]volume, t.side*t.side)
	return t
}

// Span implements [sim.Observer]; it does nothing.
func (t *Traffic) Span(sim.Span) {}

func (t *Traffic) Sent(x sim.Sent) {
	c := &t.cells[int(x.Rank)/t.each*t.side+int(x.To)/t.each]
	c.messages++
	c.bytes += x.Size
}

// Received implements [sim.Observer]; it does nothing.
func (t *Traffic) Received(sim.Received) {}

// Total returns what all ranks send to all.
func (t *Traffic) Total() (messages int64, bytes units.Bytes) {
	for _, c := range t.cells {
		messages += c.messages
		bytes += c.bytes
	}
	return messages, bytes
}
