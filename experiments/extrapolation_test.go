package experiments_test

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"

	"github.com/isoscale/isoscale/experiments/internal/metric/laws"
	"github.com/isoscale/isoscale/experiments/internal/study/sweep"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/regression"
)

// Times of the catalogue's workloads on up to 64 processes predict those on 128 and 256, or
// a prediction is refused: intervals of 95 % contain at least 85 % of the simulated times,
// the median error is at most 12 % and none is above 60 %.
func TestPredictionsHoldBeyondTheRange(t *testing.T) {
	expect.Long(t, "simulates hundreds of points")
	plan := `scenario:
  machine:
    node_types: {n: {cores: 1, marked_speed: 10 Gflop/s}}
    nodes: [{type: n, count: 256}]
    network: {latency: 2 us, bandwidth: 1 GB/s, topology: {name: fat-tree, down: [16, 16], up: [1, 8]}}
  nodes: {n: 1}
  network: hockney
  workload: {name: cg, n: 64}
factors:
  app:
    path: workload
    values:
      - {name: stencil2d, n: 2000, steps: 20}
      - {name: stencil3d, n: 128, steps: 20}
      - {name: cg, n: 64, iterations: 10}
      - {name: fft3d, n: 128}
      - {name: nbody, n: 8192}
      - {name: samplesort, n: 10000000}
      - {name: sweep3d, n: 100}
      - {name: taskfarm, n: 4000, flop: 100 Mflop}
      - {name: gauss, n: 1000}
      - {name: matmul, n: 1000}
      - {name: lcs, n: 8000}
      - {name: hpl, n: 4000}
    labels: [stencil2d, stencil3d, cg, fft3d, nbody, samplesort, sweep3d, taskfarm, gauss, matmul, lcs, hpl]
  network: [hockney, loggops, flow]
  p: {path: nodes.n, powers_of_two: {from: 1, to: 256}}
`
	plan += "repetitions: 1\n" // the scatter of workloads that draw is part of the prediction
	dir := t.TempDir()
	file := filepath.Join(dir, "plan.yaml")
	expect.Success(t, os.WriteFile(file, []byte(plan), 0o600))
	s := expect.Value(expect.Value(sweep.Read(file, nil))(t).Create(filepath.Join(dir, "out"), 1))(t)
	expect.Success(t, s.Run(context.Background(), 2, nil))
	times := expect.Value(s.Subject())(t)
	column := expect.Value(times.ResponseIndex("time"))(t)
	const given, each = 7, 9 // of the numbers of processes
	var errors []float64
	held := 0
	for rows := range slices.Chunk(times.Rows, each) {
		var known []regression.Sample
		truth := map[float64]float64{}
		for i, row := range rows {
			p, y := math.Exp2(float64(i)), row.Values[column]
			if truth[p] = y; i < given {
				known = append(known, regression.Sample{P: p, Y: y})
			}
		}
		of := times.Factors[0].Text(rows[0].Levels[0]) + ", " + times.Factors[1].Text(rows[0].Levels[1])
		predicted := laws.FitTimes(laws.Subject{Samples: known})
		for _, x := range predicted.Predictions {
			if x.Processes <= 64 {
				continue
			}
			want := truth[x.Processes]
			errors = append(errors, math.Abs(x.Time/want-1))
			if x.Interval[0] <= want && want <= x.Interval[1] {
				held++
			} else {
				t.Logf("%s on %g processes: %.4g s; the interval is %.4g to %.4g s", of, x.Processes, want, x.Interval[0], x.Interval[1])
			}
			expect.That(t, x.Interval[0] > 0, "%s: %+v", of, x)
		}
	}
	slices.Sort(errors)
	asked := (each - given) * len(times.Rows) / each
	median, worst := stat.Quantile(0.5, stat.Empirical, errors, nil), errors[len(errors)-1]
	t.Logf("%d asked, %d predicted, %d held; errors: median %.1f %%, worst %.1f %%", asked, len(errors), held, 100*median, 100*worst)
	expect.That(t, float64(held) >= 0.85*float64(len(errors)) && 2*len(errors) >= asked && median <= 0.12 && worst <= 0.6,
		"%d asked, %d predicted, %d held; errors: median %.1f %%, worst %.1f %%", asked, len(errors), held, 100*median, 100*worst)
}
