package replay

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/answer/watch"
	"github.com/isoscale/isoscale/experiments/internal/file/document"
	"github.com/isoscale/isoscale/experiments/internal/scenario/machines"
	"github.com/isoscale/isoscale/experiments/report/html"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim/observe"
	"github.com/isoscale/isoscale/topology"
	"gonum.org/v1/gonum/floats/scalar"
)

// ringGOAL replays examples/ring.goal, and replayed a time-independent trace.
func ringGOAL(t *testing.T, o GOALOptions) *GOALResult {
	t.Helper()
	o.Schedule = "../../../../examples/ring.goal"
	return expect.Value(GOAL(t.Context(), o))(t)
}

func replayed(t *testing.T, o TIOptions) *TIResult {
	t.Helper()
	return expect.Value(TI(t.Context(), o))(t)
}

// A message that is larger than the receive for it is an error with both lines of the trace.
func TestMessageWithoutRoom(t *testing.T) {
	trace := expect.File(t, "small.ti", "0 init\n1 init\n0 irecv 1 0 8 6\n1 send 0 0 9 6\n0 waitall\n")
	_, err := TI(t.Context(), TIOptions{Trace: trace, Platform: "../../../../examples/cluster.xml"})
	expect.Failure(t, err, "small.ti:3): recv: a message of 9 B with tag 0 from rank 1 ("+trace+":4), and room for 8 B")
}

// checkRecords demands that a timeline names a rank, and that a picture has the traffic of a replay.
func checkRecords(t *testing.T, x *watch.Record, rank string, messages int64, bytes units.Bytes) {
	t.Helper()
	var b strings.Builder
	err := x.WriteTimeline(&b)
	expect.That(t, err == nil && json.Valid([]byte(b.String())) && strings.Contains(b.String(), strconv.Quote(rank)), "timeline: %v\n%s", err, b.String())
	sent, size := x.Picture.Traffic.Total()
	expect.That(t, sent == messages && size == bytes, "%d messages with %v between ranks; want %d with %v", sent, size, messages, bytes)
}

// Rank 1 computes 1 Gflop at 1 Gflop/s while rank 0 waits for its message of 1 MB, which
// flows over two links: the path is the computation and the message, without contention, and
// half of the ranks compute.
// By CM02, 1 MB takes 1.0e6/(0.97 1.25e8) s, less than 1.25 times 1e6/1.25e8.
func TestCriticalPathOfAReplay(t *testing.T) {
	dir := t.TempDir()
	trace, platform := filepath.Join(dir, "wait.ti"), filepath.Join(dir, "two.xml")
	for file, text := range map[string]string{
		trace: "0 init\n1 init\n0 recv 1 0 1000000 6\n1 compute 1e9\n1 send 0 0 1000000 6\n0 finalize\n1 finalize\n",
		platform: `<?xml version='1.0'?><!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><zone id="z" routing="Full"><host id="a" speed="1Gf"/><host id="b" speed="1Gf"/>
<link id="l" bandwidth="125MBps" latency="0us"/><route src="a" dst="b"><link_ctn id="l"/></route></zone></platform>`,
	} {
		expect.Success(t, os.WriteFile(file, []byte(text), 0o600))
	}
	r := replayed(t, TIOptions{Trace: trace, Platform: platform, Settings: []string{"network/model:CM02"},
		Asked: Asked{Wanted: watch.Wanted{Timeline: true, CriticalPath: true, Picture: true}}})
	p := r.CriticalPath
	expect.Need(t, len(p.Segments) == 2 && p.Segments[0].Kind == "compute" && p.Segments[0].Rank == 1 &&
		p.Segments[1].Kind == observe.Message,
		"path %+v, want a computation of rank 1 and a message", p.Segments)
	compute := float64(p.Segments[0].Length())
	expect.That(t, math.Abs(compute-1) <= 1e-12, "the computation takes %v s, want 1 s", compute)
	limits := r.Causes()
	expect.That(t, len(limits) == 2 && limits[0].Where == "rank 1 (b)" && limits[1].Cause == "transfer of messages",
		"limits %+v, want computation on rank 1 and transfer, and no contention", limits)
	expect.Equal(t, r.Cause(), "Load imbalance limits the run: rank 1 (b) computes for 99 % of the time, the average rank for 50 %.", "cause")
	expect.Equal(t, r.Bytes, 1e6, "bytes of messages")
	checkRecords(t, &r.Record, "rank 1 (b)", r.Messages, 1e6)
	x := r.Picture.Timeline
	expect.That(t, x.Messages == 1 && len(x.MessageTo) == 1 && x.MessageArrives[0] == x.End &&
		x.MessageReceived[0] != math.MaxUint32,
		"picture %+v, want one message that arrives at the end", x)
}

