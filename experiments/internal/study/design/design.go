package design

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
)

// The kinds of design.
const (
	Factorial      = "factorial"       // every level of every factor with every other
	Paired         = "paired"          // the first levels together, the second levels, ...
	LatinHypercube = "latin_hypercube" // samples that use every stratum of every factor once
)

// Design is the set of points of a study, in order. It does not change after
// Read, and all methods may be called concurrently.
type Design struct {
	Factors     []Factor // in file order
	Kind        string   // Factorial, Paired or LatinHypercube
	Conditions  []Condition
	Warnings    []string // what is allowed but probably a mistake, such as a condition that removes no point
	Repetitions int      // of every combination of levels, at least 1
	Seed        int64    // of the plan, 0 to 2^53-1
	SharedSeeds bool     // all points of a repetition have one seed

	order   []field
	axes    []axis
	samples [][]uint32 // of a Latin hypercube: by factor, the level of every sample
	product int        // combinations of levels before the conditions
	allowed *selection // combinations that the conditions leave; nil for all
}

// A field is one of the paths of a factor.
type field struct{ factor, path int }

// An axis varies independently of the others: one factor in a factorial design,
// all factors together in the other designs.
type axis struct {
	size    int
	factors []int
}

// limits bound what a plan may ask for. Tests lower them.
type limits struct {
	factors     int
	levels      int // of a factor
	conditions  int
	points      int // before the conditions, repetitions included
	evaluations int // of all conditions together
	lookups     int // in the tables of the conditions
	strata      int // samples times factors of a Latin hypercube
}

var planLimits = limits{
	factors:     64,
	levels:      1_000_000,
	conditions:  1000,
	points:      100_000_000,
	evaluations: 400_000_000,
	lookups:     10_000_000_000,
	strata:      20_000_000,
}

// Read takes the keys factors, design, exclude, repetitions, seed and seeds of
// a plan and records every problem with them in d, which must be the decoder
// of the mapping. Then it returns nil. The other keys, and Done, are for the
// caller.
func Read(d *yamldoc.Decoder, plan *schema.Mapping) *Design {
	return read(d, plan, planLimits)
}

func read(d *yamldoc.Decoder, plan *schema.Mapping, lim limits) *Design {
	r := &reader{Decoder: d, limits: lim, seed: 1}
	before := r.problems()
	s := &Design{Kind: Factorial, Repetitions: 1}
	samples := 0
	if n := plan.Take("design"); n != nil {
		s.Kind, samples = r.kind(n)
	}
	if n := plan.Take("repetitions"); n != nil {
		s.Repetitions = r.Int(n, 1, lim.points, "")
	}
	if n := plan.Take("seed"); n != nil {
		r.seed = int64(r.Int(n, 0, maxSeed, "a seed from 0 to 2^53-1"))
	}
	if n := plan.Take("seeds"); n != nil {
		s.SharedSeeds = r.OneOf(n, []string{"point", "repetition"}, "rule for seeds") == "repetition"
	}
	s.Seed = r.seed
	factors := plan.Require("factors", "the factors and their levels")
	exclude := plan.Take("exclude")
	s.Factors = r.factors(factors, samples)
	if r.problems() > before {
		return nil
	}
	s.order = settingOrder(s.Factors)
	if s.spread(r, factors, samples); r.problems() > before {
		return nil
	}
	if s.exclude(r, exclude); r.problems() > before {
		return nil
	}
	return s
}

// reader is a decoder with what the factors need to know of the plan.
type reader struct {
	*yamldoc.Decoder
	limits limits
	seed   int64
}

// problems counts what was recorded so far.
func (r *reader) problems() int {
	if problems, ok := r.Err().(yamldoc.Problems); ok {
		return len(problems)
	}
	return 0
}

// kind reads the value of the key design.
func (r *reader) kind(n *yamldoc.Node) (kind string, samples int) {
	const want = "factorial, paired or {latin_hypercube: 200}"
	switch {
	case n.IsMapping():
		m := latinObject.Open(r.Decoder, n)
		samples = r.Int(m.Require(LatinHypercube, "a number of samples"), 1, r.limits.levels, "")
		m.Done()
		return LatinHypercube, samples
	case n.Text() == Factorial, n.Text() == Paired:
		return n.Text(), 0
	case n.Text() == LatinHypercube:
		r.Fail(n, "the number of samples is missing", want)
	case n.IsScalar():
		r.Fail(n, fmt.Sprintf("unknown design %q", yamldoc.Clip(n.Text())), want)
	default:
		r.Fail(n, "not a design", want)
	}
	return "", 0
}

