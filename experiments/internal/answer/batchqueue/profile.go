package batchqueue

import (
	"math"
	"math/bits"
	"slices"
	"sort"

	"github.com/isoscale/isoscale/model/units"
)

// profile is the number of free nodes over time, as segments in blocks. A change touches
// only the blocks in its span, and a search skips blocks that cannot have what it looks
// for: each block knows, by class of size, for how long that many nodes are free in it.
type profile struct {
	starts  []units.Seconds // of the blocks
	blocks  []*block        // never empty
	classes int
	down    []step // the result of steps, kept for reuse
}

// block is a sequence of segments: free[k] nodes from times[k] up to the next time, in this
// block or the next one. The last segment of the profile has no end.
type block struct {
	times []units.Seconds
	free  []int
	known uint32 // bit c: the runs of class c are up to date
	runs  []runs // by class
}

// runs are spans of time in which at least 2^c nodes are free, for a class c.
type runs struct {
	// prefix is the end of the run with which the block begins: forever if the run does not
	// end in the block, the beginning of the block if there is no such run.
	prefix units.Seconds
	// longest is the length of the longest other run that ends in the block, rounded up.
	longest units.Seconds
	// suffix is the beginning of the run that does not end in the block; forever for none.
	suffix units.Seconds
}

// mostSegments is the number of segments above which a block of a short profile is divided.
const mostSegments = 64

var forever = units.Seconds(math.Inf(1))

func newProfile(from units.Seconds, nodes int) *profile {
	return &profile{
		starts:  []units.Seconds{from},
		blocks:  []*block{{times: []units.Seconds{from}, free: []int{nodes}}},
		classes: bits.Len(uint(nodes)),
	}
}

// last returns the index of the last time that is not after at; 0 if all are.
//
// Most time goes here; slices.BinarySearch, which allows for NaN, takes twice as long.
func last(times []units.Seconds, at units.Seconds) int {
	k, end := 0, len(times)
	for end-k > 1 {
		if middle := int(uint(k+end) / 2); times[middle] <= at {
			k = middle
		} else {
			end = middle
		}
	}
	return k
}

// find returns the block and the segment of a time; the first ones if it is before all.
func (p *profile) find(at units.Seconds) (b, k int) {
	b = last(p.starts, at)
	return b, last(p.blocks[b].times, at)
}

// forget drops what is before now.
func (p *profile) forget(now units.Seconds) {
	b, k := p.find(now)
	p.starts, p.blocks = p.starts[b:], p.blocks[b:]
	first := p.blocks[0]
	if k > 0 {
		first.times, first.free = slices.Delete(first.times, 0, k), slices.Delete(first.free, 0, k)
		first.known = 0
		p.starts[0] = first.times[0]
	}
}

// split makes a segment begin at a time and returns its block and its place there.
func (p *profile) split(at units.Seconds) (i, k int) {
	i, k = p.find(at)
	b := p.blocks[i]
	if b.times[k] >= at {
		return i, k
	}
	k++
	b.times = slices.Insert(b.times, k, at)
	b.free = slices.Insert(b.free, k, b.free[k-1])
	b.known = 0
	// In a long profile, searching over many blocks costs more than changing longer ones.
	if half := len(b.times) / 2; len(b.times) > max(mostSegments, len(p.blocks)/8) {
		right := &block{times: slices.Clone(b.times[half:]), free: slices.Clone(b.free[half:])}
		b.times, b.free = b.times[:half], b.free[:half]
		p.blocks = slices.Insert(p.blocks, i+1, right)
		p.starts = slices.Insert(p.starts, i+1, right.times[0])
		if k >= half {
			i, k = i+1, k-half
		}
	}
	return i, k
}

// take takes nodes for a span of time; give gives them back. Time before the profile
// is ignored.
func (p *profile) take(from, to units.Seconds, nodes int) {
	if to <= max(from, p.starts[0]) {
		return
	}
	p.split(to)
	first, begin := p.split(from)
	i, k := first, begin
	for ; i < len(p.blocks); i, k = i+1, 0 {
		b := p.blocks[i]
		if k < len(b.times) && b.times[k] < to {
			b.known = 0
		}
		for ; k < len(b.times) && b.times[k] < to; k++ {
			b.free[k] -= nodes
		}
		if k < len(b.times) {
			break
		}
	}
	p.join(i, k)
	p.join(first, begin)
}

func (p *profile) give(from, to units.Seconds, nodes int) { p.take(from, to, -nodes) }

