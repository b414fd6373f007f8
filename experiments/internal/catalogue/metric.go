package catalogue

import (
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/metric/measured"
)

// metricEntries lists the metrics in one line each.
func metricEntries() []Entry {
	var all []Entry
	for _, m := range measured.Metrics() {
		all = append(all, Entry{Name: m.Name, Title: m.Meaning, Source: m.Source, Commands: m.Commands})
	}
	return all
}

func describeMetric(f *measured.Family, m *measured.Metric) *input.Description {
	d := &input.Description{Kind: "metric", Name: m.Name, Title: m.Meaning, Source: m.Source}
	fact := func(name, value string) {
		if value != "" {
			d.Facts = append(d.Facts, input.Parameter{Name: name, Value: value})
		}
	}
	fact("called", m.Label())
	fact("formula", m.Formula)
	fact("where", m.Symbols)
	fact("symbols", f.Symbols)
	fact("answers", m.Question)
	fact("needs", m.Needs)
	fact("needs of measured times", m.InTimes)
	fact("misleads when", m.Misleads)
	computed := "no command; Go programs by the functions below"
	if len(m.Commands) > 0 {
		computed = "isoscale " + strings.Join(m.Commands, ", isoscale ")
	}
	fact("computed by", computed)
	fact("in Go", "model/scalability: "+input.List(m.Functions))
	var related []string
	for _, x := range measured.Metrics() {
		if x.Advice == m.Advice && x != m {
			related = append(related, x.Name)
		}
	}
	fact("related", input.List(related))
	return d
}
