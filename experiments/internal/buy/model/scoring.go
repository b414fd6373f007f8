package model

import (
	"cmp"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
)

// Scoring gives points to machines, as the evaluation of a tender does; the machine with the most is recommended.
//
//	points = sum_k min(most_k, P_k r_k/x_k)      where less is better
//	points = sum_k min(most_k, P_k x_k/r_k)      where more is better
//
//	x_k  what a machine has of criterion k
//	r_k  the same of what it is compared with: of the best machines of all designs by the objective the best value,
//	     or the arithmetic mean; or that of a reference machine
//	P_k  points of the criterion
type Scoring struct {
	Criteria []Criterion
}

// A Criterion is one of the things that points are given for.
type Criterion struct {
	Of     string // one of the measures
	Points float64
	To     comparison
	Most   float64
}

// A comparison is what a machine is compared with.
type comparison int

const (
	toBest comparison = iota // of the best machines of all designs
	toMean                   // their mean
	ToReference
)

func (c comparison) String() string {
	return []string{"the best", "the mean", "the reference machine"}[c]
}

var comparisons = []string{"best", "mean", "reference_machine"}

// Measures are what machines get points for.
type Measures struct {
	Price, LifeCost float64 // in the currency of the budget
	Performance     float64 // multiple of a year's work in the hours available, or the reciprocal of the score
	Energy          float64 // kWh a year, with cooling and losses
	Power           float64 // W
	RackUnits       float64
	MarkedSpeed     float64 // flop/s
}

// A measure is what a criterion may be of.
type measure struct {
	name, unit string // currency: ""
	more       bool   // is better
	of         func(*Measures) *float64
}

var measures = []measure{
	{"price", "", false, func(m *Measures) *float64 { return &m.Price }},
	{"life_cost", "", false, func(m *Measures) *float64 { return &m.LifeCost }},
	{"performance", "times the work", true, func(m *Measures) *float64 { return &m.Performance }},
	{"energy", "kWh a year", false, func(m *Measures) *float64 { return &m.Energy }},
	{"power", "W", false, func(m *Measures) *float64 { return &m.Power }},
	{"rack_units", "U", false, func(m *Measures) *float64 { return &m.RackUnits }},
	{"marked_speed", "flop/s", true, func(m *Measures) *float64 { return &m.MarkedSpeed }},
}

func measureNames() (all []string) {
	for _, m := range measures {
		all = append(all, m.name)
	}
	return all
}

func (c *Criterion) measure() measure {
	return measures[slices.IndexFunc(measures, func(m measure) bool { return m.name == c.Of })]
}

// MeasuresOf returns what a machine with that score and load has. REQUIRES: it can run every workload.
func (p *Plan) MeasuresOf(c Choice, score float64, l *Load) Measures {
	bill, _ := p.Price(c)
	m := p.measuresBetween(c, c, bill, l)
	m.Performance = 1 / score
	if p.ByRuns && l != nil {
		m.Performance = 1 / p.Use(l.Seconds)
	}
	return m
}

// MeasuresAtBest returns what no machine between two has better, of which none has a better score or a smaller bill.
func (p *Plan) MeasuresAtBest(small, large Choice, bill Bill, score float64) Measures {
	m := p.measuresBetween(small, large, bill, nil)
	m.Performance = 1 / score
	if p.ByRuns && p.Objective.Name != ObjectiveTime {
		m.Performance = 1 / p.Use(score)
	}
	return m
}

// measuresBetween returns all measures but the performance: of the smaller machine what is better if it is less, of
// the larger one what is better if it is more.
func (p *Plan) measuresBetween(small, large Choice, bill Bill, l *Load) Measures {
	return Measures{Price: bill.Total(), LifeCost: p.LifeCost(small, bill, l), Energy: p.lifeOf(small, l).kWh() / p.Energy.Years,
		Power: float64(p.Power(small)), RackUnits: p.RackUnits(small), MarkedSpeed: p.Speed(large)}
}

// Compared returns what criteria compare with: values of the best machines of all designs by the objective, and of
// the reference machine.
func (s *Scoring) Compared(best []Measures, reference *Measures) (all []float64) {
	for _, c := range s.Criteria {
		m := c.measure()
		var values []float64
		for i := range best {
			values = append(values, *m.of(&best[i]))
		}
		all = append(all, c.compared(m, values, reference))
	}
	return all
}

// Points returns the points of a machine by criterion, compared with these values.
func (s *Scoring) Points(machine Measures, compared []float64) (all []float64) {
	for k, c := range s.Criteria {
		m := c.measure()
		all = append(all, c.points(m.more, *m.of(&machine), compared[k]))
	}
	return all
}

// NeedsReference reports whether some criterion is relative to a reference machine.
func (s *Scoring) NeedsReference() bool {
	return slices.ContainsFunc(s.Criteria, func(c Criterion) bool { return c.To == ToReference })
}

// Most returns the points of all criteria at most.
func (s *Scoring) Most() float64 {
	sum := 0.0
	for _, c := range s.Criteria {
		sum += c.Most
	}
	return sum
}

// Heading names a criterion and its unit: "price (EUR)".
func (p *Plan) Heading(c Criterion) string {
	return strings.ReplaceAll(c.Of, "_", " ") + " (" + cmp.Or(c.measure().unit, p.Budget.Money.Currency) + ")"
}

