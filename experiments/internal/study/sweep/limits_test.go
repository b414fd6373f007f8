package sweep

import (
	"context"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/study/store"
	"github.com/isoscale/isoscale/experiments/internal/study/sweep/sweeptest"
	"github.com/isoscale/isoscale/internal/expect"
)

const limitedScenario = `scenario: {machine: {node_types: {w: {cores: 1, marked_speed: 1 Gflop/s}}, nodes: [{type: w, count: 268435456}], network: {latency: 1 us, bandwidth: 1 GB/s}}, nodes: {w: 2}, network: ideal, workload: {name: pattern, n: 1}}
factors: {nodes.w: [2, 268435456, 3, 4]}
`

// errorsOf computes a study and returns the error of each row.
func errorsOf(t *testing.T, s *Study) []string {
	t.Helper()
	expect.Success(t, s.Run(context.Background(), 1, nil))
	return cells(t, s, "error")
}

// A point beyond a limit is a row with an error that states the limit, on every
// computer, and its shard becomes complete. 2^28 processes take at least the 40 bytes
// each of perProcess in package system, which is 10.7 GB and above the 4 GB of the
// default; two take far less than 1 MB.
func TestLimitOfMemory(t *testing.T) {
	for _, tt := range []struct{ limits, want string }{
		{"", "the limit for a point is 4 GB"},
		{"limits: {memory: 1 MB}\n", "the limit for a point is 1 MB"},
	} {
		got := errorsOf(t, create(t, limitedScenario+tt.limits, 2)) // two points for each shard
		for i, text := range got {
			expect.That(t, (i == 1) == strings.Contains(text, tt.want) && (i == 1) == (text != ""),
				"%q: point %d has error %q", tt.limits, i, text)
		}
		expect.That(t, len(got) == 4, "%d rows", len(got))
	}
}

// No point takes less than a nanosecond. The error is the same for all.
func TestLimitOfTime(t *testing.T) {
	for i, text := range errorsOf(t, create(t, strings.Replace(limitedScenario, "268435456, 3", "5, 3", 1)+"limits: {time: 1 ns}\n", 2)) {
		expect.That(t, strings.Contains(text, "longer than 1 ns, the limit of wall time"),
			"point %d has error %q", i, text)
	}
}

// The limits are part of the plan: a directory keeps them, and another plan has others.
func TestLimitsAreStored(t *testing.T) {
	s := create(t, limitedScenario+"limits: {memory: 2 MB, time: 90 s}\n", 2)
	again := expect.Value(Open(s.Dir.Path()))(t)
	want := (limits{2e6, 90})
	expect.That(t, again.limits == want, "%+v are stored, want %+v", again.limits, want)
	p := expect.Value(Read(expect.File(t, "plan.yaml", limitedScenario), nil))(t)
	_, err := p.Create(s.Dir.Path(), 0)
	expect.Kind[*store.PlanError](t, err)
}

// A point that is too large for this computer holds up its shard and no other.
func TestPointTooLarge(t *testing.T) {
	s := create(t, `scenario: {machine: {node_types: {w: {cores: 1, marked_speed: 1 Gflop/s}}, nodes: [{type: w, count: 268435456}], network: {latency: 1 us, bandwidth: 1 GB/s}}, nodes: {w: 2}, network: ideal, workload: {name: pattern, n: 1}}
factors: {nodes.w: [2, 268435456, 3, 4]}
limits: {memory: 1 PB}
`, 4)
	err := s.Run(context.Background(), 1, nil)
	point, ok := err.(*PointError)
	if !ok {
		t.Skipf("this computer has the memory for it, or says otherwise: %v", err)
	}
	expect.That(t, point.Point == 1 && strings.Contains(point.Error(), "268435456"), "error %v", point)
	missing := expect.Value(s.Dir.Missing())(t)
	expect.That(t, len(missing) == 1 && missing[0] == 1, "missing shards %v, want only 1", missing)
}

// Process 0 of matmul keeps three matrices of n^2 numbers of 8 bytes: 384 MB for n = 4000 and 1.536 GB for n = 8000.
func TestPointsWithoutMemoryAreInfeasible(t *testing.T) {
	plan := sweeptest.Cluster("cores: 1, marked_speed: 1 Gflop/s, memory: 500 MB", 4, "20 us",
		"{name: matmul, n: 10}") + `factors: {nodes.n: [1, 4], workload.n: [4000, 8000]}
`
	for _, c := range []struct {
		more         string
		status, data []string
	}{
		{"", []string{"ok", StatusInfeasible, "ok", StatusInfeasible}, []string{"0.768", "", "0.768", ""}},
		{"must_fit: false\n", []string{"ok", "ok", "ok", "ok"}, []string{"0.768", "3.072", "0.768", "3.072"}},
	} {
		made := create(t, plan+c.more, 2)
		expect.Success(t, made.Run(t.Context(), 1, nil))
		s := expect.Value(Open(made.Dir.Path()))(t)
		expect.Same(t, cells(t, s, "status"), c.status, "%sstatus", c.more)
		expect.Same(t, cells(t, s, "memory_use"), c.data, "%smemory_use", c.more)
		table := expect.Value(s.Table())(t)
		for i, row := range table.Rows {
			expect.Equal(t, row.Infeasible, c.status[i] != "ok", "%spoint %d is infeasible", c.more, i)
		}
	}
}

