package experiments

import "strings"

// findMetric returns the metric of a name and its family, or nil.
func findMetric(name string) (*metricFamily, *metricDoc) {
	for i := range metricFamilies {
		f := &metricFamilies[i]
		for k := range f.metrics {
			if m := &f.metrics[k]; m.name == name {
				return f, m
			}
		}
	}
	return nil, nil
}

// metricEntries lists the metrics in one line each.
func metricEntries() []CatalogueEntry {
	var all []CatalogueEntry
	for _, f := range metricFamilies {
		for _, m := range f.metrics {
			all = append(all, CatalogueEntry{Name: m.name, Title: m.title, Source: m.source, Commands: m.commands})
		}
	}
	return all
}

func describeMetric(f *metricFamily, m *metricDoc) *Description {
	d := &Description{Kind: "metric", Name: m.name, Title: m.title, Source: m.source}
	fact := func(name, value string) {
		if value != "" {
			d.Facts = append(d.Facts, Parameter{Name: name, Value: value})
		}
	}
	fact("formula", m.formula)
	fact("where", m.symbols)
	fact("symbols", f.symbols)
	fact("answers", m.advice.question)
	fact("needs", m.advice.needs)
	fact("misleads when", m.advice.misleads)
	computed := "no command; Go programs by the functions below"
	if len(m.commands) > 0 {
		computed = "isoscale " + strings.Join(m.commands, ", isoscale ")
	}
	fact("computed by", computed)
	fact("in Go", "model/scalability: "+list(m.functions))
	var related []string
	for _, family := range metricFamilies {
		for i := range family.metrics {
			if x := &family.metrics[i]; x.advice == m.advice && x.name != m.name {
				related = append(related, x.name)
			}
		}
	}
	fact("related", list(related))
	return d
}
