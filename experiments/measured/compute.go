package measured

import "github.com/isoscale/isoscale/experiments/input"

// Compute computes all metrics for which the measurements have what is needed, and
// says what is missing for the others.
func Compute(m *Measurements, o Options) (*Result, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	stop := input.Stopwatch("metrics", m.inputs, nil, 0)
	r := &Result{
		Scaling: []Scaling{}, Fits: []Fit{}, Notes: []string{}, Warnings: []string{},
		Currency: m.currency, options: o, file: m.file, hasN: m.has[colN], warned: make(map[string]bool),
	}
	r.Notes = append(r.Notes, m.notes...)
	groups, err := groupRuns(m)
	if err != nil {
		return nil, err
	}
	r.addPoints(groups, m)
	r.nameSystems()
	r.findReferenceFactors(groups)
	r.findSequentialTimes()
	r.computeValues()
	r.scale()
	r.fit()
	r.Metrics = r.summaries()
	stop(&r.Provenance)
	return r, nil
}
