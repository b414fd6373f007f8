package told

import (
	"math"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
)

// Rank 1 is reported first. Even so, the lists of each rank are in order of time, and adjacent spans stay adjacent in
// nanoseconds.
func TestRunInNanoseconds(t *testing.T) {
	r := NewRun(2, 10)
	r.Span(1, 3, 0, 1.4e-9)
	r.Span(1, 4, 1.4e-9, 5.6e-9)
	r.Sent(Message{From: 1, To: 0, Size: 7.6}, 1, 4e-9)
	r.Sent(Message{From: 1, To: 0, Tag: 1}, 0, 2e-9)
	r.Sent(Message{From: 0, To: 1, Tag: 2}, 0, 3e-9)
	r.Received(1, 0, 6e-9, 9e-9)
	r.Received(1, 1, 7e-9, 8e-9)
	r.Received(-1, 0, 7e-9, 20e-9) // from a process, which is left out
	expect.Success(t, r.Err("timeline", ""))
	expect.List(t, r.Ranks[1], []Span{{3, 0, 0, 1}, {4, 0, 1, 6}}, "spans")
	expect.Equal(t, r.End, 9, "end")
	sent, received := r.ByRank()
	tags := func(list []*Message) (tags []int32) {
		for _, m := range list {
			tags = append(tags, m.Tag)
		}
		return tags
	}
	expect.List(t, tags(sent[1]), []int32{1, 0}, "messages of rank 1, by when they leave")
	expect.List(t, tags(received[0]), []int32{0, 1}, "messages to rank 0, by when they meet")
	expect.That(t, len(received[1]) == 0 && sent[0][0].Met == -1, "a message that never met its receive was received")
	expect.Equal(t, sent[1][1].Bytes(), 8, "whole bytes")
}

// If there is more than may be kept, nothing is, but everything is counted. Nanoseconds end after 292 years.
func TestRunsThatAreTooLong(t *testing.T) {
	r := NewRun(1, 2)
	for range 3 {
		r.Span(0, 1, 0, 1)
	}
	r.Sent(Message{}, 0, 1)
	r.Received(0, 0, 1, 1)
	expect.That(t, r.Ranks == nil, "something is kept")
	expect.Failure(t, r.Err("timeline", " or so"), "timeline: the run has 3 spans and 1 messages; expected at most 2, all together: simulate fewer ranks or rounds or so")
	long := NewRun(1, 9)
	long.Span(0, 1, 0, 1e10)
	expect.Failure(t, long.Err("trace", ""), "less than 292 years")
}

// The sender computes (part 1) until 10 ns and waits for a send (2) until 20; the receiver waits for messages (3) until
// 10 and computes until 30.
func TestCalls(t *testing.T) {
	r := &Run{Ranks: [][]Span{{{1, 0, 0, 10}, {2, 0, 10, 20}}, {{3, 0, 0, 10}, {1, 0, 10, 30}}}}
	const never = math.MaxInt64
	for _, tt := range []struct {
		name string
		m    Message
		want Calls
	}{
		{"leaves while the sender computes, ends the wait", Message{Sent: 5, Arrived: 10, Met: 10}, Calls{0, never, 0, 10}},
		{"the sender waits, the receiver computes", Message{Sent: 10, Arrived: 20, Met: 20}, Calls{10, 20, 10, 30}},
		{"received after the receiver has sent", Message{Sent: 0, Arrived: 10, Met: 10, Sends: 1}, Calls{0, never, 10, 10}},
		{"received at the end of a computation", Message{Sent: 20, Arrived: 30, Met: 30}, Calls{20, never, 30, 30}},
		{"never received", Message{Sent: 10, Met: -1}, Calls{10, never, -1, -1}},
	} {
		tt.m.To = 1
		expect.Equal(t, r.Calls(&tt.m, 2, 3), tt.want, "%s", tt.name)
	}
}
