package algorithm_test

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/algorithm"
	"github.com/isoscale/isoscale/workloads/collective"
	"github.com/isoscale/isoscale/workloads/parameter"
)

// Models by their published dimensions, besides the defaults, which are those of Llama 3 70B.
var (
	gpt3 = parameter.Values{"layers": 96, "hidden": 12288, "heads": 96, "groups": 96, "ffn": 49152, "gated": false,
		"vocabulary": 51200, "sequence": 2048, "causal": false, "flash": false}
	llama405B = parameter.Values{"layers": 126, "hidden": 16384, "heads": 128, "ffn": 53248}
	llama70B  = parameter.Values{}
)

// layout returns the parameters of a layout.
func layout(tp, pp, vp, cp, dp, ep int) parameter.Values {
	return parameter.Values{"tp": tp, "pp": pp, "vp": vp, "cp": cp, "dp": dp, "ep": ep}
}

// training is a model on 1 Pflop/s devices with n sequences.
func training(t testing.TB, devices, n int, given ...parameter.Values) trained {
	t.Helper()
	kind := algorithm.Kinds[slices.IndexFunc(algorithm.Kinds, func(k *algorithm.Kind) bool { return k.Name == "transformer" })]
	values := parameter.Values{"groups": 8}
	for _, p := range kind.Parameters {
		if _, ok := values[p.Name]; ok {
			continue
		}
		switch of := p.Type.(type) {
		case parameter.Count:
			values[p.Name] = expect.Value(strconv.Atoi(p.Default))(t)
		case parameter.Flag:
			values[p.Name] = p.Default == "true"
		case parameter.Word:
			values[p.Name] = p.Default
		case parameter.Number:
			values[p.Name] = expect.Value(strconv.ParseFloat(p.Default, 64))(t)
		case parameter.Size:
			values[p.Name] = units.Bytes(expect.Value(strconv.ParseFloat(strings.TrimSuffix(p.Default, " B"), 64))(t))
		case parameter.Time:
			values[p.Name] = units.Seconds(0)
		case parameter.Algorithm:
			values[p.Name] = collective.Choice{Operation: of.Operation, Algorithm: expect.Value(collective.Lookup(of.Operation, p.Default))(t)}
		}
	}
	for _, v := range given {
		maps.Copy(values, v)
	}
	return kind.Build(algorithm.Case{N: n, Startup: 1, Speeds: slices.Repeat([]units.FlopsPerSecond{1e15}, devices), Values: values}).(trained)
}

type trained interface {
	algorithm.Algorithm
	Parameters() float64
}

// Parameters by hand:
//
//	GPT-3  96 x 12 x 12288^2 + 2 x 51200 x 12288 = 173 946 175 488 + 1 258 291 200
//	405B   126 x (16384^2 (2 + 2 8/128) + 3 x 16384 x 53248) + 2 x 128256 x 16384
//	       = 126 x (570 425 344 + 2 617 245 696) + 4 202 692 608
//	70B    80 x (8192^2 (2 + 2 8/64) + 3 x 8192 x 28672) + 2 x 128256 x 8192
//	       = 80 x (150 994 944 + 704 643 072) + 2 101 346 304
func TestTransformerParameters(t *testing.T) {
	for _, c := range []struct {
		name string
		of   parameter.Values
		want float64
	}{
		{"GPT-3 175B", gpt3, 175_204_466_688},
		{"Llama 405B", llama405B, 126*3_187_671_040 + 4_202_692_608},
		{"Llama 70B", llama70B, 80*855_638_016 + 2_101_346_304},
	} {
		expect.Equal(t, training(t, 1, 1, c.of).Parameters(), c.want, "%s", c.name)
	}
}

