package replay

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
)

var whatIf = Asked{WhatIf: true}

// A chain of computations of 1001, 7000 and 4000 ns with messages of 8 and 80 000 bytes between them, beside
// computations for which nobody waits: 1001 + (o+L) + (o+7G) + 7000 + (o+L) + (o+79999G) + 4000 = 503 037 ns. Each
// change by hand, with times of computations in whole nanoseconds: 501 for a half of 1001. Loads of 4001, 7100 and 4500
// have the mean 15601/3; the means of the steps are 8501/3 and 7100/3.
func TestWhatIfOfSchedule(t *testing.T) {
	file := filepath.Join(t.TempDir(), "chain.goal")
	expect.Success(t, os.WriteFile(file, []byte(`num_ranks 3
rank 0 {
a: calc 1001
s: send 8b to 1
b: calc 3000
s requires a
b requires s
}
rank 1 {
r: recv 8b from 0
c: calc 7000
t: send 80000b to 2
d: calc 100
c requires r
t requires c
d requires t
}
rank 2 {
z: calc 500
r: recv 80000b from 1
y: calc 4000
r irequires z
y requires r
}
`), 0o600))
	x := expect.Value(GOAL(t.Context(), GOALOptions{Schedule: file, Parameters: "S=100000", Asked: whatIf}))(t)
	expect.Equal(t, x.Makespan, 503037, "makespan")
	got := map[string]float64{}
	for _, e := range x.WhatIf {
		got[e.Change] = e.Makespan
	}
	for change, want := range map[string]float64{
		"half the latency":                       503037 - 2*1250,
		"half the overhead of messages":          503037 - 4*750,
		"twice the bandwidth":                    503037 - 80006*3,
		"a network free of cost":                 1001 + 7000 + 4000,
		"cores twice as fast":                    503037 - 500 - 3500 - 2000,
		"equal loads of processes":               503037 + 300 - 1873 + 623,
		"equal loads of processes at every step": 503037 + 1833 - 4166 - 1633,
		"no message waits for its receiver":      503037,
	} {
		expect.Close(t, got[change], want/1e9, 1e-14, "%s", change)
	}
	expect.Equal(t, len(got), 8, "changes")
	expect.Equal(t, x.WhatIf[0].Change, "twice the bandwidth", "the largest")

	// Half of an odd number of nanoseconds is not whole: 1001 + (5+3) + (5+7) + 7000 + (5+3) + (5+79999) + 4000.
	o := GOALOptions{Schedule: file, Parameters: "L=3,o=5,g=1,G=1,O=0,S=100000", Asked: whatIf}
	for _, e := range expect.Value(GOAL(t.Context(), o))(t).WhatIf {
		if less, ok := map[string]float64{"half the latency": 3, "half the overhead of messages": 10, "twice the bandwidth": 40003}[e.Change]; ok {
			expect.Close(t, e.Makespan, (92033-less)/1e9, 1e-14, "%s", e.Change)
		}
	}

	// Without time there is nothing to save.
	expect.Success(t, os.WriteFile(file, []byte("num_ranks 1\nrank 0 {\ncalc 0\n}\n"), 0o600))
	for _, e := range expect.Value(GOAL(t.Context(), GOALOptions{Schedule: file, Asked: whatIf}))(t).WhatIf {
		expect.Equal(t, e.Saves, 0, "%s", e.Change)
	}
}

