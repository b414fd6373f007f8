package system_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/experiments/internal/scenario/scenariotest"
	"github.com/isoscale/isoscale/internal/expect"
)

// chip is an accelerator: what its data sheet says, and what nccl-tests measured of its links and cards.
type chip struct {
	speeds               string             // by precision
	bf16                 map[string]float64 // speed at bf16 as a fraction of that at each precision
	memory, domain, rail float64            // B/s
}

var (
	h100 = chip{"{fp8: 1979 Tflop/s, bf16: 989 Tflop/s}", map[string]float64{"fp8": 989.0 / 1979, "bf16": 1}, 3.35e12, 367e9, 43.1e9}
	// grandTeton is the H100 of torchtitan's runs, by the page that has them.
	grandTeton = chip{h100.speeds, h100.bf16, 2.4e12, h100.domain, h100.rail}

	a100 = chip{"{bf16: 312 Tflop/s}", map[string]float64{"bf16": 1}, 2.04e12, 230e9, 22e9}
	b200 = blackwell(47.7e9)
	b300 = blackwell(95.4e9)
)

func blackwell(rail float64) chip {
	return chip{"{nvfp4: 9000 Tflop/s, mxfp8: 4500 Tflop/s, fp8: 4500 Tflop/s, bf16: 2250 Tflop/s}",
		map[string]float64{"nvfp4": 0.25, "mxfp8": 0.5, "fp8": 0.5, "bf16": 1}, 7.7e12, 690e9, rail}
}

// run is a step that was measured.
type run struct {
	name           string
	chip           chip
	precision      string
	gpus, domain   int
	batch, micro   int
	tp, pp, vp, cp int
	model          string // keys of the workload
	measured       float64
	micros         int
}

func (r run) replicas() int { return r.gpus / (r.tp * r.pp * r.cp) }

// simulated returns the time of a step at a sustained fraction of the speed of matrix products.
func (r run) simulated(t *testing.T, sustained float64) float64 {
	t.Helper()
	s := scenariotest.Scenario(t, r.text(sustained))
	x := expect.Value(expect.Value(system.New(s))(t).Simulate(context.Background(), s.Workload.N))(t)
	return float64(x.Makespan)
}

func (r run) text(sustained float64) string {
	return fmt.Sprintf(`
machine:
  node_types:
    node:
      cores: %d
      marked_speed: 1 Gflop/s
      nics: %d
      devices: {count: %d, speed: %s, memory_bandwidth: %g GB/s, link: {latency: 2 us, bandwidth: %g GB/s}}
  nodes: [{type: node, count: %d}]
  network: {latency: 5 us, bandwidth: %g GB/s}
network: hockney
placement: {node: {on: devices, precision: %s, processes: %d}}
workload: {name: transformer, n: %d, tp: %d, pp: %d, vp: %d, cp: %d, micro_batch: %d, sustained: %g, attention_speed: %g, %s}
`, r.domain, r.domain, r.domain, r.chip.speeds, r.chip.memory/1e9, r.chip.domain/1e9, (r.gpus+r.domain-1)/r.domain, r.chip.rail/1e9,
		r.precision, min(r.domain, r.gpus), r.batch, r.tp, r.pp, r.vp, r.cp, r.micro, sustained, r.chip.bf16[r.precision], r.model)
}

// fitted returns the sustained fraction at which a step takes as long as measured. The time is linear in
// the inverse of the fraction, except for waits for messages, so a few secant steps find it.
func (r run) fitted(t *testing.T) float64 {
	t.Helper()
	a, b := 1/0.4, 1/0.6
	fa, fb := r.simulated(t, 1/a)-r.measured, r.simulated(t, 1/b)-r.measured
	for range 4 {
		if math.Abs(fb) < 1e-4*r.measured {
			break
		}
		a, fa, b = b, fb, b-fb*(b-a)/(fb-fa)
		fb = r.simulated(t, 1/b) - r.measured
	}
	return 1 / b
}

// floor is a prediction in one line: the smallest run, scaled by devices, batch and the bubble of interleaved 1F1B.
func (r run) floor(of run) float64 {
	stretch := func(r run) float64 { return 1 + float64(r.pp-1)/float64(r.vp*r.micros) }
	return of.measured * float64(r.batch) / float64(of.batch) * float64(of.gpus) / float64(r.gpus) * stretch(r) / stretch(of)
}

// line is a straight line in the work of a device through two runs.
func (r run) line(a, b run) float64 {
	work := func(r run) float64 { return float64(r.batch) / float64(r.gpus) }
	return a.measured + (b.measured-a.measured)*(work(r)-work(a))/(work(b)-work(a))
}