// Without causal attention W is three quarters of 96 B s l h^2 (1 + s/(6h) + V/(16 l h)) [Narayanan2021], which
// has one forward more, but for the logits, which are not computed again: those are 6 B s V h there
// and here. So W = 72 B s l h^2 (1 + s/(6h)) + 6 B s V h.
func TestTransformerWork(t *testing.T) {
	x := training(t, 64, 64, gpt3, layout(8, 8, 1, 1, 1, 1))
	tokens, h := 64.0*2048, 12288.0
	want := 72*tokens*96*h*h*(1+2048/(6*h)) + 6*tokens*51200*h
	expect.Close(t, float64(x.Work()), want, 1e-12, "W")
	half := training(t, 64, 64, gpt3, layout(8, 8, 1, 1, 1, 1), parameter.Values{"causal": true})
	want -= 6 * tokens * 2048 * 96 * h // attention, 72 B s^2 l h/6, is halved
	expect.Close(t, float64(half.Work()), want, 1e-12, "W, causal")
}

// Memory by hand: GPT-3 on 8 x 8 x 2 devices with 8 micro-batches. A layer has 12 x 12288^2 = 1 811 939 328
// parameters, a stage 12 of them, and the first and the last V h = 629 145 600 besides, over tp = 8. Each
// takes 2 + 2 B and 12/2 B of the optimizer. [Korthikanti2022] Table 2: a layer keeps s b h (34 + 5 a s/h)/8 B,
// here 2048 x 12288 x (34 + 80)/8; the first stage has pp = 8 micro-batches open and the last one, which
// keeps 4 s V/8 B of logits.
func TestTransformerMemory(t *testing.T) {
	memory := func(n, vp int, of parameter.Values) []units.Bytes {
		return training(t, 128, n, gpt3, layout(8, 8, vp, 1, 2, 1), of).Footprints()
	}
	need := memory(16, 1, nil)
	expect.Equal(t, len(need), 128, "devices")
	held := (12*1_811_939_328.0 + 629_145_600) / 8 * 10
	layer := 2048 * 12288 * (34.0 + 5*96*2048/12288) / 8
	expect.Near(t, float64(need[0]), held+12*8*layer, 1, "first stage")
	expect.Near(t, float64(need[127]), held+12*layer+4*2048*51200/8, 1, "last stage")
	// Full recomputation keeps 2 s b h/8 of each layer, and all of one.
	expect.Near(t, float64(memory(16, 1, parameter.Values{"recompute": "full"})[0]), held+12*8*2*2048*12288/8+layer, 1, "full recomputation")
	// Selective: 34 s b h/8. Interleaved, the first stage holds 1 + (pp-1)/(pp vp) as much
	// [Korthikanti2022] 4.2.3.
	selective := parameter.Values{"recompute": "selective"}
	expect.Near(t, float64(memory(64, 3, selective)[0]), held+12*8*(1+7.0/24)*34*2048*12288/8, 1, "interleaved")
	// So it does with as many micro-batches as there may be.
	expect.Near(t, float64(memory(1<<30, 3, selective)[0]), held+12*8*(1+7.0/24)*34*2048*12288/8, 1, "of a long step")
	selective["distributed_optimizer"] = false
	expect.Near(t, float64(memory(64, 3, selective)[0]), held*1.6+12*8*(1+7.0/24)*34*2048*12288/8, 1, "whole optimizer: 16 B")
}