// The message of examples/ring.goal goes around once: 10, 20 and 5 us of computation,
// four messages of 1024 bytes that take o + L = 4 us to the first byte and o + 1023 G =
// 7.638 us on the core of the receiver, which makes 81.552 us.
func TestCriticalPathOfASchedule(t *testing.T) {
	r := ringGOAL(t, GOALOptions{
		Asked: Asked{Wanted: watch.Wanted{Timeline: true, CriticalPath: true, Picture: true}}})
	want := map[string]float64{"computation": 35e-6, "transfer of messages": 4 * 4e-6, "overhead": 4 * 7.638e-6}
	for _, l := range r.Limits {
		expect.Near(t, float64(l.Time), want[l.Cause], 1e-12, "%s of the path", l.Cause)
		delete(want, l.Cause)
	}
	expect.That(t, len(want) <= 0, "not on the path: %v", want)
	checkRecords(t, &r.Record, "rank 3", r.Messages, 4*1024)
	expect.Success(t, r.Report().Check())
	// Rank 3 waits for 62.276 us, until the first byte of the message from rank 2, deals
	// with it for 7.638 us and sends for 1.5 us.
	x := r.ranks[3]
	expect.That(t, x.Compute == 0 && math.Abs(x.Wait-62.276e-6) <= 1e-12 && math.Abs(x.Overhead-9.138e-6) <= 1e-12 &&
		math.Abs(x.Finish-71.414e-6) <= 1e-12,
		"rank 3: %+v", x)
}

// The ranks of a schedule finish when its hosts do, and the parts of their times add up to that.
// They are listed only if asked for.
func TestRanksOfASchedule(t *testing.T) {
	r := ringGOAL(t, GOALOptions{Asked: Asked{AllRanks: true}})
	expect.Need(t, len(r.Ranks) == 4 && len(r.HostFinish) == 4,
		"%d ranks on %d hosts; want 4 on 4", len(r.Ranks), len(r.HostFinish))
	for i, x := range r.Ranks {
		finish := float64(r.HostFinish[i]) / 1e9
		expect.That(t, x.Rank == i && math.Abs(x.Finish-finish) <= 1e-15 &&
			math.Abs(x.Compute+x.Overhead+x.Wait-finish) <= 1e-12,
			"rank %d: %+v; want it to finish at %v s", i, x, finish)
	}
	plain := ringGOAL(t, GOALOptions{})
	expect.That(t, plain.Ranks == nil, "%d ranks that nobody asked for", len(plain.Ranks))
}

// Recording changes no result.
func TestRecordsOfASchedule(t *testing.T) {
	plain := ringGOAL(t, GOALOptions{Parameters: "L=1000,o=0,G=1"})
	path := Asked{Wanted: watch.Wanted{CriticalPath: true}}
	seen := ringGOAL(t, GOALOptions{Parameters: "L=1000,o=0,G=1", Asked: path})
	expect.That(t, plain.Makespan == seen.Makespan && plain.CriticalPath == nil &&
		float64(seen.CriticalPath.Makespan) == float64(plain.Makespan)/1e9,
		"%d ns, and %d ns with a path of %v", plain.Makespan, seen.Makespan, seen.CriticalPath.Makespan)
}

// Each of the eight ranks of the ring has a host of one core, or all are on half of one host of sixteen cores.
func TestIdleCoresOfAReplay(t *testing.T) {
	for platform, want := range map[string]string{"../../../../examples/cluster.xml": "", "dahu": "8 of 16 in use"} {
		r := replayed(t, TIOptions{Trace: "../../../../examples/ring.ti", Platform: platform})
		expect.Equal(t, r.IdleCores(), want, "idle cores of %s", platform)
		all := map[string]int{"": 8, "8 of 16 in use": 16}[want]
		expect.That(t, r.CoresUsed == 8 && r.Cores == all,
			"%s: %d of %d cores; expected 8 of %d", platform, r.CoresUsed, r.Cores, all)
	}
}

