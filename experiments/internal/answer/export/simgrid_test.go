package export_test

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/answer/export"
	"github.com/isoscale/isoscale/experiments/internal/answer/replay"
	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/experiments/internal/scenario/scenariotest"
	"github.com/isoscale/isoscale/internal/expect"
)

// exported is an export for SimGrid on disk.
type exported struct {
	dir    string
	finish []float64 // of each rank in our run
	// How much these times depend on rounding: the largest relative difference if
	// the bandwidth of the cables changes by a fraction of 1e-12.
	rounding float64
	*export.TIResult
}

// exportTI exports the scenario of a text, in which BANDWIDTH is that of the cables.
func exportTI(t *testing.T, text string, native bool) exported {
	t.Helper()
	s := scenariotest.Scenario(t, strings.ReplaceAll(text, "BANDWIDTH", "1 GB/s"))
	x := exported{dir: t.TempDir(), finish: finishTimes(t, s)}
	for _, bandwidth := range []string{"1.000000000001 GB/s", "0.999999999999 GB/s"} {
		other := finishTimes(t, scenariotest.Scenario(t, strings.ReplaceAll(text, "BANDWIDTH", bandwidth)))
		x.rounding = max(x.rounding, difference(other, x.finish))
	}
	var err error
	x.write(t, "trace.ti", func(w io.Writer) error {
		x.TIResult, err = export.TI(context.Background(), s, nil, native, w)
		return err
	})
	x.write(t, "list", func(w io.Writer) error { _, err := io.WriteString(w, "trace.ti\n"); return err })
	x.write(t, "hostfile", x.WriteHostfile)
	x.write(t, "platform.xml", x.WritePlatform)
	return x
}

// finishTimes returns when each rank of a scenario finishes.
func finishTimes(t *testing.T, s *scenario.Scenario) []float64 {
	t.Helper()
	sys := expect.Value(system.New(s))(t)
	run := expect.Value(sys.Simulate(context.Background(), s.Workload.N))(t)
	var finish []float64
	for _, r := range run.Ranks {
		finish = append(finish, float64(r.Finish))
	}
	return finish
}

// difference returns the largest relative difference of times.
func difference(a, b []float64) float64 {
	worst := 0.0
	for i := range a {
		if a[i] != b[i] {
			worst = max(worst, math.Abs(a[i]-b[i])/max(a[i], b[i]))
		}
	}
	return worst
}

func (x exported) path(name string) string { return filepath.Join(x.dir, name) }

func (x exported) write(t *testing.T, name string, content func(io.Writer) error) {
	t.Helper()
	var b bytes.Buffer
	expect.Success(t, content(&b))
	expect.Success(t, os.WriteFile(x.path(name), b.Bytes(), 0o644))
}

// compare compares the finish times of all ranks with those of our run. They agree to
// 1e-6, or to the effect of rounding: where eager messages run ahead and compete,
// differences grow from round to round (docs/models/flow.md).
func (x exported) compare(t *testing.T, finish []float64) {
	t.Helper()
	expect.Need(t, len(finish) == len(x.finish), "%d ranks finish, want %d", len(finish), len(x.finish))
	d := difference(finish, x.finish)
	if d > 1e-6+x.rounding {
		t.Errorf("finish times differ by %.2g, relative; by rounding they would by %.2g", d, x.rounding)
	} else if d > 1e-6 {
		t.Logf("finish times differ by %.2g, relative; by rounding they would by %.2g", d, x.rounding)
	}
}

