package findings

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/study/analysis"
	"github.com/isoscale/isoscale/experiments/internal/study/design"
	"github.com/isoscale/isoscale/experiments/internal/study/sweep/sweeptest"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/internal/expect"
)

// Roles follow from the fields that factors set, and a plan may say otherwise.
func TestRolesOfFactors(t *testing.T) {
	plan := sweeptest.Cluster("marked_speed: 1 Gflop/s, cores: 2", 8, "1 us", "{name: matmul, n: 100}") + `factors:
  nodes.n: [2, 4]
  workload.n: [100, 200]
  workload.bcast: [binomial, flat]
  network.latency: [1 us, 2 us]
  s: {path: seed, values: [1, 2]}
  price: [3, 4]
  who: {path: workload.name, values: [matmul, floyd], role: machine}
derived: {cost: price*processes}
`
	r := finished(t, plan)
	got := map[string]design.Role{}
	for k, f := range r.Table.Factors {
		got[f.Name] = r.Study.Role(k)
	}
	expect.Same(t, got, map[string]design.Role{"nodes.n": design.RoleMachine, "workload.n": design.RoleProblem,
		"workload.bcast": design.RoleMachine, "network.latency": design.RoleMachine, "s": design.RoleCondition,
		"price": design.RoleCondition, "who": design.RoleMachine}, "roles")
	expect.Says(t, r.ProblemsInWords()[0], "each of 8 settings ")
}

// The best of each problem is chosen among the points of its size, and growth and laws are about the last problem.
func TestBestOfEachProblem(t *testing.T) {
	scenario := sweeptest.Cluster("marked_speed: 1 Gflop/s", 32, "20 us", "{name: gauss, n: 100}")
	r := finished(t, scenario+"factors: {nodes.n: [1, 2, 4, 8, 16, 32], workload.n: [100, 400, 1600]}\n")
	expect.That(t, r.Best == nil && len(r.Problems) == 3, "best %+v, problems %+v", r.Best, r.Problems)
	for i, n := range []string{"100", "400", "1600"} {
		one := finished(t, strings.Replace(scenario, "n: 100}", "n: "+n+"}", 1)+"factors: {nodes.n: [1, 2, 4, 8, 16, 32]}\n")
		got := r.Problems[i]
		expect.Equal(t, got.Levels["workload.n"], n, "problem %d", i)
		expect.Equal(t, got.Best.Value, one.Best.Value, "n = %s: value", n)
		expect.Equal(t, got.Best.Levels["nodes.n"], one.Best.Levels["nodes.n"], "n = %s: nodes", n)
		if i == 2 {
			expect.Same(t, r.Scaling, one.Scaling, "laws of the last problem")
			expect.Equal(t, len(r.Growth), len(one.Growth), "sizes")
		}
	}
	said := strings.Join(r.Summary(), "\n")
	expect.That(t, strings.HasPrefix(said, "The smallest time of each of 3 problems: workload.n = 100: ") &&
		strings.Contains(said, "Effects, growth and laws below are for workload.n = 1600"), "%s", said)
	machines := map[string]bool{}
	for _, p := range r.Problems {
		machines[p.Best.Levels["nodes.n"]] = true
	}
	expect.Need(t, len(machines) > 1, "one machine is the best of all")
	expect.Equal(t, r.Report().Lead[0], fmt.Sprintf("No machine has the smallest time of all 3 problems: %d machines share them.", len(machines)), "headline")
}

