package model

import (
	"cmp"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/internal/each"
)

// Scoring gives points to machines, as the evaluation of a tender does; the machine with most points is recommended.
//
//	points = sum_k min(most_k, P_k r_k/x_k)      where less is better
//	points = sum_k min(most_k, P_k x_k/r_k)      where more is better
//
//	x_k  value of a machine for criterion k
//	r_k  value that it is compared with: the best or the arithmetic mean among the best machines of all designs by
//	     the objective, or the value of a reference machine
//	P_k  points of the criterion
//
// Criteria without points decide in order. A machine within the margin w_k of one, r_k/x_k >= 1/(1 + w_k) or x_k/r_k >=
// 1 - w_k, gets one point. For the first that it misses, or else the last, it gets the ratio, and nothing for later
// ones; r_k is taken from machines that meet all earlier criteria. So points are a lexicographic order.
type Scoring struct {
	Criteria []Criterion
	InOrder  bool
}

// A Criterion is one of the things that points are given for.
type Criterion struct {
	Of     string // one of the measures
	Points float64
	To     comparison
	Most   float64
	Within float64 // where they decide in their order: by what fraction a machine may be worse
}

// A comparison is what a machine is compared with.
type comparison int

const (
	toBest comparison = iota // the best among the best machines of all designs
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
	Memory          float64 // GB, of all nodes
}

// A measure is a quantity that a criterion may use.
type measure struct {
	name, unit string // "": the currency
	more       bool   // more is better
	of         func(*Measures) *float64
}

const memoryMeasure = "memory"

var measures = []measure{
	{"price", "", false, func(m *Measures) *float64 { return &m.Price }},
	{"life_cost", "", false, func(m *Measures) *float64 { return &m.LifeCost }},
	{"performance", "times the work", true, func(m *Measures) *float64 { return &m.Performance }},
	{"energy", "kWh a year", false, func(m *Measures) *float64 { return &m.Energy }},
	{"power", "W", false, func(m *Measures) *float64 { return &m.Power }},
	{"rack_units", "U", false, func(m *Measures) *float64 { return &m.RackUnits }},
	{"marked_speed", "flop/s", true, func(m *Measures) *float64 { return &m.MarkedSpeed }},
	{memoryMeasure, "GB", true, func(m *Measures) *float64 { return &m.Memory }},
}

func (c *Criterion) measure() measure {
	return measures[slices.IndexFunc(measures, func(m measure) bool { return m.name == c.Of })]
}

// MeasuresOf returns the measures of a machine with that score and load. REQUIRES: it can run every workload.
func (p *Plan) MeasuresOf(c Choice, score float64, l *Load) Measures {
	bill, _ := p.Price(c)
	m := p.measuresBetween(c, c, bill, l)
	m.Performance = 1 / score
	if p.ByRuns && l != nil {
		m.Performance = 1 / p.Use(l.Seconds)
	}
	return m
}

// MeasuresAtBest returns bounds that no machine between two surpasses if none has a better score or a smaller bill.
func (p *Plan) MeasuresAtBest(small, large Choice, bill Bill, score float64) Measures {
	m := p.measuresBetween(small, large, bill, nil)
	m.Performance = 1 / score
	if p.ByRuns && p.Objective.Name != ObjectiveTime {
		m.Performance = 1 / p.Use(score)
	}
	return m
}

// measuresBetween returns all measures except the performance: where less is better of the smaller machine, where more
// is better of the larger one.
func (p *Plan) measuresBetween(small, large Choice, bill Bill, l *Load) Measures {
	memory := 0.0
	for t, count := range p.Parts(large) {
		memory += float64(float64(count) * float64(p.Nodes[t].Memory) / 1e9)
	}
	return Measures{Memory: memory, Price: bill.Total(), LifeCost: p.LifeCost(small, bill, l), Energy: p.lifeOf(small, l).kWh() / p.Energy.Years,
		Power: float64(p.Power(small)), RackUnits: p.RackUnits(small), MarkedSpeed: p.Speed(large)}
}

