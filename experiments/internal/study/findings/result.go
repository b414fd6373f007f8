package findings

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"
	"time"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/metric/laws"
	"github.com/isoscale/isoscale/experiments/internal/study/analysis"
	"github.com/isoscale/isoscale/experiments/internal/study/search"
	"github.com/isoscale/isoscale/experiments/internal/study/store"
	"github.com/isoscale/isoscale/experiments/internal/study/studytable"
	"github.com/isoscale/isoscale/experiments/internal/study/sweep"
)

// Result is what a complete study says; its JSON form is a contract
// (docs/formats/json.md).
type Result struct {
	Title       string           `json:"title,omitempty"`
	Description string           `json:"description,omitempty"`
	Directory   string           `json:"directory"`
	File        string           `json:"results"` // the merged rows
	Points      int              `json:"points"`
	Failed      int              `json:"failed"` // points whose row is an error
	Objective   sweep.Objective  `json:"objective"`
	Best        *Best            `json:"best,omitempty"`
	Growth      []Optimum        `json:"growth,omitempty"`
	UpTo        []Optimum        `json:"growth_up_to,omitempty"`
	Ascent      *Ascent          `json:"ascent,omitempty"`
	Spending    *Spending        `json:"spending,omitempty"`
	Limits      []LimitsAt       `json:"limits,omitempty"`
	Effects     *Effects         `json:"effects,omitempty"`
	Unknown     string           `json:"effects_unknown,omitempty"` // why there are no effects
	Difference  *Difference      `json:"difference,omitempty"`
	Losses      []Loss           `json:"losses,omitempty"`
	Search      *Search          `json:"search,omitempty"` // of a plan with a search, which has none of the analyses of neighbours
	Scaling     []laws.Model     `json:"scaling,omitempty"`
	Warnings    []string         `json:"warnings"`
	Provenance  input.Provenance `json:"provenance"`

	Evidence `json:"-"`
}

// Evidence is what the findings rest on, for those who draw it.
type Evidence struct {
	Study    *sweep.Study
	Table    *studytable.Table // the rows that are analysed; nil if they are too many
	Response store.Column      // of the objective
	Size     store.Column
	Cost     store.Column // without a name: none
	Goal     studytable.Goal
	// Ranking has all configurations, the best first.
	Ranking []analysis.Ranked
	// Reference is the configuration around which maps and curves are drawn: the best,
	// also where the times of points are not compared.
	Reference *Best
	Path      *analysis.Growth   // the best of each size; nil if there is one size
	Envelope  *analysis.Envelope // the best up to a size; nil unless sizes are many
	Relation  *analysis.Relation // that all points fulfil; nil if there is none
	Laws      *laws.Fitted       // of scaling; nil if there are none
	Lawless   string             // why there are none, if that needs saying
	Unequal   string             // why times of different numbers of processes are not compared
	History   *search.History    // of a search
	Model     *search.Model      // of a search; nil if there is none

	dispatch int // the column of an outcome that only points have which were dispatched
}

// Configuration is a point without its repetition.
type Configuration struct {
	Levels map[string]string `json:"levels"` // by factor, with the unit
	Value  float64           `json:"value"`  // of the objective; the mean over repetitions

	At []int `json:"-"` // the number of the level of each factor
}

// Best is the best configuration.
type Best struct {
	Configuration
	StdErr *float64 `json:"standard_error"` // of the mean; null without repetitions
	Tied   int      `json:"tied"`           // other configurations that are as good
}

// Optimum is the best configuration of a size.
type Optimum struct {
	Configuration
	StdErr *float64 `json:"standard_error"` // of the value; null without repetitions
	Size   float64  `json:"size"`
	Of     int      `json:"of"`   // configurations of this size
	Tied   int      `json:"tied"` // others that are as good
	// WithinNoise are others that are as good or within two standard errors, the tied
	// ones included.
	WithinNoise int    `json:"within_noise"`
	Move        string `json:"move"` // first, step, switch or jump from the size before; up to a size also stay or grow
	// Bound is the size up to which it is the best; 0 if it is the best of its size.
	Bound float64 `json:"up_to,omitempty"`
	// Updates are the single steps from here, the best one first.
	Updates []Update `json:"updates,omitempty"`
}

