package experiments_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/metric/measured"
	"github.com/isoscale/isoscale/experiments/internal/metric/measurements"
	"github.com/isoscale/isoscale/experiments/internal/study/findings"
	"github.com/isoscale/isoscale/experiments/internal/study/sweep"
	"github.com/isoscale/isoscale/internal/expect"
)

// The same five times have the same serial fraction in the report of a sweep, of their
// times or of their speedups, and in the metrics of measured times. They are times of a
// cluster with two levels, each with its own serial part, so that Amdahl's law is not
// exact and different fits would differ.
func TestOneSerialFractionEverywhere(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "plan.yaml")
	plan := `scenario:
  workload: super-program
  log2_levels: [0, 0]
  tasks: [48, 48]
  imbalance: [0.9, 0.7]
factors:
  r1: {path: "log2_levels[0]", from: 0, to: 2}
  r2: {path: "log2_levels[1]", from: 0, to: 2}
objective: {minimize: time, size: nodes}
`
	expect.Success(t, os.WriteFile(file, []byte(plan), 0o600))
	p := expect.Value(sweep.Read(file, nil))(t)
	s := expect.Value(p.Create(filepath.Join(dir, "out"), 1))(t)
	expect.Success(t, s.Run(context.Background(), 1, nil))
	byTime := expect.Value(findings.Of(s, nil, 0))(t)
	expect.Success(t, s.Aim("speedup", "", "", ""))
	bySpeedup := expect.Value(findings.Of(s, nil, 0))(t)
	table := "processes,time [s]\n"
	for _, o := range byTime.Growth {
		table += fmt.Sprintf("%g,%.17g\n", o.Size, o.Value)
	}
	csv := filepath.Join(dir, "times.csv")
	expect.Success(t, os.WriteFile(csv, []byte(table), 0o600))
	m := expect.Value(measurements.Read(csv))(t)
	r, err := measured.Compute(m, measured.DefaultOptions())
	expect.Need(t, err == nil && len(r.Fits) == 1 && r.Fits[0].Points == 4, "%+v %v", r, err)
	fraction := r.Fits[0].SerialFraction
	for what, result := range map[string]*findings.Result{"time": byTime, "speedup": bySpeedup} {
		found := false
		for _, law := range result.Scaling {
			if law.Model != "Amdahl" {
				continue
			}
			found = true
			_, share, _ := strings.Cut(law.Formula, "(")
			var parallel, serial float64 // six digits of each
			_, err := fmt.Sscanf(share, "%g/p + %g)", &parallel, &serial)
			expect.Need(t, err == nil, "%s: %v", law.Formula, err)
			expect.Close(t, serial, fraction, 1e-5, "the report of the %s has the serial fraction", what)
		}
		expect.That(t, found, "no Amdahl's law of the %s: %+v", what, result.Scaling)
	}
	expect.That(t, *r.Fits[0].RMS >= 1e-6,
		"Amdahl's law is exact (%g), so that any fit gives this fraction", *r.Fits[0].RMS)
}
