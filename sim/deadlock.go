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
	d := &DeadlockError{Ranks: len(e.ranks)}
	for i := range e.ranks {
		r := &e.ranks[i]
		d.Time = max(d.Time, r.clock)
		switch r.state {
		case blockedRequest:
			d.Blocked = append(d.Blocked, e.blockedOn(i, r, r.waiting, ""))
		case blockedAll:
			// The list of open requests is latest first; report in program order.
			from := len(d.Blocked)
			for q := r.open; q != none; q = e.reqs.rec[q].nextOpen {
				if e.reqs.rec[q].state != done {
					d.Blocked = append(d.Blocked, e.blockedOn(i, r, q, "waitall "))
				}
			}
			slices.Reverse(d.Blocked[from:])
		case blockedMeeting:
			m := e.meets.at(r.meeting - 1)
			d.Blocked = append(d.Blocked, Blocked{
				Rank: i, Operation: m.collective.String(), Peer: -1, Tag: -1, Since: r.since, meeting: true,
				Note: fmt.Sprintf("%d of %d ranks have called it", m.entered, len(e.ranks)),
			})
		}
	}
	return d
}

func (e *engine) blockedOn(id int, r *rank, q int32, prefix string) Blocked {
	p := &e.reqs.rec[q]
	x := Blocked{Rank: id, Peer: p.peer, Tag: p.tag, Since: r.since}
	x.Operation = prefix + "recv"
	if p.send {
		x.Operation = prefix + "send"
		x.Note = fmt.Sprintf("%v, rendezvous", p.size)
	}
	if p.peer >= 0 && e.ranks[p.peer].state == finished {
		x.Note = strings.TrimPrefix(x.Note+fmt.Sprintf(", rank %d has finished", p.peer), ", ")
	}
	return x
}
