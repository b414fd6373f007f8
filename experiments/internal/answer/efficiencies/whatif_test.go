package efficiencies_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/answer/efficiencies"
	"github.com/isoscale/isoscale/experiments/internal/answer/run"
	"github.com/isoscale/isoscale/experiments/internal/scenario/scenariotest"
	"github.com/isoscale/isoscale/internal/expect"
)

// tried returns the effect of a change, or of the first one for a cause; the zero effect if it was not tried.
func tried(r *run.Result, of string) efficiencies.Effect {
	for _, e := range r.WhatIf {
		if e.Change == of || e.Cause == of {
			return e
		}
	}
	return efficiencies.Effect{}
}

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
	rerun := func(f figures, o run.Options) *run.Result {
		scenarioText := fmt.Sprintf(text, f.speed, f.memory, f.latency, f.bandwidth, f.overhead, f.overhead, f.network)
		return ran(t, scenarioText, program, o)
	}
	for _, network := range []string{"hockney", "loggops", "flow"} {
		base := figures{2, 4, 20, 1, 1, network}
		x := rerun(base, run.Options{WhatIf: true})
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
			e, y := tried(x, change), rerun(f, run.Options{})
			expect.Close(t, e.Makespan, y.Makespan, 1e-12, "%s: %s", network, change)
			expect.Close(t, e.Saves, 1-y.Makespan/x.Makespan, 1e-9, "%s: %s saves", network, change)
		}
	}
}

// The same holds where laws of accelerators give the cost of collectives, by cards, links, relays and switches.
func TestWhatIfOfLaws(t *testing.T) {
	const text = `
machine:
  node_types:
    g:
      cores: 4
      marked_speed: 10 Gflop/s
      nics: 2
      nic: %g GB/s
      devices: {count: 4, speed: {fp64: 10 Tflop/s}, link: {latency: %g us, bandwidth: %g GB/s}, relay: {latency: %g us, bandwidth: %g GB/s},
        switch_reduction: 150 GB/s, switch_latency: %g us}
  nodes: [{type: g, count: 4}]
  network: {latency: %g us, bandwidth: %g GB/s, switch_reduction: true}
placement: {g: {on: devices}}
network: %s
workload: {application: a.yaml}
`
	const program = "application: x\nparameters: {n: 1}\nwork: 16 Gflop\non: devices\nprogram:\n- compute: 1 Gflop\n- allreduce: {size: 40 MB, algorithm: %s}\n- allgather: 1 MB\n"
	for _, algorithm := range []string{"rails", "double-tree", "in-switch", "nccl"} {
		for _, network := range []string{"hockney", "loggops", "flow"} {
			on := func(slow, wide float64, o run.Options) *run.Result {
				machine := fmt.Sprintf(text, 25*wide, 2*slow, 200*wide, 6*slow, 30*wide, slow, 5*slow, 25*wide, network)
				return ran(t, machine, fmt.Sprintf(program, algorithm), o)
			}
			x := on(1, 1, run.Options{WhatIf: true})
			for change, better := range map[string][2]float64{"half the latency": {0.5, 1}, "twice the bandwidth": {1, 2}} {
				y := on(better[0], better[1], run.Options{})
				expect.Close(t, tried(x, change).Makespan, y.Makespan, 1e-12, "%s, %s: %s", algorithm, network, change)
			}
		}
	}
}

