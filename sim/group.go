package sim

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/isoscale/isoscale/sim/internal/matching"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
)

// group is a subset of the ranks of a program, which call collective operations and
// send messages among themselves. The tags of its messages belong to a context of the
// group, so that no receive outside the group takes them (see [matching.AnyOf]). Groups
// with the same context have no member in common.
type group struct {
	members []int32         // numbers among all ranks
	place   map[int32]int32 // number in the group by number among all
	context int32
	number  int32              // unique in the program
	calls   []collective.Calls // of its members, and of each of their streams
}

var _ collective.Group = (*group)(nil)

// mostGroupTag is the largest tag of a group: the largest that MPI promises.
const mostGroupTag = int(matching.ContextTags/2 - 1)

// Size implements [collective.Group].
func (g *group) Size() int { return len(g.members) }

// World implements [collective.Group].
func (g *group) World(i int) int32 { return g.members[i] }

// tag translates a tag of the group into one of the whole program.
func (g *group) tag(tag int32) int32 {
	return workloads.CollectiveTag + g.context*matching.ContextTags + tag
}

// collectiveTag returns the tag of messages of its collective operations.
func (g *group) collectiveTag() int32 { return g.tag(int32(mostGroupTag) + 1) }

// status returns a status with the source as numbered in the group; a nil group has all ranks.
func (g *group) status(s Status) Status {
	if g == nil || s == (Status{}) {
		return s
	}
	return Status{Source: int(g.place[int32(s.Source)]), Tag: s.Tag - int(g.tag(0)), Size: s.Size}
}

// String names the members, as "ranks 0-3, 8".
func (g *group) String() string {
	if len(g.members) == 1 {
		return fmt.Sprintf("rank %d", g.members[0])
	}
	ranks := make([]int, len(g.members))
	for i, m := range g.members {
		ranks[i] = int(m)
	}
	slices.Sort(ranks)
	var b strings.Builder
	writeRanks(&b, ranks)
	return "ranks" + b.String()
}

// Among returns the caller as a member of the group of all ranks that pass the same x, in
// the order of their present numbers. In a grid of processes, r.Among(row) is the group of
// a row, r.Among(column) that of a column. It is Split(x, r.Rank()), and takes as long.
func (r *Rank) Among(x int) *Rank { return r.Split(x, r.Rank()) }

// Split divides the group: ranks that pass the same colour form a new group, in the
// order of their keys and, where these are equal, of their present numbers. The result
// is the caller as a member of the new group; it is nil if colour is below 0. The
// messages of a group are separate from those of others, also for receives with
// wildcards. Their tags are from 0 to 32767.
//
// All ranks of the group must call it, equally often and in the same order. It takes
// the time of an Allgather of 8 bytes, in which they exchange colours and keys.
func (r *Rank) Split(colour, key int) *Rank {
	const call = "split"
	r.enter()
	if r.stream > 0 {
		fail(call, "called on a stream; expected a call by the rank itself")
	}
	all := &r.program.groups
	name := splitName{number: r.splits, leader: r.peer(call, 0)}
	if r.group != nil {
		name.context = r.group.context
	}
	r.splits++
	rare := r.seldom()
	s := all.enter(name, r.Size(), int(r.rank), wish{colour, key, r.number, rare.contexts})
	carryOutAs(r, call, workloads.Allgather, 0, 8, collective.Uniform(r.Size(), 8), 0)
	g, context, err := all.leave(name, s, colour)
	if err != nil {
		fail(call, "%v", err)
	}
	rare.contexts = context
	if g == nil {
		return nil
	}
	rare.groups = append(rare.groups, g)
	return &Rank{process: r.process, group: g, rank: g.place[r.number]}
}

// groups are the groups of a program. Several cores may make groups at the same time.
type groups struct {
	sync.Mutex
	streams int // of each rank
	splits  map[splitName]*split
	all     []*group // made so far
}

