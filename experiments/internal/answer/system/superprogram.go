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
	"github.com/isoscale/isoscale/model/scalability"
	"github.com/isoscale/isoscale/model/units"
)

// SuperProgramResult is the outcome of a super-program; its JSON form is a
// contract (docs/formats/json.md).
type SuperProgramResult struct {
	Method      scenario.SuperProgramMethod `json:"method"`
	Nodes       float64                     `json:"nodes"`  // of the last level, in all
	Work        float64                     `json:"work_s"` // the time of all SIs on one node without dispatch
	Time        float64                     `json:"time_s"`
	Speedup     float64                     `json:"speedup"` // over one node of speed 1 without dispatch that does the same work
	Log2Speedup float64                     `json:"log2_speedup"`
	Efficiency  float64                     `json:"efficiency"` // speedup over the sum of the speeds of all nodes
	Levels      []SuperLevel                `json:"levels"`
	Warnings    []string                    `json:"warnings"`
	Provenance  input.Provenance            `json:"provenance"`

	title string
}

// RunSuperProgram carries out a super-program.
func RunSuperProgram(ctx context.Context, s *scenario.SuperProgram, overrides []input.Override) (*SuperProgramResult, error) {
	stop := input.Stopwatch("run", s.Inputs, overrides, s.Seed)
	r := &SuperProgramResult{Method: s.Method, Nodes: 1, Warnings: []string{}, title: s.Title}
	for i, l := range s.Levels {
		r.Nodes *= s.Nodes[i]
		r.Levels = append(r.Levels, SuperLevel{Nodes: l.Nodes, Counts: l.Counts, Speeds: l.Speeds, Tasks: s.Tasks[i]})
	}
	speed := r.Nodes * s.Speed() // of all nodes
	if _, rounded := s.Rounding(); rounded != "" {
		r.Warnings = append(r.Warnings, rounded)
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

// dispatchOf is the simulation of a super-program.
func dispatchOf(s *scenario.SuperProgram) dispatch.Config {
	work := dispatch.Work{Time: s.Time, Scatter: s.Scatter, Seed: uint64(s.Seed)}
	for _, w := range s.Tasks {
		work.SIs = append(work.SIs, int(w))
	}
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
	return fmt.Sprintf("super-program of %s SIs on %s nodes, by %s", strings.Join(tasks, " x "), strings.Join(nodes, " x "), r.Method)
}
