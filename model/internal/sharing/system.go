package sharing

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/isoscale/isoscale/model/units"
)

// Resource is the number of a capacity, counted from 0 in the order of
// [System.AddResource].
type Resource int32

// Flow is the number of a flow. Numbers of removed flows are reused.
type Flow int32

// Use is what a flow takes of a resource.
type Use struct {
	Resource Resource
	// Weight > 0 is the capacity that one unit of the flow's rate takes. Weight/Penalty
	// must be from 1e-100 to 1e100.
	Weight float64
}

// Demand describes a flow.
type Demand struct {
	Amount  float64 // from 0 to 1e100: the work to do
	Penalty float64 // from 1e-100 to 1e100: on a bottleneck, rates are proportional to 1/Penalty
	Bound   float64 // >= 0: the largest rate, +Inf for none; at 0 the flow stands still
	// Uses lists the resources. If one is named more than once, its weights add up, but
	// on a fat pipe the largest counts. The list may be empty only if Bound is finite.
	Uses []Use
}

// System shares capacities among flows. The zero System is empty and ready.
//
// # No work per flow
//
// A flow belongs to one source: the resource that is its bottleneck, or its own bound.
// A bottleneck has one level for all its members, and a virtual clock that is the
// integral of the level over time. A member that came when the clock showed V ends when
// it shows V + amount*penalty, whatever happens to the level meanwhile. So a heap of
// the members by virtual end stays in order when shares change, and only the first end
// on each bottleneck is needed as a real time.
//
// An edge sums up the members of one source that use another resource (its target,
// which the source feeds). So loads are sums over edges, not flows.
//
// # Invariants
//
// Let C be the capacity of a resource, W the weight of an edge, m the level of
// a source. Between calls, after solve, each shared resource is
//
//   - firm: it has members, is full at level m, and no feeder has a higher level than
//     m. So it is this resource that holds back its members; or
//   - slack: it has no members, and each edge from a bottleneck has a limit
//     T >= m such that the sum of W*T (for flows at their bound, W*m) is at
//     most C. So it cannot be overloaded before a source passes its limit.
//
// and no member has a bound below its level. That is the condition for weighted max-min
// fairness, and makes the rates unique. rest of a slack resource is C minus that sum,
// so a source that passes its limit gets more in constant time, as long as anything is
// left. On a fat pipe the limit of each edge is C/W by itself, and the weight of an
// edge is the largest of its flows.
//
// # Solving
//
// A change makes all resources loose whose level it may change: the bottleneck of the
// flow that comes, goes or is changed, the full resources that this flow uses, and with
// each loose resource those that its members feed, because their levels depend on its
// level. The members of loose resources rise with the water from zero. A queue, in
// ascending order of level, has what the water reaches next:
//
//   - a limit of a loose resource: the bound of a member, where the member stays; or
//     what a slack resource has set aside: it gives more or becomes loose;
//   - the candidate of a loose resource, the level at which it is full if all rising
//     flows go on rising: it becomes firm, and its flows that rise or are above this
//     level become its members. Bottlenecks that lose members to it become loose.
//
// The load that a candidate assumes only shrinks when other flows stop, so candidates do not
// fall below the water, and nothing at or below the water is touched again: a bottleneck that
// becomes loose was above it, and so are all that it feeds. Hence each resource becomes firm
// at most once in a solve, and solve ends. The cost is proportional to the number of levels
// and bottlenecks that change, times the logarithm of the size of a heap. In particular, when
// a flow comes or goes on a saturated backbone of N flows, that costs O(log N).
//
// # Rounding
//
// Sums are recomputed after as many changes as they have terms, and at once when they
// cancel (see sum); sums of empty sets are exact. The water never falls, so rounding
// cannot make solve run in circles. Equal calls in equal order give equal bits, because
// the calls alone decide ties in heaps.
//
// All data are in flat slices that grow to the largest population and are reused: about
// 64 bytes for a flow, 32 for a use, 56 for an edge and 248 for a resource, and 16 for
// each place in a heap.
type System struct {
	now       units.Seconds
	water     float64 // level up to which everything is decided; 0 outside solve
	starts    uint64
	resources []resource
	flows     []flow
	uses      []use
	edges     []edge
	table     edgeTable // edges whose source is a resource
	ends      []entry
	queue     []entry // the loose resources

	freeFlows, freeUses, freeEdges []int32 // for reuse
	stack                          []int32 // of loosen
	due                            []int32 // of Finish
	coming                         []int32 // flows that have started and have no source
}