// selene are the runs of [Korthikanti2022] table 5, with full recomputation and without sequence parallelism.
func selene(t *testing.T) []run {
	var runs []run
	for _, r := range scenariotest.Measured(t, "selene_megatron_given.csv") {
		runs = append(runs, run{
			name: r["model"], chip: a100, precision: "bf16", gpus: r.Count("gpus"), domain: 8, batch: r.Count("batch"), micro: r.Count("microbatch"),
			tp: r.Count("tp"), pp: r.Count("pp"), vp: r.Count("interleave"), cp: 1, measured: r.Number("measured_s"),
			micros: r.Count("batch") / r.Count("microbatch") / r.Count("dp"),
			model: fmt.Sprintf("layers: %s, hidden: %s, heads: %s, ffn: %d, gated: false, vocabulary: 51200, sequence: %s, causal: false, flash: false, "+
				"recompute: full, sequence_parallel: false", r["layers"], r["hidden"], r["heads"], 4*r.Count("hidden"), r["seq"]),
		})
	}
	return runs
}

// with returns the run with an overhead of some seconds for each layer.
func (r run) with(overhead float64) run {
	r.model += fmt.Sprintf(", layer_overhead: %g s", overhead)
	return r
}

// Two numbers are fitted to all four models, and to three of them to predict the fourth: the sustained fraction of the
// speed, and the overhead of a layer; the memory has the bandwidth of the data sheet. The three models with
// micro-batches of 1 cannot tell fractions of the speed from fractions of that bandwidth: with those the fourth is off
// by 12 %. Times are linear in the inverse of the fraction and in the overhead, except for waits for messages.
func TestTrainingOnSelene(t *testing.T) {
	runs := selene(t)
	type plane struct{ none, speed, layers float64 } // a time is none + speed/s + layers o
	var planes []plane
	for _, r := range runs {
		t0, t1, t2 := r.simulated(t, 1), r.simulated(t, 0.5), r.with(1e-3).simulated(t, 1)
		planes = append(planes, plane{t0 - (t1 - t0), t1 - t0, (t2 - t0) / 1e-3})
	}
	fit := func(without int) (speed, overhead, alone float64) { // alone: the speed if layers have no overhead
		var aa, ab, bb, ay, by float64
		for i, p := range planes {
			if i == without {
				continue
			}
			m := runs[i].measured // least squares of relative errors
			a, b, y := p.speed/m, p.layers/m, 1-p.none/m
			aa, ab, bb, ay, by = aa+a*a, ab+a*b, bb+b*b, ay+a*y, by+b*y
		}
		det := aa*bb - ab*ab
		return det / (ay*bb - by*ab), (by*aa - ay*ab) / det, aa / ay
	}
	off := func(i int, speed, overhead float64) float64 {
		return 100 * (runs[i].with(overhead).simulated(t, speed)/runs[i].measured - 1)
	}
	var all, left, one []float64
	var simple errors // of one line and of a line, from the smallest
	speed, overhead, _ := fit(-1)
	t.Logf("sustained %.3f of the speed, %.3g ms a layer", speed, 1e3*overhead)
	for i, r := range runs {
		if i > 0 {
			t.Logf("  %-14s %s", r.name, simple.add(t, r, r.with(overhead).simulated(t, speed), runs[0], runs))
		}
		s, o, alone := fit(i)
		all, left, one = append(all, off(i, speed, overhead)), append(left, off(i, s, o)), append(one, off(i, alone, 0))
		t.Logf("  %-14s measured %7.2f s: %+.2f %%, left out %+.2f %% (at %.3f, %.3g ms), with one number %+.2f %% (at %.3f)",
			r.name, r.measured, all[i], left[i], s, 1e3*o, one[i], alone)
	}
	simple.told(t, "from the smallest")
	for _, x := range []struct {
		what        string
		off         []float64
		mean, worst float64
	}{{"all", all, 2.2, 4}, {"left out", left, 5, 7}, {"left out, one number", one, 5, 7}} {
		mean, worst := spread(x.off)
		t.Logf("  %s: mean %.2f %%, worst %.2f %%", x.what, mean, worst)
		expect.That(t, mean <= x.mean && worst <= x.worst, "%s: errors of %.2f %%, %.2f %% at worst; expected %g, %g", x.what, mean, worst, x.mean, x.worst)
	}
}

// given are steps of megatron_bridge_given.csv without sharding of parameters, of the newest or of older releases.
// Cards of B300 and GB300 have twice the bandwidth of those of B200 by the data sheet; they are not measured here.
func given(t *testing.T, newest bool) []run {
	return bridge(t, newest, map[string]string{
		"Llama-3-70B":   "groups: 8",
		"GPT-OSS-120B":  "layers: 36, hidden: 2880, heads: 64, groups: 8, head_size: 64, ffn: 2880, vocabulary: 201088, experts: 128, top_k: 4",
		"Qwen3-30B-A3B": "layers: 48, hidden: 2048, heads: 32, groups: 4, head_size: 128, ffn: 768, vocabulary: 151936, experts: 128, top_k: 8",
	})
}

