package system

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/experiments/internal/scenario/dispatch"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/scalability"
	"github.com/isoscale/isoscale/model/units"
)

// SuperProgramResult is the outcome of a super-program; its JSON form is a
// contract (docs/formats/json.md).
type SuperProgramResult struct {
	Method      scenario.SuperProgramMethod `json:"method"`
	Nodes       float64                     `json:"nodes"`  // of the last level, in total
	Work        float64                     `json:"work_s"` // the time of all SIs on one node without dispatch
	Time        float64                     `json:"time_s"`
	Speedup     float64                     `json:"speedup"` // over one node of speed 1 without dispatch that does the same work
	Log2Speedup float64                     `json:"log2_speedup"`
	Efficiency  float64                     `json:"efficiency"` // speedup over the sum of the speeds of all nodes
	Levels      []SuperLevel                `json:"levels"`
	Warnings    []string                    `json:"warnings"`
	Provenance  input.Provenance            `json:"provenance"`
}

func RunSuperProgram(ctx context.Context, s *scenario.SuperProgram,
	overrides []input.Override) (*SuperProgramResult, error) {
	stop := input.Stopwatch("run", s.Inputs, overrides, s.Seed)
	r := &SuperProgramResult{Method: s.Method, Nodes: 1, Warnings: []string{}}
	for i, l := range s.Levels {
		r.Nodes *= s.Nodes[i]
		r.Levels = append(r.Levels, SuperLevel{Nodes: l.Nodes, Counts: l.Counts, Speeds: l.Speeds, Tasks: s.Tasks[i]})
	}
	speed := r.Nodes * s.Speed() // of all nodes
	for _, caution := range []func() (float64, string){s.Rounding, s.TooFast} {
		if _, text := caution(); text != "" {
			r.Warnings = append(r.Warnings, text)
		}
	}
	var err error
	if s.Method == scenario.Dispatch {
		if err = dispatchSuperProgram(ctx, s, r); err == nil {
			r.Nodes, speed = dispatch.Machine(s.Levels).Totals()
		}
		r.Provenance.Simulations = 1
	} else {
		err = computeSuperProgram(s, r)
	}
	if err != nil {
		return nil, err
	}
	r.Efficiency = r.Speedup / speed
	stop(&r.Provenance)
	return r, nil
}

func computeSuperProgram(s *scenario.SuperProgram, r *SuperProgramResult) error {
	levels := make(scalability.Levels, len(s.Nodes))
	for i := range levels {
		levels[i] = scalability.Level{Nodes: s.Nodes[i], Work: s.Tasks[i], Imbalance: s.Imbalance[i]}
	}
	t, err := levels.Time(s.Time / units.Seconds(s.Speed()))
	if err != nil {
		return err
	}
	r.Time, r.Work = float64(t), float64(s.Time)
	for _, w := range s.Tasks {
		r.Work *= w
	}
	if r.Log2Speedup, err = levels.Log2Speedup(); err != nil {
		return err
	}
	r.Log2Speedup += math.Log2(s.Speed())
	r.Speedup = math.Exp2(r.Log2Speedup)
	formulaLosses(levels, r.Levels)
	return nil
}

// dispatchOf returns the configuration that simulates a super-program.
func dispatchOf(s *scenario.SuperProgram) dispatch.Config {
	work := dispatch.Work{Time: s.Time, Scatter: s.Scatter, Seed: uint64(s.Seed)}
	work.SIs = each.Append(work.SIs, s.Tasks, func(w float64) int { return int(w) })
	return dispatch.Config{Machine: s.Levels, Work: work}
}

func dispatchSuperProgram(ctx context.Context, s *scenario.SuperProgram, r *SuperProgramResult) error {
	res, err := dispatch.Run(ctx, dispatchOf(s))
	if err != nil {
		return err
	}
	r.Time, r.Work, r.Speedup = float64(res.Makespan), float64(res.Work), res.Speedup()
	if !(r.Speedup > 0 && r.Speedup <= math.MaxFloat64) {
		return errors.New("the super-program takes no time; expected SIs that take some")
	}
	r.Log2Speedup = math.Log2(r.Speedup)
	dispatchLosses(res.Levels, r.Levels)
	return nil
}

