package dispatch

import (
	"math"
	"testing"
)

func TestLossesByHand(t *testing.T) {
	type lost struct{ transfer, dispatch, end float64 }
	for _, tt := range []struct {
		name    string
		machine Machine
		sis     []int
		busy    float64 // of the last level
		want    []lost
	}{
		// Five SIs on two nodes take three rounds; in the last, one node idles.
		{"rounds", Machine{Ideal(2, 1)}, []int{5}, 5. / 6, []lost{{0, 0, 1. / 6}}},
		// Fetch 1, execute 1, one place: half of the time goes to transfers.
		{"fetch", Machine{level(1, 1, func(l *Level) { l.IDU, l.Operands, l.Bandwidth = Separate, 1, 1 })}, []int{3}, 0.5, []lost{{0.5, 0, 0}}},
		// With two places only the first fetch is not hidden: 1 of 4.
		{"hidden", Machine{level(1, 2, func(l *Level) { l.IDU, l.Operands, l.Bandwidth = Separate, 1, 1 })}, []int{3}, 0.75, []lost{{0.25, 0, 0}}},
		// The results of the last SI travel while nothing else is left: 3 x (1+1) = 6.
		{"return", Machine{level(1, 1, func(l *Level) { l.IDU, l.Results, l.Bandwidth = Separate, 1, 1 })}, []int{3}, 0.5, []lost{{0.5, 0, 0}}},
		// The IDU spends 1 on each of 4 SIs, for two nodes in turn, at 0 to 1, 1 to 2, 2 to 3, 3 to 4: each node waits
		// as long as it computes except at the end, when the first waits for the second from 4 to 5. It waits for its
		// turn at 0-1 and 2-3, the second at 0-2 and 3-4: 5 of 2 x 5, 1 for the end.
		{"dispatch", Machine{level(2, 1, func(l *Level) { l.Dispatch = 1 })}, []int{4}, 0.4, []lost{{0, 0.5, 0.1}}},
		// Two groups of two nodes and one SI of three of level 2: the second group has nothing (half of all); in the
		// first 1 of 4 times idles in the last round.
		{"levels", Machine{Ideal(2, 1), Ideal(2, 1)}, []int{1, 3}, 3. / 8, []lost{{0, 0, 0.5}, {0, 0, 1. / 8}}},
	} {
		c := Config{tt.machine, Work{SIs: tt.sis, Time: 1}}
		for _, c := range []Config{c, wholly(c)} {
			r := mustRun(t, c)
			near := func(got, want float64) bool { return math.Abs(got-want) < 1e-15 }
			for i, want := range tt.want {
				got := r.Levels[i].Lost
				if !near(got.Transfer, want.transfer) || !near(got.Dispatch, want.dispatch) || !near(got.End, want.end) {
					t.Errorf("%s, level %d: loses %+v, want %+v", tt.name, i+1, got, want)
				}
			}
			if got := r.Levels[len(r.Levels)-1].Utilization; !near(got, tt.busy) {
				t.Errorf("%s: utilization %v, want %v", tt.name, got, tt.busy)
			}
		}
	}
}
