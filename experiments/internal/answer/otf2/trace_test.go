package otf2

import (
	"io"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/answer/recorded"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/workloads"
)

// at is a time in ticks of a tenth of a second.
func at(t string) string { return "\x05" + t + "\x00\x00\x00\x00\x00\x00\x00" }

// A receive begins where it was requested; one that was cancelled or never ends does not begin at all. Time in
// regions of MPI, and between them within a call, is not computation, nor is time before the program begins.
func TestSteps(t *testing.T) {
	f := good
	f.events = header + at("\x01") + "\x53\x02\x00\x00" + // the program begins
		at("\x02") + "\x0c\x00" + "\x11\x01\x05" + "\x11\x01\x06" + "\x11\x01\x07" + at("\x04") + "\x0d\x00" + // requests 5, 6 and 7 in a call of MPI
		at("\x0a") + "\x0c\x00" + "\x0e\x06\x00\x00\x01\x09\x01\x40" + // computes for 6 ticks, sends 64 bytes with tag 9 to itself
		"\x13\x08\x00\x00\x01\x09\x01\x40\x01\x05" + // which request 5 receives
		"\x15\x01\x06" + "\x17\x06\x0b\x00\xff\x01\x08\x00" + // request 6 is cancelled, an allreduce of 8 bytes
		at("\x0c") + "\x0d\x00\x02"
	trace := expect.Value(OpenTrace(f.write(t)))(t)
	var steps []recorded.Step
	for {
		var s recorded.Step
		err := trace.Next(0, &s)
		if err == io.EOF {
			break
		}
		expect.Success(t, err)
		steps = append(steps, s)
	}
	expect.Same(t, steps, []recorded.Step{
		{Kind: recorded.Delay, Time: 0.1},
		{Kind: recorded.Compute, Time: 0.1},
		{Kind: recorded.Receive, Tag: 9, Message: named(5)},
		{Kind: recorded.Compute, Time: 0.6},
		{Kind: recorded.Send, Tag: 9, Size: 64, Message: 3},
		{Kind: recorded.Wait, Message: named(5)},
		{Kind: recorded.Collective, Operation: workloads.Allreduce, Root: -1, Size: 8},
		{Kind: recorded.Wait, Message: 3},
	}, "steps")
	m := trace.Measured()
	expect.Near(t, float64(m.Useful[0]), 0.7, 1e-12, "useful time")
	expect.That(t, m.Messages == 1 && m.Bytes == 64, "%d messages, %v", m.Messages, m.Bytes)
}
