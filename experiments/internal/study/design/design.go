package design

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/internal/each"
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
	More        int      // at most this many runs are added, for combinations that cannot be told apart
	Seed        int64    // of the plan, 0 to 2^53-1
	SharedSeeds bool     // all points of a repetition have one seed

	axes    []axis
	samples [][]uint32 // of a Latin hypercube: by factor, the level of every sample
	product int        // combinations of levels before the conditions
	allowed *selection // combinations that the conditions leave; nil for all

	hashed sync.Once
	hashes [][]uint64 // see [Factor.hash]; by factor and level, once hashed
}

// An axis varies independently of the others: one factor in a factorial design,
// all factors together in the other designs.
type axis struct {
	size    int
	factors []int
}

// limits bound what a plan may ask for. Tests lower them.
type limits struct {
	factors, conditions int
	levels              int // of a factor
	points              int // before the conditions, repetitions included
	evaluations         int // of all conditions together
	lookups             int // in the tables of the conditions
	strata              int // samples times factors of a Latin hypercube
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

// Record is a mapping with only the keys of a design.
var Record = schema.Declare("a design", Keys)

// Keys declares and reads the keys of a plan that say which points a study has. If they have a problem, the design is
// nil.
func Keys(k *schema.Keys, to **Design) { keys(k, to, planLimits) }

func keys(k *schema.Keys, to **Design, lim limits) {
	r := &reader{Decoder: k.Decoder, limits: lim}
	before := k.ProblemCount()
	s := &Design{Kind: Factorial}
	var factors, exclude *yamldoc.Node
	samples, seed, seeds := 0, 0, ""
	k.Required("factors", schema.Node(schema.Map{Of: factorType, Min: 1}, &factors).Wanted("the factors and their levels"),
		"the factors, by name: each a list of levels or a mapping; the name is the column in the results")
	k.Optional("design", schema.Func(schema.AnyOf{schema.OneOf{Factorial, Paired}, latin.Object}, func(n *yamldoc.Node) {
		s.Kind = r.kind(n, &samples)
	}).Else(Factorial), "how the levels of factors are combined")
	k.Optional("exclude", schema.Node(schema.List{Of: schema.Text, Max: planLimits.conditions}, &exclude),
		"conditions on factors, such as r1 + r2 > 12; a point that meets one is excluded")
	s.Repetitions = 1
	k.Optional("repetitions", schema.Func(schema.AnyOf{integer(1, lim.points), repeated.Object}, func(n *yamldoc.Node) {
		if n.IsMapping() {
			repeated.Read(r.Decoder, n, s)
		} else {
			s.Repetitions = k.Int(n, 1, lim.points, "")
		}
	}).Else("5 where something is drawn, else 1"), "runs of each point, each with its own seed")
	k.Optional("seed", schema.Integer{Min: 0, Max: maxSeed, Want: "a seed from 0 to 2^53-1"}.To(&seed).Or(1),
		"seed of the plan; the seeds of the points are derived from it")
	k.Optional("seeds", schema.Choice(&seeds, "rule for seeds", []string{"point", "repetition"}).Or("point").Else("repetition where something is drawn, else point"),
		"repetition: all points of a repetition have the same seed")
	if k.Declaring() {
		return
	}
	s.Seed, s.SharedSeeds = int64(seed), seeds == "repetition"
	r.samples, r.seed = samples, s.Seed
	for _, step := range []func(){
		func() { s.Factors = r.factors(factors) },
		func() { s.spread(r, factors) },
		func() { s.exclude(r, exclude) },
	} {
		if step(); k.ProblemCount() > before {
			return
		}
	}
	*to = s
}

// Repeat sets the repetitions. It reports whether a plan may have that many.
func (s *Design) Repeat(n int) bool {
	ok := s.product <= planLimits.points/n
	if ok {
		s.Repetitions = n
	}
	return ok
}

// integer is a whole number of a plan.
func integer(least, most int) schema.Integer {
	return schema.Integer{Min: least, Max: most, Want: fmt.Sprintf("an integer from %d to %d", least, most)}
}

// reader is a decoder with what factors need to know about the plan.
type reader struct {
	*yamldoc.Decoder
	limits  limits
	seed    int64
	samples int // of a Latin hypercube; 0 in other designs
}

// repeated are repetitions whose number depends on the results.
var repeated = schema.Declare("repetitions, as in {least: 5, more: 100}", func(k *schema.Keys, s *Design) {
	k.Optional("least", integer(2, planLimits.points).To(&s.Repetitions).Or(5), "runs of each point")
	k.Required("more", integer(1, planLimits.levels).To(&s.More).Wanted("a number of runs"),
		"most additional runs of points that may be the best")
})

var latin = schema.Declare("a design", func(k *schema.Keys, samples *int) {
	k.Required(LatinHypercube, integer(1, planLimits.levels).To(samples).Wanted("a number of samples"), "number of samples")
})

// kind reads the value of the key design.
func (r *reader) kind(n *yamldoc.Node, samples *int) string {
	const want = "factorial, paired or {latin_hypercube: 200}"
	switch {
	case n.IsMapping():
		latin.Read(r.Decoder, n, samples)
		return LatinHypercube
	case n.Text() == Factorial, n.Text() == Paired:
		return n.Text()
	case n.Text() == LatinHypercube:
		r.Fail(n, "the number of samples is missing", want)
	case n.IsScalar():
		r.Fail(n, fmt.Sprintf("unknown design %q", yamldoc.Clip(n.Text())), want)
	default:
		r.Fail(n, "not a design", want)
	}
	return ""
}

// spread assigns the factors to axes and counts the points before conditions.
func (s *Design) spread(r *reader, factors *yamldoc.Node) {
	all := each.Ascending(len(s.Factors))
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
					first.Name, input.Plural(first.Len(), "level"), f.Name, input.Plural(f.Len(), "level")),
					"the same number of levels in every factor")
			}
		}
		s.axes = []axis{{first.Len(), all}}
	case LatinHypercube:
		if n := r.samples * len(s.Factors); n > r.limits.strata {
			r.Fail(factors, fmt.Sprintf("%d samples of %d factors are %d values", r.samples, len(s.Factors), n),
				fmt.Sprintf("at most %d", r.limits.strata))
			return
		}
		s.axes = []axis{{r.samples, all}}
		s.samples = latinHypercube(s.Seed, s.Factors, r.samples)
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