func bridge(t *testing.T, newest bool, models map[string]string) []run {
	chips := map[string]chip{"H100": h100, "B200": b200, "GB200": b200, "B300": b300, "GB300": b300}
	named := strings.NewReplacer("fp8-cs", "fp8", "fp8-mx", "mxfp8")
	// [TransformerEngine]: operands are read in bf16, twice where a tensor has a scale, and written in both orders,
	// with a scale of 1 B for 32 numbers (mxfp8) or 16 (nvfp4).
	casts := map[string]string{"fp8": ", cast_size: 6 B", "mxfp8": ", cast_size: 4.0625 B", "nvfp4": ", cast_size: 5.125 B"}
	var runs []run
	for _, r := range scenariotest.Measured(t, "megatron_bridge_given.csv") {
		model, known := models[r["model"]]
		if !known || strings.HasPrefix(r["release"], "26.04") != newest || r["variant"] != "" || r.Count("fsdp") > 1 {
			continue
		}
		precision := named.Replace(r["precision"])
		x := run{
			name: r["accelerator"] + " " + precision + " " + r["model"], chip: chips[r["accelerator"]], precision: precision,
			gpus: r.Count("gpus"), domain: r.Count("domain"), batch: r.Count("global_batch"), micro: r.Count("micro_batch"),
			tp: r.Count("tp"), pp: r.Count("pp"), vp: r.Count("vp"), cp: r.Count("cp"),
			model: fmt.Sprintf("%s, sequence: %s, ep: %d%s", model, r["seq"], r.Count("ep"), casts[precision]), measured: r.Number("step_s"),
		}
		for x.gpus > x.domain && x.gpus%x.domain != 0 {
			x.domain-- // to the next size that divides the devices evenly
		}
		if x.chip.bf16 != nil {
			runs = append(runs, x)
		}
	}
	return runs
}

// DeepSeek-V3 at the numbers of its chips from the other models with experts. Its attention with latent keys and values
// has 187 million parameters a layer, here of 128 heads of 100 with 2 groups, whose core counts 1.6 times, by its
// speed, as heads have 192 numbers in one product and 128 in the other; the shared expert is a ninth of top_k, the
// layer that predicts a second token the 62nd, and 3 layers without experts count as others: 18 432 = 9 x 2048.
func TestTrainingOfDeepSeek(t *testing.T) {
	experts := slices.DeleteFunc(given(t, true), func(r run) bool { return !strings.Contains(r.model, "experts") })
	groups, _ := grouped(experts, run.setting)
	var runs []run
	for _, newest := range []bool{true, false} {
		for _, r := range bridge(t, newest, map[string]string{"DeepSeek-V3": "layers: 62, hidden: 7168, heads: 128, groups: 2, head_size: 100, ffn: 2048, " +
			"vocabulary: 129280, experts: 256, top_k: 9, ends_as_layers: true"}) {
			runs = append(runs, r.attending(r.chip.bf16[r.precision]/1.6))
		}
	}
	var e errors
	for _, r := range runs {
		if group := groups[r.setting()]; group != nil {
			t.Logf("%-30s %s", r.name, e.add(t, r, r.simulated(t, together(t, group)), group[0], group))
		}
	}
	mean, worst, meanFloor := e.told(t, "DeepSeek")
	expect.That(t, len(e.ours) == 8 && mean <= 0.75*meanFloor && worst <= 25, "errors of %.1f %%, %.1f %% at worst; expected three quarters of %.1f, 25", mean, worst, meanFloor)
}

// setting is the chip and the precision of a given step.
func (r run) setting() string { return strings.Join(strings.Fields(r.name)[:2], " ") }

// grouped returns runs by what a function says of them, and what it says in their order.
func grouped(runs []run, by func(run) string) (groups map[string][]run, names []string) {
	groups = map[string][]run{}
	for _, r := range runs {
		if name := by(r); groups[name] == nil {
			names = append(names, name)
		}
		groups[by(r)] = append(groups[by(r)], r)
	}
	return groups, names
}

// together returns the sustained fraction at which the largest error of some runs is least, by trying.
func together(t *testing.T, runs []run) (sustained float64) {
	var rest, work []float64 // a time is rest + work/s, as fractions of the measured time
	for _, r := range runs {
		one, half := r.simulated(t, 1), r.simulated(t, 0.5)
		rest, work = append(rest, (2*one-half)/r.measured), append(work, (half-one)/r.measured)
	}
	least := math.Inf(1)
	for try := 500; try <= 10000; try++ {
		worst := 0.0
		for i := range runs {
			worst = max(worst, 100*math.Abs(rest[i]+work[i]/(float64(try)/10000)-1))
		}
		if worst < least {
			sustained, least = float64(try)/10000, worst
		}
	}
	return sustained
}

