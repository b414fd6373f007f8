package run

import (
	"fmt"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/answer/efficiencies"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/internal/expect"
)

// What a change saves is what a run of a file with that change saves.
func TestWhatIfEqualsReruns(t *testing.T) {
	const text = `
machine:
  node_types: {n: {cores: 2, marked_speed: %g Gflop/s, memory_bandwidth: %g GB/s}}
  nodes: [{type: n, count: 6}]
  network: {latency: %g us, bandwidth: %g GB/s, topology: star, send_overhead: %g us, recv_overhead: %g us}
placement: {n: 2}
network: %s
seed: 3
workload: {application: a.yaml}
`
	const program = `
application: x
parameters: {n: 3}
work: 60 Mflop
program:
- imbalance: 0.3
- repeat: 5
  do: [{compute: {flop: 1 Mflop, bytes: 1 MB}}, {allreduce: 80 kB}, {alltoall: 20 kB}]
`
	type figures struct {
		speed, memory, latency, bandwidth, overhead float64
		network                                     string
	}
	run := func(f figures, o Options) *Result {
		scenarioText := fmt.Sprintf(text, f.speed, f.memory, f.latency, f.bandwidth, f.overhead, f.overhead, f.network)
		s := expect.Value(scenario.Documents{"s.yaml": []byte(scenarioText), "a.yaml": []byte(program)}.Read("s.yaml", nil))(t)
		return expect.Value(Run(t.Context(), s, o))(t)
	}
	for _, network := range []string{"hockney", "loggops", "flow"} {
		base := figures{2, 4, 20, 1, 1, network}
		x := run(base, Options{WhatIf: true})
		effects := map[string]efficiencies.Effect{}
		for _, e := range x.WhatIf {
			effects[e.Change] = e
		}
		for change, better := range map[string]func(f *figures){
			"half the latency":               func(f *figures) { f.latency /= 2 },
			"twice the bandwidth":            func(f *figures) { f.bandwidth *= 2 },
			"half the overhead of messages":  func(f *figures) { f.overhead /= 2 },
			"memory bandwidth twice as fast": func(f *figures) { f.memory *= 2 },
			"cores twice as fast":            func(f *figures) { f.speed *= 2 },
			"a network free of cost":         func(f *figures) { f.network = "ideal" },
		} {
			f := base
			better(&f)
			if network == "flow" && f.network == "ideal" {
				continue // which gives processes equal shares of memory
			}
			e, ok := effects[change]
			y := run(f, Options{})
			expect.That(t, ok, "%s: no %s", network, change)
			expect.Close(t, e.Makespan, y.Makespan, 1e-12, "%s: %s", network, change)
			expect.Close(t, e.Saves, 1-y.Makespan/x.Makespan, 1e-9, "%s: %s saves", network, change)
		}
	}
}

// Slow codes whose cause is known: it is named first, with its cure.
func TestSlowCodesAreDiagnosed(t *testing.T) {
	const machine = `
machine:
  node_types: {n: {cores: 1, marked_speed: 1 Gflop/s, memory_bandwidth: 4 GB/s}, slow: {cores: 1, marked_speed: 0.4 Gflop/s, memory_bandwidth: 4 GB/s}}
  nodes: [{type: n, count: %d}, {type: slow, count: 1}]
  network: {latency: 5 us, bandwidth: 1 GB/s, topology: star}
nodes: {n: %d, slow: %d}
network: %s
workload: {application: a.yaml}
`
	for _, c := range []struct {
		name, network, program string
		slow                   int
		cause, cure            string
	}{
		{"one process computes twice as much", "hockney",
			"- repeat: 10\n  do: [{compute: '(1 + floor(rank/15)) * 1 Mflop'}, {barrier: {}}]", 0,
			"load imbalance", "equal loads of processes"},
		{"loads that change from step to step", "hockney",
			"- noise: 0.6\n- repeat: 40\n  do: [{compute: 1 Mflop}, {barrier: {}}]", 0,
			"load imbalance that changes from step to step", "equal loads of processes at every step"},
		{"messages to one process share its link", "{name: flow, eager_limit: none}",
			"- repeat: 5\n  do: [{compute: 0.1 Mflop}, {gather: {size: 1 MB, algorithm: flat}}]", 0,
			"contention for links", "links for each message alone"},
		{"one process computes before it sends to all others, which wait", "hockney",
			"- repeat: 10\n  do: [{compute: '(1 - min(rank, 1)) * 5 Mflop'}, {bcast: 8 B}, {compute: 1 Mflop}]", 0,
			"load imbalance", "equal loads of processes"},
		{"small messages", "hockney",
			"- repeat: 50\n  do: [{compute: 1 kflop}, {allreduce: {size: 8 B, algorithm: recursive-doubling}}]", 0,
			"the latency of messages", "half the latency"},
		{"computations wait for memory", "hockney",
			"- repeat: 5\n  do: [{compute: {flop: 1 Mflop, bytes: 40 MB}}, {barrier: {}}]", 0,
			"memory bandwidth", "memory bandwidth twice as fast"},
		{"a broadcast one after the other", "hockney",
			"- repeat: 5\n  do: [{compute: 0.1 Mflop}, {bcast: {size: 1 MB, algorithm: flat}}]", 0,
			"the algorithm of bcast", ""},
		{"one slow node", "hockney",
			"- repeat: 10\n  do: [{compute: 1 Mflop}, {barrier: {}}]", 1,
			"slow processes", "no process slower than the median one"},
	} {
		app := "application: x\nparameters: {n: 1}\nwork: 1 Mflop\nprogram:\n" + c.program + "\n"
		text := fmt.Sprintf(machine, 16-c.slow, 16-c.slow, c.slow, c.network)
		s := expect.Value(scenario.Documents{"s.yaml": []byte(text), "a.yaml": []byte(app)}.Read("s.yaml", nil))(t)
		r := expect.Value(Run(t.Context(), s, Options{WhatIf: true}))(t)
		best := r.WhatIf[0]
		expect.That(t, strings.Contains(strings.ToLower(r.Report().Lead[0]), c.cause+" costs most"), "%s: %s", c.name, r.Report().Lead[0])
		expect.That(t, best.Cause == c.cause && (c.cure == "" || best.Change == c.cure), "%s: %+v", c.name, r.WhatIf)
	}
}

