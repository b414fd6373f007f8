package sim_test

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/algorithm"
	"github.com/isoscale/isoscale/workloads/collective"
)

// terms are what the closed forms of docs/models/collectives.md consist of; names are
// as there.
type terms struct {
	P float64
	K float64 // floor(log2 P)
	R float64 // ceil(log2 P)
	q float64 // 2^K
	e float64 // P - q
	S float64 // set bits in all numbers below P
	s float64 // segments of a chain
	a float64 // latency, in seconds
	b float64 // m/bandwidth, in seconds
}

func termsOf(p int, latency units.Seconds, m units.Bytes, bandwidth units.BytesPerSecond) terms {
	t := terms{P: float64(p), q: 1, a: float64(latency), b: float64(m) / float64(bandwidth)}
	for 2*t.q <= t.P {
		t.q *= 2
		t.K++
	}
	t.e = t.P - t.q
	t.R = t.K
	if t.e > 0 {
		t.R++
	}
	for v := range p {
		t.S += float64(bits.OnesCount(uint(v)))
	}
	t.s = max(1, math.Ceil(float64(m)/(128<<10)))
	return t
}

// folded is 1 if P is no power of two, so that processes must be paired off.
func (t terms) folded() float64 { return min(t.e, 1) }

// cost has the number of messages of one call, of blocks in all of them, and the time
// in seconds until the last process leaves.
type cost struct{ messages, blocks, time float64 }

