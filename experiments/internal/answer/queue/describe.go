package queue

import (
	"fmt"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads/swf"
)

// Describe shows a mix in full.
func (m *Mix) Describe(file string) *input.Description {
	d := &input.Description{Kind: string(input.KindQueue), Name: file, Title: m.Title}
	fact := func(name, value, note string) {
		d.Facts = append(d.Facts, input.Parameter{Name: name, Value: value, Note: note})
	}
	fact("nodes", fmt.Sprint(m.Nodes), "")
	fact("policy", m.Policy.String(), PolicyTitle(m.Policy.String()))
	if m.Submissions > 0 {
		fact("submissions", fmt.Sprint(m.Submissions), "")
	} else {
		fact("years", input.Number(m.Years), "of submissions")
	}
	fact("offered load", percent(m.load()), "of the machine, in the mean")
	fact("seed", fmt.Sprint(m.Seed), "")
	t := input.DataTable{Title: "jobs", Columns: []string{"job", "nodes", "time", "runs a year", "estimate", "load"}}
	for _, k := range m.Kinds {
		t.Rows = append(t.Rows, []string{k.Name, fmt.Sprint(k.Nodes), k.timeText(), input.Number(k.RunsPerYear), k.estimateText(), percent(k.share(m.Nodes))})
	}
	d.Tables = []input.DataTable{t}
	return d
}

// Extent says how much is in a mix.
func (m *Mix) Extent() string { return input.Plural(len(m.Kinds), "kind") + " of job" }

// LogExtent says how much is in a log.
func LogExtent(log *swf.Log) string {
	out := 0
	for _, l := range log.LeftOut {
		out += l.Jobs
	}
	s := input.Plural(len(log.Jobs), "job")
	if out > 0 {
		s += fmt.Sprintf(", %d left out", out)
	}
	return s
}

// DescribeLog shows what is in a log.
func DescribeLog(path string) (*input.Description, error) {
	log, _, err := ReadLog(path)
	if err != nil {
		return nil, err
	}
	d := &input.Description{Kind: string(input.FormBatchLog), Name: path}
	fact := func(name string, known bool, value any) {
		if known {
			d.Facts = append(d.Facts, input.Parameter{Name: name, Value: fmt.Sprint(value)})
		}
	}
	fact("computer", log.Header.Computer != "", log.Header.Computer)
	fact("installation", log.Header.Installation != "", log.Header.Installation)
	fact("nodes", log.Header.MaxNodes > 0, log.Header.MaxNodes)
	fact("processors", log.Header.MaxProcs > 0, log.Header.MaxProcs)
	fact("jobs", true, len(log.Jobs))
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
		fact("submitted within", true, Span(last-first))
		fact("largest job", true, input.Plural(largest, "processor"))
		fact("processor time", true, input.Number(work/3600)+" h")
		fact("requested time", true, fmt.Sprintf("%d of the jobs", requested))
	}
	for _, l := range log.LeftOut {
		d.Notes = append(d.Notes, "left out: "+LeftOut(l).String())
	}
	return d, nil
}