// spread assigns the factors to axes and counts the points before conditions.
func (s *Design) spread(r *reader, factors *yamldoc.Node, samples int) {
	all := make([]int, len(s.Factors))
	for i := range all {
		all[i] = i
	}
	switch s.Kind {
	case Factorial:
		for i := range s.Factors {
			s.axes = append(s.axes, axis{s.Factors[i].Len(), all[i : i+1]})
		}
	case Paired:
		first := &s.Factors[0]
		for i := range s.Factors {
			if f := &s.Factors[i]; f.Len() != first.Len() {
				r.Fail(f.Node, fmt.Sprintf("a paired design, but %s has %s and %s has %s",
					first.Name, count(first.Len(), "level"), f.Name, count(f.Len(), "level")),
					"the same number of levels in every factor")
			}
		}
		s.axes = []axis{{first.Len(), all}}
	case LatinHypercube:
		if n := samples * len(s.Factors); n > r.limits.strata {
			r.Fail(factors, fmt.Sprintf("%d samples of %d factors are %d values", samples, len(s.Factors), n),
				fmt.Sprintf("at most %d", r.limits.strata))
			return
		}
		s.axes = []axis{{samples, all}}
		s.samples = latinHypercube(s.Seed, s.Factors, samples)
	}
	product := big.NewInt(int64(s.Repetitions))
	for _, a := range s.axes {
		product.Mul(product, big.NewInt(int64(a.size)))
	}
	if product.Cmp(big.NewInt(int64(r.limits.points))) > 0 {
		text := s.sizes()
		if s.Repetitions > 1 {
			text += fmt.Sprintf(" x %d repetitions", s.Repetitions)
		}
		r.Fail(factors, fmt.Sprintf("too many points: %s = %s", text, product), fmt.Sprintf("at most %d", r.limits.points))
		return
	}
	s.product = int(product.Int64()) / s.Repetitions
}

// Points returns the number of points.
func (s *Design) Points() int {
	if s.allowed != nil {
		return s.allowed.total * s.Repetitions
	}
	return s.product * s.Repetitions
}

// Point returns the point with an index from 0 to Points()-1, and panics for
// others. The repetition varies fastest, then the last factor.
func (s *Design) Point(i int) Point {
	if i < 0 || i >= s.Points() {
		panic("design: index of a point out of range")
	}
	combination, repetition := i/s.Repetitions, i%s.Repetitions+1
	if s.allowed != nil {
		combination = s.allowed.at(combination)
	}
	p := Point{Index: i, Levels: make([]int, len(s.Factors)), Repetition: repetition, design: s}
	for a := len(s.axes) - 1; a >= 0; a-- {
		at := combination % s.axes[a].size
		combination /= s.axes[a].size
		for _, f := range s.axes[a].factors {
			p.Levels[f] = s.level(f, at)
		}
	}
	p.Seed = s.pointSeed(p.Levels, repetition)
	return p
}

// level returns the level of a factor at a place on its axis.
func (s *Design) level(factor, at int) int {
	if s.samples != nil {
		return int(s.samples[factor][at])
	}
	return at
}

// Point is one run of a study.
type Point struct {
	Index      int
	Levels     []int // by factor, the index of its level
	Repetition int   // from 1
	Seed       int64 // 0 to 2^53-1

	design *Design
}

// At returns the point of some levels, without its number, repetition and seed.
func (s *Design) At(levels []int) Point { return Point{Levels: levels, design: s} }

// Describe names levels in the order of the factors. Factors with one level go without
// saying, and so do those whose level is -1.
func (s *Design) Describe(levels []int) string {
	var parts []string
	for i, l := range levels {
		if f := &s.Factors[i]; l >= 0 && f.Len() > 1 {
			parts = append(parts, f.Name+" = "+f.Text(l))
		}
	}
	return strings.Join(parts, ", ")
}

// Level returns the level that a factor has at this point.
func (p Point) Level(factor int) Level {
	return p.design.Factors[factor].Level(p.Levels[factor])
}

// Settings returns the settings of the scenario of this point, in the order in
// which to apply them: shorter paths first, so that a level of network does not overwrite
// network.latency; paths of equal length are in file order.
func (p Point) Settings() []Setting {
	levels := make([]Level, len(p.Levels))
	for f := range levels {
		levels[f] = p.Level(f)
	}
	settings := make([]Setting, len(p.design.order))
	for i, at := range p.design.order {
		settings[i] = levels[at.factor].Settings[at.path]
	}
	return settings
}

// settingOrder sorts the paths of all factors for Settings.
func settingOrder(factors []Factor) []field {
	var order []field
	for f := range factors {
		for p := range factors[f].Paths {
			order = append(order, field{f, p})
		}
	}
	slices.SortStableFunc(order, func(a, b field) int {
		return cmp.Compare(len(factors[a.factor].Paths[a.path]), len(factors[b.factor].Paths[b.path]))
	})
	return order
}

// count formats a number with its noun, as in "1 level" or "3 levels".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
