package goalsim

import (
	"fmt"
	"strings"

	"github.com/isoscale/isoscale/workloads/goal"
)

// maxBlocked bounds the list of a DeadlockError: a schedule has millions of
// operations.
const maxBlocked = 1000

// DeadlockError reports that some operations can never start or end.
type DeadlockError struct {
	Time       Nanoseconds // when the last core became free
	Hosts      int         // of the schedule
	Stuck      int         // hosts with operations that are not done
	Unfinished int         // operations that are not done
	Blocked    []Blocked   // by rank, at least one operation of each stuck host until the list is full
}

// Blocked is an operation that waits for ever.
type Blocked struct {
	Rank      int
	Operation string      // "send", "recv" or "calc"
	Peer      int32       // or goal.AnySource; meaningless for a calc
	Tag       uint32      // or goal.AnyTag; meaningless for a calc
	Size      uint64      // bytes, or ns for a calc
	Line      int         // of the file, 0 if not known
	Since     Nanoseconds // recv: when it was posted; send: when its message arrived
	Waits     string      // "for a message", "to be received", "for its dependencies"
}

// How much of a deadlock Error lists.
const (
	listedHosts      = 16
	listedOperations = 4 // of one host
)

// Error names the blocked operations, one on a line: at most 4 of each of the first
// 16 hosts.
func (d *DeadlockError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "deadlock at %d ns: %d of %d hosts are blocked for ever, with %d operations not done",
		d.Time, d.Stuck, d.Hosts, d.Unfinished)
	hosts := 0
	for rest := d.Blocked; len(rest) > 0 && hosts < listedHosts; hosts++ {
		n := 1
		for n < len(rest) && rest[n].Rank == rest[0].Rank {
			n++
		}
		for _, x := range rest[:min(n, listedOperations)] {
			b.WriteString("\n  " + x.String())
		}
		if n > listedOperations {
			fmt.Fprintf(&b, "\n  rank %d: and more", rest[0].Rank)
		}
		rest = rest[n:]
	}
	if hosts < d.Stuck {
		fmt.Fprintf(&b, "\n  and %d more hosts", d.Stuck-hosts)
	}
	return b.String()
}

// String describes one operation on one line.
func (x Blocked) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "rank %d: %s", x.Rank, x.Operation)
	if x.Operation != goal.Calc.String() {
		peer, tag := fmt.Sprint(x.Peer), fmt.Sprint(x.Tag)
		if x.Peer == goal.AnySource {
			peer = "any"
		}
		if x.Tag == goal.AnyTag {
			tag = "any"
		}
		fmt.Fprintf(&b, ", peer %s, tag %s, %d bytes", peer, tag, x.Size)
	}
	b.WriteString(place(x.Line) + " waits " + x.Waits)
	if x.Waits != waitsForDependencies {
		fmt.Fprintf(&b, " since %d ns", x.Since)
	}
	return b.String()
}

const (
	waitsForMessage      = "for a message"
	waitsForReceive      = "to be received"
	waitsForDependencies = "for its dependencies"
)

// deadlock describes what remains. An operation that waits for another one of
// its rank is listed only if the rank has none that waits for another rank:
// then the dependencies form a circle.
func (x *run) deadlock() *DeadlockError {
	d := &DeadlockError{Hosts: x.schedule.Ranks(), Unfinished: len(x.state) - x.finished, Time: x.result().Makespan}
	for rank := range d.Hosts {
		first, end := x.schedule.Rank(rank)
		inner, listed := int32(none), false
		for i := first; i < end; i++ {
			s := &x.state[i]
			switch {
			case s.left == done:
			case s.left == started && x.ops[i].Kind == goal.Recv:
				listed = true
				d.add(x.blocked(i, waitsForMessage))
			case s.left == started:
				listed = true
				d.add(x.blocked(i, waitsForReceive))
			case inner == none:
				inner = i
			}
		}
		if inner != none && !listed {
			listed = true
			d.add(x.blocked(inner, waitsForDependencies))
		}
		if listed {
			d.Stuck++
		}
	}
	return d
}

func (d *DeadlockError) add(b Blocked) {
	if len(d.Blocked) < maxBlocked {
		d.Blocked = append(d.Blocked, b)
	}
}

func (x *run) blocked(i int32, waits string) Blocked {
	op := &x.ops[i]
	b := Blocked{Rank: int(op.Rank), Operation: op.Kind.String(), Peer: op.Peer, Tag: op.Tag, Size: op.Size,
		Line: x.schedule.Line(i), Waits: waits}
	if waits != waitsForDependencies {
		b.Since = x.state[i].since()
	}
	return b
}