// resource is a capacity. Its members are the flows whose bottleneck it is.
type resource struct {
	capacity  float64
	level     float64 // of its members while firm; the last one while loose; otherwise 0
	candidate float64 // while loose and not stale
	clock     float64 // virtual time at time at: the integral of the level
	at        units.Seconds
	own       sum     // sum of the shares of the members; on a fat pipe the largest
	inverse   sum     // sum over the members of 1 / level alone
	lost      float64 // flow-time lost up to time at

	// The capacity less that of feeders that do not rise; while slack, less all that is
	// set aside.
	rest   float64
	rising sum // while loose: sum of the weights of the rising sources

	members []entry
	limits  []entry // bounds of members, and edges of members to slack resources
	feeders []entry // unless slack: edges from sources that do not rise
	waiting list    // all other edges to it
	out     list    // edges from its members to resources that are not slack

	users    int32 // flows that use it
	coming   int32 // of these, flows that have just started
	sources  int32 // resources that feed it
	changes  int32 // of rest since it was last summed up
	churn    int32 // changes of members since the clock was set to zero
	queuePos int32
	endPos   int32
	state    state
	fat      bool
	stale    bool // candidate is out of date
}

// flow is the state of one flow.
type flow struct {
	penalty  float64
	bound    float64
	left     float64       // amount*penalty left at since
	since    units.Seconds // when it was attached to its source
	inverse  float64       // 1 / level alone; 0 if the level alone is 0
	number   uint64        // position in the order of starts; 0: not in use
	source   int32         // its bottleneck, -1 if it is at its bound
	first    int32         // its first use
	pos      int32         // in the members of its bottleneck, or in ends
	limitPos int32         // in the limits of its bottleneck
}

// use is one of a flow's uses of resources.
type use struct {
	share          float64 // weight/penalty: capacity taken for each unit of the level
	resource       int32
	flow           int32
	sibling        int32 // the next use of the flow
	edge           int32 // -1 on the bottleneck
	next, previous int32 // in the edge
}

func (f *flow) boundLevel() float64 { return f.bound * f.penalty }

// New returns an empty system.
func New() *System { return new(System) }

// AddResource adds a capacity, from 0 to 1e100, and returns its number. On a fat pipe flows do
// not add up: see the package comment.
func (s *System) AddResource(capacity float64, fatPipe bool) Resource {
	checkCapacity(capacity)
	s.resources = append(s.resources, resource{capacity: capacity, rest: capacity, fat: fatPipe, endPos: -1})
	return Resource(len(s.resources) - 1)
}

// Sums of products of numbers within these bounds neither overflow nor underflow.
const (
	smallest = 1e-100
	largest  = 1e100
)

func checkCapacity(capacity float64) {
	if !(capacity >= 0 && capacity <= largest) {
		panic(fmt.Sprintf("sharing: capacity %g: must be at least 0 and at most %g", capacity, largest))
	}
}

