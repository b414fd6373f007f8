package model

import (
	"math"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
)

// Percent converts a gain in doublings of speed to how much faster a machine is, in per cent.
func Percent(doublings float64) float64 { return 100 * (math.Exp2(doublings) - 1) }

// PerMoney returns how much faster a machine would become if this amount were spent on an upgrade, in per cent,
// assuming that the gain is proportional to the cost.
func (u *Upgrade) PerMoney(amount float64) float64 { return Percent(u.Gain) * amount / u.Cost }

// Find returns the candidate of that name. REQUIRES: it is in the ranking.
func (r *Result) Find(name string) *Candidate {
	for i := range r.Ranking {
		if r.Ranking[i].Name == name {
			return &r.Ranking[i]
		}
	}
	panic("buy: no candidate " + name)
}

// NoDesign stands in place of the first design where none is within the limits.
const NoDesign = "none"

// CauseBudget is the cause of exclusions by a limit of the budget, CauseRequired by a requirement, causeObjective by a
// condition of the objective, and causeScreened of machines that cannot matter; any other cause is the name of a
// workload that does not run.
const (
	CauseBudget    = "budget"
	CauseRequired  = "requirements"
	CauseObjective = "objective"
	CauseScreened  = "screened"
)

// LowEfficiency is the speed-efficiency below which a workload hardly uses the recommended machine; a warning then
// explains why.
const LowEfficiency = 0.05

// AcceptanceResult is the time that a run on the recommended machine may take at its acceptance.
type AcceptanceResult struct {
	Workload  string  `json:"workload"`
	Node      string  `json:"node,omitempty"`
	Nodes     int     `json:"nodes"`
	Time      float64 `json:"time_s"`
	Tolerance float64 `json:"tolerance"`
	Most      float64 `json:"at_most_s"` // time (1 + tolerance)
	Source    string  `json:"source"`
}

// Result is the answer to a plan; its JSON form is a contract
// (docs/formats/plan.md). Money is in Currency, energy in kWh.
type Result struct {
	Title    string      `json:"title,omitempty"`
	Currency string      `json:"currency"`
	Score    ScoreResult `json:"score"`
	Goal     GoalResult  `json:"objective"`
	// Recommended names the cheapest machine of the ranking that is as fast as the first within the plan's tolerance.
	Recommended string `json:"recommended"`
	// Lead is by what fraction the score of the best choice of another design exceeds that of the recommended one; null
	// if there is no other design.
	Lead     *float64 `json:"lead"`
	RunnerUp string   `json:"runner_up,omitempty"` // name of that choice
	// Gap bounds by what fraction a machine outside the ranking may be better than the best one in it.
	Gap         float64            `json:"gap"`
	Ranking     []Candidate        `json:"ranking"`          // the fastest first
	Points      []PointsResult     `json:"points,omitempty"` // with scoring: of the best machine of each design, the most first
	Excluded    []Exclusion        `json:"excluded"`
	ExcludedBy  []ExcludedDesign   `json:"excluded_designs"` // the same by design and cause
	Unable      string             `json:"-"`                // a larger machine of the recommended design, and what it cannot run
	Fronts      []ParetoSet        `json:"pareto"`
	Today       *Candidate         `json:"existing,omitempty"` // the existing machine as it is
	Limits      []LimitResult      `json:"limits"`
	Causes      []CauseResult      `json:"causes"`
	Acceptance  []AcceptanceResult `json:"acceptance"`
	Upgrades    []Upgrade          `json:"upgrades"`
	Edges       []EdgeResult       `json:"edges"`
	Robustness  Robust             `json:"robustness"`
	Uncertain   *UncertainResult   `json:"uncertainty,omitempty"`
	Figures     []Figure           `json:"figures"`
	Warnings    []string           `json:"warnings"`
	LeftOut     []string           `json:"left_out"` // parts missing from an answer that ends with the ranking
	NotModelled []string           `json:"not_considered"`
	Provenance  input.Provenance   `json:"provenance"`

	// For the words:
	Plan       *Plan  `json:"-"`
	TodayUnfit string `json:"-"` // why the existing machine cannot run every workload
}

// Recommendation returns the recommended machine.
func (r *Result) Recommendation() *Candidate { return r.Find(r.Recommended) }