// Under c = 1 both machines reach 5, otherwise the second is better, so it is the best of all. The noise of x does not
// tell the two apart where c = 1, so that the second may be the best of all there, too.
func TestAMachineThatIsTheBestOfAll(t *testing.T) {
	const factors = "\nfactors: {a: {values: [1, 2], role: machine}, c: {values: [1, 2], role: condition}}\n"
	r := finished(t, "scenario: {workload: super-program, levels: [2], tasks: [2], imbalance: [0]}"+factors+
		"derived: {y: \"c == 1 ? 5 : 4 + a\"}\nobjective: {maximize: y}\n")
	expect.Equal(t, r.Summary()[0], "For each of 2 conditions the largest y is with a = 2: 5 with c = 1 (1 other as good); 6 with c = 2.", "equal under c = 1")
	expect.Equal(t, r.Reference.Levels["a"], "2", "the best under the last condition")
	r = finished(t, "scenario: {workload: super-program, levels: [1], tasks: [1], method: dispatch, scatter: 0.5}"+factors+
		"repetitions: 5\nseeds: point\nderived: {y: \"c == 1 ? time : a + time/1000\"}\nobjective: {maximize: y}\n")
	expect.Need(t, r.Problems[0].Best.Levels["a"] == "1" && len(r.Problems[0].Best.Set) == 1 && r.Problems[1].Best.Levels["a"] == "2",
		"by noise a = 1 is first under c = 1: %+v", r.Problems)
	expect.That(t, strings.HasPrefix(r.Report().Lead[0], "The largest y of each of 2 conditions: "), "%s", r.Report().Lead[0])
}

// Nothing is feasible under two of four conditions, so that the best is that of the other two only.
func TestConditionsWithoutAResultAreTold(t *testing.T) {
	r := finished(t, `scenario: {workload: super-program, levels: [2], tasks: [2], imbalance: [0]}
factors: {a: {values: [1, 2], role: machine}, c: {values: [1, 2, 3, 4], role: condition}}
derived: {y: c + a}
infeasible: [c > 2]
objective: {maximize: y}
`)
	expect.Equal(t, r.Summary()[0], "For each of 2 conditions the largest y is with a = 2: 3 with c = 1; 4 with c = 2.", "best")
	expect.That(t, slices.Contains(r.Warnings, "there is no result for 2 of 4 conditions (the first: c = 3), of which nothing is said"), "%q", r.Warnings)
}

// Where a formula makes the problem grow with the machine, times are not compared.
func TestGrowingProblemIsNotCompared(t *testing.T) {
	r := finished(t, sweeptest.Cluster("marked_speed: 1 Gflop/s", 8, "2 us",
		"{name: matmul, n: 100}")+`factors: {k: {path: nodes.n, values: [1, 2, 4, 8]}}
derived: {workload.n: 100*k}
objective: {minimize: time}
`)
	expect.That(t, r.Best == nil && strings.Contains(r.Summary()[0], "a formula sets their problem, and their work differs"), "%q", r.Summary())
}

// Every process does a round of 1 Gflop at 1 Gflop/s, 100 W: two do half the work of four, for half the energy, in the
// same time. The report states neither that, nor what money buys, nor a rank, but which problem all else is about.
func TestNothingIsComparedOfUnequalWork(t *testing.T) {
	const plan = `scenario:
  machine: {node_types: {n: {marked_speed: 1 Gflop/s, power: 100 W, idle_power: 50 W}}, nodes: [{type: n, count: 4}, {type: n, count: 4, name: m}], network: {latency: 2 us, bandwidth: 1 GB/s}}
  network: hockney
  workload: {name: pattern, shape: ring, n: 1, compute: 1 Gflop}
factors:
  p: {path: "machine.nodes[0].count", values: [2, 4]}
  q: {path: "machine.nodes[1].count", values: [2, 4]}
  s: {path: workload.size, values: [1 kB, 1 MB]}
objective: {minimize: OF, size: processes, cost: p + q}
`
	for of, per := range map[string]string{"time": "achieved_speed", "energy": "energy/work"} {
		r := finished(t, strings.Replace(plan, "OF", of, 1))
		expect.Equal(t, r.Summary()[0], "Points with different numbers of processes are not compared by "+of+": the work of workload pattern grows "+
			"with the number of processes. "+per+" compares them per unit of work. "+
			"Effects, growth and laws below are for s = 1000 kB; report --only chooses another problem.", "of %s", of)
		sections := each.Append(nil, r.Report().Sections, func(s report.Section) string { return s.Heading })
		expect.That(t, r.Best == nil && r.Problems == nil && r.Spending == nil && r.Ascent == nil && !slices.ContainsFunc(sections, func(s string) bool {
			return strings.HasPrefix(s, "The best") || s == "Growth for a budget" || s == "Single steps of growth"
		}), "of %s: %q, and sections %q", of, r.Summary(), sections)
	}
}

