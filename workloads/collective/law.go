package collective

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"math/bits"
	"slices"
	"sync"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
)

// Laws are algorithms of accelerators in closed form: all leave a call a time after the last has entered it. Data are
// cut so finely that all links are busy at once, and what carries least for its share gives the time:
//
//	T = a + max over units u (bytes that leave u / bandwidth out of u)
//
// Units are devices within their nodes, nodes within domains, and domains. Out of a node lead the links of its ranks to
// the domain, out of a domain the cards of its ranks, of which several that share one have equal parts. Where cards of a node are
// apart, and not all domains have ranks on the same rails, messages take a link and a card. Levels of one unit do not
// count. a is the latencies in a row. Where ranks are not on linked devices, the law's flat algorithm runs.
//
// With n ranks, N nodes, D domains and S bytes of a result (of all that one rank gives in an exchange between all):
//
//	rails       a ring through all links, S (n-1)/n out of each unit, twice in an allreduce, and so many laps of
//	            (n-N) + (N-D) + (D-1) latencies of the three levels [Patarasu2009]
//	double-tree two trees between domains, chains inside: 2 S out of each unit; there and back along the largest
//	            domain and ceil(log2 D) levels [Sanders2009]
//	in-switch   switches of the domains reduce: (1 + 1/k) S out of a device among the k of the smallest domain, twice the
//	            latency of the way to a switch, which is that of links unless stated; between them two trees, as above, with
//	            the latency of a relay where there is one, or S and one latency if the network reduces too. rails, where
//	            the domains do not
//	nccl        in-switch or rails, whichever NCCL 2.28 takes to be shorter; the shortest of the three where it has
//	            no choice between these
//	hierarchical every block goes to the ranks of its sender's domain that have the place of its
//	            destination, then to other domains: k (K-k)/K S out of each unit of k ranks in one of K
//
// In rails and double-tree a device passes on no more than its relay, where there is one and several domains.
//
// Deviations: bandwidths are those of the machine, whatever else is on them; the arithmetic takes no time.
type law struct {
	Algorithm // the flat one
	name      string
	time      func(f *fabric, s float64) float64
	from      units.Bytes // below it the law leaves out what a library does
	places    *Places
}

func (a *law) Name() string { return a.name }

// fabric is how the ranks of a call are linked.
type fabric struct {
	ranks, nodes, domains int
	out                   [3]float64 // seconds per byte out of the slowest device, node and domain; 0 on a level that does not count
	exchange              [3]float64 // seconds per byte of a rank in a hierarchical exchange, likewise
	latency               [3]float64
	pair                  [3][2]int32 // ranks with the slowest connection of a level between them
	inNode, inDomain      int         // most ranks of a node and most nodes of a domain
	reduced               float64     // seconds per byte of a result while switches of domains reduce; 0 if they do not
	toSwitch              float64     // latency of a way to these, 0 if it is that of links
	hop                   float64     // latency of a level of the trees between these
	aggregates            bool        // so do those of the network
}

// slowest returns the seconds per byte out of the unit that carries least.
func (f *fabric) slowest() float64 { return max(f.out[0], f.out[1], f.out[2]) }

// lap returns the latencies once round a ring.
func (f *fabric) lap() float64 {
	return float64(f.ranks-f.nodes)*f.latency[0] + float64(f.nodes-f.domains)*f.latency[1] + float64(f.domains-1)*f.latency[2]
}

// once is a ring, of which a reduction to all takes two laps.
func (f *fabric) once(s float64) float64 {
	return f.lap() + float64(s*float64(f.ranks-1)/float64(f.ranks)*f.slowest())
}

func (f *fabric) twice(s float64) float64 { return 2 * f.once(s) }

func (f *fabric) doubleTree(s float64) float64 {
	chain := float64(f.inNode-1)*f.latency[0] + float64(f.inDomain-1)*f.latency[1]
	return 2 * (chain + float64(f.levels()*f.latency[2]) + float64(s*f.slowest()))
}

