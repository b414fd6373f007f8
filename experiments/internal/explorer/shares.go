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

// divided is the answer to "shares": what the time of all processes goes to. Of a run in which no process computes, and
// of a super-program, nothing is known.
type divided struct {
	Question  string               `json:"question"` // and headline of the screen
	Processes int                  `json:"processes"`
	Shares    []efficiencies.Share `json:"shares"`
	Waits     []efficiencies.Share `json:"waits,omitempty"`   // what processes wait for
	Depends   []efficiencies.Share `json:"depends,omitempty"` // what the time is in proportion to
}

// mostExplained is how many events a run may have whose waits and critical path are recorded: a few ten megabytes.
const mostExplained = 100_000

func (b *Bridge) shares(ctx context.Context, c *scenario.Case, q *Request) (any, error) {
	if c.Super != nil {
		return divided{}, nil
	}
	if err := withinReach(c.Scenario); err != nil {
		return nil, err
	}
	r := b.ran // the page has just shown it
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

// calledIn is what the processes are called: nodes where each node has one.
func calledIn(p *topology.Placement) string {
	nodes := each.Sum(p.Blocks, func(block topology.Block) int { return block.Nodes })
	if nodes == p.Ranks() {
		return "nodes"
	}
	return "processes"
}

// asked is the question that figures of a run raise: p processes, of whose time a share is useful. It speaks of a speed-up
// where that is known and is what the processes compute at a time, to a hundredth of p: where they are equal and compute
// the same work as one.
func asked(p int, unit string, useful, speedup float64) string {
	n, at := float64(p), float64(p)*useful
	switch {
	case p == 1:
		return fmt.Sprintf("One process computes for %.0f %% of the time.", 100*useful)
	case n-at < 0.05:
		return fmt.Sprintf("%d %s, and all of them compute all the time.", p, unit)
	case speedup == 0 || math.Abs(speedup-at) > n/100:
		return fmt.Sprintf("Of %d %s, %s compute at a time. What do the others do?", p, unit, tenths(at))
	case speedup < 1:
		return fmt.Sprintf("%d %s together reach %.2g %% of the speed of one. Why?", p, unit, 100*speedup)
	}
	return fmt.Sprintf("%d %s, %s times as fast. Where are the other %s?", p, unit, tenths(at), tenths(n-at))
}

// tenths has a digit after the point where that says something.
func tenths(x float64) string {
	switch {
	case x >= 100:
		return fmt.Sprintf("%.0f", x)
	case x < 0.1:
		return fmt.Sprintf("%.1g", x)
	}
	return fmt.Sprintf("%.1f", x)
}
