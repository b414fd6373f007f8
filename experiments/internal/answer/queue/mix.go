package queue

import (
	"fmt"

	"github.com/isoscale/isoscale/experiments/internal/answer/batchqueue"
	"github.com/isoscale/isoscale/experiments/internal/file/document"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/model/units"
)

// Mix is a mix of jobs on a machine.
type Mix struct {
	Title, Description string
	Nodes              int
	Policy             batchqueue.Policy
	Kinds              []Kind
	Years              float64 // in which jobs are submitted; 0 if Submissions says when that ends
	Submissions        int     // 0 if Years says that
	Seed               int64

	inputs    []input.Input
	overrides []input.Override
}

// Kind is a kind of job.
type Kind struct {
	Name        string
	Nodes       int
	Time        units.Seconds // mean run time
	Exponential bool          // the run times; else they are all alike
	RunsPerYear float64       // in the mean, at random times
	// The estimate of a job is its run time times a factor, uniform in a range.
	EstimateFrom, EstimateTo float64
}

const (
	maxKinds = 1000
	maxJobs  = 20_000_000 // that are simulated at once

	// secondsPerYear is the mean year of the Gregorian calendar.
	secondsPerYear = 365.2425 * 24 * 3600
)

// Object has all keys of the file of a mix.
var Object = &schema.Object{What: "a job mix, with queue and jobs", Fields: []schema.Field{
	{Key: "title", Type: schema.Text, Meaning: "the mix in a few words"},
	{Key: "description", Type: schema.Text, Meaning: "the mix in a few sentences"},
	{Key: "queue", Type: machineObject, Required: true, Meaning: "the machine and its queue"},
	{Key: "jobs", Type: schema.List{Of: kindObject, Min: 1, Max: maxKinds}, Required: true, Meaning: "the kinds of job"},
	{Key: "years", Type: years, Default: "1", Meaning: "time in which jobs are submitted"},
	{Key: "submissions", Type: submissions, Meaning: "number of jobs that are submitted, in place of years"},
	{Key: "seed", Type: scenario.SeedType, Default: "1", Meaning: "seed of all random numbers"},
}}

var machineObject = &schema.Object{What: "a machine and its queue, as in {nodes: 64, policy: easy}", Fields: []schema.Field{
	{Key: "nodes", Type: nodeCount, Required: true, Meaning: "its nodes, which are alike and run one job each at a time"},
	{Key: "policy", Type: schema.OneOf(batchqueue.Policies()), Default: batchqueue.EASY.String(), Meaning: "which waiting jobs start"},
}}

var kindObject = &schema.Object{What: "a kind of job, as in {name: cfd, nodes: 16, time: 4 h, runs_per_year: 2500}", Fields: []schema.Field{
	{Key: "name", Type: schema.Name, Required: true, Meaning: "name of the kind, of its own"},
	{Key: "nodes", Type: nodeCount, Required: true, Meaning: "nodes of a job"},
	{Key: "time", Type: schema.AnyOf{schema.PositiveTime, timeObject}, Required: true, Meaning: "run time of a job"},
	{Key: "runs_per_year", Type: runsPerYear, Required: true, Meaning: "jobs submitted in a year, in the mean; they arrive as a Poisson process"},
	{Key: "estimate", Type: EstimateType, Default: "1", Meaning: "the run time that the user gives, relative to the true one: a number, or a range in which it is uniform"},
}}

var timeObject = &schema.Object{What: "a run time, as in {mean: 4 h, distribution: exponential}", Fields: []schema.Field{
	{Key: "mean", Type: schema.PositiveTime, Required: true, Meaning: "the mean"},
	{Key: "distribution", Type: schema.OneOf(distributions), Default: constant, Meaning: "how the run times of jobs differ"},
}}

const (
	constant    = "constant"
	exponential = "exponential"
)

var distributions = []string{constant, exponential}

// EstimateType is how a file gives the estimates of run times.
var EstimateType schema.Type = schema.AnyOf{factor, estimateObject}

var estimateObject = &schema.Object{What: "a range of estimates, as in {from: 1, to: 5}", Fields: []schema.Field{
	{Key: "from", Type: factor, Required: true, Meaning: "the lowest, relative to the run time"},
	{Key: "to", Type: factor, Required: true, Meaning: "the highest"},
}}

