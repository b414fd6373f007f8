package design

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/internal/expect"
)

// readErrors are plans with one problem each, and the whole message.
var readErrors = []struct{ plan, want string }{
	// The factors as a whole.
	{"seed: 1", `1:1: missing key "factors"; expected the factors and their levels`},
	{"factors: {}", `1:10: factors: there are no factors; expected at least one, such as nodes: [1, 2, 4]`},
	{"factors:", `1:1: factors: found no value; expected a mapping that describes the factors`},
	{"factors: [a]", `1:10: factors: found a sequence; expected a mapping that describes the factors`},

	// One factor.
	{"factors:\n  a: []", `2:6: factors.a: there are no levels; expected at least one`},
	{"factors:\n  a: {values: []}", `2:15: factors.a.values: there are no levels; expected at least one`},
	{"factors:\n  a: {}", `2:6: factors.a: there are no levels; expected one of values, from and to, powers_of_two, log, linear`},
	{"factors:\n  a:", `2:3: factors.a: found no value; expected levels: a list, or a mapping such as {path: nodes, from: 1, to: 8}`},
	{"factors:\n  a: 7", `2:6: factors.a: found "7"; expected levels: a list, or a mapping such as {path: nodes, from: 1, to: 8}`},
	{"factors:\n  a: {values: [1], form: 2}", `2:20: factors.a: unknown key "form"; expected one of from, labels, linear, log, path, paths, powers_of_two, role, step, to, values; did you mean "from"?`},
	{"factors:\n  a: {values: [1], to: 2}", `2:6: factors.a: the levels are given in more than one way; expected one of values, from and to, powers_of_two, log, linear`},
	{"factors:\n  a: {values: 1}", `2:15: factors.a.values: found the number 1; expected a sequence of levels`},
	{"factors:\n  a: [1, 2, 1]", `2:13: factors.a[2]: duplicate level 1, first given in line 2; expected every level once`},
	{"factors:\n  a: [0.5, x,\n    0.50, x]", `3:11: factors.a[3]: duplicate level x, first given in line 2; expected every level once`},
	{"factors:\n  a: [1 ms, 1 s, 1000 us]", `2:18: factors.a[2]: duplicate level 1, first given in line 2; expected every level once`},
	{"factors:\n  a: [x, 'x']", `2:10: factors.a[1]: duplicate level x, first given in line 2; expected every level once`},
	{"factors:\n  a: {path: x, values: [1, 2], labels: [p]}", `2:40: factors.a.labels: 1 label for 2 levels; expected a label for every level`},
	{"factors:\n  a: {path: x, values: [1, 2], labels: [p, p]}", `2:44: factors.a.labels[1]: duplicate level p, first given in line 2; expected every level once`},
	{"factors:\n  a: {path: x, values: [1], labels: [[p]]}", `2:38: factors.a.labels[0]: found a list; expected a word or number as label`},
	{"factors:\n  a: {path: x, from: 1, to: 2, labels: [p, q]}", `2:40: factors.a.labels: labels without values; expected labels for a list of values`},
	{"factors:\n  a: {path: x, paths: [y], values: [1]}", `2:6: factors.a: both path and paths; expected one of them`},
	{"factors:\n  a: {paths: [], values: []}", "2:14: factors.a.paths: there are no paths; expected at least one, such as nodes.blade\n" +
		"plan.yaml:2:26: factors.a.values: there are no levels; expected at least one"},
	{"factors:\n  a: {path: '', values: [1]}", `2:13: factors.a.path: the path is empty; expected a path such as nodes.blade`},
	{"factors:\n  a: {paths: [x, x], values: [[1, 2]]}", `2:18: factors.a.paths[1]: the path x is given twice; expected every path once`},
	{"factors:\n  a: {paths: [x, y], values: [[1, 2], [3]]}", `2:39: factors.a.values[1]: found 1 value; expected a list with a value for each of the 2 paths`},
	{"factors:\n  a: {paths: [x, y], values: [[1, 2], 3]}", `2:39: factors.a.values[1]: found "3"; expected a list with a value for each of the 2 paths`},
	{"factors:\n  a: {path: x, values: [1]}\n  b: {path: x, values: [1]}", `3:6: factors.b: factor a sets x too; expected every path in one factor`},

	// Names.
	{"factors:\n  block size: {path: x, values: [1]}", `2:15: factors["block size"]: "block size" cannot be used in conditions; expected letters, digits and underscores, such as log_latency, and its field under path`},
	{"factors:\n  '': [1]", `2:7: factors[""]: "" cannot be a column of the results; expected letters, digits and underscores, such as log_latency, and its field under path`},
	{"factors:\n  \"a\\nb\": [1]", `2:11: factors["a\nb"]: "a\nb" cannot be a column of the results; expected letters, digits and underscores, such as log_latency, and its field under path`},
	{"factors:\n  seed: [1, 2]", `2:9: factors.seed: seed is already a column of the results; expected another name, with path: seed`},
	{"factors:\n  max: [1, 2]", `2:8: factors.max: max is a reserved word in conditions; expected another name, with path: max`},
	{"factors:\n  in: [1, 2]", `2:7: factors.in: in is a reserved word in conditions; expected another name, with path: in`},

	// Ranges.
	{"factors:\n  a: {from: 9, to: 0}", `2:13: factors.a.from: from 9 is more than to 0; expected a range with from <= to`},
	{"factors:\n  a: {from: 9}", `2:6: factors.a: missing key "to"; expected both from and to`},
	{"factors:\n  a: {to: 9}", `2:6: factors.a: missing key "from"; expected both from and to`},
	{"factors:\n  a: {from: 0, to: 9, step: 0}", `2:29: factors.a.step: the step is 0; expected a step of at least 1`},
	{"factors:\n  a: {from: 0, to: 9, step: -1}", `2:29: factors.a.step: the step is -1; expected a step of at least 1`},
	{"factors:\n  a: {from: 0, to: 9, step: 0.5}", `2:29: factors.a.step: 0.5 is not a whole number up to 2^53; expected a whole number; use log or linear for other numbers`},
	{"factors:\n  a: {values: [1], step: 2}", `2:26: factors.a.step: a step without from and to; expected from and to beside it`},
	{"factors:\n  a: {from: 0.5, to: 9}", `2:13: factors.a.from: 0.5 is not a whole number up to 2^53; expected a whole number; use log or linear for other numbers`},
	{"factors:\n  a: {from: 0, to: 1 ms, step: 250 us}", `2:32: factors.a.step: 0.25 is not a whole number up to 2^53; expected a whole number; use log or linear for other numbers`},
	{"factors:\n  a: {from: 0, to: 99999999999999999999}", `2:20: factors.a.to: found "99999999999999999999"; expected a number, or a number with a unit such as 50 us`},
	{"factors:\n  a: {from: 0, to: 1000000}", `2:6: factors.a: 1000001 levels; expected at most 1000000 in a factor`},
	{"factors:\n  a: {from: -9007199254740992, to: 9007199254740992}", `2:6: factors.a: 18014398509481985 levels; expected at most 1000000 in a factor`},
	{"factors:\n  a: {from: 1 us, to: 9 MB}", `2:23: factors.a.to: 9 MB is a size, but 1 us is a time; expected one kind of quantity in from, to and step`},
	{"factors:\n  a: {from: 1, to: 9 EUR}", `2:20: factors.a.to: 9 EUR is money, but 1 is a plain number; expected one kind of quantity in from, to and step`},
	{"factors:\n  a: {from: one, to: 9}", `2:13: factors.a.from: found "one"; expected a number, or a number with a unit such as 50 us`},
	{"factors:\n  a: {powers_of_two: {from: 1, to: 48}}", `2:36: factors.a.powers_of_two.to: 48 is not a power of two from 1 to 2^53; expected a number such as 64`},
	{"factors:\n  a: {powers_of_two: {from: 0, to: 64}}", `2:29: factors.a.powers_of_two.from: 0 is not a power of two from 1 to 2^53; expected a number such as 64`},
	{"factors:\n  a: {powers_of_two: {from: 1, to: 18014398509481984}}", `2:36: factors.a.powers_of_two.to: found "18014398509481984"; expected a number, or a number with a unit such as 50 us`},
	{"factors:\n  a: {powers_of_two: {from: 64, to: 1}}", `2:29: factors.a.powers_of_two.from: from 64 is more than to 1; expected a range with from <= to`},
	{"factors:\n  a: {powers_of_two: {from: 1}}", `2:22: factors.a.powers_of_two: missing key "to"; expected the last power of two`},
	{"factors:\n  a: {powers_of_two: 8}", `2:22: factors.a.powers_of_two: found the number 8; expected a mapping that describes a range of powers of two`},
	{"factors:\n  a: {log: {from: 1, to: 9, count: 1}}", `2:36: factors.a.log.count: 1 is less than 2; expected an integer from 2 to 1000000`},
	{"factors:\n  a: {linear: {from: 1, to: 9, count: 1}}", `2:39: factors.a.linear.count: 1 is less than 2; expected an integer from 2 to 1000000`},
	{"factors:\n  a: {linear: {from: 1, to: 9}}", `2:15: factors.a.linear: missing key "count"; expected the number of levels`},
	{"design: {latin_hypercube: 5}\nfactors:\n  a: {log: {from: 1, to: 9, count: 5}}", `3:36: factors.a.log.count: a count in a Latin hypercube; expected no count: a Latin hypercube has as many levels as samples`},
	{"factors:\n  a: {linear: {from: 1, to: 9, step: 1, count: 2}}", `2:32: factors.a.linear: unknown key "step"; expected one of count, from, to`},
	{"factors:\n  a: {log: {from: 0, to: 9, count: 3}}", `2:19: factors.a.log.from: a logarithmic range from 0; expected a number above 0`},
	{"factors:\n  a: {log: {from: -1 us, to: 9 us, count: 3}}", `2:19: factors.a.log.from: a logarithmic range from -1; expected a number above 0`},
	{"factors:\n  a: {log: {from: one, to: 9, count: 3}}", `2:19: factors.a.log.from: found "one"; expected a number, or a number with a unit such as 50 us`},
	{"factors:\n  a: {log: {from: 9, to: 9, count: 3}}", `2:19: factors.a.log.from: from 9 is not less than to 9; expected from less than to`},
	{"factors:\n  a: {linear: {from: 9, to: 1, count: 3}}", `2:22: factors.a.linear.from: from 9 is not less than to 1; expected from less than to`},
	{"factors:\n  a: {linear: {from: -1e308, to: 1e308, count: 3}}", `2:34: factors.a.linear.to: the range is too wide for 64-bit numbers; expected a smaller range`},
	// There are only two numbers between 1 and the third one after it.
	{"factors:\n  a: {linear: {from: 1, to: 1.0000000000000007, count: 5}}", `2:15: factors.a.linear: the range is too narrow for 5 different levels; expected a smaller count or a wider range`},
	{"design: {latin_hypercube: 5}\nfactors:\n  a: {linear: {from: 1, to: 1.0000000000000007}}", `3:15: factors.a.linear: the range is too narrow for 5 different levels; expected fewer samples or a wider range`},

	// Design, repetitions, seeds.
	{"factors: {a: [1]}\ndesign: random", `2:9: design: unknown design "random"; expected factorial, paired or {latin_hypercube: 200}`},
	{"factors: {a: [1]}\ndesign: latin_hypercube", `2:9: design: the number of samples is missing; expected factorial, paired or {latin_hypercube: 200}`},
	{"factors: {a: [1]}\ndesign: {hypercube: 3}", "2:9: design: missing key \"latin_hypercube\"; expected a number of samples\n" +
		"plan.yaml:2:10: design: unknown key \"hypercube\"; expected latin_hypercube"},
	{"factors: {a: [1]}\ndesign: {latin_hypercube: 0}", `2:27: design.latin_hypercube: 0 is less than 1; expected an integer from 1 to 1000000`},
	{"factors: {a: [1]}\ndesign: [paired]", `2:9: design: not a design; expected factorial, paired or {latin_hypercube: 200}`},
	{"design: paired\nfactors:\n  a: [1, 2, 3]\n  b: [1, 2, 3]\n  c: [7]", `5:6: factors.c: a paired design, but a has 3 levels and c has 1 level; expected the same number of levels in every factor`},
	{"factors: {a: [1]}\nrepetitions: 0", `2:14: repetitions: 0 is less than 1; expected an integer from 1 to 100000000`},
	{"factors: {a: [1]}\nrepetitions: two", `2:14: repetitions: found the text "two"; expected an integer from 1 to 100000000`},
	{"factors: {a: [1]}\nseed: -1", `2:7: seed: -1 is less than 0; expected a seed from 0 to 2^53-1`},
	{"factors: {a: [1]}\nseed: 9007199254740992", `2:7: seed: 9007199254740992 is more than 9007199254740991; expected a seed from 0 to 2^53-1`},
	{"factors: {a: [1]}\nseeds: points", `2:8: seeds: unknown rule for seeds "points"; expected one of point, repetition; did you mean "point"?`},

	// Too many points: 10^4 x 10^4 x 3 and 10^24, which is beyond 64 bits.
	{"factors:\n  a: {from: 1, to: 10000}\n  b: {from: 1, to: 10000}\nrepetitions: 3",
		`2:3: factors: too many points: 10000 x 10000 x 3 repetitions = 300000000; expected at most 100000000`},
	{"factors:\n  a: {from: 1, to: 1000000}\n  b: {from: 1, to: 1000000}\n  c: {from: 1, to: 1000000}\n  d: {from: 1, to: 1000000}",
		`2:3: factors: too many points: 1000000 x 1000000 x 1000000 x 1000000 = 1000000000000000000000000; expected at most 100000000`},

	// Conditions.
	{"factors: {a: [1]}\nexclude: a > 1", `2:10: exclude: found the text "a > 1"; expected a sequence of conditions`},
	{"factors: {a: [1]}\nexclude: [{a: 1}]", `2:11: exclude[0]: found a mapping; expected a condition such as r1 + r2 > 12`},
	{"factors: {a: [1]}\nexclude: ['']", `2:11: exclude[0]: the expression is empty; expected a condition such as r1 + r2 > 12`},
	{"factors: {r1: [1], r2: [2]}\nexclude:\n- r1 > 3\n- r1 + r3 > 4", `4:3: exclude[1]: unknown name r3 (at character 6); expected one of the factors r1, r2, or a function; conditions on outcomes are for the key infeasible; did you mean r1 or r2?`},
	{"factors: {a: [1]}\nexclude: [lgo2(a) > 3]", `2:11: exclude[0]: unknown name lgo2 (at character 1); expected one of the factors a, or a function; conditions on outcomes are for the key infeasible; did you mean log2?`},
	{"factors: {workload.n: [1], other.n: [2]}\nexclude: [n > 1]", `2:11: exclude[0]: n may mean workload.n or other.n (at character 1); expected a name for each of them, as in block: {path: workload.n, ...}`},
	{"factors: {'x[0]': [1]}\nexclude: [y > 1]", `2:11: exclude[0]: unknown name y (at character 1); expected a function: no factor has a name that conditions can use; x[0] can be named, as in block: {path: x[0], ...}`},
	{"factors: {a: [1]}\nexclude: [a +]", `2:11: exclude[0]: the expression ends too early (at character 4); expected a number, a name or a function`},
	{"factors: {a: [1]}\nexclude: [a + 1]", `2:11: exclude[0]: this is a number (at character 3); expected a condition such as rank == 0`},
	{"factors: {a: [x]}\nexclude: [a > 1]", `2:11: exclude[0]: this is not a text (at character 5); expected a text, which is compared with another one`},
	{"factors: {a: [1]}\nexclude: [a == 'x']", `2:11: exclude[0]: this is not a text (at character 1); expected a text, which is compared with another one`},
	{"factors: {a: [1]}\nexclude: ['a in 1..3']", `2:11: exclude[0]: unexpected "." (at character 7); expected names, numbers, texts, functions and + - * / % ^ == != < <= > >= and or not in ? :`},
	{"factors: {a: [1]}\nexclude: ['[a][0] > 1']", `2:11: exclude[0]: unexpected "[" (at character 4); expected an operator or the end`},
	{"factors: {a: [1]}\nexclude: ['let b = a; b > 1']", `2:11: exclude[0]: unexpected "b" (at character 5); expected an operator or the end`},
	{"factors: {a: [1, 0]}\nexclude: [log2(a) > 3]", `2:11: exclude[0]: the condition cannot be computed at a = 0: log2 of 0 (at character 1); expected a condition that has a value everywhere`},
	{"factors: {a: [1, -4]}\nexclude: [sqrt(a) > 3]", `2:11: exclude[0]: the condition cannot be computed at a = -4: sqrt of -4 (at character 1); expected a condition that has a value everywhere`},
	{"factors: {a: [1, 0], b: [7]}\nexclude: [b % a > 3]", `2:11: exclude[0]: the condition cannot be computed at b = 7, a = 0: remainder of a division by 0 (at character 3); expected a condition that has a value everywhere`},

	// What belongs in levels and paths: units in the condition, also of another
	// prefix (2 ms = 2000 us, 1 GB/s = 1000 MB/s), and paths.
	{"factors: {latency: [1 us], b: [1 MB/s]}\nexclude: [latency > 8 B/b]", `2:11: exclude[0]: a product of a number with a unit and a name with another unit (at character 14); expected numbers without a unit, in the units of the names`},
	{"factors: {latency: [1 us]}\nexclude: [latency > 8 B/2 GB/s]", `2:11: exclude[0]: this is in base units, but the value next to it is in us (at character 14); expected one number with a unit, such as 2 us`},
	{"factors: {latency: [1 us]}\nexclude: [latency > 8 foo]", `2:11: exclude[0]: "foo" is not a unit (at character 11); expected a unit such as 8 GB/s, or an operator after the number as in 2*n`},
	{"factors: {a: [x]}\nexclude: [\"a matches '('\"]", `2:11: exclude[0]: this is not a regular expression (at character 11); expected a text such as '^f.*x$'`},
	{"factors: {latency: [1 us, 3 us]}\nexclude: [latency == '2 us']", `2:11: exclude[0]: this is not a text (at character 1); expected a text, which is compared with another one`},
	{"factors: {latency: [1 us, 3 us]}\nexclude: [2ms > latency]", `2:10: exclude: the conditions leave none of 2 points: "2ms > latency" alone removes 2; expected conditions that leave a point`},
	{"factors: {n: [1]}\nexclude: [n > 2 us]", `2:11: exclude[0]: 2 us is a time, but the value next to it is a plain number (at character 5); expected quantities of one kind, or a number without a unit`},
	{"factors: {latency: [1 us]}\nexclude: [latency > 2 MB]", `2:11: exclude[0]: 2 MB is a size, but the value next to it is in us (at character 11); expected quantities of one kind, or a number without a unit`},
	{"factors: {latency: [1 us, 3 us]}\nexclude: [latency < 2 us +]", `2:11: exclude[0]: the expression ends too early (at character 17); expected a number, a name or a function`},
	{"factors: {latency: {path: machine.network.latency, values: [1 us]}}\nexclude: [machine.network.latency < 2]", `2:11: exclude[0]: machine.network.latency is a path (at character 1); expected the name of its factor: use latency`},
	{"factors: {machine.network.latency: [1 us], network: [x]}\nexclude: [2 > network.latency]", `2:11: exclude[0]: network.latency is a path (at character 5); expected the name of its factor: use latency`},
	{"factors: {r1: {path: 'log2_nodes[0]', from: 1, to: 2}}\nexclude: ['log2_nodes[0] > 1']", `2:11: exclude[0]: log2_nodes[0] is a path (at character 1); expected the name of its factor: use r1`},
	{"factors: {a.n: [1], b.n: [2]}\nexclude: [a.n > 1]", `2:11: exclude[0]: unknown name a.n (at character 1); expected a function: no factor has a name that conditions can use; a.n, b.n can be named, as in block: {path: a.n, ...}`},

	// Nothing left: a > 5 removes the 4 levels 6 to 9 of 10, each with 2 levels
	// of b; a <= 5 the other 6.
	{"factors: {a: {from: 0, to: 9}, b: [x, y]}\nexclude:\n- a > 5\n- a <= 5\n- b == 'x'",
		`3:1: exclude: the conditions leave none of 20 points: "a > 5" alone removes 8, "a <= 5" alone removes 12, "b == 'x'" alone removes 10; expected conditions that leave a point`},
	{"factors: {a: [1, 2]}\nrepetitions: 3\nexclude: ['true']",
		`3:10: exclude: the conditions leave none of 6 points: "true" alone removes 6; expected conditions that leave a point`},
}

