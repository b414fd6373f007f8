package sim

import (
	"cmp"
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/isoscale/isoscale/model/units"
)

// Windows: how shards are advanced, on several cores if there are any.
//
// Let T be the time of the earliest event on any shard. Nothing sent from now on
// arrives before T + L, so within the window from T to T + L no shard can disturb
// another, and all are advanced through it independently. Messages to other shards wait
// in mailboxes, which their shards empty at the beginning of the next window; ranks are
// set free by others between windows, on one goroutine and in the order of the shards.
//
// A rank that is set free goes on at a time after T, but perhaps before the window's
// end, which its shard has reached by then. That is safe: what it sends arrives L
// later, after the window. But its time lies before the last entry popped from the
// shard's calendar, so such ranks wait for the next window in a list (later), and that
// window begins with the earliest of them. Ranks that a message from a mailbox wakes
// within the window are in the list too. These are most ranks, so shards pay even on
// one core: a list costs less than a calendar, and the ranks of one shard fit into the
// cache.
//
// The outcome is that of one shard, bit for bit: within a rank everything
// happens in time order either way, and sums over ranks are taken by rank. An
// observer is told between windows, by one goroutine.

const (
	// minShard is the smallest number of ranks for which another core pays.
	minShard = 2048
	// cachedShard is a number of ranks that fits into the cache of a core.
	cachedShard = 1 << 16
)

// workerCount returns how many cores to use.
func workerCount(c Config) int {
	n := cmp.Or(c.Workers, runtime.GOMAXPROCS(0))
	return max(1, n)
}

// shardCount returns how many shards to use.
func shardCount(c Config) int {
	if c.shards > 0 {
		return c.shards
	}
	// Without lookahead no window is long enough for two events.
	if c.lookahead() == 0 || len(c.Processes) > 0 {
		return 1
	}
	ranks := c.Program.Ranks()
	return max(1, min(workerCount(c), ranks/minShard), ranks/cachedShard)
}

// runWindows drives several shards to the end of the program.
func (e *engine) runWindows(ctx context.Context) error {
	crew := newCrew(e.shards, e.workers)
	defer crew.stop()
	for {
		start, horizon := never, never
		if at, ok := e.releases.next(); ok {
			start = at
		}
		for _, s := range e.shards {
			start = min(start, s.earliest())
			horizon = min(horizon, s.horizon)
		}
		if start >= horizon {
			return e.verdict(ctx)
		}
		if e.cancelled.Load() {
			return ctx.Err()
		}
		for _, s := range e.shards {
			s.now, s.bound, s.horizon = start, min(start+s.lookahead, horizon), horizon
			s.incoming, s.outgoing = s.outgoing, s.incoming
		}
		crew.work()
		for _, s := range e.shards {
			if s.panicked != nil {
				panic(s.panicked)
			}
		}
		for _, s := range e.shards {
			s.current = none
		}
		e.afterWindow(start)
		e.passOn()
		e.note(start)
	}
}

// afterWindow lets ranks set each other free: from meetings and synchronous sends.
func (e *engine) afterWindow(start units.Seconds) {
	var joining []joiner
	for _, s := range e.shards {
		joining = append(joining, s.joining...)
		s.joining = s.joining[:0]
		e.releases.take(s)
	}
	for _, j := range joining {
		e.join(e.shards[e.shardOf(j.id)], j)
	}
	// Messages that arrive at the window's start have been dealt with, so
	// senders whose release is due then can be set free now.
	for at, ok := e.releases.next(); ok && at <= start; at, ok = e.releases.next() {
		e.setFree(e.releases.pop())
	}
}

// earliest returns the time of the shard's next turn, or of the arrival of a message
// that it has sent, whichever is earlier.
func (s *shard) earliest() units.Seconds {
	at := never
	if t, ok := s.turns.next(); ok {
		at = t
	}
	for _, id := range s.later {
		at = min(at, s.rank(id).due)
	}
	for i := range s.outgoing {
		at = min(at, s.outgoing[i].first)
	}
	return at
}

