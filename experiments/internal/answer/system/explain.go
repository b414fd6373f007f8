package system

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/answer/efficiencies"
	"github.com/isoscale/isoscale/experiments/internal/answer/waits"
	"github.com/isoscale/isoscale/experiments/internal/answer/watch"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/page"
	"github.com/isoscale/isoscale/experiments/internal/scenario/cluster"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/regression"
)

// Explained says which outcomes that explain the time of a scenario are wanted.
type Explained struct {
	Efficiencies  bool `json:"efficiencies,omitempty"`
	Waits         bool `json:"waits,omitempty"`
	Sensitivities bool `json:"sensitivities,omitempty"`
	Speedup       bool `json:"speedup,omitempty"`
}

// An Explanation is a group of outcomes that cost more than the simulation alone.
type Explanation struct {
	Key, Meaning string // in plans
	Of           func(*Explained) *bool

	outcomes []outcome[*Simulation]
}

// Explanations are all groups.
var Explanations = []Explanation{
	{"efficiencies", "also say where the time of each point goes, for which it is simulated again on better networks",
		func(e *Explained) *bool { return &e.Efficiencies }, efficiencyOutcomes()},
	{"waits", "also say what the processes of each point wait for, which is recorded while it is simulated",
		func(e *Explained) *bool { return &e.Waits }, waitOutcomes()},
	{"sensitivities", "also say what the time of each point is proportional to, from its critical path",
		func(e *Explained) *bool { return &e.Sensitivities }, sensitivityOutcomes()},
	{"speedup", "also compare each point with one process alone, which is also simulated",
		func(e *Explained) *bool { return &e.Speedup }, []outcome[*Simulation]{{
			Outcome{"speedup", "", "achieved speed over that of the fastest process alone on its node, each at its own size where n fills memory",
				Traits{Longer: -1, Law: new(regression.Speedup), Lacking: "one process cannot run the problem, or there is no work"}},
			func(x *Simulation) float64 { return x.speedup },
		}}},
}

// KeyOf returns the key of a plan that asks for an outcome, "" if none does.
func KeyOf(name string) string {
	for _, x := range Explanations {
		if slices.ContainsFunc(x.outcomes, func(o outcome[*Simulation]) bool { return o.Name == name }) {
			return x.Key
		}
	}
	return ""
}

// Why explains the time of a simulation. Fields are nil if they were not asked for or do not exist. Its JSON form is a
// contract (docs/formats/json.md).
type Why struct {
	Efficiencies  *efficiencies.Efficiencies  `json:"efficiencies,omitempty"` // nil: no process computes
	Waits         *waits.States               `json:"waits,omitempty"`
	Sensitivities *efficiencies.Sensitivities `json:"sensitivities,omitempty"` // nil: messages share links
}

// share is the share of the time that is proportional to parameters of a kind, NaN if it is not known.
func (w *Why) share(kind cluster.ParameterKind) float64 {
	return ifKnown(w.Sensitivities, func(s *efficiencies.Sensitivities) float64 { return s.Share(kind) })
}

func efficiencyOutcomes() (all []outcome[*Simulation]) {
	for _, part := range efficiencies.Parts {
		if part.Outcome == "" {
			continue
		}
		all = append(all, outcome[*Simulation]{
			Outcome{part.Outcome, "", part.Meaning, Traits{Lacking: "no process computes, or messages share no links"}},
			func(x *Simulation) float64 {
				if value := ifKnown(x.Why.Efficiencies, part.Value); value != 0 {
					return value
				}
				return math.NaN()
			},
		})
	}
	return all
}

func waitOutcomes() (all []outcome[*Simulation]) {
	for _, c := range waits.Classes {
		name := "wait_" + strings.ReplaceAll(strings.ToLower(c.String()), " ", "_")
		all = append(all, outcome[*Simulation]{
			Outcome{name, "", "share of the time, mean over the processes: " + c.Meaning(), Traits{}},
			func(x *Simulation) float64 { return x.Why.Waits.Share(c) },
		})
	}
	return append(all, outcome[*Simulation]{
		Outcome{"hidden_share", "", "share of the time of streams for which no process waits", Traits{Lacking: "the program has no streams"}},
		func(x *Simulation) float64 {
			return ifKnown(x.Why.Waits.Hidden, func(share *float64) float64 { return *share })
		},
	})
}

func sensitivityOutcomes() (all []outcome[*Simulation]) {
	for _, kind := range cluster.ParameterKinds {
		name := "share_of_" + strings.ReplaceAll(string(kind), " ", "_")
		all = append(all, outcome[*Simulation]{
			Outcome{name, "", "share of the time that is proportional to " + kind.Meaning(), Traits{Lacking: "messages share links"}},
			func(x *Simulation) float64 { return x.Why.share(kind) },
		})
	}
	return all
}

