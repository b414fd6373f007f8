package build

import (
	"fmt"
	"math"
	"strings"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
)

// Problem is one thing that is wrong with a description.
type Problem struct {
	Path  string // of the field: topology.dimensions[1]
	Value string // what it is, with its unit
	Want  string // what it has to be
}

func (p Problem) Error() string {
	return fmt.Sprintf("%s: %s; expected %s", p.Path, p.Value, p.Want)
}

// Problems is everything that is wrong with a description; never empty as an
// error.
type Problems []Problem

func (p Problems) Error() string {
	lines := make([]string, len(p))
	for i := range p {
		lines[i] = p[i].Error()
	}
	return strings.Join(lines, "\n")
}

// checker collects problems.
type checker struct{ problems Problems }

func (c *checker) fail(path string, value any, want string) {
	c.problems = append(c.problems, Problem{path, fmt.Sprint(value), want})
}

// count holds a number of things against its bounds.
func (c *checker) count(path string, n, smallest, largest int) {
	if n < smallest || n > largest {
		c.fail(path, n, fmt.Sprintf("%d to %d", smallest, largest))
	}
}

func (c *checker) latency(path string, t units.Seconds) {
	if !(t >= 0) || math.IsInf(float64(t), 0) {
		c.fail(path, t, "at least 0 s and finite")
	}
}

func (c *checker) bandwidth(path string, b units.BytesPerSecond) {
	if !(b > 0) || math.IsInf(float64(b), 0) {
		c.fail(path, b, "above 0 B/s and finite")
	}
}

// optionalBandwidth takes 0, which is not known.
func (c *checker) optionalBandwidth(path string, b units.BytesPerSecond) {
	if !(b >= 0) || math.IsInf(float64(b), 0) {
		c.fail(path, b, "at least 0 B/s, which is not known, and finite")
	}
}

func (c *checker) connection(path string, l topology.Connection) {
	c.latency(path+".latency", l.Latency)
	c.bandwidth(path+".bandwidth", l.Bandwidth)
}

// optionalConnection takes nil, which is that of the network.
func (c *checker) optionalConnection(path string, l *topology.Connection) {
	if l != nil {
		c.connection(path, *l)
	}
}

// cables holds the number of cables of a topology against maxCables.
func (c *checker) cables(n int64) {
	if n > maxCables {
		c.fail("topology", fmt.Sprintf("%d cables", n), fmt.Sprintf("at most %d", maxCables))
	}
}

// room holds the number of nodes against the positions that a topology has.
func (c *checker) room(nodes int, positions int64) {
	if int64(nodes) > positions {
		c.fail("nodes", fmt.Sprintf("%d nodes", nodes), fmt.Sprintf("at most %d, as many as the topology has positions", positions))
	}
}

// tooMany stands for all products that are larger; products of it with an int32
// do not overflow.
const tooMany = int64(1) << 31

// product multiplies counts of at least 0, each at most tooMany, and stops at
// tooMany.
func product[T int | int64](counts ...T) int64 {
	p := int64(1)
	for _, n := range counts {
		if n == 0 {
			return 0
		}
		p = min(p*min(int64(n), tooMany), tooMany)
	}
	return p
}
