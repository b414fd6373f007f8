package system

import (
	"math"
	"testing"
)

// By formula, level i has e_i = w/(w + c (n-1)): 4/(4+3) and 6/(6+1) here, so level 1
// loses 3/7 and level 2 1/7 of the remaining 4/7. What is left is the efficiency.
func TestLossesOfTheFormula(t *testing.T) {
	r := runSuper(t, "workload: super-program\nlevels: [4, 2]\ntasks: [4, 6]\nimbalance: [1, 1]\n")
	for i, want := range []struct{ busy, end float64 }{{4. / 7, 3. / 7}, {24. / 49, 4. / 49}} {
		l := r.Levels[i]
		if math.Abs(l.Busy-want.busy) > 1e-15 || math.Abs(l.Lost.End-want.end) > 1e-15 || l.Lost.Transfer != 0 || l.Lost.Dispatch != 0 || l.Dispatched != nil {
			t.Errorf("level %d: %+v, want busy %v and %v lost at the end", i+1, l, want.busy, want.end)
		}
	}
	if math.Abs(r.Levels[1].Busy-r.Efficiency) > 1e-14 {
		t.Errorf("busy %v, efficiency %v", r.Levels[1].Busy, r.Efficiency)
	}
	if got, want := r.Why(), "The largest loss is to the end, with no SI left, at level 1: 42.9 % of the time of all processors."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// One group of one node, not the one with the dispatch unit: each of 4 SIs takes 1 s
// there, 2 s to compute and 1 s back, and is dispatched in no time.
func TestLossesOfDispatch(t *testing.T) {
	r := runSuper(t, "workload: super-program\nlevels: [1]\ntasks: [4]\nmethod: dispatch\ntime: 2 s\ndispatch: {dispatcher: separate, latency: 1 s}\n")
	l := r.Levels[0]
	if l.Busy != 0.5 || l.Lost != (SuperLoss{Transfer: 0.5}) || *l.Dispatched != (SuperTimes{SIs: 4, Busy: 8, Idle: 8, Transfer: 8}) {
		t.Errorf("%+v %+v", l, l.Dispatched)
	}
	values := map[string]float64{}
	for _, o := range superOutcomesOf(2) {
		values[o.Name] = o.value(r)
	}
	if values["transfer_1"] != 2 || values["lost_transfer_1"] != 0.5 || values["dispatch_wait_1"] != 0 || !math.IsNaN(values["busy_2"]) {
		t.Errorf("outcomes %v", values)
	}
}
