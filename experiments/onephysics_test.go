package experiments_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/answer/iso"
	"github.com/isoscale/isoscale/experiments/internal/answer/run"
	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/experiments/internal/buy/search"
	"github.com/isoscale/isoscale/experiments/internal/scenario/scenariotest"
	"github.com/isoscale/isoscale/internal/expect"
)

// physics is one case for every command: matrix multiplication of order 2000 on all
// cores of 2 nodes with 4 cores of 10 Gflop/s each.
type physics struct {
	memory       string  // bandwidth of a node; "": not known
	bytesPerFlop float64 // of the workload
	network      string
	parts        parts // of a node, if they are others
}

// parts describe what the processes of a node run on: the node in a scenario and in a
// plan, and their placement.
type parts struct{ machine, plan, placement string }

// cores are the parts of a node of 4 cores.
func (p physics) cores() parts {
	return parts{
		machine:   "cores: 4, marked_speed: 10 Gflop/s" + p.bandwidth(),
		plan:      "cores: 4, marked_speed: 10 Gflop/s, memory: 1 TB" + p.bandwidth(),
		placement: "4",
	}
}

// node returns the parts of a node.
func (p physics) node() parts {
	if p.parts == (parts{}) {
		return p.cores()
	}
	return p.parts
}

func (p physics) bandwidth() string {
	if p.memory == "" {
		return ""
	}
	return ", memory_bandwidth: " + p.memory
}

// scenario is the case as run and sweep read it; with an empty size, the part of it
// that a study has too.
func (p physics) scenario(size string) string {
	return fmt.Sprintf(`
machine:
  node_types: {node: {%s}}
  nodes: [{type: node, count: 2}]
  network: {latency: 2 us, bandwidth: 1 GB/s, topology: star, on_node: {latency: 0.5 us, bandwidth: 8 GB/s}}
placement: {node: %s}
network: %s
workload: {name: matmul, sustained: 1, bytes_per_flop: %g%s}
`, p.node().machine, p.node().placement, p.network, p.bytesPerFlop, size)
}

// run returns the time that run gives.
func (p physics) run(t *testing.T) float64 {
	t.Helper()
	r := expect.Value(run.Run(context.Background(), scenariotest.Scenario(t, p.scenario(", n: 2000")), run.Options{}))(t)
	expect.That(t, p.network == "flow" || len(r.Warnings) <= 0, "%+v: warnings %q", p, r.Warnings)
	return r.Makespan
}

// sweep returns the time that a point of a sweep has.
func (p physics) sweep(t *testing.T) float64 {
	t.Helper()
	tpl := template(t, p.scenario(", n: 100"), nil)
	c := expect.Value(tpl.Case(1, change(t, "workload.n", "2000")))(t)
	values := expect.Value(system.RunCase(context.Background(), c))(t)
	for i, o := range system.Outcomes(tpl, system.More{}) {
		if o.Name == "time" {
			return values[i]
		}
	}
	t.Fatal("a sweep has no time")
	return 0
}

// iso returns the time that a study simulates at that size, to compare with a
// measured one.
func (p physics) iso(t *testing.T) float64 {
	t.Helper()
	r := expect.Value(iso.Run(context.Background(), scenariotest.Study(t, p.scenario("")+`
target_efficiency: 0.1
systems: [{name: S, nodes: {node: 2}}]
compare: {source: none, times: [{system: S, n: 2000, time: 1 s}]}
`), nil, nil))(t)
	return r.Comparison.Times[0].Simulated
}

// plan returns the time of the only machine of a plan.
func (p physics) plan(t *testing.T) float64 {
	t.Helper()
	file := filepath.Join(t.TempDir(), "plan.yaml")
	text := fmt.Sprintf(`
budget: {money: 1000000 EUR}
model: %s
nodes: {node: {%s, power: 100 W, price: 1 EUR}}
networks: {wire: {latency: 2 us, bandwidth: 1 GB/s, price_per_port: 1 EUR, switch: {price: 1 EUR, ports: 8}}}
on_node: {latency: 0.5 us, bandwidth: 8 GB/s}
counts: [2]
workloads: [{name: w, weight: 1, run: {name: matmul, n: 2000, bytes_per_flop: %g}}]
robustness: {samples: 1}
`, p.network, p.node().plan, p.bytesPerFlop)
	expect.Success(t, os.WriteFile(file, []byte(text), 0o666))
	read := expect.Value(model.Read(file, nil))(t)
	r := expect.Value(search.Solve(context.Background(), read, search.Options{Jobs: 1}))(t)
	return r.Ranking[0].Workloads[0].Time
}

