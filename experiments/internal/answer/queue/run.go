package queue

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math/bits"
	"path/filepath"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/answer/batchqueue"
	"github.com/isoscale/isoscale/experiments/internal/file/fault"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads/swf"
)

// Options are what the command line says.
type Options struct {
	Nodes     int    // 0: those of the file
	Policy    string // "": that of the file; EASY for a log
	Overrides []input.Override
}

// bytesPerJob is the memory of a job in a simulation, rounded up.
const bytesPerJob = 256

// Run simulates the jobs of a file: a mix if its name ends in .yaml or .yml, else a log.
func Run(ctx context.Context, path string, o Options) (*Result, error) {
	if o.Nodes < 0 || o.Nodes > batchqueue.MaxNodes {
		return nil, input.Errorf("--nodes %d; expected 1 to %d", o.Nodes, batchqueue.MaxNodes)
	}
	var r *Result
	var policy batchqueue.Policy
	var err error
	switch ext := filepath.Ext(path); {
	case ext == ".yaml" || ext == ".yml":
		r, policy, err = openMix(path, o)
	case len(o.Overrides) > 0:
		return nil, input.Errorf("--set applies to YAML files only; %s is read as a log in the Standard Workload Format", path)
	default:
		r, policy, err = openLog(path, o)
	}
	if err != nil {
		return nil, err
	}
	if o.Policy != "" {
		policy, _ = batchqueue.ParsePolicy(o.Policy)
	}
	start := func(jobs []batchqueue.Job, _ []int32) ([]units.Seconds, error) {
		if err := fault.CheckMemory("a queue of "+input.Plural(len(jobs), "job"), units.Bytes(bytesPerJob*len(jobs)),
			"fewer jobs"); err != nil {
			return nil, input.Errorf("%v", err)
		}
		r.Provenance.Simulations++
		r.Provenance.Events += 2 * int64(len(jobs)) // submissions and ends
		return batchqueue.Run(ctx, r.Nodes, policy, jobs)
	}
	stop := input.Stopwatch("queue", r.Provenance.Inputs, o.Overrides, r.Provenance.Seed)
	if r.mix != nil {
		err = r.simulate(start)
	} else {
		r.starts, err = start(r.jobs, nil)
	}
	if err != nil {
		return nil, err
	}
	r.Policy = policy.String()
	r.summarize()
	r.warn()
	stop(&r.Provenance)
	return r, nil
}

func openMix(path string, o Options) (*Result, batchqueue.Policy, error) {
	m, err := ReadMix(path, o.Overrides)
	if err != nil {
		return nil, 0, err
	}
	if o.Nodes > 0 {
		m.Nodes = o.Nodes
	}
	for _, k := range m.Kinds {
		if k.Nodes > m.Nodes {
			return nil, 0, input.Errorf("--nodes %d: jobs %s need %d nodes; expected at least as many", m.Nodes, k.Name, k.Nodes)
		}
	}
	r := &Result{name: filepath.Base(path), mix: m, Nodes: m.Nodes, LeftOut: []LeftOut{}}
	r.Provenance.Inputs, r.Provenance.Seed = m.inputs, m.Seed
	return r, m.Policy, nil
}

// simulate simulates the jobs of a mix. Their number grows only if the file gives none and the
// machine can keep up with them: otherwise there is no mean wait in the long run.
func (r *Result) simulate(start func([]batchqueue.Job, []int32) ([]units.Seconds, error)) (err error) {
	m, most, lasting := *r.mix, 0, r.mix.load() < 1
	if m.Years == 0 && m.Submissions == 0 {
		longest := int(min(mostJobs, m.perYear()*years.Max))
		if m.Submissions = min(firstJobs, longest); lasting {
			most = longest
		}
	}
	drawn, starts, mean, err := m.Simulate(most, start, MeanWait.Sharp)
	if err != nil {
		return err
	}
	if len(starts) == 0 {
		return input.Errorf("%s: no job is submitted in %g years; expected more runs_per_year, or more years", r.name,
			m.Years)
	}
	r.jobs, r.kinds, r.starts = drawn.Jobs, drawn.Kinds, starts
	if lasting && mean != nil && mean.Grows {
		r.Warnings = append(r.Warnings, "the later jobs are submitted, the longer they wait: the queue may grow without end, and there is then no mean "+
			"wait in the long run")
	} else if lasting && mean != nil {
		r.mean, r.warm = mean, WarmUp(len(starts))
		r.MeanLow, r.MeanHigh = new(float64(mean.Low)), new(float64(mean.High))
	}
	return nil
}

