package batchqueue

import (
	"slices"
	"sort"

	"github.com/isoscale/isoscale/model/units"
)

// profile is how many nodes are free over time: free[i] from times[i] up to times[i+1],
// the last for ever.
type profile struct {
	times []units.Seconds
	free  []int
}

func newProfile(from units.Seconds, nodes int) *profile {
	return &profile{[]units.Seconds{from}, []int{nodes}}
}

// forget drops what is before now.
func (p *profile) forget(now units.Seconds) {
	k := p.segment(now)
	p.times, p.free = p.times[k:], p.free[k:]
}

// segment returns the segment that a time is in, the first if it is before all.
func (p *profile) segment(at units.Seconds) int {
	k, exact := slices.BinarySearch(p.times, at)
	if !exact {
		k--
	}
	return max(k, 0)
}

// split makes a segment begin at a time and returns it.
func (p *profile) split(at units.Seconds) int {
	k := p.segment(at)
	if p.times[k] >= at {
		return k
	}
	p.times = slices.Insert(p.times, k+1, at)
	p.free = slices.Insert(p.free, k+1, p.free[k])
	return k + 1
}

// take takes nodes for a span of time; give gives them back. What is before the
// profile counts for nothing.
func (p *profile) take(from, to units.Seconds, nodes int) {
	if to <= p.times[0] {
		return
	}
	first, end := p.split(from), p.split(to)
	for k := first; k < end; k++ {
		p.free[k] -= nodes
	}
	p.join(end)
	p.join(first)
}

func (p *profile) give(from, to units.Seconds, nodes int) { p.take(from, to, -nodes) }

// join makes one segment of a segment and the one before it if they are equal.
func (p *profile) join(k int) {
	if k > 0 && k < len(p.free) && p.free[k] == p.free[k-1] {
		p.times = slices.Delete(p.times, k, k+1)
		p.free = slices.Delete(p.free, k, k+1)
	}
}

// earliest returns the earliest time, from now on, at which nodes are free for a
// duration.
func (p *profile) earliest(nodes int, duration, now units.Seconds) units.Seconds {
	for k := p.segment(now); ; k++ {
		if p.free[k] < nodes {
			continue
		}
		at := max(p.times[k], now)
		// The first segment with too few nodes decides whether they are free long enough.
		for k++; k < len(p.free) && p.free[k] >= nodes; k++ {
		}
		if k == len(p.free) || p.times[k] >= at+duration {
			return at
		}
	}
}

// peaks returns, for each segment, the most nodes free in it or one before it.
func (p *profile) peaks(buffer []int) []int {
	buffer = append(buffer[:0], p.free...)
	for k := 1; k < len(buffer); k++ {
		buffer[k] = max(buffer[k], buffer[k-1])
	}
	return buffer
}

// before returns how many segments begin before a time.
func (p *profile) before(at units.Seconds) int {
	return sort.Search(len(p.times), func(k int) bool { return p.times[k] >= at })
}