// Slow codes whose cause is known: the report's first line names the cause, and the cure comes first, for any
// number of processes, any network and any scale of times.
func TestSlowCodesAreDiagnosed(t *testing.T) {
	const machine = `
machine:
  node_types:
    n: {cores: 2, marked_speed: 1 Gflop/s, memory_bandwidth: 4 GB/s}
    slow: {cores: 2, marked_speed: 0.4 Gflop/s, memory_bandwidth: 4 GB/s}
  nodes: [{type: n, count: %d}, {type: slow, count: 1}]
  network: {latency: 5 us, bandwidth: 1 GB/s, topology: star, send_overhead: 0.1 us, recv_overhead: 0.1 us, on_node: {latency: 0.1 us, bandwidth: 100 GB/s}}
nodes: {n: %d, slow: %d}
placement: {n: %d, slow: 1}
network: %s
workload: {application: a.yaml}
`
	all := []string{"hockney", "loggops", "flow"}
	for _, c := range []struct {
		name          string
		networks      []string
		slow, perNode int
		program       string // X is a time in us, and flop/kB likewise
		cause, cure   string
	}{
		{"one process computes twice as much", all, 0, 1,
			"- repeat: 10\n  do: [{compute: '(1 + floor(rank/(p-1))) * X kflop'}, {barrier: {}}]",
			"load imbalance", "equal loads of processes"},
		{"one process computes for all, which wait for its broadcast", all, 0, 1,
			"- repeat: 10\n  do: [{compute: '(1 - min(rank, 1)) * 5 * X kflop'}, {bcast: 8 B}, {compute: X kflop}]",
			"load imbalance", "equal loads of processes"},
		{"loads that change from step to step", all, 0, 1,
			"- noise: 0.6\n- repeat: 40\n  do: [{compute: X kflop}, {barrier: {}}]",
			"load imbalance that changes from step to step", "equal loads of processes at every step"},
		// Even ranks compute 2, send, compute 1; odd ones then compute 3: 5 each time, and 3 if the message goes first.
		{"every second process sends late", all, 0, 1,
			"- repeat: 10\n  do:\n  - when: rank % 2 == 0\n    do: [{compute: '2 * X kflop'}, {send: {to: rank + 1, size: 8 B}}, {compute: X kflop}]\n" +
				"    else: [{recv: {from: rank - 1}}, {compute: '3 * X kflop'}]\n  - barrier: {}",
			"late senders", "sends before computations that they do not depend on"},
		// A message depends on what was received and computed before: only smaller messages help.
		{"every second process sends late what it has of the other", all, 0, 1,
			"- repeat: 10\n  do:\n  - when: rank % 2 == 0\n    do: [{recv: {from: rank + 1}}, {compute: '3 * X kflop'}, {send: {to: rank + 1, size: 8 B}}]\n" +
				"    else: [{send: {to: rank - 1, size: 8 B}}, {recv: {from: rank - 1}}, {compute: '3 * X kflop'}]\n  - barrier: {}",
			"late senders", "messages and computations in 4 pieces"},
		{"one process after another", all, 0, 1,
			"- when: rank > 0\n  do: [{recv: {from: rank - 1}}]\n- compute: X kflop\n- when: rank < p - 1\n  do: [{send: {to: rank + 1, size: 8 B}}]",
			"a serial chain", "messages and computations in 4 pieces"},
		{"sweeps from process to process, and back", all, 0, 1,
			"- repeat: 3\n  do:\n  - when: rank > 0\n    do: [{recv: {from: rank - 1}}]\n  - compute: X kflop\n  - when: rank < p - 1\n    do: [{send: {to: rank + 1, size: 8 B}}, {recv: {from: rank + 1}}]\n" +
				"  - compute: X kflop\n  - when: rank > 0\n    do: [{send: {to: rank - 1, size: 8 B}}]",
			"a serial chain", "messages and computations in 4 pieces"},
		// A process that sends first receives only when its message has left: all wait for the last. Pieces are below the limit.
		{"large messages that are sent before they are received", []string{"{name: hockney, eager_limit: 30 kB}", "{name: flow, eager_limit: 30 kB}"}, 0, 1,
			"- repeat: 10\n  do: [{send: {to: rank + 1, size: 80 kB}}, {recv: {from: rank - 1}}, {compute: 0.1 * X kflop}]",
			"senders that wait for receivers", ""},
		{"messages to one process share its link", []string{"{name: flow, eager_limit: none}"}, 0, 1,
			"- repeat: 5\n  do: [{compute: 0.1 Mflop}, {gather: {size: X kB, algorithm: flat}}]",
			"contention for links", "links for each message alone"},
		{"small messages", all, 0, 1,
			"- repeat: 50\n  do: [{compute: 1 kflop}, {allreduce: {size: 8 B, algorithm: recursive-doubling}}]",
			"the latency of messages", "half the latency"},
		{"computations wait for memory", all, 0, 1,
			"- repeat: 5\n  do: [{compute: {flop: X kflop, bytes: 40 * X kB}}, {barrier: {}}]",
			"memory bandwidth", "memory bandwidth twice as fast"},
		// Half of all ranks away: on the same node in cyclic order.
		{"bad mapping", all, 0, 2,
			"- repeat: 10\n  do: [{compute: 0.1 * X kflop}, {sendrecv: {to: (rank + p/2) % p, from: (rank + p/2) % p, size: X kB}}]",
			"the order of the ranks", "rank order cyclic"},
		{"a broadcast one after the other", all, 0, 1,
			"- repeat: 5\n  do: [{compute: 0.1 Mflop}, {bcast: {size: X kB, algorithm: flat}}]",
			"the algorithm of bcast", ""},
		{"one slow node", all, 1, 1,
			"- repeat: 10\n  do: [{compute: X kflop}, {barrier: {}}]",
			"slow processes", "no process slower than the median one"},
	} {
		for _, network := range c.networks {
			for _, v := range []struct {
				nodes int
				time  string
			}{{8, "1000"}, {16, "700"}, {24, "3000"}} {
				name := fmt.Sprintf("%s, %s, %v", c.name, network, v)
				app := "application: x\nparameters: {n: 1}\nwork: 1 Mflop\nprogram:\n" + strings.ReplaceAll(c.program, "X", v.time) + "\n"
				text := fmt.Sprintf(machine, v.nodes-c.slow, v.nodes-c.slow, c.slow, c.perNode, network)
				r := ran(t, text, app, run.Options{WhatIf: true})
				best := r.WhatIf[0]
				expect.That(t, strings.HasPrefix(r.Report().Lead[0], "Of the causes tried, most time is lost to "+c.cause+": "), "%s: %s", name, r.Report().Lead[0])
				expect.That(t, best.Cause == c.cause && (c.cure == "" || best.Change == c.cure), "%s: %+v", name, r.WhatIf)
			}
		}
	}
}

