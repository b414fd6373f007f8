package sim

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/internal/wrapped"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim/kernel"
	"github.com/isoscale/isoscale/workloads"
)

// DeadlockError reports that nothing can happen any more although some ranks
// have not finished.
type DeadlockError struct {
	Time    units.Seconds // that the ranks have reached
	Ranks   int           // of the program
	Blocked []Blocked     // every blocked rank, ascending; never empty
	// Processes that wait for events.
	Processes []kernel.Blocked
	All       bool // Error lists all blocked ranks, not only the first
}

// Blocked is one rank in a deadlock and one thing that it waits for. A rank in
// a Waitall appears once for each request that is not done.
type Blocked struct {
	Rank      int
	Operation string        // as "recv", "waitall recv", "barrier"
	Peer      int32         // the rank it waits for, or workloads.AnySource, or -1 for a collective without root
	Tag       int32         // or workloads.AnyTag
	Since     units.Seconds // when the rank blocked
	Call      string        // the call of the program that it belongs to, as "allreduce"; "" if that is not known
	Place     string        // where the call is written, as "ring.ti:12"; "" if that is not known
	Note      string        // what else is known, as "rank 3 has finished"
	meeting   bool
	alone     bool // without peer and tag
}

// Caller may be implemented by a program that knows which of its calls an operation
// belongs to. It is asked when the run has failed.
type Caller interface {
	// Call returns the name of the call that the rank is in, as "allreduce", and where
	// it is written, as "ring.ti:12"; either is "" if unknown.
	Call(rank int) (name, place string)
}

// Placer may be implemented by a program that knows where an operation is written
// ([workloads.Op].Place). It is asked when the run has failed.
type Placer interface {
	// Place returns the place with a number of an operation of the rank, as "ring.ti:12".
	Place(rank int, number int32) string
}

// How much of a deadlock Error lists unless All is set.
const (
	listedRanks    = 16 // one by one; up to this number are never summed up
	listedRequests = 4  // of one rank
)

// Error names the blocked ranks, with a line for each thing that one waits for. If
// there are more than 16 ranks, those in the same collective operation share a line,
// and only the first 16 of the others are listed; All lists every rank.
func (d *DeadlockError) Error() string {
	var b strings.Builder
	ranks := 0
	for i, x := range d.Blocked {
		if i == 0 || x.Rank != d.Blocked[i-1].Rank {
			ranks++
		}
	}
	fmt.Fprintf(&b, "deadlock at %v: %d of %d ranks are blocked for ever", d.Time, ranks, d.Ranks)
	if d.All {
		for _, x := range d.Blocked {
			b.WriteString("\n  " + x.String())
		}
		d.writeProcesses(&b)
		return b.String()
	}
	rest := d.Blocked
	if ranks > listedRanks {
		var groups []gathering
		groups, rest = gather(rest)
		for _, g := range groups {
			b.WriteString("\n  " + g.String())
			ranks -= len(g.ranks)
		}
	}
	for listed := 0; len(rest) > 0; listed++ {
		if listed == listedRanks {
			fmt.Fprintf(&b, "\n  and %d more", ranks-listed)
			break
		}
		n := 1
		for n < len(rest) && rest[n].Rank == rest[0].Rank {
			n++
		}
		for _, x := range rest[:min(n, listedRequests)] {
			b.WriteString("\n  " + x.String())
		}
		if n > listedRequests {
			fmt.Fprintf(&b, "\n  rank %d: and %d more", rest[0].Rank, n-listedRequests)
		}
		rest = rest[n:]
	}
	d.writeProcesses(&b)
	return b.String()
}

// writeProcesses writes a line for each process.
func (d *DeadlockError) writeProcesses(b *strings.Builder) {
	for _, p := range d.Processes {
		b.WriteString("\n  process " + p.String())
	}
}

// gathering has the ranks that are blocked in one collective operation.
type gathering struct {
	collective string
	place      string // of the first rank
	note       string
	ranks      []int         // ascending
	since      units.Seconds // of the first to block
}

