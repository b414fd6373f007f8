package algorithm

import (
	"errors"
	"fmt"
	"math"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads/collective"
)

// Problem is what the algorithms have in common that split one problem among
// processes of different speed.
type Problem struct {
	N      int                    // problem size: order of a matrix, side of an image, length of a string
	Speeds []units.FlopsPerSecond // marked speed of each process, above 0: who gets how many rows
	// Startup is what starting the program costs before anything else happens,
	// for each process: p processes begin after p*Startup.
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

// check reports everything that is wrong with the problem, in the name of an
// algorithm whose smallest problem size is least.
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
			break // the first one shows it; there may be a million
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

// start returns when the processes begin, and how many they are.
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