// closedForms are for at least two processes and for pieces of equal size.
//
//   - In rings, pairwise exchanges, dissemination and Bruck's algorithms all processes act
//     in lockstep, and the times of the rounds add up.
//   - In a binomial tree the number of edges from a process to the root is the number of
//     set bits of its number, counted from the root; at most K, for number q-1. Towards
//     the root each sender sends one message only.
//   - Binomial broadcast: children are served in turn, the one with the largest subtree
//     first. On the path to number q-1 each process is the first that its parent serves,
//     except that the child of the root is the second unless P = q.
//   - Binomial scatter: the transmissions that a block waits for on its path add up to at
//     most P-1 blocks; number q-1 attains this, over K edges.
//   - Binomial gather: a process sends when it has the blocks of its subtree. H(P) adds up
//     the subtrees on the longest path: 1 + 2 + ... + q/2; or e + H(e) if e > q/2.
//   - Scatter-allgather: every process has sent its part of the tree after (P-1) b/P at
//     the latest, plus a for each edge above it. The ring then waits for the last process.
//   - Recursive doubling of a scan: a message follows that of the round before through the
//     same interface, or waits for the message that its sender received in that round. One
//     of the last round comes from a process below P - 2^(R-1), which has received in at
//     most h rounds.
//   - P not a power of two: an active process that represents two begins later, at a + b
//     or, in recursive halving, a + P b. At the end the idle process of each pair gets the
//     result once the interface of its representative is free. The time is the maximum
//     over both paths.
var closedForms = []struct {
	operation workloads.Collective
	name      string
	// together says that all processes leave at once.
	together bool
	cost     func(t terms) cost
}{
	{workloads.Barrier, "dissemination", true, func(t terms) cost { return cost{t.P * t.R, 0, t.R * t.a} }},
	{workloads.Barrier, "linear", false, func(t terms) cost { return cost{2 * (t.P - 1), 0, 2 * t.a} }},
	{workloads.Barrier, "tree", false, func(t terms) cost { return cost{2 * (t.P - 1), 0, 2 * t.K * t.a} }},

	{workloads.Bcast, "binomial", false, func(t terms) cost { return cost{t.P - 1, t.P - 1, t.K*t.a + t.R*t.b} }},
	{workloads.Bcast, "chain", false, func(t terms) cost {
		return cost{(t.P - 1) * t.s, t.P - 1, (t.P-1)*t.a + (t.P-2+t.s)*t.b/t.s}
	}},
	{workloads.Bcast, "flat", false, func(t terms) cost { return cost{t.P - 1, t.P - 1, t.a + (t.P-1)*t.b} }},
	{workloads.Bcast, "scatter-allgather", false, func(t terms) cost {
		return cost{(t.P + 1) * (t.P - 1), t.P - 1 + t.S/t.P, (t.P-1+t.K)*t.a + 2*(t.P-1)*t.b/t.P}
	}},

	{workloads.Reduce, "binomial", false, func(t terms) cost { return cost{t.P - 1, t.P - 1, t.K * (t.a + t.b)} }},
	{workloads.Reduce, "flat", false, func(t terms) cost { return cost{t.P - 1, t.P - 1, t.a + t.b} }},

	{workloads.Gather, "binomial", false, func(t terms) cost { return cost{t.P - 1, t.S, t.K*t.a + heaviest(t.P)*t.b} }},
	{workloads.Gather, "flat", false, func(t terms) cost { return cost{t.P - 1, t.P - 1, t.a + t.b} }},
	{workloads.Scatter, "binomial", false, func(t terms) cost { return cost{t.P - 1, t.S, t.K*t.a + (t.P-1)*t.b} }},
	{workloads.Scatter, "flat", false, func(t terms) cost { return cost{t.P - 1, t.P - 1, t.a + (t.P-1)*t.b} }},

	{workloads.Allreduce, "rabenseifner", false, func(t terms) cost {
		return cost{2*t.q*t.K + 2*t.e, 2*(t.q-1) + 2*t.e, 2*t.K*t.a + 2*(1-1/t.q)*t.b + t.folded()*2*(t.a+t.b)}
	}},
	{workloads.Allreduce, "recursive-doubling", false, func(t terms) cost {
		n := t.q*t.K + 2*t.e
		time := t.K * (t.a + t.b)
		if t.e > 0 {
			h := math.Ceil(math.Log2(t.e))
			time = t.a + t.b + max(time, (h+1)*t.a+(t.K+1)*t.b)
		}
		return cost{n, n, time}
	}},
	{workloads.Allreduce, "reduce-bcast", false, func(t terms) cost {
		return cost{2 * (t.P - 1), 2 * (t.P - 1), 2*t.K*t.a + (t.K+t.R)*t.b}
	}},
	{workloads.Allreduce, "ring", true, func(t terms) cost {
		return cost{2 * t.P * (t.P - 1), 2 * (t.P - 1), 2 * (t.P - 1) * (t.a + t.b/t.P)}
	}},

	{workloads.Allgather, "bruck", true, func(t terms) cost {
		return cost{t.P * t.R, t.P * (t.P - 1), t.R*t.a + (t.P-1)*t.b}
	}},
	{workloads.Allgather, "recursive-doubling", false, func(t terms) cost {
		return cost{t.q*t.K + 2*t.e, t.P * (t.P - 1), doubling(t)}
	}},
	{workloads.Allgather, "ring", true, func(t terms) cost {
		return cost{t.P * (t.P - 1), t.P * (t.P - 1), (t.P - 1) * (t.a + t.b)}
	}},

	{workloads.Alltoall, "bruck", true, func(t terms) cost { return cost{t.P * t.R, t.P * t.S, t.R*t.a + t.S*t.b} }},
	{workloads.Alltoall, "linear", true, func(t terms) cost {
		return cost{t.P * (t.P - 1), t.P * (t.P - 1), t.a + (t.P-1)*t.b}
	}},
	{workloads.Alltoall, "pairwise", true, func(t terms) cost {
		return cost{t.P * (t.P - 1), t.P * (t.P - 1), (t.P - 1) * (t.a + t.b)}
	}},

	{workloads.ReduceScatter, "pairwise", true, func(t terms) cost {
		return cost{t.P * (t.P - 1), t.P * (t.P - 1), (t.P - 1) * (t.a + t.b)}
	}},
	{workloads.ReduceScatter, "recursive-halving", false, func(t terms) cost {
		return cost{t.q*t.K + 2*t.e, (t.q-1+t.e)*t.P + t.e, halving(t)}
	}},
	{workloads.ReduceScatter, "ring", true, func(t terms) cost {
		return cost{t.P * (t.P - 1), t.P * (t.P - 1), (t.P - 1) * (t.a + t.b)}
	}},

	{workloads.Scan, "linear", false, func(t terms) cost { return cost{t.P - 1, t.P - 1, (t.P - 1) * (t.a + t.b)} }},
	{workloads.Scan, "recursive-doubling", false, func(t terms) cost {
		n := t.R*t.P - (math.Exp2(t.R) - 1) // the sum of P - 2^i
		h := math.Floor(math.Log2(t.P - math.Exp2(t.R-1)))
		return cost{n, n, max((t.R-1)*(t.a+t.b), (h+1)*t.a+t.R*t.b)}
	}},
}