// The given steps, with one sustained fraction per chip and precision, and with a separate one for models with experts,
// whose products are small.
func TestTrainingByMegatronBridge(t *testing.T) {
	at := map[string]float64{} // by setting
	for _, c := range []struct {
		what        string
		group       func(r run) string
		mean, worst float64 // errors in percent that may be
	}{
		{"experts apart", func(r run) string { return r.setting() + fmt.Sprint(strings.Contains(r.model, "experts")) }, 2, 5},
		{"one number", run.setting, 10, 18},
	} {
		groups, names := grouped(given(t, true), c.group)
		var e errors
		for _, name := range names {
			group := groups[name]
			sustained := together(t, group)
			for _, r := range group {
				at[r.setting()] = sustained
				t.Logf("%-30s sustained %.3f: %s", r.name, sustained, e.add(t, r, r.simulated(t, sustained), group[0], group))
			}
		}
		mean, worst, _ := e.told(t, c.what)
		expect.That(t, mean <= c.mean && worst <= c.worst, "%s: errors of %.1f %%, %.1f %% at worst; expected %g, %g", c.what, mean, worst, c.mean, c.worst)
	}
	for _, model := range []string{"GPT-OSS-120B", "Qwen3-30B-A3B"} {
		for _, r := range given(t, true) {
			for _, o := range given(t, true) {
				if strings.HasPrefix(r.name, "B200") && strings.HasPrefix(o.name, "GB200") && strings.HasSuffix(r.name, model) && strings.HasSuffix(o.name, model) {
					was, got := r.measured/o.measured, r.simulated(t, at[r.setting()])/o.simulated(t, at[r.setting()])
					t.Logf("GB200 over B200, %s: measured %.3f, simulated %.3f", model, was, got)
					expect.Near(t, got, was, 0.1, "GB200 over B200, %s", model)
				}
			}
		}
	}
}

// Steps of earlier releases, with the sustained fractions of the newest: other versions, and layouts that are described
// less fully. With few sequences in a micro-batch the small experts of Qwen3-30B took up to three times as long then;
// the other runs are nearer.
func TestTrainingByReleasesBefore(t *testing.T) {
	groups, _ := grouped(given(t, true), run.setting)
	at := map[string]float64{} // by setting
	for name, runs := range groups {
		at[name] = together(t, runs)
	}
	var all errors
	var rest []float64
	for _, r := range given(t, false) {
		group := groups[r.setting()]
		if group == nil {
			continue // of an unknown precision
		}
		t.Logf("%-30s %s", r.name, all.add(t, r, r.simulated(t, at[r.setting()]), group[0], group))
		if r.micro >= 4 || !strings.Contains(r.model, "top_k: 8") {
			rest = append(rest, all.ours[len(all.ours)-1])
		}
	}
	mean, _, meanFloor := all.told(t, "releases before")
	meanRest, worstRest := spread(rest)
	t.Logf("%d of them: mean %.1f %%, worst %.1f %%", len(rest), meanRest, worstRest)
	expect.That(t, mean <= 0.75*meanFloor && meanRest <= 12, "errors of %.1f %%, %.1f %%; expected three quarters of %.1f, 12", mean, meanRest, meanFloor)
}

// Other models on H100 at fp8, with the fraction of 405B on 512 devices: 8 % on average, which is the error that the
// workload states (Error of its Kind). The worst is GPT-3 of v3.1, which v4.1 trained 17 % faster on as many devices.
func TestTrainingOfOtherModels(t *testing.T) {
	const delayed = ", cast_size: 4 B" // with scales of earlier steps, operands are read once
	series := logged(t, h100, "llama31_405b", "v5.0", of405B+delayed)
	sustained := series[0].fitted(t)
	others := []run{logged(t, h100, "gpt3", "v3.1", ofGPT3+delayed)[0], logged(t, h100, "gpt3", "v4.1", ofGPT3+delayed)[0]}
	seen := map[string]bool{}
	for _, r := range given(t, true) {
		if strings.HasPrefix(r.name, "H100 fp8") && !seen[r.name] {
			seen[r.name], others = true, append(others, r)
		}
	}
	var e errors
	for _, r := range others {
		t.Logf("%-30s %s", r.name, e.add(t, r, r.simulated(t, sustained), series[0], series))
	}
	mean, worst, _ := e.told(t, "other models")
	expect.That(t, mean <= 8 && worst <= 18, "errors of %.1f %%, %.1f %% at worst; expected 8, as stated, and 18", mean, worst)
}

// errors are relative, in percent.
type errors struct{ ours, floor, line []float64 }

func spread(all []float64) (mean, worst float64) {
	for _, e := range all {
		mean += math.Abs(e) / float64(len(all))
		worst = max(worst, math.Abs(e))
	}
	return mean, worst
}