// Start adds a flow and returns its number. It does not keep d.Uses.
//
// REQUIRES: here and below, now is finite, not before the time of any earlier
// call and not after Next.
func (s *System) Start(now units.Seconds, d Demand) Flow {
	s.advance(now)
	switch {
	case !(d.Penalty >= smallest && d.Penalty <= largest):
		panic(fmt.Sprintf("sharing: penalty %g: must be from %g to %g", d.Penalty, smallest, largest))
	case !(d.Amount >= 0 && d.Amount <= largest):
		panic(fmt.Sprintf("sharing: amount %g: must be at least 0 and at most %g", d.Amount, largest))
	}
	f := s.newFlow()
	s.starts++
	s.flows[f] = flow{penalty: d.Penalty, number: s.starts, first: -1}
	for _, u := range d.Uses {
		s.addUse(f, u)
	}
	s.setBound(f, d.Bound)
	s.flows[f].left = d.Amount * d.Penalty
	s.coming = append(s.coming, f)
	return Flow(f)
}

// admit gives a source to the flows that have started. They wait until somebody asks
// for rates or something else changes, because choose guesses better when it knows how
// many flows start at one instant.
func (s *System) admit() {
	if len(s.coming) == 0 {
		return
	}
	for _, f := range s.coming {
		s.attach(f, s.choose(f), s.flows[f].left)
	}
	for _, f := range s.coming {
		for u := s.flows[f].first; u >= 0; u = s.uses[u].sibling {
			s.resources[s.uses[u].resource].coming = 0
		}
	}
	s.coming = s.coming[:0]
}

func (s *System) newFlow() int32 {
	if n := len(s.freeFlows); n > 0 {
		f := s.freeFlows[n-1]
		s.freeFlows = s.freeFlows[:n-1]
		return f
	}
	s.flows = append(s.flows, flow{})
	return int32(len(s.flows) - 1)
}

func (s *System) addUse(f int32, u Use) {
	fl := &s.flows[f]
	share := u.Weight / fl.penalty
	switch {
	case u.Resource < 0 || int(u.Resource) >= len(s.resources):
		panic(fmt.Sprintf("sharing: resource %d of %d", u.Resource, len(s.resources)))
	case !(u.Weight > 0 && share >= smallest && share <= largest):
		panic(fmt.Sprintf("sharing: weight %g with penalty %g: weight/penalty must be from %g to %g",
			u.Weight, fl.penalty, smallest, largest))
	}
	r := &s.resources[u.Resource]
	for i := fl.first; i >= 0; i = s.uses[i].sibling {
		v := &s.uses[i]
		switch {
		case v.resource != int32(u.Resource):
			continue
		case r.fat:
			v.share = max(v.share, share)
		default:
			v.share += share
		}
		return
	}
	var i int32
	if n := len(s.freeUses); n > 0 {
		i = s.freeUses[n-1]
		s.freeUses = s.freeUses[:n-1]
	} else {
		i = int32(len(s.uses))
		s.uses = append(s.uses, use{})
	}
	s.uses[i] = use{share: share, resource: int32(u.Resource), flow: f, sibling: fl.first, edge: -1}
	fl.first = i
	r.users++
	r.coming++
}

// setBound sets the bound of a flow that is not attached.
func (s *System) setBound(f int32, bound float64) {
	fl := &s.flows[f]
	fl.bound = bound
	alone := fl.boundLevel()
	switch {
	case !(bound >= 0):
		panic(fmt.Sprintf("sharing: bound %g: must not be negative", bound))
	case math.IsInf(alone, 1) && fl.first < 0:
		panic(fmt.Sprintf("sharing: a flow with bound %g and penalty %g uses nothing: its bound must be finite",
			bound, fl.penalty))
	}
	for u := fl.first; u >= 0; u = s.uses[u].sibling {
		alone = min(alone, s.resources[s.uses[u].resource].capacity/s.uses[u].share)
	}
	fl.inverse = 0
	if inverse := 1 / alone; inverse <= math.MaxFloat64 {
		fl.inverse = inverse
	}
}

