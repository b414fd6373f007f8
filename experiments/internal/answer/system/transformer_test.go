package system_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/experiments/internal/scenario/scenariotest"
	"github.com/isoscale/isoscale/internal/expect"
)

// pipeline runs a model of 64 layers on 8 devices of 1 Pflop/s, a stage each, with free messages. The logits have
// a vocabulary of 1.
func pipeline(t *testing.T, micros int, with string) *system.Simulation {
	t.Helper()
	s := scenariotest.Scenario(t, fmt.Sprintf(`
machine: {node_types: {d: {marked_speed: 1 Pflop/s}}, nodes: [{type: d, count: 8}], network: {latency: 0 s, bandwidth: 1 GB/s}}
network: ideal
workload: {name: transformer, n: %d, layers: 64, vocabulary: 1, pp: 8, flash: false, %s}
`, micros, with))
	return expect.Value(expect.Value(system.New(s))(t).Simulate(context.Background(), micros))(t)
}

// Interleaved 1F1B takes (m + (pp-1)/vp) slots [Narayanan2021]. A slot is the work of a micro-batch on a stage; W is 8
// m slots.
func TestTransformerPipeline(t *testing.T) {
	for _, vp := range []int{1, 2, 4, 8} {
		for _, micros := range []int{8, 16, 64} {
			x := pipeline(t, micros, fmt.Sprintf("vp: %d", vp))
			slot := float64(x.Work) / float64(8*micros) / 1e15
			expect.Close(t, float64(x.Makespan), (float64(micros)+7/float64(vp))*slot, 1e-5, "vp %d, %d micro-batches", vp, micros)
		}
	}
}

// The size that holds E is sought among the multiples that replicas and interleaving need. With free messages E = m/(m
// + (pp-1)/vp): 0.8 takes 12 micro-batches of 3 sequences on each of 2 replicas. Interleaved it would take 6, but 4
// stages can only have its neighbours 4, with 0.727, and 8, with 0.842.
func TestTransformerHoldsEfficiency(t *testing.T) {
	for _, c := range []struct{ vp, want int }{{1, 2 * 3 * 12}, {2, 2 * 3 * 8}} {
		s := scenariotest.Scenario(t, fmt.Sprintf(`
machine: {node_types: {d: {marked_speed: 1 Pflop/s}}, nodes: [{type: d, count: 8}], network: {latency: 0 s, bandwidth: 1 GB/s}}
network: ideal
workload: {name: transformer, n: 24, layers: 64, vocabulary: 1, pp: 4, dp: 2, flash: false, micro_batch: 3, vp: %d}
`, c.vp))
		curve := system.NewCurve(expect.Value(system.New(s))(t))
		x := expect.Value(curve.Hold(context.Background(), 0.8, scenario.SizeRange{From: 1, To: 1000}))(t)
		expect.Equal(t, x.N, c.want, "vp %d", c.vp)
		_, err := curve.Hold(context.Background(), 0.8, scenario.SizeRange{From: 1, To: 5})
		expect.Failure(t, err, "no size from 1 to 5 is a multiple of")
	}
}

// ZB-H1 [Qi2023] has a bubble of (pp-1) (F + B - W). With almost no attention F = B = W, and it is a third of
// that of 1F1B.
func TestTransformerZeroBubble(t *testing.T) {
	for _, micros := range []int{8, 16, 64} {
		x := pipeline(t, micros, "sequence: 1, schedule: zero-bubble")
		slot := float64(x.Work) / float64(8*micros) / 1e15
		expect.Close(t, float64(x.Makespan), (float64(micros)+7.0/3)*slot, 1e-4, "%d micro-batches", micros)
	}
}

// Stages end with any schedule, also if every message waits for its receiver.
func TestTransformerEndsWhereMessagesWait(t *testing.T) {
	for _, pp := range []int{2, 3, 5, 8, 13} {
		for vp := 1; vp <= 6; vp++ {
			for _, groups := range []int{1, 2, 7} {
				for _, schedule := range []string{"1f1b", "zero-bubble"} {
					if schedule != "1f1b" && vp > 1 {
						continue
					}
					s := scenariotest.Scenario(t, fmt.Sprintf(`
machine: {node_types: {d: {marked_speed: 1 Pflop/s}}, nodes: [{type: d, count: %d}], network: {latency: 5 us, bandwidth: 1 GB/s}}
network: {name: hockney, eager_limit: 0 B}
workload: {name: transformer, n: %d, layers: %d, pp: %d, vp: %d, schedule: %s}
`, pp, groups*pp, pp*vp, pp, vp, schedule))
					_, err := expect.Value(system.New(s))(t).Simulate(context.Background(), groups*pp)
					expect.That(t, err == nil, "pp %d, vp %d, %d micro-batches, %s: %v", pp, vp, groups*pp, schedule, err)
				}
			}
		}
	}
}