// Update raises a factor by one level.
type Update struct {
	Raised      string   `json:"raised"`
	Gain        float64  `json:"gain"`                 // of the objective; negative for a loss
	Scalability float64  `json:"scalability"`          // gain for one unit of the factor, or for its doubling if its levels are powers of two
	Added       *float64 `json:"added_cost,omitempty"` // without a cost, there is none
	Efficiency  *float64 `json:"efficiency,omitempty"` // gain for one unit of the cost; none if nothing is added
}

// Spending is growth by what it costs.
type Spending struct {
	Frontier []Priced   `json:"frontier"`
	Walk     []Purchase `json:"walk"`
	Budgets  []Budget   `json:"budgets"`
}

// Priced is a configuration with its cost.
type Priced struct {
	Configuration
	Cost float64 `json:"cost"`
}

// Purchase is a configuration of the walk by gain for cost, and how it was reached.
type Purchase struct {
	Priced
	Update *Update `json:"update,omitempty"` // none at the start
}

// Budget is what an amount buys: the best of all, and the best of the walk.
type Budget struct {
	Amount    float64  `json:"amount"`
	Best      Priced   `json:"best"`
	Walk      Priced   `json:"walk"`
	Shortfall float64  `json:"shortfall"`         // of the walk
	Percent   *float64 `json:"shortfall_percent"` // of the best value; null where a ratio says nothing
	Move      string   `json:"move"`              // from the best of the budget before: first, stay, grow, switch or jump
}

// Ascent is the walk of steepest ascent, and where it is not optimal.
type Ascent struct {
	Steps  []AscentStep `json:"steps"`
	Misses []Miss       `json:"misses"`
}

// AscentStep is a configuration on the walk.
type AscentStep struct {
	Configuration
	Raised string  `json:"raised,omitempty"` // the factor
	Size   float64 `json:"size"`
	Gain   float64 `json:"gain"` // of the objective; negative for a loss
}

// Miss is a size at which the walk is worse than the best configuration.
type Miss struct {
	Size      float64       `json:"size"`
	Walk      Configuration `json:"walk"`
	Best      Configuration `json:"best"`
	Shortfall float64       `json:"shortfall"`
	Percent   *float64      `json:"shortfall_percent"` // of the best value; null where a ratio says nothing
}

// analysed is the largest number of points that are analysed in memory. Beyond it
// only the best and the failures are told.
const analysed = 200_000

// Of merges a complete study and analyses it. took is the time that this call
// of sweep took for the rows.
func Of(s *sweep.Study, overrides []input.Override, took time.Duration) (*Result, error) {
	plan := s.Dir.Plan()
	stop := input.Stopwatch("sweep", []input.Input{{File: "plan.json", SHA256: plan.Hash}}, overrides, plan.Seed)
	file, err := s.Dir.Merge()
	readOnly := errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)
	if err != nil && !readOnly {
		return nil, err
	}
	r := &Result{
		Title: s.About.Title, Description: s.About.Description, Directory: s.Dir.Path(), File: file, Points: plan.Points,
		Objective: s.About.Objective, Warnings: []string{},
		Evidence: Evidence{Study: s, Response: s.Column(s.About.Objective.Response), Size: s.Column(s.About.Objective.Size), Goal: studytable.Minimize},
	}
	if r.Objective.Maximize {
		r.Goal = studytable.Maximize
	}
	if name := s.About.Objective.Cost; name != "" {
		r.Cost = s.Column(name)
	}
	if readOnly {
		r.File = ""
		r.warn("the table of all rows could not be written: %v", err)
	}
	if plan.Points <= analysed {
		err = r.analyse()
	} else {
		r.Warnings = append(r.Warnings, fmt.Sprintf("%d points are too many for an analysis, which takes at most %d; all rows are in %s", plan.Points, analysed, file))
		err = r.scan()
	}
	if err != nil {
		return nil, err
	}
	stop(&r.Provenance)
	r.Provenance.Simulations = plan.Points
	r.Provenance.WallSeconds += took.Seconds()
	return r, nil
}

// Leaders are the first configurations of the ranking, at most twenty.
func (e *Evidence) Leaders() []analysis.Ranked { return e.Ranking[:min(20, len(e.Ranking))] }
