package batchqueue

import (
	"cmp"
	"context"
	"slices"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim/kernel"
	"github.com/isoscale/isoscale/sim/meter"
)

// instantsPerCheck is how many instants pass between two looks at the context.
const instantsPerCheck = 4096

// Run returns the start of every job on a machine of so many nodes, in the order of
// the jobs. The error is a *JobError if a job cannot be run. Submissions and ends are
// counted on the meter of the context.
func Run(ctx context.Context, nodes int, policy Policy, jobs []Job) ([]units.Seconds, error) {
	if err := check(nodes, jobs); err != nil {
		return nil, err
	}
	order := make([]int32, len(jobs))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(jobs[a].Submit, jobs[b].Submit) })
	m := &machine{free: nodes, jobs: make([]Job, len(jobs)), start: make([]units.Seconds, len(jobs))}
	for k, i := range order {
		m.jobs[k] = jobs[i]
	}
	var s scheduler
	switch policy {
	case FCFS:
		s = &fcfs{machine: m}
	case EASY:
		s = newEASY(m, nodes)
	case Conservative:
		s = newConservative(m, nodes)
	}
	if err := m.run(ctx, s); err != nil {
		return nil, err
	}
	starts := make([]units.Seconds, len(jobs))
	for k, i := range order {
		starts[i] = m.start[k]
	}
	return starts, nil
}

// machine is what happens on the nodes. Jobs are numbered in the order of the queue.
type machine struct {
	jobs  []Job
	start []units.Seconds // of the jobs that have started
	now   units.Seconds
	free  int             // nodes
	ends  kernel.Calendar // of the running jobs
}

// begin starts a job, for which enough nodes are free.
func (m *machine) begin(job int32) {
	m.start[job] = m.now
	m.free -= m.jobs[job].Nodes
	m.ends.Push(m.now+m.jobs[job].Run, job)
}

// expected returns when a job that has started ends by its estimate.
func (m *machine) expected(job int32) units.Seconds {
	return m.start[job] + m.jobs[job].Estimate
}

// run goes from instant to instant until no job waits or runs.
func (m *machine) run(ctx context.Context, s scheduler) error {
	submitted, ended, noted := 0, 0, 0
	progress := meter.From(ctx)
	for instants := 0; ; instants++ {
		if instants%instantsPerCheck == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			progress.Note(int64(submitted+ended-noted), m.now)
			noted = submitted + ended
		}
		next, any := m.ends.Min()
		if alarm, ok := s.alarm(); ok && (!any || alarm < next) {
			next, any = alarm, true
		}
		if submitted < len(m.jobs) && (!any || m.jobs[submitted].Submit < next) {
			next, any = m.jobs[submitted].Submit, true
		}
		if !any {
			return nil
		}
		m.now = next
		changed := s.ring()
		for at, ok := m.ends.Min(); ok && at == m.now; at, ok = m.ends.Min() {
			_, job, _ := m.ends.Pop()
			m.free += m.jobs[job].Nodes
			s.ended(job)
			ended++
			changed = true
		}
		for submitted < len(m.jobs) && m.jobs[submitted].Submit == m.now {
			s.submitted(int32(submitted))
			submitted++
			changed = true
		}
		if changed {
			s.schedule()
		}
	}
}
