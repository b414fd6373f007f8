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

// Laws are algorithms of accelerators in closed form: all ranks leave a call at a given time after the last has
// entered it. Data are cut so finely that all links are busy at once, and the slowest unit determines the time:
//
//	T = a + max over units u (bytes that leave u / bandwidth out of u)
//
// Units are devices within their nodes, nodes within domains, and domains. Data leave a node by the links of its ranks
// to the domain, and a domain by the cards of its ranks; ranks that share a card have equal parts of it. If the cards
// of a node are separate and not all domains have ranks on the same rails, messages take a link and a card. Levels with
// one unit do not count. a is the sum of the latencies in a row. If ranks are not on linked devices, the law's flat
// algorithm runs.
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
// In rails and double-tree a device forwards no faster than its relay, if it has one and there are several
// domains.
//
// Deviations: the full bandwidths of the machine count, whatever else uses them; the arithmetic takes no
// time.
type law struct {
	Algorithm // the flat one
	name      string
	time      func(f *fabric, s float64) float64
	from      units.Bytes // below this size the law ignores things that a library does
	places    *Places
}

func (a *law) Name() string { return a.name }

// fabric is how the ranks of a call are linked.
type fabric struct {
	ranks, nodes, domains int
	out                   [3]float64 // seconds per byte out of the slowest unit of each level; 0: level does not count
	exchange              [3]float64 // seconds per byte of a rank in a hierarchical exchange, likewise
	latency               [3]float64
	pair                  [3][2]int32 // ranks with the slowest connection of a level between them
	inNode, inDomain      int         // largest number of ranks of a node, and of nodes of a domain
	reduced               float64     // seconds per byte of a result while switches of domains reduce; 0 if they do not
	toSwitch              float64     // latency of the way to these switches, 0 if it is that of links
	hop                   float64     // latency of a level of the trees between these switches
	aggregates            bool        // switches of the network reduce too
}

// slowest returns the seconds per byte out of the slowest unit.
func (f *fabric) slowest() float64 { return max(f.out[0], f.out[1], f.out[2]) }

// lap returns the sum of the latencies once round a ring.
func (f *fabric) lap() float64 {
	return float64(f.ranks-f.nodes)*f.latency[0] + float64(f.nodes-f.domains)*f.latency[1] + float64(f.domains-1)*f.latency[2]
}

// once is one lap of a ring; a reduction to all takes two.
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

// levels returns the height of a tree between domains.
func (f *fabric) levels() float64 { return float64(bits.Len(uint(f.domains - 1))) }

// nccl chooses by the estimates of [NCCL] 2.28 (ncclTopoTuneModel and ncclTopoGetAlgoTime) for its protocol Simple and
// the algorithms Ring and NVLSTree: latencies in us of a step of a ring in a node and between nodes, times 1.4, and of
// a level of a tree; and 48 GB/s of a card in a ring, 45.5 in a tree. Deviations: the constants are those of Hopper
// with cards of 400 Gbit/s and Intel processors; other cards count in proportion to their bandwidth; the other
// protocols and algorithms, which are faster below some MB, are left out.
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

// laws are the laws of this file.
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

// resultOf returns S of a call with total bytes in all blocks.
func resultOf(op workloads.Collective, c Call, total units.Bytes) float64 {
	if op == workloads.Alltoall {
		return float64(total) / float64(c.Size)
	}
	return float64(total)
}

// cost returns the time of a call by a law, or false if the flat algorithm runs.
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

// lawTimes are calls by their times; of several calls with the same time, the one with the lowest ranks.
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

// rough has the smallest call that is too small for its law or measured times, and a call of the largest group that was
// not measured.
type rough struct {
	mu           sync.Mutex
	law          string // "": there is none
	size, from   units.Bytes
	other        string // the algorithm that carries it out; "": all groups were measured
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
	// Independent of the order in which several cores price calls.
	if cmp.Or(cmp.Compare(ranks, r.ranks), cmp.Compare(nodes, r.nodes), cmp.Compare(by, r.other)) > 0 {
		r.other, r.ranks, r.nodes = by, ranks, nodes
	}
}

// Rough says which calls priced since the last Rough are too small for their law, and which groups were not
// measured.
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

// Record starts to keep the times that laws give.
func (p *Places) Record() { p.times = &lawTimes{of: map[units.Seconds]lawful{}} }

// Laws calls visit with each time that a law has given since Record, shortest first: how much of it is proportional to
// the latencies and to the seconds per byte of connections out of devices, nodes and domains, and between which ranks
// the slowest connections are. If several units are equally slow, the first one counts.
func (p *Places) Laws(visit func(t units.Seconds, latency, transfer [3]units.Seconds, between [3][2]int32)) {
	for _, t := range slices.Sorted(maps.Keys(p.times.of)) {
		x := p.times.of[t]
		visit(t, x.parts(t, func(f *fabric) []*[3]float64 { return []*[3]float64{&f.latency} }),
			x.parts(t, func(f *fabric) []*[3]float64 { return []*[3]float64{&f.out, &f.exchange} }), x.fabric.pair)
	}
}

// parts returns, by level, how much of the time is proportional to the quantities that of returns. Laws are linear
// except where another level or way becomes the slowest, so a difference quotient is the derivative.
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
	ranks, units int     // ranks, and units of the next level, in it
	bandwidth    float64 // out of it
	links        float64 // bandwidth of the links of its devices
	outer        int32
}

func newFabric(p *Places, c Call) *fabric {
	f := &fabric{ranks: c.Size, aggregates: p.Aggregates}
	nodes, domains := map[int32]*unit{}, map[int32]*unit{}
	rails, met := map[int32]bool{}, map[[2]int32]bool{} // rails of all domains, and by domain
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
	changes := len(met) < len(rails)*len(domains) // some domain lacks a rail
	if changes {
		f.latency[2] += f.latency[0]
	}
	// leave adds a unit of one level with k ranks, in a unit of the next level with among ranks.
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
