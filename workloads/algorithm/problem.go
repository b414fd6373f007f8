package algorithm

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/isoscale/isoscale/internal/heap"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads/collective"
)

// Problem has the parameters of all algorithms that split one problem among processes
// of different speed.
type Problem struct {
	N      int                    // problem size: order of a matrix, side of an image, length of a string
	Speeds []units.FlopsPerSecond // marked speed of each process, above 0: decides how many rows it gets
	// Startup is the time per process to start the program, before anything else: p
	// processes begin after p*Startup.
	Startup units.Seconds
	Element units.Bytes // size of a number
}

// MaxOrder is the largest problem size: rows are counted in 32 bits.
const MaxOrder = 1 << 30

// Speeds outside this range could make a sum or a quotient of speeds overflow.
const (
	minSpeed units.FlopsPerSecond = 1e-30
	maxSpeed units.FlopsPerSecond = 1e30
)

// check reports everything that is wrong with the problem. name is that of the
// algorithm, least its smallest problem size.
func (p Problem) check(name string, least int) error {
	var problems []error
	if p.N < least || p.N > MaxOrder {
		problems = append(problems, fmt.Errorf("%s: n is %d; expected %d to %d", name, p.N, least, MaxOrder))
	}
	if len(p.Speeds) == 0 {
		problems = append(problems, fmt.Errorf("%s: no processes; expected at least 1 marked speed", name))
	}
	for q, c := range p.Speeds {
		if !(c >= minSpeed && c <= maxSpeed) {
			problems = append(problems, fmt.Errorf("%s: marked speed of process %d is %v; expected %g to %g flop/s", name, q, c, float64(minSpeed), float64(maxSpeed)))
			break // the first one is enough; there may be a million
		}
	}
	if !(p.Startup >= 0) || math.IsInf(float64(p.Startup), 1) {
		problems = append(problems, fmt.Errorf("%s: startup is %v; expected a finite time of at least 0", name, p.Startup))
	}
	if !(p.Element > 0) || p.Element > 1<<20 {
		problems = append(problems, fmt.Errorf("%s: element is %v; expected more than 0 B, at most 1 MiB", name, p.Element))
	}
	return errors.Join(problems...)
}

// SequentialWork returns 0: no process computes while all others wait for it.
func (p Problem) SequentialWork() units.Flops { return 0 }

// start returns when the processes begin, and their number.
func (p Problem) start() (begin units.Seconds, processes int) {
	return startTime(len(p.Speeds), p.Startup), len(p.Speeds)
}

// machine returns a machine that starts the processes.
func (p Problem) machine() *machine { return newMachine(len(p.Speeds), p.Startup) }

// everybody is a collective call of all processes, with root 0.
func (p Problem) everybody() collective.Call { return collective.Call{Size: len(p.Speeds)} }

// row is the size of N numbers.
func (p Problem) row() units.Bytes { return units.Bytes(p.N) * p.Element }

// matrix is the size of N x N numbers.
func (p Problem) matrix() units.Bytes { return units.Bytes(p.N) * units.Bytes(p.N) * p.Element }

// rowBlocks are the blocks of a matrix of which process q has rows[q] rows.
func (p Problem) rowBlocks(rows []int) collective.VaryingBlocks {
	sizes := make([]units.Bytes, len(rows))
	for q, n := range rows {
		sizes[q] = units.Bytes(n) * units.Bytes(p.N) * p.Element
	}
	return collective.Varying(sizes)
}

// Series has the parameters of all workloads that consist of equal rounds, the same for
// every process.
type Series struct {
	Rounds    int
	Processes int
	Startup   units.Seconds // as in Problem
}

// maxRounds is the largest number of rounds, which are counted in 32 bits.
const maxRounds = 1 << 30

// check reports everything that is wrong with the series of the named workload.
func (s Series) check(name string) error {
	return errors.Join(
		expect(s.Rounds >= 1 && s.Rounds <= maxRounds, name, "n is %d; expected 1 to %d rounds", s.Rounds, maxRounds),
		expect(s.Processes >= 1, name, "%d processes; expected at least 1", s.Processes),
		expect(s.Startup >= 0 && s.Startup <= 1e9, name, "startup is %v; expected 0 s to 1e9 s", s.Startup),
	)
}

// expect returns an error of the workload of that name unless ok.
func expect(ok bool, name, format string, args ...any) error {
	if ok {
		return nil
	}
	return fmt.Errorf(name+": "+format, args...)
}

// SequentialWork returns 0: all processes do the same.
func (s Series) SequentialWork() units.Flops { return 0 }

// startTime is when the processes begin.
func (s Series) startTime() units.Seconds { return startTime(s.Processes, s.Startup) }

// alike returns the needs of all processes if each has the same.
func (s Series) alike(need units.Bytes) []units.Bytes {
	return slices.Repeat([]units.Bytes{need}, s.Processes)
}

// sum adds in order.
func sum[T ~float64](all []T) (total T) {
	for _, x := range all {
		total += x
	}
	return total
}

// Shares splits n rows among processes in proportion to their speeds, in whole rows:
// process q gets floor(n C_q / C), and the remaining rows go to the largest remainders,
// with lower ranks first among equals. The shares add up to n, and each differs from
// its exact value by less than a row.
func Shares(n int, speeds []units.FlopsPerSecond) []int {
	total := float64(sum(speeds))
	shares := make([]int, len(speeds))
	remainder := make([]float64, len(speeds))
	left := n
	for q, c := range speeds {
		// Mod is exact, so equal remainders compare as equal.
		scaled := float64(float64(n) * float64(c))
		remainder[q] = math.Mod(scaled, total)
		shares[q] = int(math.Round((scaled - remainder[q]) / total))
		left -= shares[q]
	}
	byRemainder := make([]int, len(speeds))
	for q := range byRemainder {
		byRemainder[q] = q
	}
	slices.SortStableFunc(byRemainder, func(a, b int) int { return cmp.Compare(remainder[b], remainder[a]) })
	for i := range left { // left is from 0 to len(speeds); rounding may make it reach that
		shares[byRemainder[i]]++
	}
	return shares
}

// Cyclic deals n rows out to processes of different speed so that every
// trailing part of the matrix is split nearly in proportion to the speeds: the heterogeneous cyclic distribution of
// [KalinovLastovetsky2001]. It returns the owner of each row.
//
// The rows are dealt from the last to the first, each to the process that would finish
// first with one more row, min (n_q + 1)/C_q, and to the lower rank among equals. So
// for every i the rows from i on are an optimal split of n-i rows [Beaumont2001], as
// elimination needs: after step i only these rows are left.
func Cyclic(n int, speeds []units.FlopsPerSecond) []int32 {
	h := heap.By(func(a, b *dealt) bool { return a.finish < b.finish || a.finish == b.finish && a.rank < b.rank })
	for q, c := range speeds {
		h.Push(dealt{rank: int32(q), speed: float64(c), finish: 1 / float64(c)})
	}
	owner := make([]int32, n)
	for i := n - 1; i >= 0; i-- {
		next := h.Top()
		owner[i] = next.rank
		next.rows++
		next.finish = float64(next.rows+1) / next.speed // one rounding: equals stay equal
		h.Sink()
	}
	return owner
}

// dealt is a process in the heap of Cyclic; finish is when it would be done with one
// more row.
type dealt struct {
	rank   int32
	rows   int
	speed  float64
	finish float64
}