// Point returns the point with an index from 0 to Points()-1, and panics for others. The repetition varies fastest,
// then the last factor. In a design with More, larger indices are further repetitions, each of all combinations.
func (s *Design) Point(i int) Point {
	n := s.Points()
	if i < 0 || i >= n && s.More == 0 {
		panic("design: index of a point out of range")
	}
	combination, repetition := i/s.Repetitions, i%s.Repetitions+1
	if all := s.Configurations(); i >= n {
		combination, repetition = (i-n)%all, s.Repetitions+1+(i-n)/all
	}
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
	p.Seed = s.pointSeed(p.Levels, repetition, s.SharedSeeds)
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
	moved  *moved
}

// moved sets a factor to a value that is not one of its levels.
type moved struct {
	factor int
	value  float64 // in its unit
}

// Moved returns the point with a numeric factor at a value that need not be one of its levels.
func (p Point) Moved(factor int, value float64) Point {
	p.moved = &moved{factor, value}
	return p
}

// At returns the point of some levels, without its number, repetition and seed.
func (s *Design) At(levels []int) Point { return Point{Levels: levels, design: s} }

// Describe names levels in the order of the factors, without factors that have only one level or whose level is -1.
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
	f := &p.design.Factors[factor]
	l := f.Level(p.Levels[factor])
	if p.moved != nil && p.moved.factor == factor {
		l.Value, l.Text = p.moved.value, numberText(p.moved.value)
		text := quantity{value: p.moved.value, unit: f.Unit}.text()
		l.Settings = slices.Clone(l.Settings)
		for i, c := range l.Settings {
			l.Settings[i].Value = yamldoc.Scalar(c.Value.Pos(), text)
		}
	}
	return l
}

// Settings returns the settings of the scenario of this point, in the order in
// which to apply them: shorter paths first, so that a level of network does not overwrite
// network.latency; paths of equal length are in file order.
func (p Point) Settings() []yamldoc.Change {
	var settings []yamldoc.Change
	for f := range p.Levels {
		settings = append(settings, p.Level(f).Settings...)
	}
	slices.SortStableFunc(settings, func(a, b yamldoc.Change) int { return cmp.Compare(len(a.Path), len(b.Path)) })
	return settings
}

// Extent says in one line how large the design is:
//
//	60 configurations (4 x 5 x 3) x 5 repetitions = 300 points
//	96 of 120 configurations (4 x 5 x 6), 24 excluded
//	4 pairs
//	200 samples of 5 factors (Latin hypercube)
func (s *Design) Extent() string {
	noun, detail := "configuration", ""
	switch {
	case s.Kind == LatinHypercube:
		noun, detail = "sample", " of "+input.Plural(len(s.Factors), "factor")+" (Latin hypercube)"
	case s.Kind == Paired && len(s.Factors) == 2:
		noun = "pair"
	case s.Kind == Paired:
		noun, detail = "combination", " of "+input.Plural(len(s.Factors), "factor")+" (paired)"
	case len(s.axes) > 1:
		detail = " (" + s.sizes() + ")"
	}
	left := s.Points() / s.Repetitions
	text := input.Plural(s.product, noun) + detail
	repeated := ""
	if s.Repetitions > 1 {
		repeated = fmt.Sprintf(" x %d repetitions = %d points", s.Repetitions, s.Points())
	}
	if s.More > 0 {
		repeated += fmt.Sprintf(", and up to %d more", s.More)
	}
	if left == s.product {
		return text + repeated
	}
	text = fmt.Sprintf("%d of %s, %d excluded", left, text, s.product-left)
	if repeated != "" {
		text += fmt.Sprintf("; %d%s", left, repeated)
	}
	return text
}

// sizes returns the numbers of levels to multiply, as in 4 x 5 x 3.
func (s *Design) sizes() string {
	sizes := each.Of(s.axes, func(a axis) string { return strconv.Itoa(a.size) })
	return strings.Join(sizes, " x ")
}
