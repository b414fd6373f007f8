package dispatch

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/isoscale/isoscale/model/units"
)

// listSchedule is the reference for one level without costs and with one place
// on each node: each SI in turn goes to the node that is the first to be free;
// of several, to the one that has been busy with the SI that was given first.
func listSchedule(nodes int, times []units.Seconds) units.Seconds {
	free := make([]units.Seconds, nodes)
	asked := make([]int, nodes) // order of asking
	for i := range asked {
		asked[i] = i
	}
	var makespan units.Seconds
	for j, d := range times {
		best := 0
		for i := range free {
			if free[i] < free[best] || free[i] == free[best] && asked[i] < asked[best] {
				best = i
			}
		}
		free[best] += d
		asked[best] = nodes + j
		makespan = max(makespan, free[best])
	}
	return makespan
}

func TestListScheduling(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		nodes := rapid.IntRange(1, 12).Draw(t, "nodes")
		w := Work{
			SIs:     []int{rapid.IntRange(1, 60).Draw(t, "SIs")},
			Time:    units.Seconds(rapid.Float64Range(0.1, 10).Draw(t, "time")),
			Scatter: rapid.Float64Range(0.01, 1).Draw(t, "scatter"),
			Seed:    rapid.Uint64().Draw(t, "seed"),
		}
		times := make([]units.Seconds, w.SIs[0])
		for i := range times {
			times[i] = w.Time * units.Seconds(w.factor(uint64(i)))
		}
		r, err := Run(t.Context(), Config{Machine: Machine{Ideal(nodes, 1)}, Work: w})
		if err != nil {
			t.Fatal(err)
		}
		// The reference rounds after each of up to 60 sums.
		if want := listSchedule(nodes, times); math.Abs(float64(r.Makespan/want-1)) > 60*0x1p-53 {
			t.Fatalf("makespan %v, reference %v", r.Makespan, want)
		}
	})
}

// drawConfig draws costs that are whole numbers and powers of two, so that all
// times are exact as long as at most two nodes share a trunk.
func drawConfig(t *rapid.T, most int) Config {
	var c Config
	depth := rapid.IntRange(1, 3).Draw(t, "depth")
	for i := range depth {
		l := Level{
			Nodes:       rapid.IntRange(1, 4).Draw(t, "nodes"),
			Outstanding: rapid.IntRange(1, 4).Draw(t, "b"),
			Processors:  1,
			IDU:         rapid.SampledFrom([]Placement{Separate, FirstNode}).Draw(t, "IDU"),
			Dispatch:    units.Seconds(rapid.IntRange(0, 3).Draw(t, "dispatch")),
			Operands:    units.Bytes(rapid.IntRange(0, 5).Draw(t, "operands")),
			Results:     units.Bytes(rapid.IntRange(0, 5).Draw(t, "results")),
			Latency:     units.Seconds(rapid.IntRange(0, 3).Draw(t, "latency")),
			Bandwidth:   units.BytesPerSecond(rapid.SampledFrom([]float64{0.5, 1, 4, inf}).Draw(t, "bandwidth")),
			Trunk:       units.BytesPerSecond(inf),
		}
		if i == depth-1 {
			l.Processors = rapid.IntRange(1, 3).Draw(t, "processors")
		}
		if l.Nodes <= most {
			l.Trunk = units.BytesPerSecond(rapid.SampledFrom([]float64{0.5, 1, 2, inf}).Draw(t, "trunk"))
		}
		c.Machine = append(c.Machine, l)
		c.Work.SIs = append(c.Work.SIs, rapid.IntRange(1, 7).Draw(t, "SIs"))
	}
	c.Work.Time = units.Seconds(rapid.IntRange(1, 9).Draw(t, "time"))
	return c
}

// serial is the time of one SI after the other, each through all its stages
// alone. No schedule takes longer: while there is work, something is dispatched,
// on its way or executed, and transfers that share make no less progress
// together than one alone.
func serial(c Config, work units.Seconds) units.Seconds {
	each := work / units.Seconds(product(c.Work.SIs)) // mean time
	for i := len(c.Machine) - 1; i >= 0; i-- {
		l := c.Machine[i]
		moving := units.Seconds(float64(l.Operands+l.Results) / float64(min(l.Bandwidth, l.Trunk)))
		each = units.Seconds(c.Work.SIs[i]) * (l.Dispatch + 2*l.Latency + moving + each)
	}
	return each
}

