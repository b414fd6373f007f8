package steps

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/model/scalability"
)

// A profile is a system with the range of what is held, and its trend line.
type profile struct {
	system    *System
	low, high float64            // of values
	sizes     [2]float64         // smallest and largest
	trend     *scalability.Trend // over position of the size; nil: too few sizes, or flat
	degree    int
	flat      bool // several sizes, but the values are the same within the tolerance
}

// newProfile returns nil for a system without values or capacity.
func newProfile(s *System, o Options) *profile {
	if s.Capacity == 0 || len(s.Points) == 0 {
		return nil
	}
	g := &profile{system: s, low: math.Inf(1), high: math.Inf(-1)}
	var samples []scalability.Sample
	sizes := make(map[float64]bool)
	for _, p := range s.Points {
		g.low, g.high = min(g.low, p.Value), max(g.high, p.Value)
		if p.Size > 0 {
			if len(samples) == 0 {
				g.sizes[0] = p.Size
			}
			g.sizes[1] = p.Size
			samples = append(samples, scalability.Sample{N: g.position(p.Size), Efficiency: p.Value})
			sizes[p.Size] = true
		}
	}
	// On a line that hardly rises the size would be decided by the noise.
	g.flat = len(sizes) > 1 && g.high-g.low <= o.Tolerance*g.high
	if g.degree = min(o.Degree, len(sizes)-1); g.degree >= 1 && !g.flat {
		if t, err := scalability.FitTrend(g.degree, samples); err == nil {
			g.trend = t
		}
	}
	return g
}

// operation is the system at a measured point.
func (g *profile) operation(k int) Operation {
	p := g.system.Points[k]
	return Operation{g.system, p.Size, p.Work, p.Time}
}

// position is where a size is on the axis of the trend line, 1 for the smallest. The
// axis is logarithmic: sizes are mostly chosen by doubling, efficiency levels off,
// and a polynomial of the size itself then turns down between the last two.
func (g *profile) position(size float64) float64 { return 1 + math.Log(size/g.sizes[0]) }

// size is the inverse of position.
func (g *profile) size(position float64) float64 {
	return min(max(g.sizes[0]*math.Exp(position-1), g.sizes[0]), g.sizes[1])
}

// readOff returns the operating point at which the trend line has a value. Its time
// is known where work or times are.
func (g *profile) readOff(h *Held, target float64) (p Operation, warning string, err error) {
	reading, err := g.trend.ReadOff(target)
	if err != nil {
		if not, ok := errors.AsType[*scalability.NotReachedError](err); ok {
			err = fmt.Errorf("the trend line of %s does not reach %s: it goes from %s to %s for sizes from %s to %s",
				g.system.Label, h.Format(target), h.Format(not.Lowest), h.Format(not.Highest), input.Number(g.sizes[0]), input.Number(g.sizes[1]))
		}
		return p, "", err
	}
	p = Operation{System: g.system, Size: g.size(reading.N)}
	p.Work = between(g.system.Points, p.Size, func(q Point) float64 { return q.Work })
	if h.Psi != nil {
		p.Time = p.Work / (target * g.system.Capacity) // what is held is W/(T capacity)
	} else {
		p.Time = between(g.system.Points, p.Size, func(q Point) float64 { return q.Time })
	}
	return p, reading.Warning, nil
}

// between reads a quantity at a size between two measured ones, as if it were a
// power of the size there; 0 if it is not known on both sides.
func between(points []Point, size float64, quantity func(Point) float64) float64 {
	for k := range len(points) - 1 {
		a, b := points[k], points[k+1]
		if size < a.Size || size > b.Size || a.Size == b.Size {
			continue
		}
		qa, qb := quantity(a), quantity(b)
		if qa == 0 || qb == 0 {
			return 0
		}
		return qa * math.Pow(qb/qa, math.Log(size/a.Size)/math.Log(b.Size/a.Size))
	}
	return 0
}

// within returns the point whose value is the target within the tolerance, or -1.
func (g *profile) within(target, tolerance float64) int {
	return slices.IndexFunc(g.system.Points, func(p Point) bool { return math.Abs(p.Value/target-1) <= tolerance })
}

// byValue lists the points in the order of their values; with a target above 0,
// those within the tolerance of it.
func (g *profile) byValue(target, tolerance float64) []int {
	points := g.system.Points
	order := make([]int, 0, len(points))
	for i, p := range points {
		if target == 0 || math.Abs(p.Value/target-1) <= tolerance {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(points[x].Value, points[y].Value) })
	return order
}
