package explorer

import (
	"fmt"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
)

// On flow, three processes compute 1 s and send 1 MB each to a fourth, which computes as long, over its one link of 1
// GB/s and 10 us: T = 1 s + 10 us + 3 ms; 2 ms less if each message has links of its own, and another 1 ms less without
// bytes. On hockney, rank 0 computes 2 s and sends only a message to rank 1, which then computes 1 s: without its
// latency of 10 us the run takes 3 s, of which rank 0 computes 2 s and both 1.5 s on average.
func TestSharesByHand(t *testing.T) {
	const machine = "machine: {node_types: {w: {marked_speed: 1 Gflop/s}}, nodes: [{type: w, count: %d}], network: {latency: 10 us, bandwidth: 1 GB/s}}\n" +
		"network: %s\nworkload: {application: a.yaml}\n"
	const gather = "application: x\nparameters: {n: 1}\nwork: 4 Gflop\nprogram:\n- compute: 1 Gflop\n- gather: {size: 1 MB, algorithm: flat}\n"
	const chain = "application: x\nparameters: {n: 1}\nwork: 3 Gflop\nprogram:\n- when: rank == 0\n  do:\n  - compute: 2 Gflop\n" +
		"  - send: {to: 1, size: 0 B}\n  else:\n  - recv: {from: 0}\n  - compute: 1 Gflop\n"
	for _, tt := range []struct {
		processes        int
		network, program string
		question         string
		makespan         float64
		want             [6]float64         // seconds
		explained        map[string]float64 // likewise, of waits and dependencies
	}{
		{4, "{name: flow, eager_limit: none}", gather, "4 nodes compute for 100 % of the time.",
			1 + 10e-6 + 3e-3, [6]float64{1, 0, 0, 10e-6, 1e-3, 2e-3}, nil},
		{2, "hockney", chain, "Of 2 nodes, 1.0 compute at a time. What do the others do?",
			3 + 10e-6, [6]float64{1.5, 0.5, 1, 10e-6, 0, 0},
			map[string]float64{"late sender": 2. / 2, "transfer": 10e-6 / 2, "idle at the end": (1 + 10e-6) / 2, "latency": 10e-6, "speed": 3}},
	} {
		b := New(map[string]string{"s.yaml": fmt.Sprintf(machine, tt.processes, tt.network), "a.yaml": tt.program})
		answer := ask(t, b, Request{Do: "shares", File: "s.yaml", Why: true})
		shares, _ := answer["shares"].([]any)
		expect.Need(t, len(shares) == len(tt.want), "%v", answer)
		for i, x := range shares {
			share := x.(map[string]any)
			expect.Near(t, share["share"].(float64), tt.want[i]/tt.makespan, 1e-9, "%s: %s", tt.network, share["name"])
		}
		for _, of := range []string{"waits", "depends"} {
			all, _ := answer[of].([]any)
			expect.That(t, len(all) > 0 || of == "depends" && tt.explained == nil, "%s: no %s", tt.network, of)
			for _, x := range all {
				share := x.(map[string]any)
				if tt.explained != nil {
					expect.Near(t, share["share"].(float64), tt.explained[share["name"].(string)]/tt.makespan, 1e-9, "%s: %s", tt.network, share["name"])
				}
			}
		}
		expect.Equal(t, answer["question"], any(tt.question), "%s: question", tt.network)
	}
}

// Which worker of a farm gets a task depends on when messages arrive: here the run is 5 % shorter without bytes, but no
// shorter without any cost of messages. The imbalance is still that of what the processes compute.
func TestSharesWhereWorkIsHandedOut(t *testing.T) {
	b := New(exampleFiles(t))
	q := Request{File: "applications/taskfarm.yaml", Set: []Setting{{Path: "network.latency", Value: "329 us"},
		{Path: "machine.node_types.fast.marked_speed", Value: "26.5 Gflop/s"}, {Path: "workload.spread", Value: "0.423"}}}
	q.Do = "run"
	run := ask(t, b, q)["run"].(map[string]any)
	var sum, most float64
	ranks := run["ranks"].([]any)
	for _, x := range ranks {
		compute := x.(map[string]any)["compute_s"].(float64)
		sum, most = sum+compute, max(most, compute)
	}
	q.Do = "shares"
	for _, x := range ask(t, b, q)["shares"].([]any) {
		if share := x.(map[string]any); share["name"] == "imbalance" {
			want := (most - sum/float64(len(ranks))) / run["makespan_s"].(float64)
			expect.Near(t, share["share"].(float64), want, 1e-9, "imbalance")
			return
		}
	}
	t.Error("no share of imbalance")
}

func TestQuestionOfARun(t *testing.T) {
	for _, tt := range []struct {
		p               int
		useful, speedup float64
		want            string
	}{
		{8, 0.6363, 5.09, "8 nodes, 5.1 times as fast. Where are the other 2.9?"},
		{8, 0.6363, 4.9, "Of 8 nodes, 5.1 compute at a time. What do the others do?"},
		{8, 0.6363, 0, "Of 8 nodes, 5.1 compute at a time. What do the others do?"},
		{8, 0.995, 7.96, "8 nodes compute for 100 % of the time."},
		{2, 0.98, 1.96, "2 nodes compute for 98 % of the time."},
		{1024, 0.5, 512, "1024 nodes, 512 times as fast. Where are the other 512?"},
		{2, 0.4684, 0.9368, "2 nodes together reach 94 % of the speed of one. Why?"},
		{2, 0.501, 0.99999, "2 nodes, 1.0 times as fast. Where are the other 1.0?"},
		{2, 0.495, 0.9949, "2 nodes together reach 99 % of the speed of one. Why?"},
		{128, 0.0005, 0.064, "128 nodes together reach 6.4 % of the speed of one. Why?"},
		{128, 0.0005, 0, "Of 128 nodes, 0.06 compute at a time. What do the others do?"},
		{1, 0.9, 1, "One process computes for 90 % of the time."},
	} {
		expect.Equal(t, asked(tt.p, "nodes", tt.useful, tt.speedup), tt.want, "%+v", tt)
	}
}
