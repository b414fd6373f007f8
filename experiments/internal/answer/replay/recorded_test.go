package replay

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/answer/otf2"
	"github.com/isoscale/isoscale/experiments/internal/answer/paraver"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/internal/told"
	"github.com/isoscale/isoscale/sim"
)

const onePlatform = `<?xml version='1.0'?><!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><zone id="z" routing="Full"><host id="a" speed="1Gf"/><host id="b" speed="1Gf"/>
<link id="l" bandwidth="100MBps" latency="0us"/><route src="a" dst="b"><link_ctn id="l"/></route></zone></platform>`

// In examples/pair.prv rank 0 computes for 400 us, sends 100 kB and computes for 300; rank 1 computes for 500, receives
// and computes for 390. By CM02 a message has 16 bytes more, and acknowledgements leave it 1/1.05 of a link that both
// directions share. The message waits for its receiver. At the end there is an allreduce of 8 bytes, by two messages
// one after the other. On cores that are half as fast as the recorded ones computations take twice as long.
func TestRecorded(t *testing.T) {
	onLink := func(size float64) float64 { return (size + 16) * 1.05 / 1e8 }
	message := onLink(1e5) + 2*onLink(8)
	platform := expect.File(t, "one.xml", onePlatform)
	for speed, want := range map[string]float64{"": 500e-6 + message + 390e-6, "2 Gflop/s": 1000e-6 + message + 780e-6} {
		r := replayed(t, TIOptions{Recorded: "../../../../examples/pair.prv", Platform: platform, Speed: speed,
			Settings: []string{"network/model:CM02"}, Asked: Asked{Efficiencies: true, WhatIf: true}})
		expect.Close(t, r.Makespan, want, 1e-9, "makespan with speed %q", speed)
		factor := 1.0
		if speed != "" {
			factor = 2
		}
		expect.Near(t, r.Efficiencies.IdealMakespan, factor*890e-6, 1e-12, "ideal with speed %q", speed)
		expect.Near(t, r.Efficiencies.LoadBalance, 795.0/890, 1e-12, "load balance")
		// Loads of 795 us each make 454 us of the 400 and 348 of the 390, or 450 and 345 of each pair.
		saved := map[string]float64{}
		for _, e := range r.WhatIf {
			saved[e.Change] = e.Makespan
		}
		expect.Near(t, saved["equal loads of processes"], factor*(400*795./700+390*795./890)*1e-6+message, 1e-9, "equal loads")
		expect.Near(t, saved["equal loads of processes at every step"], factor*795e-6+message, 1e-9, "equal steps")
		expect.Near(t, saved["cores twice as fast"], factor*445e-6+message, 1e-9, "faster cores")
	}
}

// A written trace is replayed as the run was: two ranks compute for 10 ms, spend 20 ms otherwise, and each sends 1 MB
// to the other before it receives. That would block for ever if a send waited for its receiver where it leaves. On
// cores half as fast as the recorded ones the computation takes 20 ms, and the other time stays. Both directions share
// the link, each with the acknowledgements of the other.
func TestWrittenTracesAreReplayed(t *testing.T) {
	const ms = 1_000_000
	run := &told.Run{End: 51 * ms, Ranks: make([][]told.Span, 2)}
	for r := range int32(2) {
		run.Ranks[r] = []told.Span{{Part: uint8(sim.PartCompute), To: 10 * ms}, {Part: uint8(sim.PartDelay), From: 10 * ms, To: 30 * ms},
			{Part: uint8(sim.PartWaitMessage), Sends: 1, From: 30 * ms, To: 51 * ms}}
		run.Messages = append(run.Messages, told.Message{From: r, To: 1 - r, Size: 1e6, Sent: 30 * ms, Left: 1, Arrived: 51 * ms, Met: 51 * ms, Came: 2, Sends: 1})
	}
	for _, path := range written(t, run) {
		for speed, compute := range map[string]float64{"": 0.010, "2 Gflop/s": 0.020} {
			r := replayed(t, TIOptions{Recorded: path, Platform: expect.File(t, "one.xml", onePlatform), Speed: speed,
				Settings: []string{"network/model:CM02"}, Asked: Asked{Efficiencies: true}})
			expect.Close(t, r.Makespan, compute+0.020+(1e6+16)*2.1/1e8, 1e-9, "makespan of %s with speed %q", path, speed)
			expect.Near(t, r.Efficiencies.IdealMakespan, compute+0.020, 1e-12, "ideal")
			expect.Near(t, r.Efficiencies.Serialisation, compute/(compute+0.020), 1e-12, "serialisation")
		}
		d := expect.Value(DescribeRecorded(t.Context(), path))(t)
		expect.That(t, slices.ContainsFunc(d.Facts, func(p input.Parameter) bool { return p.Name == "serialisation" && p.Value == "33.33 %" }), "%+v", d.Facts)
	}
}