var (
	nodeCount   = schema.Integer{Min: 1, Max: batchqueue.MaxNodes}
	submissions = schema.Integer{Min: 1, Max: maxJobs}
	years       = schema.Number{Max: 1000, Above: true}
	runsPerYear = schema.Number{Max: 1e9, Above: true}
	factor      = schema.Number{Max: 1000, Above: true}
)

// Type is what the file of a mix contains: years or a number of submissions, not both.
var Type schema.Type = schema.AnyOf{Object.Without("submissions"), Object.Without("years").Requiring("submissions")}

// ReadMix reads the file of a mix. Its errors are yamldoc's, with the place of every
// problem.
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
	m.inputs, m.overrides = r.Inputs(), overrides
	return m, nil
}

// ReadRoot is [ReadMix] for the root of a file that has been opened.
func ReadRoot(root *yamldoc.Node) (*Mix, error) {
	r := &reader{mix: &Mix{}}
	r.read(root)
	if err := r.Err(); err != nil {
		return nil, err
	}
	return r.mix, nil
}

type reader struct {
	yamldoc.Decoder
	mix *Mix
}

func (r *reader) read(root *yamldoc.Node) {
	m := r.mix
	d := Object.Open(&r.Decoder, root)
	m.Title = r.String(d.Take("title"), "a title")
	m.Description = r.String(d.Take("description"), "a description")
	r.machine(d.Require("queue", "the machine and its queue, as in {nodes: 64, policy: easy}"))
	jobs := d.Require("jobs", "a list of kinds of job, as in [{name: cfd, nodes: 16, time: 4 h, runs_per_year: 2500}]")
	r.kinds(jobs)
	span, count := d.Take("years"), d.Take("submissions")
	if span != nil && count != nil {
		r.Fail(count, "both years and submissions are given", "one of them")
	}
	m.Submissions = submissions.ReadOr(&r.Decoder, count, fmt.Sprintf("a number of jobs, 1 to %d", maxJobs), 0)
	if count == nil {
		m.Years = years.ReadOr(&r.Decoder, span, "a number of years, above 0 and at most 1000", 1)
	}
	m.Seed = scenario.ReadSeed(&r.Decoder, d.Take("seed"))
	d.Done()
	perYear := 0.0
	for _, k := range m.Kinds {
		perYear += k.RunsPerYear
	}
	if expected := perYear * m.Years; expected > maxJobs {
		r.Fail(jobs, fmt.Sprintf("about %.3g jobs are submitted", expected), fmt.Sprintf("at most %d: fewer runs_per_year or years, or a number of submissions", maxJobs))
	}
	if span := float64(m.Submissions) / perYear; perYear > 0 && span > years.Max {
		r.Fail(count, fmt.Sprintf("the jobs are submitted over %.3g years", span), fmt.Sprintf("at most %g years", years.Max))
	}
}

func (r *reader) machine(n *yamldoc.Node) {
	d := machineObject.Open(&r.Decoder, n)
	r.mix.Nodes = nodeCount.ReadOr(&r.Decoder, d.Require("nodes", "the number of nodes"), "the number of nodes, at least 1", 0)
	r.mix.Policy = batchqueue.EASY
	if v := d.Take("policy"); v != nil {
		r.mix.Policy, _ = batchqueue.ParsePolicy(r.OneOf(v, batchqueue.Policies(), "policy"))
	}
	d.Done()
}