// Compared returns the value that each criterion compares with, from the best machines of all designs by the objective
// or from the reference machine.
func (s *Scoring) Compared(best []Measures, reference *Measures) (all []float64) {
	for _, c := range s.Criteria {
		m := c.measure()
		values := each.Of(best, func(x Measures) float64 { return *m.of(&x) })
		all = append(all, c.compared(m, values, reference))
		if s.InOrder {
			meets := func(x Measures) bool { return c.meets(m.more, *m.of(&x), all[len(all)-1]) }
			if left := each.Where(nil, best, meets); len(left) > 0 { // empty: all are worse than the reference
				best = left
			}
		}
	}
	return all
}

// meets reports whether a machine is within the margin of a criterion.
func (c *Criterion) meets(more bool, x, r float64) bool {
	if more {
		return x >= r*(1-c.Within)
	}
	return x <= r*(1+c.Within)
}

// Points returns the points of a machine by criterion, relative to the values compared with.
func (s *Scoring) Points(machine Measures, compared []float64) (all []float64) {
	met := true // all earlier criteria
	for k, c := range s.Criteria {
		m := c.measure()
		x := *m.of(&machine)
		points := c.points(m.more, x, compared[k])
		switch within := c.meets(m.more, x, compared[k]); {
		case !s.InOrder:
		case !met:
			points = 0
		case k < len(s.Criteria)-1 && within:
			points = 1
		default:
			met = false
		}
		all = append(all, points)
	}
	return all
}

// NeedsReference reports whether some criterion is relative to a reference machine.
func (s *Scoring) NeedsReference() bool {
	return slices.ContainsFunc(s.Criteria, func(c Criterion) bool { return c.To == ToReference })
}

// Most returns the largest possible sum of points.
func (s *Scoring) Most() float64 {
	if s.InOrder {
		return float64(len(s.Criteria)-1) + mostInOrder
	}
	return each.Sum(s.Criteria, func(c Criterion) float64 { return c.Most })
}

// Heading names a criterion and its unit: "price (EUR)".
func (p *Plan) Heading(c Criterion) string {
	return strings.ReplaceAll(c.Of, "_", " ") + " (" + cmp.Or(c.measure().unit, p.Budget.Money.Currency) + ")"
}

// Values returns the value of a machine for each criterion.
func (s *Scoring) Values(m Measures) []float64 {
	return each.Append(nil, s.Criteria, func(c Criterion) float64 { return *c.measure().of(&m) })
}

// compared returns the value that the values of machines are compared with.
func (c *Criterion) compared(m measure, values []float64, reference *Measures) float64 {
	switch {
	case c.To == ToReference:
		return *m.of(reference)
	case c.To == toMean:
		return each.Total(values) / float64(len(values))
	case m.more:
		return slices.Max(values)
	}
	return slices.Min(values)
}

func (c *Criterion) points(more bool, x, r float64) float64 {
	if more {
		x, r = r, x
	}
	if x == 0 { // as the price of an existing machine
		if r == 0 {
			return min(c.Most, c.Points)
		}
		return c.Most
	}
	return min(c.Most, c.Points*r/x)
}

// mostBetter bounds the search for a break-even: up to this factor more of a criterion, or less.
const mostBetter = 1000

