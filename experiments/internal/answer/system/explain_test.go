package system

import (
	"math"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/experiments/internal/scenario/cluster"
	"github.com/isoscale/isoscale/experiments/internal/scenario/scenariotest"
	"github.com/isoscale/isoscale/internal/expect"
)

// Process 0 computes for 3 ms and sends 1 MB, which takes 1.01 ms, to process 1, which waits for it and computes for 1
// ms. Process 0 then has nothing to do. The time is 5.01 ms under each network, on which there is one message.
func TestOutcomesThatExplain(t *testing.T) {
	const machine = `
machine:
  node_types: {n: {marked_speed: 1 Gflop/s}}
  nodes: [{type: n, count: 2}]
  network: {latency: 10 us, bandwidth: 1 GB/s, topology: star}
workload: {application: a.yaml}
network: `
	const application = `
application: pass
work: 4 Mflop
program:
  - when: rank == 0
    do: [{compute: 3 Mflop}, {send: {to: 1, size: 1 MB}}]
    else: [{recv: {from: 0}}, {compute: 1 Mflop}]
`
	const T = 5.01
	want := map[string]float64{
		"wait_late_sender": 3.0 / 2 / T, "wait_transfer": 1.01 / 2 / T, "wait_idle_at_the_end": 2.01 / 2 / T,
		"share_of_speed": 4 / T, "share_of_latency": 0.01 / T, "share_of_bandwidth": 1 / T, "hidden_share": math.NaN(),
	}
	for _, network := range []string{"hockney", "{name: flow, eager_limit: none}"} {
		s := scenariotest.Application(t, machine+network, application)
		more := More{Explained: Explained{Waits: true, Sensitivities: true}}
		values := expect.Value(RunCaseWithin(t.Context(), &scenario.Case{Scenario: s}, more, cluster.NoLimit))(t)
		for i, o := range outcomesOf(more)[len(outcomes):] {
			x := values[len(outcomes)+i]
			if network != "hockney" && o.Lacking != "" || math.IsNaN(want[o.Name]) {
				expect.That(t, math.IsNaN(x), "%s under %s: %v", o.Name, network, x)
				continue
			}
			expect.That(t, math.Abs(x-want[o.Name]) < 1e-9, "%s: %s is %v, want %v", network, o.Name, x, want[o.Name])
		}
	}
}

// hidden returns the hidden share and the time of a scenario.
func hidden(t *testing.T, text, application string) (share, time float64) {
	t.Helper()
	s := scenariotest.Application(t, text, application)
	x := expect.Value(expect.Value(New(s))(t).Explain(t.Context(), s.Workload.N, Explained{Waits: true}))(t)
	if x.Why.Waits.Hidden == nil {
		return math.NaN(), float64(x.Makespan)
	}
	return *x.Why.Waits.Hidden, float64(x.Makespan)
}

// An allreduce of 1 kB among two processes takes 2 us. The work of streams for which no process waits is hidden.
func TestHiddenShareByHand(t *testing.T) {
	const machine = "machine: {node_types: {n: {marked_speed: 1 Gflop/s}}, nodes: [{type: n, count: 2}], network: {latency: 1 us, bandwidth: 1 GB/s}}\n" +
		"workload: {application: a.yaml}\nnetwork: hockney\n"
	for _, tt := range []struct {
		program string
		want    float64
	}{
		{"[{iallreduce: {size: 1 kB, request: a}}, {compute: 5 kflop}, {wait: a}]", 1},
		{"[{iallreduce: {size: 1 kB, request: a}}, {compute: 500 flop}, {wait: a}, {compute: 9 kflop}]", 0.25},
		{"[{iallreduce: {size: 1 kB, request: a}}, {wait: a}]", 0},
		{"[{iallreduce: 1 kB}, {compute: 1 kflop}]", 0.5}, // it goes on for 1 us after the end
		// Two of 2 us, one behind the other: 3 of 4 us while the process computes.
		{"[{iallreduce: {size: 1 kB, request: a}}, {iallreduce: {size: 1 kB, request: b}}, {compute: 3 kflop}, {wait: a}, {wait: b}]", 0.75},
		// Process 1 comes 1 us later, where the message of process 0 arrives at 2 us and its own at 3 us: of 3 us
		// process 0 waits for one behind its computation of 2 us, and process 1 for its only one.
		{"[{when: rank == 1, do: [{compute: 1 kflop}]}, {iallreduce: 1 kB}, {when: rank == 0, do: [{compute: 2 kflop}]}, {wait: all}]", 1 - (1.+1)/(3+1)},
		{"[{allreduce: 1 kB}]", math.NaN()},
	} {
		got, _ := hidden(t, machine, "application: a\nwork: 0\nprogram: "+tt.program)
		expect.That(t, math.Abs(got-tt.want) < 1e-9 || math.IsNaN(got) && math.IsNaN(tt.want), "%s: %v, want %v", tt.program, got, tt.want)
	}
}

// If a stream does the reduce-scatter, a training step is shorter by the hidden share of it. Without latencies the
// latter takes 2 B for each of P = 4 (4 h^2 + 3 h f) + 2 V h parameters, half of them to the other device, at 1 GB/s.
func TestHiddenShareOfGradients(t *testing.T) {
	const h, f, v = 1024.0, 4096.0, 2048.0
	traffic := (4*(4*h*h+3*h*f) + 2*v*h) * 2 / 2 / 1e9
	step := func(overlap string) (share, time float64) {
		return hidden(t, `
machine:
  node_types: {n: {marked_speed: 1 Gflop/s, devices: {count: 1, speed: {bf16: 10 Tflop/s}, link: {latency: 0 s, bandwidth: 100 GB/s}}}}
  nodes: [{type: n, count: 2}]
  network: {latency: 0 s, bandwidth: 1 GB/s}
placement: {n: {on: devices}}
network: hockney
workload: {name: transformer, n: 4, layers: 4, hidden: 1024, heads: 8, ffn: 4096, vocabulary: 2048, sequence: 1024, sustained: 1, overlap: `+overlap+`}
`, "")
	}
	none, alone := step("none")
	share, beside := step("gradients")
	expect.That(t, math.IsNaN(none) && share > 0.3 && share < 1, "hidden: %v without a stream, %v with one", none, share)
	expect.That(t, math.Abs(alone-beside-share*traffic) < 1e-9*alone, "%v s less, want %v of %v s", alone-beside, share, traffic)
}
