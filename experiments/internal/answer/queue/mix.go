package queue

import (
	"fmt"

	"github.com/isoscale/isoscale/experiments/internal/answer/batchqueue"
	"github.com/isoscale/isoscale/experiments/internal/file/document"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads/swf"
)

// Mix is a mix of jobs on a machine.
type Mix struct {
	Title, Description string
	Nodes              int
	Policy             batchqueue.Policy
	Kinds              []Kind
	// Years is the time in which jobs are submitted, Submissions their number. One is given, or both are 0:
	// then there are as many jobs as an estimate of the mean wait needs.
	Years       float64
	Submissions int
	Seed        int64

	inputs []input.Input
}

// Kind is a kind of job.
type Kind struct {
	Name        string
	Nodes       int
	Time        units.Seconds // mean run time
	Exponential bool          // run times are exponential; otherwise all are Time
	RunsPerYear float64       // mean number, at random times
	Estimate    Estimate
}

const (
	maxKinds = 1000
	maxJobs  = 20_000_000 // in one simulation

	firstJobs = 5000
	mostJobs  = firstJobs << 8 // if the file does not say how many

	// secondsPerYear is the mean year of the Gregorian calendar.
	secondsPerYear = 365.2425 * 24 * 3600
)

// Object has all keys of the file of a mix.
var Object = mixRecord.Object

var mixRecord = schema.Declare("a job mix, with queue and jobs", func(k *schema.Keys, m *Mix) {
	k.Optional("title", schema.Text.To(&m.Title), "the mix in a few words")
	k.Optional("description", schema.Text.To(&m.Description), "the mix in a few sentences")
	k.Required("queue", machineRecord.To(m), "the machine and its queue")
	k.Required("jobs", schema.ListOf[Kind]{Of: kindRecord, What: "kinds of job", Min: 1, Max: maxKinds}.To(&m.Kinds),
		"the kinds of job")
	k.Optional("years", years.To(&m.Years), fmt.Sprintf("time of submissions; default %d to %d jobs, until the mean wait is known",
		firstJobs, mostJobs))
	k.Optional("submissions", submissions.To(&m.Submissions), "number of jobs submitted, in place of years")
	k.Optional("seed", scenario.Seed(&m.Seed), "seed of all random numbers")
	if count := k.Node("submissions"); count != nil && k.Node("years") != nil {
		k.Fail(count, "both years and submissions are given", "one of them")
	}
	m.check(k)
})

var machineRecord = schema.Declare("a machine and its queue, as in {nodes: 64, policy: easy}",
	func(k *schema.Keys, m *Mix) {
		k.Required("nodes", nodeCount.To(&m.Nodes), "number of nodes, which are alike and run one job at a time")
		policy := batchqueue.EASY.String()
		k.Optional("policy", schema.Choice(&policy, "policy", batchqueue.Policies()).Or(policy), "which waiting jobs start")
		m.Policy, _ = batchqueue.ParsePolicy(policy)
	})

var kindRecord = schema.Declare("a kind of job, as in {name: cfd, nodes: 16, time: 4 h, runs_per_year: 2500}",
	func(k *schema.Keys, x *Kind) {
		k.Required("name", schema.Name.To(&x.Name), "unique name of the kind")
		k.Required("nodes", nodeCount.To(&x.Nodes), "nodes of a job")
		at := k.Node("time")
		k.Required("time", schema.Func(schema.AnyOf{schema.PositiveTime, timeRecord.Object}, func(n *yamldoc.Node) {
			if n.IsMapping() {
				at = n.Value("mean")
				timeRecord.Read(k.Decoder, n, x)
			} else {
				x.Time = schema.PositiveTime.Read(k.Decoder, n)
			}
		}).Wanted("the run time of a job, such as 4 h"), "run time of a job")
		if x.Time > 0 && (x.Time < shortestTime || x.Time > longestTime) {
			k.Fail(at, fmt.Sprintf("a run time of %v", x.Time), fmt.Sprintf("%v to %v", shortestTime, longestTime))
		}
		k.Required("runs_per_year", runsPerYear.To(&x.RunsPerYear),
			"mean number of jobs submitted in a year; they arrive as a Poisson process")
		k.Optional("estimate", schema.To(Estimates, &x.Estimate).Or(Estimate{1, 1}).Else("1"),
			"the user's estimate of the run time, relative to the true one: a number, or a range in which it is uniform")
	})

