package scenario

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/isoscale/isoscale/experiments/internal/file/document"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/schema/schematest"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/topology"
)

// parse reads a text by [Decode] or [DecodeStudy].
func parse[T any](decode func(*document.Reader, *yamldoc.Node, string) *T, text string) (*T, error) {
	root, err := yamldoc.Parse("test.yaml", []byte(text))
	if err != nil {
		return nil, err
	}
	r := &document.Reader{}
	x := decode(r, root, ".")
	return x, r.Err()
}

func TestDefaults(t *testing.T) {
	s := expect.Value(parse(Decode, "{machine: sunwulf, network: ideal, workload: {name: matmul, n: 8}}"))(t)
	expect.That(t, s.Seed == 1 && s.Selection.Nodes == nil && s.Selection.Processes == nil,
		"seed %d, selection %+v", s.Seed, s.Selection)
}

func TestReadStudy(t *testing.T) {
	s := expect.Value(parse(DecodeStudy, `
title: a study
description: of something
target_efficiency: 0.25
machine: sunwulf
network: hockney
placement: {server: 2}
systems:
  - {name: a, nodes: {server: 1}}
  - {name: b, nodes: {server: 1, v210: 2}, placement: {v210: 2}}
workload: {name: matmul}
sizes: {from: 10, to: 2000}
trend: {degree: 2, points: 5}
calibration: {parameters: [workload.sustained], against: x, method: y}
compare:
  source: a paper
  label: measured
  n: {b: 20}
  psi: [0.5]
  times: [{system: b, n: 30, time: 2 ms}]
seed: 7
`))(t)
	expect.That(t, s.Title == "a study" && s.Description == "of something" && s.Target == 0.25 && s.Seed == 7,
		"got %+v", s)
	expect.That(t, s.TargetPos == (yamldoc.Position{File: "test.yaml", Line: 4, Column: 20}),
		"target at %v", s.TargetPos)
	systems := []StudySystem{
		{Name: "a", Selection: topology.Selection{Nodes: map[string]int{"server": 1}, Processes: map[string]int{"server": 2}}},
		// A system's own placement replaces that of the study.
		{Name: "b", Selection: topology.Selection{Nodes: map[string]int{"server": 1, "v210": 2}, Processes: map[string]int{"v210": 2}}},
	}
	for _, d := range []string{
		cmp.Diff(systems, s.Systems),
		cmp.Diff(SizeRange{10, 2000}, s.Sizes),
		cmp.Diff(TrendPlan{2, 5}, s.Trend),
		cmp.Diff(&Calibration{[]string{"workload.sustained"}, "x", "y"}, s.Calibration),
		cmp.Diff(&Comparison{Source: "a paper", Label: "measured", N: map[string]int{"b": 20}, Psi: []float64{0.5},
			Times: []MeasuredTime{{System: 1, N: 30, Time: 2e-3}}}, s.Compare),
	} {
		expect.That(t, d == "", "want -, got +\n%s", d)
	}

	s = expect.Value(parse(DecodeStudy, "{target_efficiency: 0.25, machine: sunwulf, network: ideal, systems: [{name: a}], workload: {name: matmul}}"))(t)
	expect.That(t, s.Compare == nil && s.Calibration == nil && s.Seed == 1 && s.Sizes.From < 10 &&
		s.Sizes.To > 100000 && s.Trend.Points == 0,
		"defaults: %+v", s)
}

// The order of the study applies to systems that give none. With a server of two processes and two blades, ranks 0 to 2
// are on different nodes in turn.
func TestRankOrders(t *testing.T) {
	s := expect.Value(parse(DecodeStudy, `{target_efficiency: 0.25, machine: sunwulf, network: ideal, workload: {name: matmul}, placement: {server: 2}, rank_order: cyclic,
systems: [{name: a, nodes: {server: 1, blade: 2}}, {name: b, nodes: {blade: 2}, rank_order: greedy}, {name: c, nodes: {blade: 3}, rank_order: block}]}`))(t)
	var got []any
	for i, x := range s.Systems {
		got = append(got, x.Selection.Order, x.RankOrder.Greedy, s.Scenario(i).RankOrder == x.RankOrder)
	}
	expect.Same(t, got, []any{[]int32{0, 2, 3, 1}, false, true, []int32(nil), true, true, []int32(nil), false, true}, "orders")
	i := slices.IndexFunc(s.Facts(), func(p input.Parameter) bool { return p.Name == "rank_order" })
	expect.That(t, i >= 0 && s.Facts()[i].Value == "a: cyclic, b: greedy, c: block", "facts %v", s.Facts())
}