// Values returns what a machine has of each criterion.
func (s *Scoring) Values(m Measures) (all []float64) {
	for _, c := range s.Criteria {
		all = append(all, *c.measure().of(&m))
	}
	return all
}

// compared returns the value that those of the machines are compared with.
func (c *Criterion) compared(m measure, values []float64, reference *Measures) float64 {
	switch {
	case c.To == ToReference:
		return *m.of(reference)
	case c.To == toMean:
		sum := 0.0
		for _, x := range values {
			sum += x
		}
		return sum / float64(len(values))
	case m.more:
		return slices.Max(values)
	}
	return slices.Min(values)
}

func (c *Criterion) points(more bool, x, r float64) float64 {
	if more {
		x, r = r, x
	}
	if x == 0 { // as the price of a machine that is there
		if r == 0 {
			return min(c.Most, c.Points)
		}
		return c.Most
	}
	return min(c.Most, c.Points*r/x)
}

// Sum returns the points of all criteria.
func Sum(points []float64) float64 {
	sum := 0.0
	for _, x := range points {
		sum += x
	}
	return sum
}

// mostBetter is how many times as much of a criterion a break-even is looked for, or what part of it.
const mostBetter = 1000

// BreakEven returns what a machine must have of a criterion for so many points; nil if a thousand times better is not
// enough. What it is compared with stays as it is. What its price falls by, its life cost does, too. REQUIRES: it has
// fewer points.
func (s *Scoring) BreakEven(machine Measures, compared []float64, points float64, criterion int) *float64 {
	m := s.Criteria[criterion].measure()
	value := *m.of(&machine)
	enough := func(x float64) bool {
		changed := machine
		*m.of(&changed) = x
		if m.name == "price" {
			changed.LifeCost += x - value
		}
		return Sum(s.Points(changed, compared)) >= points
	}
	low, high := value, value/mostBetter // at high it is enough
	if m.more {
		high = value * mostBetter
	}
	if !enough(high) {
		return nil
	}
	for range 100 {
		if middle := (low + high) / 2; enough(middle) {
			high = middle
		} else {
			low = middle
		}
	}
	return &high
}

// A statedCriterion is what a file says of one.
type statedCriterion struct {
	Criterion
	*reader
}

var criterionKeys = schema.Declare("a criterion, as in {of: price, points: 40} or {of: energy, points: 10, relative_to: mean}", func(k *schema.Keys, c *statedCriterion) {
	k.Required("of", schema.Choice(&c.Of, "criterion", measureNames()).Wanted("a criterion"), "what points are given for")
	k.Required("points", schema.Number{Max: 1e6, Above: true, Want: "points above 0"}.To(&c.Points), "points of a machine that has as much as what it is compared with")
	to := ""
	k.Optional("relative_to", schema.Choice(&to, "comparison", comparisons).Or(comparisons[toBest]), "what a machine is compared with: the best of all, their mean, or the reference machine")
	k.Optional("most", schema.Number{Max: 2e6, Above: true, Want: "points above 0"}.To(&c.Most).Else("the points, with best; else twice as many"), "points that it gives at most")
	if k.Declaring() {
		return
	}
	c.To = comparison(max(0, slices.Index(comparisons, to)))
	if c.Most == 0 {
		if c.Most = c.Points; c.To != toBest {
			c.Most = 2 * c.Points
		}
	}
	if p := &c.plan; c.To == ToReference && p.Reference == nil && p.Existing == nil {
		c.Fail(k.Node("relative_to"), "there is no reference machine", "reference: {nodes: {fat: 16}, network: edr}, an existing machine, or relative_to: best or mean")
	}
	if p := &c.plan; p.Scoring != nil && slices.ContainsFunc(p.Scoring.Criteria, func(x Criterion) bool { return x.Of == c.Of }) {
		c.Fail(k.Node("of"), "the criterion "+c.Of+" twice", "each criterion once")
	}
})

var scoringType = schema.List{Of: criterionKeys.Object, Min: 1}

// scoring reads criteria. REQUIRES: the existing machine and the reference have been read.
func (r *reader) scoring(n *yamldoc.Node) {
	for _, item := range r.Sequence(n, "a list of criteria, as in [{of: price, points: 40}, {of: performance, points: 60}]") {
		c := statedCriterion{reader: r}
		criterionKeys.Read(&r.Decoder, item, &c)
		if r.plan.Scoring == nil {
			r.plan.Scoring = &Scoring{}
		}
		r.plan.Scoring.Criteria = append(r.plan.Scoring.Criteria, c.Criterion)
	}
}

var referenceKeys = schema.Declare("a reference machine, as in {nodes: {fat: 16}, network: edr}", func(k *schema.Keys, r *reader) {
	var counts []int
	d := Design{Network: -1, Retired: r.plan.Existing != nil}
	k.Required("nodes", r.nodeCounts(&counts), "its numbers of nodes by type")
	k.Required("network", r.one(schema.Name, &d.Network, "network"), "the network of all nodes")
	if k.Declaring() || r.Err() != nil {
		return
	}
	c := d.with(counts)
	if _, ok := r.plan.Wiring(c); !ok {
		r.Fail(k.Self(), r.plan.tooMany(c), "fewer nodes or larger switches")
	}
	r.plan.Reference = &c
})