var timeRecord = schema.Declare("a run time, as in {mean: 4 h, distribution: exponential}",
	func(k *schema.Keys, x *Kind) {
		k.Required("mean", schema.PositiveTime.To(&x.Time), "the mean")
		const constant, exponential = "constant", "exponential"
		var distribution string
		k.Optional("distribution", schema.Choice(&distribution, "distribution",
			[]string{constant, exponential}).Or(constant), "how the run times of jobs vary")
		x.Exponential = distribution == exponential
	})

// Estimate is the range of the factor, uniformly distributed, by which estimates of jobs exceed their run times.
type Estimate struct{ From, To float64 }

// Estimates is the form of an Estimate in a file: a number, or a range.
var Estimates = schema.Custom(schema.AnyOf{factor, estimateRecord.Object}, func(d *yamldoc.Decoder, n *yamldoc.Node) (e Estimate) {
	if n.IsMapping() {
		estimateRecord.Read(d, n, &e)
		return e
	}
	e.From = d.Float(n, factor.Want+", or a range such as {from: 1, to: 5}", factor.In)
	return Estimate{e.From, e.From}
})

var estimateRecord = schema.Declare("a range of estimates, as in {from: 1, to: 5}", func(k *schema.Keys, e *Estimate) {
	k.Required("from", factor.To(&e.From), "the lowest, relative to the run time")
	k.Required("to", factor.To(&e.To), "the highest")
	if e.To > 0 && e.To < e.From {
		k.Fail(k.Node("to"), fmt.Sprintf("%g is below from, %g", e.To, e.From), "at least as much")
	}
})

var (
	nodeCount   = schema.Integer{Min: 1, Max: batchqueue.MaxNodes, Want: "the number of nodes, at least 1"}
	submissions = schema.Integer{Min: 1, Max: maxJobs, Want: fmt.Sprintf("a number of jobs, 1 to %d", maxJobs)}
	years       = schema.Number{Max: 1000, Above: true, Want: "a number of years, above 0 and at most 1000"}
	runsPerYear = schema.Number{Max: 1e9, Above: true, Want: "the jobs of a year, above 0"}
	factor      = schema.Number{Max: 1000, Above: true, Want: "a factor of the run time, above 0 and at most 1000"}
)

// Type is what the file of a mix contains: years or a number of submissions, not both.
var Type schema.Type = schema.AnyOf{Object.Without("submissions"), Object.Without("years").Requiring("submissions")}

// ReadMix reads the file of a mix. Its errors are yamldoc's, with the place of every problem.
func ReadMix(path string, overrides []input.Override) (*Mix, error) {
	var r document.Reader
	root, err := r.Open(path, overrides)
	if err != nil {
		return nil, err
	}
	if err := input.CheckKind(root, input.KindQueue); err != nil {
		return nil, err
	}
	m, err := ReadRoot(root)
	if err != nil {
		return nil, err
	}
	m.inputs = r.Inputs()
	return m, nil
}

// ReadRoot is [ReadMix] for the root of a file that has been opened.
func ReadRoot(root *yamldoc.Node) (*Mix, error) {
	var d yamldoc.Decoder
	m := &Mix{}
	mixRecord.Read(&d, root, m)
	if err := d.Err(); err != nil {
		return nil, err
	}
	return m, nil
}

// check reports values that contradict each other.
func (m *Mix) check(k *schema.Keys) {
	perYear := m.perYear()
	known := map[string]bool{}
	for i, x := range m.Kinds {
		n := k.Node("jobs").Item(i)
		if x.Nodes > m.Nodes && m.Nodes > 0 {
			k.Fail(n.Value("nodes"), fmt.Sprintf("a job of %d nodes", x.Nodes),
				fmt.Sprintf("at most %d, the nodes of the machine", m.Nodes))
		}
		if known[x.Name] {
			k.Fail(n.Value("name"), fmt.Sprintf("duplicate name %q", x.Name), "a different name for each kind of job")
		}
		known[x.Name] = x.Name != ""
	}
	if expected := perYear * m.Years; expected > maxJobs {
		k.Fail(k.Node("jobs"), fmt.Sprintf("about %.3g jobs are submitted", expected), fmt.Sprintf("at most %d: fewer runs_per_year or years, or a number of submissions", maxJobs))
	}
	if span := float64(m.Submissions) / perYear; perYear > 0 && span > years.Max {
		k.Fail(k.Node("submissions"), fmt.Sprintf("the jobs are submitted over %.3g years", span),
			fmt.Sprintf("at most %g years", years.Max))
	}
}

