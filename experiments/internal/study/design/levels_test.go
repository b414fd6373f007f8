package design

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
)

// parse reads a plan that has only the keys of this package.
func parse(text string, lim limits) (*Design, error) {
	root, err := yamldoc.Parse("plan.yaml", []byte(text))
	if err != nil {
		return nil, err
	}
	var d yamldoc.Decoder
	var s *Design
	schema.Declare("a design", func(k *schema.Keys, to **Design) { keys(k, to, lim) }).Read(&d, root, &s)
	return s, d.Err()
}

func mustParse(t testing.TB, text string) *Design {
	t.Helper()
	s, err := parse(text, planLimits)
	expect.Need(t, err == nil, "%v\nin\n%s", err, text)
	return s
}

// texts returns the levels of a factor with their unit.
func texts(f *Factor) []string {
	var all []string
	for i := range f.Len() {
		all = append(all, strings.TrimSpace(f.Level(i).Text+" "+f.Unit))
	}
	return all
}

func TestLevels(t *testing.T) {
	for _, tt := range []struct {
		factor  string
		numeric bool
		want    string // texts with units
	}{
		{"{from: 0, to: 3}", true, "0|1|2|3"},
		{"{from: -2, to: 7, step: 3}", true, "-2|1|4|7"},
		{"{from: 0, to: 8, step: 3}", true, "0|3|6"},
		{"{from: 5, to: 5}", true, "5"},
		{"{from: 1 us, to: 3 us}", true, "1 us|2 us|3 us"},
		{"{from: 0 us, to: 1 ms, step: 250 us}", true, "0 us|250 us|500 us|750 us|1000 us"},
		{"{from: 1 Gflop/s, to: 2 Gflop/s}", true, "1 Gflop/s|2 Gflop/s"},

		{"{powers_of_two: {from: 1, to: 64}}", true, "1|2|4|8|16|32|64"},
		{"{powers_of_two: {from: 8, to: 8}}", true, "8"},
		{"{powers_of_two: {from: 256 KiB, to: 1 MiB}}", true, "256 KiB|512 KiB|1024 KiB"},
		{"{powers_of_two: {from: 4503599627370496, to: 9007199254740992}}", true, "4503599627370496|9007199254740992"},

		// Ratio 100^(1/4) = 3.1622776...
		{"{log: {from: 1 us, to: 100 us, count: 5}}", true, "1 us|3.16228 us|10 us|31.6228 us|100 us"},
		{"{log: {from: 1, to: 1000, count: 4}}", true, "1|10|100|1000"},
		{"{log: {from: 1e-300, to: 1e300, count: 3}}", true, "1e-300|1|1e+300"},
		{"{log: {from: 1 us, to: 0.1 ms, count: 2}}", true, "1 us|100 us"},
		// The middle is 1 + 5e-8: six digits would make it one of the ends.
		{"{log: {from: 1, to: 1.0000001, count: 3}}", true, "1|1.00000005|1.0000001"},

		{"{linear: {from: 0.5, to: 1, count: 6}}", true, "0.5|0.6|0.7|0.8|0.9|1"},
		{"{linear: {from: 0, to: 1, count: 4}}", true, "0|0.333333|0.666667|1"},
		{"{linear: {from: -0.3, to: 0.3, count: 7}}", true, "-0.3|-0.2|-0.1|0|0.1|0.2|0.3"},
		// In floating point -2.8 + 3.5 * 0.8 is 4.4e-16.
		{"{linear: {from: -2.8, to: 0.7, count: 6}}", true, "-2.8|-2.1|-1.4|-0.7|0|0.7"},
		{"{linear: {from: 1234567, to: 2234567, count: 3}}", true, "1234567|1734567|2234567"},
		{"{linear: {from: 0, to: 10 us, count: 3}}", true, "0 us|5 us|10 us"},
		{"{linear: {from: 1000000, to: 1000001, count: 4}}", true, "1000000|1000000.3|1000000.7|1000001"},

		{"[3, 1, 2]", true, "3|1|2"},
		{"[1.50, 1e3, -0.0]", true, "1.5|1000|0"},
		{"[1 KiB, 64 KiB, 1 MiB, 1 GiB]", true, "1 KiB|64 KiB|1024 KiB|1048576 KiB"},
		{"[0, 1 us, 2 ms]", true, "0 us|1 us|2000 us"},
		{"[16 Mbit/s, 1 MB/s]", true, "16 Mbit/s|8 Mbit/s"},
		{"[100 EUR, 50 EUR]", true, "100 EUR|50 EUR"},
		{"[1 us, 1 MB]", false, "1 us|1 MB"},
		{"[100 EUR, 100 USD]", false, "100 EUR|100 USD"},
		{"[1 us, 2]", false, "1 us|2"},
		{"[1, two]", false, "1|two"},
		{"['1', '2']", false, "1|2"},
		{"[10 usec, 20 usec]", false, "10 usec|20 usec"},
		{"[9007199254740993, 9007199254740992]", false, "9007199254740993|9007199254740992"},
		{"[true, FALSE]", false, "true|false"},
		{"[~, '', ' x', \"a\\nb\"]", false, `null|""|" x"|"a\nb"`},
		{"[{name: flow, latency: 5 us}, {name: 'a: b'}]", false, `{name: flow, latency: 5 us}|{name: "a: b"}`},
		{"{values: [[1, 2], []]}", false, "[1, 2]|[]"},
		{"{paths: [a, b], values: [[1, x], [2, 'y z']]}", false, "[1, x]|[2, y z]"},
		{"{paths: [a, b], values: [[1, x], [2, y]], labels: [4, 8]}", true, "4|8"},
		{"{paths: [a, b], values: [[1, x], [2, y]], labels: [C2, C4]}", false, "C2|C4"},
		{"{path: a, values: [[1], [2]], labels: [1 us, 1 ms]}", true, "1 us|1000 us"},
		{"{paths: [a, b], from: 1, to: 2}", true, "1|2"},
	} {
		t.Run(tt.factor, func(t *testing.T) {
			f := &mustParse(t, "factors: {f: "+tt.factor+"}").Factors[0]
			expect.Equal(t, strings.Join(texts(f), "|"), tt.want, "levels")
			expect.That(t, f.Numeric == tt.numeric, "numeric %v", f.Numeric)
		})
	}
}

