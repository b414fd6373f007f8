package system

import (
	"context"

	"github.com/isoscale/isoscale/experiments/input"
	"github.com/isoscale/isoscale/experiments/scenario"
	"github.com/isoscale/isoscale/model/units"
)

// Outcome is something that a case is measured by.
type Outcome struct {
	Name, Unit string
	Meaning    string
}

// outcome is an entry of the table of outcomes of cases that end in a T.
type outcome[T any] struct {
	Outcome
	value func(T) float64
}

// outcomes are what a simulation is measured by.
var outcomes = []outcome[*Simulation]{
	{Outcome{"processes", "", "processes that take part"}, func(x *Simulation) float64 { return float64(len(x.System.Speeds)) }},
	{Outcome{"time", "s", "makespan: from the start to the end of the last process"}, func(x *Simulation) float64 { return float64(x.Makespan) }},
	{Outcome{"work", "flop", "W, work of the algorithm"}, func(x *Simulation) float64 { return float64(x.Work) }},
	{Outcome{"marked_speed", "flop/s", "C, sum of the benchmarked speeds of the cores that take part"}, func(x *Simulation) float64 { return float64(x.MarkedSpeed) }},
	{Outcome{"achieved_speed", "flop/s", "W/T"}, func(x *Simulation) float64 { return float64(x.AchievedSpeed) }},
	{Outcome{"speed_efficiency", "", "achieved speed over marked speed"}, func(x *Simulation) float64 { return x.SpeedEfficiency }},
	{Outcome{"compute", "s", "mean over processes of the time spent computing"}, func(x *Simulation) float64 { return float64(x.Compute) }},
	{Outcome{"overhead", "s", "mean time busy with sending, receiving and starting"}, func(x *Simulation) float64 { return float64(x.Overhead) }},
	{Outcome{"wait", "s", "mean time of waiting, to the end of the whole run"}, func(x *Simulation) float64 { return float64(x.Wait) }},
	{Outcome{"messages", "", "messages sent"}, func(x *Simulation) float64 { return float64(x.Messages) }},
	{Outcome{"bytes", "B", "sum of their sizes"}, func(x *Simulation) float64 { return float64(x.Bytes) }},
}

// superOutcomes are what a super-program is measured by.
var superOutcomes = []outcome[*SuperProgramResult]{
	{Outcome{"nodes", "", "nodes of the last level, in all"}, func(r *SuperProgramResult) float64 { return r.Nodes }},
	{Outcome{"time", "s", "time of the super-program"}, func(r *SuperProgramResult) float64 { return r.Time }},
	{Outcome{"speedup", "", "over one node without dispatch that does the same work"}, func(r *SuperProgramResult) float64 { return r.Speedup }},
	{Outcome{"log2_speedup", "", "log2 of the speedup"}, func(r *SuperProgramResult) float64 { return r.Log2Speedup }},
	{Outcome{"efficiency", "", "speedup over nodes"}, func(r *SuperProgramResult) float64 { return r.Efficiency }},
}

// Outcomes returns what cases of a template are measured by, in the order of the
// values of [RunCase].
func Outcomes(t *scenario.Template) []Outcome {
	if input.KindOf(t.Root) == input.KindSuper {
		return descriptions(superOutcomes)
	}
	return descriptions(outcomes)
}

// RunCase carries out a case on one core and returns its outcomes.
func RunCase(ctx context.Context, c *scenario.Case) ([]float64, error) {
	return RunCaseWithin(ctx, c, noLimit)
}

// RunCaseWithin is [RunCase] for a case that may take an estimated amount of memory. The
// error of one that takes more is the same on all computers.
func RunCaseWithin(ctx context.Context, c *scenario.Case, memory units.Bytes) ([]float64, error) {
	if c.Super != nil {
		r, err := RunSuperProgram(ctx, c.Super, nil)
		if err != nil {
			return nil, err
		}
		return values(superOutcomes, r), nil
	}
	sys, err := newWithin(c.Scenario, memory)
	if err != nil {
		return nil, err
	}
	sys.Workers = 1
	x, err := sys.Simulate(ctx, c.Scenario.Workload.N)
	if err != nil {
		return nil, err
	}
	return values(outcomes, x), nil
}

func descriptions[T any](table []outcome[T]) []Outcome {
	all := make([]Outcome, len(table))
	for i, o := range table {
		all[i] = o.Outcome
	}
	return all
}

func values[T any](table []outcome[T], of T) []float64 {
	all := make([]float64, len(table))
	for i, o := range table {
		all[i] = o.value(of)
	}
	return all
}
