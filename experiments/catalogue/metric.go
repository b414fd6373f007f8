package catalogue

import (
	"strings"

	"github.com/isoscale/isoscale/experiments/input"
	"github.com/isoscale/isoscale/experiments/measured"
)

// findMetric returns the metric of a name and its family, or nil.
func findMetric(name string) (*measured.MetricFamily, *measured.MetricDoc) {
	for i := range measured.MetricFamilies {
		f := &measured.MetricFamilies[i]
		for k := range f.Metrics {
			if m := &f.Metrics[k]; m.Name == name {
				return f, m
			}
		}
	}
	return nil, nil
}

// metricEntries lists the metrics in one line each.
func metricEntries() []Entry {
	var all []Entry
	for _, f := range measured.MetricFamilies {
		for _, m := range f.Metrics {
			all = append(all, Entry{Name: m.Name, Title: m.Title, Source: m.Source, Commands: m.Commands})
		}
	}
	return all
}

func describeMetric(f *measured.MetricFamily, m *measured.MetricDoc) *input.Description {
	d := &input.Description{Kind: "metric", Name: m.Name, Title: m.Title, Source: m.Source}
	fact := func(name, value string) {
		if value != "" {
			d.Facts = append(d.Facts, input.Parameter{Name: name, Value: value})
		}
	}
	fact("formula", m.Formula)
	fact("where", m.Symbols)
	fact("symbols", f.Symbols)
	fact("answers", m.Advice.Question)
	fact("needs", m.Advice.Needs)
	fact("misleads when", m.Advice.Misleads)
	computed := "no command; Go programs by the functions below"
	if len(m.Commands) > 0 {
		computed = "isoscale " + strings.Join(m.Commands, ", isoscale ")
	}
	fact("computed by", computed)
	fact("in Go", "model/scalability: "+input.List(m.Functions))
	var related []string
	for _, family := range measured.MetricFamilies {
		for i := range family.Metrics {
			if x := &family.Metrics[i]; x.Advice == m.Advice && x.Name != m.Name {
				related = append(related, x.Name)
			}
		}
	}
	fact("related", input.List(related))
	return d
}
