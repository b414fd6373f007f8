package findings

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/study/sweep/sweeptest"
	"github.com/isoscale/isoscale/internal/expect"
)

const imbalanced = `scenario:
  machine: sunwulf
  nodes: {blade: 4}
  network: ideal
  workload: {name: pattern, n: 2, compute: 1 Mflop, imbalance: 0.5}
factors: {workload.n: {values: [2, 3], role: machine}, workload.size: {values: [8 B, 16 B], role: machine}}
`

// One run of each point, or equal runs, cannot tell draws from effects of factors: nothing is concluded.
func TestNothingIsConcludedFromOneDraw(t *testing.T) {
	for _, plan := range []string{
		imbalanced + "repetitions: 1\n",
		strings.Replace(imbalanced, "  network", "  seed: 4\n  network", 1) + "repetitions: 5\n",
	} {
		r := finished(t, plan)
		words := r.Summary()
		expect.That(t, len(words) == 1 && strings.HasPrefix(words[0], "Nothing is concluded: runs depend on random numbers, and ") &&
			r.Best == nil && r.Effects == nil && r.Growth == nil && len(r.Report().Sections) == 2,
			"%v: %q, best %+v", plan, words, r.Best)
		expect.Success(t, r.scan())
		expect.That(t, r.Best == nil, "a scan finds %+v", r.Best)
	}
}

// The pure error is sqrt(sum of squares around the means over 4 x 4 degrees of freedom), computed here from the rows.
// Sizes of messages change nothing on an ideal network, so configurations that differ only in these are equal in every
// repetition.
func TestPureError(t *testing.T) {
	r := finished(t, imbalanced)
	column := r.Cells.Column
	squares, all := 0.0, 0.0
	for at := 0; at < len(r.Table.Rows); at += 5 {
		sum, square := 0.0, 0.0
		for _, row := range r.Table.Rows[at : at+5] {
			v := row.Values[column]
			sum, square = sum+v, square+v*v
		}
		squares, all = squares+square-sum*sum/5, all+sum
	}
	want := math.Sqrt(squares / 16)
	expect.Need(t, r.PureError != nil && len(r.Table.Rows) == 20, "%d rows", len(r.Table.Rows))
	expect.Close(t, r.PureError.Deviation, want, 1e-9, "deviation")
	expect.Close(t, r.PureError.Share, want/(all/20), 1e-9, "share")
	expect.Equal(t, r.PureError.Freedom, 16, "degrees of freedom")
	// The interval uses t_4 = 2.776; the set has the three others. Curves have whiskers.
	expect.Need(t, len(r.Best.Set) == 3 && r.Best.Interval.Exists(), "%+v", r.Best)
	expect.Close(t, float64(r.Best.Interval[1]), r.Best.Value+2.7764*float64(r.Best.StdErr), 1e-4, "upper end")
	text := fmt.Sprint(r.Summary())
	expect.That(t, r.Best.Tied == 1 && strings.Contains(text, "; 3 other configurations may be as good, which repetitions: {least: 5, more: 200} would look into.") &&
		strings.Contains(text, "Repetitions of a configuration differ by "), "%s", text)
}

// With an imbalance of 1 % four times the work takes longer in every repetition.
func TestTheBestIsToldApart(t *testing.T) {
	plan := strings.Replace(imbalanced, "imbalance: 0.5", "imbalance: 0.01", 1)
	plan = plan[:strings.Index(plan, "factors")] + "factors: {workload.n: {values: [2, 8], role: machine}}\nobjective: {minimize: time}\n"
	text := finished(t, plan).Summary()[0]
	const says = "with workload.n = 2; it is told apart from all others; workload.n = 8 is worse by 300 %"
	expect.Says(t, text, says+" (95 %: 300 % to 300 %)")
	one := finished(t, strings.Replace(plan, "[2, 8]", "[2]", 1)).Summary()[0]
	expect.That(t, strings.HasSuffix(one, ")."), "nothing is told apart from no other: %s", one)
	// Four times the work per round takes four times as long in both repetitions, one of which takes longer by a part:
	// that leaves the difference open, but not the ratio.
	plan = strings.NewReplacer("blade: 4", "blade: 1", "n: 2,", "n: 1,", "imbalance: 0.01", "imbalance: 1", "workload.n: {values: [2, 8]",
		"workload.compute: {values: [1 Mflop, 4 Mflop]").Replace(plan)
	text = finished(t, plan+"repetitions: 2\n").Summary()[0]
	expect.That(t, strings.HasSuffix(text, "told apart from all others; workload.compute = 4 Mflop is worse by 300 %."), "%s", text)
}

// Two equal machines are falsely told apart in at most 5 % of 200 studies, although each study asks up to seven times;
// two that differ by 1 % are told apart in at least 80 %, within the runs that the plan allows. Each point has its own
// seed, so that nothing cancels.
func TestMachinesAreToldApart(t *testing.T) {
	expect.Long(t, "runs 400 studies")
	const studies, mostFalse, leastFound = 200, 10, 160
	wrong, found, right, runs := 0, 0, 0, 0
	for seed := range studies {
		plan := fmt.Sprintf(sweeptest.Cluster("cores: 1, marked_speed: 1 Gflop/s", 4, "1 us",
			"{name: pattern, n: 200, size: 8 B, compute: 1 Mflop, imbalance: 0.5}")+`repetitions: {least: 5, more: 600}
seeds: point
seed: %d
objective: {minimize: time, size: processes}
`, seed+1)
		equal := finished(t, plan+"factors: {machine: {path: title, values: [first, second]}}\n")
		expect.Need(t, len(equal.Ranking) == 2 && equal.Study.Design.More == 600, "%d configurations", len(equal.Ranking))
		if !equal.Ranking[1].WithinNoise {
			wrong++
		}
		differ := finished(t, plan+"factors: {speed: {path: machine.node_types.n.marked_speed, values: [1 Gflop/s, 1.01 Gflop/s]}}\n")
		if !differ.Ranking[1].WithinNoise {
			found++
			right += differ.Ranking[0].Levels[0]
		}
		rows := len(differ.Table.Rows)
		runs += rows
		expect.That(t, rows >= 10 && rows <= 610, "%d runs", rows)
	}
	t.Logf("of %d studies %d are false, %d of 1 %% are found, %d rightly, with %d runs each in the mean", studies, wrong, found, right, runs/studies)
	expect.That(t, wrong <= mostFalse && found >= leastFound && right >= found-mostFalse,
		"of %d studies %d are false, %d of 1 %% are found, %d rightly", studies, wrong, found, right)
}