// Explain simulates the workload at problem size n and explains its time as far as e asks.
func (s *System) Explain(ctx context.Context, n int, e Explained) (*Simulation, error) {
	e.Sensitivities = e.Sensitivities && s.Priced() == nil
	watched := *s
	watched.Laws = e.Sensitivities
	if e.Waits {
		watched.Workers = 1
	}
	recording := watch.Start(ctx, s.Placement.Ranks(), s.Transport.Network, watch.Wanted{Waits: e.Waits, Path: e.Sensitivities})
	defer recording.Stop()
	watched.Observer, watched.Program = recording.Observer(), recording.Program
	x, err := watched.Simulate(recording.Context(), n)
	if err := recording.Check(err); err != nil {
		return nil, err
	}
	record := recording.Record(watch.Facts{Run: x.Result, Links: x.Links()})
	if x.Why.Waits = record.Waits; e.Waits {
		x.Why.Waits.Ranks = nil // there may be many, and they are not shown
	}
	if e.Sensitivities {
		x.Why.Sensitivities = x.Sensitivities(record.Walk)
	}
	if e.Efficiencies {
		if x.Why.Efficiencies, err = x.Efficiencies(ctx, 1); err != nil && !errors.Is(err, efficiencies.ErrIdle) {
			return nil, err
		}
	}
	if e.Speedup {
		if x.speedup, err = s.speedup(ctx, x); err != nil {
			return nil, fmt.Errorf("one process alone: %w", err)
		}
	}
	return x, nil
}

// speedup returns the achieved speed of a simulation over that of one process alone, NaN if the latter does not exist.
// If the problem fills memory, it is the memory-bounded speedup; if the work does not grow, Amdahl's.
//
//	S = (W/T)/(W_1/T_1)
//
// Source: [SunNi1993]. Deviation: processes may differ; the one process is the fastest.
func (s *System) speedup(ctx context.Context, x *Simulation) (float64, error) {
	one := s.made.Alone(x.N)
	if one == nil {
		return math.NaN(), nil
	}
	alone, err := newWithin(one, s.memory)
	if err != nil {
		return 0, err
	}
	alone.Workers = 1
	y, err := alone.Simulate(ctx, one.Workload.N)
	if err != nil {
		return 0, err
	}
	return float64(x.AchievedSpeed / y.AchievedSpeed), nil
}

// Priced returns an error that says why there are no sensitivities, or nil.
func (s *System) Priced() error {
	if !s.Transport.Kind.SharesLinks {
		return nil
	}
	return input.Errorf("--sensitivities: messages share links under network %s, whose costs no formula gives; "+
		"expected a network without shared links, as with --set network=hockney, or run --what-if, which simulates "+
		"again", s.Transport.Kind.Name)
}

// Named explains the time of one of several runs.
type Named struct {
	Name string
	*Why
}

// Tables show what runs wait for and what their times are proportional to, as shares of their times: rows below a
// head, as far as something is known for at least one run.
func Tables(runs []Named) (tables [][][]string) {
	table := func(head string) [][]string {
		return [][]string{each.Append([]string{head}, runs, func(r Named) string { return r.Name })}
	}
	add := func(rows [][]string, name string, share func(*Why) float64) [][]string {
		row, some := []string{name}, false
		for _, r := range runs {
			x := share(r.Why)
			some = some || x > 0
			if math.IsNaN(x) {
				row = append(row, "")
				continue
			}
			row = append(row, fmt.Sprintf("%.1f", 100*x))
		}
		if !some {
			return rows
		}
		return append(rows, row)
	}
	rows := add(table("wait state"), "none: computation, overhead", func(w *Why) float64 {
		return ifKnown(w.Waits, func(s *waits.States) float64 {
			busy := 1.0
			for _, c := range waits.Classes {
				busy -= s.Share(c)
			}
			return busy
		})
	})
	for _, c := range waits.Classes {
		rows = add(rows, c.String(), func(w *Why) float64 {
			return ifKnown(w.Waits, func(s *waits.States) float64 { return s.Share(c) })
		})
	}
	tables, rows = append(tables, rows), table("in proportion to")
	for _, kind := range cluster.ParameterKinds {
		rows = add(rows, kind.Meaning(), func(w *Why) float64 { return w.share(kind) })
	}
	return slices.DeleteFunc(append(tables, rows), func(rows [][]string) bool { return len(rows) == 1 })
}

// Blocks are [Tables] for a report.
func Blocks(runs []Named) (blocks []report.Block) {
	for _, rows := range Tables(runs) {
		heads := each.Append([]string{rows[0][0]}, rows[0][1:], func(head string) string { return "#" + head + " [%]" })
		blocks = append(blocks, &report.Table{Title: "Shares of the time: " + rows[0][0], Columns: page.Columns(heads...), Rows: rows[1:]})
	}
	return blocks
}

// Links returns the links that the messages of the simulation shared, nil if they share none.
func (x *Simulation) Links() *watch.Links {
	c := x.System.Transport
	if c.Last == nil {
		return nil
	}
	return &watch.Links{Platform: c.Platform, Place: c.Place, Parameters: c.Parameters, Detours: c.Detours(),
		Usage: c.Last.Usage(x.Makespan)}
}
