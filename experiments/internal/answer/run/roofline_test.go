package run

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/compute"
	"github.com/isoscale/isoscale/model/units"
)

// computed runs a multiplication on two nodes of four processes, each of 10 Gflop/s with a
// quarter of 20 GB/s: the ridge point is at 10/5 = 2 flop/B.
func computed(t *testing.T, overrides ...input.Override) *Result {
	t.Helper()
	const text = `machine: {node_types: {w: {marked_speed: 10 Gflop/s, cores: 4, memory_bandwidth: 20 GB/s}}, nodes: [{type: w, count: 2}], network: {latency: 1 us, bandwidth: 10 GB/s, topology: star}}
network: hockney
placement: {w: 4}
workload: {name: matmul, n: 400, bytes_per_flop: 4}
`
	return written(t, Options{Picture: true}, text, overrides...)
}

// rooflineOf returns the section of the report, and its chart or nil.
func rooflineOf(t *testing.T, r *Result) (report.Section, *report.LineChart) {
	t.Helper()
	d := r.Report()
	i := slices.IndexFunc(d.Sections, func(s report.Section) bool { return s.Heading == "Computation and memory" })
	expect.Need(t, i >= 0, "the report says nothing of memory")
	if len(d.Sections[i].Blocks) == 0 {
		return d.Sections[i], nil
	}
	return d.Sections[i], d.Sections[i].Blocks[0].(*report.LineChart)
}

// With b bytes for each flop the intensity is 1/b: below the ridge a process achieves what
// its 5 GB/s bring, 5/b Gflop/s, and from there on its 10 Gflop/s.
func TestRoofline(t *testing.T) {
	for _, c := range []struct {
		bytesPerFlop     string
		intensity, speed float64 // flop/B, Gflop/s
		text             string
	}{
		{"4", 0.25, 1.25, "memory limits them"},
		{"0.5", 2, 10, "the core limits them"}, // at the ridge both
		{"0.125", 8, 10, "the core limits them"},
		{"1e6", 1e-6, 5e-6, "memory limits them"},
	} {
		section, chart := rooflineOf(t, computed(t, input.Override{Path: "workload.bytes_per_flop", Value: c.bytesPerFlop}))
		expect.Need(t, chart != nil && len(chart.Series) == 2, "%s: %+v", c.bytesPerFlop, chart)
		roof, ran := chart.Series[0], chart.Series[1]
		expect.That(t, len(ran.X) == 1 && math.Abs(ran.X[0]/c.intensity-1) <= 1e-9 &&
			math.Abs(ran.Y[0]/c.speed-1) <= 1e-9,
			"%s: achieved %v at %v; expected %v at %v", c.bytesPerFlop, ran.Y, ran.X, c.speed, c.intensity)
		// The roof rises in proportion to the intensity up to the ridge and is level from there.
		expect.That(t, len(roof.X) == 3 && roof.X[1] == 2 && roof.Y[1] == 10 && roof.Y[2] == 10 &&
			math.Abs(roof.Y[0]/roof.X[0]-5) <= 1e-12 && roof.X[0] < c.intensity && roof.X[2] > c.intensity,
			"%s: roof %v at %v", c.bytesPerFlop, roof.Y, roof.X)
		p := chart.Points[0]
		expect.That(t, p.X == 2 && p.Y == 10 && chart.Y.Unit == "Gflop/s" && chart.X.Unit == "flop/B",
			"%s: ridge %+v in %s over %s", c.bytesPerFlop, p, chart.Y.Unit, chart.X.Unit)
		expect.That(t, strings.Contains(section.Text[0], c.text),
			"%s: %q; expected %q", c.bytesPerFlop, section.Text[0], c.text)
	}
}

// All computations are recorded: their work adds up to that of the run and their times to those
// of the ranks.
func TestKernelsAddUpToTheRun(t *testing.T) {
	r := computed(t)
	work := 0.0
	for rank, ran := range r.kernels.ranks {
		time := 0.0
		for _, k := range ran {
			work += float64(k.work)
			time += float64(k.time)
		}
		expect.Close(t, time, float64(r.sim.Ranks[rank].Compute), 1e-9, "rank %d: time in kernels", rank)
	}
	want := float64(r.sim.Result.Work)
	expect.That(t, work != 0 && math.Abs(work-want) <= 1e-9*want, "%v flop in kernels; the run performs %v", work, want)
}

// On a fabric processes share the memory that is in use: they achieve at least the speed of an equal
// share, and at most that of a process alone, which has a roof of its own.
func TestRooflineOnAFabric(t *testing.T) {
	_, chart := rooflineOf(t, computed(t, input.Override{Path: "network", Value: "flow"}))
	expect.Need(t, chart != nil && len(chart.Series) == 3, "%+v", chart)
	alone := chart.Series[1]
	expect.That(t, alone.Dashed && alone.X[1] == 0.5 && alone.Y[1] == 10,
		"roof of a process alone: %v at %v; expected its ridge at 0.5", alone.Y, alone.X)
	y := chart.Series[2].Y
	expect.That(t, len(y) == 1 && y[0] >= 1.25*(1-1e-9) && y[0] <= 5*(1+1e-9),
		"achieved %v Gflop/s; expected 1.25 to 5", y)
}

// Without memory traffic there is a reason and no chart, and without a known bandwidth
// not even that.
func TestNoRoofline(t *testing.T) {
	section, chart := rooflineOf(t, computed(t, input.Override{Path: "workload.bytes_per_flop", Value: "0"}))
	expect.That(t, chart == nil && len(section.Text) == 1 && strings.Contains(section.Text[0], "bytes_per_flop is 0"),
		"%q with chart %v", section.Text, chart)
	r := ran(t, Options{Picture: true}, "topologies/bus.yaml")
	for _, s := range r.Report().Sections {
		expect.That(t, s.Heading != "Computation and memory",
			"a section of memory where its bandwidth is not known: %q", s.Text)
	}
}

// Computations of many intensities become few kernels, and nothing gets lost. The least and the
// largest intensity keep their kernels, and the chart says that others share one.
func TestFewKernels(t *testing.T) {
	var ran []kernel
	for i := range 100 {
		ran = kernel{work: 1, traffic: units.Bytes(1 / (1 + 0.1*float64(i))), time: 1}.addTo(ran)
		ran = kernel{work: 3, traffic: units.Bytes(3 / (1 + 0.1*float64(i))), time: 2}.addTo(ran)
	}
	work, time := 0.0, 0.0
	for _, k := range ran {
		work, time = work+float64(k.work), time+float64(k.time)
	}
	first, last := ran[0], ran[len(ran)-1]
	expect.That(t, len(ran) == mostKernels && work == 400 && time == 300 && first.work == 4 && last.work == 4 &&
		math.Abs(last.intensity()-10.9) <= 1e-9,
		"%d kernels with %v flop in %v s, from %v flop at %v to %v at %v; expected 8 with 400 in 300, from 4 at 1 to 4 at 10.9",
		len(ran), work, time, first.work, first.intensity(), last.work, last.intensity())
	p := compute.Process{Speed: 1, Memory: 1}
	for n, want := range map[int]bool{1: false, mostKernels: true} {
		c := rooflineChart([]roof{{name: "w", share: p, alone: p, ran: ran[:n]}}, false)
		expect.That(t, strings.Contains(c.Caption, "more than 8 intensities") == want,
			"%d kernels: caption %q", n, c.Caption)
	}
}
