package sim

import (
	"bytes"
	"context"
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/isoscale/isoscale/model/units"
)

// Result is the outcome of a simulation.
type Result struct {
	Makespan    units.Seconds // when the last rank finished
	Ranks       []RankResult  // by rank, if Config.Ranks asks for them
	Work        units.Flops   // performed in Compute operations, all ranks together
	Messages    int64         // sent; protocol messages of rendezvous do not count
	Bytes       units.Bytes   // payload of Messages
	Collectives int64         // calls of measured collectives, one for the whole group
	Operations  int64         // taken from the program, all ranks together
	Events      int64         // operations and arrivals of messages, protocol messages too
	Warnings    []string      // doubts about the run that its reader should know of
}

// RankResult is the outcome for one rank.
type RankResult struct {
	Finish units.Seconds
	Failed bool          // Finish is when its node failed: see Control.Fail
	Beside units.Seconds // for which its streams have computed while it did something else
	Breakdown
}

// Useful is the time that the core of the rank has computed, for the rank or its streams.
func (r *RankResult) Useful() units.Seconds { return r.Compute + r.Beside }

// Breakdown says where the time of a rank went. The parts add up to its finish
// time (but for rounding).
type Breakdown struct {
	Compute        units.Seconds // Compute operations
	Delay          units.Seconds // Delay operations
	SendOverhead   units.Seconds // the core's part in sending
	RecvOverhead   units.Seconds // the core's part in receiving
	CollectiveCost units.Seconds // the given cost of measured collectives
	WaitMessage    units.Seconds // waiting for a message to arrive
	WaitSend       units.Seconds // waiting for a rendezvous message to leave
	WaitCollective units.Seconds // waiting for others to enter a measured collective
	WaitEvent      units.Seconds // waiting for an event
	Stopped        units.Seconds // its node was stopped in the midst of something
}

// Overhead is the time that the rank was busy with something other than
// computation.
func (b Breakdown) Overhead() units.Seconds {
	return b.Delay + b.SendOverhead + b.RecvOverhead + b.CollectiveCost
}

// Wait is the time that the rank was idle before its end.
func (b Breakdown) Wait() units.Seconds {
	return b.WaitMessage + b.WaitSend + b.WaitCollective + b.WaitEvent + b.Stopped
}

// What ends a run before its program does: the context, a rank that lets no time pass,
// a panic.

// watch makes the engine stop soon after the context is done, whatever the program
// does. The function returned ends the watch.
func (e *engine) watch(ctx context.Context) (stop func() bool) {
	if ctx.Err() != nil {
		e.cancelled.Store(true)
		return func() bool { return true }
	}
	return context.AfterFunc(ctx, func() { e.cancelled.Store(true) })
}

// checkEvery is the number of operations of a shard between two checks. Everything that
// a rank does follows from an operation, so a run without operations ends by itself.
const checkEvery = 1 << 14

// stallChecks is how many checks in a row may find that no clock has moved: some 10^8
// operations, and 1000 for each rank. Valid programs on a network without costs need
// some tens for a rank.
func stallChecks(ranks int32) int64 { return 1<<13 + int64(ranks)>>4 }

// stall is what a shard knows of the progress of time at its last check.
type stall struct {
	now, clock units.Seconds // of the shard; the latest clock of a rank at this time
	checks     int64         // since then
}

// ends reports whether the run is cancelled. It fails the rank if no clock has moved
// for too many checks.
func (s *shard) ends(id int32, r *rank) bool {
	switch {
	case s.now > s.stall.now:
		s.stall = stall{now: s.now, clock: r.clock}
	case r.clock > s.stall.clock:
		s.stall.clock, s.stall.checks = r.clock, 0
	default:
		s.stall.checks++
	}
	if s.stall.checks >= s.engine.stallChecks {
		s.fail(id, "no clock goes on in %d operations; expected one that takes time: does the program wait in a loop for something?", s.stall.checks*checkEvery)
		return true
	}
	s.engine.ledger.check(s.now, 0)
	return s.engine.cancelled.Load()
}

// PanicError reports that a part of the simulation panicked: the network, the fabric,
// the observer, the program if it is a state machine, a process, or the engine. What
// the body of a rank panics with is the cause of a [BodyError].
type PanicError struct {
	Where   string        // the function that panicked
	Rank    int           // whose turn it was, -1 for none
	Process string        // or the process whose turn it was, "" for none
	Time    units.Seconds // the simulated time
	Value   any           // what it panicked with
	Stack   []byte        // as debug.Stack prints it
}

func (e *PanicError) Error() string {
	who := ""
	switch {
	case e.Rank >= 0:
		who = fmt.Sprintf(", rank %d", e.Rank)
	case e.Process != "":
		who = fmt.Sprintf(", process %q", e.Process)
	}
	return fmt.Sprintf("sim: panic in %s at %v%s: %v", e.Where, e.Time, who, e.Value)
}

// Unwrap returns the value if it is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// caught returns a panic during a turn of the shard as an error. The function that
// recovers must call it.
func (s *shard) caught(value any) *PanicError {
	stack := debug.Stack()
	return &PanicError{Where: panicking(stack), Rank: int(s.current), Time: s.now, Value: value, Stack: stack}
}

// panicking returns the function that panicked: in a stack trace, the first one after
// the last call of panic that is not part of the runtime.
func panicking(stack []byte) string {
	where := "an unknown function"
	behind := false
	for line := range bytes.Lines(stack) {
		text := string(bytes.TrimSpace(line))
		call := len(line) > 0 && line[0] != '\t'
		switch {
		case call && strings.HasPrefix(text, "panic("):
			behind = true
		case call && behind && !strings.HasPrefix(text, "runtime."):
			if i := strings.LastIndexByte(text, '('); i > 0 {
				text = text[:i]
			}
			where, behind = text, false
		}
	}
	return where
}