// Bounds, conservation and repetition, with all costs, trunks and scatter.
func TestProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawConfig(t, 4)
		c.EverySI = rapid.Bool().Draw(t, "every")
		if rapid.Bool().Draw(t, "scattered") {
			c.Work.Scatter = rapid.Float64Range(0, 1).Draw(t, "scatter")
			c.Work.Seed = rapid.Uint64().Draw(t, "seed")
		}
		r, err := Run(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		again, err := Run(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(r, again, cmp.AllowUnexported(Result{})); d != "" {
			t.Fatalf("not the same again:\n%s", d)
		}

		const rounding = 1e-12
		var work units.Seconds
		for i := range uint64(product(c.Work.SIs)) {
			work += c.Work.Time * units.Seconds(c.Work.factor(i))
		}
		if math.Abs(float64(r.Work/work-1)) > rounding {
			t.Errorf("work %v, want %v", r.Work, work)
		}
		processors := c.Machine[len(c.Machine)-1].Processors
		for _, l := range c.Machine {
			processors *= l.Nodes
		}
		if least := work / units.Seconds(processors); r.Makespan < least*(1-rounding) {
			t.Errorf("makespan %v < work/processors %v", r.Makespan, least)
		}
		if most := serial(c, work); r.Makespan > most*(1+rounding) {
			t.Errorf("makespan %v > serial %v", r.Makespan, most)
		}
		for i, l := range r.Levels {
			if want := int64(product(c.Work.SIs[:i+1])); l.Executed != want {
				t.Errorf("level %d: %d SIs, want %d", i+1, l.Executed, want)
			}
			if l.Idle < -r.Makespan*rounding {
				t.Errorf("level %d: idle %v", i+1, l.Idle)
			}
			if l.Transfer < 0 || l.DispatchWait < 0 {
				t.Errorf("level %d: transfer %v, dispatch wait %v", i+1, l.Transfer, l.DispatchWait)
			}
		}
	})
}

// One group of each level gives what all of them give, to the last bit.
func TestReductionIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawConfig(t, 2)
		reduced, err := Run(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		c.EverySI = true
		whole, err := Run(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(whole, reduced, cmp.AllowUnexported(Result{})); d != "" {
			t.Fatalf("(-every SI +reduced):\n%s", d)
		}
	})
}

// Where all nodes are alike and their times too, the j-th SI goes to node j mod
// n, and every cost can only delay what comes after it.
func TestMonotoneInCosts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawConfig(t, 0)
		for i := range c.Machine {
			c.Machine[i].IDU = Separate
			c.Machine[i].Processors = 1
		}
		before, err := Run(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		l := &c.Machine[rapid.IntRange(0, len(c.Machine)-1).Draw(t, "level")]
		switch rapid.IntRange(0, 5).Draw(t, "cost") {
		case 0:
			l.Dispatch++
		case 1:
			l.Operands++
		case 2:
			l.Results++
		case 3:
			l.Latency++
		case 4:
			l.Bandwidth /= 2
		case 5:
			c.Work.Time++
		}
		after, err := Run(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		if after.Makespan < before.Makespan {
			t.Fatalf("makespan %v, with a higher cost %v", before.Makespan, after.Makespan)
		}
	})
}

// Limits: one node with the IDU on it is serial; without costs and with SIs in
// multiples of the nodes the speedup is perfect; data over an infinite link are
// no data.
func TestLimits(t *testing.T) {
	one := level(1, 3, func(l *Level) { l.Operands, l.Results, l.Latency, l.Bandwidth, l.Trunk = 9, 9, 9, 1, 1 })
	if r := mustRun(t, Config{Machine: Machine{one, one}, Work: Work{SIs: []int{5, 7}, Time: 2}}); r.Makespan != 70 {
		t.Errorf("one node: %v, want 5 x 7 x 2 s", r.Makespan)
	}
	if r := mustRun(t, Config{Machine: Machine{Ideal(8, 1), Ideal(4, 4)}, Work: Work{SIs: []int{24, 12}, Time: 1}}); r.Speedup() != 32 {
		t.Errorf("speedup on 8 x 4 nodes: %v", r.Speedup())
	}
	w := Work{SIs: []int{40}, Time: 1, Scatter: 0.5, Seed: 7}
	empty := level(4, 2, func(l *Level) { l.IDU = Separate })
	full := empty
	full.Operands, full.Results = 1e9, 1e9
	if a, b := mustRun(t, Config{Machine: Machine{empty}, Work: w}), mustRun(t, Config{Machine: Machine{full}, Work: w}); !cmp.Equal(a, b, cmp.AllowUnexported(Result{})) {
		t.Errorf("infinite link: %v, no data: %v", b, a)
	}
}

// Times are uniform around their mean, and another seed gives others. Of n
// uniform numbers of half width u, the mean has the standard deviation
// u/sqrt(3n): 0.0014 here.
func TestScatter(t *testing.T) {
	w := Work{Time: 2, Scatter: 0.25, Seed: 1}
	const n = 10000
	sum, lowest, highest := 0.0, inf, 0.0
	for i := range uint64(n) {
		x := w.factor(i)
		sum += x
		lowest, highest = min(lowest, x), max(highest, x)
	}
	if mean := sum / n; math.Abs(mean-1) > 3*0.0015 {
		t.Errorf("mean %v, want 1", mean)
	}
	// Nearer than 0.1 % of the width, but for one in 22000 seeds.
	if lowest < 0.75 || lowest > 0.7505 || highest >= 1.25 || highest < 1.2495 {
		t.Errorf("from %v to %v, want 0.75 to 1.25", lowest, highest)
	}
	a := mustRun(t, Config{Machine: Machine{Ideal(3, 1)}, Work: Work{SIs: []int{10}, Time: 1, Scatter: 0.5, Seed: 1}})
	b := mustRun(t, Config{Machine: Machine{Ideal(3, 1)}, Work: Work{SIs: []int{10}, Time: 1, Scatter: 0.5, Seed: 2}})
	if a.Makespan == b.Makespan {
		t.Errorf("two seeds, one makespan %v", a.Makespan)
	}
}