// The program sends the bytes that follow from the layout. It computes W and, as backward with flash takes 2.5
// times the core of attention, another 1/6 of that core. tp 2, pp 2, vp 2, cp 2, dp 2 and ep 2 on 16 devices,
// with m = 4 micro-batches of 1 x 8 tokens: t = 4 on a device. Layers of h = 8, f = 16, two heads of 4 and one
// of keys and values, 4 experts of which a token goes to 2. Each device sends:
//
//	tensor   4 layers a stage / 2 stages ... see below, one exchange a slot
//	pipeline h t 2 B/tp = 32 B
func TestTransformerTraffic(t *testing.T) {
	x := training(t, 16, 8, layout(2, 2, 2, 2, 2, 2), parameter.Values{"layers": 4, "hidden": 8, "heads": 2, "groups": 1,
		"ffn": 16, "vocabulary": 10, "sequence": 8, "experts": 4, "top_k": 2, "cast_size": units.Bytes(3), "layer_overhead": units.Seconds(5)})
	expect.Success(t, x.Validate())
	traffic, overhead := units.Bytes(0), units.Seconds(0)
	w := expect.Value(run(x.Program(), func(_ int, op workloads.Op) {
		if op.Kind == workloads.Compute {
			traffic += op.Size
		}
		overhead += op.Time
	}))(t)
	const devices, micros, slots = 16, 4, 4 * 2 * 2 // 2 chunks of a layer, there and back
	pipeline := 2 * micros * 3 * (devices / 2)      // 3 borders between 4 chunks, both ways, of 8 pipelines
	tensor, context, experts := devices*slots, devices*slots, devices*slots
	// Outside of experts 4 devices share parameters, each with 2 of both rings' 3 steps; in them 2 devices.
	share := devices * 2 * (3 + 1)
	expect.Equal(t, w.messages, pipeline+tensor+context+experts+share, "messages")
	// A layer: 4 forward and 6 backward x h t 2 B (tp-1)/tp = 32 B; keys and values 4 t g d/tp = 32 B and twice that;
	// tokens 2 k h t 2 B/tp = 128 B, half to the other, there and back.
	layer := (4+6)*32 + 3*32 + 2*64
	// A device has h^2 (2 + 2/2)/2 = 96, of the router h E = 32, and of E/ep = 2 experts 2 x 3 h f/2 = 384
	// parameters of each of its 2 layers, and 10 h/2 = 40 of an end. Half of the traffic is of each ring, of 2 B.
	dense, shared := (2*(96+32)+40)*2*3/4*2, 2*384*2/2*2
	want := pipeline*32 + devices*(micros*2*layer+dense+shared)
	expect.Near(t, float64(w.size), float64(want), 1e-6, "bytes")
	// Memory traffic of a layer: 10 h t 2 B/tp = 320, 6 k f t 2 B/tp = 768, and as devices have 2 of 4 experts 8 k h t 2 B/tp =
	// 512 of copies; backward twice that. Casts of 3 B: t (3 h + a d + k f)/tp = 128 numbers, backward t (3 h + (a + 2g) d + 2 k f)/tp
	// = 208. Gradients of 96 + 32 + 384 parameters are read and written, and on half of the devices those of 40 of the
	// logits. The optimizer: 26 B of 296/4 parameters outside of experts and 768/2 in them.
	expect.Near(t, float64(traffic), devices*(micros*(2*(3*(320+768+512)+3*(128+208)+4*512)+4*40/2)+26*(74+384)), 1e-6, "memory traffic")
	expect.Near(t, float64(overhead), devices*(micros*2*3*5+16), 1e-9, "overhead of layers, and start")
	// Flop of a token and layer: 2 x (192 + 32 + 2 x 384) and 2 s a d = 128 of the core of attention.
	expect.Near(t, float64(x.Work()), 3*64*(4*(2*992+128)+2*80.0), 1e-6, "W")
	expect.Near(t, float64(w.work()), float64(x.Work())+64*4*128*0.5, 1e-6, "work")
}

