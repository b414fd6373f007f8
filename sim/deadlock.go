package sim

import (
	"fmt"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
)

// DeadlockError reports that nothing can happen any more although some ranks
// have not finished.
type DeadlockError struct {
	Time    units.Seconds // until when the ranks got
	Ranks   int           // of the program
	Blocked []Blocked     // every blocked rank, ascending; never empty
}

// Blocked is one rank in a deadlock and one thing that it waits for. A rank in
// a Waitall appears once for each request that is not done.
type Blocked struct {
	Rank      int
	Operation string        // as "recv", "waitall (irecv)", "barrier"
	Peer      int32         // the rank it waits for, or workloads.AnySource, or -1 for a collective without root
	Tag       int32         // or workloads.AnyTag
	Since     units.Seconds // when the rank blocked
	Note      string        // what else is known, as "rank 3 has finished"
	meeting   bool
}

// Error names every blocked rank on a line of its own.
func (d *DeadlockError) Error() string {
	var b strings.Builder
	ranks := 0
	for i, x := range d.Blocked {
		if i == 0 || x.Rank != d.Blocked[i-1].Rank {
			ranks++
		}
	}
	fmt.Fprintf(&b, "deadlock at %v: %d of %d ranks are blocked for ever", d.Time, ranks, d.Ranks)
	for _, x := range d.Blocked {
		b.WriteString("\n  " + x.String())
	}
	return b.String()
}

func (x Blocked) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "rank %d: %s", x.Rank, x.Operation)
	if !x.meeting {
		if x.Peer == workloads.AnySource {
			b.WriteString(", peer any")
		} else {
			fmt.Fprintf(&b, ", peer %d", x.Peer)
		}
		if x.Tag == workloads.AnyTag {
			b.WriteString(", tag any")
		} else {
			fmt.Fprintf(&b, ", tag %d", x.Tag)
		}
	}
	fmt.Fprintf(&b, ", since %v", x.Since)
	if x.Note != "" {
		b.WriteString(" (" + x.Note + ")")
	}
	return b.String()
}

// deadlock describes the ranks that have not finished.
func (e *engine) deadlock() *DeadlockError {
	d := &DeadlockError{Ranks: int(e.ranks)}
	inside := e.meets.inside(e)
	for _, s := range e.shards {
		for i := range s.ranks {
			r, id := &s.ranks[i], s.first+int32(i)
			d.Time = max(d.Time, r.clock)
			switch r.state {
			case blockedRequest:
				d.Blocked = append(d.Blocked, s.blockedOn(id, r.waiting, r.clock, ""))
			case blockedAll:
				// The list of open requests is latest first; report in program order.
				from := len(d.Blocked)
				for q := r.open; q != none; q = s.reqs.rec[q].nextOpen {
					if s.reqs.rec[q].awaited {
						d.Blocked = append(d.Blocked, s.blockedOn(id, q, s.asides[i].since, "waitall "))
					}
				}
				slices.Reverse(d.Blocked[from:])
			case blockedMeeting:
				m := inside[id]
				d.Blocked = append(d.Blocked, Blocked{
					Rank: int(id), Operation: m.collective.String(), Peer: -1, Tag: -1, Since: s.asides[i].since, meeting: true,
					Note: fmt.Sprintf("%d of %d ranks have called it", m.entered, m.members),
				})
			}
		}
	}
	return d
}

// inside returns the meeting that each waiting rank is in.
func (ms *meetings) inside(e *engine) map[int32]*meeting {
	where := map[int32]*meeting{}
	for _, m := range ms.open { // any order: every rank is in one meeting at most
		for id := m.waiting; id != none; id = e.shards[e.shardOf(id)].aside(id).inMeeting {
			where[id] = m
		}
	}
	return where
}

func (s *shard) blockedOn(id, q int32, since units.Seconds, prefix string) Blocked {
	p := &s.reqs.rec[q]
	x := Blocked{Rank: int(id), Peer: p.peer, Tag: p.tag, Since: since}
	x.Operation = prefix + "recv"
	if p.send {
		x.Operation = prefix + "send"
		x.Note = fmt.Sprintf("%v, rendezvous", p.size)
	}
	if p.peer >= 0 && s.engine.rank(p.peer).state == finished {
		x.Note = strings.TrimPrefix(x.Note+fmt.Sprintf(", rank %d has finished", p.peer), ", ")
	}
	return x
}
