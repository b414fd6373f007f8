package findings

import (
	"bytes"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/study/sweep"
	"github.com/isoscale/isoscale/experiments/internal/study/sweep/sweeptest"
	"github.com/isoscale/isoscale/experiments/report/html"
)

// The surface of Table I goes through storing, reading and analysing.
func TestAnalysisOfTableI(t *testing.T) {
	r := drawn(t, sweeptest.Jin)
	// Table I has 16.31 at (9, 9), and its optima form a path.
	if r.Best == nil || math.Abs(r.Best.Value-16.31) > 0.005 || r.Best.Levels["r1"] != "9" || r.Best.Levels["r2"] != "9" {
		t.Errorf("best %+v", r.Best)
	}
	if len(r.Growth) != 19 || r.Path.Jumps != 0 {
		t.Errorf("%d sizes with %d jumps, want 19 with none", len(r.Growth), r.Path.Jumps)
	}
	var page bytes.Buffer
	if err := html.Write(&page, r.Report()); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Map of the objective", "Growth path", "What matters", "Scalability", "The best configurations"} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("%q is not in the report", want)
		}
	}
}

func TestRankingByAnExpression(t *testing.T) {
	r := drawn(t, sweeptest.Costs+"objective: {maximize: speedup/cost, size: n1*n2}\n")
	if section := r.rankingSection(); !strings.Contains(strings.Join(section.Text, ""), "largest speedup/cost") {
		t.Errorf("%v", section.Text)
	}
}

// drawn carries out a plan and returns what its report is made of.
func drawn(t *testing.T, plan string) *sections {
	t.Helper()
	p, err := sweep.Read(sweeptest.File(t, plan), nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := p.Create(filepath.Join(t.TempDir(), "out"), 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Run(t.Context(), 2, nil); err != nil {
		t.Fatal(err)
	}
	r, err := Of(s, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	return sectionsOf(r)
}