// choose guesses what will hold back a flow that has started; solve corrects the guess,
// so only the cost depends on it. A slack resource counts as if the flows that start
// now had it alone, because a wrong guess there has a cost proportional to the number
// of its feeders.
func (s *System) choose(f int32) int32 {
	fl := &s.flows[f]
	best, source := fl.boundLevel(), int32(-1)
	for u := fl.first; u >= 0; u = s.uses[u].sibling {
		v := &s.uses[u]
		r := &s.resources[v.resource]
		level := r.level
		switch more := float64(max(1, r.coming)) * v.share; {
		case level > 0:
		case len(r.members) > 0:
			level = r.capacity / max(r.own.value+v.share, more)
		default:
			level = r.capacity / more
		}
		if level < best || source < 0 && math.IsInf(best, 1) {
			best, source = level, v.resource
		}
	}
	return source
}

// Stop removes a flow before its end.
func (s *System) Stop(now units.Seconds, f Flow) {
	s.advance(now)
	s.mustExist(f)
	s.admit()
	s.detach(int32(f))
	s.release(int32(f))
}

func (s *System) mustExist(f Flow) {
	if f < 0 || int(f) >= len(s.flows) || s.flows[f].number == 0 {
		panic(fmt.Sprintf("sharing: there is no flow %d", f))
	}
}

func (s *System) release(f int32) {
	for u := s.flows[f].first; u >= 0; u = s.uses[u].sibling {
		s.resources[s.uses[u].resource].users--
		s.freeUses = append(s.freeUses, u)
	}
	s.flows[f].number = 0
	s.freeFlows = append(s.freeFlows, f)
}

// SetBound changes the largest rate of a flow: not negative, +Inf for none.
func (s *System) SetBound(now units.Seconds, f Flow, bound float64) {
	s.advance(now)
	s.mustExist(f)
	s.admit()
	left := s.detach(int32(f))
	s.setBound(int32(f), bound)
	s.attach(int32(f), s.choose(int32(f)), left)
}

// SetCapacity changes a capacity: from 0 to 1e100.
func (s *System) SetCapacity(now units.Seconds, r Resource, capacity float64) {
	s.advance(now)
	checkCapacity(capacity)
	s.admit()
	k := &s.resources[r]
	if k.state == firm {
		s.loosen(int32(r))
	}
	k.capacity = capacity
	if k.state == slack {
		s.activate(int32(r))
	} else {
		s.refresh(int32(r))
		s.revisit(k)
	}
}

// Next returns the time of the earliest end of a flow, or false if no flow will end,
// because there is none or all stand still. Asking changes nothing.
func (s *System) Next() (at units.Seconds, ok bool) {
	s.solve()
	if len(s.ends) == 0 || math.IsInf(s.ends[0].key, 1) {
		return 0, false
	}
	return units.Seconds(s.ends[0].key), true
}

// ulps is the relative resolution of clocks. The ends of two symmetric flows may differ
// in their last bits, because their sums were rounded at different times. They must end
// together, otherwise every event of a program in step would become as many events as
// it has flows, each with new shares. So flows that end within 8 units in the last
// place of the clock end with the first of them; on one resource, this also holds for
// the virtual clock.
const ulps = 8 * 0x1p-52

// Finish removes the flows that end now and appends them to ended, in the order
// of their start. Their numbers may be given to the next flows that start.
//
// REQUIRES: now is what Next returns.
func (s *System) Finish(now units.Seconds, ended []Flow) []Flow {
	if next, ok := s.Next(); !ok || next != now {
		panic(fmt.Sprintf("sharing: Finish at %g s, but the next end is at %g s", float64(now), float64(next)))
	}
	s.now = now
	first := len(ended)
	s.due = s.due[:0]
	// First collect all flows that are due, because removing them loosens resources.
	for len(s.ends) > 0 && s.ends[0].key <= float64(now)*(1+ulps) {
		ref := s.ends[0].ref
		if ref >= 0 {
			r := &s.resources[ref]
			s.advanceClock(r)
			r.clock = max(r.clock, r.members[0].key)
		}
		s.removeEnd(ref)
		s.due = append(s.due, ref)
	}
	for _, ref := range s.due {
		if ref < 0 {
			ended = append(ended, Flow(^ref))
			s.detach(^ref)
			continue
		}
		r := &s.resources[ref]
		resolution := float64(ulps * (r.clock + float64(float64(now)*r.level)))
		if r.state == firm {
			s.loosen(ref)
		}
		for len(r.members) > 0 && r.members[0].key <= r.clock+resolution {
			f := r.members[0].ref
			ended = append(ended, Flow(f))
			s.detach(f)
		}
	}
	slices.SortFunc(ended[first:], func(a, b Flow) int {
		return cmp.Compare(s.flows[a].number, s.flows[b].number)
	})
	for _, f := range ended[first:] {
		s.release(int32(f))
	}
	return ended
}