// compared predicts the runs of a series from what was fitted on the first.
func compared(t *testing.T, name string, runs []run, sustained float64) errors {
	t.Helper()
	var e errors
	t.Logf("%s: sustained %.4f", name, sustained)
	// The line is through the smallest run and the next one with other work per device.
	other := slices.IndexFunc(runs, func(r run) bool {
		return float64(r.batch)/float64(r.gpus) != float64(runs[0].batch)/float64(runs[0].gpus)
	})
	for i, r := range runs[1:] {
		got := r.simulated(t, sustained)
		off := func(v float64) float64 { return 100 * (v/r.measured - 1) }
		e.ours, e.floor = append(e.ours, off(got)), append(e.floor, off(r.floor(runs[0])))
		if other > 0 && i+1 != other {
			e.line = append(e.line, off(r.line(runs[0], runs[other])))
		}
		t.Logf("  %-26s measured %8.3f s, simulated %8.3f (%+.2f %%), floor %+.2f %%, line %+.2f %%", r.name, r.measured, got,
			off(got), off(r.floor(runs[0])), off(r.line(runs[0], runs[max(0, other)])))
	}
	for _, x := range []struct {
		what string
		of   []float64
	}{{"ours", e.ours}, {"floor", e.floor}, {"line", e.line}} {
		mean, worst := spread(x.of)
		t.Logf("  %s: mean %.2f %%, worst %.2f %%", x.what, mean, worst)
	}
	return e
}

const (
	of405B = "layers: 126, hidden: 16384, heads: 128, groups: 8, ffn: 53248, sequence: 8192, ends_as_layers: true, parameter_size: 1 B"
	of8B   = "layers: 32, hidden: 4096, heads: 32, groups: 8, ffn: 14336, sequence: 8192, parameter_size: 1 B"
	ofGPT3 = "layers: 96, hidden: 12288, heads: 96, ffn: 49152, gated: false, vocabulary: 51200, sequence: 2048"
)

// logged returns the runs of MLPerf for a benchmark and a version, by number of devices.
func logged(t *testing.T, of chip, benchmark, version, model string) []run {
	t.Helper()
	var runs []run
	for _, r := range scenariotest.Measured(t, "mlperf_llm_steps_given.csv") {
		if r["benchmark"] != benchmark || r["version"] != version || r["same_as"] != "" {
			continue
		}
		x := run{
			name: fmt.Sprintf("%s %s %s", version, benchmark, r["gpus"]), chip: of, precision: r["precision"], gpus: r.Count("gpus"), domain: 8,
			batch: r.Count("global_batch"), micros: r.Count("grad_accum"), tp: r.Count("tp"), pp: r.Count("pp"), vp: r.Count("vp"), cp: r.Count("cp"),
			model: model, measured: r.Number("step_s_median"),
		}
		if math.IsNaN(x.measured) {
			x.measured = float64(x.batch) * r.Number("seq_len") / r.Number("throughput_median")
		}
		if math.IsNaN(x.measured) {
			continue
		}
		x.micro = x.batch / (x.replicas() * x.micros)
		runs = append(runs, x)
	}
	slices.SortFunc(runs, func(a, b run) int { return a.gpus - b.gpus })
	return runs
}

// Steps of MLPerf: a series is predicted from its smallest run alone, on which the sustained fraction is fitted. The
// scripts of Llama 3.1 gather parameters in fp8 (FP8_PARAMS, FP8_PARAM_GATHER). With ISOSCALE_LONG the log also has
// what a stream would hide.
func TestTrainingOfMLPerf(t *testing.T) {
	overlaps := []string{"none", "gradients", "all"}[:expect.Often(1, 3)]
	for _, c := range []struct {
		chip                      chip
		benchmark, version, model string
		mean, worst               float64 // errors in percent that may be
	}{
		{h100, "llama31_405b", "v5.0", of405B, 1, 1.5},
		{h100, "gpt3", "v3.1", ofGPT3, 4.2, 6.7},
		{h100, "gpt3", "v4.1", ofGPT3, 4.2, 6.7},
		{b200, "llama31_8b", "v5.1", of8B, 4.2, 13},
	} {
		for _, overlap := range overlaps {
			runs := logged(t, c.chip, c.benchmark, c.version, c.model+", overlap: "+overlap)
			e := compared(t, fmt.Sprintf("%s %s, overlap: %s", c.benchmark, c.version, overlap), runs, runs[0].fitted(t))
			mean, worst := spread(e.ours)
			expect.That(t, overlap != "none" || mean <= c.mean && worst <= c.worst, "%s %s: errors of %.2f %%, %.2f %% at worst; expected %g, %g",
				c.benchmark, c.version, mean, worst, c.mean, c.worst)
		}
	}
}

// load is the work of a device.
func (r run) load(t *testing.T) float64 { return r.work(t) / float64(r.gpus) }

