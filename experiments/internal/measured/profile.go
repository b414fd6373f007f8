package measured

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/input"
	"github.com/isoscale/isoscale/model/scalability"
)

// An operatingPoint is a system at a size, measured or read off a trend line.
type operatingPoint struct {
	system   *System
	capacity float64
	size     float64
	work     float64 // 0: not known
	time     float64
}

// A profile is a system with what is held at each of its points.
type profile struct {
	system    *System
	capacity  float64
	points    []operatingPoint // in the order of sizes
	values    []float64
	low, high float64            // of values
	sizes     [2]float64         // smallest and largest
	trend     *scalability.Trend // over position of the size; nil: too few sizes, or flat
	degree    int
	flat      bool // several sizes, but the values are the same within the tolerance
}

// newProfile returns nil for a system without values or capacity.
func newProfile(h *held, s *System, o Options) *profile {
	g := &profile{system: s, capacity: h.capacity(s)}
	if g.capacity == 0 {
		return nil
	}
	var samples []scalability.Sample
	sizes := make(map[float64]bool)
	for k := range s.Points {
		p := &s.Points[k]
		v := h.value(s, p)
		if v == nil {
			continue
		}
		g.points = append(g.points, operatingPoint{system: s, capacity: g.capacity, size: p.Size, work: value(p.Work), time: p.Time})
		g.values = append(g.values, *v)
		if p.Size > 0 {
			if len(samples) == 0 {
				g.sizes[0] = p.Size
			}
			g.sizes[1] = p.Size
			samples = append(samples, scalability.Sample{N: g.position(p.Size), Efficiency: *v})
			sizes[p.Size] = true
		}
	}
	if len(g.points) == 0 {
		return nil
	}
	g.low, g.high = slices.Min(g.values), slices.Max(g.values)
	// On a line that hardly rises the size would be decided by the noise.
	g.flat = len(sizes) > 1 && g.high-g.low <= o.Tolerance*g.high
	if g.degree = min(o.Degree, len(sizes)-1); g.degree >= 1 && !g.flat {
		if t, err := scalability.FitTrend(g.degree, samples); err == nil {
			g.trend = t
		}
	}
	return g
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
func (g *profile) readOff(h *held, target float64) (p operatingPoint, warning string, err error) {
	reading, err := g.trend.ReadOff(target)
	if err != nil {
		if not, ok := errors.AsType[*scalability.NotReachedError](err); ok {
			err = fmt.Errorf("the trend line of %s does not reach %s: it goes from %s to %s for sizes from %s to %s",
				g.system.Label, h.format(target), h.format(not.Lowest), h.format(not.Highest), input.Number(g.sizes[0]), input.Number(g.sizes[1]))
		}
		return p, "", err
	}
	p = operatingPoint{system: g.system, capacity: g.capacity, size: g.size(reading.N)}
	p.work = between(g.points, p.size, func(q operatingPoint) float64 { return q.work })
	if h.psi != nil {
		p.time = p.work / (target * g.capacity) // what is held is W/(T capacity)
	} else {
		p.time = between(g.points, p.size, func(q operatingPoint) float64 { return q.time })
	}
	return p, reading.Warning, nil
}

// between reads a quantity at a size between two measured ones, as if it were a
// power of the size there; 0 if it is not known on both sides.
func between(points []operatingPoint, size float64, quantity func(operatingPoint) float64) float64 {
	for k := range len(points) - 1 {
		a, b := points[k], points[k+1]
		if size < a.size || size > b.size || a.size == b.size {
			continue
		}
		qa, qb := quantity(a), quantity(b)
		if qa == 0 || qb == 0 {
			return 0
		}
		return qa * math.Pow(qb/qa, math.Log(size/a.size)/math.Log(b.size/a.size))
	}
	return 0
}

// within returns the point whose value is the target within the tolerance, or -1.
func (g *profile) within(target, tolerance float64) int {
	return slices.IndexFunc(g.values, func(v float64) bool { return math.Abs(v/target-1) <= tolerance })
}

// byValue lists the points in the order of their values; with a target above 0,
// those within the tolerance of it.
func (g *profile) byValue(target, tolerance float64) []int {
	order := make([]int, 0, len(g.values))
	for i, v := range g.values {
		if target == 0 || math.Abs(v/target-1) <= tolerance {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(g.values[x], g.values[y]) })
	return order
}
