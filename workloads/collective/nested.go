package collective

import (
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
)

// Algorithms on nested domains run flat algorithms one after the other, each among a few ranks in different domains
// of the next level, so that few messages cross the border of a domain.
//
// With leaders, the ranks of a domain report to its leader, the root if it is inside, otherwise the first rank.
// Leaders do the same among themselves, level by level, and on the way back pass on what they have received. With
// many leaders, every rank leads for a piece of the data: the ranks with the same place in their domains carry out
// the operation on their piece. This requires equal domains; otherwise there is one leader.
//
// Blocks are counted by position (see [nest]): see [nested.blockOrder].
//
// Source: [Karonis2000] for levels of domains, [Kandalla2009] for many leaders.

// nested is an algorithm on the domains of its places. Without places, it is the flat algorithm of its outermost
// level.
type nested struct {
	operation workloads.Collective
	name      string
	leaders   plan
	many      *plan // with many leaders, for equal domains; nil: always one leader
	places    *Places
}

// plan is an algorithm in parts: up from the innermost level, at the outermost level (top), and down again.
type plan struct{ up, top, down *part }

// part is a flat algorithm among ranks in different domains of the next level.
type part struct {
	step   func(c Call, rank, k int) (Step, bool)
	blocks func(x taking, s BlockSet) BlockSet // translates blocks of the flat algorithm into blocks of the call
	// atRoot, with many leaders: runs only in the outer domains of the root.
	atRoot bool
}

// taking is how a rank takes part in a flat algorithm.
type taking struct {
	*nest
	level    int
	size     int   // of the call
	position int   // of the rank
	root     int   // position of the root
	first    int32 // with one leader: the first domain of the next level
	count    int   // number of ranks of the flat algorithm, which are counted from the root's on
}

func (a *nested) Name() string { return a.name }

func (a *nested) Operation() workloads.Collective { return a.operation }

// blockOrder returns for each number of a block the rank whose block it is, or nil if the numbers are those of
// the ranks.
func (a *nested) blockOrder(c Call) []int32 {
	if a.places == nil || BlockCount(a.operation, 2) < 2 {
		return nil
	}
	return a.places.nest(c).order
}

func (a *nested) Step(c Call, rank, k int) (Step, bool) {
	if a.places == nil {
		if a.many != nil {
			return a.many.top.step(c, rank, k)
		}
		return a.leaders.top.step(c, rank, k)
	}
	n := a.places.nest(c)
	x := taking{nest: n, size: c.Size, position: n.at(rank), root: n.at(c.Root)}
	plan, many := &a.leaders, false
	if a.many != nil && n.sides != nil {
		plan, many = a.many, true
	}
	inmost := len(n.levels) - 2
	for i := -inmost; i <= inmost; i++ {
		p := plan.top
		switch {
		case i < 0:
			p = plan.up
		case i > 0:
			p = plan.down
		}
		if p == nil {
			continue
		}
		x.level = max(i, -i)
		place, takes := x.place(many, p.atRoot)
		if !takes || x.count == 1 {
			continue
		}
		s, ok := p.step(Call{Size: x.count}, place, k)
		if ok {
			return x.translated(s, p, many), true
		}
		k -= steps(p.step, Call{Size: x.count}, place, k)
	}
	return Step{}, false
}

// translated returns a step of a flat algorithm as a step of the call.
func (x taking) translated(s Step, p *part, many bool) Step {
	switch s.Kind {
	case workloads.Sendrecv:
		s.Peer, s.From = x.peer(many, s.Peer), x.peer(many, s.From)
	case workloads.Compute, workloads.Wait:
	default:
		s.Peer = x.peer(many, s.Peer)
	}
	if s.Blocks.Count > 0 {
		s.Blocks = p.blocks(x, s.Blocks)
	}
	if s.Received.Count > 0 {
		s.Received = p.blocks(x, s.Received)
	}
	return s
}