// Two devices of a node share the gradients of 4 layers. In one micro-batch a layer takes f forward and 2 f backward,
// and to gather its parameters or to reduce its gradients takes c: the latency, and half of its bytes through a link. A
// stream does that beside slots, in order: the last layer goes forward when its parameters are there, and its
// gradients are the first that are final. With c between f and 2 f
//
//	gradients: 4 (f + 2f) + c, and the gather of all layers behind; all: 4c + f beside each other, then 8f + c
//
// with c above 2 f the reduction of the first waits for those of others: 12 f + 3 (c - 2f) + c, and 4c + f + 2f + 4c.
func TestTransformerWorksBesideSlots(t *testing.T) {
	for _, link := range []float64{300, 100} { // GB/s
		times := map[string]float64{}
		var f, layer float64
		for _, overlap := range []string{"none", "gradients", "all"} {
			s := scenariotest.Scenario(t, fmt.Sprintf(`
machine:
  node_types: {d: {marked_speed: 1 Gflop/s, devices: {count: 2, speed: {bf16: 1 Pflop/s}, link: {latency: 1 us, bandwidth: %g GB/s}}}}
  nodes: [{type: d, count: 1}]
  network: {latency: 1 us, bandwidth: 1 GB/s}
network: hockney
placement: {d: {on: devices, precision: bf16, processes: 2}}
workload: {name: transformer, n: 2, layers: 4, hidden: 1024, heads: 8, groups: 8, gated: false, ffn: 4096, vocabulary: 4, sequence: 1024,
  flash: false, dp: 2, overlap: %s}
`, link, overlap))
			x := expect.Value(expect.Value(system.New(s))(t).Simulate(context.Background(), 2))(t)
			times[overlap] = float64(x.Makespan)
			f = float64(x.Work) / 2 / 12 / 1e15
		}
		layer = (4*12*1024*1024 + 2*4*1024) / 4 / (link * 1e9) // 2 B, halved
		const latency = 1e-6
		c := latency + layer
		wait := max(0, c-2*f)
		expect.That(t, c > f, "c %g, f %g: the case is another", c, f)
		expect.Close(t, times["none"], 12*f+2*(latency+4*layer), 1e-9, "none, %g GB/s", link)
		expect.Close(t, times["gradients"], 12*f+3*wait+c+latency+4*layer, 1e-9, "gradients, %g GB/s", link)
		expect.Close(t, times["all"], 4*c+f+8*f+3*wait+c, 1e-9, "all, %g GB/s", link)
	}
}

// Two devices of a node share a layer of h = 64 and 64 tokens, of which a gather and a reduction carry h t (tp-1)/tp =
// 2048 numbers: 2 of each forward, 4 and 2 backward; gathers of 1 B carry half. Half of the bytes of a slot go beside
// its computation, of 4 us at least at 1 Tflop/s and 13 ns at most at 1 Pflop/s, and half behind it.
func TestTransformerExchangesBesideProducts(t *testing.T) {
	for _, c := range []struct {
		speed   string
		gather  float64 // B
		overlap bool
		hidden  string  // is shorter, computation or exchanges
		bytes   float64 // of both slots
	}{
		{"1 Tflop/s", 2, false, "", 10 * 4096}, {"1 Tflop/s", 1, false, "", 7 * 4096},
		{"1 Tflop/s", 2, true, "exchanges", 10 * 4096}, {"1 Tflop/s", 1, true, "exchanges", 7 * 4096},
		{"1 Pflop/s", 2, true, "computation", 10 * 4096}, {"1 Pflop/s", 1, true, "computation", 7 * 4096},
	} {
		time := func(network string) float64 {
			s := scenariotest.Scenario(t, fmt.Sprintf(`
machine:
  node_types: {d: {marked_speed: 1 Gflop/s, devices: {count: 2, speed: {bf16: %s}, link: {latency: 1 us, bandwidth: 100 GB/s}}}}
  nodes: [{type: d, count: 1}]
  network: {latency: 1 us, bandwidth: 1 GB/s}
network: %s
placement: {d: {on: devices, precision: bf16, processes: 2}}
workload: {name: transformer, n: 1, layers: 1, hidden: 64, heads: 2, ffn: 256, vocabulary: 4, sequence: 64, tp: 2, gather_size: %g B, tensor_overlap: %t}
`, c.speed, network, c.gather, c.overlap))
			return float64(expect.Value(expect.Value(system.New(s))(t).Simulate(context.Background(), 1))(t).Makespan)
		}
		const latency, link = 1e-6, 100e9
		want := map[string]float64{
			"":            time("ideal") + 2*latency + c.bytes/link,
			"exchanges":   time("ideal") + 2*latency + c.bytes/2/link,
			"computation": 4*latency + c.bytes/link,
		}
		expect.Close(t, time("hockney"), want[c.hidden], 1e-9, "%+v", c)
	}
}

// Stages also end if a stream works beside slots, with messages that wait for their receivers.
func TestTransformerEndsWithStreams(t *testing.T) {
	for _, with := range []string{"pp: 2, vp: 3, dp: 4", "pp: 4, dp: 2, schedule: zero-bubble", "pp: 2, cp: 2, dp: 2, experts: 4, ep: 2, vp: 2"} {
		for _, overlap := range []string{"gradients", "all"} {
			s := scenariotest.Scenario(t, fmt.Sprintf(`
machine: {node_types: {d: {marked_speed: 1 Pflop/s}}, nodes: [{type: d, count: 8}], network: {latency: 5 us, bandwidth: 1 GB/s}}
network: {name: hockney, eager_limit: 0 B}
workload: {name: transformer, n: 16, layers: 12, overlap: %s, %s}
`, overlap, with))
			_, err := expect.Value(system.New(s))(t).Simulate(context.Background(), 16)
			expect.That(t, err == nil, "%s, %s: %v", with, overlap, err)
		}
	}
}