// The bounds of a mean run time: run times drawn from it, and estimates up to a thousand
// times as long, are above 0 and below [batchqueue.MaxTime].
const (
	shortestTime units.Seconds = 1e-6
	longestTime  units.Seconds = 1e7
)

// perYear is the mean number of jobs submitted in a year.
func (m *Mix) perYear() float64 {
	return each.Sum(m.Kinds, func(k Kind) float64 { return k.RunsPerYear })
}

// load is the mean share of the machine that the jobs need.
func (m *Mix) load() float64 {
	return each.Sum(m.Kinds, func(k Kind) float64 { return k.share(m.Nodes) })
}

// share is the mean share of a number of nodes that the jobs of a kind need.
func (k *Kind) share(nodes int) float64 {
	return k.RunsPerYear / secondsPerYear * float64(k.Time) * float64(k.Nodes) / float64(nodes)
}

func (e Estimate) String() string {
	if e.From == e.To {
		return input.Number(e.From)
	}
	return input.Number(e.From) + " to " + input.Number(e.To)
}

// timeText is the run time in a few words.
func (k *Kind) timeText() string {
	if k.Exponential {
		return Span(k.Time) + ", exponential"
	}
	return Span(k.Time)
}

func (m *Mix) Describe() *input.Description {
	d := &input.Description{Title: m.Title}
	d.Facts.Add("nodes", m.Nodes)
	d.Facts.Add("policy", m.Policy, PolicyTitle(m.Policy.String()))
	switch {
	case m.Submissions > 0:
		d.Facts.Add("submissions", m.Submissions)
	case m.Years > 0:
		d.Facts.Add("years", input.Number(m.Years), "of submissions")
	default:
		d.Facts.Add("submissions", fmt.Sprintf("%d to %d", firstJobs, mostJobs), "until the mean wait is known")
	}
	d.Facts.Add("offered load", percent(m.load()), "of the machine, on average")
	d.Facts.Add("seed", m.Seed)
	t := input.DataTable{Title: "jobs", Columns: []string{"job", "nodes", "time", "runs a year", "estimate", "load"}}
	for _, k := range m.Kinds {
		t.Rows = append(t.Rows, []string{k.Name, fmt.Sprint(k.Nodes), k.timeText(), input.Number(k.RunsPerYear),
			k.Estimate.String(), percent(k.share(m.Nodes))})
	}
	d.Tables = []input.DataTable{t}
	return d
}

// Extent says how much is in a mix.
func (m *Mix) Extent() string { return input.Plural(len(m.Kinds), "kind") + " of job" }

// LogExtent says how much is in a log.
func LogExtent(log *swf.Log) string {
	out := each.Sum(log.LeftOut, func(l swf.LeftOut) int { return l.Jobs })
	s := input.Plural(len(log.Jobs), "job")
	if out > 0 {
		s += fmt.Sprintf(", %d left out", out)
	}
	return s
}

func DescribeLog(path string) (*input.Description, error) {
	log, _, err := ReadLog(path)
	if err != nil {
		return nil, err
	}
	d := &input.Description{Kind: string(input.FormBatchLog), Name: path}
	d.Facts.Add("computer", log.Header.Computer)
	d.Facts.Add("installation", log.Header.Installation)
	if n := log.Header.MaxNodes; n > 0 {
		d.Facts.Add("nodes", n)
	}
	if n := log.Header.MaxProcs; n > 0 {
		d.Facts.Add("processors", n)
	}
	d.Facts.Add("jobs", len(log.Jobs))
	if len(log.Jobs) > 0 {
		requested, largest, work := 0, 0, 0.0
		first, last := log.Jobs[0].Submit, units.Seconds(0)
		for _, j := range log.Jobs {
			if j.Requested > 0 {
				requested++
			}
			largest = max(largest, j.Processors)
			first, last = min(first, j.Submit), max(last, j.Submit)
			work += float64(float64(j.Processors) * float64(j.Run))
		}
		d.Facts.Add("submitted within", Span(last-first))
		d.Facts.Add("largest job", input.Plural(largest, "processor"))
		d.Facts.Add("processor time", input.Number(work/3600)+" h")
		d.Facts.Add("requested time", fmt.Sprintf("%d of the jobs", requested))
	}
	d.Notes = each.Append(d.Notes, log.LeftOut, func(l swf.LeftOut) string { return "left out: " + LeftOut(l).String() })
	return d, nil
}