// The same case takes the same time whoever asks. Each process has 5 GB/s, which at
// 4 byte/flop feed 1.25 Gflop/s: the 16 Gflop take 1.6 s on 8 processes. Messages come
// on top; equal shares are within 1 % of the exact sharing under flow.
func TestEveryCommandHasTheSamePhysics(t *testing.T) {
	const computing = 16e9 / (8 * 1.25e9)
	exact := physics{memory: "20 GB/s", bytesPerFlop: 4, network: "flow"}.run(t)
	for _, network := range []string{"hockney", "loggops", "ideal", "flow"} {
		p := physics{memory: "20 GB/s", bytesPerFlop: 4, network: network}
		want := p.run(t)
		for command, got := range map[string]float64{"sweep": p.sweep(t), "iso": p.iso(t), "plan": p.plan(t)} {
			expect.That(t, got == want, "%s: %s takes %v s, run %v s", network, command, got, want)
		}
		expect.That(t, want >= computing && (network == "ideal" || math.Abs(want/exact-1) <= 0.01),
			"%s: %v s; computation takes %v s, and flow %v s", network, want, computing, exact)
	}
}

// The same holds if processes have threads, and if they run on accelerators: 4 of 4
// devices of 1 Tflop/s and 2 TB/s each, and 3 of them at another precision.
func TestEveryCommandHasTheSameProcesses(t *testing.T) {
	const devices = "devices: {count: 4, speed: {fp64: 1 Tflop/s, bf16: 3 Tflop/s}, memory: 80 GB, memory_bandwidth: 2 TB/s, link: {latency: 1 us, bandwidth: 100 GB/s}}"
	const cores = "cores: 12, marked_speed: 10 Gflop/s, memory_bandwidth: 20 GB/s"
	for _, parts := range []parts{
		{cores, cores + ", memory: 1 TB, processes_per_node: 2, threads_per_process: 5", "{processes: 2, threads: 5}"},
		{"marked_speed: 1 Gflop/s, nics: 4, " + devices, "nics: 4, " + devices, "{on: devices}"},
		{"marked_speed: 1 Gflop/s, nics: 4, " + devices, "nics: 4, processes_per_node: 3, precision: bf16, " + devices, "{on: devices, processes: 3, precision: bf16}"},
	} {
		for _, network := range []string{"hockney", "loggops", "ideal", "flow"} {
			p := physics{bytesPerFlop: 0.5, network: network, parts: parts}
			want := p.run(t)
			times := map[string]float64{"sweep": p.sweep(t), "plan": p.plan(t)}
			if network != "ideal" { // where every size has the same efficiency
				times["iso"] = p.iso(t)
			}
			for command, got := range times {
				expect.That(t, got == want,
					"%s, %s: %s takes %v s, run %v s", network, parts.placement, command, got, want)
			}
		}
	}
}

// Memory changes nothing where it is not the bottleneck; where it is, time is traffic
// over bandwidth, under every network model.
func TestMemoryLimitsEveryNetworkModel(t *testing.T) {
	for _, network := range []string{"hockney", "loggops", "ideal"} {
		free := physics{memory: "", bytesPerFlop: 0, network: network}.run(t)
		for _, p := range []physics{
			{memory: "", bytesPerFlop: 4, network: network},           // bandwidth not known
			{memory: "20 GB/s", bytesPerFlop: 0, network: network},    // no traffic
			{memory: "20 GB/s", bytesPerFlop: 0.4, network: network},  // the ridge is at 0.5 byte/flop
			{memory: "1600 GB/s", bytesPerFlop: 40, network: network}, // and here at 40
		} {
			got := p.run(t)
			expect.That(t, got == free, "%+v: %v s, without limit %v s", p, got, free)
		}
		// What is not computation stays as it is: 16 Gflop in 0.2 s without limit.
		rest := free - 0.2
		for _, tt := range []struct {
			physics
			computing float64 // 16 Gflop times the traffic over all bandwidth
		}{
			{physics{memory: "20 GB/s", bytesPerFlop: 4, network: network}, 1.6},
			{physics{memory: "10 GB/s", bytesPerFlop: 4, network: network}, 3.2},
			{physics{memory: "20 GB/s", bytesPerFlop: 8, network: network}, 3.2},
			{physics{memory: "40 GB/s", bytesPerFlop: 8, network: network}, 1.6},
		} {
			got := tt.run(t)
			expect.That(t, near(got, tt.computing+rest), "%+v: %v s, want %v s", tt.physics, got, tt.computing+rest)
		}
	}
}