// Each case changes one thing in a good study; ^ marks the place that the only message must name, and is not part of
// the text.
func TestBadStudies(t *testing.T) {
	const good = `target_efficiency: 0.3
machine: sunwulf
network: hockney
systems: [{name: C2, nodes: {server: 1}}, {name: C4, nodes: {blade: 4}}]
workload: {name: gauss}
`
	form := schematest.Of(t, StudyType)
	for _, tt := range []struct{ old, new, want string }{
		{"0.3", "^0", "target_efficiency: 0 is out of range; expected the speed-efficiency to hold as a fraction, such as 0.3"},
		{"0.3", "^-0.3", "target_efficiency: -0.3 is out of range"},
		{"0.3", "^30 %", `target_efficiency: found the text "30 %"`},
		{"0.3", "^.nan", `target_efficiency: found the text ".nan"`},
		{"gauss}", "gauss, n: ^3}", "workload.n: a study searches for the problem size itself; expected no n here"},
		{"[{name: C2, nodes: {server: 1}}, {name: C4, nodes: {blade: 4}}]", "^[]", "systems: no systems; expected at least one"},
		{"[{name: C2, nodes: {server: 1}}, {name: C4, nodes: {blade: 4}}]", "^3", "systems: found the number 3"},
		{"{name: C4,", "^{name: C2,", `systems[1]: a second system named "C2"`},
		{"{name: C4,", "{name: ^-C4,", "systems[1].name: bad name; expected a name of letters"},
		{"{name: C4,", "{name: ^C 4,", "systems[1].name: bad name"},
		{"{name: C4,", "^{", `systems[1]: missing key "name"`},
		{"{blade: 4}", "{blade: ^65}", "systems[1].nodes.blade: machine sunwulf has 64 blade nodes, not 65"},
		{"{name: C4, nodes: {blade: 4}}", "^{name: C4, nodes: {blade: 0}}", "machine sunwulf: no node takes part"},
		{"workload:", "rank_order: ^random\nworkload:", `rank_order: unknown rank order "random"; expected one of block, by-group, cyclic, greedy`},
		{"{name: C4,", "{name: C4, rank_order: {file: ^none.txt},", "systems[1].rank_order.file: cannot read: no such file or directory"},
		{"workload:", "sizes: ^{from: 10, to: 10}\nworkload:", "sizes: from 10 to 10 is empty; expected from below to"},
		{"workload:", "sizes: {from: ^2}\nworkload:", "sizes.from: 2 is less than 3; expected a problem size of at least 3"},
		{"workload:", "trend: ^{degree: 3, points: 3}\nworkload:", "trend: 3 points for a polynomial of degree 3; expected at least 4 points"},
		{"workload:", "trend: {degree: ^0}\nworkload:", "trend.degree: 0 is less than 1"},
		{"workload:", "calibration: ^{parameters: [a], against: b}\nworkload:", `calibration: missing key "method"`},
		{"workload:", "compare: ^{}\nworkload:", `compare: missing key "source"`},
		{"workload:", "compare: {source: s, psi: ^[1, 2]}\nworkload:", "compare.psi: 2 values; expected 1, one for each pair of neighbouring systems"},
		{"workload:", "compare: {source: s, psi: [^0]}\nworkload:", "compare.psi[0]: 0 is out of range"},
		{"workload:", "compare: {source: s, n: {^C3: 5}}\nworkload:", `compare.n: unknown key "C3"; expected one of C2, C4`},
		{"workload:", "compare: {source: s, times: [{system: ^C3, n: 9, time: 1 s}]}\nworkload:", `compare.times[0].system: unknown system "C3"; expected one of C2, C4`},
		{"workload:", "compare: {source: s, times: [{system: C2, n: 9, time: ^0 s}]}\nworkload:", "compare.times[0].time: 0 s is zero"},
	} {
		t.Run(tt.new, func(t *testing.T) {
			expect.Need(t, strings.Contains(good, tt.old), "%q is not in the study", tt.old)
			text := strings.Replace(good, tt.old, tt.new, 1)
			before, after, _ := strings.Cut(text, "^")
			_, err := parse(DecodeStudy, before+after)
			problems, _ := err.(yamldoc.Problems)
			expect.Need(t, len(problems) == 1, "got %v, want one problem: %s", err, tt.want)
			line := strings.Count(before, "\n")
			want := yamldoc.Position{File: "test.yaml", Line: line + 1, Column: len(before) - strings.LastIndex(before, "\n")}
			expect.That(t, problems[0].Pos == want && strings.Contains(err.Error(), tt.want),
				"got\n%v\nwant\n%v: %s", err, want, tt.want)
			expect.That(t, input.IsError(err) && input.HasPosition(err), "not an input error with a position")
			if err := form.AgreeText(before+after, err); err != nil {
				t.Error(err)
			}
		})
	}
}