// collective returns the name of the collective operation that the rank is
// blocked in.
func (x Blocked) collective() (name string, known bool) {
	switch {
	case x.meeting:
		return x.Operation, true
	case x.Tag >= workloads.CollectiveTag:
		return x.Call, x.Call != ""
	}
	return "", false
}

// gather moves ranks that are blocked in the same collective operation out of a list.
// Operations keep the order in which they first occur.
func gather(blocked []Blocked) (groups []gathering, rest []Blocked) {
	number := map[[2]string]int{}
	for _, x := range blocked {
		name, known := x.collective()
		if !known {
			rest = append(rest, x)
			continue
		}
		note := ""
		if x.meeting {
			note = x.Note // the same for all ranks of a group, and different for each group
		}
		i, again := number[[2]string{name, note}]
		if !again {
			i = len(groups)
			number[[2]string{name, note}] = i
			groups = append(groups, gathering{collective: name, place: x.Place, note: note, since: x.Since})
		}
		g := &groups[i]
		g.since = min(g.since, x.Since)
		if n := len(g.ranks); n == 0 || g.ranks[n-1] != x.Rank {
			g.ranks = append(g.ranks, x.Rank)
		}
	}
	return groups, rest
}

// writeRanks writes ascending ranks as " 0-3, 8", or only the first ones if there are
// many gaps.
func writeRanks(b *strings.Builder, ranks []int) {
	const most = 8 // pieces of the list
	for i, pieces := 0, 0; i < len(ranks); pieces++ {
		if pieces == most {
			fmt.Fprintf(b, " and %d more", len(ranks)-i)
			break
		}
		last := i
		for last+1 < len(ranks) && ranks[last+1] == ranks[last]+1 {
			last++
		}
		if pieces > 0 {
			b.WriteString(",")
		}
		fmt.Fprintf(b, " %d", ranks[i])
		if last > i {
			fmt.Fprintf(b, "-%d", ranks[last])
		}
		i = last + 1
	}
}

func (g gathering) String() string {
	var b strings.Builder
	writeRanks(&b, g.ranks)
	s := fmt.Sprintf("in %s:%s, the first since %v", g.collective, b.String(), g.since)
	if len(g.ranks) == 1 {
		s = fmt.Sprintf("rank%s: %s, since %v", b.String(), g.collective, g.since)
	} else {
		s = fmt.Sprintf("%d ranks ", len(g.ranks)) + s
	}
	if g.place != "" {
		s += ", at " + g.place
	}
	if g.note != "" {
		s += " (" + g.note + ")"
	}
	return s
}

// String describes one thing that a rank waits for on one line.
func (x Blocked) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "rank %d: %s", x.Rank, x.Operation)
	if !x.alone {
		if name, known := x.collective(); known {
			b.WriteString(" in " + name)
		}
		switch x.Peer {
		case workloads.AnySource:
			b.WriteString(", peer any")
		case workloads.FromProcess:
			b.WriteString(", from a process")
		default:
			fmt.Fprintf(&b, ", peer %d", x.Peer)
		}
		switch {
		case x.Tag == workloads.AnyTag:
			b.WriteString(", tag any")
		case x.Tag >= workloads.CollectiveTag:
			b.WriteString(", tag collective")
		default:
			fmt.Fprintf(&b, ", tag %d", x.Tag)
		}
	}
	fmt.Fprintf(&b, ", since %v", x.Since)
	if x.Place != "" {
		b.WriteString(", at " + x.Place)
	}
	if x.Note != "" {
		b.WriteString(" (" + x.Note + ")")
	}
	return b.String()
}