// removeEnd takes a resource, or ^flow, out of the ends if it is there.
func (s *System) removeEnd(ref int32) {
	var pos *int32
	if ref < 0 {
		pos = &s.flows[^ref].pos
	} else {
		pos = &s.resources[ref].endPos
	}
	if *pos >= 0 {
		s.remove(&s.ends, ends, *pos)
		*pos = -1
	}
}

// advance moves the clock.
func (s *System) advance(now units.Seconds) {
	if now == s.now {
		return
	}
	if !(now > s.now && now <= math.MaxFloat64) {
		panic(fmt.Sprintf("sharing: time %g s: must be finite and not before %g s", float64(now), float64(s.now)))
	}
	if next, ok := s.Next(); ok && next < now {
		panic(fmt.Sprintf("sharing: time %g s: a flow ends before, at %g s", float64(now), float64(next)))
	}
	s.now = now
}

// advanceClock brings a firm resource up to now.
func (s *System) advanceClock(r *resource) {
	if s.now == r.at {
		return
	}
	elapsed := float64(s.now - r.at)
	r.lost += r.losing(elapsed)
	r.clock += float64(r.level * elapsed)
	if r.endPos >= 0 && float64(s.now) >= s.ends[r.endPos].key {
		// The first end is due now, whatever the rounding.
		r.clock = max(r.clock, r.members[0].key)
	}
	r.at = s.now
}

// losing returns the flow-time lost in elapsed seconds at the present level.
func (r *resource) losing(elapsed float64) float64 {
	return float64(max(0, float64(len(r.members))-float64(r.level*r.inverse.value)) * elapsed)
}

// end returns when the first member of a firm resource ends.
func (r *resource) end() float64 {
	left := r.members[0].key - r.clock
	if left <= 0 {
		return float64(r.at)
	}
	return float64(r.at) + left/r.level
}

// end returns when a flow at its bound ends.
func (f *flow) end() float64 {
	if f.left == 0 {
		return float64(f.since)
	}
	return float64(f.since) + f.left/f.boundLevel()
}

// attach gives a flow its source: a resource, which becomes loose, or -1 for the bound
// of the flow. left is its remaining amount*penalty.
func (s *System) attach(f, source int32, left float64) {
	fl := &s.flows[f]
	fl.source, fl.left, fl.since = source, left, s.now
	if source < 0 {
		for u := fl.first; u >= 0; u = s.uses[u].sibling {
			s.link(u, ^f)
		}
		s.push(&s.ends, ends, fl.end(), ^f)
		return
	}
	r := &s.resources[source]
	switch r.state {
	case slack:
		s.activate(source)
	case firm:
		s.loosen(source)
	}
	if len(r.members) == 0 {
		r.clock, r.own, r.inverse, r.churn = 0, sum{}, sum{}, 0
	}
	r.at = s.now
	s.push(&r.members, members, r.clock+left, f)
	if level := fl.boundLevel(); !math.IsInf(level, 1) {
		s.push(&r.limits, limits, level, ^f)
	}
	r.inverse = r.inverse.plus(fl.inverse)
	for u := fl.first; u >= 0; u = s.uses[u].sibling {
		v := &s.uses[u]
		switch {
		case v.resource != source:
			s.link(u, source)
		case r.fat:
			r.own = exactly(max(r.own.value, v.share))
		default:
			r.own = r.own.plus(v.share)
		}
	}
	s.changeMembers(source)
}