func (f *fabric) inSwitch(s float64) float64 {
	if f.reduced == 0 {
		return f.twice(s)
	}
	a, b := 2*cmp.Or(f.toSwitch, max(f.latency[0], f.latency[1])), f.reduced
	switch {
	case f.domains == 1:
	case f.aggregates:
		a, b = a+f.latency[2], max(b, f.out[2])
	default:
		a, b = a+float64(2*f.levels()*f.hop), max(b, 2*f.out[2])
	}
	return a + float64(s*b)
}

// levels is how far the root of a tree between domains is from its leaves.
func (f *fabric) levels() float64 { return float64(bits.Len(uint(f.domains - 1))) }

// nccl chooses by the estimates of [NCCL] 2.28 (ncclTopoTuneModel and ncclTopoGetAlgoTime) for its protocol Simple and the
// algorithms Ring and NVLSTree: latencies in us of a step of a ring in a node and between nodes, times 1.4, and of a
// level of a tree; and 48 GB/s of a card in a ring, 45.5 in a tree.
// Deviations: the constants are those of Hopper, its cards of 400 Gbit/s and processors of Intel; cards that carry more
// or less count in the same proportion; the other protocols and algorithms, shorter below some MB, are left out.
func (f *fabric) nccl(s float64) float64 {
	if f.reduced == 0 || f.domains == 1 || f.aggregates {
		return min(f.twice(s), f.doubleTree(s), f.inSwitch(s))
	}
	between := float64(2 * (f.domains - 1))
	ring := 1.4 * (8.4 + float64(3.4*(float64(2*(f.ranks-1))-between)) + float64(14*between))
	tree := 25 + float64(2*20.9*float64(bits.Len(uint(f.domains))-1))
	transfer := s * float64(2*(f.ranks-1)) / float64(f.ranks) * f.out[2] * 1e6
	if ring+transfer < tree+float64(transfer*(48/45.5)) {
		return f.twice(s)
	}
	return f.inSwitch(s)
}

func (f *fabric) hierarchical(s float64) float64 {
	return float64(f.inNode-1)*f.latency[0] + float64(f.inDomain-1)*f.latency[1] + float64(f.domains-1)*f.latency[2] +
		float64(s*max(f.exchange[0], f.exchange[1], f.exchange[2]))
}

// laws are those of this file.
var laws = []Algorithm{
	&law{Algorithm: reduceFlatly, name: "rails", time: (*fabric).twice},
	&law{Algorithm: &scheme{workloads.Allgather, "", allgatherRing}, name: "rails", time: (*fabric).once},
	&law{Algorithm: &scheme{workloads.ReduceScatter, "", reduceScatterRing}, name: "rails", time: (*fabric).once},
	&law{Algorithm: reduceFlatly, name: "double-tree", time: (*fabric).doubleTree},
	&law{Algorithm: reduceFlatly, name: "in-switch", time: (*fabric).inSwitch},
	&law{Algorithm: reduceFlatly, name: "nccl", time: (*fabric).nccl, from: 1 << 25},
	&law{Algorithm: &scheme{workloads.Alltoall, "", alltoallPairwise}, name: "hierarchical", time: (*fabric).hierarchical},
}

var reduceFlatly = &scheme{workloads.Allreduce, "", allreduceRecursiveDoubling}

// resultOf returns S of a call with so many bytes in all blocks.
func resultOf(op workloads.Collective, c Call, total units.Bytes) float64 {
	if op == workloads.Alltoall {
		return float64(total) / float64(c.Size)
	}
	return float64(total)
}

// cost returns the time of a call by a law; false where the flat algorithm runs.
func (a *law) cost(op workloads.Collective, c Call, total units.Bytes) (units.Seconds, bool) {
	if a.places == nil || a.places.Links == nil {
		return 0, false
	}
	x := lawful{a, a.places.fabric(c), resultOf(op, c, total)}
	if x.size < float64(a.from) {
		a.places.rough.note(a.name, units.Bytes(x.size), a.from)
	}
	t := units.Seconds(a.time(x.fabric, x.size))
	if times := a.places.times; times != nil {
		times.note(t, x)
	}
	return t, true
}