// deadlock describes the ranks that have not finished.
func (e *engine) deadlock() *DeadlockError {
	d := &DeadlockError{Ranks: int(e.ranks)}
	inside := e.meets.inside(e)
	if e.world != nil {
		d.Processes = e.world.blocked
	}
	for _, s := range e.shards {
		for i := range s.ranks {
			r, id := &s.ranks[i], s.first+int32(i)
			d.Time = max(d.Time, r.clock)
			if since, is := e.world.stoppedSince(id); is && r.state != finished {
				d.Blocked = append(d.Blocked, Blocked{Rank: int(id), Operation: "stopped", Peer: -1, Tag: -1,
					Since: since, alone: true})
				continue
			}
			switch r.state {
			case blockedEvent:
				d.Blocked = append(d.Blocked, Blocked{
					Rank: int(id), Operation: "await", Peer: -1, Tag: -1, Since: s.coldStates[i].since, alone: true,
					Note: fmt.Sprintf("event %q", e.events[s.coldStates[i].inMeeting].name),
				})
			case blockedRequest:
				d.Blocked = append(d.Blocked, s.blockedOn(id, r.waiting, r.clock, ""))
			case blockedProbe:
				x := s.blockedOn(id, r.waiting, r.clock, "")
				x.Operation = "probe"
				d.Blocked = append(d.Blocked, x)
			case blockedAll:
				// The list of open requests is latest first; report in program order.
				from := len(d.Blocked)
				for q := r.open; q != none; q = s.reqs.rec[q].nextOpen {
					if s.reqs.rec[q].is(requestAwaited) {
						d.Blocked = append(d.Blocked, s.blockedOn(id, q, s.coldStates[i].since, "waitall "))
					}
				}
				slices.Reverse(d.Blocked[from:])
			case blockedMeeting:
				m := inside[id]
				d.Blocked = append(d.Blocked, Blocked{
					Rank: int(id), Operation: m.collective.String(), Peer: -1, Tag: -1, Since: s.coldStates[i].since,
					meeting: true, alone: true,
					Note: fmt.Sprintf("%d of %d ranks have called it", m.entered, m.members),
				})
			}
		}
	}
	if c, ok := wrapped.Outermost[Caller](e.shards[0].program); ok {
		for i := range d.Blocked {
			x := &d.Blocked[i]
			x.Call, x.Place = c.Call(x.Rank)
		}
	}
	if p, ok := wrapped.Outermost[*Program](e.shards[0].program); ok {
		for i := range d.Blocked {
			p.explain(&d.Blocked[i])
		}
	}
	if e.all > e.ranks {
		e.foldBlocked(d.Blocked)
	}
	return d
}

// foldBlocked reports what streams wait for as waits of their ranks.
func (e *engine) foldBlocked(blocked []Blocked) {
	for i := range blocked {
		x := &blocked[i]
		if stream := int32(x.Rank) / e.ranks; stream > 0 {
			x.Rank %= int(e.ranks)
			x.Note = strings.TrimPrefix(x.Note+fmt.Sprintf(", on stream %d", stream), ", ")
		}
		if x.Peer >= 0 {
			x.Peer %= e.ranks
		}
	}
	slices.SortStableFunc(blocked, func(a, b Blocked) int { return cmp.Compare(a.Rank, b.Rank) })
}

// inside returns the meeting that each waiting rank is in.
func (ms *meetings) inside(e *engine) map[int32]*meeting {
	where := map[int32]*meeting{}
	for _, m := range ms.open { // any order: every rank is in one meeting at most
		for id := m.waiting; id != none; id = e.shards[e.shardOf(id)].coldState(id).inMeeting {
			where[id] = m
		}
	}
	return where
}

func (s *shard) blockedOn(id, q int32, since units.Seconds, prefix string) Blocked {
	p := &s.reqs.rec[q]
	x := Blocked{Rank: int(id), Peer: p.peer, Tag: p.tag, Since: since}
	if p.is(requestStream) {
		x.Operation, x.Peer, x.alone = prefix+"wait", -1, true
		x.Note = fmt.Sprintf("for stream %d", p.peer/s.engine.ranks)
		return x
	}
	x.Operation = prefix + "recv"
	if p.is(requestSend) {
		x.Operation = prefix + "send"
		x.Note = fmt.Sprintf("%v, rendezvous", p.size)
	}
	if p.peer >= 0 {
		ended := ""
		switch s.engine.rank(p.peer).state {
		case finished:
			ended = "has finished"
		case resting:
			ended = "has begun nothing there"
		case lost:
			ended = "has failed with its node"
		default:
			return x
		}
		x.Note = strings.TrimPrefix(x.Note+fmt.Sprintf(", rank %d %s", p.peer%s.engine.ranks, ended), ", ")
	}
	return x
}
