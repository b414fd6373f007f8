package efficiencies_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/answer/efficiencies"
	"github.com/isoscale/isoscale/experiments/internal/answer/run"
	"github.com/isoscale/isoscale/experiments/internal/scenario/scenariotest"
	"github.com/isoscale/isoscale/internal/expect"
)

// ran runs a scenario, which may name the application a.yaml.
func ran(t *testing.T, text, application string, o run.Options) *run.Result {
	t.Helper()
	return expect.Value(run.Run(t.Context(), scenariotest.Application(t, text, application), o))(t)
}

// For random work on every network model, the ideal time is that of the same scenario with network ideal. If processes
// compute at equal marked speeds, the parallel efficiency is the work that they computed over T C.
func TestEfficienciesOfRandomWork(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 28))
	for i := range 60 {
		workload, application := scenariotest.RandomWork(r)
		on := func(network string, o run.Options) *run.Result {
			return ran(t, fmt.Sprintf(scenariotest.TwoSpeeds, 1, 3, 4, 20, network, i, workload), application, o)
		}
		x := on([]string{"hockney", "loggops", "flow"}[i%3], run.Options{Efficiencies: true, AllRanks: true})
		ideal := on("ideal", run.Options{})
		e := x.Efficiencies
		expect.Says(t, fmt.Sprint(e.Section().Blocks[0]), fmt.Sprintf("%.4f", e.Transfer))
		expect.Equal(t, e.IdealMakespan, ideal.Makespan, "%s: time on network ideal", workload)
		expect.Close(t, e.LoadBalance*e.Serialisation*e.Transfer, e.Parallel, 1e-12, "%s %s: product", workload, application)
		expect.Close(t, e.Parallel*e.Computation, x.SpeedEfficiency, 1e-12, "%s %s: speed-efficiency", workload, application)
		if e.Contention > 0 {
			expect.Close(t, e.Contention*e.Bandwidth*e.Latency, e.Transfer, 1e-12, "%s %s: product of transfer", workload, application)
		}
		computed := 0.0 // by processes of 1 Gflop/s
		for _, r := range x.Ranks {
			computed += r.Compute * 1e9
		}
		expect.Close(t, e.Parallel, computed/(x.Makespan*x.MarkedSpeed), 1e-9, "%s: work done over T C", workload)
	}
}

// Each of two processes computes 0.2 ms and its stream 1 ms or 5 ms, ten times, one after the other on one core. The
// two compute for 12 and 52 of 52 ms. They draw 100 W, 100 W more while they compute and 50 W more in other operations.
func TestStreamsCompute(t *testing.T) {
	const text = `
machine:
  node_types: {n: {marked_speed: 1 Gflop/s, power: 200 W, wait_power: 150 W, idle_power: 100 W}}
  nodes: [{type: n, count: 2}]
  network: {latency: 1 us, bandwidth: 1 GB/s}
network: %s
workload: {application: a.yaml}
`
	const program = "application: x\nparameters: {n: 1}\nwork: 64 Mflop\nprogram:\n- repeat: 10\n" +
		"  do: [{stream: s, do: [{compute: '(1 + 4*rank) * 1 Mflop'}]}, {compute: 0.2 Mflop}, {join: s}, {barrier: {}}]\n"
	for _, network := range []string{"ideal", "flow"} {
		x := ran(t, fmt.Sprintf(text, network), program, run.Options{Efficiencies: true, WhatIf: true, CriticalPath: true, Waits: true})
		e, long := x.Efficiencies, x.Makespan // of which barriers take 0.02 %
		expect.Close(t, long, 52e-3, 1e-3, "%s: time", network)
		for what, got := range map[string][2]float64{
			"load balance": {e.LoadBalance, 32. / 52}, "communication": {e.Communication, 52e-3 / long}, "computation": {e.Computation, 1},
			"energy": {float64(x.Energy.Total), 2*100*long + 100*64e-3 + 50*(2*long-64e-3)}, "equal loads": {x.WhatIf[0].Makespan, long - 20e-3},
			"waits caused": {x.Waits.Costs[0].Compute, 40e-3},
		} {
			expect.Close(t, got[0], got[1], 1e-3, "%s: %s", network, what)
		}
		expect.That(t, strings.HasPrefix(x.Cause(), "Computation limits the run: ranks compute for 62 % of the time on average. The largest loss is load imbalance"), "%s: %s", network, x.Cause())
		expect.That(t, !strings.Contains(fmt.Sprint(x.CriticalPath.Kinds), "wait"), "%s: %+v", network, x.CriticalPath.Kinds)
		expect.Equal(t, x.WhatIf[0].Cause, "load imbalance", "%s: cause", network)
	}
}