// add adds the errors for a run of a prediction, of the floor for different models (the flop of a device at the rate of
// another run), and of a line through that run and the next of some runs with other work per device.
func (e *errors) add(t *testing.T, r run, got float64, of run, runs []run) string {
	off := func(v float64) float64 { return 100 * (v/r.measured - 1) }
	load, from := r.load(t), of.load(t)
	floor, line := of.measured*load/from, math.NaN()
	other := slices.IndexFunc(runs, func(x run) bool { return math.Abs(x.load(t)/from-1) > 0.5 })
	if other >= 0 && (runs[other].name != r.name || runs[other].measured != r.measured) {
		line = of.measured + (runs[other].measured-of.measured)*(load-from)/(runs[other].load(t)-from)
		e.line = append(e.line, off(line))
	}
	e.ours, e.floor = append(e.ours, off(got)), append(e.floor, off(floor))
	return fmt.Sprintf("measured %8.3f s, simulated %8.3f (%+.1f %%), floor %+.1f %%, line %+.1f %%", r.measured, got, off(got), off(floor), off(line))
}

// work is the work of the model.
func (r run) work(t *testing.T) float64 {
	s := scenariotest.Scenario(t, r.text(1))
	return float64(expect.Value(system.New(s))(t).Algorithm(s.Workload.N).Work())
}

// sharded predicts runs with sharded parameters (FSDP) from one of them, on which the sustained fraction is fitted. It
// returns the errors of that, of the floor by flop, and of a line through that run and one with other work per device.
func sharded(t *testing.T, runs []run, first int) errors {
	t.Helper()
	var e errors
	of, sustained := runs[first], runs[first].fitted(t)
	t.Logf("%s: sustained %.3f", of.name, sustained)
	for i, r := range runs {
		if i != first {
			t.Logf("  %-34s %s", r.name, e.add(t, r, r.simulated(t, sustained), of, runs))
		}
	}
	return e
}

// told prints the errors, and returns the mean and the worst of ours, and the mean of the floor.
func (e errors) told(t *testing.T, what string) (mean, worst, meanFloor float64) {
	mean, worst = spread(e.ours)
	meanFloor, worstFloor := spread(e.floor)
	meanLine, worstLine := spread(e.line)
	t.Logf("%s, %d runs: mean %.1f %%, worst %.1f %%; floor %.1f, %.1f; line %.1f, %.1f", what, len(e.ours), mean, worst, meanFloor, worstFloor, meanLine, worstLine)
	return mean, worst, meanFloor
}

func (e errors) and(o errors) errors {
	return errors{append(e.ours, o.ours...), append(e.floor, o.floor...), append(e.line, o.line...)}
}

// foundry are runs of llm-foundry: MPT models of 12 h^2 parameters a layer, in PyTorch with sharded parameters.
func foundry(t *testing.T, precision string) []run {
	sizes := map[string][3]int{"760m": {24, 1536, 12}, "1b": {24, 2048, 16}, "3b": {32, 2560, 20}, "7b": {32, 4096, 32},
		"13b": {40, 5120, 40}, "30b": {48, 7168, 56}, "70b": {80, 8192, 64}}
	var runs []run
	for _, r := range scenariotest.Measured(t, "llmfoundry_fsdp_given.csv") {
		of, known := sizes[r["Model"]]
		if !known || r["Precision"] != "amp_"+precision {
			continue
		}
		gpus, micro, micros := r.Count("# GPUs"), r.Count("MicroBatchSize"), r.Count("GradAccum")
		recompute := map[string]string{"True": "full", "False": "none"}[r["Activation Checkpointing"]]
		runs = append(runs, run{
			name: fmt.Sprintf("%s %s %d x %d", r["Model"], r["SeqLen (T)"], gpus, micro), chip: h100, precision: precision, gpus: gpus, domain: 8,
			batch: gpus * micro * micros, micro: micro, tp: 1, pp: 1, vp: 1, cp: 1, micros: micros,
			model: fmt.Sprintf("layers: %d, hidden: %d, heads: %d, ffn: %d, gated: false, vocabulary: 50368, sequence: %s, recompute: %s, "+
				"sharded: true", of[0], of[1], of[2], 4*of[1], r["SeqLen (T)"], recompute),
			measured: float64(gpus*micro*micros) * r.Number("SeqLen (T)") / r.Number("Throughput (T/s)"),
		})
	}
	return runs
}

