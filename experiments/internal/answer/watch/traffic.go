package watch

import (
	"fmt"
	"math"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/page"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
)

// mostCells is the largest number of rows and of columns of the matrix of messages, which
// then takes 16 KB for any number of ranks.
const mostCells = 32

// Traffic counts messages and bytes by sender and receiver when they are sent. With more
// than [mostCells] ranks, neighbours share a row and a column. Requests and clearances of
// a rendezvous are not counted, nor are collectives of measured cost, which send no
// messages.
type Traffic struct {
	ranks int
	each  int // ranks in a row and a column; the last may have fewer
	side  int // rows, and as many columns
	cells []volume
}

// volume is an amount of traffic.
type volume struct {
	messages int64
	bytes    units.Bytes
}

// NewTraffic returns the traffic of a run of that many ranks.
func NewTraffic(ranks int) *Traffic {
	t := &Traffic{ranks: ranks, each: max(1, (ranks+mostCells-1)/mostCells)}
	t.side = (ranks + t.each - 1) / t.each
	t.cells = make([]volume, t.side*t.side)
	return t
}

func (t *Traffic) Sent(x sim.Sent) {
	c := &t.cells[int(x.Rank)/t.each*t.side+int(x.To)/t.each]
	c.messages++
	c.bytes += x.Size
}

// Total returns the traffic between all ranks.
func (t *Traffic) Total() (messages int64, bytes units.Bytes) {
	for _, c := range t.cells {
		messages += c.messages
		bytes += c.bytes
	}
	return messages, bytes
}

// mostDrawnTwice is the number of cells with messages up to which a report has two maps:
// with more, two would take too much of a page.
const mostDrawnTwice = 128

// Section shows who sends how many bytes and messages to whom. Without messages, or with
// only one rank, it says so and has no chart.
func (t *Traffic) Section() report.Section {
	s := report.Section{Heading: "Who sends to whom"}
	var sum volume
	sum.messages, sum.bytes = t.Total()
	switch {
	case sum.messages == 0:
		s.Text = []string{"The ranks send no messages. Collective operations of measured cost need none."}
		return s
	case t.ranks == 1:
		s.Text = []string{fmt.Sprintf("The only rank sends itself %s with %v.",
			input.Plural(int(sum.messages), "message"), sum.bytes)}
		return s
	}
	s.Text = []string{t.summary(sum)}
	size, equal := t.messageSize()
	both := sum.bytes > 0 && !equal && t.used() <= mostDrawnTwice
	if sum.bytes > 0 {
		c := t.chart("Bytes between ranks", "bytes", "B", func(v volume) float64 { return float64(v.bytes) })
		if equal {
			c.Caption += fmt.Sprintf(" All messages have %v, so the numbers of messages are in the same proportions.",
				size)
		} else if !both {
			c.Caption += fmt.Sprintf(" A message has %v on average. There is no map of the numbers of messages: "+
				"it would have %d cells, more than %d.", size, t.used(), mostDrawnTwice)
		}
		s.Blocks = append(s.Blocks, c)
	}
	if both || sum.bytes == 0 {
		s.Blocks = append(s.Blocks, t.chart("Messages between ranks", "messages", "",
			func(v volume) float64 { return float64(v.messages) }))
	}
	return s
}

// summary says how much is sent, and by how many pairs.
func (t *Traffic) summary(sum volume) string {
	text := fmt.Sprintf("%s send %s with %v. ", input.Plural(t.ranks, "rank"),
		input.Plural(int(sum.messages), "message"), sum.bytes)
	if t.each > 1 {
		text += fmt.Sprintf("Of the %d cells of %d by %d ranks, %d have messages.", len(t.cells), t.each, t.each,
			t.used())
	} else {
		text += fmt.Sprintf("Of the %d pairs of a sender and a receiver, %d have messages.", len(t.cells), t.used())
	}
	return text + " The requests and clearances of rendezvous messages are not counted."
}

func (t *Traffic) used() int {
	used := 0
	for _, c := range t.cells {
		if c.messages > 0 {
			used++
		}
	}
	return used
}

// messageSize returns the mean size of the messages, and whether it is the same in each cell:
// then the maps of messages and of bytes look the same.
func (t *Traffic) messageSize() (size units.Bytes, equal bool) {
	messages, bytes := t.Total()
	size = bytes / units.Bytes(messages)
	for _, c := range t.cells {
		if c.bytes != size*units.Bytes(c.messages) {
			return size, false
		}
	}
	return size, true
}

// chart returns a map of a quantity of the cells, with rank 0 at the bottom left. Cells without
// messages are blank. The scale is logarithmic if the values span more than a decade.
func (t *Traffic) chart(title, quantity, unit string, of func(volume) float64) *report.Surface {
	var values []float64
	for _, c := range t.cells {
		if c.messages > 0 {
			values = append(values, of(c))
		}
	}
	shown := page.Display(unit, values...)
	values = shown.All(values)
	low, high, wide := 0.0, max(0, slices.Max(values)), page.Wide(values)
	if wide {
		low = slices.Min(values)
	}
	c := &report.Surface{
		Title:   title,
		Caption: fmt.Sprintf("All %d ranks. A blank cell has no messages.", t.ranks),
		X:       report.Axis{Title: "receiver", Unit: report.Dimensionless},
		Y:       report.Axis{Title: "sender", Unit: report.Dimensionless},
		Value:   report.Axis{Title: quantity, Unit: page.Unit(shown.Unit), Log: wide, Min: &low, Max: &high},
		Values:  make([][]float64, t.side),
	}
	c.X.Min, c.X.Max = new(0.0), new(float64((t.side-1)*t.each))
	c.Y.Min, c.Y.Max = c.X.Min, c.X.Max
	if t.each > 1 {
		first := fmt.Sprintf(", first of %d ranks", t.each)
		c.X.Title, c.Y.Title = "receiver"+first, "sender"+first
		c.Caption = fmt.Sprintf("All %d ranks: a cell is %d senders by %d receivers. A blank one has no messages.",
			t.ranks, t.each, t.each)
		if last := t.ranks % t.each; last > 0 {
			c.Caption += fmt.Sprintf(" The last row and column have %s.", input.Plural(last, "rank"))
		}
	}
	for from := range c.Values {
		c.Values[from] = make([]float64, t.side)
		for to := range c.Values[from] {
			c.Values[from][to] = math.NaN()
			if v := t.cells[from*t.side+to]; v.messages > 0 {
				c.Values[from][to] = of(v) * shown.Factor
			}
		}
	}
	return c
}