// comparisons calls check for every workload on every topology, and for some workloads under each variant of the
// network, on the topologies in turn. There are 4, 12 and 32 processes if all is set, otherwise one of these numbers in
// turn, with one or two processes on a node. Without ISOSCALE_LONG each workload has one topology and one number of
// processes, and each variant a third of the workloads in turn; unless all is set, a third of these, with all variants.
func comparisons(t *testing.T, all bool, check func(t *testing.T, x exported)) {
	long := expect.IsLong()
	wirings := slices.Sorted(maps.Keys(topologies))
	turn := 0
	compare := func(network, program string, topology, size int) {
		if turn++; turn%3 != 0 && !all && !long {
			return
		}
		for i, p := range []int{4, 12, 32} {
			if i != size%3 && !(all && long) {
				continue
			}
			perNode, wiring := 1+(topology+size+i)%2, wirings[topology%3]
			t.Run(fmt.Sprintf("%s/%s/%s/%dx%d", network, program, wiring, p/perNode, perNode), func(t *testing.T) {
				t.Parallel()
				check(t, exportTI(t, scenarioText(topologies[wiring], networks[network], programs[program], p, perNode), false))
			})
		}
	}
	for i, program := range slices.Sorted(maps.Keys(programs)) {
		for j := range wirings {
			if long || i%3 == j {
				compare("plain", program, j, i+j)
			}
		}
	}
	for i, network := range slices.Sorted(maps.Keys(networks)) {
		for j, program := range strings.Fields(variantPrograms) {
			// SimGrid takes 20 s for each of three exchanges of 32 processes, which have fewer here.
			if network != "plain" && (long || i%3 == j%3) {
				compare(network, program, i+j, i+2*j+2)
			}
		}
	}
}

// variantPrograms are the workloads that are compared under all variants of the network.
const variantPrograms = "gauss convolution lcs reference random-pairs alltoall neighbours-2d bcast-scatter-allgather alltoall-linear"

// A replay of the exported files takes the same time as the run.
func TestReplayOfTI(t *testing.T) {
	comparisons(t, true, func(t *testing.T, x exported) {
		x.compare(t, x.replay(t))
	})
}

// replay returns the finish times that our replay computes.
func (x exported) replay(t *testing.T) []float64 {
	t.Helper()
	r := expect.Value(replay.TI(context.Background(), replay.TIOptions{
		Trace: x.path("list"), Platform: x.path("platform.xml"), Hostfile: x.path("hostfile"), Settings: x.Settings,
	}))(t)
	return r.Finish
}

// nativeCalls are workloads with collective operations that SMPI has: the numbers of calls
// that are written as SMPI's and as messages, an algorithm, and the number of processes for
// which that holds, 0 for any above 2.
var nativeCalls = map[string]struct {
	native, messages int64
	setting          string
	p                int
}{
	"barrier-dissemination": {2, 0, "smpi/barrier:ompi_bruck", 0},
	"barrier-tree":          {2, 0, "smpi/barrier:ompi_tree", 0},
	"bcast-binomial":        {2, 0, "smpi/bcast:binomial_tree", 0},
	"gather-flat":           {2, 0, "smpi/gather:ompi_basic_linear", 0},
	"gather-binomial":       {2, 0, "smpi/gather:ompi_binomial", 0},
	"scatter-flat":          {2, 0, "smpi/scatter:ompi_basic_linear", 0},
	"allgather-ring":        {2, 0, "smpi/allgather:NTSLR", 0},
	"allgather-bruck":       {2, 0, "smpi/allgather:bruck", 0},
	"alltoall-pairwise":     {2, 0, "smpi/alltoall:ring", 0},
	// Work between the messages; SMPI's operations have it after them.
	"reduce-binomial":              {0, 2, "", 0},
	"allreduce-recursive-doubling": {0, 2, "", 0},
	// 59 broadcasts, 59 barriers and a gather.
	"gauss": {119, 0, "smpi/bcast:binomial_tree", 0},
	"floyd": {96, 0, "smpi/bcast:binomial_tree", 0},
	// Scatter and gather of parts by speed, an exchange of buckets of unequal size.
	"matmul":     {1, 2, "smpi/bcast:binomial_tree", 12},
	"samplesort": {2, 1, "smpi/gather:ompi_binomial", 12},
	// 48 planes.
	"fft3d-slabs": {1, 0, "smpi/alltoall:ring", 12},
	// No operation at all.
	"lcs": {0, 0, "", 0},
}

