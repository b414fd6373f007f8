package sweep

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
)

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
		_, err := Read(expect.File(t, "plan.yaml", strings.Replace(strings.Replace(perturbed, "by: 0.1, ", "", 1), "draws: 40}", change, 1)), nil)
		expect.That(t, err != nil && strings.Contains(err.Error(), want), "%s: %v", change, err)
	}
	made := create(t, strings.Replace(perturbed, "fields: [machine.network.bandwidth]", "fields: [machine.network.gap]", 1), 0)
	for i, text := range errorsOf(t, made) {
		expect.That(t, (i%40 == 0) == (text == "") && (text == "" || strings.Contains(text, "the scenario does not state machine.network.gap")),
			"point %d: %q", i, text)
	}
}