// window advances the shard to its bound.
func (s *shard) window() {
	s.current = none
	s.collect()
	// All of them are due in this window, which begins with the earliest of them,
	// except those that have been rescheduled since.
	late := s.later
	s.later = s.spare[:0]
	for _, id := range late {
		if s.engine.cancelled.Load() {
			return
		}
		if s.mayHappen(s.rank(id).due) {
			s.turn(id)
		}
	}
	s.spare = late
	for {
		at, ok := s.turns.next()
		if !ok || !s.mayHappen(at) {
			return
		}
		at, id := s.turns.pop()
		if s.engine.cancelled.Load() {
			return
		}
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

// parcel is a message on its way to another shard.
type parcel struct {
	to int32
	message
}

// mailbox holds what one shard has sent to another in a window.
type mailbox struct {
	blocks [][]parcel
	first  units.Seconds // the earliest arrival
}

// parcelBlock is the number of parcels in a block. Blocks have a fixed size and are
// reused, so growth leaves no garbage behind.
const parcelBlock = 512

// mail puts a message into the mailbox of another shard.
func (s *shard) mail(shard int, to int32, m *message) {
	box := &s.outgoing[shard]
	last := len(box.blocks) - 1
	if last < 0 || len(box.blocks[last]) == parcelBlock {
		var block []parcel
		if n := len(s.emptied); n > 0 {
			block, s.emptied = s.emptied[n-1], s.emptied[:n-1]
		} else {
			block = make([]parcel, 0, parcelBlock)
			s.engine.ledger.note(storedParcels, parcelBlock, parcelBlock*int64(unsafe.Sizeof(parcel{})))
		}
		box.blocks = append(box.blocks, block)
		last++
	}
	box.blocks[last] = append(box.blocks[last], parcel{to, *m})
	box.first = min(box.first, m.arrival)
}

// collect empties the mailboxes that the other shards filled for this one in the last
// window, and keeps the blocks for its own use.
func (s *shard) collect() {
	for _, from := range s.engine.shards {
		box := &from.incoming[s.number]
		for _, block := range box.blocks {
			for k := range block {
				s.deliver(block[k].to, &block[k].message)
			}
			s.emptied = append(s.emptied, block[:0])
		}
		box.blocks, box.first = box.blocks[:0], never
	}
}

func newMailboxes(n int) []mailbox {
	boxes := make([]mailbox, n)
	for i := range boxes {
		boxes[i].first = never
	}
	return boxes
}

// crew are the goroutines that advance shards through windows.
type crew struct {
	shards []*shard
	next   atomic.Int32 // the next shard that no worker has taken
	start  []chan struct{}
	done   sync.WaitGroup
}

func newCrew(shards []*shard, workers int) *crew {
	c := &crew{shards: shards, start: make([]chan struct{}, min(workers, len(shards)))}
	for i := range c.start {
		start := make(chan struct{}, 1)
		c.start[i] = start
		go func() {
			for range start {
				for n := c.next.Add(1); int(n) <= len(c.shards); n = c.next.Add(1) {
					c.shards[n-1].safeWindow()
				}
				c.done.Done()
			}
		}()
	}
	return c
}

// safeWindow is window, but keeps a panic for the driver: on this goroutine it would
// end the program.
func (s *shard) safeWindow() {
	defer func() {
		if p := recover(); p != nil {
			s.panicked = s.caught(p)
		}
	}()
	s.window()
}

// work takes every shard through one window.
func (c *crew) work() {
	c.next.Store(0)
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

// passOn tells the observer what the shards have kept, shard by shard.
func (e *engine) passOn() {
	for _, s := range e.shards {
		if t, ok := s.observer.(*told); ok {
			t.passOn(e.observer)
		}
	}
}