// Exports whose collective operations are SMPI's take the same time as the run, in our replay
// (of a third of them without ISOSCALE_LONG) and in SimGrid.
func TestNativeCollectives(t *testing.T) {
	smpirun, missing := exec.LookPath("smpirun")
	sizes := []int{4, 12, 32}
	for i, program := range slices.Sorted(maps.Keys(nativeCalls)) {
		want := nativeCalls[program]
		for j, topology := range slices.Sorted(maps.Keys(topologies)) {
			long := expect.IsLong()
			if !long && i%3 != j {
				continue
			}
			p := cmp.Or(want.p, sizes[(i/3+j)%3])
			t.Run(fmt.Sprintf("%s/%s/%d", program, topology, p), func(t *testing.T) {
				t.Parallel()
				x := exportTI(t, scenarioText(topologies[topology], networks["plain"], programs[program], p, 1), true)
				expect.Equal(t, *x.Collectives, export.Collectives{Native: want.native, Messages: want.messages},
					"collectives")
				expect.That(t, want.setting == "" || slices.Contains(x.Settings, want.setting),
					"settings %q, want %s", x.Settings, want.setting)
				x.compare(t, x.replay(t))
				if missing == nil && long {
					x.compare(t, x.simGrid(t, smpirun))
				}
			})
		}
	}
}

// SimGrid takes the same time for the exported files as the run. Each workload has, with each number of processes, one
// topology; our replay, which is also a program of its own, has all of them.
func TestSimGrid(t *testing.T) {
	expect.Long(t, "runs SimGrid for minutes")
	smpirun, err := exec.LookPath("smpirun")
	if err != nil {
		expect.Need(t, os.Getenv("ISOSCALE_REQUIRE_SIMGRID") == "",
			"there is no smpirun; Debian has it in libsimgrid-dev")
		t.Skip("there is no smpirun; Debian has it in libsimgrid-dev")
	}
	comparisons(t, false, func(t *testing.T, x exported) {
		x.compare(t, x.simGrid(t, smpirun))
	})
}

// simGrid returns the finish times that SimGrid computes.
func (x exported) simGrid(t *testing.T, smpirun string) []float64 {
	t.Helper()
	args := []string{"-np", strconv.Itoa(x.Ranks), "-platform", "platform.xml", "-hostfile", "hostfile", "-replay", "list"}
	for _, s := range x.Settings {
		args = append(args, "--cfg="+s)
	}
	args = append(args, "--cfg=smpi/host-speed:1f", "--log=smpi_process.thres:debug", "--log=root.fmt:%.17r|%a|%c|%m%n")
	cmd := exec.CommandContext(t.Context(), smpirun, args...)
	cmd.Dir = x.dir
	out, err := cmd.CombinedOutput()
	expect.Need(t, err == nil, "%v\n%s", err, out)
	finish := make([]float64, x.Ranks)
	seen := 0
	for line := range strings.Lines(string(out)) {
		fields := strings.Split(line, "|")
		if len(fields) != 4 || !strings.Contains(fields[3], "left the game") {
			continue
		}
		rank, err := strconv.Atoi(fields[1])
		expect.Need(t, err == nil && rank >= 0 && rank < len(finish), "SimGrid prints %q", line)
		finish[rank] = expect.Value(strconv.ParseFloat(fields[0], 64))(t)
		seen++
	}
	expect.Need(t, seen == x.Ranks, "%d of %d ranks finish in SimGrid\n%s", seen, x.Ranks, out)
	return finish
}

// topologies are the machines of the comparisons with other simulators by name: 32
// nodes of unequal speed with several processes each. Routes have unequal lengths.
var topologies = map[string]string{
	"star":     "{name: star}",
	"fat-tree": "{name: fat-tree, down: [4, 4, 2], up: [1, 2, 2], cables: [1, 1, 1]}",
	"torus":    "{name: torus, dimensions: [4, 4, 2]}",
}

// networks are variants of network flow by name.
var networks = map[string]string{
	"plain":     "{name: flow, eager_limit: none}",
	"CM02":      "{name: flow, model: CM02, eager_limit: none}",
	"LV08":      "{name: flow, model: LV08, eager_limit: none}",
	"SMPI":      "{name: flow, model: SMPI, eager_limit: none}",
	"overheads": "{name: flow, send_overhead: 2 us, recv_overhead: 3 us, eager_limit: none}",
	"eager":     "{name: flow, eager_limit: 4 kB}",
	"window":    "{name: flow, window: 64 KiB, envelope: 40 B, latency_factor: 2, eager_limit: none}",
}