// Process 0 takes what comes first: that is from process 1, after 1.5 ms, as the message of process 2 takes 1 ms more
// than 1. On a better network it is the reverse, so the program is stuck or the message has no room: no effect.
func TestChangesThatProgramsCannotTake(t *testing.T) {
	const program = "application: x\nparameters: {n: 1}\nwork: 3.5 Mflop\nprogram:\n- compute: '(rank == 1 ? 1.5 : 1) * 1 Mflop'\n- when: rank == 0\n  do: [%s]\n" +
		"- when: rank == 1\n  do: [{send: {to: 0, size: 8 B}}]\n- when: rank == 2\n  do: [{send: {to: 0, size: 1 MB}}]\n"
	for _, receives := range []string{
		"{recv: {from: any}}, {recv: {from: 2}}",
		"{recv: {from: any, size: 8 B}}, {recv: {from: any, size: 1 MB}}",
	} {
		text := fmt.Sprintf(scenariotest.TwoSpeeds, 1, 2, 1, 1, "hockney", 1, "{application: a.yaml}")
		s := scenariotest.Application(t, text, fmt.Sprintf(program, receives))
		r := expect.Value(run.Run(t.Context(), s, run.Options{WhatIf: true}))(t)
		changes := fmt.Sprint(r.WhatIf)
		expect.That(t, r.Efficiencies == nil && strings.Contains(fmt.Sprint(r.Warnings), "there are no efficiencies: the program is stuck"), "%v", r.Warnings)
		expect.That(t, strings.Contains(changes, "half the latency") && !strings.Contains(changes, "free of cost"), "%s", changes)
		_, err := run.Run(t.Context(), s, run.Options{Efficiencies: true})
		expect.Failure(t, err, "the run on a better network")
	}
}

// Processes compute one after the other, 1 ms each. In four pieces the last one begins after 7 of 0.25 ms. The
// messages of 8 bytes take next to no time.
func TestSerialChainByHand(t *testing.T) {
	const program = "application: x\nparameters: {n: 1}\nwork: 8 Mflop\nprogram:\n- when: rank > 0\n  do: [{recv: {from: rank - 1, size: 8 B}}]\n- compute: 1 Mflop\n- when: rank < p - 1\n  do: [{send: {to: rank + 1, size: 8 B}}]\n"
	text := fmt.Sprintf(scenariotest.TwoSpeeds, 1, 7, 1, 1, "hockney", 1, "{application: a.yaml}")
	r := ran(t, text, program, run.Options{WhatIf: true})
	expect.Close(t, r.Efficiencies.Serialisation, 1./8, 1e-12, "serialisation")
	expect.Close(t, r.WhatIf[0].Makespan, 0.25e-3*(7+4), 0.05, "in four pieces")
	none := []efficiencies.Effect{{Change: "x", Cause: "y"}}
	expect.That(t, strings.HasPrefix(efficiencies.Helps(none, r.Efficiencies), "Serialisation costs most"), "%s", r.Helps())
	r.Efficiencies.Serialisation = 1
	expect.Equal(t, efficiencies.Helps(none, r.Efficiencies), "No change that was tried saves 1 % of the time.", "where nothing does")
	none = append(none, efficiencies.Effect{Change: "z", Bound: true, Saves: 0.5})
	expect.Equal(t, efficiencies.Helps(none, r.Efficiencies), "No change that was tried saves 1 % of the time, except those that are only bounds.", "where cores do")
}

// Ranks, two on a node, exchange 1 MB with the rank half of all ranks away: that takes 1 ms between nodes, beside
// computations of 0.1 ms, and a hundredth of it if cyclic order puts both ranks on one node.
func TestBadMappingByHand(t *testing.T) {
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
	r := ran(t, text, program, run.Options{WhatIf: true})
	expect.Equal(t, r.WhatIf[0].Change, "rank order cyclic", "best")
	expect.Close(t, r.Makespan, 10*(1e-4+1e-3+1e-6), 1e-9, "time")
	expect.Close(t, r.WhatIf[0].Makespan, 10*(1e-4+1e-5+1e-7), 1e-9, "time in cyclic order")
}