// PointsResult is what a machine gets for each criterion.
type PointsResult struct {
	Name     string    `json:"name"`
	Design   string    `json:"design"`
	Points   float64   `json:"points"`
	Criteria []float64 `json:"criteria"` // in the order of the plan
	Value    []float64 `json:"values"`   // the machine's value for each
	// BreakEven is the value of a criterion with which the machine would have as many points as the first, with
	// everything compared anew; null where no value is enough, and for the first machine.
	BreakEven []*float64 `json:"break_even"`
}

// LimitResult is what a limit of the plan holds back.
type LimitResult struct {
	Limit  string   `json:"limit"`          // money, power, rack units or the deadline of a workload
	Used   float64  `json:"used,omitempty"` // fraction of the limit that the recommended machine uses
	Gain   float64  `json:"gain"`           // of the best machine when the limit is a tenth looser, as a fraction
	Margin *float64 `json:"margin"`         // the same at the margin; null where that disagrees
}

// CauseResult is what limits a workload on the recommended machine: how much its most frequent run gains from improving
// each part of the machine alone.
type CauseResult struct {
	Workload   string        `json:"workload"`
	Node       string        `json:"node,omitempty"` // empty for a run on the whole machine
	Nodes      int           `json:"nodes"`
	Cause      string        `json:"cause"` // a part, imbalance or no single part
	Gains      []system.Gain `json:"gains"`
	Even       float64       `json:"even_loads"` // gain if all processes computed alike
	system.Why               // why the run takes as long as it does; always with efficiencies
}

type ScoreResult struct {
	Meaning string `json:"meaning"`
	Formula string `json:"formula"`
	Unit    string `json:"unit"`
}

type GoalResult struct {
	Name      string `json:"name"`
	Meaning   string `json:"meaning"` // of the quantity that machines are ranked by
	Unit      string `json:"unit"`
	Condition string `json:"condition,omitempty"` // of machines in the ranking
}

// Candidate is a choice with what it costs and achieves.
type Candidate struct {
	Rank        int              `json:"rank"` // from 1; 0 for the existing machine
	Name        string           `json:"name"`
	Design      string           `json:"design"` // node types and network
	Nodes       []NodeCount      `json:"nodes"`
	Network     string           `json:"network"`
	Wiring      string           `json:"wiring"`
	Price       float64          `json:"price"`
	Cost        float64          `json:"-"` // what the budget has to cover, see Plan.Cost
	Bill        Bill             `json:"bill"`
	Power       float64          `json:"power_w"` // of the machine under load
	IdlePower   float64          `json:"idle_power_w"`
	RackUnits   float64          `json:"rack_units"`
	MarkedSpeed float64          `json:"marked_speed_flops"`
	Processes   int              `json:"processes"`
	Score       float64          `json:"score"`
	Objective   float64          `json:"objective"`  // the quantity that it is ranked by
	Relative    *float64         `json:"relative"`   // objective over the best objective; nil where that is 0
	Energy      float64          `json:"energy_kwh"` // drawn in a time equal to the score
	Busy        float64          `json:"busy"`       // fraction of the years in which the machine computes
	LifeEnergy  float64          `json:"life_energy_kwh"`
	LifeCost    float64          `json:"life_cost"`              // net present value of all costs over the years
	CashFlow    []YearCost       `json:"cash_flow,omitempty"`    // of the recommended machine and the best of each design
	SSI         *float64         `json:"ssi,omitempty"`          // scalable system improvement over the existing machine
	Annuity     float64          `json:"annuity"`                // of the life cost: equal payments at the end of each year
	JobCost     *float64         `json:"cost_per_job,omitempty"` // mean over the runs of the years
	LifeValue   *float64         `json:"life_value,omitempty"`   // runs of the mix that it can do over the years, per unit of the currency
	Use         *float64         `json:"use,omitempty"`          // hours of a year's work over those available; with runs_per_year
	Throughput  *float64         `json:"throughput,omitempty"`   // multiple of a year's work that it can do in the hours available
	Done        *float64         `json:"load,omitempty"`         // multiple of it that it does; energy, waits and costs are for this
	Wait        *WaitResult      `json:"wait,omitempty"`
	Workloads   []WorkloadResult `json:"workloads"`
	Fronts      []string         `json:"on_fronts"`
	Warnings    []string         `json:"warnings,omitempty"`

	Choice Choice  `json:"-"`
	Load   *Load   `json:"-"` // of a year's work, nil without runs in a year
	Draw   float64 `json:"-"` // mean power over the years of operation, W, without overhead
}

// NodeCount is the number of nodes of a type.
type NodeCount struct {
	Type     string `json:"type"`
	Count    int    `json:"count"`
	Existing int    `json:"existing,omitempty"` // how many of them exist already
}