// Every rank of the ring computes three times 5e7 flop, and 1 flop of the sum over
// all, at 2 Gflop/s: 75 ms and 0.5 ns. The parts of its time add up to its finish.
func TestTIReport(t *testing.T) {
	o := TIOptions{Trace: "../../../../examples/ring.ti", Platform: "../../../../examples/cluster.xml", Settings: []string{"network/model:LV08"}, Links: true}
	r := replayed(t, o)
	ranks := r.ranks()
	expect.Need(t, len(ranks) == 8, "%d ranks", len(ranks))
	for i, x := range ranks {
		expect.That(t, scalar.EqualWithinRel(x.Compute, 0.0750000005, 1e-9) &&
			scalar.EqualWithinRel(x.Compute+x.Overhead+x.Wait, r.Finish[i], 1e-9) &&
			x.Node == "node-"+string(rune('1'+i)),
			"%+v, finish %v", x, r.Finish[i])
	}
	var page bytes.Buffer
	expect.Success(t, html.Write(&page, r.Report()))
	expect.Says(t, page.String(), "<b>Replay of ring.ti on cluster.xml</b>", "8 ranks on 8 of 8 hosts, network model LV08",
		"<h2>Where the time goes</h2>", "<h2>Links</h2>", "<h2>Parameters</h2>", "<h2>Warnings</h2>", `color-mix(`,
		"<td>network/model<td>LV08<td>--cfg", "<h2>Provenance</h2>")

	// Without a record of links, the section is left out and the rest stays.
	o.Links = false
	r = replayed(t, o)
	page.Reset()
	expect.Success(t, html.Write(&page, r.Report()))
	got := page.String()
	expect.That(t, !strings.Contains(got, "<h2>Links</h2>") && strings.Contains(got, "<h2>Parameters</h2>"),
		"expected a report without links")
}

// Counts are bounded by the number of ranks before anything is stored for them, and
// counted in full.
func TestHostfileCountsAreBounded(t *testing.T) {
	p := &topology.Platform{Hosts: []topology.Host{{Name: "a"}, {Name: "b"}}}
	of, named, err := placeByHostfile("hosts", []byte("a:2\nb:1000000\n"), p, 4)
	expect.Need(t, err == nil && named == 1_000_002, "%d places, %v; want 2 + 1000000", named, err)
	for r, want := range []int32{0, 0, 1, 1} {
		expect.That(t, of[r] == want, "rank %d on host %d, want %d", r, of[r], want)
	}
	tooMany := fmt.Sprintf("a:%d\nb\n", topology.MaxRanks) // 4 GB, if a place were stored for each
	_, _, err = placeByHostfile("hosts", []byte(tooMany), p, 4)
	expect.Failure(t, err, "hosts:2: more than")
}

// Of 2 x 10 s, 2 + 6 s are computation and 1 + 1 s overhead; the rest, after the end of a rank too, is waiting.
func TestLeadSharesTheTimeOfAllRanks(t *testing.T) {
	got := leadOf(10, []watch.Rank{
		{Rank: 0, Node: "a", Finish: 5, Compute: 2, Overhead: 1, Wait: 2},
		{Rank: 1, Node: "b", Finish: 10, Compute: 6, Overhead: 1, Wait: 3},
	})
	expect.Equal(t, strings.Join(got, "|"), "The replay takes 10 s. Of the time of all ranks, 40\u00a0% is computation, 10\u00a0% overhead and 50\u00a0% waiting."+
		"|Rank 0 on a finishes first, after 5 s; rank 1 on b last.", "lead")
	// The lead says so if ranks finish at the same time.
	got = leadOf(10, []watch.Rank{{Node: "a", Finish: 5}, {Rank: 1, Node: "a", Finish: 5}, {Rank: 2, Node: "b", Finish: 10}})
	expect.Equal(t, got[1], "Rank 0 on a, with 1 other, finishes first, after 5 s; rank 2 on b last.", "ties")
}

// SimGrid takes 1 element of a message of 1.7 elements of 1 B: two messages are 2 B, a whole number in the JSON of
// the replay and of the links that they cross. If three ranks divide 10 B, the parts are whole.
func TestBytesAreWholeInJSON(t *testing.T) {
	trace := filepath.Join(t.TempDir(), "small.ti")
	for text, bytes := range map[string]string{
		"0 init\n1 init\n0 send 1 0 1.7 6\n1 recv 0 0 1.7 6\n0 send 1 0 1.7 6\n1 recv 0 0 1.7 6\n0 finalize\n1 finalize\n":         `2`,
		"0 init\n1 init\n2 init\n0 allreduce 10 0 6\n1 allreduce 10 0 6\n2 allreduce 10 0 6\n0 finalize\n1 finalize\n2 finalize\n": `[0-9]+`,
	} {
		expect.Success(t, os.WriteFile(trace, []byte(text), 0o600))
		r := replayed(t, TIOptions{Trace: trace, Platform: "../../../../examples/cluster.xml", Links: true})
		document := expect.Value(json.Marshal(r))(t)
		expect.That(t, regexp.MustCompile(`"messages":[0-9]+,"bytes":`+bytes+`,`).Match(document) &&
			!regexp.MustCompile(`"bytes":[0-9]+\.`).Match(document),
			"no whole bytes in %s", document)
	}
}

