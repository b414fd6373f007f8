package model

import (
	"context"
	"fmt"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/answer/batchqueue"
	"github.com/isoscale/isoscale/experiments/internal/answer/queue"
	"github.com/isoscale/isoscale/experiments/internal/chart/quantile"
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/model/units"
)

// A Queue says how waits are simulated.
type Queue struct {
	Policy      batchqueue.Policy
	Submissions int // jobs
}

var queueKeys = schema.Declare("the queue of the machine, as in {policy: easy, submissions: 5000}", func(k *schema.Keys, q *Queue) {
	policy := batchqueue.EASY.String()
	k.Optional("policy", schema.Choice(&policy, "policy", batchqueue.Policies()).Or(policy), "which waiting jobs start")
	q.Policy, _ = batchqueue.ParsePolicy(policy)
	k.Optional("submissions", schema.Integer{Min: 100, Max: 1000000}.To(&q.Submissions).Or(5000), "jobs to simulate")
})

// Wait simulates the queue of a machine with the jobs of a year's work, each in the way in
// which the machine carries most of it. Each node type has a queue of its own.
func (p *Plan) Wait(ctx context.Context, c Choice, l *Load) (*WaitResult, error) {
	parts := p.Parts(c)
	if multiple := SecondsPerYear / l.Seconds; multiple <= 1 {
		return &WaitResult{Reason: fmt.Sprintf("jobs arrive faster than they are done: the machine carries %.3g times the mix", multiple)}, nil
	}
	mix := queue.Mix{Submissions: p.Queue.Submissions, Seed: p.Seed}
	var pool []int // the node type of each kind
	for _, r := range l.runs {
		w := &p.Workloads[r.workload]
		k := queue.Kind{Name: w.Name, Nodes: r.Nodes, Time: units.Seconds(r.time), RunsPerYear: r.Runs, EstimateFrom: w.EstimateFrom, EstimateTo: w.EstimateTo}
		at := r.Node
		if r.Whole() {
			if k.Nodes = Total(parts); len(p.NodesOf(c)) > 1 {
				return &WaitResult{Reason: "runs of " + w.Name + " take nodes of two types at once"}, nil
			}
			for t, count := range parts {
				if count > 0 {
					at = t
				}
			}
		}
		mix.Kinds, pool = append(mix.Kinds, k), append(pool, at)
	}
	drawn := mix.Draw()
	var waits []units.Seconds
	for t, count := range parts {
		var jobs []batchqueue.Job
		for i, j := range drawn.Jobs {
			if pool[drawn.Kinds[i]] == t {
				jobs = append(jobs, j)
			}
		}
		if len(jobs) == 0 {
			continue
		}
		starts, err := batchqueue.Run(ctx, count, p.Queue.Policy, jobs)
		if err != nil {
			return nil, fmt.Errorf("the queue of %s: %w", p.Name(c), err)
		}
		for i, start := range starts {
			waits = append(waits, start-jobs[i].Submit)
		}
	}
	sum := 0.0
	for _, w := range waits {
		sum += float64(w)
	}
	slices.Sort(waits)
	mean, p95 := sum/float64(len(waits)), float64(quantile.Of(waits, 95))
	above, longest := batchqueue.Above(units.Seconds(mean), waits)
	return &WaitResult{Mean: &mean, P95: &p95, Above: &above, Most: new(float64(longest)), Jobs: len(waits)}, nil
}

const SecondsPerYear = hoursPerYear * 3600