// written returns the traces that are written of a run, in both formats.
func written(t *testing.T, run *told.Run) []string {
	dir := t.TempDir()
	archive, trace := filepath.Join(dir, "archive"), filepath.Join(dir, "a.prv")
	expect.Success(t, otf2.Write(archive, run, func(int) string { return "" }))
	file := expect.Value(os.Create(trace))(t)
	expect.Success(t, errors.Join(paraver.Write(file, run), file.Close()))
	return []string{trace, filepath.Join(archive, otf2.Anchor)}
}

// What ranks waited for in a run they wait for in its replay, and what they did meanwhile they do meanwhile. A message
// of 1 MB, which waits for its receive, takes 11.5 ms on a link with a latency of 1 ms, and one of 1 kB, whose sender goes
// on, 1.01 ms.
func TestWrittenWaitsAreReplayed(t *testing.T) {
	const m, short = 0.001 + (1e6+16)*1.05/1e8, 0.001 + (1e3+16)*1.05/1e8
	const compute, sending, receiving = uint8(sim.PartCompute), uint8(sim.PartWaitSend), uint8(sim.PartWaitMessage)
	for _, tt := range []struct {
		name string
		tell func(run *told.Run)
		want float64
	}{
		{"the sender computes for 5 ms after its message has arrived", func(run *told.Run) {
			run.Sent(told.Message{From: 0, To: 1, Size: 1e6}, 0, 0)
			run.Received(0, 0, m, m)
			run.Span(0, sending, 0, m)
			run.Span(1, receiving, 0, m)
			run.Span(0, compute, m, m+0.005)
		}, m + 0.005},
		{"the message arrives while its receiver computes for 20 ms", func(run *told.Run) {
			run.Sent(told.Message{From: 0, To: 1, Size: 1e6}, 0, 0)
			run.Received(0, 0, m, m)
			run.Span(0, sending, 0, m)
			run.Span(1, compute, 0, 0.020)
		}, 0.020},
		{"the receiver answers as soon as it has the message, which leaves after 1 ms", func(run *told.Run) {
			run.Span(0, compute, 0, 0.001)
			run.Sent(told.Message{From: 0, To: 1, Size: 1e3}, 0, 0.001)
			run.Received(0, 0, 0.001+short, 0.001+short)
			run.Span(1, receiving, 0, 0.001+short)
			run.Sent(told.Message{From: 1, To: 0, Size: 1e3}, 0, 0.001+short)
			run.Received(1, 0, 0.001+2*short, 0.001+2*short)
			run.Span(0, receiving, 0.001, 0.001+2*short)
		}, 0.001 + 2*short},
	} {
		platform := expect.File(t, "one.xml", strings.Replace(onePlatform, "0us", "1ms", 1))
		run := told.NewRun(2, 100)
		tt.tell(run)
		for _, path := range written(t, run) {
			r := replayed(t, TIOptions{Recorded: path, Platform: platform, Settings: []string{"network/model:CM02"}})
			expect.Near(t, r.Makespan, tt.want, 2e-9, "%s: makespan of %s", tt.name, path)
		}
	}
}

// A trace does not say how fast the cores of each rank were: 1 ms at 1 Gflop/s takes half of that at 2.
func TestRecordedSpeedIsAssumed(t *testing.T) {
	path := expect.File(t, "a.prv", "#Paraver (x):1000000_ns:1(2):1:2(1:1,1:1)\n1:1:1:1:1:0:1000000:1\n1:2:1:2:1:0:1000000:1\n")
	machine := expect.File(t, "m.yaml", "node_types: {slow: {marked_speed: 1 Gflop/s}, fast: {marked_speed: 2 Gflop/s}}\n"+
		"nodes: [{type: slow, count: 1}, {type: fast, count: 1}]\nnetwork: {latency: 1 us, bandwidth: 1 GB/s}\n")
	for speed, want := range map[string][]string{"2 Gflop/s": {}, "": {"all computations count as recorded at 1 Gflop/s, " +
		"the speed of the first host, but some ranks are on hosts of another speed; --recorded-speed sets the speed"}} {
		r := replayed(t, TIOptions{Recorded: path, Platform: machine, Speed: speed})
		expect.Close(t, r.Finish[0], 2*r.Finish[1], 1e-12, "finish of the slow host")
		expect.List(t, r.Warnings, want, "speed %q", speed)
	}
}

