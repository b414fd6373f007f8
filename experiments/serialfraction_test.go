package experiments_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/metric/measured"
	"github.com/isoscale/isoscale/experiments/internal/metric/measurements"
	"github.com/isoscale/isoscale/experiments/internal/study/findings"
	"github.com/isoscale/isoscale/experiments/internal/study/sweep"
)

// The same five times have one serial fraction: in the report of a sweep whether it
// is about their time or their speedup, and in the metrics of measured times. They
// are those of a cluster with two levels, each of which has a serial part of its own,
// so that Amdahl's law is not exact and different fits would differ.
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
	if err := os.WriteFile(file, []byte(plan), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := sweep.Read(file, nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := p.Create(filepath.Join(dir, "out"), 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Run(context.Background(), 1, nil); err != nil {
		t.Fatal(err)
	}
	byTime, err := findings.Of(s, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Aim("speedup", "", "", ""); err != nil {
		t.Fatal(err)
	}
	bySpeedup, err := findings.Of(s, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	table := "processes,time [s]\n"
	for _, o := range byTime.Growth {
		table += fmt.Sprintf("%g,%.17g\n", o.Size, o.Value)
	}
	csv := filepath.Join(dir, "times.csv")
	if err := os.WriteFile(csv, []byte(table), 0o600); err != nil {
		t.Fatal(err)
	}
	m, err := measurements.Read(csv)
	if err != nil {
		t.Fatal(err)
	}
	r, err := measured.Compute(m, measured.DefaultOptions())
	if err != nil || len(r.Fits) != 1 || r.Fits[0].Points != 4 {
		t.Fatalf("%+v %v", r, err)
	}
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
			if _, err := fmt.Sscanf(share, "%g/p + %g)", &parallel, &serial); err != nil {
				t.Fatalf("%s: %v", law.Formula, err)
			}
			if math.Abs(serial/fraction-1) > 1e-5 {
				t.Errorf("the report of the %s has the serial fraction %g, metrics %g", what, serial, fraction)
			}
		}
		if !found {
			t.Errorf("no Amdahl's law of the %s: %+v", what, result.Scaling)
		}
	}
	if *r.Fits[0].RMS < 1e-6 {
		t.Errorf("Amdahl's law is exact (%g), so that any fit gives this fraction", *r.Fits[0].RMS)
	}
}