// heaviest is H(P), the number of blocks that arrive one after the other on the
// heaviest way up the binomial tree.
func heaviest(p float64) float64 {
	q := math.Exp2(math.Floor(math.Log2(p)))
	if rest := p - q; rest > q/2 {
		return rest + heaviest(rest)
	}
	return q - 1
}

// doubling is the time of an allgather by recursive doubling. Active process v
// sends in each round what the group around it has.
func doubling(t terms) float64 {
	var distances []int
	for d := 1; d < int(t.q); d *= 2 {
		distances = append(distances, d)
	}
	return exchanges(t, 1, distances, func(v, d int) float64 { return t.owned(v&^(d-1), d) }, t.P-1)
}

// halving is the time of a reduce-scatter by recursive halving. Active process v
// sends in each round the blocks of the group around its partner.
func halving(t terms) float64 {
	var distances []int
	for d := int(t.q) / 2; d > 0; d /= 2 {
		distances = append(distances, d)
	}
	return exchanges(t, t.P, distances, func(v, d int) float64 { return t.owned((v^d)&^(d-1), d) }, 1)
}

// owned is the number of blocks of n active processes from the given one on; the first
// e active processes stand for two processes each.
func (t terms) owned(first, n int) float64 {
	return float64(n) + max(0, min(float64(n), t.e-float64(first)))
}

// exchanges is the time of rounds in which partners at some distance exchange
// different amounts: a process begins a round when it has received in the one
// before, at x, and its message leaves when its interface is free, at f. The
// first e processes begin when they have received some blocks and, at the end,
// send others back.
func exchanges(t terms, given float64, distances []int, sent func(v, distance int) float64, back float64) float64 {
	q := int(t.q)
	x, f := make([]float64, q), make([]float64, q)
	for v := range int(t.e) {
		x[v] = t.a + given*t.b
	}
	for _, d := range distances {
		for v := range q {
			f[v] = max(x[v], f[v]) + sent(v, d)*t.b
		}
		for v := range q {
			x[v] = max(x[v], f[v^d]+t.a)
		}
	}
	end := slices.Max(x)
	for v := range int(t.e) {
		end = max(end, max(x[v], f[v])+back*t.b+t.a)
	}
	return end
}

// Sizes of blocks that can be cut into as many equal pieces as there are
// processes, or active ones, or segments of 128 KiB: none, a short one and a
// long one.
var blockSizes = []units.Bytes{0, 7 * 33 * 32, 7 * 33 << 17}

// measure runs n calls.
func measure(t *testing.T, c algorithm.Collective, latency units.Seconds, bandwidth units.BytesPerSecond) *sim.Result {
	t.Helper()
	expect.Success(t, c.Validate())
	res := expect.Value(sim.Run(context.Background(), sim.Config{
		Program: c.Program(),
		Network: network.Hockney{Latency: latency, Bandwidth: bandwidth, EagerLimit: units.Bytes(math.Inf(1))},
		Rates:   slices.Repeat([]units.FlopsPerSecond{1}, c.Processes),
	}))(t)
	expect.That(t, len(res.Warnings) == 0, "%v", res.Warnings)
	return res
}

// near compares sums of different rounding.
func near(got, want float64) bool { return math.Abs(got-want) <= 1e-12*want }