// On one process matmul takes 2 n^3 flop at 1 Gflop/s and 100 W: 25 J for n = 500 and 200 J for n = 1000.
func TestConditionsHaveUnits(t *testing.T) {
	plan := sweeptest.Cluster("cores: 1, marked_speed: 1 Gflop/s, power: 100 W", 1, "20 us",
		"{name: matmul, n: 10}") + `factors: {workload.n: [500, 1000]}
derived: {price: {formula: n / 5, unit: EUR}}
`
	for _, condition := range []string{"energy > 50 J", "energy > 0.00001 kWh", "price > 150 EUR", "energy > 50 and price > 150 EUR", "energy + 10 kJ > 10.1 kJ"} {
		made := create(t, plan+"infeasible: ["+condition+"]\n", 1)
		expect.Success(t, made.Run(t.Context(), 1, nil))
		s := expect.Value(Open(made.Dir.Path()))(t)
		expect.Same(t, cells(t, s, "status"), []string{"ok", StatusInfeasible}, "%s", condition)
	}
}

const perturbed = `scenario:
  machine: {node_types: {w: {marked_speed: 1 Gflop/s}}, nodes: [{type: w, count: 2}], network: {latency: 0 s, bandwidth: 1 GB/s}}
  network: hockney
  workload: {name: pattern, shape: ring, n: 1, size: 1 GB}
factors: {machine.network.bandwidth: [1 GB/s, 2 GB/s], workload.n: [1, 2]}
perturb: {fields: [machine.network.bandwidth], by: 0.1, draws: 40}
`

// A round of a ring of two takes what 1 GB does, in proportion to 1/B: repetitions beyond the first differ from it by up to 10 %, evenly to
// both sides, and points by draws of their own, whatever factors set the field.
func TestPointsWithSmallChanges(t *testing.T) {
	made := create(t, perturbed, 0)
	expect.Success(t, made.Run(t.Context(), 2, nil))
	s := expect.Value(Open(made.Dir.Path()))(t)
	expect.That(t, s.Perturb != nil && s.Perturb.By == 0.1, "stored: %+v", s.Perturb)
	at, times := -1, [][]float64{nil, nil, nil, nil}
	for i, text := range cells(t, s, "time") {
		v := expect.Value(strconv.ParseFloat(text, 64))(t)
		if i%40 == 0 {
			at++
		}
		times[at] = append(times[at], v)
	}
	for k, all := range times {
		want := []float64{1, 2, 0.5, 1}[k] * times[0][0]
		expect.That(t, math.Abs(all[0]/want-1) < 1e-12, "the first repetition of point %d takes %v", k, all[0])
		below := 0
		for _, v := range all[1:] {
			change := want/v - 1 // of the bandwidth
			expect.That(t, math.Abs(change) <= 0.1 && change != 0, "a change of %v", change)
			if change < 0 {
				below++
			}
		}
		// 39 draws to either side: 19.5 +- 4 standard deviations of 3.1.
		expect.That(t, below >= 7 && below <= 32, "%d of 39 are below", below)
	}
	expect.That(t, times[0][1] != times[1][1], "points have the same changes")
}

func TestBadPerturbations(t *testing.T) {
	for change, want := range map[string]string{
		"draws: 40}\nrepetitions: 3":                "repetitions beside perturb; expected draws of perturb alone",
		"draws: 1}":                                 "a number of runs from 2 to 1000",
		"by: 0.9, draws: 40}":                       "a share above 0, at most 0.5",
		"draws: 40}\nsearch: {points: 2, start: 2}": "perturb in a search",
	} {
		text := strings.NewReplacer("by: 0.1, ", "", "draws: 40}", change).Replace(perturbed)
		expect.Refusal(Read(expect.File(t, "plan.yaml", text), nil))(t, want)
	}
	made := create(t, strings.Replace(perturbed, "fields: [machine.network.bandwidth]", "fields: [machine.network.gap]", 1), 0)
	for i, text := range errorsOf(t, made) {
		expect.That(t, (i%40 == 0) == (text == "") && (text == "" || strings.Contains(text, "the scenario does not state machine.network.gap")),
			"point %d: %q", i, text)
	}
}