// A sender waits 1 ms for a receiver that computes, and then computes as long itself. On a network without rendezvous
// it would not wait, so this is transfer, and the report only says that computations follow one another.
func TestWaitsForReceiversAreNoSerialisation(t *testing.T) {
	const program = "application: x\nparameters: {n: 1}\nwork: 20 Mflop\nprogram:\n- repeat: 10\n  do:\n  - when: rank == 0\n    do: [{send: {to: 1, size: 1 kB}}, {compute: 1 Mflop}]\n" +
		"    else: [{compute: 1 Mflop}, {recv: {from: 0}}]\n  - barrier: {}\n"
	text := fmt.Sprintf(scenariotest.TwoSpeeds, 1, 1, 1, 1, "{name: hockney, eager_limit: 0 B}", 1, "{application: a.yaml}")
	x := ran(t, text, program, run.Options{WhatIf: true, CriticalPath: true})
	expect.Equal(t, x.Efficiencies.Serialisation, 1, "serialisation")
	expect.Close(t, x.Efficiencies.Transfer, 0.5, 0.01, "transfer")
	expect.That(t, strings.HasPrefix(x.Cause(), "Waits for computations of others limit the run: computations that follow one another are 100 %"), "%s", x.Cause())
	expect.Equal(t, x.WhatIf[0].Change, "no message waits for its receiver", "what helps")
}

// One process computes 1 ms and is delayed by another: it waits for nobody.
func TestDelaysAreNoWaits(t *testing.T) {
	text := fmt.Sprintf(scenariotest.TwoSpeeds, 1, 1, 0, 1, "hockney", 1, "{application: a.yaml}")
	text = strings.Replace(text, ", {type: fast, count: 0}", "", 1)
	const program = "application: x\nparameters: {n: 1}\nwork: 1 Mflop\nprogram: [{compute: 1 Mflop}, {delay: 1 ms}]\n"
	x := ran(t, text, program, run.Options{WhatIf: true})
	expect.Equal(t, x.Efficiencies.Says(), "Of the factors of the parallel efficiency (50.0 %), serialisation is the lowest (50.0 %): delays take time, "+
		"or processes wait for computations of others, whatever the network.", "what costs most")
	expect.That(t, strings.HasPrefix(x.Helps(), "Serialisation costs most: delays take time"), "%s", x.Helps())
}

// The given cost of collective operations is transfer, like the messages that they stand for: on a network that is free
// of cost they take no time.
func TestGivenCostsAreTransfer(t *testing.T) {
	on := func(network, cost string, o run.Options) *run.Result {
		text := fmt.Sprintf(scenariotest.TwoSpeeds, 1, 3, 1, 10, network, 1, "{name: gauss, n: 60, bcast: {base: "+cost+"}, barrier: {base: "+cost+"}}")
		return ran(t, text, "", o)
	}
	e := on("hockney", "1 ms", run.Options{Efficiencies: true}).Efficiencies
	free := on("ideal", "0 s", run.Options{Efficiencies: true})
	expect.That(t, e.IdealMakespan == free.Makespan && free.Makespan > 0, "without costs %v s, want %v s", e.IdealMakespan, free.Makespan)
	expect.Close(t, e.Serialisation, free.Efficiencies.Serialisation, 1e-12, "serialisation")
	expect.That(t, e.Transfer < 0.1, "transfer %v, where 60 ms at least go to operations of 1 ms each", e.Transfer)
}