func TestBadRecorded(t *testing.T) {
	good := "../../../../examples/pair.prv"
	for _, tt := range []struct {
		o    TIOptions
		says string
	}{
		{TIOptions{Recorded: "none.prv"}, "none.prv: cannot read"},
		{TIOptions{Recorded: expect.File(t, "bad.prv", "#Paraver (x):1:")}, "bad.prv: byte 15: no number of nodes"},
		{TIOptions{Recorded: expect.File(t, "bad.otf2", "\x03\x42OTF2\x00")}, "bad.otf2: byte 7: the record ends"},
		{TIOptions{Recorded: expect.File(t, "ring.ti", "0 init\n")}, "this is a time-independent trace"},
		{TIOptions{Recorded: expect.File(t, "x", "x")}, "neither a trace of Paraver"},
		{TIOptions{Recorded: good, Speed: "fast"}, "--recorded-speed: "},
		{TIOptions{Recorded: good, Speed: "0 Gflop/s"}, "is not above 0"},
		{TIOptions{Recorded: good, Settings: []string{"smpi/allreduce:rdb"}}, "algorithms of collective operations"},
		{TIOptions{Recorded: expect.File(t, "stuck.prv", "#Paraver (x):9_ns:1(1):1:2(1:1,1:1)\nc:1:1:2:1:2\n"+
			"2:1:1:1:1:0:50000002:8:50100004:1\n")}, "rank 1 ends after 0, call 1 of rank 0 is barrier"},
	} {
		tt.o.Platform = "sunwulf"
		_, err := TI(t.Context(), tt.o)
		expect.Failure(t, err, tt.says)
	}
	_, err := TI(t.Context(), TIOptions{Recorded: expect.File(t, "bad.prv", "#Paraver (x):1:"), Platform: "sunwulf"})
	expect.Kind[*input.Error](t, err)
}

// The file of names beside a trace says on which nodes it was recorded; if there are many, they are counted.
func TestDescribeNamesNodes(t *testing.T) {
	trace := expect.Value(os.ReadFile("../../../../examples/pair.prv"))(t)
	dir := t.TempDir()
	path := filepath.Join(dir, "a.prv")
	expect.Success(t, os.WriteFile(path, trace, 0o600))
	for _, tt := range []struct {
		row         string
		value, note string
	}{
		{"LEVEL NODE SIZE 1\nn1\n", "1 node", "n1"},
		{"LEVEL NODE SIZE 10\n" + strings.Repeat("n\n", 10), "10 nodes", "n, n, n, n, n, n, n, n and 2 more"},
	} {
		expect.Success(t, os.WriteFile(filepath.Join(dir, "a.row"), []byte(tt.row), 0o600))
		d := expect.Value(DescribeRecorded(t.Context(), path))(t)
		expect.That(t, slices.Contains(d.Facts, input.Parameter{Name: "recorded on", Value: tt.value, Note: tt.note}), "%+v", d.Facts)
	}
	expect.Success(t, os.WriteFile(filepath.Join(dir, "a.row"), []byte("x"), 0o600))
	_, err := DescribeRecorded(t.Context(), path)
	expect.Failure(t, err, "a.row: byte 0")
}

// EPOCH ran on one node for 6.08235 s. Its replay on a node of four equally fast cores, with memory of
// some GB/s between them, takes the same time to within 1 %.
func TestReplayOfEPOCH(t *testing.T) {
	root := os.Getenv("ISOSCALE_TRACES")
	if root == "" {
		t.Skip("ISOSCALE_TRACES is not set")
	}
	node := expect.File(t, "node.xml", strings.NewReplacer(`<host id="b" speed="1Gf"/>`, "", `id="a" speed="1Gf"`, `id="a" speed="1Gf" core="4"`,
		`<link id="l" bandwidth="100MBps" latency="0us"/><route src="a" dst="b"><link_ctn id="l"/></route>`, "").Replace(onePlatform))
	r := replayed(t, TIOptions{Recorded: filepath.Join(root, "epoch", "epoch_4proc.prv.gz"), Platform: node})
	expect.Close(t, r.Makespan, 6.08235221, 0.01, "makespan")
}
