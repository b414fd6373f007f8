package flow

import (
	"github.com/isoscale/isoscale/model/internal/sharing"
	"github.com/isoscale/isoscale/model/units"
)

// Usage is what the links of a machine did in a run. Between two events rates are
// constant, so every figure is exact. Recording costs time for each link in use at each
// event.
type Usage struct {
	Links []LinkUsage   // by link
	Until units.Seconds // the end of the record
	// Recorded tells whether Record was called; without it, links have only Lost.
	Recorded bool
	// Width is the length of a bin of LinkUsage.Bins.
	Width units.Seconds
}

// LinkUsage is what one link did.
type LinkUsage struct {
	Messages int64         // that crossed it; a shared medium counts both directions
	Bytes    units.Bytes   // of those, envelopes included
	Busy     units.Seconds // with something on it
	Mean     float64       // part of the capacity used, averaged over the whole time
	Peak     float64       // the largest part ever used
	// Lost is how much longer flows took because this link was their bottleneck: the
	// integral over time of the sum, over the flows that the link holds back, of 1 -
	// rate/rate alone.
	Lost units.Seconds
	// Bins[i] is the part of the capacity used from i Width to (i+1) Width; nil if the
	// link was never used or there are too many links.
	Bins []float32
}

const (
	// maxBins is the largest number of bins; a run fills at least half of them.
	maxBins = 240
	// maxCells bounds the bins of all links together.
	maxCells = 1 << 24
)

// recorder watches the links in use.
type recorder struct {
	links  []record
	active []int32 // all links in use, and perhaps some that no longer are
	last   units.Seconds
	width  units.Seconds // of a bin; 0 until time has passed
	bins   bool
}

type record struct {
	LinkUsage
	used   float64 // integral of the part of the capacity used, in seconds
	active bool
}

// Record makes the model keep a record of its links from now on.
func (f *Model) Record() {
	f.record = &recorder{links: make([]record, len(f.machine.Links)), bins: len(f.machine.Links) <= maxCells/maxBins}
}

// crossed counts a message of which size bytes start to flow over a link.
func (r *recorder) crossed(link int32, size units.Bytes) {
	r.links[link].Messages++
	r.links[link].Bytes += size
}

// uses marks the links of a new flow as in use.
func (r *recorder) uses(uses []sharing.Use) {
	for _, u := range uses {
		if l := int32(u.Resource); !r.links[l].active {
			r.links[l].active = true
			r.active = append(r.active, l)
		}
	}
}

// elapse records the use of the links from the last event to the next.
func (r *recorder) elapse(f *Model, to units.Seconds) {
	from := r.last
	dt := to - from
	if dt <= 0 {
		return
	}
	r.last = to
	if r.bins {
		r.widen(to)
	}
	kept := r.active[:0]
	for _, l := range r.active {
		rec := &r.links[l]
		if f.shared.Flows(sharing.Resource(l)) == 0 {
			rec.active = false
			continue
		}
		kept = append(kept, l)
		load := f.shared.Load(sharing.Resource(l)) / float64(f.machine.Links[l].Bandwidth)
		rec.Busy += dt
		rec.Peak = max(rec.Peak, load)
		rec.used += float64(load * float64(dt))
		if r.bins {
			rec.fill(from, to, r.width, load)
		}
	}
	r.active = kept
}

// widen makes the bins wide enough for maxBins of them to reach t.
func (r *recorder) widen(t units.Seconds) {
	if r.width == 0 {
		r.width = max(t/(maxBins/2), 1e-300) // not 0, which no doubling widens
	}
	for t > maxBins*r.width {
		r.width *= 2
		for i := range r.links {
			b := r.links[i].Bins
			for j := range b {
				if j%2 == 0 {
					b[j/2] = b[j] / 2
				} else {
					b[j/2] += float32(b[j] / 2)
				}
			}
			r.links[i].Bins = b[:(len(b)+1)/2]
		}
	}
}

// fill adds a load over a stretch of time to the bins.
func (rec *record) fill(from, to, width units.Seconds, load float64) {
	first, last := int(from/width), min(int(to/width), maxBins-1)
	for len(rec.Bins) <= last {
		rec.Bins = append(rec.Bins, 0)
	}
	for i := first; i <= last; i++ {
		begin, end := max(from, units.Seconds(i)*width), min(to, units.Seconds(i+1)*width)
		rec.Bins[i] += float32(load * float64((end-begin)/width))
	}
}

// Usage returns the record up to now or, if that is later, up to the last event: a
// message that no rank receives may end after all ranks. Without Record it has only the
// Lost of each link.
func (f *Model) Usage(now units.Seconds) *Usage {
	if f.record != nil {
		now = max(now, f.record.last)
	}
	u := &Usage{Links: make([]LinkUsage, len(f.machine.Links)), Until: now}
	if r := f.record; r != nil {
		r.elapse(f, now)
		u.Width, u.Recorded = r.width, true
		for i := range u.Links {
			u.Links[i] = r.links[i].LinkUsage
			if now > 0 {
				u.Links[i].Mean = r.links[i].used / float64(now)
			}
		}
	}
	for i := range u.Links {
		u.Links[i].Lost = f.shared.Lost(now, sharing.Resource(i))
	}
	return u
}
