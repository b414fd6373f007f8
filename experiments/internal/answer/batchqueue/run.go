package batchqueue

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim/kernel"
	"github.com/isoscale/isoscale/sim/meter"
)

// Job is a job as it is submitted.
type Job struct {
	Submit   units.Seconds // from 0 to MaxTime
	Nodes    int           // from 1 to the size of the machine
	Run      units.Seconds // its run time: above 0, at most MaxTime
	Estimate units.Seconds // of Run, which is what the queue knows: above 0, at most MaxTime
}

// MaxTime is the longest time of a job, some 30 000 years. Sums of such times are finite.
const MaxTime units.Seconds = 1e12

// check returns an error for the first job that the machine cannot run.
func check(nodes int, jobs []Job) error {
	if nodes < 1 || nodes > MaxNodes {
		return fmt.Errorf("batchqueue: %d nodes; expected 1 to %d", nodes, MaxNodes)
	}
	if len(jobs) > math.MaxInt32 {
		return fmt.Errorf("batchqueue: %d jobs; expected at most %d", len(jobs), math.MaxInt32)
	}
	for i, j := range jobs {
		// Written so that NaN fails.
		switch {
		case j.Nodes < 1 || j.Nodes > nodes:
			return fmt.Errorf("job %d: %d nodes; expected 1 to %d", i, j.Nodes, nodes)
		case !(j.Submit >= 0 && j.Submit <= MaxTime):
			return fmt.Errorf("job %d: submitted at %g s; expected 0 to %g s", i, j.Submit, MaxTime)
		case !(j.Run > 0 && j.Run <= MaxTime):
			return fmt.Errorf("job %d: a run time of %g s; expected above 0 and at most %g s", i, j.Run, MaxTime)
		case !(j.Estimate > 0 && j.Estimate <= MaxTime):
			return fmt.Errorf("job %d: an estimate of %g s; expected above 0 and at most %g s", i, j.Estimate, MaxTime)
		}
	}
	return nil
}

// MaxNodes is the number of nodes of the largest machine.
const MaxNodes = 1 << 30

// Policy decides which waiting jobs start.
type Policy uint8

// The policies; the package comment says what they do.
const (
	FCFS Policy = iota
	EASY
	Conservative
	ConservativeFull
)

var policyNames = []string{"fcfs", "easy", "conservative", "conservative-full"}

func Policies() []string { return slices.Clone(policyNames) }

func ParsePolicy(name string) (Policy, bool) {
	i := slices.Index(policyNames, name)
	return Policy(max(i, 0)), i >= 0
}

func (p Policy) String() string { return policyNames[p] }

// scheduler carries out a policy. Jobs are numbered in the order of the queue.
type scheduler interface {
	submitted(job int32)
	ended(job int32)
	// schedule starts the jobs that may start now.
	schedule()
	// alarm returns the earliest time at which schedule is to be called even if
	// nothing happens; false if there is none.
	alarm() (units.Seconds, bool)
	// ring reports whether schedule is to be called now, at the time of the alarm.
	ring() bool
}

// instantsPerCheck is how many instants pass between two looks at the context.
const instantsPerCheck = 4096

// Run returns the start of every job on a machine of nodes nodes, in the order of the
// jobs. The error says which job cannot be run. Submissions and ends are counted on the
// meter of the context.
func Run(ctx context.Context, nodes int, policy Policy, jobs []Job) ([]units.Seconds, error) {
	if err := check(nodes, jobs); err != nil {
		return nil, err
	}
	order := each.Ascending(len(jobs))
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(jobs[a].Submit, jobs[b].Submit) })
	m := &machine{free: nodes, start: make([]units.Seconds, len(jobs))}
	m.jobs = each.Of(order, func(i int) Job { return jobs[i] })
	var s scheduler
	switch policy {
	case FCFS:
		s = &fcfs{machine: m}
	case EASY:
		s = &easy{machine: m, profile: newProfile(0, nodes), backlog: newBacklog(m.jobs, nodes)}
	case Conservative:
		s = newConservative(m, nodes, passWorkOf(len(jobs)))
	case ConservativeFull:
		s = newConservative(m, nodes, math.MaxInt)
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

// machine is the state of the nodes. Jobs are numbered in the order of the queue.
type machine struct {
	jobs  []Job
	start []units.Seconds // of the jobs that have started
	now   units.Seconds
	free  int             // nodes
	ends  kernel.Calendar // of the running jobs
}

// begin starts a job. REQUIRES: enough nodes are free.
func (m *machine) begin(job int32) {
	m.start[job] = m.now
	m.free -= m.jobs[job].Nodes
	m.ends.Push(m.now+m.jobs[job].Run, job)
}

// alarm implements scheduler: nothing is to be done between submissions and ends.
func (m *machine) alarm() (units.Seconds, bool) { return 0, false }

func (m *machine) ring() bool { return false }

// expected returns the estimated end of a job that has started.
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

// fcfs is first come, first served.
type fcfs struct {
	*machine
	head, tail int32 // the waiting jobs are head to tail-1
}

func (f *fcfs) submitted(job int32) { f.tail = job + 1 }

func (f *fcfs) ended(int32) {}

func (f *fcfs) schedule() {
	for f.head < f.tail && f.jobs[f.head].Nodes <= f.free {
		f.begin(f.head)
		f.head++
	}
}