// Headline says in one line what was run.
func (r *SuperProgramResult) Headline() string {
	var nodes, tasks []string
	for _, l := range r.Levels {
		text := l.NodesText()
		if l.Counts != nil {
			text = "(" + text + ")"
		}
		nodes = append(nodes, text)
		tasks = append(tasks, input.Number(l.Tasks))
	}
	return fmt.Sprintf("super-program of %s SIs on %s nodes, by %s", strings.Join(tasks, " x "),
		strings.Join(nodes, " x "), r.Method)
}

// SuperLevel is one level of a super-program. Shares are relative to the makespan times
// all nodes of the last level.
type SuperLevel struct {
	Nodes int     `json:"nodes"` // in one node of the level above; the maximum if they differ
	Tasks float64 `json:"tasks"` // SIs in one SI of the level above

	Counts []int     `json:"counts,omitempty"` // of nodes, group by group, if they differ
	Speeds []float64 `json:"speeds,omitempty"` // node by node in a group, unless all are 1

	Busy float64   `json:"busy"` // share of the time in which SIs are executed
	Lost SuperLoss `json:"lost"` // shares by cause; those of all levels and the last level's Busy add up to 1

	// Sums over all SIs of the level; nil for a formula, which has no SIs.
	Dispatched *SuperTimes `json:"dispatched,omitempty"`
}

// SuperLoss is what a level loses while its groups have work.
type SuperLoss struct {
	Transfer float64 `json:"transfer"`
	Dispatch float64 `json:"dispatch"`
	End      float64 `json:"end"`
}

// SuperTimes are sums over the SIs of a level.
type SuperTimes struct {
	SIs          int64   `json:"sis"`
	Busy         float64 `json:"busy_s"`
	Idle         float64 `json:"idle_s"`
	Transfer     float64 `json:"transfer_s"`
	DispatchWait float64 `json:"dispatch_wait_s"`
}

// Losses are the causes of a loss, in words, in the order of [SuperLoss.Shares].
var Losses = []string{"transfers", "dispatching", "the end, with no SI left,"}

// Shares returns the losses in the order of [Losses].
func (l SuperLoss) Shares() []float64 { return []float64{l.Transfer, l.Dispatch, l.End} }

// formulaLosses fills in the losses by the formula. A level executes w SIs in the time of
// (w + c (n-1))/n, so its n nodes are busy for w/(w + c (n-1)) of the time in which the
// level above is busy. The rest is the imbalance at the end.
func formulaLosses(levels scalability.Levels, all []SuperLevel) {
	outer := 1.0
	for i, l := range levels {
		busy := float64(outer * (l.Work / (l.Work + float64(l.Imbalance*(l.Nodes-1)))))
		all[i].Busy, all[i].Lost.End = busy, outer-busy
		outer = busy
	}
}

// dispatchLosses fills in the losses of a simulation.
func dispatchLosses(levels []dispatch.LevelResult, all []SuperLevel) {
	for i, l := range levels {
		all[i].Busy, all[i].Lost = l.Utilization, SuperLoss(l.Lost)
		all[i].Dispatched = &SuperTimes{
			SIs: l.Executed, Busy: float64(l.Busy), Idle: float64(l.Idle),
			Transfer: float64(l.Transfer), DispatchWait: float64(l.DispatchWait),
		}
	}
}

// Largest returns the level, from 0, the cause, an index of [Losses], and the share of the
// largest loss. Without losses, the share is 0.
func (r *SuperProgramResult) Largest() (level, cause int, share float64) {
	for i, l := range r.Levels {
		for k, s := range l.Lost.Shares() {
			if s > share {
				level, cause, share = i, k, s
			}
		}
	}
	return level, cause, share
}

// Why says in a sentence what the largest loss is.
func (r *SuperProgramResult) Why() string {
	level, cause, share := r.Largest()
	alike := 0 // equally large losses, but for rounding
	for _, l := range r.Levels {
		for _, s := range l.Lost.Shares() {
			if share-s <= 1e-12*share {
				alike++
			}
		}
	}
	switch {
	case share == 0:
		return "Nothing is lost: all processors execute SIs all the time."
	case share < 5e-4:
		return "Each loss is less than 0.1 % of the time of all processors."
	}
	text := fmt.Sprintf("The largest loss is to %s at level %d: %.1f %% of the time of all processors", Losses[cause],
		level+1, 100*share)
	if alike > 1 {
		text += fmt.Sprintf("; %d losses are this large", alike)
	}
	return text + "."
}