// A study repeats the warnings that a run of the best would give: here two devices share a card, which hockney ignores,
// and the fraction of 1 Tflop/s that is reached is not stated. A warning for all conditions appears once.
func TestAStudyWarnsAsRunsDo(t *testing.T) {
	const plan = `scenario:
  machine:
    node_types: {n: {marked_speed: 1 Gflop/s, devices: {count: 2, speed: {fp8: 1 Tflop/s}, link: {latency: 1 us, bandwidth: 100 GB/s}}}}
    nodes: [{type: n, count: 4}]
    network: {latency: 1 us, bandwidth: 10 GB/s}
  network: hockney
  placement: {n: {on: devices}}
  workload: {name: pattern, n: 2, shape: ring, total_compute: 1 Gflop}
factors:
  nodes.n: [2, 4]
  FACTOR
objective: {minimize: time}
`
	const card, speed = "the processes on the 2 devices of a n node share 1 network card", "the time of pattern assumes that it reaches the marked speed of the devices of n"
	for factor, want := range map[string][]string{
		"workload.size: {values: [1 kB, 1 MB], role: machine}": {card, speed},
		"workload.size: {values: [1 kB, 1 MB]}":                {card, speed},
		"network: [flow, hockney]":                             {speed, "with network = hockney, " + card},
	} {
		r := finished(t, strings.Replace(plan, "FACTOR", factor, 1))
		expect.Equal(t, len(r.Warnings), len(want), "warnings with %s", factor)
		for i := range want {
			expect.That(t, i < len(r.Warnings) && strings.HasPrefix(r.Warnings[i], want[i]), "%s: %q", factor, r.Warnings)
		}
	}
}

// A hypercube over sizes has no best.
func TestSampledProblemsAreNotCompared(t *testing.T) {
	r := finished(t, sweeptest.Cluster("marked_speed: 1 Gflop/s", 8, "2 us",
		"{name: matmul, n: 100}")+`factors: {nodes.n: [1, 2, 4, 8], workload.n: {from: 50, to: 200}}
design: {latin_hypercube: 8}
`)
	expect.That(t, r.Best == nil && strings.HasPrefix(r.Summary()[0], "Points are not compared: they differ in problem as well as in the machine (workload.n)."), "%q", r.Summary())
}

// Nor does a search over them, which says that its choice compares them, unless it is for uncertainty.
func TestSearchOverProblemsNamesNoBest(t *testing.T) {
	for criterion, want := range map[string]string{
		"expected_improvement": "with the largest expected improvement. The search compares them all the same; criterion: uncertainty does not.\n",
		"uncertainty":          "with the most uncertain prediction.\n",
	} {
		r := finished(t, sweeptest.Cluster("marked_speed: 1 Gflop/s", 8, "2 us",
			"{name: matmul, n: 100}")+`factors: {nodes.n: [1, 2, 4, 8], workload.n: [50, 100, 200]}
search: {points: 8, start: 4, criterion: `+criterion+`}
`)
		says := strings.Join(r.Summary(), "\n")
		expect.That(t, strings.HasPrefix(says, "Points are not compared") && strings.Contains(says, want) &&
			!strings.Contains(says, "The best is") && !strings.Contains(says, "better"), "%s: %s", criterion, says)
	}
}

