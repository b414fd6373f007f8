package measured

import "strings"

// Metric is everything that isoscale says of a metric, once: `list`, `describe`,
// `metrics` and docs/validation/metrics.md take it from here.
type Metric struct {
	Name      string   // as in commands and JSON
	Title     string   // the name in a sentence
	Symbol    string   // if it has one; two metrics may have the same
	Meaning   string   // in a line
	Formula   string   // in plain text
	Symbols   string   // of this metric alone, or the condition under which it holds
	Source    string   // keys of docs/references.md
	Functions []string // of model/scalability
	Commands  []string // of isoscale that compute it; none: only Go programs can
	*Advice

	// Leads: a report of measured times begins with what it says.
	Leads bool
	// Steps: its hardest step from one system to the next stands among the figures of a
	// report.
	Steps bool

	times *fromTimes // nil: times do not suffice
}

// Advice says what a metric is for. Metrics that answer one question share it.
type Advice struct {
	Question string
	Needs    string
	Misleads string // when
}

// Family is metrics that have symbols in common.
type Family struct {
	Title   string
	Symbols string
	Metrics []*Metric
}

// families holds all metrics in the order of the documentation.
var families = []*Family{
	&speedupFamily, &isoefficiencyFamily, &isospeedFamily, &heterogeneousFamily, &processorSetFamily,
	&robustFamily, &hierarchyFamily, &productivityFamily,
}

// Metrics lists the metrics of all families.
func Metrics() []*Metric {
	var all []*Metric
	for _, f := range families {
		all = append(all, f.Metrics...)
	}
	return all
}

// FindMetric returns the metric of a name and its family, or nil. Hyphens and underscores
// in the name are equivalent.
func FindMetric(name string) (*Family, *Metric) {
	name = strings.ReplaceAll(name, "-", "_")
	for _, f := range families {
		for _, m := range f.Metrics {
			if m.Name == name {
				return f, m
			}
		}
	}
	return nil, nil
}

// Label is the name in a sentence with the symbol.
func (m *Metric) Label() string {
	if m.Symbol == "" {
		return m.Title
	}
	return m.Title + " " + m.Symbol
}

// InTimes says what a file of measured times must have for `isoscale metrics` to
// compute the metric; "" if times do not suffice.
func (m *Metric) InTimes() string {
	if m.times == nil {
		return ""
	}
	return m.times.needs
}
