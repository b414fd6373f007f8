package workload_test

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/experiments/internal/scenario/scenariotest"
	"github.com/isoscale/isoscale/experiments/internal/scenario/workload"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads/algorithm"
)

// hplDat is an HPL.dat with one value for everything except two block sizes.
const hplDat = `HPLinpack benchmark input file
text
HPL.out output file name
6 device out
1 # of sizes
2000 Ns
2 # of NBs
64 96 NBs
1 PMAP
1 # of grids
2 Ps
3 Qs
16.0 threshold
1 # of panel fact
1 PFACTs
1 # of stopping criteria
4 NBMINs
1 # of panels in recursion
2 NDIVs
1 # of recursive panel fact
2 RFACTs
1 # of broadcasts
3 BCASTs
1 # of depths
0 DEPTHs
1 SWAP
48 swapping threshold
0 L1
0 U
1 Equilibration
8 alignment
`

const hplScenario = `machine:
  node_types: {node: {marked_speed: 1 Gflop/s, cores: 6}}
  nodes: [{type: node, count: 1}]
  network: {latency: 1 us, bandwidth: 1 GB/s}
placement: {node: 6}
network: hockney
workload: {name: hpl, `

// sixHPL reads the workload of a scenario in folder dir, on six processes.
func sixHPL(t *testing.T, workload string) (algorithm.Algorithm, workload.Workload) {
	t.Helper()
	s := expect.Value(scenario.Documents{"d/s.yaml": []byte(hplScenario + workload + "}"), "d/HPL.dat": []byte(hplDat)}.Read("d/s.yaml", nil))(t)
	return s.Workload.Build(s.Workload.N, make([]units.FlopsPerSecond, 6), 1), s.Workload
}

// TestValuesFile compares a workload with its values in an HPL.dat with one that has them itself.
func TestValuesFile(t *testing.T) {
	const plain = "n: 2000, order: column-major, rows: 2, columns: 3, bcast: 2ringM, depth: 0, swap: long, threshold: 48"
	for _, tt := range []struct{ name, with, without string }{
		{"one of two blocks", "dat: HPL.dat, nb: 96", plain + ", nb: 96"},
		{"other keys beside", "dat: HPL.dat, nb: 32, n: 500, depth: 1, call_time: 1 us", strings.NewReplacer("2000", "500", "depth: 0", "depth: 1").Replace(plain) + ", nb: 32, call_time: 1 us"},
		{"another grid", "dat: HPL.dat, nb: 96, rows: 1, columns: 6", strings.NewReplacer("rows: 2", "rows: 1", "columns: 3", "columns: 6").Replace(plain) + ", nb: 96"},
		{"any grid", "dat: HPL.dat, nb: 96, rows: 0, columns: 0", plain + ", nb: 96"},
	} {
		got, w := sixHPL(t, tt.with)
		want, _ := sixHPL(t, tt.without)
		expect.That(t, reflect.DeepEqual(got, want), "%s: %+v; expected %+v", tt.name, got, want)
		i := slices.IndexFunc(w.Parameters, func(p input.Parameter) bool { return p.Name == "bcast" })
		expect.That(t, w.Parameters[i].Note == "HPL.dat", "%s: bcast comes from %q; expected HPL.dat", tt.name, w.Parameters[i].Note)
	}
}

// TestValuesFileOfStudy expects a study not to use the problem size of the file.
func TestValuesFileOfStudy(t *testing.T) {
	study := strings.Replace(hplScenario, "placement: {node: 6}", "placement: {node: 6}\ntarget_efficiency: 0.5\nsystems: [{name: a, nodes: {node: 1}}]", 1)
	d := scenario.Documents{"s.yaml": []byte(study + "dat: HPL.dat, nb: 96}"), "HPL.dat": []byte(hplDat)}
	s := expect.Value(d.ReadStudy("s.yaml", nil))(t)
	h := s.Workload.Build(700, make([]units.FlopsPerSecond, 6), 1).(algorithm.HPL)
	expect.That(t, s.Workload.N == 0 && h.N == 700 && h.Rows == 2 && h.Bcast == "2ringM",
		"n %d, %+v; expected the values of the file but its n", s.Workload.N, h)
}

// TestValuesFileOfTemplate expects the points of a study to have the values of the file, from disk and from the study's
// copy.
func TestValuesFileOfTemplate(t *testing.T) {
	dir := t.TempDir()
	expect.Success(t, os.WriteFile(filepath.Join(dir, "HPL.dat"), []byte(hplDat), 0o600))
	root := expect.Value(yamldoc.Parse(filepath.Join(dir, "s.yaml"), []byte(hplScenario+"dat: HPL.dat}")))(t)
	fromDisk := expect.Value(scenario.OpenTemplate(root, dir))(t)
	change := func(path, value string) yamldoc.Change {
		n := expect.Value(yamldoc.Parse("change", []byte(value)))(t)
		return yamldoc.Change{Path: path, Value: n}
	}
	block := func(tmpl *scenario.Template) int {
		t.Helper()
		c := expect.Value(tmpl.Case(1, change("workload.nb", "48")))(t)
		w := c.Scenario.Workload
		h := w.Build(w.N, make([]units.FlopsPerSecond, 6), 1).(algorithm.HPL)
		expect.That(t, h.N == 2000 && h.Bcast == "2ringM", "%+v; expected the values of the file", h)
		return h.Block
	}
	expect.Equal(t, block(fromDisk), 48, "nb")
	var kept []input.Document
	for _, d := range fromDisk.Documents() {
		again := expect.Value(yamldoc.ParseJSON(d.Name, d.Root.JSON()))(t)
		kept = append(kept, input.Document{Name: d.Name, Root: again})
	}
	expect.Success(t, os.Remove(filepath.Join(dir, "HPL.dat")))
	expect.Equal(t, block(scenario.NewTemplate(root, kept)), 48, "nb without the file")
	expect.Refusal(fromDisk.Case(1))(t, "nb has 2 values: 64, 96")
}

