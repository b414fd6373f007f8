package model

import (
	"fmt"
	"math"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/answer/queue"
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/model/units"
)

// An Objective is what the machines are ranked by.
type Objective struct {
	Name     string
	Workload int           // index into Plan.Workloads, with objectiveTime
	MeanWait units.Seconds // at most, with objectiveCheapest; 0 for any
}

// ByPrice reports whether machines are ranked by what they cost.
func (o Objective) ByPrice() bool { return o.Name == objectiveCheapest }

const (
	objectiveThroughput = "throughput" // most work of a year's mix
	objectiveCheapest   = "cheapest"   // lowest price of those that carry the mix
	ObjectiveTime       = "time"       // shortest time of a run of one workload
	objectiveMean       = "mean"       // shortest weighted mean time
)

var objectiveNames = []string{objectiveThroughput, objectiveCheapest, ObjectiveTime, objectiveMean}

// A statedObjective has the nodes of what a plan says that decides.
type statedObjective struct{ name, wait, workload *yamldoc.Node }

var objectiveKeys = schema.Declare("an objective, as in {name: cheapest, mean_wait: 2 h}", func(k *schema.Keys, o *statedObjective) {
	k.Required("name", schema.Node(schema.OneOf(objectiveNames), &o.name).Wanted("an objective"), "what decides")
	k.Optional("mean_wait", schema.Node(schema.PositiveTime, &o.wait).Else("no limit"), "with cheapest: the longest mean wait in the queue")
	k.Optional("workload", schema.Node(schema.Name, &o.workload).Else("the only one"), "with time: the workload whose runs count")
})

var objectiveType = schema.AnyOf{
	schema.OneOf(objectiveNames),
	objectiveFor(objectiveThroughput), objectiveFor(objectiveMean),
	objectiveFor(objectiveCheapest, "mean_wait"), objectiveFor(ObjectiveTime, "workload"),
}

// objectiveFor is the declaration of an objective with the keys that it takes.
func objectiveFor(name string, keys ...string) *schema.Object {
	o := objectiveKeys.Only([]string{"name"}, keys...)
	o.Field("name").Type = schema.OneOf{name}
	return o
}

// objective reads what decides. REQUIRES: the workloads have been read.
func (r *reader) objective(n *yamldoc.Node) {
	p := &r.plan
	o := &p.Objective
	if o.Name = objectiveMean; p.ByRuns {
		o.Name = objectiveThroughput
	}
	if n == nil {
		return
	}
	s := statedObjective{name: n}
	if n.IsMapping() {
		objectiveKeys.Read(&r.Decoder, n, &s)
	}
	at, wait, workload := s.name, s.wait, s.workload
	o.Name = r.OneOf(at, objectiveNames, "objective")
	if r.Err() != nil {
		return
	}
	byRuns := o.Name == objectiveThroughput || o.Name == objectiveCheapest
	switch {
	case byRuns && !p.ByRuns:
		r.Fail(at, "objective "+o.Name+" needs the runs of a year", "runs_per_year in each workload, in place of weight")
	case o.Name == objectiveMean && p.ByRuns:
		r.Fail(at, "objective mean needs shares", "weight in each workload, in place of runs_per_year")
	case wait != nil && o.Name != objectiveCheapest:
		r.Fail(wait, "mean_wait is a key of objective cheapest", "no mean_wait here")
	case workload != nil && o.Name != ObjectiveTime:
		r.Fail(workload, "workload is a key of objective time", "no workload here")
	case o.Name == ObjectiveTime && workload == nil && len(p.Workloads) > 1:
		r.Fail(at, "objective time is about the runs of one workload", "{name: time, workload: NAME}")
	}
	o.MeanWait = schema.PositiveTime.Read(&r.Decoder, wait)
	if workload != nil {
		var known []string
		for _, w := range p.Workloads {
			known = append(known, w.Name)
		}
		o.Workload = max(0, slices.Index(known, r.OneOf(workload, known, "workload")))
	}
}

// CheapestCarries says why a machine does not carry the mix, or "": with objective cheapest
// it must do a year's work in the hours available and keep the mean wait.
func (p *Plan) CheapestCarries(l *Load, wait *WaitResult) string {
	if !p.Objective.ByPrice() {
		return ""
	}
	if use := p.Use(l.Seconds); use > 1 {
		return fmt.Sprintf("a year's work takes %.0f %% of the hours available in a year at a utilisation of %g", 100*use, p.Energy.Utilisation)
	}
	most := p.Objective.MeanWait
	switch {
	case most == 0:
		return ""
	case wait.Mean == nil:
		return "the mean wait is not known: " + wait.Reason
	case *wait.Mean > float64(most):
		return fmt.Sprintf("the mean wait is %s, more than %s", queue.Span(units.Seconds(*wait.Mean)), queue.Span(most))
	}
	return ""
}

// Use returns the part of the hours available in a year that a time takes.
func (p *Plan) Use(seconds float64) float64 {
	return seconds / 3600 / (p.Energy.Utilisation * hoursPerYear)
}

// Goal returns the quantity that a machine is ranked by, of which less is better: its score
// or, with objective cheapest, what it costs.
func (p *Plan) Goal(score, cost float64) float64 {
	if p.Objective.ByPrice() {
		return cost
	}
	return score
}

// CostThatCounts returns the cost by which the objective cheapest ranks a machine: its price
// or, where the budget covers its life, its price and energy.
func (p *Plan) CostThatCounts(price, life float64) float64 {
	if p.Budget.Life {
		return life
	}
	return price
}

// GoalResult says what machines are ranked by.
func (p *Plan) GoalResult() GoalResult {
	g := GoalResult{Name: p.Objective.Name, Meaning: p.ScoreMeaning(), Unit: "s"}
	if p.Objective.ByPrice() {
		g.Meaning, g.Unit = "price", p.Budget.Money.Currency
		if p.Budget.Life {
			g.Meaning = "price and energy over the years of operation"
		}
		g.Condition = "a year's work is done within the hours available"
		if p.Objective.MeanWait > 0 {
			g.Condition += ", with a mean wait of at most " + queue.Span(p.Objective.MeanWait)
		}
	}
	return g
}

// Relative returns a over b, of quantities that may be 0.
func Relative(a, b float64) float64 {
	switch {
	case a == b:
		return 1
	case b == 0:
		return math.MaxFloat64
	}
	return a / b
}

// GoalTolerance is the noise of what machines are ranked by: differences of simulated times
// within it do not count, those of prices do.
func (p *Plan) GoalTolerance() float64 {
	if p.Objective.ByPrice() {
		return 0
	}
	return p.Tolerance
}