// Impossible layouts are refused, with what was expected.
func TestTransformerRefusesLayouts(t *testing.T) {
	for _, c := range []struct {
		change parameter.Values
		says   string
	}{
		{parameter.Values{"dp": 3}, "tp 2 x pp 4 x cp 1 x dp 3 on 16 devices; expected a product that is their number"},
		{parameter.Values{"tp": 8, "dp": 0}, "tp 8 x pp 4 x cp 1 x dp 1 on 16 devices; expected a product that is their number"},
		{parameter.Values{"tp": 16, "pp": 1, "dp": 1, "heads": 40}, "tp is 16; expected a divisor of the 40 heads"},
		{parameter.Values{"vp": 3}, "pp 4 x vp 3 chunks of 80 layers; expected a divisor (with ends_as_layers,"},
		{parameter.Values{"micro_batch": 3}, "n is 16 sequences; expected a multiple of dp 2 x micro_batch 3"},
		{parameter.Values{"vp": 2, "tp": 1, "dp": 4, "micro_batch": 2}, "2 micro-batches with vp 2; expected a multiple of pp, 4"},
		{parameter.Values{"ep": 2}, "ep is 2 with 0 experts; expected 1, or as many experts on each device"},
		{parameter.Values{"experts": 4, "ep": 4}, "ep is 4; expected a divisor of dp x cp, 2"},
		{parameter.Values{"schedule": "zero-bubble", "vp": 2}, "vp is 2 with zero-bubble; expected 1"},
		{parameter.Values{"tp": 0}, "a dimension is 0; expected at least 1"},
	} {
		expect.Success(t, training(t, 16, 16, llama70B, layout(2, 4, 1, 1, 2, 1)).Validate())
		expect.Failure(t, training(t, 16, 16, llama70B, layout(2, 4, 1, 1, 2, 1), c.change).Validate(), c.says)
	}
	// 2^20 micro-batches of 2 replicas go through 4 chunks, and with sharded through 80 layers.
	expect.Success(t, training(t, 16, 1<<21, llama70B, layout(2, 4, 1, 1, 2, 1)).Validate())
	expect.Failure(t, training(t, 16, 1<<22, llama70B, layout(2, 4, 1, 1, 2, 1)).Validate(), "2097152 micro-batches go through 4 chunks; expected at most 4194304 in all")
	expect.Failure(t, training(t, 16, 1<<21, llama70B, layout(2, 4, 1, 1, 2, 1), parameter.Values{"sharded": true}).Validate(), "with sharded for each layer")
}

// Whatever a stream does beside slots, devices compute, move and send the same: only the number of messages rises with
// that of collective operations. Each of 4 layers in 2 chunks is gathered and reduced by itself, where 2
// operations did for all of them, outside of experts and in them.
func TestTransformerDoesTheSameBesideSlots(t *testing.T) {
	type totals struct {
		work    units.Flops
		traffic units.Bytes
		sent    units.Bytes
	}
	of := func(overlap string) (sum totals) {
		x := training(t, 16, 8, layout(2, 2, 2, 2, 2, 2), parameter.Values{"layers": 8, "experts": 4, "overlap": overlap})
		expect.Success(t, x.Validate())
		p := x.Program()
		begun := 0
		for rank := range p.Ranks() {
			for _, op := range stream(p, rank) {
				switch op.Kind {
				case workloads.Begin:
					begun++
					beside := stream(p, p.Ranks()+rank)
					expect.That(t, len(beside) > 0, "%s: a piece without operations", overlap)
					for _, op := range beside {
						sum.sent += op.Size
					}
				case workloads.Compute:
					sum.work, sum.traffic = sum.work+op.Work, sum.traffic+op.Size
				default:
					sum.sent += op.Size
				}
			}
		}
		pieces := map[string]int{"none": 0, "gradients": 4, "all": 8}[overlap]
		expect.Equal(t, begun, pieces*p.Ranks(), "%s: pieces", overlap)
		return sum
	}
	want := of("none")
	for _, overlap := range []string{"gradients", "all"} {
		got := of(overlap)
		expect.Close(t, float64(got.work), float64(want.work), 1e-12, "%s: work", overlap)
		expect.Close(t, float64(got.traffic), float64(want.traffic), 1e-12, "%s: memory traffic", overlap)
		expect.Close(t, float64(got.sent), float64(want.sent), 1e-12, "%s: bytes", overlap)
	}
}