// detach removes a flow from its source, which becomes loose, and returns its remaining
// amount*penalty.
func (s *System) detach(f int32) (left float64) {
	fl := &s.flows[f]
	source := fl.source
	if source < 0 {
		left = s.leftAtBound(fl, s.now)
		for u := fl.first; u >= 0; u = s.uses[u].sibling {
			s.unlink(u)
		}
		s.removeEnd(^f)
		return left
	}
	r := &s.resources[source]
	if r.state == firm {
		s.loosen(source)
	}
	left = s.leftOfMember(r, r.members[fl.pos])
	s.remove(&r.members, members, fl.pos)
	if !math.IsInf(fl.boundLevel(), 1) {
		s.remove(&r.limits, limits, fl.limitPos)
	}
	r.inverse = r.inverse.plus(-fl.inverse)
	for u := fl.first; u >= 0; u = s.uses[u].sibling {
		v := &s.uses[u]
		switch {
		case v.resource != source:
			s.unlink(u)
		case !r.fat:
			r.own = r.own.plus(-v.share)
		case v.share == r.own.value:
			r.own = exactly(s.largestShare(r, source, v.share))
		}
	}
	s.changeMembers(source)
	return left
}

// largestShare returns the largest share of the members of a fat pipe. It is at most
// top, and the search ends when top is found.
func (s *System) largestShare(r *resource, k int32, top float64) float64 {
	largest := 0.0
	for _, m := range r.members {
		if largest = max(largest, s.share(m.ref, k)); largest == top {
			break
		}
	}
	return largest
}

// share returns a flow's share of a resource that it uses.
func (s *System) share(f, k int32) float64 {
	u := s.flows[f].first
	for s.uses[u].resource != k {
		u = s.uses[u].sibling
	}
	return s.uses[u].share
}

// changeMembers notes that the members of a loose resource have changed. After as many
// changes as there are members it recomputes all sums, which keeps rounding errors
// small at a constant cost per change.
func (s *System) changeMembers(j int32) {
	r := &s.resources[j]
	r.stale = true
	r.churn++
	if int(r.churn) < len(r.members) && !r.own.doubtful() && !r.inverse.doubtful() {
		return
	}
	r.churn = 0
	s.resetClock(r)
	own, inverse := 0.0, 0.0
	for _, m := range r.members {
		inverse += s.flows[m.ref].inverse
		if share := s.share(m.ref, j); r.fat {
			own = max(own, share)
		} else {
			own += share
		}
	}
	r.own, r.inverse = exactly(own), exactly(inverse)
}

// resetClock sets the virtual clock of a loose resource to zero.
func (s *System) resetClock(r *resource) {
	for i := range r.members {
		r.members[i].key = s.leftOfMember(r, r.members[i])
	}
	r.clock = 0
	// Rounding may have changed the order.
	for i := len(r.members)/2 - 1; i >= 0; i-- {
		s.sink(r.members, members, i)
	}
}

// leftOfMember returns the remaining amount*penalty of a member of a loose resource.
func (s *System) leftOfMember(r *resource, m entry) float64 {
	if fl := &s.flows[m.ref]; fl.since == s.now {
		return fl.left // exact, where the clock may be coarse
	}
	return max(0, m.key-r.clock)
}

// coarse reports whether the virtual clock has a coarser resolution than the real one,
// because the level was much higher before.
func (s *System) coarse(r *resource) bool {
	return r.clock > 16*float64(s.now)*r.level
}

// leftAtBound returns the remaining amount*penalty of a flow at its bound.
func (s *System) leftAtBound(fl *flow, now units.Seconds) float64 {
	switch {
	case fl.since == now:
		return fl.left // exact, also if the end is less than a tick of the clock away
	case fl.pos < 0 || float64(now) >= s.ends[fl.pos].key:
		return 0
	}
	return max(0, fl.left-float64(fl.boundLevel()*float64(now-fl.since)))
}
