package scalability_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/isoscale/isoscale/model/scalability"
	"github.com/isoscale/isoscale/model/units"
)

// Rows of [He2004] Table 2: processors in each node, nodes, T_ref and the printed rf.
func TestHe2004Table2(t *testing.T) {
	const alone = 33.07
	for _, row := range []struct {
		perNode, nodes int
		time           units.Seconds
		rf             string
	}{
		{1, 1, 33.07, "1.00"}, {1, 2, 48.59, "1.36"}, {1, 3, 45.01, "2.20"}, {1, 6, 44.47, "4.46"},
		{1, 10, 45.33, "7.30"}, {2, 1, 48.35, "1.37"}, {2, 2, 47.69, "2.77"}, {2, 5, 48.40, "6.83"},
		{2, 8, 48.93, "10.81"},
	} {
		rf, err := scalability.ReferenceFactor(row.perNode*row.nodes, alone, row.time)
		if got := fmt.Sprintf("%.2f", rf); err != nil || got != row.rf {
			t.Errorf("%dx%d: rf = %s, %v, printed %s", row.perNode, row.nodes, got, err, row.rf)
		}
	}
}

// rf by its definition: n times the work of one processor in the measured time, over
// the speed of one.
func TestReferenceFactorIsARatioOfSpeeds(t *testing.T) {
	const n, work, alone, set = 6, 7e9, 3, 4
	vSet, err := scalability.AchievedSpeed(n*work, set)
	vSet = must(t, vSet, err)
	vOne, err := scalability.AchievedSpeed(work, alone)
	vOne = must(t, vOne, err)
	rf, err := scalability.ReferenceFactor(n, alone, set)
	if rf = must(t, rf, err); !near(rf, float64(vSet/vOne)) {
		t.Errorf("rf = %v, want %v", rf, vSet/vOne)
	}
}

// Both printed forms of the extended efficiency agree, and with rf = n it is the
// usual one.
func TestExtendedEfficiencyForms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 1000).Draw(t, "n")
		draw := func(name string) float64 { return rapid.Float64Range(0.1, 100).Draw(t, name) }
		calc, comm, refAlone, refSet := draw("T_calc"), draw("T_comm"), draw("T_ref(1)"), draw("T_ref(set)")
		tp := units.Seconds((calc + comm) / float64(n))

		rf, err := scalability.ReferenceFactor(n, units.Seconds(refAlone), units.Seconds(refSet))
		rf = must(t, rf, err)
		e, err := scalability.ExtendedEfficiency(units.Seconds(calc), rf, tp)
		if e = must(t, e, err); !near(e, 1/(refAlone/refSet*(1+comm/calc))) {
			t.Errorf("E = %v", e)
		}
		usual, err := scalability.OverheadEfficiency(units.Seconds(comm), units.Seconds(calc))
		usual = must(t, usual, err)
		e, err = scalability.ExtendedEfficiency(units.Seconds(calc), float64(n), tp)
		if e = must(t, e, err); !near(e, usual) {
			t.Errorf("with rf = n: E = %v, want %v", e, usual)
		}
		// L_e is the share of each processor in T_comm.
		latency, err := scalability.AverageLatency(n, tp, units.Seconds(calc))
		if latency = must(t, latency, err); float64(latency) < comm/float64(n)-1e-13*float64(tp) ||
			float64(latency) > comm/float64(n)+1e-13*float64(tp) {
			t.Errorf("L_e = %v, want %v", latency, comm/float64(n))
		}
	})
}

// psi is a ratio of works by definition and a ratio of times while the speed is held.
// With rf = n it is isospeed.
func TestExtendedIsospeedForms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.Float64Range(1e6, 1e9).Draw(t, "V")
		draw := func(suffix string) (rf, time float64) {
			return rapid.Float64Range(0.5, 100).Draw(t, "rf"+suffix), rapid.Float64Range(0.1, 1e3).Draw(t, "T"+suffix)
		}
		rf, time := draw("")
		rf2, time2 := draw("'")
		w, w2 := units.Flops(v*rf*time), units.Flops(v*rf2*time2)
		for _, set := range []struct {
			w        units.Flops
			rf, time float64
		}{{w, rf, time}, {w2, rf2, time2}} {
			speed, err := scalability.ExtendedSpeed(set.w, set.rf, units.Seconds(set.time))
			if speed = must(t, speed, err); !near(float64(speed), v) {
				t.Errorf("V = %v, want %v", speed, v)
			}
		}
		psi, err := scalability.ExtendedIsospeed(rf, w, rf2, w2)
		psi = must(t, psi, err)
		times, err := scalability.TimeScale(units.Seconds(time), units.Seconds(time2))
		if times = must(t, times, err); !near(psi, times) {
			t.Errorf("psi = %v, T/T' = %v", psi, times)
		}
		p, p2 := rapid.IntRange(1, 1000).Draw(t, "p"), rapid.IntRange(1, 1000).Draw(t, "p'")
		isospeed, err := scalability.Isospeed(p, w, p2, w2)
		isospeed = must(t, isospeed, err)
		psi, err = scalability.ExtendedIsospeed(float64(p), w, float64(p2), w2)
		if psi = must(t, psi, err); !near(psi, isospeed) {
			t.Errorf("psi = %v with rf = p, isospeed %v", psi, isospeed)
		}
	})
}

// An algorithm without communication on sets that are worth their processors: work
// that grows with n keeps the time, so that nothing is lost in any metric. With
// latency that doubles, half.
func TestScalesByHand(t *testing.T) {
	if s, err := scalability.TimeScale(3, 3); err != nil || s != 1 {
		t.Errorf("time scale %v, %v, want 1", s, err)
	}
	if s, err := scalability.LatencyScale(0.2, 0.4); err != nil || s != 0.5 {
		t.Errorf("latency scale %v, %v, want 0.5", s, err)
	}
	// All 4 processors compute all the time.
	if l, err := scalability.AverageLatency(4, 2, 8); err != nil || l != 0 {
		t.Errorf("L_e = %v, %v, want 0", l, err)
	}
}

// Table 4 of [He2004] has psi(1x5, 1x10) from the times 0.616 and 1.846 s: 0.334.
func TestHe2004TimesGivePsi(t *testing.T) {
	psi, err := scalability.TimeScale(0.616, 1.846)
	if got := fmt.Sprintf("%.3f", psi); err != nil || got != "0.334" {
		t.Errorf("psi = %s, %v", got, err)
	}
}
