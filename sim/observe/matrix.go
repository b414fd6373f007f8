package observe

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
)

// Matrix counts messages and bytes by sender and receiver, when they are sent.
// It is sparse: pairs that do not talk cost nothing. The requests and clearances
// of a rendezvous are not counted, nor are collectives of measured cost, which
// send no messages. The zero value is ready for use.
type Matrix struct {
	pairs map[pair]volume
}

type pair struct{ from, to int32 }

type volume struct {
	messages int64
	bytes    units.Bytes
}

var _ sim.Observer = (*Matrix)(nil)

// Span implements sim.Observer; it does nothing.
func (m *Matrix) Span(sim.Span) {}

func (m *Matrix) Sent(x sim.Sent) {
	if m.pairs == nil {
		m.pairs = map[pair]volume{}
	}
	p := pair{x.Rank, x.To}
	v := m.pairs[p]
	v.messages++
	v.bytes += x.Size
	m.pairs[p] = v
}

// Received implements sim.Observer; it does nothing.
func (m *Matrix) Received(sim.Received) {}

// Pairs returns how many pairs of a sender and a receiver there are.
func (m *Matrix) Pairs() int { return len(m.pairs) }

// Traffic is what one rank has sent to another.
type Traffic struct {
	From     int32       `json:"from"`
	To       int32       `json:"to"`
	Messages int64       `json:"messages"`
	Bytes    units.Bytes `json:"bytes"`
}

// Traffic returns the pairs of ranks that have talked, by sender, then receiver.
func (m *Matrix) Traffic() []Traffic {
	list := make([]Traffic, 0, len(m.pairs))
	for p, v := range m.pairs {
		list = append(list, Traffic{p.from, p.to, v.messages, v.bytes})
	}
	slices.SortFunc(list, func(a, b Traffic) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To))
	})
	return list
}

// WriteCSV writes a header and a row from,to,messages,bytes for each pair, in
// the order of Traffic. Bytes are written without an exponent and with as many
// digits as it takes to read the same number back.
func (m *Matrix) WriteCSV(w io.Writer) error {
	b := bufio.NewWriter(w)
	b.WriteString("from,to,messages,bytes\n")
	for _, t := range m.Traffic() {
		fmt.Fprintf(b, "%d,%d,%d,%s\n", t.From, t.To, t.Messages, strconv.FormatFloat(float64(t.Bytes), 'f', -1, 64))
	}
	return b.Flush() // returns the first error of all writes
}