// TestCollectiveClosedForms runs every algorithm alone, once and three times in a
// row. Calls that overlap are sooner over than one after the other. Where all
// processes leave together, calls cannot overlap.
func TestCollectiveClosedForms(t *testing.T) {
	const bandwidth = 1e6
	processes := []int{1, 2, 3, 6, 7, 8, 12, 33}
	if !expect.IsLong() {
		processes = processes[:6]
	}
	tested := make(map[string]bool)
	for _, form := range closedForms {
		name := form.operation.String() + "/" + form.name
		tested[name] = true
		t.Run(name, func(t *testing.T) {
			ch := choose(t, form.operation, form.name)
			for _, p := range processes {
				roots := []int{0}
				if collective.Rooted(form.operation) && p > 1 {
					roots = append(roots, 1, p-1)
				}
				for _, latency := range []units.Seconds{0, 1e-4, 5e-3, 1} {
					for _, m := range blockSizes {
						want := cost{}
						if p > 1 {
							want = form.cost(termsOf(p, latency, m, bandwidth))
						}
						for _, root := range roots {
							c := algorithm.Collective{Series: algorithm.Series{Rounds: 1, Processes: p}, Choice: ch, Size: m, Root: root}
							at := fmt.Sprintf("%d processes, root %d, %v, latency %v", p, root, m, latency)
							one := measure(t, c, latency, bandwidth)
							expect.That(t, float64(one.Messages) == want.messages &&
								near(float64(one.Makespan), want.time),
								"%s: %d messages in %v; expected %v in %v s", at, one.Messages, one.Makespan, want.messages, want.time)
							bytes := want.blocks * float64(m)
							expect.That(t, near(float64(one.Bytes), bytes), "%s: %v in all messages; expected %v B", at, one.Bytes, bytes)
							c.Rounds = 3
							three := measure(t, c, latency, bandwidth)
							expect.That(t, three.Messages == 3*one.Messages &&
								near(float64(three.Bytes), 3*float64(one.Bytes)),
								"%s: three calls send %d messages, %v; expected three times %d, %v", at, three.Messages, three.Bytes, one.Messages, one.Bytes)
							longest := 3 * want.time
							got := float64(three.Makespan)
							expect.That(t, got <= longest*(1+1e-12) && (!form.together || near(got, longest)),
								"%s: three calls take %v s; one takes %v s", at, got, want.time)
						}
					}
				}
			}
		})
	}
	for op := workloads.Barrier; op <= workloads.Scan; op++ {
		for _, name := range collective.Names(op) {
			if slices.Contains([]string{"leader", "multi-leader", "ring-in-ring", "rails", "double-tree", "in-switch", "nccl", "hierarchical"}, name) {
				continue // those on domains and links have theirs where machines with these are simulated
			}
			expect.That(t, tested[op.String()+"/"+name], "%v %s has no closed form here", op, name)
		}
	}
}

// The rounds of partners with different amounts have closed forms where one
// process is left over, P = q + 1; for 33 = 32 + 1 in the comments. Active process
// 0 stands for two. Either all rounds wait for what it sends first, or its own
// interface is what takes longest.
func TestFoldedExchanges(t *testing.T) {
	for _, p := range []int{3, 5, 9, 17, 33} {
		for _, latency := range []units.Seconds{0, 1, 1.5, 2, 100} {
			x := termsOf(p, latency, 1, 1)
			a, b := x.a, x.b
			// The group of active process 0 has 2, 3, 5, 9, 17 blocks, 36 in all.
			// Sent in a row after the block that it was given, and then the 32 that
			// its pair lacks, that is 2a + (1+36+32)b. Or the last to arrive at 0
			// are the 1+2+4+8+16 of the others, a round each, and then the 32:
			// 6a + 63b.
			got, want := doubling(x), max((x.K+1)*a+(2*x.q-1)*b, 2*a+(2*x.q+x.K)*b)
			expect.That(t, near(got, want), "allgather of %d, latency %v: %v; expected %v", p, latency, got, want)
			// Active process 0 is given 33 blocks and sends 16+8+4+2+1 in a row,
			// and then the one of its pair: 2a + 65b. Or each of the 31 blocks goes
			// to the next process, the last to number 31: 6a + 64b.
			got, want = halving(x), max((x.K+1)*a+2*x.q*b, 2*a+(2*x.q+1)*b)
			expect.That(t, near(got, want), "reduce-scatter of %d, latency %v: %v; expected %v", p, latency, got, want)
		}
	}
}

// Calls overlap where nobody must wait: the root of a flat broadcast sends all
// messages of three calls in a row, and of a flat reduction the other processes
// do.
func TestCollectiveCallsOverlap(t *testing.T) {
	const p, m, latency, bandwidth = 5, 1000, 1, 1000 // b = 1 s
	for op, want := range map[workloads.Collective]units.Seconds{
		workloads.Bcast:  1 + 3*(p-1),
		workloads.Reduce: 1 + 3,
	} {
		c := algorithm.Collective{Series: algorithm.Series{Rounds: 3, Processes: p}, Choice: choose(t, op, "flat"), Size: m}
		expect.Equal(t, measure(t, c, latency, bandwidth).Makespan, want, "three calls of %v take", op)
	}
}