// programs are workloads by name.
var programs = map[string]string{
	"gauss":          "{name: gauss, n: 60}",
	"gauss-startup":  "{name: gauss, n: 40, startup_per_process: 3 us, bcast: 'chain:100', barrier: tree}",
	"matmul":         "{name: matmul, n: 100}",
	"matmul-openmpi": "{name: matmul, n: 100, scatter: openmpi, bcast: openmpi, gather: openmpi}",
	"convolution":    "{name: convolution, n: 128}",
	"floyd":          "{name: floyd, n: 96}",
	"floyd-overlap":  "{name: floyd, n: 96, overlap: true}",
	"lcs":            "{name: lcs, n: 1000}",
	"transformer":    "{name: transformer, n: 48, layers: 4, hidden: 64, heads: 4, ffn: 256, vocabulary: 100, sequence: 64, tp: 2, pp: 2, vp: 2}",
	"reference":      "{name: reference, n: 5, exchange: 10001 B, partners: neighbours-3d}",
	"random-pairs":   "{name: pattern, n: 5, shape: random-pairs, size: 100 kB, compute: 1 Mflop, imbalance: 0.5}",
	"incast":         "{name: pattern, n: 3, shape: incast, size: 10 kB}",
	"alltoall":       "{name: pattern, n: 2, shape: alltoall, size: 5 kB, compute: 100 kflop, imbalance: 0.3}",
	"neighbours-2d":  "{name: pattern, n: 3, shape: neighbours-2d, size: 20 kB, compute: 100 kflop}",
	"all-pairs":      "{name: pattern, n: 2, shape: all-pairs, size: 2 kB}",
	"dissemination":  "{name: pattern, n: 4, shape: dissemination, size: 0 B}",

	// Applications of the catalogue.
	"stencil2d":         "{name: stencil2d, n: 100, steps: 3}",
	"stencil2d-overlap": "{name: stencil2d, n: 100, steps: 3, points: 9, overlap: 1}",
	"stencil3d":         "{name: stencil3d, n: 40, steps: 3}",
	"stencil3d-weak":    "{name: stencil3d-weak, n: 10, steps: 3}",
	"cg":                "{name: cg, n: 24, iterations: 3}",
	"fft3d":             "{name: fft3d, n: 48}",
	"fft3d-slabs":       "{name: fft3d, n: 48, slabs: 1}",
	"sweep3d":           "{name: sweep3d, n: 24}",
	"samplesort":        "{name: samplesort, n: 100000}",
	"taskfarm":          "{name: taskfarm, n: 100, flop: 1 Mflop}",
	"taskfarm-static":   "{name: taskfarm, n: 100, flop: 1 Mflop, dynamic: 0}",
	"montecarlo":        "{name: montecarlo, n: 100000}",
	"nbody":             "{name: nbody, n: 300}",
}

func init() {
	for op, algorithms := range map[string]string{
		"barrier": "dissemination linear tree", "bcast": "binomial chain flat scatter-allgather", "reduce": "binomial flat",
		"gather": "binomial flat", "scatter": "binomial flat", "allreduce": "rabenseifner recursive-doubling reduce-bcast ring",
		"allgather": "bruck recursive-doubling ring", "alltoall": "bruck linear pairwise", "reducescatter": "pairwise recursive-halving ring",
		"scan": "linear recursive-doubling",
	} {
		size := "size: 30001 B, "
		if op == "barrier" {
			size = ""
		}
		for a := range strings.FieldsSeq(algorithms) {
			programs[op+"-"+a] = fmt.Sprintf("{name: collective, n: 2, op: %s, algorithm: %s, %selement_size: 8 B}", op, a, size)
		}
	}
}

// scenarioText is the text of a scenario with p processes, perNode on each node. The
// bandwidth of cables is left open: BANDWIDTH.
func scenarioText(topology, network, program string, p, perNode int) string {
	nodes := p / perNode
	fast := nodes / 4
	return fmt.Sprintf(`
machine:
  node_types:
    fast: {cores: 4, marked_speed: 3 Gflop/s}
    slow: {cores: 2, marked_speed: 2 Gflop/s}
  nodes: [{type: fast, count: 8}, {type: slow, count: 24}]
  network: {latency: 20 us, bandwidth: BANDWIDTH, on_node: {latency: 1 us, bandwidth: 5 GB/s}, topology: %s}
nodes: {fast: %d, slow: %d}
placement: {fast: %d, slow: %d}
network: %s
workload: %s
`, topology, fast, nodes-fast, perNode, perNode, network, program)
}
