package algorithm

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
	"github.com/isoscale/isoscale/workloads/parameter"
)

// Shape is who talks to whom in a round of a [Pattern] of P ranks. In every
// shape but Alltoall and Incast a rank exchanges with one partner after the
// other, each time sending and receiving at once.
type Shape uint8

// The shapes.
const (
	// Dissemination: in step i = 0 ... ceil(log2 P)-1, rank r sends to r + 2^i
	// and receives from r - 2^i, modulo P: a barrier [Hensgen1988].
	Dissemination Shape = iota + 1
	// Ring: rank r sends to r + 1 and receives from r - 1, modulo P.
	Ring
	// Neighbours1D, 2D and 3D: the ranks form a torus as close to a cube as P allows;
	// in each dimension, a rank exchanges with the neighbours on both sides, upwards
	// first.
	Neighbours1D
	Neighbours2D
	Neighbours3D
	// AllPairs: in step i = 1 ... P-1, rank r sends to r + i and receives from
	// r - i, modulo P.
	AllPairs
	// RandomPairs: in round k, rank r exchanges with rank c_k - r modulo P, c_k
	// drawn from the seed. A rank that is its own partner is idle.
	RandomPairs
	// Incast: every rank but 0 sends to rank 0, which receives from anybody.
	Incast
	// Alltoall: every rank starts receives from and sends to all others, beginning with
	// the ranks after it, and waits for all of them.
	Alltoall
)

var shapeNames = [...]string{
	Dissemination: "dissemination", Ring: "ring",
	Neighbours1D: "neighbours-1d", Neighbours2D: "neighbours-2d", Neighbours3D: "neighbours-3d",
	AllPairs: "all-pairs", RandomPairs: "random-pairs", Incast: "incast", Alltoall: "alltoall",
}

// String returns the name of the shape, as "neighbours-2d".
func (s Shape) String() string {
	if s == 0 || int(s) >= len(shapeNames) {
		return fmt.Sprintf("Shape(%d)", uint8(s))
	}
	return shapeNames[s]
}

func namesOfShapes() []string { return append([]string(nil), shapeNames[1:]...) }

// shapeNamed returns the shape of that name, 0 if there is none.
func shapeNamed(name string) Shape { return Shape(max(0, slices.Index(shapeNames[:], name))) }

// Pattern is rounds of computation and communication: a building block for benchmarks
// and teaching, not an algorithm that computes anything.
type Pattern struct {
	Series
	Shape Shape
	Size  units.Bytes // of each message
	// Compute is the work of a rank before the messages of each round. The
	// actual work varies: it is Compute (1 + Imbalance (2u - 1)) with u drawn
	// from the seed, uniformly from [0, 1), for each rank and round.
	Compute units.Flops
	// TotalCompute, in place of Compute, is the work of all ranks in a round, which
	// they share by marked speed, as in [Problem].
	TotalCompute units.Flops
	Speeds       []units.FlopsPerSecond // marked speed of each rank, with TotalCompute
	Imbalance    float64                // 0 to 1
	Seed         uint64
}

// Validate reports everything that is wrong with the parameters.
func (p Pattern) Validate() error {
	const name = "pattern"
	return errors.Join(
		expect(p.Shape >= Dissemination && p.Shape <= Alltoall, name, "unknown shape %v", p.Shape),
		p.check(name),
		expect(p.Size >= 0 && p.Size <= 1e18, name, "size is %v; expected 0 B to 1 EB", p.Size),
		expect(p.Compute >= 0 && p.Compute <= 1e24, name, "compute is %v; expected 0 to 1e24 flop", p.Compute),
		checkTotal(name, p.Series, p.TotalCompute, p.Compute, p.Speeds),
		expect(p.Imbalance >= 0 && p.Imbalance <= 1, name, "imbalance is %v; expected 0 to 1", p.Imbalance),
	)
}

// checkTotal reports what is wrong with the work of all processes in a round.
func checkTotal(name string, s Series, total, each units.Flops, speeds []units.FlopsPerSecond) error {
	if total == 0 {
		return nil
	}
	return errors.Join(
		expect(total > 0 && total <= 1e24, name, "total_compute is %v; expected 0 to 1e24 flop", total),
		expect(each == 0, name, "both compute and total_compute; expected one of them"),
		expect(len(speeds) == s.Processes, name, "%d marked speeds of %d processes", len(speeds), s.Processes),
	)
}