// Three processes compute 1 s and send 1 MB each to a fourth, which computes as long and has one link of 1 GB/s: after
// 10 us the messages take 3 ms together, alone 1 ms each.
func TestTransferIsDivided(t *testing.T) {
	const program = "application: x\nparameters: {n: 1}\nwork: 4 Gflop\nprogram:\n- compute: 1 Gflop\n- gather: {size: 1 MB, algorithm: flat}\n"
	text := fmt.Sprintf(scenariotest.TwoSpeeds, 1, 3, 1, 10, "{name: flow, eager_limit: none}", 1, "{application: a.yaml}")
	x := ran(t, text, program, run.Options{Efficiencies: true})
	e := x.Efficiencies
	expect.Close(t, x.Makespan, 1+10e-6+3e-3, 1e-9, "time")
	expect.Close(t, e.Contention, (1+10e-6+1e-3)/(1+10e-6+3e-3), 1e-9, "contention")
	expect.Close(t, e.Bandwidth, (1+10e-6)/(1+10e-6+1e-3), 1e-9, "bandwidth")
	expect.Close(t, e.Latency, 1/(1+10e-6), 1e-9, "latency")
	expect.Equal(t, e.Says(), "", "no factor costs a hundredth")
	e.Contention, e.Parallel = 0.98, 0.98*e.Parallel
	expect.That(t, strings.HasPrefix(e.Says(), "Of the factors of the parallel efficiency (97.7 %), contention is the lowest (98.0 %)"), "%s", e.Says())
}

// Eight processes of 2 Gflop/s share 10 GB/s and move 4 byte for each flop: they compute at 0.3125 Gflop/s.
func TestMemoryBandwidthIsAnEfficiency(t *testing.T) {
	const text = `
machine:
  node_types: {n: {cores: 8, marked_speed: 2 Gflop/s, memory_bandwidth: 10 GB/s}}
  nodes: [{type: n, count: 4}]
  network: {latency: 5 us, bandwidth: 1 GB/s}
placement: {n: 8}
workload: {name: matmul, n: 320, bytes_per_flop: 4}
network: `
	for _, network := range []string{"hockney", "flow"} {
		x := expect.Value(run.Run(t.Context(), scenariotest.Scenario(t, text+network), run.Options{Efficiencies: true, CriticalPath: true}))(t)
		e := x.Efficiencies
		expect.Close(t, e.MemoryBandwidth, 0.3125/2, 1e-9, "%s: memory bandwidth", network)
		expect.Close(t, e.Computation, e.MemoryBandwidth, 1e-9, "%s: all of computation", network)
		expect.That(t, strings.HasPrefix(e.Says(), "Memory bandwidth costs more than any factor"), "%s", e.Says())
		expect.That(t, strings.HasPrefix(x.Cause(), "Memory bandwidth limits the run: ranks compute for"), "%s", x.Cause())
	}
	// A value that is not known is not shown as 0.
	known := &efficiencies.Efficiencies{Parallel: 0.5, Computation: 0.4, MemoryBandwidth: 0.5}
	rows := efficiencies.Table(efficiencies.Named{Name: "a", Efficiencies: known},
		efficiencies.Named{Name: "b", Efficiencies: &efficiencies.Efficiencies{Parallel: 0.5, Computation: 0.4}}).Rows
	expect.List(t, rows[len(rows)-1], []string{". work and speed", "0.8000 fair", "-"}, "the last row")
	// No memory is moved, or nobody knows how long computations would take in cores that processes share.
	for _, changed := range []string{strings.Replace(text, ", bytes_per_flop: 4", "", 1) + "hockney",
		strings.Replace(text, "{n: 8}", "{n: 16}", 1) + "flow", strings.Replace(text, "{name: matmul, n: 320, bytes_per_flop: 4}", "{application: a.yaml}", 1) + "flow"} {
		const program = "application: x\nparameters: {n: 1}\nwork: 32 Mflop\nprogram: [{compute: 1 Mflop}]\n"
		e := ran(t, changed, program, run.Options{Efficiencies: true}).Efficiencies
		expect.That(t, e.MemoryBandwidth == 0 && e.ComputationLine(nil) == "", "%s: %+v", changed, e)
	}
}