// Runs of llm-foundry at bf16: for each model and length, the runs on more devices are predicted from that on the
// fewest; and all models, lengths and numbers of devices from one run.
func TestTrainingByFoundry(t *testing.T) {
	runs := foundry(t, "bf16")
	var scaled errors
	for i := 0; i < len(runs); {
		model := func(r run) string { return strings.Join(strings.Fields(r.name)[:2], " ") }
		j := i
		for j < len(runs) && model(runs[j]) == model(runs[i]) {
			j++
		}
		if j > i+1 {
			scaled = scaled.and(sharded(t, runs[i:j], j-i-1))
		}
		i = j
	}
	mean, worst, floor := scaled.told(t, "more devices")
	expect.That(t, mean <= 0.75*floor, "errors of %.1f %%, %.1f %% at worst; expected three quarters of %.1f", mean, worst, floor)
	at := func(name string) int {
		return slices.IndexFunc(runs, func(r run) bool { return strings.HasPrefix(r.name, name) })
	}
	one, long := at("7b 2048 8 "), at("7b 32768 8 ")
	sharded(t, runs, one).told(t, "all from one")
	// The speed of attention, by bisection until both runs are as measured.
	slow, fast := 0.1, 1.0
	for range 12 {
		middle := (slow + fast) / 2
		of, far := runs[one].attending(middle), runs[long].attending(middle)
		if far.simulated(t, of.fitted(t)) > far.measured {
			slow = middle
		} else {
			fast = middle
		}
	}
	for i := range runs {
		runs[i] = runs[i].attending(slow)
	}
	t.Logf("attention at %.3f of the speed of products", slow)
	mean, worst, floor = sharded(t, slices.Delete(runs, long, long+1), at("7b 2048 8 ")).told(t, "all from two")
	expect.That(t, mean <= min(10, 0.75*floor) && worst <= 18, "errors of %.1f %%, %.1f %% at worst; expected 10, 18, and three quarters of %.1f", mean, worst, floor)
	// Two models at fp8 from one run, with attention as fast as at bf16.
	attention := slow * runs[at("7b 2048 8 ")].fitted(t) * 989
	runs = foundry(t, "fp8")
	for range 4 {
		speed := attention / 1979 / runs[at("3b 2048 ")].fitted(t)
		for i := range runs {
			runs[i] = runs[i].attending(speed)
		}
	}
	mean, worst, floor = sharded(t, runs, at("3b 2048 ")).told(t, "fp8, from one")
	expect.That(t, mean <= min(10, 0.75*floor) && worst <= 18, "errors of %.1f %%, %.1f %% at worst; expected 10, 18, and three quarters of %.1f", mean, worst, floor)
}

// attending returns the run with attention at a fraction of the speed of products.
func (r run) attending(speed float64) run {
	r.chip.bf16 = map[string]float64{r.precision: speed}
	return r
}

// titan are the runs of torchtitan with one set of options, by model. Parameters are sharded (FSDP): gathered in bf16
// for each pass, and gradients are reduced in fp32. With float8, inputs of products are converted in both orders, with
// 4 B of memory traffic each (roofline_utils.py of [torchao]; the largest value is found where inputs are made), and
// gathered in fp8 by tensor parallelism (parallelize_llama.py of torchtitan). 4D includes its asynchronous form.
func titan(t *testing.T, model, options string) []run {
	precision := "bf16"
	if strings.Contains(options, "float8") || options == "4D" {
		precision = "fp8"
	}
	dimensions := map[string]string{"8B": of8B, "70B": "groups: 8", "405B": of405B}
	var runs []run
	for _, r := range scenariotest.Measured(t, "torchtitan_h100.csv") {
		if r["model"] != model || !strings.HasPrefix(r["options"], options) || options == "compile" && r["options"] != options {
			continue
		}
		gpus, batch := r.Count("gpus"), r.Count("global_batch")
		x := run{name: fmt.Sprintf("%s %d %s %s", model, gpus, r["seq"], r["options"]), chip: grandTeton, precision: precision, gpus: gpus, domain: 8,
			batch: batch, micro: r.Count("local_batch"), tp: 1, pp: 1, vp: 1, cp: 1, micros: 1,
			measured: float64(batch) * r.Number("seq") / (r.Number("tps_per_gpu") * float64(gpus))}
		for words := strings.Fields(r["parallelism"]); len(words) > 1; words = words[2:] {
			n, _ := strconv.Atoi(words[1])
			switch words[0] {
			case "TP":
				x.tp = n
			case "CP":
				x.cp = n
			case "PP":
				x.pp = n
			}
		}
		recompute := "selective"
		if model != "8B" || r["seq"] != "8192" {
			recompute = "full"
		}
		// With a pipeline, parameters are gathered once, and there are as many micro-batches as stages.
		x.micro, x.micros = x.micro/x.pp, x.pp
		if strings.Contains(r["options"], "interleaved") {
			x.vp = 2
		}
		x.model = strings.NewReplacer("parameter_size: 1 B", "gradient_size: 4 B", "sequence: 8192", "sequence: "+r["seq"]).Replace(dimensions[model]) +
			fmt.Sprintf(", sharded: %t, recompute: %s", x.pp == 1, recompute)
		if precision == "fp8" {
			x.model += ", cast_size: 4 B, gather_size: 1 B"
		}
		if strings.Contains(r["options"], "asyncTP") || options == "4D" {
			x.model += ", tensor_overlap: true"
		}
		if !strings.Contains(x.model, "sequence:") {
			x.model += ", gradient_size: 4 B, sequence: " + r["seq"]
		}
		runs = append(runs, x)
	}
	return runs
}