func TestReadErrors(t *testing.T) {
	for _, tt := range readErrors {
		s, err := parse(tt.plan, planLimits)
		expect.That(t, s == nil || strings.Contains(tt.want, "unknown key"), "%s\ngives a design", tt.plan)
		got := fmt.Sprint(err)
		expect.That(t, got == "plan.yaml:"+tt.want, "%s\ngives  %s\nwant   plan.yaml:%s", tt.plan, got, tt.want)
	}
}

// The limits, lowered so that small plans reach them.
func TestLimits(t *testing.T) {
	lim := limits{factors: 2, levels: 4, conditions: 2, points: 12, evaluations: 7, lookups: 12, strata: 5}
	for _, tt := range []struct{ plan, want string }{
		{"factors: {a: [1], b: [2], c: [3]}", "1:10: factors: there are 3 factors; expected at most 2"},
		{"factors: {a: [1, 2, 3, 4, 5]}", "1:14: factors.a: 5 levels; expected at most 4 in a factor"},
		{"factors: {a: {from: 1, to: 9, step: 2}}", "1:14: factors.a: 5 levels; expected at most 4 in a factor"},
		{"factors: {a: {log: {from: 1, to: 2, count: 5}}}", "1:44: factors.a.log.count: 5 is more than 4; expected an integer from 2 to 4"},
		{"factors: {a: [1, 2, 3, 4], b: [1, 2, 3, 4]}", "1:10: factors: too many points: 4 x 4 = 16; expected at most 12"},
		{"factors: {a: [1]}\nexclude: [a > 1, a > 2, a > 3]", "2:10: exclude: there are 3 conditions; expected at most 2"},
		{"factors: {a: [1, 2, 3, 4], b: [1, 2]}\nexclude: [a > b]", "2:10: exclude: the conditions have to be computed 8 times, for all combinations of the factors that they name; expected at most 7"},
		{"factors: {a: [1, 2, 3, 4], b: [1, 2, 3]}\nexclude: [a > 7, b > 7]", "2:10: exclude: 2 conditions on different factors for 12 combinations of levels; expected a product of at most 12"},
		{"factors: {a: [1], b: [2]}\ndesign: {latin_hypercube: 3}", "1:10: factors: 3 samples of 2 factors are 6 values; expected at most 5"},
	} {
		_, err := parse(tt.plan, lim)
		expect.That(t, fmt.Sprint(err) == "plan.yaml:"+tt.want, "%s\ngives  %v\nwant   plan.yaml:%s", tt.plan, err, tt.want)
	}
	s, err := parse("factors: {a: [1, 2, 3, 4], b: [1, 2, 3]}\nexclude: [a > 3]", lim)
	expect.That(t, err == nil && s.Points() == 9, "at the limits: %v", err)
}