func (r *reader) kinds(n *yamldoc.Node) {
	items := r.Sequence(n, "a list of kinds of job")
	switch {
	case n != nil && n.IsSequence() && len(items) == 0:
		r.Fail(n, "no kinds of job", "at least one")
	case len(items) > maxKinds:
		r.Fail(n, fmt.Sprintf("%d kinds of job", len(items)), fmt.Sprintf("at most %d", maxKinds))
		return
	}
	known := map[string]bool{}
	for _, item := range items {
		d := kindObject.Open(&r.Decoder, item)
		k := Kind{}
		name := d.Require("name", "a name")
		if k.Name = r.String(name, "a name"); k.Name != "" {
			schema.Name.Check(&r.Decoder, name, k.Name)
			if known[k.Name] {
				r.Fail(name, fmt.Sprintf("duplicate name %q", k.Name), "a different name for each kind of job")
			}
			known[k.Name] = true
		}
		nodes := d.Require("nodes", "the nodes of a job")
		k.Nodes = nodeCount.ReadOr(&r.Decoder, nodes, "the nodes of a job, at least 1", 0)
		if have := r.mix.Nodes; have > 0 && k.Nodes > have {
			r.Fail(nodes, fmt.Sprintf("a job of %d nodes", k.Nodes), fmt.Sprintf("at most %d, the nodes of the machine", have))
		}
		r.time(d.Require("time", "the run time of a job, such as 4 h"), &k)
		const wantRuns = "the jobs of a year, above 0"
		k.RunsPerYear = runsPerYear.ReadOr(&r.Decoder, d.Require("runs_per_year", wantRuns), wantRuns, 0)
		k.EstimateFrom, k.EstimateTo = ReadEstimate(&r.Decoder, d.Take("estimate"), 1, 1)
		d.Done()
		r.mix.Kinds = append(r.mix.Kinds, k)
	}
}

func (r *reader) time(n *yamldoc.Node, k *Kind) {
	at := n
	if n != nil && n.IsMapping() {
		d := timeObject.Open(&r.Decoder, n)
		at = d.Require("mean", schema.PositiveTime.Want)
		if v := d.Take("distribution"); v != nil {
			k.Exponential = r.OneOf(v, distributions, "distribution") == exponential
		}
		d.Done()
	}
	k.Time = schema.PositiveTime.Read(&r.Decoder, at)
	if k.Time > 0 && (k.Time < shortestTime || k.Time > longestTime) {
		r.Fail(at, fmt.Sprintf("a run time of %v", k.Time), fmt.Sprintf("%v to %v", shortestTime, longestTime))
	}
}

// The bounds of a mean run time: run times drawn from it, and estimates up to a thousand
// times as long, are above 0 and below [batchqueue.MaxTime].
const (
	shortestTime units.Seconds = 1e-6
	longestTime  units.Seconds = 1e7
)

// ReadEstimate reads by what factor estimates exceed run times: a range in which it is
// uniform, or the one given where the file does not say.
func ReadEstimate(d *yamldoc.Decoder, n *yamldoc.Node, otherFrom, otherTo float64) (from, to float64) {
	const want = "a factor of the run time, above 0 and at most 1000, or a range such as {from: 1, to: 5}"
	if n == nil {
		return otherFrom, otherTo
	}
	if !n.IsMapping() {
		from = factor.ReadOr(d, n, want, 1)
		return from, from
	}
	m := estimateObject.Open(d, n)
	const wantBound = "a factor of the run time, above 0 and at most 1000"
	from = factor.ReadOr(d, m.Require("from", wantBound), wantBound, 0)
	at := m.Require("to", wantBound)
	to = factor.ReadOr(d, at, wantBound, 0)
	if to > 0 && to < from {
		d.Fail(at, fmt.Sprintf("%g is below from, %g", to, from), "at least as much")
	}
	m.Done()
	return from, to
}

// load is the share of the machine that the jobs need, in the mean.
func (m *Mix) load() float64 {
	sum := 0.0
	for _, k := range m.Kinds {
		sum += k.share(m.Nodes)
	}
	return sum
}

// share is the share of so many nodes that the jobs of a kind need, in the mean.
func (k *Kind) share(nodes int) float64 {
	return k.RunsPerYear / secondsPerYear * float64(k.Time) * float64(k.Nodes) / float64(nodes)
}

// estimateText is the estimate in a few characters.
func (k *Kind) estimateText() string {
	if k.EstimateFrom == k.EstimateTo {
		return input.Number(k.EstimateFrom)
	}
	return input.Number(k.EstimateFrom) + " to " + input.Number(k.EstimateTo)
}

// timeText is the run time in a few words.
func (k *Kind) timeText() string {
	if k.Exponential {
		return Span(k.Time) + ", exponential"
	}
	return Span(k.Time)
}
