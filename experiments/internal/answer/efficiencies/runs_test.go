package efficiencies

import (
	"context"
	"encoding/json"
	"errors"
	"sync/atomic"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/scenario/cluster"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/sim"
)

// Each run is made once, those that the efficiencies need beside the run of the case, with the context of the caller.
func TestRunsAreMadeOnce(t *testing.T) {
	var made atomic.Int32
	runs := NewRuns(2, func(ctx context.Context, _ cluster.Change) (*sim.Result, error) {
		made.Add(1)
		return &sim.Result{}, ctx.Err()
	})
	own := false
	expect.Success(t, runs.Beside(t.Context(), func() error { own = true; return nil }))
	expect.That(t, own && made.Load() == 3, "the case: %v, and %d runs beside it; want true, 3", own, made.Load())
	ended, end := context.WithCancel(t.Context())
	end()
	all, err := runs.On(ended, needed(true))
	expect.That(t, err == nil && len(all) == 3 && made.Load() == 3, "%d results, %v, after %d runs; want those that are known", len(all), err, made.Load())
	_, err = runs.On(ended, []cluster.Change{cluster.AsIs})
	expect.That(t, errors.Is(err, context.Canceled), "error %v, want that of the context", err)
	_, err = runs.On(t.Context(), []cluster.Change{cluster.AsIs, free})
	expect.That(t, err == nil && runs.Made() == 4, "%v, %d runs; want that on the fourth network", err, runs.Made())
}

// The error of the case itself prevails over those of the runs beside it.
func TestErrorOfTheCase(t *testing.T) {
	mine := errors.New("mine")
	runs := NewRuns(1, func(context.Context, cluster.Change) (*sim.Result, error) { return nil, errors.New("theirs") })
	expect.That(t, errors.Is(runs.Beside(t.Context(), func() error { return mine }), mine), "another error")
}

// Effects whose savings are printed alike stay in the order in which they were tried; bounds come last.
func TestEffectsThatSaveAsMuch(t *testing.T) {
	var names []string
	for _, e := range Sorted([]Effect{{Change: "bound", Saves: 0.5, Bound: true}, {Change: "simple", Saves: 0.2021},
		{}, {Change: "less", Saves: 0.1}, {Change: "at every step", Saves: 0.2024}, {Change: "most", Saves: 0.203}}) {
		names = append(names, e.Change)
	}
	expect.Says(t, string(expect.Value(json.Marshal(Effect{}))(t)), `"bound":false`)
	expect.List(t, names, []string{"most", "simple", "at every step", "less", "bound"}, "order")
}

// Changes without effect that differ only in the last word are named together, wherever the others are.
func TestChangesWithoutEffect(t *testing.T) {
	effects := []Effect{{Change: "twice the bandwidth", Saves: 0.2}}
	for _, change := range []string{"half the latency", "rank order cyclic", "rank order greedy", "bcast by algorithm flat", "x", "y"} {
		effects = append(effects, Effect{Change: change, Saves: 0.0004})
	}
	rows, none := EffectRows(append(effects, Effect{Change: "rank order by-group", Saves: -0.0004}))
	expect.Equal(t, len(rows), 1, "rows")
	expect.Equal(t, none, "half the latency, rank order cyclic or greedy, bcast by algorithm flat, x, y, rank order by-group", "none")
}

// A bound is no remedy: the table and the chart say so, where its bar may be the longest.
func TestBoundsAreCalledSo(t *testing.T) {
	of := effectSection([]Effect{{Change: "less", Saves: 0.1}, {Change: "all", Saves: 0.5, Bound: true}}, nil)
	expect.List(t, of.Blocks[0].(*report.BarChart).Categories, []string{"less", "all (a bound)"}, "bars")
	expect.Equal(t, of.Blocks[1].(*report.Table).Rows[1][0], "all (a bound)", "row")
}