// splitName identifies a call of Split: the call with this number in the group with
// this context and this first member.
type splitName struct{ context, leader, number int32 }

// split is a call of Split that some ranks have entered and not all have left.
type split struct {
	wishes  []wish // by number in the group that is split
	entered int
	left    int
	of      map[int]*group // by colour, once all have entered
}

// wish is what a rank passes to Split: colour and key, its number among all ranks, and
// the largest context of its groups.
type wish struct {
	colour, key    int
	rank, contexts int32
}

func (gs *groups) enter(name splitName, size, place int, w wish) *split {
	gs.Lock()
	defer gs.Unlock()
	s := gs.splits[name]
	if s == nil {
		if gs.splits == nil {
			gs.splits = map[splitName]*split{}
		}
		s = &split{wishes: make([]wish, size)}
		gs.splits[name] = s
	}
	s.wishes[place] = w
	s.entered++
	return s
}

// leave returns the group of a colour (nil if the colour is below 0) and its context.
// The context is one more than the largest of any rank that takes part, so no two
// groups of a rank share one, whatever the order in which the engine advances ranks.
func (gs *groups) leave(name splitName, s *split, colour int) (*group, int32, error) {
	gs.Lock()
	defer gs.Unlock()
	if s.entered < len(s.wishes) {
		return nil, 0, fmt.Errorf("left when %d of %d ranks had called it; expected an algorithm of allgather in which everybody waits for all, and calls in the same order on all ranks", s.entered, len(s.wishes))
	}
	context := slices.MaxFunc(s.wishes, func(a, b wish) int { return cmp.Compare(a.contexts, b.contexts) }).contexts + 1
	if context > matching.Contexts {
		return nil, 0, fmt.Errorf("a rank in more than %d groups; expected at most that many", matching.Contexts)
	}
	if s.of == nil {
		s.of = gs.divide(s.wishes, context)
	}
	if s.left++; s.left == len(s.wishes) {
		delete(gs.splits, name)
	}
	if colour < 0 {
		return nil, context, nil
	}
	return s.of[colour], context, nil
}

// divide makes the groups of a call of Split.
func (gs *groups) divide(wishes []wish, context int32) map[int]*group {
	byColour := map[int][]wish{}
	for _, w := range wishes {
		if w.colour >= 0 {
			byColour[w.colour] = append(byColour[w.colour], w)
		}
	}
	of := make(map[int]*group, len(byColour))
	for _, colour := range slices.Sorted(maps.Keys(byColour)) {
		members := byColour[colour]
		slices.SortStableFunc(members, func(a, b wish) int { return cmp.Compare(a.key, b.key) })
		g := &group{context: context, calls: make([]collective.Calls, 1+gs.streams), number: int32(len(gs.all)) + 1, place: make(map[int32]int32, len(members))}
		for i, m := range members {
			g.members = append(g.members, m.rank)
			g.place[m.rank] = int32(i)
		}
		gs.all = append(gs.all, g)
		of[colour] = g
	}
	return of
}

// groupOf returns the group of a rank whose context a tag belongs to, or nil.
func (p *Program) groupOf(rank int, tag int32) *group {
	context, ok := matching.ContextOf(tag)
	if r := p.ranks[rank].rare; ok && r != nil {
		for _, g := range r.groups {
			if g.context == context {
				return g
			}
		}
	}
	return nil
}

// explain adds the group that a blocked rank waits in, and translates the tag into that group.
func (p *Program) explain(x *Blocked) {
	if x.meeting && x.Call != "" {
		x.Operation = x.Call
		return
	}
	g := p.groupOf(x.Rank, x.Tag)
	if g == nil || x.Tag == g.collectiveTag() {
		return
	}
	if matching.IsAnyOf(x.Tag) {
		x.Tag = workloads.AnyTag
	} else {
		x.Tag -= g.tag(0)
	}
	x.Note = strings.TrimPrefix(x.Note+", among "+g.String(), ", ")
}