// steps returns how many steps a rank has, at most k.
func steps(step func(Call, int, int) (Step, bool), c Call, rank, k int) int {
	low, high := 0, k
	for low < high {
		mid := (low + high) / 2
		if _, ok := step(c, rank, mid); ok {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low
}

// place returns the place of the rank in the flat algorithm, and whether it takes part. With one leader per domain of
// the next level, leaders do; with many, the ranks with the same place in their domains.
func (x *taking) place(many, atRoot bool) (place int, takes bool) {
	domain := x.levels[x.level].of[x.position]
	if many {
		x.count = x.sides[x.level]
		return x.digitFromRoot(x.level), !atRoot || domain == x.levels[x.level].of[x.root]
	}
	x.first, x.count = x.within(x.level, domain)
	place = (int(x.levels[x.level+1].of[x.position]-x.firstFromRoot()) + x.count) % x.count
	return place, x.leader(place) == x.position
}

// peer returns the rank at a place of the flat algorithm.
func (x *taking) peer(many bool, place int) int {
	if !many {
		return x.rank(x.leader(place))
	}
	digit := (x.digit(x.level, x.root) + place) % x.count
	return x.rank(x.position + (digit-x.digit(x.level, x.position))*x.stride(x.level))
}

// firstFromRoot returns the domain at place 0: that of the root, if it is among these,
// otherwise the first.
func (x *taking) firstFromRoot() int32 {
	if d := x.levels[x.level+1].of[x.root]; x.first <= d && int(d-x.first) < x.count {
		return d
	}
	return x.first
}

// leader returns the position of the leader of the domain at a place: the root, or otherwise the
// first rank.
func (x *taking) leader(place int) int {
	domain := x.first + int32((int(x.firstFromRoot()-x.first)+place)%x.count)
	start := x.levels[x.level+1].start
	if int(start[domain]) <= x.root && x.root < int(start[domain+1]) {
		return x.root
	}
	return int(start[domain])
}

// digitFromRoot returns the digit of the rank at a level, counted from that of the root.
func (x *taking) digitFromRoot(level int) int {
	side := x.sides[level]
	return (x.digit(level, x.position) - x.digit(level, x.root) + side) % side
}

// What the blocks of a flat algorithm mean in the call.

func nothing(taking, BlockSet) BlockSet { return BlockSet{} }

// whole: the one block.
func whole(taking, BlockSet) BlockSet { return Range(0, 1) }

// everything: the blocks of all ranks.
func everything(x taking, _ BlockSet) BlockSet { return Range(0, x.size) }

// ranks returns the range of positions of the ranks in some of the domains of a part.
func (x *taking) ranks(first, count int) (from, n int) {
	start := x.levels[x.level+1].start
	from = int(start[int(x.first)+first])
	for count > 0 { // blocks of a ring wrap around
		some := min(count, x.count-first)
		n += int(start[int(x.first)+first+some] - start[int(x.first)+first])
		count, first = count-some, 0
	}
	return from, n
}

// theirs: the blocks of the ranks in these domains.
func theirs(x taking, s BlockSet) BlockSet { return Range(x.ranks(s.First, s.Count)) }

// fromThem: all blocks that ranks in these domains send.
func fromThem(x taking, s BlockSet) BlockSet {
	from, n := x.ranks(s.First, s.Count)
	return Range(from*x.size, n*x.size)
}

// toThem: all blocks that ranks in these domains get.
func toThem(x taking, s BlockSet) BlockSet {
	to, n := x.ranks(s.First, s.Count)
	return grid(to, x.size, x.size, n, 1)
}

// between: the blocks from the ranks of one domain to those of another.
func between(x taking, s BlockSet) BlockSet {
	from, rows := x.ranks(s.First/x.count, 1)
	to, columns := x.ranks(s.First%x.count, 1)
	return grid(from*x.size+to, rows, x.size, columns, 1)
}

// pieces: a share of the rank's piece on the inner levels; parts says into how many the flat algorithm cuts it.
func pieces(parts func(side int) int) func(taking, BlockSet) BlockSet {
	return func(x taking, s BlockSet) BlockSet {
		first, width := 0, x.pieces(parts)
		for l := len(x.sides) - 1; l > x.level; l-- {
			width /= x.sides[l]
			first += x.digitFromRoot(l) * width
		}
		if x.level == 0 {
			width /= parts(x.count)
		} else {
			width /= x.count
		}
		return Range(first+s.First*width, s.Count*width)
	}
}

// pieces returns into how many pieces the data are cut: one for each rank of an outermost domain, times those of the
// flat algorithm between these domains.
func (n *nest) pieces(parts func(side int) int) int {
	if n.sides == nil {
		return 1
	}
	return n.stride(0) * parts(n.sides[0])
}

// aligned: the blocks of ranks with this rank's digits on the inner levels and a given digit on
// this level.
func aligned(x taking, s BlockSet) BlockSet {
	stride := x.stride(x.level)
	domain := stride * x.count
	return grid(x.position%stride+s.First*stride, x.size/domain, domain, 1, 1)
}

// alignedBetween: the blocks from ranks of one domain to ranks of another with this rank's digits on the inner
// levels, after the exchange on these.
func alignedBetween(x taking, s BlockSet) BlockSet {
	stride := x.stride(x.level)
	domain := stride * x.count
	from := x.position/domain*domain + s.First/x.count*stride
	to := x.position%stride + s.First%x.count*stride
	return grid(from*x.size+to, stride, x.size, x.size/domain, domain)
}

// nestedDivider is an algorithm with many leaders that cuts its one block into pieces.
type nestedDivider struct {
	nested
	parts func(side int) int // of the flat algorithm at the outermost level
}

func (a *nestedDivider) Pieces(c Call, _ units.Bytes) int {
	if a.places == nil {
		return a.parts(c.Size)
	}
	return a.places.nest(c).pieces(a.parts)
}

// placed returns the algorithm at the given places, if it depends on places.
func placed(a Algorithm, p *Places) Algorithm {
	switch a := a.(type) {
	case *nested:
		other := *a
		other.places = p
		return &other
	case *nestedDivider:
		other := *a
		other.places = p
		return &other
	case *law:
		other := *a
		other.places = p
		return &other
	case timed:
		return &timedAt{a, placed(a.Otherwise(), p), p}
	}
	return a
}

// The flat algorithms of many leaders within a domain: halving and doubling if their number is a power of two,
// otherwise a ring.

func scatterReduced(c Call, rank, k int) (Step, bool) {
	if c.Size&(c.Size-1) == 0 {
		return reduceScatterRecursiveHalving(c, rank, k)
	}
	return reduceScatterRing(c, rank, k)
}

func gatherAll(c Call, rank, k int) (Step, bool) {
	if c.Size&(c.Size-1) == 0 {
		return allgatherRecursiveDoubling(c, rank, k)
	}
	return allgatherRing(c, rank, k)
}

func oneEach(side int) int { return side }

func one(int) int { return 1 }

// silent makes the messages of an algorithm empty.
func silent(step func(Call, int, int) (Step, bool)) func(Call, int, int) (Step, bool) {
	return func(c Call, rank, k int) (Step, bool) {
		s, ok := step(c, rank, k)
		s.Blocks = BlockSet{}
		return s, ok
	}
}

// What leaders do: reports go up, and results down.
var (
	barrierLeaders = plan{&part{silent(gatherBinomial), nothing, false},
		&part{barrierDissemination, nothing, false}, &part{silent(bcastBinomial), nothing, false}}
	bcastLeaders     = plan{nil, &part{bcastBinomial, whole, false}, &part{bcastBinomial, whole, false}}
	reduceLeaders    = plan{&part{reduceBinomial, whole, false}, &part{reduceBinomial, whole, false}, nil}
	allreduceLeaders = plan{&part{reduceBinomial, whole, false},
		&part{allreduceRecursiveDoubling, whole, false}, &part{bcastBinomial, whole, false}}
	allgatherLeaders = plan{&part{gatherBinomial, theirs, false},
		&part{allgatherRing, theirs, false}, &part{bcastBinomial, everything, false}}
	alltoallLeaders = plan{&part{gatherBinomial, fromThem, false},
		&part{alltoallPairwise, between, false}, &part{scatterBinomial, toThem, false}}
)

// nestedAlgorithms are the algorithms of this file.
var nestedAlgorithms = []Algorithm{
	&nested{operation: workloads.Barrier, name: "leader", leaders: barrierLeaders},
	&nested{operation: workloads.Bcast, name: "leader", leaders: bcastLeaders},
	&nestedDivider{nested{operation: workloads.Bcast, name: "multi-leader", leaders: bcastLeaders, many: &plan{
		&part{scatterBinomial, pieces(one), true}, &part{bcastBinomial, pieces(one), false},
		&part{gatherAll, pieces(one), false},
	}}, one},
	&nested{operation: workloads.Reduce, name: "leader", leaders: reduceLeaders},
	&nestedDivider{nested{operation: workloads.Reduce, name: "multi-leader", leaders: reduceLeaders, many: &plan{
		&part{scatterReduced, pieces(one), false}, &part{reduceBinomial, pieces(one), false},
		&part{gatherBinomial, pieces(one), true},
	}}, one},
	&nested{operation: workloads.Allreduce, name: "leader", leaders: allreduceLeaders},
	&nestedDivider{nested{operation: workloads.Allreduce, name: "multi-leader", leaders: allreduceLeaders, many: &plan{
		&part{scatterReduced, pieces(one), false}, &part{allreduceRecursiveDoubling, pieces(one), false},
		&part{gatherAll, pieces(one), false},
	}}, one},
	&nestedDivider{nested{operation: workloads.Allreduce, name: "ring-in-ring", leaders: allreduceLeaders, many: &plan{
		&part{reduceScatterRing, pieces(oneEach), false}, &part{allreduceRing, pieces(oneEach), false},
		&part{allgatherRing, pieces(oneEach), false},
	}}, oneEach},
	&nested{operation: workloads.Allgather, name: "leader", leaders: allgatherLeaders},
	&nested{operation: workloads.Allgather, name: "ring-in-ring", leaders: allgatherLeaders, many: &plan{
		nil, &part{allgatherRing, aligned, false}, &part{allgatherRing, aligned, false},
	}},
	&nested{operation: workloads.Alltoall, name: "leader", leaders: alltoallLeaders},
	&nested{operation: workloads.Alltoall, name: "multi-leader", leaders: alltoallLeaders, many: &plan{
		&part{alltoallPairwise, alignedBetween, false}, &part{alltoallPairwise, alignedBetween, false}, nil,
	}},
}