// lawful is a call whose time a law gives.
type lawful struct {
	law    *law
	fabric *fabric
	size   float64
}

// lawTimes are calls by their times: of those of one time the one with the lowest ranks.
type lawTimes struct {
	mu sync.Mutex
	of map[units.Seconds]lawful
}

func (x *lawTimes) note(t units.Seconds, of lawful) {
	x.mu.Lock()
	defer x.mu.Unlock()
	old, ok := x.of[t]
	if !ok || of.fabric != old.fabric && slices.Compare(of.fabric.pair[0][:], old.fabric.pair[0][:]) < 0 {
		x.of[t] = of
	}
}

// measuredTimes stands for the name of a law.
const measuredTimes = "measured times"

// rough are the smallest call that is below what a law, or measured times, are for, and one of the largest group that was not measured.
type rough struct {
	mu           sync.Mutex
	law          string // "": there is none
	size, from   units.Bytes
	other        string // carries out what was not measured; "": there is none
	ranks, nodes int
}

func (r *rough) note(by string, size, from units.Bytes) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.law == "" || cmp.Or(cmp.Compare(size, r.size), cmp.Compare(from, r.from), cmp.Compare(by, r.law)) < 0 {
		r.law, r.size, r.from = by, size, from
	}
}

func (r *rough) noteOther(by string, ranks, nodes int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	// In whatever order calls are priced, which several cores do.
	if cmp.Or(cmp.Compare(ranks, r.ranks), cmp.Compare(nodes, r.nodes), cmp.Compare(by, r.other)) > 0 {
		r.other, r.ranks, r.nodes = by, ranks, nodes
	}
}

// Rough says which calls that were priced since the last time are too small for their law, and which groups were not
// among those that were measured.
func (p *Places) Rough() (says []string) {
	r := &p.rough
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.law != "" {
		why, text := " it leaves out the protocols for small messages", units.Bytes.String
		if math.Mod(float64(r.from), 1024) == 0 {
			text = units.Bytes.Binary
		}
		if r.law == measuredTimes {
			why = ", the smallest that was measured, they take its time"
		}
		says = append(says, fmt.Sprintf("collective operations by %s, the smallest of %s: below %s%s, so that times may be too long",
			r.law, text(r.size), text(r.from), why))
	}
	if r.other != "" {
		says = append(says, fmt.Sprintf("collective operations of %d ranks on %d nodes were not measured: they are by %s", r.ranks, r.nodes, r.other))
	}
	r.law, r.other, r.ranks, r.nodes = "", "", 0, 0
	return says
}

// Record keeps from now on which times laws give.
func (p *Places) Record() { p.times = &lawTimes{of: map[units.Seconds]lawful{}} }

// Laws calls visit with each time that a law has given since Record, the shortest first: how much of it is in proportion
// to the latencies and to the seconds per byte of connections out of devices, nodes and domains, and ranks that have the
// slowest of these between them. Where several carry least for their share the first one counts.
func (p *Places) Laws(visit func(t units.Seconds, latency, transfer [3]units.Seconds, between [3][2]int32)) {
	for _, t := range slices.Sorted(maps.Keys(p.times.of)) {
		x := p.times.of[t]
		visit(t, x.parts(t, func(f *fabric) []*[3]float64 { return []*[3]float64{&f.latency} }),
			x.parts(t, func(f *fabric) []*[3]float64 { return []*[3]float64{&f.out, &f.exchange} }), x.fabric.pair)
	}
}

// parts returns how much of the time is in proportion to what of returns, by level. Laws are linear but where another
// level or way becomes the slowest, so that a difference is the derivative.
func (x *lawful) parts(t units.Seconds, of func(*fabric) []*[3]float64) (parts [3]units.Seconds) {
	const h = 1. / (1 << 17)
	more := func(levels ...int) units.Seconds {
		f := *x.fabric
		for _, costs := range of(&f) {
			for _, l := range levels {
				costs[l] *= 1 + h
			}
		}
		return (units.Seconds(x.law.time(&f, x.size)) - t) / h
	}
	left := more(0, 1, 2)
	for l := range parts {
		parts[l] = min(more(l), left)
		left -= parts[l]
	}
	return parts
}