// Four ranks, each of which exchanges 1 MB with the rank two further on, on two hosts of two cores, or at two switches
// with two hosts of one core each. A replay with an order is that with a hostfile that lists the hosts in that order.
func TestRankOrdersOfReplays(t *testing.T) {
	folder := t.TempDir()
	file := func(name, text string) string {
		name = filepath.Join(folder, name)
		expect.Success(t, os.WriteFile(name, []byte(text), 0o600))
		return name
	}
	var trace strings.Builder
	for r := range 4 {
		fmt.Fprintf(&trace, "%d init\n%d compute %d\n%d irecv %d 0 1e6 6\n%d send %d 0 1e6 6\n%d wait %d %d 0\n%d finalize\n",
			r, r, 1000000*(r+1), r, (r+2)%4, r, (r+2)%4, r, (r+2)%4, r, r)
	}
	ti := file("pairs.ti", trace.String())
	for _, c := range []struct {
		platform string
		hosts    map[string]string // by order
	}{
		{"two: {cores: 2, marked_speed: 1 Gflop/s}}\nnodes: [{type: two, count: 2}]\nnetwork: {latency: 10 us, bandwidth: 1 GB/s}\n",
			map[string]string{"block": "0 0 1 1", "cyclic": "0 1 0 1", "by-group": "0 0 1 1", "greedy": "0 1 0 1"}},
		{"one: {cores: 1, marked_speed: 1 Gflop/s}}\nnodes: [{type: one, count: 4}]\nnetwork: {latency: 10 us, bandwidth: 1 GB/s,\n" +
			"  topology: {name: tree, levels: [2, 2], uplinks: [{latency: 10 us, bandwidth: 500 MB/s}]}}\n",
			map[string]string{"block": "0 1 2 3", "cyclic": "0 1 2 3", "by-group": "0 2 1 3", "greedy": "0 2 1 3"}},
	} {
		platform := file("machine.yaml", "name: m\nnode_types: {"+c.platform)
		finish := map[string][]float64{}
		for order, hosts := range c.hosts {
			first := expect.Value(TI(t.Context(), TIOptions{Trace: ti, Platform: platform, Order: order}))(t)
			var names strings.Builder
			for _, h := range strings.Fields(hosts) {
				n, err := strconv.Atoi(h)
				expect.Success(t, err)
				fmt.Fprintln(&names, hostNames(t, platform)[n])
			}
			listed := expect.Value(TI(t.Context(), TIOptions{Trace: ti, Platform: platform, Hostfile: file("hosts", names.String())}))(t)
			expect.Same(t, first.Finish, listed.Finish, "%s: finish in order %s", c.platform, order)
			finish[hosts] = first.Finish
		}
		expect.That(t, len(finish) == 2 && finish[c.hosts["greedy"]][3] < finish[c.hosts["block"]][3], "%v", finish)
		tried := 0
		for _, e := range expect.Value(TI(t.Context(), TIOptions{Trace: ti, Platform: platform, Asked: whatIf}))(t).WhatIf {
			if order, is := strings.CutPrefix(e.Change, "rank order "); is {
				tried++
				expect.Equal(t, e.Makespan, slices.Max(finish[c.hosts[order]]), "what if in order %s", order)
			}
		}
		expect.Equal(t, tried, 2, "orders that differ")
	}
	expect.Refusal(TI(t.Context(), TIOptions{Trace: ti, Platform: "sunwulf", Order: "diagonal"}))(t, `--rank-order: "diagonal" is not an order; expected block, cyclic, by-group`)
}

// hostNames are the names of the hosts of a platform, in order.
func hostNames(t *testing.T, platform string) (names []string) {
	p := expect.Value(machines.ReadPlatform(&document.Reader{}, platform))(t)
	for _, h := range p.Hosts {
		names = append(names, h.Name)
	}
	return names
}
