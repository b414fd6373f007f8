package model

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/answer/queue"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
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

// REQUIRES: the workloads have been read.
var objectiveKeys = schema.Declare("an objective, as in {name: cheapest, mean_wait: 2 h}", func(k *schema.Keys, r *reader) {
	o := &r.plan.Objective
	k.Required("name", schema.Choice(&o.Name, "objective", objectiveNames).Wanted("an objective"), "what decides")
	if !k.Declaring() {
		r.objectiveFits(k.Node("name"), k.Node("mean_wait"), k.Node("workload"))
	}
	k.Optional("mean_wait", schema.PositiveTime.To(&o.MeanWait).Else("no limit"), "with cheapest: the longest mean wait in the queue")
	k.Optional("workload", r.one(schema.Name, &o.Workload, "workload").Else("the only one"), "with time: the workload whose runs count")
})

var objectiveType = schema.AnyOf{
	schema.OneOf(objectiveNames),
	objectiveFor(objectiveThroughput), objectiveFor(objectiveMean),
	objectiveFor(objectiveCheapest, "mean_wait"), objectiveFor(ObjectiveTime, "workload"),
}

// objectiveFor declares an objective of that name with the keys it takes.
func objectiveFor(name string, keys ...string) *schema.Object {
	o := objectiveKeys.Only([]string{"name"}, keys...)
	o.Field("name").Type = schema.OneOf{name}
	return o
}

// objective reads the objective.
func (r *reader) objective(n *yamldoc.Node) {
	o := &r.plan.Objective
	if o.Name = objectiveMean; r.plan.ByRuns {
		o.Name = objectiveThroughput
	}
	switch {
	case n == nil:
	case n.IsMapping():
		objectiveKeys.Read(&r.Decoder, n, r)
	default:
		o.Name = r.OneOf(n, objectiveNames, "objective")
		r.objectiveFits(n, nil, nil)
	}
}

// objectiveFits reports an objective that does not fit the workloads, and keys that belong to another objective.
func (r *reader) objectiveFits(at, wait, workload *yamldoc.Node) {
	name, byRuns := r.plan.Objective.Name, r.plan.ByRuns
	switch {
	case r.Err() != nil:
	case !byRuns && (name == objectiveThroughput || name == objectiveCheapest):
		r.Fail(at, "objective "+name+" needs the runs of a year", "runs_per_year in each workload, in place of weight")
	case byRuns && name == objectiveMean:
		r.Fail(at, "objective mean needs shares", "weight in each workload, in place of runs_per_year")
	case wait != nil && name != objectiveCheapest:
		r.Fail(wait, "mean_wait is a key of objective cheapest", "no mean_wait here")
	case workload != nil && name != ObjectiveTime:
		r.Fail(workload, "workload is a key of objective time", "no workload here")
	case name == ObjectiveTime && workload == nil && len(r.plan.Workloads) > 1:
		r.Fail(at, "objective time is about the runs of one workload", "{name: time, workload: NAME}")
	}
}

// Undone says that a machine with that load does not do a year's work in the hours available, as objective cheapest
// demands, or "".
func (p *Plan) Undone(l *Load) string {
	if p.Objective.ByPrice() {
		if use := p.Use(l.Seconds); use > 1 {
			return p.TooMuch(use)
		}
	}
	return ""
}