func TestBadValuesFiles(t *testing.T) {
	for _, tt := range []struct{ workload, dat, want string }{
		{"dat: HPL.dat", hplDat, "HPL.dat:8:4: nb[1]: nb has 2 values: 64, 96; expected one; say which beside the name of the file, as in {dat: HPL.dat, nb: 64} or --set workload.nb=64, or vary workload.nb in a sweep"},
		{"dat: none.dat, nb: 1", hplDat, "s.yaml:7:28: workload.dat: no such document; expected one of: HPL.dat, s.yaml"},
		{"dat: [HPL.dat], nb: 1", hplDat, "workload.dat: found a sequence; expected the name of an HPL.dat"},
		{"dat: HPL.dat, nb: 1", strings.Replace(hplDat, "0 DEPTHs", "3 DEPTHs", 1), "HPL.dat:25:1: depth[0]: 3 is more than 1; expected an integer from 0 to 1"},
		{"dat: HPL.dat, nb: 1", strings.Replace(hplDat, "2000 Ns", "9999999999 Ns", 1), "HPL.dat:6:1: n[0]: 9999999999"},
		{"dat: HPL.dat, nb: 1", strings.Replace(hplDat, "2000 Ns", "2k Ns", 1), `HPL.dat:6:1: Ns: found "2k"; expected a whole number of at least 1`},
		{"dat: HPL.dat, nb: 1", "HPLinpack", "HPL.dat:1:1: the file ends here; expected the 31 lines"},
		{"dat: HPL.dat, nb: 1, depth: 4", hplDat, "s.yaml:7:"},
	} {
		d := scenario.Documents{"s.yaml": []byte(hplScenario + tt.workload + "}"), "HPL.dat": []byte(tt.dat)}
		_, err := d.Read("s.yaml", nil)
		expect.That(t, err != nil && strings.Contains(err.Error(), tt.want) && !strings.Contains(err.Error(), "\n"),
			"%s: error %v; expected %q alone", tt.workload, err, tt.want)
	}
}

// What a file asks for and the nodes do not state is an error before the run, at the statement that asks.
func TestSpeedsThatAreNotKnown(t *testing.T) {
	const head = "work: 1 flop\nprogram:\n"
	for _, tt := range []struct{ more, application, want string }{
		{"nodes: {gpu: 1}\nworkload: {application: a.yaml}", head + "- compute: {flop: 1 flop, kernel: fft}\n",
			`a.yaml:4:12: the efficiency of kernel "fft" on the cores of node type gpu is not known; expected it under kernels of that type, as in {fft: 0.9}`},
		{"nodes: {gpu: 1}\nworkload: {application: a.yaml}", "on: devices\n" + head + "- tasks: {count: 1, flop: 1 flop, kernel: stencil}\n",
			`a.yaml:5:10: the efficiency of kernel "stencil" on the devices of node type gpu is not known; expected it under devices.kernels of that type, as in {stencil: 0.9}`},
		{"nodes: {gpu: 1}\nworkload: {application: a.yaml}", "on: devices\n" + head + "- compute: {flop: 1 flop, precision: fp8}\n",
			`a.yaml:5:12: the speed of the devices of node type gpu at precision "fp8" is not known; expected it under devices.speed of that type, as in {fp8: 990 Tflop/s}`},
		{"nodes: {cpu: 1}\nworkload: {application: a.yaml}", head + "- compute: {flop: 1 flop, precision: bf16}\n",
			`a.yaml:4:12: the speed of the cores of node type cpu at precision "bf16" is not known, as their marked speed is for fp64; expected processes on devices, or fp64`},
		{"nodes: {cpu: 1}\nworkload: {application: a.yaml}", "precision: bf16\n" + head + "- compute: 1 flop\n",
			`application a: the speed of the cores of node type cpu at precision "bf16" is not known`},
		{"nodes: {gpu: 1}\nworkload: {application: a.yaml}", "on: devices\nprecision: fp8\n" + head + "- compute: 1 flop\n",
			`s.yaml:18:11: workload: the speed of these devices at precision fp8, which application a names, is not known; expected one of fp64, bf16`},
		{"placement: {gpu: 4}\nworkload: {application: a.yaml}", "on: devices\n" + head + "- compute: 1 flop\n",
			`s.yaml:17:18: placement.gpu: application a runs on devices; expected on: devices, or nothing for this node type`},
		{"placement: {gpu: {processes: 4, threads: 2}}\nworkload: {application: a.yaml}", "on: devices\n" + head + "- compute: 1 flop\n",
			`s.yaml:17:18: placement.gpu: application a runs on devices; expected on: devices`},
	} {
		_, err := scenariotest.Loops("network: ideal\n"+tt.more, tt.application)
		expect.Failure(t, err, tt.want)
	}
}
