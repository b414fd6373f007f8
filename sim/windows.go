package sim

import (
	"context"
	"runtime"
	"sync"

	"github.com/isoscale/isoscale/model/units"
)

// Windows: how shards are advanced on several cores.
//
// Let T be the earliest thing to happen on any shard. Nothing sent from now on
// arrives before T + L, so within the window from T to T + L no shard can
// disturb another, and all are advanced through it at once. Between windows, on
// one goroutine and in the order of the shards, messages to other shards are
// delivered and ranks are set free.
//
// A rank that is set free goes on at a time after T, but perhaps before the
// window's end, which its shard has reached by then. That is safe: what it sends
// arrives L later, after the window. But its time lies before what the shard's
// calendar has popped, so such ranks wait in a list of their own (later) for the
// next window, which begins with the earliest of them.
//
// The outcome is that of one shard, bit for bit: within a rank everything
// happens in time order either way, and sums over ranks are taken by rank.

// minShard is the smallest number of ranks that a core of its own pays for.
const minShard = 2048

// shardCount returns how many shards to use.
func shardCount(c Config) int {
	if c.shards > 0 {
		return c.shards
	}
	if c.Network.MinLatency() == 0 || c.Observer != nil {
		return 1 // without latency no window is long enough for two things to happen in it
	}
	n := c.Workers
	if n == 0 {
		n = runtime.GOMAXPROCS(0)
	}
	return max(1, min(n, c.Program.Ranks()/minShard))
}

// lateEntry is a rank that waits for the next window, with the due time that it
// had when it was put there; another one now means that it was rescheduled.
type lateEntry struct {
	at units.Seconds
	id int32
}

// runWindows drives several shards to the end of the program.
func (e *engine) runWindows(ctx context.Context) error {
	workers := newCrew(e.shards)
	defer workers.stop()
	for {
		start, horizon := never, never
		for _, s := range e.shards {
			start = min(start, s.earliest())
			horizon = min(horizon, s.horizon)
		}
		if start >= horizon {
			return e.verdict()
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		for _, s := range e.shards {
			s.now, s.bound, s.horizon = start, min(start+s.latency, horizon), horizon
		}
		workers.work()
		for i, s := range e.shards {
			if s.panicked != nil {
				panic(s.panicked)
			}
			s.current = none
			for _, from := range e.shards {
				for k := range from.outgoing[i] {
					s.deliver(from.outgoing[i][k].to, &from.outgoing[i][k].message)
				}
				from.outgoing[i] = from.outgoing[i][:0]
			}
		}
		for _, s := range e.shards {
			for _, j := range s.joining {
				e.join(s, j)
			}
			for _, f := range s.released {
				e.shards[e.shardOf(f.rank)].setFree(f)
			}
			s.joining, s.released = s.joining[:0], s.released[:0]
		}
	}
}

// earliest returns when the shard has something to do.
func (s *shard) earliest() units.Seconds {
	at := never
	if t, ok := s.cal.Min(); ok {
		at = t
	}
	for _, l := range s.later {
		if s.rank(l.id).due == l.at {
			at = min(at, l.at)
		}
	}
	return at
}

// window advances the shard to its bound.
func (s *shard) window() {
	late := s.later
	s.later = s.spare[:0]
	for _, l := range late {
		switch r := s.rank(l.id); {
		case r.due != l.at: // rescheduled
		case s.mayHappen(l.at):
			s.turn(l.id)
		default:
			s.later = append(s.later, l)
		}
	}
	s.spare = late
	for {
		at, ok := s.cal.Min()
		if !ok || !s.mayHappen(at) {
			return
		}
		at, id, _ := s.cal.Pop()
		if at == s.rank(id).due {
			s.turn(id)
		}
	}
}

// turn lets a rank act within the window.
func (s *shard) turn(id int32) {
	s.current = id
	s.advance(id)
}

// crew is one goroutine for each shard, which waits for windows to work on.
type crew struct {
	start []chan struct{}
	done  sync.WaitGroup
}

func newCrew(shards []*shard) *crew {
	c := &crew{start: make([]chan struct{}, len(shards))}
	for i, s := range shards {
		start := make(chan struct{}, 1)
		c.start[i] = start
		go func() {
			for range start {
				s.safeWindow()
				c.done.Done()
			}
		}()
	}
	return c
}

// safeWindow keeps a panic for the driver: on this goroutine it would end the
// program.
func (s *shard) safeWindow() {
	defer func() { s.panicked = recover() }()
	s.window()
}

// work lets every shard work through one window.
func (c *crew) work() {
	c.done.Add(len(c.start))
	for _, start := range c.start {
		start <- struct{}{}
	}
	c.done.Wait()
}

func (c *crew) stop() {
	for _, start := range c.start {
		close(start)
	}
}