// Processes compute one after the other, 1 ms each: nothing that is tried helps, and the efficiencies say why.
func TestSerialChainIsDiagnosed(t *testing.T) {
	const program = "application: x\nparameters: {n: 1}\nwork: 8 Mflop\nprogram:\n- when: rank > 0\n  do: [{recv: {from: rank - 1, size: 8 B}}]\n- compute: 1 Mflop\n- when: rank < p - 1\n  do: [{send: {to: rank + 1, size: 8 B}}]\n"
	text := fmt.Sprintf(twoSpeeds, 1, 7, 1, 1, "hockney", 1, "{application: a.yaml}")
	s := expect.Value(scenario.Documents{"s.yaml": []byte(text), "a.yaml": []byte(program)}.Read("s.yaml", nil))(t)
	r := expect.Value(Run(t.Context(), s, Options{WhatIf: true}))(t)
	other := *r.Efficiencies
	other.Serialisation = 1
	expect.That(t, strings.HasPrefix(efficiencies.Helps(r.WhatIf, &other), "No change that was tried saves 1 %"), "%s", efficiencies.Helps(r.WhatIf, &other))
	expect.Close(t, r.Efficiencies.Serialisation, 1./8, 1e-12, "serialisation")
	expect.That(t, strings.HasPrefix(r.Helps(), "Serialisation costs most"), "%s", r.Helps())
}

// Ranks on nodes of two exchange 1 MB with that half of all ranks away: 1 ms between nodes beside computations of 0.1 ms,
// and a hundredth of that where cyclic order puts both on one node.
func TestBadMappingIsDiagnosed(t *testing.T) {
	const program = "application: x\nparameters: {n: 1}\nwork: 8 Mflop\nprogram:\n- repeat: 10\n" +
		"  do: [{compute: 0.1 Mflop}, {sendrecv: {to: (rank + p/2) % p, from: (rank + p/2) % p, size: 1 MB}}]\n"
	const text = `
machine:
  node_types: {n: {cores: 2, marked_speed: 1 Gflop/s}}
  nodes: [{type: n, count: 8}]
  network: {latency: 1 us, bandwidth: 1 GB/s, on_node: {latency: 0.1 us, bandwidth: 100 GB/s}}
placement: {n: 2}
network: hockney
workload: {application: a.yaml}
`
	s := expect.Value(scenario.Documents{"s.yaml": []byte(text), "a.yaml": []byte(program)}.Read("s.yaml", nil))(t)
	r := expect.Value(Run(t.Context(), s, Options{WhatIf: true}))(t)
	expect.Equal(t, r.WhatIf[0].Change, "rank order cyclic", "best")
	expect.That(t, strings.Contains(strings.ToLower(r.Report().Lead[0]), "the order of the ranks costs most"), "%s", r.Report().Lead[0])
	expect.Close(t, r.Makespan, 10*(1e-4+1e-3+1e-6), 1e-9, "time")
	expect.Close(t, r.WhatIf[0].Makespan, 10*(1e-4+1e-5+1e-7), 1e-9, "time in cyclic order")
}