func openLog(path string, o Options) (*Result, batchqueue.Policy, error) {
	log, from, err := ReadLog(path)
	if err != nil {
		return nil, 0, err
	}
	r := &Result{name: filepath.Base(path)}
	if r.Nodes, err = logNodes(path, log, o.Nodes); err != nil {
		return nil, 0, err
	}
	tooLarge := r.take(log)
	if len(r.jobs) == 0 {
		why := each.Append(nil, r.LeftOut, LeftOut.String)
		return nil, 0, input.Errorf("%s: no job can be simulated (%s); expected at least one", path, strings.Join(why, "; "))
	}
	if o.Nodes == 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("the log gives %d nodes; --nodes sets another number", r.Nodes))
	}
	if h := log.Header; h.MaxProcs > 0 && h.MaxNodes > 0 && h.MaxProcs != h.MaxNodes {
		r.Notes = append(r.Notes,
			fmt.Sprintf("the log counts processors, %d on %d nodes: a node here is one of these processors", h.MaxProcs,
				h.MaxNodes))
	}
	if tooLarge > 0 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("%s of the log %s more processors than the %d nodes of the "+
			"machine and %s left out: the load is lower than that of the log",
			input.Plural(tooLarge, "job"), verb(tooLarge, "asks for", "ask for"), r.Nodes, verb(tooLarge, "is", "are")))
	}
	r.Provenance.Inputs = []input.Input{from}
	return r, batchqueue.EASY, nil
}

// take takes the jobs of a log that the machine can run, and returns the number that are too large.
func (r *Result) take(log *swf.Log) (tooLarge int) {
	r.jobs, r.numbers = make([]batchqueue.Job, 0, len(log.Jobs)), make([]int64, 0, len(log.Jobs))
	r.LeftOut = []LeftOut{}
	for _, j := range log.Jobs {
		if j.Processors > r.Nodes {
			tooLarge++
			continue
		}
		r.jobs = append(r.jobs, batchqueue.Job{Submit: j.Submit, Nodes: j.Processors, Run: j.Run,
			Estimate: cmp.Or(j.Requested, j.Run)})
		r.numbers = append(r.numbers, j.Number)
	}
	r.LeftOut = each.Append(r.LeftOut, log.LeftOut, func(l swf.LeftOut) LeftOut { return LeftOut(l) })
	if tooLarge > 0 {
		r.LeftOut = append(r.LeftOut,
			LeftOut{Reason: fmt.Sprintf("more processors than the %d nodes of the machine", r.Nodes), Jobs: tooLarge})
	}
	return tooLarge
}

func verb(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

func (r *Result) summarize() {
	s := batchqueue.Summarize(r.Nodes, r.jobs, r.starts)
	r.Jobs, r.Utilisation, r.Makespan = s.Jobs, s.Utilisation, float64(s.Makespan)
	if s.Submitting > 0 {
		r.OfferedLoad = new(s.Work / float64(float64(r.Nodes)*float64(s.Submitting)))
	}
	work := s.Work
	s = batchqueue.Summarize(r.Nodes, r.jobs[r.warm:], r.starts[r.warm:])
	r.Waits = waits(s)
	var all []units.Seconds
	for i, j := range r.jobs[r.warm:] {
		all = append(all, r.starts[r.warm+i]-j.Submit)
	}
	if above, longest := batchqueue.Above(s.MeanWait, all); s.MeanWait > s.P95Wait {
		r.Notes = append(r.Notes, FewWaitLong(above, longest))
	}
	if r.mean != nil {
		r.Notes = append(r.Notes, fmt.Sprintf("waits are those after a warm-up of %s; the mean wait in the long run is in "+
			"the range with a confidence of 95 %%", input.Plural(r.warm, "job")))
	}
	r.group(work)
}

// FewWaitLong explains a mean wait that is above the wait of 95 % of the jobs, by the fraction
// of jobs that wait longer than the mean, and the longest wait.
func FewWaitLong(above float64, longest units.Seconds) string {
	return fmt.Sprintf("a few long waits dominate the mean: %.2g %% of the jobs wait longer than it, one of them %s", 100*above,
		Span(longest))
}

func waits(s batchqueue.Summary) Waits {
	return Waits{float64(s.MeanWait), float64(s.P95Wait), s.MeanBoundedSlowdown}
}

// warn adds warnings about figures that do not follow from the jobs alone.
func (r *Result) warn() {
	if load := r.loadBeforeLast(); load > 1 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("the jobs before the last need %s of the machine up to its "+
			"submission: with such a load the queue grows, and the waits depend on how long that goes on",
			percent(load)))
	}
	if r.mean != nil && !r.mean.Sharp() {
		r.Warnings = append(r.Warnings, fmt.Sprintf("the mean wait is only known to be from %s to %s after %s",
			Span(r.mean.Low), Span(r.mean.High), input.Plural(r.Jobs, "job")))
	}
	over, early := 0, 0 // jobs that end after their estimates, and before
	for _, j := range r.jobs {
		if j.Run > j.Estimate {
			over++
		} else if j.Run < j.Estimate {
			early++
		}
	}
	if r.Policy == batchqueue.Conservative.String() && early > 0 {
		if most := batchqueue.MostWaiting(r.jobs, r.starts); most > batchqueue.FullPass(len(r.jobs)) {
			r.Warnings = append(r.Warnings, fmt.Sprintf("up to %d jobs wait at once: when more than %d do and a job "+
				"ends before its estimate, only the first of them move up to any time, the others to now or not at "+
				"all; waits may be longer than with policy %v, under which all move up",
				most, batchqueue.FullPass(len(r.jobs)), batchqueue.ConservativeFull))
		}
	}
	if over > 0 {
		r.Warnings = append(r.Warnings,
			fmt.Sprintf("%s longer than estimated; such jobs are not ended, and their end is expected at any moment",
				input.Plural(over, "job")+verb(over, " runs", " run")))
	}
	if r.Warnings == nil {
		r.Warnings = []string{}
	}
}