// A run on 128 devices is predicted from that on 8; other models, and other layouts of long sequences, from one run.
func TestTrainingByTorchtitan(t *testing.T) {
	var all errors
	for _, options := range []string{"none", "compile", "compile+float8"} {
		runs := slices.DeleteFunc(titan(t, "8B", options), func(r run) bool { return !strings.Contains(r.name, " 8192 ") })
		all = all.and(sharded(t, runs, 0))
	}
	mean, worst, floor := all.told(t, "8 to 128")
	expect.That(t, mean <= 0.75*floor && worst <= 4.2, "errors of %.2f %%, %.2f %% at worst; expected three quarters of %.2f, 4.2", mean, worst, floor)
	eight := titan(t, "8B", "compile+float8")
	long := slices.DeleteFunc(slices.Clone(eight), func(r run) bool { return strings.Contains(r.name, " 8192 ") })
	sharded(t, long, 0).told(t, "longer sequences with more context parallelism")
	models := append(append([]run{eight[0]}, titan(t, "70B", "compile+float8")...), titan(t, "405B", "compile+float8")...)
	mean, worst, floor = sharded(t, models, 0).told(t, "other models")
	expect.That(t, mean <= 0.75*floor && worst <= 15, "other models: errors of %.2f %%, %.2f %% at worst; expected three quarters of %.2f, 15", mean, worst, floor)
	sharded(t, titan(t, "405B", "4D"), 0).told(t, "405B, longer sequences with more context parallelism")
}

// printed is what a program of nccl-tests prints for rows of nccl_h100_given.csv, without the row at index without.
func printed(rows []scenariotest.Record, without int) string {
	var b strings.Builder
	for rank := range rows[0].Count("ranks") {
		fmt.Fprintf(&b, "#  Rank %2d Group  0 Pid  41 on node-%d device  0 [0x1b] NVIDIA H100\n", rank, rank/rows[0].Count("devices"))
	}
	for i, r := range rows {
		if bytes, us := r.Number("bytes"), r.Number("time_us"); i != without {
			fmt.Fprintf(&b, "%.0f 1 float none -1 %s %.4f %s 0\n", bytes, r["time_us"], bytes/us/1e3, r["busbw"])
		}
	}
	return b.String()
}

// A run with a file of measured times takes these times. If a row is left out of the file, the time of its size is off
// by what the line between its neighbours, or beyond them, misses.
func TestTablesOfMeasuredCollectives(t *testing.T) {
	operations := map[string]string{"all_reduce": "allreduce", "all_gather": "allgather", "reduce_scatter": "reducescatter", "alltoall": "alltoall"}
	groups, names := map[string][]scenariotest.Record{}, []string{}
	for _, r := range scenariotest.Measured(t, "nccl_h100_given.csv") {
		name := fmt.Sprintf("%s on %s x %s", r["collective"], r["nodes"], r["devices"])
		if r["cluster"] != "cluster01" {
			continue
		}
		if groups[name] == nil {
			names = append(names, name)
		}
		groups[name] = append(groups[name], r)
	}
	for _, name := range names {
		var given, left []float64
		rows := groups[name]
		for i, r := range rows {
			size := r.Number("bytes")
			if r["collective"] != "all_reduce" { // of a block
				size /= r.Number("ranks")
			}
			for _, without := range []int{-1, i} {
				text := fmt.Sprintf("machine: dgx-h100\nnodes: {dgx: %s}\nplacement: {dgx: {on: devices, processes: %s, precision: bf16}}\nnetwork: hockney\n"+
					"workload: {name: collective, op: %s, algorithm: {measured: [times.txt], otherwise: %s}, size: %.6f B, n: 1}\n", r["nodes"], r["devices"],
					operations[r["collective"]], map[bool]string{true: "pairwise", false: "rails"}[r["collective"] == "alltoall"], size)
				s := expect.Value(scenario.Documents{"test.yaml": []byte(text), "times.txt": []byte(printed(rows, without))}.Read("test.yaml", nil))(t)
				x := expect.Value(expect.Value(system.New(s))(t).Simulate(context.Background(), 1))(t)
				e := 100 * (float64(x.Makespan)*1e6/r.Number("time_us") - 1)
				if without < 0 {
					given = append(given, e)
				} else if i > 0 && i < len(rows)-1 {
					left = append(left, e)
				}
			}
		}
		_, worst := spread(given)
		mean, far := spread(left)
		t.Logf("%-26s given rows: worst %.4f %%; rows left out of the file: mean %.1f %%, worst %.1f %%", name, worst, mean, far)
		expect.That(t, worst < 1e-3, "%s: a given row is off by %v %%", name, worst)
	}
}