// Where the best stops changing over a condition: a round of two processes that compute for 1 ms and exchange 1 MB
// takes 2 ms + 1 MB/bandwidth: 2.1, 2.001 and 2.00001 ms. It is not said about problems, nor about runs with draws.
func TestWhereTheBestStaysIsSaid(t *testing.T) {
	plan := sweeptest.Cluster("marked_speed: 1 Gflop/s", 2, "1 ms",
		"{name: pattern, shape: ring, n: 1, compute: 1 Mflop, size: 1 MB}") + `factors:
  b: {path: machine.network.bandwidth, values: [BANDWIDTHS], role: ROLE}
  workload.sustained: {values: [1, 0.5], role: machine}
objective: {minimize: time}
`
	for _, tt := range []struct{ bandwidths, role, want string }{
		{"1 GB/s, 10 GB/s, 1000 GB/s, 1e5 GB/s", "condition", "Beyond b = 1000 GB/s the smallest time changes by 0.049 % at most; from b = 10 GB/s to 1000 GB/s by 4.7 %."},
		{"1e5 GB/s, 1 GB/s, 1000 GB/s, 10 GB/s", "condition", "Beyond b = 1000 GB/s the smallest time changes by 0.049 % at most; from b = 10 GB/s to 1000 GB/s by 4.7 %."},
		{"1 GB/s, 2 GB/s, 4 GB/s", "condition", "From b = 2 GB/s to 4 GB/s it still changes by 10 %."},
		{"1 GB/s, 2 GB/s, 4 GB/s", "problem", ""},
		{"1 GB/s, 2 GB/s", "condition", ""},
		{"1e4 GB/s, 1e5 GB/s, 1e6 GB/s", "condition", ""},
		// 2.05, 2.033 and 2.025 ms: within 1 % from the second on, but the change before is less than twice that.
		{"20 GB/s, 30 GB/s, 40 GB/s", "condition", ""},
	} {
		r := finished(t, strings.NewReplacer("BANDWIDTHS", tt.bandwidths, "ROLE", tt.role).Replace(plan))
		expect.Equal(t, strings.Join(r.steadyInWords(), " "), tt.want, "%s of %s", tt.role, tt.bandwidths)
	}
	// For logarithms the speedup counts, 64 2^r/(64 + c (2^r - 1)) at r = 2: 3.8209, 3.6571, 3.6525 and 3.6509.
	r := finished(t, `scenario: {workload: super-program, log2_levels: [2], tasks: [64], imbalance: [0]}
factors:
  r: {path: "log2_levels[0]", values: [1, 2]}
  c: {path: "imbalance[0]", values: [1, 2, 2.03, 2.04], role: condition}
`)
	expect.Equal(t, strings.Join(r.steadyInWords(), " "), "Beyond c = 2 the largest speedup changes by 0.17 % at most; from c = 1 to 2 by 4.3 %.", "of a logarithm")
	lead := r.Report().Lead
	expect.Equal(t, lead[0], "Beyond c = 2 the largest speedup changes by 0.17 % at most; from c = 1 to 2 by 4.3 %.", "headline")
	expect.That(t, !slices.Contains(lead[1:], lead[0]), "the headline is said again: %q", lead)
	// 1 + (b-c)^2 times: 2, 1 and 5 times with c = 2; 1, 2 and 10 with c = 1; 10, 5 and 1 with c = 4.
	for c, want := range map[string]string{
		"2": "Of these the smallest is at b = 2; at b = 4 it is 400 % off.",
		"1": "From b = 2 to 4 it still changes by 400 %.",
		"4": "From b = 2 to 4 it still changes by 80 %.",
	} {
		r := finished(t, strings.NewReplacer("{path: machine.network.bandwidth, values: [BANDWIDTHS]", "{values: [1, 2, 4]", "ROLE", "condition",
			"objective:", "derived:\n  workload.n: 1 + (b-"+c+")*(b-"+c+")\nobjective:").Replace(plan))
		expect.Equal(t, strings.Join(r.steadyInWords(), " "), want, "1 + (b-%s)^2 times", c)
	}
	// A price of 100 + 10 b is 140 and 110 EUR, also in the table of the best.
	priced := drawn(t, strings.NewReplacer("{path: machine.network.bandwidth, values: [BANDWIDTHS]", "{values: [1, 2, 4]", "ROLE", "condition",
		"objective: {minimize: time}", "derived:\n  workload.n: 1 + (b-1)*(b-1)\n  price: {formula: 100 + 10*b, unit: EUR}\nobjective: {minimize: time, cost: price}").Replace(plan))
	expect.Equal(t, strings.Join(priced.steadyInWords(), " "), "From b = 2 to 4 it still changes by 400 %. At b = 4 price is 27 % more than at b = 1.", "priced")
	table := priced.problemSection().Blocks[1].(*report.Table)
	expect.That(t, table.Columns[4].Title == "price" && table.Rows[0][4] == "110" && table.Rows[2][4] == "140", "%+v", table)
}