// The time goes to the same places whoever asks: run, a point of a sweep, a system of iso.
func TestEfficienciesOfEveryCommand(t *testing.T) {
	const text = `
machine:
  node_types: {node: {cores: 4, marked_speed: 2 Gflop/s, memory_bandwidth: 10 GB/s}}
  nodes: [{type: node, count: 3}]
  network: {latency: 2 us, bandwidth: 1 GB/s, topology: star}
placement: {node: 4}
network: %s
workload: {name: matmul, bytes_per_flop: 1%s}
`
	for _, network := range []string{"hockney", "flow"} {
		r := expect.Value(run.Run(t.Context(), scenariotest.Scenario(t, fmt.Sprintf(text, network, ", n: 500")), run.Options{Efficiencies: true}))(t)
		want := *r.Efficiencies

		tpl := template(t, fmt.Sprintf(text, network, ", n: 500"), nil)
		more := system.More{Explained: system.Explained{Efficiencies: true}}
		values := expect.Value(system.RunCaseWithin(t.Context(), expect.Value(tpl.Case(1))(t), more, 1e12))(t)
		got := map[string]float64{}
		for i, o := range system.Outcomes(tpl, more) {
			got[o.Name] = values[i]
		}
		for name, x := range map[string]float64{"parallel_efficiency": want.Parallel, "load_balance": want.LoadBalance,
			"serialisation_efficiency": want.Serialisation, "transfer_efficiency": want.Transfer} {
			expect.Equal(t, got[name], x, "%s: sweep: %s", network, name)
		}
		if network == "flow" {
			expect.Equal(t, got["contention_efficiency"], want.Contention, "sweep: contention")
		}

		s := scenariotest.Study(t, fmt.Sprintf(text, network, "")+fmt.Sprintf(
			"target_efficiency: %.17g\nsizes: {from: 400, to: 600}\nsystems: [{name: S, nodes: {node: 3}}]\n", r.SpeedEfficiency))
		priced := network != "flow"
		x := expect.Value(iso.RunExplained(t.Context(), s, nil, system.Explained{Waits: true, Sensitivities: priced}, false, nil))(t)
		expect.Equal(t, *x.Systems[0].Efficiencies, want, "%s: iso", network)
		alone := expect.Value(run.Run(t.Context(), scenariotest.Scenario(t, fmt.Sprintf(text, network, fmt.Sprintf(", n: %d", x.Systems[0].N))), run.Options{Waits: true, Sensitivities: priced}))(t)
		expect.Same(t, x.Systems[0].Waits.Classes, alone.Waits.Classes, "%s: waits of iso", network)
		expect.That(t, len(alone.Waits.Classes) > 0 && len(x.Systems[0].Waits.Ranks) == 0, "%+v", x.Systems[0].Waits)
		if priced {
			expect.Equal(t, len(x.Systems[0].Sensitivities.Parameters), len(alone.Sensitivities.Parameters), "sensitivities of iso")
			for i, p := range alone.Sensitivities.Parameters {
				expect.Equal(t, x.Systems[0].Sensitivities.Parameters[i].Derivative, p.Derivative, "%s", p.Parameter)
			}
		}
		_, err := iso.RunExplained(t.Context(), s, nil, system.Explained{Sensitivities: true}, false, nil)
		expect.That(t, (err == nil) == priced, "%s: %v", network, err)
	}
}