// A machine may be a file of its own, named relative to the file that uses it;
// both are inputs of the result.
func TestMachineFile(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		expect.Success(t, os.MkdirAll(filepath.Dir(path), 0o755))
		expect.Success(t, os.WriteFile(path, []byte(text), 0o644))
		return path
	}
	write("machines/small.yaml", "node_types: {w: {marked_speed: 1 Mflop/s}}\nnodes: [{type: w}]\nnetwork: {latency: 1 us, bandwidth: 1 GB/s}\n")
	scenario := write("s.yaml", "machine: machines/small.yaml\nnetwork: ideal\nworkload: {name: matmul, n: 8}\n")
	s, err := Disk.Read(scenario, []input.Override{{Path: "workload.n", Value: "9"}})
	expect.Success(t, err)
	expect.That(t, s.Machine.Name == "small" && s.Workload.N == 9, "machine %q, n = %d", s.Machine.Name, s.Workload.N)
	expect.That(t, len(s.Inputs) == 2 && s.Inputs[0].File == filepath.ToSlash(scenario) &&
		strings.HasSuffix(s.Inputs[1].File, "machines/small.yaml") && len(s.Inputs[1].SHA256) == 64,
		"inputs %+v", s.Inputs)
	// A problem inside the machine file has its place in that file.
	write("machines/small.yaml", "node_types: {w: {marked_speed: 1 s}}\nnodes: [{type: w}]\nnetwork: {latency: 1 us, bandwidth: 1 GB/s}\n")
	_, err = Disk.Read(scenario, nil)
	want := filepath.Join(dir, "machines", "small.yaml") + ":1:32: "
	expect.That(t, err != nil && strings.HasPrefix(err.Error(), want), "got %v, want %s...", err, want)
	// So has anything that keeps that file, or an application file, from being read.
	write("machines/small.yaml", "nodes: [{type: w, type: w}]\nnetwork: {latency: 0, latency: 0}\n")
	write("a.yaml", "application: a\nwork: 1 flop\nwork: 1 flop\nprogram: []\n")
	write("s.yaml", "machine: machines/small.yaml\nnetwork: ideal\nworkload: {application: a.yaml}\n")
	_, err = Disk.Read(scenario, nil)
	var places []string
	for _, p := range expect.Kind[yamldoc.Problems](t, err) {
		places = append(places, strings.TrimPrefix(filepath.ToSlash(p.Pos.String()), filepath.ToSlash(dir)+"/"))
	}
	expect.List(t, places, []string{"a.yaml:3:1", "machines/small.yaml:1:19", "machines/small.yaml:2:23"}, "places")
}

// Errors in the nodes are reported where they are, once.
func TestNodesOfATopology(t *testing.T) {
	const continued, named, again = "{type: w, count: 2}", "{type: w, name: w-1}", "{type: w, count: 2, first: 1}"
	for _, tt := range []struct{ second, topology, network, want string }{
		{again, "", "{name: flow}", "test.yaml:2:17: network.name: machine inline: nodes[3].name: \"w-1\" a second time; expected a name of its own"},
		{again, ", topology: bus", "ideal", "test.yaml:1:62: machine.nodes: [3].name: \"w-1\" a second time; expected a name of its own"},
		{named, "", "{name: flow}", "test.yaml:2:17: network.name: machine inline: nodes[3].name: \"w-1\" a second time; expected a name of its own"},
		{again, "", "hockney", "none"},          // names do not matter
		{continued, "", "{name: flow}", "none"}, // w-4 and w-5
		{continued, ", topology: bus", "ideal", "none"},
	} {
		_, err := parse(Decode, "machine: {node_types: {w: {marked_speed: 1 Mflop/s}}, nodes: [{type: w, count: 3}, "+tt.second+"], network: {latency: 1 us, bandwidth: 1 GB/s"+tt.topology+"}}\n"+
			"network: "+tt.network+"\nworkload: {name: matmul, n: 8}\n")
		if err == nil {
			err = errors.New("none")
		}
		expect.Same(t, err.Error(), tt.want, "what was read")
	}
}

// The uplinks of levels say what between_groups would say.
func TestLevelsAndBetweenGroups(t *testing.T) {
	_, err := parse(Decode, "machine: {node_types: {w: {marked_speed: 1 Mflop/s}}, nodes: [{type: w, count: 4}], network: {latency: 1 us, bandwidth: 1 GB/s, topology: {name: tree, levels: [2, 2]}}}\n"+
		"network: {name: hockney, between_groups: {latency: 5 us}}\nworkload: {name: matmul, n: 8}\n")
	const want = "test.yaml:2:42: network.between_groups: the topology of the machine has levels, whose uplinks say the same; expected latency and bandwidth in machine.network.topology.uplinks"
	expect.That(t, err != nil && err.Error() == want, "got  %v\nwant %s", err, want)
}