// reaches returns the first time at which enough nodes are free, and the number free then.
// REQUIRES: that number never falls, as without reservations, and is enough in the end.
func (p *profile) reaches(nodes int) (at units.Seconds, free int) {
	i := sort.Search(len(p.blocks)-1, func(i int) bool { return p.blocks[i+1].free[0] >= nodes })
	b := p.blocks[i]
	k := sort.SearchInts(b.free, nodes)
	if k == len(b.free) {
		b, k = p.blocks[i+1], 0
	}
	return b.times[k], b.free[k]
}

// steps returns the numbers of nodes that stay free from the beginning of the profile up to certain
// times. Segments from end on are ignored.
func (p *profile) steps(end units.Seconds) []step {
	p.down = p.down[:0]
	free := p.blocks[0].free[0]
	for i := 0; i < len(p.blocks) && p.starts[i] < end && free > 0; i++ {
		b := p.blocks[i]
		for k, f := range b.free {
			if f < free {
				p.down = append(p.down, step{free, b.times[k]})
				free = f
			}
		}
	}
	p.down = append(p.down, step{free, forever})
	return p.down
}

// join unites segment k of block i with the one before it if they have equally many free nodes.
func (p *profile) join(i, k int) {
	b := p.blocks[i]
	before := 0
	switch {
	case k > 0:
		before = b.free[k-1]
	case i > 0:
		before = p.blocks[i-1].free[len(p.blocks[i-1].free)-1]
	default:
		return
	}
	if before != b.free[k] {
		return
	}
	b.times, b.free = slices.Delete(b.times, k, k+1), slices.Delete(b.free, k, k+1)
	b.known = 0
	switch {
	case len(b.times) == 0:
		p.blocks, p.starts = slices.Delete(p.blocks, i, i+1), slices.Delete(p.starts, i, i+1)
	case k == 0:
		p.starts[i] = b.times[0]
	}
}

func (b *block) of(class, classes int) runs {
	if b.known>>class&1 == 0 {
		b.update(class, classes)
	}
	return b.runs[class]
}

func (b *block) update(class, classes int) {
	if b.runs == nil {
		b.runs = make([]runs, classes)
	}
	b.known |= 1 << class
	r := runs{prefix: forever, suffix: b.times[0]}
	for k, free := range b.free {
		at := b.times[k]
		switch {
		case free >= 1<<class:
			r.suffix = min(r.suffix, at)
		case r.prefix == forever:
			r.prefix, r.suffix = at, forever
		case r.suffix < forever:
			// A search computes times by addition, which may round down.
			r.longest = max(r.longest, at-r.suffix+at*0x1p-51)
			r.suffix = forever
		}
	}
	b.runs[class] = r
}

// earliest returns the earliest time, from now on and before a limit, from which nodes nodes
// are free for a duration or up to the limit; false if there is none.
func (p *profile) earliest(nodes int, duration, now, limit units.Seconds) (units.Seconds, bool) {
	if limit <= now {
		return 0, false
	}
	class := bits.Len(uint(nodes)) - 1
	i := last(p.starts, now)
	// A run with enough nodes that reaches block i begins at open, in block at, or later.
	open, at := now, i
	for ; i < len(p.blocks) && p.starts[i] < limit; i++ {
		if open == forever {
			open, at = p.starts[i], i
		}
		if i+1 < len(p.blocks) && p.starts[i+1] < limit {
			r := p.blocks[i].of(class, p.classes)
			switch {
			case r.prefix == forever:
				if p.starts[i+1] < open+duration {
					continue
				}
			case r.longest < duration && r.prefix < open+duration:
				open, at = r.suffix, i
				continue
			}
		}
		var found bool
		if open, at, found = p.exact(at, i, nodes, duration, open, limit); found {
			return open, true
		}
	}
	return 0, false
}

// exact is earliest within the blocks first to end. If they have no such time, it returns
// the beginning and the block of the run that goes on beyond them; forever for none.
func (p *profile) exact(first, end, nodes int, duration, now, limit units.Seconds) (units.Seconds, int, bool) {
	open, at := forever, end
	for i := first; i <= end; i++ {
		b := p.blocks[i]
		k := 0
		if i == first {
			k = last(b.times, now)
		}
		for ; k < len(b.times) && b.times[k] < limit; k++ {
			switch {
			case b.times[k] >= open+duration:
				return open, at, true
			case b.free[k] < nodes:
				open = forever
			case open == forever:
				open, at = max(b.times[k], now), i
			}
		}
	}
	ends := end+1 == len(p.blocks) || p.starts[end+1] >= limit
	return open, at, ends && open < forever
}
