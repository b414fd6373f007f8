package explorer

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/answer/efficiencies"
	"github.com/isoscale/isoscale/experiments/internal/answer/run"
	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/answer/waits"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/experiments/internal/scenario/cluster"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/topology"
)

// divided is the answer to "shares": where the time of all processes goes. It is not known for runs in which no process
// computes, nor for super-programs.
type divided struct {
	Question  string               `json:"question"` // also the headline of the screen
	Processes int                  `json:"processes"`
	Shares    []efficiencies.Share `json:"shares"`
	Waits     []efficiencies.Share `json:"waits,omitempty"`   // what processes wait for
	Depends   []efficiencies.Share `json:"depends,omitempty"` // what the time is proportional to
}

// mostExplained bounds the events of a run whose waits and critical path are recorded: some tens of megabytes.
const mostExplained = 100_000

func (b *Bridge) shares(ctx context.Context, c *scenario.Case, q *Request) (any, error) {
	if c.Super != nil {
		return divided{}, nil
	}
	if err := withinReach(c.Scenario); err != nil {
		return nil, err
	}
	r := b.ran // the run that the page has just shown
	if r == nil || r.Ranks == nil || b.ranOf.File != q.File || !slices.Equal(b.ranOf.Set, q.Set) {
		var err error
		if r, err = runCompared(ctx, c.Scenario, run.Options{Overrides: q.Set, AllRanks: true}); err != nil {
			return nil, err
		}
	}
	shares, err := r.Shares(ctx)
	if errors.Is(err, efficiencies.ErrIdle) {
		return divided{}, nil
	}
	if err != nil {
		return nil, err
	}
	p, speedup := r.Placement().Ranks(), 0.0
	if r.Baseline != nil {
		speedup = r.Baseline.Speedup
	}
	d := divided{Question: asked(p, calledIn(r.Placement()), shares[0].Value, speedup), Processes: p, Shares: shares}
	if !q.Why || r.Provenance.Events > mostExplained {
		return d, nil
	}
	w, err := r.Why(ctx, system.Explained{Waits: true, Sensitivities: true})
	if err != nil {
		return nil, err
	}
	for _, c := range waits.Classes {
		d.Waits = append(d.Waits, efficiencies.Share{Name: c.String(), Value: w.Waits.Share(c), Meaning: c.Meaning()})
	}
	if s := w.Sensitivities; s != nil {
		for _, k := range cluster.ParameterKinds {
			d.Depends = append(d.Depends, efficiencies.Share{Name: string(k), Value: s.Share(k), Meaning: k.Meaning()})
		}
	}
	return d, nil
}

// calledIn returns what to call the processes: nodes if each node has one.
func calledIn(p *topology.Placement) string {
	nodes := each.Sum(p.Blocks, func(block topology.Block) int { return block.Nodes })
	if nodes == p.Ranks() {
		return "nodes"
	}
	return "processes"
}

// asked returns the question that the figures of a run raise: on p processes, a share of whose time is useful. It
// speaks of a speed-up if that is known and matches, to a hundredth of p, what the processes compute at a time: where
// they are equal and compute the same work as one.
func asked(p int, unit string, useful, speedup float64) string {
	n, at := float64(p), float64(p)*useful
	switch {
	case p == 1:
		return fmt.Sprintf("One process computes for %.0f %% of the time.", 100*useful)
	case n-at < 0.05:
		return fmt.Sprintf("%d %s compute for %.0f %% of the time.", p, unit, 100*useful)
	case speedup == 0 || math.Abs(speedup-at) > n/100:
		return fmt.Sprintf("Of %d %s, %s compute at a time. What do the others do?", p, unit, tenths(at))
	case speedup < 0.995: // which rounds to less than 100 %
		return fmt.Sprintf("%d %s together reach %.2g %% of the speed of one. Why?", p, unit, 100*speedup)
	}
	return fmt.Sprintf("%d %s, %s times as fast. Where are the other %s?", p, unit, tenths(at), tenths(n-at))
}

// tenths prints a decimal where that is significant.
func tenths(x float64) string {
	switch {
	case x >= 100:
		return fmt.Sprintf("%.0f", x)
	case x < 0.1:
		return fmt.Sprintf("%.1g", x)
	}
	return fmt.Sprintf("%.1f", x)
}