// What a level sets.
func TestSettings(t *testing.T) {
	s := mustParse(t, `
factors:
  latency: {path: network.latency, log: {from: 1 us, to: 100 us, count: 3}}
  network: [hockney, {name: flow}]
  system:
    paths: [nodes.server, nodes.blade]
    values: [[1, "07"], [1, ~]]
    labels: [C2, C4]
  workload.n: [64 KiB, 1 MiB]
`)
	shown := func(settings []yamldoc.Change) string {
		var all []string
		for _, x := range settings {
			all = append(all, x.Path+" = "+flow(x.Value))
		}
		return strings.Join(all, ", ")
	}
	for _, tt := range []struct {
		factor, level int
		text          string
		value         float64
		settings      string
	}{
		{0, 1, "10", 10, "network.latency = 10 us"},
		{1, 1, "{name: flow}", 0, "network = {name: flow}"},
		{2, 0, "C2", 0, `nodes.server = 1, nodes.blade = "07"`},
		{2, 1, "C4", 0, "nodes.server = 1, nodes.blade = null"},
		// Set as in the plan, shown in the unit of the factor.
		{3, 1, "1024", 1024, "workload.n = 1 MiB"},
	} {
		f := &s.Factors[tt.factor]
		l := f.Level(tt.level)
		got := shown(l.Settings)
		expect.That(t, l.Text == tt.text && l.Value == tt.value && got == tt.settings,
			"factor %s, level %d: %+v sets %s, want %s", f.Name, tt.level, l, got, tt.settings)
	}
	// Level 2 of the latency, 1 of all others. The order of the settings is by
	// the length of the path: network (7), workload.n (10), nodes.blade (11),
	// nodes.server (12), network.latency (15).
	const want = "network = {name: flow}, workload.n = 1 MiB, nodes.blade = null, nodes.server = 1, network.latency = 100 us"
	expect.Equal(t, shown(s.Point(s.Points()-1).Settings()), want, "a point sets")
}

// The text of a level is the number that is simulated.
func TestTextIsValue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		from := rapid.Float64Range(1e-9, 1e9).Draw(t, "from")
		to := from * rapid.Float64Range(1.001, 1e12).Draw(t, "ratio")
		kind := rapid.SampledFrom([]string{"log", "linear"}).Draw(t, "kind")
		n := rapid.IntRange(2, 40).Draw(t, "count")
		plan := fmt.Sprintf("factors: {f: {%s: {from: %v us, to: %v us, count: %d}}}", kind, from, to, n)
		if rapid.Bool().Draw(t, "hypercube") {
			plan = fmt.Sprintf("factors: {f: {%s: {from: %v us, to: %v us}}}\ndesign: {latin_hypercube: %d}", kind, from, to, n)
		}
		s := expect.Value(parse(plan, planLimits))(t)
		f := &s.Factors[0]
		last := math.Inf(-1)
		for i := range f.Len() {
			l := f.Level(i)
			v, err := strconv.ParseFloat(l.Text, 64)
			expect.Need(t, err == nil && v == l.Value, "text %s, value %v", l.Text, l.Value)
			expect.Value(units.Time.Parse(l.Settings[0].Value.Text()))(t)
			expect.Need(t, l.Value > last && l.Value >= from && l.Value <= to,
				"level %d is %s after %v, from %v to %v", i, l.Text, last, from, to)
			last = l.Value
		}
	})
}

// roundTrip writes a value in one line, sets it and reads it back.
func roundTrip(t expect.TB, value *yamldoc.Node) {
	text := flow(value)
	expect.Need(t, !strings.ContainsAny(text, "\r\n"), "several lines: %q", text)
	root, err := yamldoc.Parse("f.yaml", []byte("k: 0"))
	expect.Need(t, err == nil, "%v", err)
	root, err = root.Set("k", text)
	expect.Need(t, err == nil, "%s: %v", text, err)
	expect.Same(t, root.Plain().(map[string]any)["k"], value.Plain(), "%s", text)
}

func TestFlow(t *testing.T) {
	for in, want := range map[string]string{
		"50 us":                   "50 us",
		"1e3":                     "1e3",
		"'1e3'":                   `"1e3"`,
		"'true'":                  `"true"`,
		"Null":                    "null",
		"a: b\nc:\n- d, e\n- [ ]": `{a: b, c: ["d, e", []]}`,
		"|\n  one\n  two\n":       `"one\ntwo\n"`,
		"{}":                      "{}",
		"{a: {'b c': '', '': 1}}": `{a: {b c: "", "": 1}}`,
		"0x10":                    "0x10",
		"inf":                     `"inf"`,
		"50 µs":                   `"50 µs"`,
	} {
		root := expect.Value(yamldoc.Parse("f.yaml", []byte(in)))(t)
		expect.Equal(t, flow(root), want, "%q is written", in)
		roundTrip(t, root)
	}
}

func TestFlowRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "string")
		// Any string at all can only be given in quotes.
		root, err := yamldoc.Parse("f.yaml", fmt.Appendf(nil, "[%q, {k: %q}]", s, s))
		if err != nil {
			t.Skip("not a document:", err)
		}
		roundTrip(t, root)
	})
}
