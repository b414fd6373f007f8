package observe

import (
	"bufio"
	"cmp"
	"encoding/json"
	"io"
	"slices"
	"strconv"

	"github.com/isoscale/isoscale/internal/told"
	"github.com/isoscale/isoscale/sim"
)

// Write writes the timeline in the Trace Event Format of Chrome, in its JSON
// object form, which Perfetto (ui.perfetto.dev) and chrome://tracing open. Name
// gives the name of each rank, such as "rank 3 (hpc-2)".
//
// There is one process, number 1, with one thread for each rank. The number of the
// thread is the rank plus 1, because viewers take thread 0 for an idle processor. A
// span is a complete event (ph X) with the name of its [sim.Part]. Times are
// microseconds with three decimals.
//
// # Messages
//
// A received message is an arrow: a flow event where it starts to leave (ph s) and one
// where it arrives (ph f). A flow event has no place of its own but belongs to a slice
// of its thread. Perfetto takes the slice that began last, in order of time and within
// one instant in the order of the file; chrome://tracing takes one that encloses the
// instant. The slices of spans will not do: a message may leave while its rank does
// something else, or after it has finished, and where one span ends and the next
// begins, either could be meant. So each end of a message gets a slice of length zero,
// "send" or "receive", right before its flow event, within the span of that instant or
// between two spans. If a message arrives before it meets its receive, the arrow ends
// at a slice "arrive", and the "receive" comes later. The args of these slices tell
// peer, size and tag, because viewers do not show args of flow events. A message that
// no rank received has a "send" without an arrow.
//
// Viewers sort by time and must see the beginning of an arrow before its end. So
// a message that takes less than a nanosecond ends one nanosecond after it
// began, even if its rank is finished then.
//
// The same timeline gives the same bytes. It is written rank by rank without
// being built up in memory.
func (t *Timeline) Write(w io.Writer, name func(rank int) string) error {
	if err := t.Err(); err != nil {
		return err
	}
	e := eventWriter{w: bufio.NewWriterSize(w, 1<<16)}
	e.w.WriteString(`{"traceEvents":[`)
	e.begin("process_name", "M", 0).text(`,"args":{"name":"simulation"}}`).end()
	sent, received := t.run.ByRank()
	id := map[*told.Message]int64{}
	for r := range t.run.Ranks {
		quoted, err := json.Marshal(name(r))
		if err != nil {
			return err
		}
		e.begin("thread_name", "M", r+1).text(`,"args":{"name":`).text(string(quoted)).text(`}}`).end()
		e.begin("thread_sort_index", "M", r+1).text(`,"args":{"sort_index":`).integer(int64(r)).text(`}}`).end()
		for _, m := range sent[r] {
			id[m] = int64(len(id))
		}
	}
	var ends []messageEnd
	for r, spans := range t.run.Ranks {
		ends = messageEnds(ends[:0], sent[r], received[r])
		next := 0
		write := func() {
			m := &ends[next]
			e.messageEnd(r, m, id[m.Message])
			next++
		}
		for _, s := range spans {
			for next < len(ends) && ends[next].at <= s.From {
				write()
			}
			e.begin(sim.Part(s.Part).String(), "X", r+1).time("ts", s.From).time("dur", s.To-s.From).text("}").end()
			for next < len(ends) && ends[next].at < s.To {
				write()
			}
		}
		for next < len(ends) {
			write()
		}
	}
	e.w.WriteString("\n],\"displayTimeUnit\":\"ns\"}\n")
	return e.w.Flush() // returns the first error of all writes
}

// messageEnd is a message being sent, arriving or received.
type messageEnd struct {
	*told.Message
	at   int64
	peer int32
	kind endKind
}

// endKind is what happens to a message.
type endKind uint8

const (
	sending   endKind = iota
	arriving          // before its receive
	receiving         // at its arrival
	matching          // received after its arrival
)

var endNames = [...]string{sending: "send", arriving: "arrive", receiving: "receive", matching: "receive"}

// messageEnds appends all message ends of a rank, in order of time; at equal times,
// those that arrive or are received come before those that are sent.
func messageEnds(ends []messageEnd, sent, received []*told.Message) []messageEnd {
	for _, m := range received {
		arrived := max(m.Arrived, m.Sent+1)
		if m.Met <= arrived {
			ends = append(ends, messageEnd{m, arrived, m.From, receiving})
			continue
		}
		ends = append(ends, messageEnd{m, arrived, m.From, arriving}, messageEnd{m, m.Met, m.From, matching})
	}
	for _, m := range sent {
		ends = append(ends, messageEnd{m, m.Sent, m.To, sending})
	}
	slices.SortStableFunc(ends, func(a, b messageEnd) int { return cmp.Compare(a.at, b.at) })
	return ends
}

// eventWriter writes events one after the other, without allocating. The bufio.Writer
// keeps errors until it is flushed.
type eventWriter struct {
	w     *bufio.Writer
	line  []byte
	later bool // not the first event
}

// messageEnd writes the slice of length zero and the flow event.
func (e *eventWriter) messageEnd(rank int, m *messageEnd, id int64) {
	peer := "from"
	if m.kind == sending {
		peer = "to"
	}
	e.begin(endNames[m.kind], "X", rank+1).time("ts", m.at).time("dur", 0).args(peer, m)
	if m.kind == sending && m.Met < 0 || m.kind == matching {
		return
	}
	if m.kind == sending {
		e.begin("message", "s", rank+1)
	} else {
		e.begin("message", "f", rank+1).text(`,"bp":"e"`)
	}
	e.time("ts", m.at).text(`,"cat":"message","id":`).integer(id).args(peer, m)
}

// args ends an event with the peer, size and tag of its message.
func (e *eventWriter) args(peer string, m *messageEnd) {
	e.text(`,"args":{"`).text(peer).text(`":`).integer(int64(m.peer)).text(`,"size_bytes":`)
	e.line = strconv.AppendFloat(e.line, float64(m.Size), 'g', -1, 64)
	e.text(`,"tag":`).integer(int64(m.Tag)).text("}}").end()
}

func (e *eventWriter) begin(name, phase string, thread int) *eventWriter {
	if e.later {
		e.line = append(e.line, ',')
	}
	e.later = true
	return e.text("\n{\"name\":\"").text(name).text(`","ph":"`).text(phase).text(`","pid":1,"tid":`).integer(int64(thread))
}

func (e *eventWriter) text(s string) *eventWriter {
	e.line = append(e.line, s...)
	return e
}

func (e *eventWriter) integer(i int64) *eventWriter {
	e.line = strconv.AppendInt(e.line, i, 10)
	return e
}

// time appends a time that is not negative in microseconds, exactly.
func (e *eventWriter) time(key string, t int64) *eventWriter {
	e.text(`,"`).text(key).text(`":`).integer(t / 1000)
	f := t % 1000
	e.line = append(e.line, '.', byte('0'+f/100), byte('0'+f/10%10), byte('0'+f%10))
	return e
}

func (e *eventWriter) end() {
	e.w.Write(e.line)
	e.line = e.line[:0]
}