// One of three processes has half the memory bandwidth of the others, and takes 12 ms where they take 6. One slow
// process of two is no exception, and two slow ones of three are not slower than the median.
func TestSlowProcessesByHand(t *testing.T) {
	for counts, takes := range map[[2]int]float64{{2, 1}: 6e-3, {1, 1}: 0, {1, 2}: 0} { // 0: it is not tried
		text := fmt.Sprintf(`
machine:
  node_types: {fast: {marked_speed: 1 Gflop/s, memory_bandwidth: 2 GB/s}, slow: {marked_speed: 1 Gflop/s, memory_bandwidth: 1 GB/s}}
  nodes: [{type: fast, count: %d}, {type: slow, count: %d}]
  network: {latency: 1 us, bandwidth: 1 GB/s}
network: ideal
workload: {application: a.yaml}
`, counts[0], counts[1])
		program := "application: x\nparameters: {n: 1}\nwork: 6 Mflop\nprogram:\n- compute: {flop: 1 Mflop, bytes: 12 MB}\n- barrier: {}\n"
		r := ran(t, text, program, run.Options{WhatIf: true})
		expect.Close(t, tried(r, "slow processes").Makespan, takes, 1e-9, "%v: time", counts)
	}
}

// In a farm, processes that become faster get more tasks than before: the trial scales the tasks as they come.
func TestSlowProcessesOfAFarm(t *testing.T) {
	const text = `
machine:
  node_types: {fast: {marked_speed: 4 Gflop/s}, slow: {marked_speed: 1 Gflop/s}}
  nodes: [{type: fast, count: 5}, {type: slow, count: 2}]
  network: {latency: 5 us, bandwidth: 1 GB/s}
network: hockney
workload: {name: taskfarm, n: 200}
`
	r := ran(t, text, "", run.Options{WhatIf: true})
	expect.That(t, tried(r, "slow processes").Saves > 0.1, "%+v", r.WhatIf)
}

// Six Mflop on processes of 1 and 3 Gflop/s: in equal parts 3 ms, in proportion to the speeds 1.5 ms; and at every
// step, where the slow one has 1 and then 2 Mflop, the fast one 2 and then 1, twice 0.75 ms.
//
// The slow one has 2 GB/s of memory, the fast one 1 GB/s. Of 24 MB each half takes 6 and 12 ms, all by both 8 ms, on
// whatever network. Of 3 Mflop with 6 MB the first is held up by both for 3 ms, the second by memory for 6 ms; both
// together have done them after 1/(1/3+1/6) = 2 ms, and do so twice.
func TestLoadsInProportionByHand(t *testing.T) {
	const text = `
machine:
  node_types: {slow: {marked_speed: 1 Gflop/s, memory_bandwidth: 2 GB/s}, fast: {marked_speed: 3 Gflop/s, memory_bandwidth: 1 GB/s}}
  nodes: [{type: slow, count: 1}, {type: fast, count: 1}]
  network: {latency: 1 us, bandwidth: 1 GB/s}
network: ideal
workload: {application: a.yaml}
`
	const program = "application: x\nparameters: {n: 1}\nwork: 6 Mflop\nprogram:\n"
	for body, want := range map[string]map[string]float64{
		"- compute: 3 Mflop\n- barrier: {}\n": {"loads in proportion to speeds": 1.5e-3},
		"- compute: (1+rank) * 1 Mflop\n- barrier: {}\n- compute: (2-rank) * 1 Mflop\n- barrier: {}\n": {
			"loads in proportion to speeds at every step": 1.5e-3},
		"- compute: {flop: 3 Mflop, bytes: 12 MB}\n- barrier: {}\n": {"loads in proportion to speeds": 8e-3},
		"- compute: {flop: 3 Mflop, bytes: 6 MB}\n- barrier: {}\n":  {"loads in proportion to speeds": 4e-3},
	} {
		r := ran(t, text, program+body, run.Options{WhatIf: true})
		for change, makespan := range want {
			expect.Close(t, tried(r, change).Makespan, makespan, 1e-9, "%s", change)
		}
	}
	r := ran(t, strings.Replace(text, "network: ideal", "network: flow", 1),
		program+"- compute: {flop: 3 Mflop, bytes: 12 MB}\n- barrier: {}\n", run.Options{WhatIf: true})
	expect.Close(t, tried(r, "loads in proportion to speeds").Makespan-8e-3, r.Makespan-12e-3, 1e-9, "under flow")
}
