package scalability_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/scalability"
	"github.com/isoscale/isoscale/model/units"
)

// The classic efficiency is T_q/(P T_R), with the time of the same work on q alone.
func TestClassicEfficiencyFromTimes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		power := rapid.SliceOfN(rapid.Float64Range(1, 100), 1, 8).Draw(t, "P_i")
		w := rapid.Float64Range(1, 1e6).Draw(t, "W")
		q := rapid.IntRange(0, len(power)-1).Draw(t, "q")
		total := 0.0
		for _, p := range power {
			total += p
		}
		tr := w/total + rapid.Float64Range(0, 1e4).Draw(t, "T_o")
		eps := expect.Value(scalability.HeterogeneousEfficiency(
			units.Flops(w), units.Seconds(tr), units.FlopsPerSecond(total),
		))(t)
		e := expect.Value(scalability.ClassicEfficiency(
			eps, len(power), units.FlopsPerSecond(total), units.FlopsPerSecond(power[q]),
		))(t)
		expect.Close(t, e, w/power[q]/(float64(len(power))*tr), 1e-13, "E")
	})
}

// On equal processors eps is the classic efficiency.
func TestHeterogeneousEfficiencyOfEquals(t *testing.T) {
	eps := expect.Value(scalability.HeterogeneousEfficiency(1000, 2, 8*100))(t) // 1.25 s would be ideal
	expect.Equal(t, eps, 0.625, "eps")
	expect.Equal(t, expect.Value(scalability.ClassicEfficiency(eps, 8, 800, 100))(t), 0.625, "E")
}

// T_R = W/P_T + T_o at W = K T_o P_T has the efficiency that K was made for.
func TestHIsoefficiencyWorkHoldsEfficiency(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		eps := rapid.Float64Range(0.01, 0.99).Draw(t, "eps")
		to := units.Seconds(rapid.Float64Range(1e-3, 1e3).Draw(t, "T_o"))
		power := units.FlopsPerSecond(rapid.Float64Range(1, 1e12).Draw(t, "P_T"))
		w := expect.Value(scalability.HIsoefficiencyWork(eps, to, power))(t)
		got := expect.Value(scalability.HeterogeneousEfficiency(w, units.Seconds(float64(w)/float64(power))+to, power))(t)
		expect.Close(t, got, eps, 1e-13, "eps")
	})
}

// The closed form for powers of n is the numerical solution of W = K T_o P_T.
func TestHIsoefficiencySizeAgainstSolver(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.Float64Range(1.5, 4).Draw(t, "a")
		b := a - rapid.Float64Range(0.5, 3).Draw(t, "a - b") // an overhead may fall with n
		h := 1e-6
		draw := func(name string) scalability.OverheadPoint {
			return scalability.OverheadPoint{
				Power:  units.FlopsPerSecond(rapid.Float64Range(1e6, 1e8).Draw(t, "P_T"+name)),
				Factor: rapid.Float64Range(1, 10).Draw(t, "g"+name),
			}
		}
		base, scaled := draw("0"), draw("")
		model := func(p scalability.OverheadPoint) scalability.SizeModel {
			return scalability.SizeModel{
				Work:     func(n float64) units.Flops { return units.Flops(math.Pow(n, a)) },
				Overhead: func(n float64) units.Seconds { return units.Seconds(h * p.Factor * math.Pow(n, b)) },
				Speed:    p.Power,
			}
		}
		const n0 = 100
		eps := expect.Value(model(base).Efficiency(n0))(t)
		n := expect.Value(scalability.HIsoefficiencySize(n0, base, scaled, a, b))(t)
		solved := expect.Value(model(scaled).Size(eps, n/1.5, n*1.5))(t)
		// d ln n/d ln E is at most 2/(1 - E): a rounded E costs that many ulps.
		expect.Near(t, solved, n, n*2e-15/(1-eps)+1e-12*n, "n = %v, solved", n)
	})
}

// rf by its definition: n times the work of one processor in the measured time, over
// the speed of one.
func TestReferenceFactorIsARatioOfSpeeds(t *testing.T) {
	const n, work, alone, set = 6, 7e9, 3, 4
	vSet := expect.Value(scalability.AchievedSpeed(n*work, set))(t)
	vOne := expect.Value(scalability.AchievedSpeed(work, alone))(t)
	expect.Close(t, expect.Value(scalability.ReferenceFactor(n, alone, set))(t), float64(vSet/vOne), 1e-13, "rf")
}

// Both printed forms of the extended efficiency agree, and with rf = n it is the
// usual one.
func TestExtendedEfficiencyForms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 1000).Draw(t, "n")
		draw := func(name string) float64 { return rapid.Float64Range(0.1, 100).Draw(t, name) }
		calc, comm, refAlone, refSet := draw("T_calc"), draw("T_comm"), draw("T_ref(1)"), draw("T_ref(set)")
		tp := units.Seconds((calc + comm) / float64(n))

		rf := expect.Value(scalability.ReferenceFactor(n, units.Seconds(refAlone), units.Seconds(refSet)))(t)
		e := expect.Value(scalability.ExtendedEfficiency(units.Seconds(calc), rf, tp))(t)
		expect.Close(t, e, 1/(refAlone/refSet*(1+comm/calc)), 1e-13, "E")
		usual := expect.Value(scalability.OverheadEfficiency(units.Seconds(comm), units.Seconds(calc)))(t)
		e = expect.Value(scalability.ExtendedEfficiency(units.Seconds(calc), float64(n), tp))(t)
		expect.Close(t, e, usual, 1e-13, "with rf = n: E")
		// L_e is the share of each processor in T_comm.
		latency := expect.Value(scalability.AverageLatency(n, tp, units.Seconds(calc)))(t)
		expect.That(t, float64(latency) >= comm/float64(n)-1e-13*float64(tp) &&
			float64(latency) <= comm/float64(n)+1e-13*float64(tp),
			"L_e = %v, want %v", latency, comm/float64(n))
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
			speed := expect.Value(scalability.ExtendedSpeed(set.w, set.rf, units.Seconds(set.time)))(t)
			expect.Close(t, float64(speed), v, 1e-13, "V")
		}
		psi := expect.Value(scalability.ExtendedIsospeed(rf, w, rf2, w2))(t)
		times := expect.Value(scalability.TimeScale(units.Seconds(time), units.Seconds(time2)))(t)
		expect.That(t, near(psi, times), "psi = %v, T/T' = %v", psi, times)
		p, p2 := rapid.IntRange(1, 1000).Draw(t, "p"), rapid.IntRange(1, 1000).Draw(t, "p'")
		isospeed := expect.Value(scalability.Isospeed(p, w, p2, w2))(t)
		psi = expect.Value(scalability.ExtendedIsospeed(float64(p), w, float64(p2), w2))(t)
		expect.That(t, near(psi, isospeed), "psi = %v with rf = p, isospeed %v", psi, isospeed)
	})
}

// An algorithm without communication on sets that are worth their processors: work
// that grows with n keeps the time, so that nothing is lost in any metric. With
// latency that doubles, half.
func TestScalesByHand(t *testing.T) {
	expect.Equal(t, expect.Value(scalability.TimeScale(3, 3))(t), 1, "time scale")
	expect.Equal(t, expect.Value(scalability.LatencyScale(0.2, 0.4))(t), 0.5, "latency scale")
	// All 4 processors compute all the time.
	expect.Equal(t, expect.Value(scalability.AverageLatency(4, 2, 8))(t), 0, "L_e")
}