// Rank 2 receives from anybody. The message of rank 0 comes at 5000 + o + L = 9000 ns, that of rank 1, which waits for
// rank 3, at 2 (o + L) + o = 9500, so the end is at 9000 + 2 o + 1000. With half the latency (7000 and 7750), half the
// overhead (7250 and 8250) and on a network free of cost (0 and 5000, when no core is busy any more), rank 1 comes
// first, and rank 2 waits for ever for a second message from it: these changes are left out. Loads of 5000 and 1000 on
// 4 ranks become 1500 each on the two that compute, so rank 1 decides, at 9500, as it does on cores twice as fast.
func TestWhatIfOfScheduleThatNeedsAnOrder(t *testing.T) {
	file := expect.File(t, "order.goal", "num_ranks 4\nrank 0 {\nw: calc 5000\ns: send 1b to 2\ns requires w\n}\n"+
		"rank 1 {\nr: recv 1b from 3\ns: send 1b to 2\ns requires r\n}\n"+
		"rank 2 {\na: recv 1b from -1\nb: recv 1b from 1\nb requires a\nc: calc 1000\nc requires b\n}\nrank 3 {\ns: send 1b to 1\n}\n")
	x := expect.Value(GOAL(t.Context(), GOALOptions{Schedule: file, Asked: whatIf}))(t)
	want := map[string]float64{"no message waits for its receiver": 13000, "twice the bandwidth": 13000,
		"equal loads of processes": 9500 + 1500 + 1500, "cores twice as fast": 9500 + 1500 + 500}
	for _, e := range x.WhatIf {
		expect.Close(t, e.Makespan, want[e.Change]/1e9, 1e-14, "%s", e.Change)
	}
	expect.Equal(t, len(x.WhatIf), len(want), "changes")
	_, err := GOAL(t.Context(), GOALOptions{Schedule: file, Asked: Asked{Efficiencies: true}})
	expect.Failure(t, err, "deadlock at 5000 ns")
}

// The same for a trace. A small message takes a little more than 2 L = 40 us after its receive is posted: that of rank
// 0 is there at 70, when rank 2 posts the other receive. With half the latency rank 1 comes first, at 40, and rank 0 at
// 50. So it does on a network free of cost, on which messages are counted for an order.
func TestWhatIfOfTraceThatNeedsAnOrder(t *testing.T) {
	o := TIOptions{Trace: expect.File(t, "order.ti", "0 init\n0 compute 3e4\n0 send 2 0 1 6\n1 init\n1 recv 3 0 1 6\n1 send 2 0 1 6\n"+
		"2 init\n2 recv -555 0 1 6\n2 recv 1 0 1 6\n2 compute 1e6\n3 init\n3 send 1 0 1 6\n"),
		Platform: expect.File(t, "m.yaml", "node_types: {one: {cores: 1, marked_speed: 1 Gflop/s}}\nnodes: [{type: one, count: 4}]\nnetwork: {latency: 20 us, bandwidth: 1 Gbit/s}\n")}
	wanted := o
	wanted.WhatIf = true
	x := expect.Value(TI(t.Context(), wanted))(t)
	expect.Close(t, x.Makespan, 1110e-6, 1e-3, "time")
	for _, e := range x.WhatIf {
		expect.That(t, e.Change != "half the latency" && e.Change != "a network free of cost", "%+v", e)
	}
	wanted.WhatIf, wanted.Efficiencies = false, true
	_, err := TI(t.Context(), wanted)
	expect.Failure(t, err, "the run on a better network: deadlock at 30 us")
	o.Order = "greedy"
	_, err = TI(t.Context(), o)
	expect.Failure(t, err, "rank order greedy, on a network without costs: deadlock at 30 us")
}

// Four ranks on two hosts of two cores, three of them on the first: each of these has 2/3 of a core's speed when all
// compute. Each rank has 12 Mflop, which take 18 ms there. If the 48 Mflop are divided by 2/3, 2/3, 2/3 and 1, ranks
// have 10.67 or 16 Mflop, which take 16 ms.
func TestLoadsOnSharedCores(t *testing.T) {
	folder := t.TempDir()
	file := func(name, text string) string {
		name = filepath.Join(folder, name)
		expect.Success(t, os.WriteFile(name, []byte(text), 0o600))
		return name
	}
	trace := ""
	for r := range 4 {
		trace += fmt.Sprintf("%d init\n%d compute 12e6\n%d barrier\n%d finalize\n", r, r, r, r)
	}
	x := expect.Value(TI(t.Context(), TIOptions{Asked: whatIf, Trace: file("even.ti", trace),
		Platform: file("m.yaml", "node_types: {two: {cores: 2, marked_speed: 1 Gflop/s}}\nnodes: [{type: two, count: 2}]\nnetwork: {latency: 10 ns, bandwidth: 1 GB/s}\n"),
		Hostfile: file("hosts", "two-1:3\ntwo-2\n")}))(t)
	expect.Close(t, x.Makespan, 18e-3, 1e-4, "time")
	expect.Equal(t, x.WhatIf[0].Change, "loads in proportion to speeds", "what saves most")
	expect.Close(t, x.WhatIf[0].Makespan, 16e-3, 1e-4, "with it")
}