// WorkloadResult is one workload on a candidate.
type WorkloadResult struct {
	Name        string  `json:"name"`
	N           int     `json:"n"`
	Time        float64 `json:"time_s"`
	Work        float64 `json:"work_flop"`
	Efficiency  float64 `json:"speed_efficiency"`
	Compute     float64 `json:"compute_share"` // of the time, mean over the processes
	MemoryBound bool    `json:"memory_bound"`
	Energy      float64 `json:"energy_kwh"` // of a run
	Capital     float64 `json:"capital"`    // of a run: the price over the hours of computation
	EnergyCost  float64 `json:"energy_cost"`
	IdleCost    float64 `json:"idle_cost"`  // of a run: its share of the energy of the idle machine
	Other       float64 `json:"other_cost"` // of a run: maintenance, staff, fixed costs
	Cost        float64 `json:"cost"`       // of a run: the sum of the four
	// Impossible says why it cannot run if the plan says what such a run counts as.
	Impossible string  `json:"impossible,omitempty"`
	CountsAs   float64 `json:"counts_as_s,omitempty"`
	// Nodes is the number of nodes of most runs.
	Nodes int         `json:"nodes"`
	Ways  []WayResult `json:"ways"` // all that were simulated

	NodeTime float64 `json:"-"` // of a run, mean, s
	PerYear  float64 `json:"-"` // runs, or a share
}

// WayResult is how a workload runs on some nodes of a candidate.
type WayResult struct {
	Node       string  `json:"node,omitempty"` // type; none for a run on the whole machine
	Nodes      int     `json:"nodes"`
	Time       float64 `json:"time_s"`
	Work       float64 `json:"work_flop"`
	Efficiency float64 `json:"speed_efficiency"`
	Compute    float64 `json:"compute_share"`
	Share      float64 `json:"share_of_runs"`    // fraction of the workload's runs done this way
	Energy     float64 `json:"energy_kwh"`       // of a run, by the states of its nodes
	Source     string  `json:"source,omitempty"` // of a time that is not simulated
}

// Exclusion is a design or choice that is not in the ranking.
type Exclusion struct {
	Name   string `json:"name"`
	Reason string `json:"reason"`
}

// ExcludedDesign summarises the machines of a design that are excluded for one cause.
type ExcludedDesign struct {
	Design   string `json:"design"`
	Ranked   bool   `json:"ranked"`   // other machines of the design are in the ranking
	Machines int    `json:"machines"` // or numbers of nodes
	Name     string `json:"name"`     // the nearest miss, or the first of them
	Reason   string `json:"reason"`   // why that one is excluded
	Cause    string `json:"-"`

	Over float64 `json:"-"` // by what factor it exceeds its limit, infinite where no number says that
}

// ParetoSet is a Pareto front: no other choice is better than a member in one quantity and at least as good in the
// rest.
type ParetoSet struct {
	Of      []string `json:"of"`
	Members []string `json:"members"` // the fastest first
}

// Upgrade is a possible next step from a machine.
type Upgrade struct {
	From      string `json:"from"`
	Direction string `json:"direction"`
	Change    string `json:"change"`
	// Hypothetical: not for sale; its cost is assumed to be proportional.
	Hypothetical bool `json:"hypothetical"`
	// Addition: it replaces nothing, so it costs as much after the machine is bought.
	Addition    bool    `json:"-"`
	Cost        float64 `json:"cost"`
	ScoreBefore float64 `json:"score_before"`
	ScoreAfter  float64 `json:"score_after"`
	Gain        float64 `json:"gain"`       // dU = log2(before/after), doublings of speed
	Efficiency  float64 `json:"efficiency"` // dU/cost, doublings per unit of the currency
	// BreakEven is the cost at which a hypothetical upgrade would be as
	// cost-effective as the best one for sale.
	BreakEven *float64 `json:"break_even,omitempty"`
	Beyond    string   `json:"beyond,omitempty"` // the limit that the result exceeds
}

// EdgeResult is the most cost-effective small update if the price of each part is proportional to the part.
type EdgeResult struct {
	From       string   `json:"from"`
	Directions []string `json:"directions"`
	Efficiency float64  `json:"efficiency"`
}

// Robust is how robust the recommendation is.
type Robust struct {
	Change     float64       `json:"change"`
	Parameters []Sensitivity `json:"parameters"` // the one with the largest effect first
	OneAtATime Share         `json:"one_at_a_time"`
	Joint      Share         `json:"joint"`
	JointFirst []FirstCount  `json:"joint_first"` // which designs are first how often
	PriceToWin *PriceToWin   `json:"runner_up_price,omitempty"`
}