// levelOutcomes are the outcomes of a level of a super-program, counted from 1.
func levelOutcomes(level int) []outcome[*SuperProgramResult] {
	of := func(value func(SuperLevel) float64) func(*SuperProgramResult) float64 {
		return func(r *SuperProgramResult) float64 {
			if level > len(r.Levels) {
				return math.NaN() // this point of the study has fewer levels
			}
			return value(r.Levels[level-1])
		}
	}
	perSI := func(value func(*SuperTimes) float64) func(*SuperProgramResult) float64 {
		return of(func(l SuperLevel) float64 {
			// A formula has no SIs.
			return ifKnown(l.Dispatched, func(t *SuperTimes) float64 { return value(t) / float64(t.SIs) })
		})
	}
	name := func(text string) string { return fmt.Sprintf("%s_%d", text, level) }
	at := fmt.Sprintf(" at level %d", level)
	share := "share of the time of all processors lost to "
	all := []outcome[*SuperProgramResult]{
		{Outcome{name("busy"), "", "share of the time of all processors for which nodes" + at + " execute SIs", Traits{Level: level}}, of(func(l SuperLevel) float64 { return l.Busy })},
		{Outcome{name("lost_transfer"), "", share + "transfers" + at, Traits{Level: level, Lost: "transfers"}}, of(func(l SuperLevel) float64 { return l.Lost.Transfer })},
		{Outcome{name("lost_dispatch"), "", share + "dispatching" + at, Traits{Level: level, Lost: "dispatching"}}, of(func(l SuperLevel) float64 { return l.Lost.Dispatch })},
		{Outcome{name("lost_end"), "", share + "the end, with no SI left," + at, Traits{Level: level, Lost: "the end"}}, of(func(l SuperLevel) float64 { return l.Lost.End })},
		{Outcome{name("transfer"), "s", "time of an SI between dispatch unit and node" + at + ", mean", Traits{Level: level, OfDispatch: true}}, perSI(func(t *SuperTimes) float64 { return t.Transfer })},
		{Outcome{name("dispatch_wait"), "s", "time that a free place waits for an SI" + at + ", mean", Traits{Level: level, OfDispatch: true}}, perSI(func(t *SuperTimes) float64 { return t.DispatchWait })},
	}
	for i := range all {
		all[i].Lacking = "there are fewer levels, or no SIs by formula"
	}
	return all
}

// superOutcomesOf returns the outcomes of super-programs, followed by those of the given number of levels.
func superOutcomesOf(levels int) []outcome[*SuperProgramResult] {
	all := superOutcomes[:len(superOutcomes):len(superOutcomes)]
	for i := range levels {
		all = append(all, levelOutcomes(i+1)...)
	}
	return all
}

// LevelsOf returns the number of levels of a template of a super-program.
func LevelsOf(t *scenario.Template) int {
	fields, ok := t.Root.Plain().(map[string]any)
	if !ok || input.KindOf(t.Root) != input.KindSuper {
		return 0
	}
	most := 0
	for _, key := range []string{"levels", "log2_levels", "tasks"} {
		if list, ok := fields[key].([]any); ok {
			most = max(most, len(list))
		}
	}
	return most
}

// NodesText is the number of nodes in one node of the level above, or all numbers if they differ.
func (l *SuperLevel) NodesText() string {
	if l.Counts == nil {
		return fmt.Sprint(l.Nodes)
	}
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(l.Counts), " ", ", "), "[]")
}

// LevelTable returns a row for each level: what it consists of, the shares of the time for
// which it is busy and which it loses, and, after the first seven columns, how long an SI is
// in transfer and how long a place waits for one.
func (r *SuperProgramResult) LevelTable() (titles []string, rows [][]string) {
	titles = []string{"level", "nodes", "SIs", "busy", "transfers", "dispatching", "end"}
	dispatched := r.Method == scenario.Dispatch
	if dispatched {
		titles = append(titles, "transfer per SI", "wait per SI")
	}
	percent := func(x float64) string { return fmt.Sprintf("%.2f %%", 100*x) }
	for i, l := range r.Levels {
		row := each.Append([]string{fmt.Sprint(i + 1), l.NodesText(), input.Number(l.Tasks), percent(l.Busy)}, l.Lost.Shares(), percent)
		if t := l.Dispatched; t != nil {
			n := float64(t.SIs)
			row = append(row, units.Seconds(t.Transfer/n).String(), units.Seconds(t.DispatchWait/n).String())
		}
		rows = append(rows, row)
	}
	return titles, rows
}