// Texts that are too long to be repeated in a message.
func TestLongTexts(t *testing.T) {
	for _, tt := range []struct{ plan, want string }{
		{"factors: {a: [[\n" + strings.Repeat("b, ", 2000) + "]]}", "1:15: factors.a[0]: the level is too long; expected at most 4096 bytes when written in one line"},
		{"factors: {a: [1]}\nexclude:\n- a > 1" + strings.Repeat(" + 1", 300), "3:3: exclude[0]: the expression has 1205 bytes; expected at most 1000"},
		{"factors: {a: [1]}\nexclude: [" + strings.Repeat("(", 500) + "a]", "2:11: exclude[0]: the expression ends too early (at character 502)"},
	} {
		_, err := parse(tt.plan, planLimits)
		expect.That(t, strings.HasPrefix(fmt.Sprint(err), "plan.yaml:"+tt.want), "got %v\nwant plan.yaml:%s", err, tt.want)
	}
}

// All problems of a plan are reported together.
func TestSeveralErrors(t *testing.T) {
	_, err := parse("factors:\n  a: []\n  b: {from: 2, to: 1}\nseed: x\nrepetitions: 0\n", planLimits)
	n := strings.Count(fmt.Sprint(err), "plan.yaml:")
	expect.That(t, n == 4, "%d problems, want 4:\n%v", n, err)
}