// BreakEven returns the value of a criterion with which a machine has that many points; nil if a thousand times better
// is not enough. The values compared with stay fixed. The life cost falls by as much as the price. REQUIRES: the
// machine has fewer points.
func (s *Scoring) BreakEven(machine Measures, compared []float64, points float64, criterion int) *float64 {
	m := s.Criteria[criterion].measure()
	value := *m.of(&machine)
	enough := func(x float64) bool {
		changed := machine
		*m.of(&changed) = x
		if m.name == "price" {
			changed.LifeCost += x - value
		}
		return each.Total(s.Points(changed, compared)) >= points
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

// mostInOrder bounds what the last of criteria in order gives: a machine may be better than those compared with.
const mostInOrder = 2

// A statedCriterion is a criterion as a file states it.
type statedCriterion struct {
	Criterion
	*reader
}

var criterionKeys = schema.Declare("a criterion, as in {of: price, points: 40} or {of: energy, points: 10, relative_to: mean}", func(k *schema.Keys, c *statedCriterion) {
	k.Required("of", schema.Choice(&c.Of, "criterion", each.Of(measures, func(m measure) string { return m.name })).Wanted("a criterion"), "what points are given for")
	k.Optional("points", schema.Number{Max: 1e6, Above: true, Want: "points above 0"}.To(&c.Points).Else("none: criteria decide in their order"), "points of a machine equal to what it is compared with")
	k.Optional("within", schema.Number{Max: 0.9, Want: "a fraction from 0 to 0.9"}.To(&c.Within).Or(0), "without points: by what fraction a machine may be worse and the next criterion decides")
	to := ""
	k.Optional("relative_to", schema.Choice(&to, "comparison", comparisons).Or(comparisons[toBest]), "what a machine is compared with: the best of all, their mean, or the reference machine")
	k.Optional("most", schema.Number{Max: 2e6, Above: true, Want: "points above 0"}.To(&c.Most).Else("the points, with best; else twice as many"), "most points that it gives")
	if k.Declaring() {
		return
	}
	c.To = comparison(max(0, slices.Index(comparisons, to)))
	inOrder := k.Node("points") == nil
	switch {
	case c.plan.Scoring != nil && c.plan.Scoring.InOrder != inOrder:
		c.Fail(k.Self(), "some criteria have points", "points for each criterion, or for none: then they decide in their order")
	case !inOrder && k.Node("within") != nil:
		c.Fail(k.Node("within"), "within is for criteria without points", "points, or within")
	case inOrder && (k.Node("most") != nil || c.To == toMean):
		c.Fail(k.Self(), "a criterion without points is neither relative to the mean nor limited in points", "points, or of, within and relative_to: best or reference_machine")
	}
	if inOrder { // a machine may be better than those it is compared with
		c.Points, c.Most = 1, mostInOrder
	}
	if c.Most == 0 {
		if c.Most = c.Points; c.To != toBest {
			c.Most = 2 * c.Points
		}
	}
	if p := &c.plan; c.To == ToReference && p.Reference == nil && p.Existing == nil {
		c.Fail(k.Node("relative_to"), "there is no reference machine", "reference: {nodes: {fat: 16}, network: edr}, an existing machine, or relative_to: best or mean")
	}
	if i := slices.IndexFunc(c.plan.Nodes, func(n Node) bool { return n.Memory == 0 }); c.Of == memoryMeasure && i >= 0 {
		c.Fail(k.Node("of"), "the memory of "+c.plan.Nodes[i].Name+" is not known", "memory of each node type, or another criterion")
	}
	if p := &c.plan; p.Scoring != nil && slices.ContainsFunc(p.Scoring.Criteria, func(x Criterion) bool { return x.Of == c.Of }) {
		c.Fail(k.Node("of"), "the criterion "+c.Of+" twice", "each criterion once")
	}
})

var scoringType = schema.AnyOf{
	schema.List{Of: criterionKeys.Only([]string{"of", "points"}, "relative_to", "most"), Min: 1}, schema.List{Of: criterionInOrder(), Min: 1},
}

// criterionInOrder is the declaration of a criterion without points.
func criterionInOrder() *schema.Object {
	o := criterionKeys.Only([]string{"of"}, "within", "relative_to")
	o.Field("relative_to").Type = schema.OneOf{comparisons[toBest], comparisons[ToReference]}
	return o
}

// scoring reads criteria. REQUIRES: the existing machine and the reference have been read.
func (r *reader) scoring(n *yamldoc.Node) {
	const want = "a list of criteria, as in [{of: price, points: 40}, {of: performance, points: 60}]"
	items := r.Sequence(n, want)
	if len(items) == 0 && r.Err() == nil {
		r.Fail(n, "no criterion", want)
	}
	for _, item := range items {
		c := statedCriterion{reader: r}
		criterionKeys.Read(&r.Decoder, item, &c)
		if r.plan.Scoring == nil {
			r.plan.Scoring = &Scoring{InOrder: !item.Has("points")}
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