// fabric returns how the ranks of a call are linked.
func (p *Places) fabric(c Call) *fabric {
	if f, ok := p.fabrics.Load(c.members()); ok {
		return f.(*fabric)
	}
	f, _ := p.fabrics.LoadOrStore(c.members(), newFabric(p, c))
	return f.(*fabric)
}

// unit is a node or a domain in a call.
type unit struct {
	first        int32   // rank
	ranks, units int     // of the next level
	bandwidth    float64 // out of it
	links        float64 // that of its devices
	outer        int32
}

func newFabric(p *Places, c Call) *fabric {
	f := &fabric{ranks: c.Size, aggregates: p.Aggregates}
	nodes, domains := map[int32]*unit{}, map[int32]*unit{}
	rails, met := map[int32]bool{}, map[[2]int32]bool{} // in all, and of each domain
	var slowest [3]units.Seconds
	at := func(units map[int32]*unit, number, outer, rank int32) *unit {
		if units[number] == nil {
			units[number] = &unit{outer: outer, first: rank}
		}
		return units[number]
	}
	reduces := true
	for i := range c.Size {
		rank := c.world(i)
		place, out, reduction, relay := p.Links(rank)
		for l, x := range out {
			f.latency[l] = max(f.latency[l], float64(x.Base))
		}
		f.hop = max(f.hop, float64(cmp.Or(relay.Base, out[2].Base)))
		f.toSwitch, f.reduced = max(f.toSwitch, float64(reduction.Base)), max(f.reduced, float64(reduction.PerByte))
		reduces = reduces && reduction.PerByte > 0
		domain := at(domains, place[1], 0, rank)
		if nodes[place[0]] == nil {
			domain.units++
		}
		node := at(nodes, place[0], place[1], rank)
		for l, from := range [...]int32{node.first, domain.first, c.world(0)} {
			apart := [...]bool{from != rank, node.first == rank && from != rank, domain.first == rank && from != rank}[l]
			if apart && out[l].PerByte >= slowest[l] {
				slowest[l], f.pair[l] = out[l].PerByte, [2]int32{from, rank}
			}
		}
		node.ranks++
		domain.ranks++
		domain.links += 1 / float64(out[0].PerByte)
		rails[place[2]], met[[2]int32{place[1], place[2]}] = true, true
		node.bandwidth += 1 / float64(out[1].PerByte)
		domain.bandwidth += 1 / float64(out[2].PerByte)
	}
	f.nodes, f.domains = len(nodes), len(domains)
	changes := len(met) < len(rails)*len(domains) // not all domains have all rails
	if changes {
		f.latency[2] += f.latency[0]
	}
	// leave counts k ranks in a unit of one level, among those of the next.
	leave := func(level, k, among int, bandwidth float64) {
		if k < among {
			f.out[level] = max(f.out[level], 1/bandwidth)
			f.exchange[level] = max(f.exchange[level], float64(k)*float64(among-k)/float64(among)/bandwidth)
		}
	}
	for rank := range c.Size {
		place, out, _, relay := p.Links(c.world(rank))
		leave(0, 1, nodes[place[0]].ranks, 1/float64(out[0].PerByte))
		if f.domains > 1 {
			f.out[0] = max(f.out[0], float64(relay.PerByte))
		}
	}
	for _, x := range nodes {
		leave(1, x.ranks, domains[x.outer].ranks, x.bandwidth)
		f.inNode = max(f.inNode, x.ranks)
	}
	least, most := c.Size, 0
	for _, x := range domains {
		if changes {
			x.bandwidth = min(x.bandwidth, x.links)
		}
		leave(2, x.ranks, c.Size, x.bandwidth)
		f.inDomain = max(f.inDomain, x.units)
		least, most = min(least, x.ranks), max(most, x.ranks)
	}
	if f.reduced *= 1 + 1/float64(least); !reduces || most == 1 {
		f.reduced = 0
	}
	return f
}
