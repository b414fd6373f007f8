package experiments_test

import (
	"fmt"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/scenario/scenariotest"
	"github.com/isoscale/isoscale/internal/expect"
)

// scaled is a study on a machine k times as fast in everything: speeds and
// bandwidth times k, latency, overheads, startup and measured costs divided by k.
func scaled(k float64, workload string) string {
	return fmt.Sprintf(`
target_efficiency: 0.35
machine:
  node_types:
    fat: {cores: 2, marked_speed: %[1]g Mflop/s}
    thin: {marked_speed: %[2]g Mflop/s}
  nodes: [{type: fat}, {type: thin, count: 8}]
  network: {latency: %[3]g us, bandwidth: %[4]g kB/s, send_overhead: %[5]g us, recv_overhead: %[6]g us}
network: {name: hockney, eager_limit: 2 kB}
placement: {fat: 2}
systems:
  - {name: A, nodes: {thin: 3}}
  - {name: B, nodes: {fat: 1, thin: 2}}
  - {name: C, nodes: {fat: 1, thin: 8}}
workload: {startup_per_process: %[7]g ms, %[8]s}
`, 30*k, 20*k, 80/k, 12500*k, 8/k, 4/k, 2/k, workload)
}

// A machine that is twice as fast in everything does everything in half the time: at
// equal N the efficiency is the same, and so are the N of the target and psi.
func TestTwiceTheMachineHalvesAllTimes(t *testing.T) {
	expect.Long(t, "simulates whole studies several times")
	for name, workload := range map[string]func(k float64) string{
		"gauss": func(float64) string { return "name: gauss, bcast: binomial, barrier: dissemination" },
		"gauss with measured costs": func(k float64) string {
			return fmt.Sprintf("name: gauss, bcast: {base: %g ms, per_process: %g us, per_byte: %g ns}, barrier: {per_process: %g us}", 0.2/k, 20/k, 2/k, 10/k)
		},
		"matmul":      func(float64) string { return "name: matmul, scatter: binomial, bcast: flat, gather: binomial" },
		"floyd":       func(float64) string { return "name: floyd, overlap: true" },
		"convolution": func(float64) string { return "name: convolution, scatter: binomial, alltoall: linear" },
	} {
		t.Run(name, func(t *testing.T) {
			one, two := mustIso(t, scenariotest.Study(t, scaled(1, workload(1)))), mustIso(t, scenariotest.Study(t, scaled(2, workload(2))))
			for i, a := range one.Systems {
				b := two.Systems[i]
				if a.N != b.N || !near(a.SpeedEfficiency, b.SpeedEfficiency) || !near(2*a.MarkedSpeed, b.MarkedSpeed) {
					t.Errorf("%s: n = %d and %d, efficiency %v and %v", a.Name, a.N, b.N, a.SpeedEfficiency, b.SpeedEfficiency)
				}
				for _, times := range [][2]float64{{a.Time, b.Time}, {a.Compute, b.Compute}, {a.Overhead, b.Overhead}, {a.Wait, b.Wait}} {
					expect.That(t, near(times[0], 2*times[1]),
						"%s: %v s becomes %v s, want half", a.Name, times[0], times[1])
				}
				if i > 0 && !near(one.Psi[i-1].Psi, two.Psi[i-1].Psi) {
					t.Errorf("psi is %v and %v", one.Psi[i-1].Psi, two.Psi[i-1].Psi)
				}
			}
			// Twice the speed alone is not twice the machine.
			half := scenariotest.Study(t, scaled(1, workload(1)))
			for i := range half.Machine.Types {
				half.Machine.Types[i].MarkedSpeed *= 2
			}
			if n := mustIso(t, half).Systems[0].N; n <= one.Systems[0].N {
				t.Errorf("with faster processors alone n = %d, before %d: communication costs nothing?", n, one.Systems[0].N)
			}
		})
	}
}

// Messages that cost nothing never make a run less efficient.
func TestIdealNetworkIsAnUpperBound(t *testing.T) {
	checked := 0
	for _, workload := range []string{
		"{name: gauss, n: %d}", "{name: gauss, n: %d, bcast: flat, barrier: linear}",
		"{name: matmul, n: %d}", "{name: matmul, n: %d, scatter: binomial, bcast: flat, gather: binomial}",
		"{name: floyd, n: %d}", "{name: floyd, n: %d, overlap: true, bcast: chain}",
		"{name: convolution, n: %d}", "{name: convolution, n: %d, transposes: false, alltoall: bruck}",
	} {
		for _, n := range []int{3, 10, 100, 300} {
			for _, nodes := range []string{"{blade: 1}", "{blade: 2}", "{server: 1, blade: 5, v210: 3}"} {
				set := []input.Override{{Path: "workload", Value: fmt.Sprintf(workload, n)}, {Path: "nodes", Value: nodes}}
				real := runFile(t, append(set, input.Override{Path: "network", Value: "hockney"})...)
				ideal := runFile(t, append(set, input.Override{Path: "network", Value: "ideal"})...)
				expect.That(t, ideal.SpeedEfficiency >= real.SpeedEfficiency*(1-1e-12),
					"%v: ideal %v, hockney %v", set, ideal.SpeedEfficiency, real.SpeedEfficiency)
				expect.That(t, real.Messages <= 0 || ideal.SpeedEfficiency > real.SpeedEfficiency,
					"%v: %d messages cost nothing", set, real.Messages)
				checked++
			}
		}
	}
	expect.That(t, checked == 8*4*3, "checked %d cases", checked)
}
