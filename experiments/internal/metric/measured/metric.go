package measured

import (
	_ "embed"
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"github.com/isoscale/isoscale/internal/each"
)

// Metric is everything that isoscale says about a metric: `list`, `describe`, `metrics` and docs/validation/metrics.md
// take it from here. Its words are in metrics.json; how it follows from measured times is in [computations].
type Metric struct {
	Name      string   // as in commands and JSON
	Title     string   // the name in a sentence
	Symbol    string   // if it has one; two metrics may have the same
	Meaning   string   // in a line
	Formula   string   // in plain text
	Symbols   string   // of this metric alone, or the condition for its validity
	Source    string   // keys of docs/references.md
	Functions []string // of model/scalability
	Commands  []string // of isoscale that compute it; none: only Go programs can
	AdviceOf  string   `json:"advice_of"` // an earlier metric that answers the same question
	Advice

	// Leads: a report of measured times begins with this metric.
	Leads bool
	// Steps: its hardest step from one system to the next is among the figures of a report.
	Steps bool

	// InTimes says what a file of measured times must have for `isoscale metrics` to
	// compute the metric; "" if times do not suffice.
	InTimes string `json:"in_times"`
	Key     string // JSON key of its value at a point, with the unit
	Phrase  string // the rest of the sentence after the values
	Holds   *held

	computation
}

// Advice says what a metric is for. Metrics that answer one question share it.
type Advice struct {
	Question string
	Needs    string
	Misleads string // when
}

// held is what a metric holds while systems grow: a value of points, such as the speed-efficiency, that refers to a
// capacity of the system, such as the marked speed.
type held struct {
	Symbol string // of the value
	What   string // the value in words
	Speed  bool   // the value is a speed, not an efficiency
	Scales bool   // the time and latency scales belong to it
}

// Family is a group of metrics with symbols in common.
type Family struct {
	Title   string
	Symbols string
	Metrics []*Metric
}

//go:embed metrics.json
var metricsJSON []byte

// families returns all metrics in the order of the documentation.
var families = sync.OnceValue(func() []*Family {
	var all []*Family
	if err := json.Unmarshal(metricsJSON, &all); err != nil {
		panic("measured: metrics.json: " + err.Error())
	}
	computed := make(map[string]computation)
	for _, c := range computations {
		computed[c.name] = c
	}
	advice := make(map[string]Advice)
	for _, f := range all {
		for _, m := range f.Metrics {
			if m.AdviceOf != "" {
				m.Advice = advice[m.AdviceOf]
			}
			advice[m.Name] = m.Advice
			m.computation = computed[m.Name]
		}
	}
	return all
})

// Metrics lists the metrics of all families.
func Metrics() []*Metric {
	return slices.Concat(each.Of(families(), func(f *Family) []*Metric { return f.Metrics })...)
}

// pointMetrics lists the metrics with a value at each point.
var pointMetrics = sync.OnceValue(func() []*Metric {
	return slices.DeleteFunc(Metrics(), func(m *Metric) bool { return m.of == nil })
})

// FindMetric returns the metric of a name and its family, or nil. Hyphens and underscores
// in the name are equivalent.
func FindMetric(name string) (*Family, *Metric) {
	name = strings.ReplaceAll(name, "-", "_")
	for _, f := range families() {
		if k := slices.IndexFunc(f.Metrics, func(m *Metric) bool { return m.Name == name }); k >= 0 {
			return f, f.Metrics[k]
		}
	}
	return nil, nil
}

// Label is the name in a sentence with the symbol.
func (m *Metric) Label() string {
	return strings.TrimSpace(m.Title + " " + m.Symbol)
}