// loadBeforeLast is the share of the machine, up to the last submission, that the jobs submitted before
// it need; 0 if all are submitted at once. Above 1, not all of these jobs have ended by then. The
// offered load includes the last job: for two jobs that follow one another it may be 2.
func (r *Result) loadBeforeLast() float64 {
	first, last, work := r.jobs[0].Submit, r.jobs[0].Submit, 0.0
	for _, j := range r.jobs {
		first, last = min(first, j.Submit), max(last, j.Submit)
	}
	for _, j := range r.jobs {
		if j.Submit < last {
			work += float64(float64(j.Nodes) * float64(j.Run))
		}
	}
	if work == 0 {
		return 0
	}
	return work / float64(float64(r.Nodes)*float64(last-first))
}

// group fills in the figures of the kinds of a mix, or of the sizes of the jobs of a
// log: 1, 2, 3 to 4, 5 to 8 nodes and so on. work is the node time of all jobs.
func (r *Result) group(work float64) {
	of := func(i int) int { return bits.Len(uint(r.jobs[i].Nodes - 1)) }
	groups := bits.Len(uint(r.Nodes-1)) + 1
	if r.mix != nil {
		of = func(i int) int { return int(r.kinds[i]) }
		groups = len(r.mix.Kinds)
	}
	jobs, starts, warm := make([][]batchqueue.Job, groups), make([][]units.Seconds, groups), make([]int, groups)
	for i := range r.jobs {
		g := of(i)
		jobs[g], starts[g] = append(jobs[g], r.jobs[i]), append(starts[g], r.starts[i])
		if i < r.warm {
			warm[g]++
		}
	}
	r.Groups = []Group{}
	for g := range groups {
		if len(jobs[g]) == 0 {
			continue
		}
		s := batchqueue.Summarize(r.Nodes, jobs[g], starts[g])
		x := Group{Name: sizeName(g), Jobs: s.Jobs, Share: s.Work / work,
			Waits: waits(batchqueue.Summarize(r.Nodes, jobs[g][warm[g]:], starts[g][warm[g]:]))}
		if r.mix != nil {
			x.Name = r.mix.Kinds[g].Name
		}
		r.Groups = append(r.Groups, x)
	}
}

// sizeName returns the range of nodes of a class of sizes, as text.
func sizeName(class int) string {
	switch class {
	case 0:
		return "1"
	case 1:
		return "2"
	}
	return fmt.Sprintf("%d to %d", 1<<(class-1)+1, 1<<class)
}

// ReadLog reads a log in the Standard Workload Format, plain or compressed by gzip.
func ReadLog(path string) (*swf.Log, input.Input, error) {
	const want = "a log in the Standard Workload Format"
	read := func(r io.Reader) (*swf.Log, error) { return swf.Read(path, r, fault.MemoryLimit()) }
	return input.Stream(path, want, read,
		func(err error) error {
			// A bad line of a log can look like one of a trace, so the file name decides first.
			if input.FormOfName(path) == input.FormBatchLog {
				return err
			}
			return input.OrOtherForm(path, err, want, input.FormBatchLog)
		})
}

// logNodes returns the number of nodes of the machine of a log: the number that the
// user gave or, if that is 0, the one in the log.
func logNodes(path string, log *swf.Log, given int) (int, error) {
	for _, n := range []int{given, log.Header.MaxProcs, log.Header.MaxNodes} {
		if n > 0 {
			return n, nil
		}
	}
	return 0, input.Errorf("%s does not say how large the machine is (MaxProcs or MaxNodes); expected --nodes N", path)
}