// WithoutEffect returns how many parameters do not matter: the last ones of the list.
func (x *Robust) WithoutEffect() int {
	i := slices.IndexFunc(x.Parameters, func(s Sensitivity) bool { return !s.Matters() })
	if i < 0 {
		return 0
	}
	return len(x.Parameters) - i
}

// Share is how often the recommended design remains first.
type Share struct {
	First  int `json:"first"`
	Trials int `json:"trials"`
}

// FirstCount is how often a design is first.
type FirstCount struct {
	Design string `json:"design"`
	Trials int    `json:"trials"`
}

// Sensitivity is the effect of one parameter on the lead of the recommended design.
type Sensitivity struct {
	Parameter string `json:"parameter"`
	Of        string `json:"of"`
	Quantity  string `json:"quantity"`
	Value     string `json:"value"`
	Estimate  bool   `json:"estimate"`
	// Low, Base and High are the leads with the parameter lowered, as it is, and raised; below 0 another design is
	// first. They are nil where the recommended design or every other one is beyond the limits; FirstLow and FirstHigh
	// tell which, and are NoDesign where all designs are.
	Low       *float64 `json:"lead_low"`
	Base      *float64 `json:"lead_base"`
	High      *float64 `json:"lead_high"`
	FirstLow  string   `json:"first_low"`
	FirstHigh string   `json:"first_high"`
}

// PriceToWin is how far the price of the runner-up must fall.
type PriceToWin struct {
	Name   string  `json:"name"`             // its design's choice that would be first or, beyond the budget, come within it
	Price  float64 `json:"price"`            // current price of that choice
	Fall   float64 `json:"fall"`             // of the prices of its nodes and network, or of its bid, as a fraction
	Reason string  `json:"reason,omitempty"` // why the fall is not known; then Name is empty
}

// Swing returns the range of the lead, infinite where there is no lead at one end.
func (x *Sensitivity) Swing() float64 {
	switch {
	case x.Low == nil && x.Base == nil && x.High == nil:
		return 0
	case x.Low == nil || x.Base == nil || x.High == nil:
		return math.Inf(1)
	}
	return max(*x.Low, *x.Base, *x.High) - min(*x.Low, *x.Base, *x.High)
}

// Matters reports whether the parameter changes the lead by at least 0.05 percentage points.
func (x *Sensitivity) Matters() bool { return x.Swing() >= 5e-4 }

// UncertainResult is how sure the choice of a design is with the ranges of the plan.
type UncertainResult struct {
	Samples int            `json:"samples"`
	Model   float64        `json:"model_error"`
	Designs []DesignChance `json:"designs"` // the most probable first
	None    float64        `json:"none"`    // probability that no design is within the limits
	// LeastRegret is the design with the least regret, or the recommended one unless another's regret is smaller by
	// more than chance explains.
	LeastRegret string        `json:"least_regret"`
	Figures     []FigureValue `json:"figures"` // the most worth knowing first
}

// DesignChance says how good it is to choose a design.
type DesignChance struct {
	Design      string  `json:"design"`
	Probability float64 `json:"probability"` // fraction of the cases in which it is the one to recommend
	Low         float64 `json:"low"`         // 95 % interval of the probability
	High        float64 `json:"high"`
	Regret      float64 `json:"regret"`       // expected: the fraction lost of the quantity that machines are ranked by
	RegretError float64 `json:"regret_error"` // half of its 95 % interval
}

// FigureValue is the value of knowing a figure before the choice.
type FigureValue struct {
	Figure  string   `json:"figure"` // or group
	Members []string `json:"members,omitempty"`
	Range   float64  `json:"range"` // half its width, relative to the value
	Value   float64  `json:"value"` // by which the expected regret falls
	Error   float64  `json:"error"` // 1.96 standard errors, without the bias of the method
}

// WaitResult is how long jobs wait in the queue of a machine.
type WaitResult struct {
	Mean   *float64 `json:"mean_s"` // nil: not known
	Low    *float64 `json:"mean_low_s"`
	High   *float64 `json:"mean_high_s"`
	P95    *float64 `json:"p95_s"`
	Above  *float64 `json:"above_mean"` // fraction of the jobs that wait longer than the mean
	Most   *float64 `json:"longest_s"`
	Jobs   int      `json:"jobs"`             // simulated
	Reason string   `json:"reason,omitempty"` // why the waits are not known
}