// Work returns the expected work, Rounds * Processes * Compute or Rounds *
// TotalCompute. With Imbalance, the work of a run is what its ranks draw, which its
// program knows at the end.
func (p Pattern) Work() units.Flops {
	if p.TotalCompute > 0 {
		return units.Flops(p.Rounds) * p.TotalCompute
	}
	return units.Flops(p.Rounds) * units.Flops(p.Processes) * p.Compute
}

// Footprints returns the memory for one message out and one in for each rank.
func (p Pattern) Footprints() []units.Bytes { return p.alike(2 * p.Size) }

// Draws reports whether a run depends on the seed.
func (p Pattern) Draws() bool {
	return p.Shape == RandomPairs || p.Imbalance > 0 && p.Compute+p.TotalCompute > 0
}

// Choices returns none: messages are the pattern's own.
func (p Pattern) Choices() []collective.Choice { return nil }

// Overhead returns the start-up time and, for each round, the messages of the busiest
// rank one after the other: an upper bound for shapes whose messages overlap.
func (p Pattern) Overhead(c Costs) units.Seconds {
	t := p.startTime()
	if n := p.steps(); n > 0 {
		t += units.Seconds(units.Seconds(p.Rounds) * units.Seconds(n) * c.Message(p.Size))
	}
	return t
}

// steps returns how many partners the busiest rank has in a round.
func (p Pattern) steps() int {
	switch p.Shape {
	case Dissemination:
		return bits.Len(uint(p.Processes - 1))
	case Neighbours1D, Neighbours2D, Neighbours3D:
		n := 0
		for _, side := range grid(p.Processes, p.dimensions()) {
			if side > 1 {
				n += 2
			}
		}
		return n
	case AllPairs, Incast, Alltoall:
		return p.Processes - 1
	}
	return min(1, p.Processes-1)
}

func (p Pattern) dimensions() int { return int(p.Shape-Neighbours1D) + 1 }

// grid splits n into that many factors, as equal as possible, the largest first.
func grid(n, dimensions int) [3]int {
	sides := [3]int{1, 1, 1}
	for d := dimensions; d > 0; d-- {
		// The largest divisor of n that is at most its d-th root, so that the remaining
		// sides can only be larger.
		side := n
		if d > 1 {
			for f := 1; power(f, d) <= n; f++ {
				if n%f == 0 {
					side = f
				}
			}
		}
		sides[d-1] = side
		n /= side
	}
	return sides
}

func power(x, n int) int {
	p := 1
	for range n {
		p *= x
	}
	return p
}

// Program returns a fresh run. The parameters must be valid. With Imbalance it has
// a method Drawn() units.Flops, the work that all ranks have been given so far.
func (p Pattern) Program() workloads.Program {
	run := &pattern{Pattern: p, perRound: p.steps()}
	if p.TotalCompute > 0 {
		run.shareTime = units.Seconds(p.TotalCompute) / units.Seconds(sum(p.Speeds))
	}
	if p.Shape >= Neighbours1D && p.Shape <= Neighbours3D {
		run.sides = grid(p.Processes, p.dimensions())
	}
	exchange := run.exchange
	switch p.Shape {
	case Incast:
		exchange = run.incast
	case Alltoall:
		exchange = run.alltoall
	}
	m := newMachine(p.Processes, p.Startup).repeat(p.Rounds, compute(run.work), exchange)
	if p.Imbalance == 0 {
		return m
	}
	run.drawn = make([]units.Flops, p.Processes)
	return &drawnPattern{m, run}
}

// drawnPattern is a run whose work is drawn.
type drawnPattern struct {
	*machine
	run *pattern
}

// Drawn returns the work that all ranks have been given so far.
func (d *drawnPattern) Drawn() units.Flops { return sum(d.run.drawn) }

// pattern is a run of Pattern.
type pattern struct {
	Pattern
	perRound int
	sides    [3]int
	// shareTime, with TotalCompute, is how long each rank computes in a round at its
	// marked speed.
	shareTime units.Seconds
	drawn     []units.Flops // with Imbalance, the work of each rank so far
}

// incast sends a message from every other rank to rank 0.
func (p *pattern) incast(rank, _ int, k *int32, op *workloads.Op) bool {
	switch {
	case rank != 0:
		return single(workloads.Op{Kind: workloads.Send, Peer: 0, Tag: tagRows, Size: p.Size}, k, op)
	case int(*k) == p.Processes-1:
		return false
	}
	*op = workloads.Op{Kind: workloads.Recv, Peer: workloads.AnySource, Tag: tagRows}
	*k++
	return true
}