// Times of a training step are 8 % off: changes beyond that are reported, and so are domains that are not filled by 5
// nodes in domains of 2: the last has one node, 2 devices of 4. Without conditions the best alone says so.
func TestWhatIsDecidedIsSaid(t *testing.T) {
	const plan = `scenario:
  machine:
    node_types:
      n:
        marked_speed: 1 Gflop/s
        nics: 2
        devices: {count: 2, speed: {fp8: 1 Tflop/s}, memory_bandwidth: 1 TB/s, link: {latency: 1 us, bandwidth: 100 GB/s}, domain: {nodes: 2}}
    nodes: [{type: n, count: 5}]
    network: {latency: 1 us, bandwidth: 10 GB/s}
  network: hockney
  placement: {n: {on: devices}}
  workload: {name: transformer, n: 10, layers: 2, hidden: 64, heads: 2, ffn: 64, vocabulary: 64, sequence: 64}
factors:
  b: {path: machine.node_types.n.devices.domain.nodes, values: [VALUES], role: condition}
  workload.sustained: {values: [1, 0.5], role: machine}
objective: {minimize: time}
`
	r := finished(t, strings.Replace(plan, "VALUES", "1, 2, 5", 1))
	const part = "the last domain has 2 of 4 devices: 5 nodes of type n are not a multiple of 2"
	expect.Equal(t, strings.Join(r.Warnings, "|"), "with b = 2, "+part, "warnings")
	// In whole domains of 2, only 4 of 5 nodes are used, with 8 devices.
	few := finished(t, strings.NewReplacer("VALUES", "1, 2, 5", "objective:", "derived:\n  machine.nodes[0].count: floor(5/b)*b\n  workload.n: 2*floor(5/b)*b\nobjective:").Replace(plan))
	expect.That(t, slices.Contains(few.Warnings, "with b = 2, the best uses 8 devices, and another condition 10"), "%q", few.Warnings)
	one := finished(t, strings.NewReplacer("b: {path: machine.node_types.n.devices.domain.nodes, values: [VALUES], role: condition}", "workload.layers: [2]").Replace(plan))
	expect.That(t, slices.Contains(one.Warnings, part), "%q", one.Warnings)
	// Without conditions the report says how many others are within the error of times of the best.
	for _, tt := range []struct {
		times []float64
		want  string
	}{
		{[]float64{1, 1.07, 1.09}, "1 of 2 other configurations is within this error of the best, so which of these is better is undecided."},
		{[]float64{1, 1.02, 1.03, 1.5}, "2 of 3 other configurations are within this error of the best, so which of these is better is undecided."},
		{[]float64{1, 2}, "no other configuration is within this error of the best."},
	} {
		one.Ranking = nil
		for i, x := range tt.times { // the first is another machine than the others
			one.Ranking = append(one.Ranking, analysis.Ranked{Cell: &analysis.Cell{Levels: one.Cells.List[min(i, 1)].Levels, Mean: x}})
		}
		expect.Equal(t, strings.Join(one.nearInWords(), " "), "Times of this workload are 8 % off on average where they were measured: "+tt.want, "%v", tt.times)
	}
	expect.Says(t, strings.Join(one.Summary(), " "), "no other configuration is within this error of the best")
	// Whatever depends on the time is as uncertain, its square by 1.08^2 = 1.1664. So is which machine is best under
	// each condition, number or not, and more so if the parallelism of context differs, even by a formula. Prices are
	// not: of two machines with equal times the cheaper one is better, however far off these are.
	for _, tt := range []struct{ objective, conditions, machines, want string }{
		{"minimize: time", "workload.overlap: {values: [none, all], role: condition}", "1, 1.0001", "measured: in 2 of 2 conditions another machine is within this error of the best, so which of these is better is undecided."},
		{"minimize: time", "workload.overlap: {values: [none, all], role: condition}", "1, 1e-9", "measured: no other configuration is within this error of the best."},
		{"minimize: time", "b: {path: machine.node_types.n.devices.domain.nodes, values: [1, 5], role: condition}", "1, 1.0001", "from one to the next are larger. In 2 of 2 conditions another machine is within this error of the best, so which of these is better is undecided."},
		{"minimize: time*time", "workload.layers: [2]", "1, 1e-9", "measured, which makes time*time 17 % uncertain: no other configuration is within this error of the best."},
		{"maximize: achieved_speed", "workload.layers: [2]", "1, 1e-9", "measured, which makes achieved_speed 8 % uncertain: no other configuration is within this error of the best."},
		{"minimize: twice", "workload.layers: [2]", "1, 1e-9", "measured, which makes twice 8 % uncertain: no other configuration is within this error of the best."},
		{"minimize: marked_speed", "workload.layers: [2]", "1, 1e-9", ""},
		{"minimize: time", "workload.cp: {values: [1, 2], role: machine}", "1, 1e-9", "measured, up to 41 % where workload.cp differs: 1 of 3 other configurations is within this error of the best, so which of these is better is undecided."},
	} {
		r := finished(t, strings.NewReplacer("b: {path: machine.node_types.n.devices.domain.nodes, values: [VALUES], role: condition}", tt.conditions,
			"[1, 0.5]", "["+tt.machines+"]", "objective: {minimize: time}", "derived: {twice: 2*time}\nobjective: {"+tt.objective+"}").Replace(plan))
		says := r.nearInWords()
		if r.Problems != nil {
			says = r.steadyInWords()
		}
		got := strings.Join(says, " ")
		expect.That(t, strings.HasSuffix(got, tt.want) && (tt.want != "" || got == ""), "%+v: %q", tt, got)
		if r.Problems == nil {
			continue
		}
		// The table counts the same configurations.
		table, undecided := sectionsOf(r).problemSection().Blocks[1].(*report.Table), 0
		others := slices.IndexFunc(table.Columns, func(c report.Column) bool { return strings.Contains(c.Title, "others that may be as good") })
		for _, row := range table.Rows {
			if row[others] != "0" {
				undecided++
			}
		}
		said := fmt.Sprintf("n %d of %d conditions another machine", undecided, len(table.Rows))
		expect.Equal(t, strings.Contains(got, said), undecided > 0, "%+v: %d undecided in the table, and %q", tt, undecided, got)
	}
	for _, tt := range []struct{ varies, objective, want string }{
		{"c: {values: [1, 2], role: machine}\nderived: {workload.cp: c}", "time", ", up to 41 % where workload.cp differs: 1 of 1 other configuration is within this error of the best, so which of these is better is undecided."},
		{"workload: {values: [{SHAPE}, {SHAPE, cp: 2}], role: machine}", "time", ", up to 41 % where workload.cp differs: 1 of 1 other configuration is within this error of the best, so which of these is better is undecided."},
		{"price: {values: [1, 1.01], role: machine}\nderived: {spent: time*price}", "spent", ", which makes spent 8 % uncertain: no other configuration is within this error of the best."},
	} {
		shape := plan[strings.Index(plan, "name: transformer"):strings.Index(plan, "}\nfactors:")]
		r := finished(t, strings.NewReplacer("b: {path: machine.node_types.n.devices.domain.nodes, values: [VALUES], role: condition}", "machine.network.latency: [1 us]",
			"workload.sustained: {values: [1, 0.5], role: machine}", strings.ReplaceAll(tt.varies, "SHAPE", shape), "minimize: time", "minimize: "+tt.objective).Replace(plan))
		expect.List(t, r.nearInWords(), []string{"Times of this workload are 8 % off on average where they were measured" + tt.want}, "%s", tt.varies)
	}
	for _, tt := range []struct {
		times []float64
		end   int
		want  string
	}{
		{[]float64{1, 0.91, 0.85, 0.85}, 3, "of the changes from one to the next only that 0 to 1 is larger, and no other is decided; that 0 to 3 is larger."},
		{[]float64{1, 1.09, 1.1, 1.2}, 3, "of the changes from one to the next only those 0 to 1 and 2 to 3 are larger, and no other is decided; that 0 to 3 is larger."},
		{[]float64{1, 1.1, 1.3}, 2, "all changes from one to the next are larger."},
		{[]float64{1, 0.93, 0.87}, 2, "no change from one to the next is larger, so none is decided; that 0 to 2 is larger."},
		{[]float64{1, 0.99}, 1, "no change from one to the next is larger, so none is decided."},
	} {
		got := decidedInWords(len(tt.times)-1, tt.end, func(i, j int) float64 { return tt.times[j]/tt.times[i] - 1 },
			func(int, int) float64 { return 0.08 }, func(i, j int) string { return fmt.Sprintf("%d to %d", i, j) })
		expect.Equal(t, got, strings.TrimSuffix(tt.want, "."), "%v", tt.times)
	}
}