// CheapestCarries says why a machine does not carry the mix, or "": with objective cheapest it must do a year's work and
// keep the mean wait.
func (p *Plan) CheapestCarries(l *Load, wait *WaitResult) string {
	if undone := p.Undone(l); undone != "" || !p.Objective.ByPrice() {
		return undone
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

func (p *Plan) TooMuch(use float64) string {
	return fmt.Sprintf("a year's work takes %.0f %% of the hours available in a year at a utilisation of %g", 100*use,
		p.Energy.Utilisation)
}

// Use returns what fraction of the hours available in a year a time takes.
func (p *Plan) Use(seconds float64) float64 {
	return seconds / 3600 / (p.Energy.Utilisation * hoursPerYear)
}

// Goal returns the quantity that machines are ranked by, where less is better: the score or, with objective cheapest,
// the cost: the price or, where the budget covers the machine's life, price and energy.
func (p *Plan) Goal(score, cost float64) float64 {
	if p.Objective.ByPrice() {
		return cost
	}
	return score
}

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

// Relative returns a over b for quantities that may be 0; nil where b alone is 0.
func Relative(a, b float64) *float64 {
	switch {
	case a == b:
		return new(1.0)
	case b == 0:
		return nil
	}
	return new(a / b)
}

// GoalTolerance is the noise of the quantity that machines are ranked by: differences of simulated times within it do
// not count, differences of prices always do.
func (p *Plan) GoalTolerance() float64 {
	if p.Objective.ByPrice() {
		return 0
	}
	return p.Tolerance
}

// Measure returns what the score of a workload is made of: the time of a run or, where runs on different machines are
// not the same work, the time of a Tflop. REQUIRES: the workload can run.
func (p *Plan) Measure(w int, o Outcome) float64 {
	if target := p.Workloads[w].Target; target > 0 {
		return 1e12 / (target * float64(o.Run.MarkedSpeed))
	}
	if p.PerWork(w) {
		return 1e12 * float64(o.Run.Time) / float64(o.Run.Work)
	}
	return float64(o.Run.Time)
}

// PerWork reports whether a workload is measured by the time of a Tflop, because runs
// on different machines are not the same work.
func (p *Plan) PerWork(w int) bool {
	x := &p.Workloads[w]
	return x.Target > 0 || x.Run.GrowsWithProcesses()
}

// Score returns the score of a machine, where less is better. With runs a year it is the time of a year's work,
//
//	T = sum_w r_w T_w + 1/m
//
// with shares the weighted geometric mean
//
//	T = exp(sum_w g_w ln t_w / sum_w g_w)
//
// and with the objective time the shortest time of a run of one workload. It is +Inf where a workload cannot run.
//
//	r_w  runs in a year of a workload w whose runs take the whole machine
//	T_w  simulated time of a run, s
//	m    largest multiple of the runs of all other workloads that is done in a second
//	g_w  share of workload w
//	t_w  T_w, or T_w/k with k runs side by side on average if the machine runs nothing
//	     else, or 1/(E_w C) in s/Tflop where the efficiency E_w is held on a
//	     machine of marked speed C, even if its efficiency is above E_w, or
//	     T_w/W_w in s/Tflop where the work W_w depends on the processes
//
// Source: a total time keeps its meaning as a time [Smith1988]; the geometric mean is the mean whose ranking does not
// depend on the machine that times are divided by [Fleming1986]. Deviations: none.
//
// With runs in a year, the load says what they take of the machine.
func (p *Plan) Score(c Choice, works []Work) (score float64, l *Load) {
	if slices.ContainsFunc(works, Work.Fails) {
		return math.Inf(1), nil
	}
	if p.ByRuns {
		l = p.Carry(c, works)
	}
	switch {
	case p.Objective.Name == ObjectiveTime:
		return works[p.Objective.Workload].Shortest(), l
	case p.ByRuns:
		return l.Seconds, l
	}
	sum, weights := 0.0, 0.0
	for w, x := range p.Workloads {
		weights += x.Weight
		sum += float64(x.Weight * math.Log(p.Alone(c, works[w])))
	}
	return math.Exp(sum / weights), nil
}

func (x Work) Shortest() float64 {
	least := math.Inf(1)
	for _, y := range x.Ways {
		least = min(least, y.Time)
	}
	return least
}

func (p *Plan) ScoreResult() ScoreResult {
	r := ScoreResult{p.ScoreMeaning(), "exp(sum over workloads of (share * ln(time)) / sum of shares)", "s"}
	switch {
	case p.Objective.Name == ObjectiveTime:
		r.Formula = "least over allowed numbers of nodes of time"
	case p.ByRuns && p.SideBySide():
		r.Formula = "1/(largest multiple of a year's runs that is done in a second)"
	case p.ByRuns:
		r.Formula = "sum over workloads of (runs_per_year * time)"
	}
	return r
}

func (p *Plan) ScoreMeaning() string {
	perWork := 0
	for w := range p.Workloads {
		if p.PerWork(w) {
			perWork++
		}
	}
	switch {
	case p.Objective.Name == ObjectiveTime:
		return "time of a run of " + p.Workloads[p.Objective.Workload].Name
	case p.ByRuns:
		return "time of a year's work"
	case p.SideBySide():
		return "weighted geometric mean time per run, runs side by side"
	case perWork == len(p.Workloads):
		return "weighted geometric mean time of a Tflop"
	case perWork == 0:
		return "weighted geometric mean time"
	}
	return "weighted geometric mean time of a run or a Tflop"
}

// An Axis is a quantity of fronts, where less is better. Name is the one in the JSON.
type Axis struct {
	Name string
	Of   func(*Candidate) float64
}

var (
	ByTime   = Axis{"time", func(c *Candidate) float64 { return c.Score }}
	ByPrice  = Axis{"price", func(c *Candidate) float64 { return c.Price }}
	ByEnergy = Axis{"energy", func(c *Candidate) float64 { return c.Energy }}
)

// Money prints an amount in whole units of the currency, with spaces between thousands: "123 456 EUR".
func (p *Plan) Money(amount float64) string {
	if math.Abs(amount) < 100 && amount != math.Trunc(amount) {
		return Number(amount) + " " + p.Budget.Money.Currency
	}
	return input.Thousands(amount) + " " + p.Budget.Money.Currency
}

// PerJob prints the cost of a job, or of so many jobs that no long row of zeros appears: "59 EUR per million jobs".
func (p *Plan) PerJob(cost float64) string {
	if cost >= 0.01 || cost <= 0 {
		return p.Money(cost) + " per job"
	}
	cost *= 1000
	for _, jobs := range []string{"thousand", "million"} {
		if cost >= 1 {
			return p.Money(cost) + " per " + jobs + " jobs"
		}
		cost *= 1000
	}
	return p.Money(cost) + " per billion jobs"
}

// Number prints a number with three digits as people write it: "0.000059", "2.42", "3 900".
func Number(x float64) string { return plain(x, 3) }

func plain(x float64, digits int) string {
	x = input.Digits(x, digits)
	if math.Abs(x) < 1000 {
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	return input.Thousands(x)
}

// Signed prints a number with its sign and this many decimals; a negative one that rounds to 0 is "+0.0".
func Signed(x float64, decimals int) string {
	text := fmt.Sprintf("%+.*f", decimals, x)
	if strings.Trim(text, "-0.") == "" {
		return "+" + text[1:]
	}
	return text
}

// ScoreText prints a score: "512 h", "3.21 s".
func (p *Plan) ScoreText(score float64) string {
	if !p.ByRuns || p.Objective.Name == ObjectiveTime || score < 3600 {
		return plain(score, 4) + " s"
	}
	return plain(score/3600, 4) + " h"
}

// WeightText prints a number of runs, or a share.
func WeightText(x float64) string {
	if x >= 1000 {
		return input.Thousands(x)
	}
	return input.Number(x)
}