// alltoall starts receives from and sends to all others and waits for them.
func (p *pattern) alltoall(rank, _ int, k *int32, op *workloads.Op) bool {
	n := p.Processes
	switch i := int(*k); {
	case i < n-1:
		*op = workloads.Op{Kind: workloads.Irecv, Peer: int32((rank + 1 + i) % n), Tag: tagRows, Request: *k}
	case i < 2*(n-1):
		*op = workloads.Op{Kind: workloads.Isend, Peer: int32((rank + 1 + i - (n - 1)) % n), Tag: tagRows,
			Request: *k, Size: p.Size}
	case i == 2*(n-1) && n > 1:
		*op = workloads.Op{Kind: workloads.Waitall}
	default:
		return false
	}
	*k++
	return true
}

// exchange exchanges with one partner after the other.
func (p *pattern) exchange(rank, round int, k *int32, op *workloads.Op) bool {
	if int(*k) == p.perRound {
		return false
	}
	to, from := p.partners(rank, round, int(*k))
	if to == rank { // idle; possible only with a single partner
		return false
	}
	*op = workloads.Op{Kind: workloads.Sendrecv, Peer: int32(to), From: int32(from), Tag: tagRows, Size: p.Size}
	*k++
	return true
}

// partners returns the ranks to which the rank sends and from which it receives in its
// k-th exchange of the round.
func (p *pattern) partners(rank, round, k int) (to, from int) {
	n := p.Processes
	shift := 1
	switch p.Shape {
	case Dissemination:
		shift = 1 << k
	case AllPairs:
		shift = k + 1
	case RandomPairs:
		c := int(Mix(p.Seed, uint64(round)) % uint64(n))
		partner := (c - rank%n + n) % n
		return partner, partner
	case Neighbours1D, Neighbours2D, Neighbours3D:
		return p.neighbours(rank, k)
	}
	return (rank + shift) % n, (rank - shift%n + n) % n
}

// neighbours returns the partners of the k-th exchange on the grid: dimensions
// of one rank have none, the others two each, upwards and downwards.
func (p *pattern) neighbours(rank, k int) (to, from int) {
	stride := 1
	for _, side := range p.sides {
		if side > 1 {
			if k < 2 {
				at := rank / stride % side
				up := rank + ((at+1)%side-at)*stride
				down := rank + ((at+side-1)%side-at)*stride
				if k == 0 {
					return up, down
				}
				return down, up
			}
			k -= 2
		}
		stride *= side
	}
	return rank, rank
}

// work returns the computation of a rank in a round. It must be called once for each.
func (p *pattern) work(rank, round int) units.Flops {
	mean := p.Compute
	if p.TotalCompute > 0 {
		mean = units.Flops(p.shareTime) * units.Flops(p.Speeds[rank])
	}
	if p.Imbalance == 0 {
		return mean
	}
	u := float64(float64(Mix(p.Seed^0x9e3779b97f4a7c15, uint64(rank)<<32|uint64(round))>>11) / (1 << 53))
	w := units.Flops(mean * units.Flops(1+float64(p.Imbalance*(float64(2*u)-1)))) // rounded before it is added
	p.drawn[rank] += w
	return w
}

var patternKind = Kind{
	Name: "pattern", Title: "rounds of computation and messages in a chosen shape, for benchmarks and teaching",
	Source: "none", Size: "number of rounds", Element: double, Scaling: roundScaling,
	Parameters: []parameter.Parameter{
		{Name: "shape", Type: parameter.Word{Of: namesOfShapes()}, Default: Dissemination.String(), Meaning: "partners of each process in a round"},
		{Name: "size", Type: parameter.Size{}, Default: "8 B", Meaning: "size of each message"},
		{Name: "compute", Type: parameter.Work{}, Default: "0 flop", Meaning: "work of each process before the messages of a round"},
		totalCompute,
		{Name: "imbalance", Type: parameter.Number{Max: 1}, Default: "0", Meaning: "variation of that work, 0 to 1: the factor is uniform between 1 - imbalance and 1 + imbalance"},
	},
	Build: func(c Case) Algorithm {
		p := Pattern{Series: c.series(), Shape: shapeNamed(c.Word("shape")), Size: c.Size("size"), Speeds: c.Speeds,
			Imbalance: c.Number("imbalance"), Seed: uint64(c.Seed)}
		p.Compute, p.TotalCompute = c.workOfRound()
		return p
	},
}
