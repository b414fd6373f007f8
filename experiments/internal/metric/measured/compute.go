package measured

import (
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/metric/laws"
	"github.com/isoscale/isoscale/experiments/internal/metric/measurements"
)

// Compute computes all metrics for which the measurements have what is needed, and
// says what is missing for the others.
func Compute(m *measurements.Table, o Options) (*Result, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	stop := input.Stopwatch("metrics", m.Inputs, nil, 0)
	r := &Result{
		Scaling: []Scaling{}, Fits: []Fit{}, Models: []laws.Performance{}, Notes: []string{}, Warnings: []string{},
		Currency: m.Currency, Options: o, File: m.File, HasN: m.Has(measurements.ColN), oneSize: make(map[string]bool), warned: make(map[string]bool),
	}
	r.Notes = append(r.Notes, m.Notes...)
	groups, err := m.Runs()
	if err != nil {
		return nil, err
	}
	r.addPoints(groups, m)
	r.nameSystems()
	r.findReferenceFactors(groups)
	r.findSequentialTimes()
	r.findBaselines()
	r.computeValues()
	r.scale()
	r.fit()
	r.model()
	r.fitEnergy()
	r.Metrics = r.summaries()
	stop(&r.Provenance)
	return r, nil
}