// No plan makes Read panic, every problem is one line with its place, and every point of an accepted plan can be
// computed.
func FuzzRead(f *testing.F) {
	for _, tt := range readErrors {
		f.Add(tt.plan)
	}
	f.Add("factors: {a: {log: {from: 1 us, to: 1 ms}}, b: [x, {y: z}]}\ndesign: {latin_hypercube: 7}\nexclude: [\"log2(a) > 3 and b matches 'x'\"]\n")
	f.Add("factors: {s: {paths: [p, q], values: [[1, 2], [3, 4]], labels: [u, v]}, n: {powers_of_two: {from: 1 B, to: 1 KiB}}}\nexclude: [n % 3 == 1, 's == \"u\" ? true : n in [2, 4]']\nrepetitions: 2\n")
	lim := limits{factors: 8, levels: 200, conditions: 8, points: 20_000, evaluations: 40_000, lookups: 100_000, strata: 2000}
	f.Fuzz(func(t *testing.T, plan string) {
		s, err := parse(plan, lim)
		if err != nil {
			var problems yamldoc.Problems
			var one *yamldoc.Error
			switch {
			case errors.As(err, &problems):
				for _, p := range problems {
					expect.Need(t, !strings.ContainsAny(p.Error(), "\r\n"), "several lines: %q", p.Error())
				}
			case !errors.As(err, &one):
				t.Fatalf("foreign error %T", err)
			}
			if s == nil {
				return
			}
		}
		n := s.Points()
		expect.Need(t, n >= 1 && n <= lim.points, "%d points", n)
		for i := 0; i < n; i += max(1, n/50) {
			p := s.Point(i)
			expect.Need(t, p.Index == i && p.Seed >= 0 && p.Seed <= maxSeed, "point %d: %+v", i, p)
			for _, set := range p.Settings() {
				value := flow(set.Value)
				expect.Need(t, value != "" && !strings.ContainsAny(value, "\r\n"), "value %q", value)
			}
			for k := range s.Factors {
				expect.Need(t, p.Level(k).Text != "", "a level without a text")
			}
		}
		p := s.Point(n - 1)
		expect.Need(t, p.Index == n-1, "last point: %+v", p)
	})
}
