package dispatch

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
)

func mustRun(t testing.TB, c Config) Result {
	t.Helper()
	return expect.Value(Run(context.Background(), c))(t)
}

// wholly makes Run simulate every SI, by a scatter that leaves all times as they are.
func wholly(c Config) Config {
	c.Work.Scatter = max(c.Work.Scatter, math.SmallestNonzeroFloat64)
	return c
}

// level changes an ideal level.
func level(nodes, outstanding int, change func(*Level)) Level {
	l := Ideal(nodes, outstanding)
	if change != nil {
		change(&l)
	}
	return l
}

// Losses are stated where they are of interest, as parts of the time of all nodes.
func TestByHand(t *testing.T) {
	fetch := func(operands, results units.Bytes) func(*Level) {
		return func(l *Level) {
			l.IDU, l.Operands, l.Results, l.Bandwidth = Separate, operands, results, 1
		}
	}
	for _, tt := range []struct {
		name    string
		machine Machine
		sis     []int
		time    units.Seconds
		want    Result
	}{
		{
			"five on two are three rounds; in the last, one node idles",
			Machine{Ideal(2, 1)}, []int{5}, 1,
			Result{Makespan: 3, Work: 5, Levels: []LevelResult{{Executed: 5, Busy: 5, Idle: 1, Lost: Lost{End: 1. / 6}}}},
		},
		{
			"fetch, one outstanding: (1+1) x 3",
			Machine{level(1, 1, fetch(1, 0))}, []int{3}, 1,
			Result{Makespan: 6, Work: 3, Levels: []LevelResult{{Executed: 3, Busy: 3, Idle: 3, Transfer: 3, Lost: Lost{Transfer: 1. / 2}}}},
		},
		{
			// fetch 0-1 1-2 2-3, execute 1-2 2-3 3-4. The second waits for
			// the interface from 0 to 1; only the first fetch is not hidden.
			"fetch, two outstanding",
			Machine{level(1, 2, fetch(1, 0))}, []int{3}, 1,
			Result{Makespan: 4, Work: 3, Levels: []LevelResult{{Executed: 3, Busy: 3, Idle: 1, Transfer: 1 + 2 + 1, Lost: Lost{Transfer: 1. / 4}}}},
		},
		{
			// Also the last results travel while the node has nothing else to do.
			"both ways, one outstanding: (1+1+1) x 3",
			Machine{level(1, 1, fetch(1, 1))}, []int{3}, 1,
			Result{Makespan: 9, Work: 3, Levels: []LevelResult{{Executed: 3, Busy: 3, Idle: 6, Transfer: 6, Lost: Lost{Transfer: 2. / 3}}}},
		},
		{
			// in 0-1 1-2 2-3, execute 1-2 2-3 3-4, out 2-3 3-4 4-5
			"both ways, three outstanding",
			Machine{level(1, 3, fetch(1, 1))}, []int{3}, 1,
			Result{Makespan: 5, Work: 3, Levels: []LevelResult{{Executed: 3, Busy: 3, Idle: 2, Transfer: (1 + 2 + 3) + 3}}},
		},
		{
			"latency, one outstanding: (2+1+2) x 2",
			Machine{level(1, 1, func(l *Level) { l.IDU, l.Latency = Separate, 2 })}, []int{2}, 1,
			Result{Makespan: 10, Work: 2, Levels: []LevelResult{{Executed: 2, Busy: 2, Idle: 8, Transfer: 8}}},
		},
		{
			// There 0-2 both, execute 2-3 3-4, back 4-6.
			"latencies overlap",
			Machine{level(1, 2, func(l *Level) { l.IDU, l.Latency = Separate, 2 })}, []int{2}, 1,
			Result{Makespan: 6, Work: 2, Levels: []LevelResult{{Executed: 2, Busy: 2, Idle: 4, Transfer: 8}}},
		},
		{
			"two share a trunk: half the rate each",
			Machine{level(2, 1, func(l *Level) { l.IDU, l.Operands, l.Trunk = Separate, 1, 1 })}, []int{2}, 1,
			Result{Makespan: 3, Work: 2, Levels: []LevelResult{{Executed: 2, Busy: 2, Idle: 4, Transfer: 4}}},
		},
		{
			"the interface is slower than half of the trunk: 4 + 1",
			Machine{level(2, 1, func(l *Level) { l.IDU, l.Operands, l.Trunk, l.Bandwidth = Separate, 1, 1, 0.25 })}, []int{2}, 1,
			Result{Makespan: 5, Work: 2, Levels: []LevelResult{{Executed: 2, Busy: 2, Idle: 8, Transfer: 8}}},
		},
		{
			// The first node needs no transfer: 0-1 1-2 2-3. The others get
			// their operands at 2 and end at 3.
			"IDU on the first node",
			Machine{level(3, 1, func(l *Level) { l.Operands, l.Trunk = 1, 1 })}, []int{5}, 1,
			Result{Makespan: 3, Work: 5, Levels: []LevelResult{{Executed: 5, Busy: 5, Idle: 4, Transfer: 4}}},
		},
		{
			// The IDU: 0-1 1-2 4-5 5-6; execution 1-4 2-5 5-8 6-9. The second
			// place waits for two dispatches, the others for one. At the end, the
			// first waits for the second from 8 to 9.
			"dispatching takes time",
			Machine{level(2, 1, func(l *Level) { l.Dispatch = 1 })}, []int{4}, 3,
			Result{Makespan: 9, Work: 12, Levels: []LevelResult{{Executed: 4, Busy: 12, Idle: 6, DispatchWait: 5, Lost: Lost{Dispatch: 5. / 18, End: 1. / 18}}}},
		},
		{
			"nested: 3 on 2 are two rounds, at both levels",
			Machine{Ideal(2, 1), Ideal(2, 1)}, []int{3, 3}, 1,
			Result{Makespan: 4, Work: 9, Levels: []LevelResult{{Executed: 3, Busy: 6, Idle: 2}, {Executed: 9, Busy: 9, Idle: 7}}},
		},
		{
			// The second group has nothing to do; in the first, 1 of 4 times idles.
			"nested: one for two groups",
			Machine{Ideal(2, 1), Ideal(2, 1)}, []int{1, 3}, 1,
			Result{Makespan: 2, Work: 3, Levels: []LevelResult{
				{Executed: 1, Busy: 2, Idle: 2, Lost: Lost{End: 1. / 2}}, {Executed: 3, Busy: 3, Idle: 5, Lost: Lost{End: 1. / 8}},
			}},
		},
		{
			// Fetch 0-4 4-8, execute 4-6 8-10.
			"nested: fetch of the second SI behind the first",
			Machine{level(1, 2, fetch(4, 0)), Ideal(2, 1)}, []int{2, 4}, 1,
			Result{Makespan: 10, Work: 8, Levels: []LevelResult{{Executed: 2, Busy: 4, Idle: 6, Transfer: 4 + 8}, {Executed: 8, Busy: 8, Idle: 12}}},
		},
		{
			"three levels: ceil(3/2) ceil(2/2) ceil(5/3)",
			Machine{Ideal(2, 1), Ideal(2, 2), Ideal(3, 1)}, []int{3, 2, 5}, 0.5,
			Result{Makespan: 2, Work: 15, Levels: []LevelResult{
				{Executed: 3, Busy: 3, Idle: 1},
				{Executed: 6, Busy: 6, Idle: 2},
				{Executed: 30, Busy: 15, Idle: 9},
			}},
		},
		{
			"nothing to do",
			Machine{Ideal(2, 1)}, []int{3}, 0,
			Result{Makespan: 0, Work: 0, Levels: []LevelResult{{Executed: 3}}},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			// All times are multiples of 1/2, so both ways are exact.
			c := Config{tt.machine, Work{SIs: tt.sis, Time: tt.time}}
			for _, c := range []Config{c, wholly(c)} {
				got := mustRun(t, c)
				for i := range got.Levels {
					level, want := &got.Levels[i], &tt.want.Levels[i]
					if tt.time > 0 {
						want.Utilization = float64(want.Busy / (want.Busy + want.Idle))
					}
					if want.Lost == (Lost{}) {
						want.Lost = level.Lost
					}
				}
				d := cmp.Diff(tt.want, got, cmpopts.IgnoreUnexported(Result{}), cmpopts.EquateApprox(0, 1e-15))
				expect.That(t, d == "", "scatter %v (-want +got):\n%s", c.Work.Scatter, d)
			}
		})
	}
}

// Practically unlimited numbers of nodes, places and SIs cost only what is used.
func TestMoreNodesThanSIs(t *testing.T) {
	c := Config{Machine{Ideal(1<<26, 1<<26), Ideal(1<<26, 1)}, Work{SIs: []int{3, 2}, Time: 1}}
	for _, c := range []Config{c, wholly(c)} {
		r := mustRun(t, c)
		expect.That(t, r.Makespan == 1 && r.Levels[1].Executed == 6, "scatter %v: %v, want 6 SIs in 1 s", c.Work.Scatter, r)
	}
}

// cancelled is a context whose Err reports that it is cancelled after n calls.
type cancelled struct {
	context.Context
	n int
}

func (c *cancelled) Err() error {
	c.n--
	if c.n < 0 {
		return context.Canceled
	}
	return nil
}

// A run ends soon after its context is cancelled, whenever that is.
func TestCancelled(t *testing.T) {
	c := Config{Machine{Ideal(3, 2), level(4, 3, func(l *Level) { l.Operands, l.Trunk = 1, 1 })},
		Work{SIs: []int{7, 30}, Time: 1, Scatter: 0.5}}
	for _, n := range []int{0, 1, 5, 20, 100, 1 << 20} {
		_, err := Run(&cancelled{context.Background(), n}, c)
		whole := n == 1<<20
		expect.That(t, whole == (err == nil) && (whole || errors.Is(err, context.Canceled)), "cancelled after %d: error %v", n, err)
	}
}

func TestRunChecksItsInput(t *testing.T) {
	nan := math.NaN()
	good := func() Config {
		return Config{Machine: Machine{Ideal(2, 1), Ideal(2, 1)}, Work: Work{SIs: []int{3, 3}, Time: 1}}
	}
	mustRun(t, good())
	for _, tt := range []struct {
		change func(*Config)
		want   string
	}{
		{func(c *Config) { c.Machine = Machine{Ideal(1<<26, 1), Ideal(1<<26, 1), Ideal(1<<26, 1)} }, "nodes; expected at most 2^62"},
		{func(c *Config) { c.Machine[0].Dispatch = -1 }, "machine[0].Dispatch is -1 s"},
		{func(c *Config) { c.Machine[0].Operands = units.Bytes(nan) }, "machine[0].Operands is NaN B"},
		{func(c *Config) { c.Machine[0].Results = units.Bytes(inf) }, "machine[0].Results is +Inf B"},
		{func(c *Config) { c.Machine[0].Latency = units.Seconds(inf) }, "machine[0].Latency is +Inf s"},
		{func(c *Config) { c.Machine[0].Bandwidth = 0 }, "machine[0].Bandwidth is 0 B/s"},
		{func(c *Config) { c.Machine[0].Trunk = units.BytesPerSecond(nan) }, "machine[0].Trunk is NaN B/s"},
		{func(c *Config) { c.Work.Time = units.Seconds(nan) }, "work.Time is NaN s"},
		{func(c *Config) { c.Machine[0] = Ideal(1<<21, 1); c.Work.SIs[0] = 1 << 21 }, "SIs in flight; expected at most 1048576"},
		{func(c *Config) { c.Work.Scatter, c.Work.SIs = 0.5, []int{1 << 20, 1 << 20} }, "SIs to simulate; expected at most"},
		{func(c *Config) {
			c.Machine = Machine{Ideal(1, 1), Ideal(1, 1), Ideal(1, 1)}
			c.Work.SIs = []int{1 << 26, 1 << 26, 1 << 26}
		}, "SIs of the last level; expected at most 2^62"},
		// Both problems of one configuration.
		{func(c *Config) { c.Machine[0].Trunk, c.Work.Time = 0, -1 }, "work.Time is -1 s"},
		{func(c *Config) { c.Machine[0].Trunk, c.Work.Time = 0, -1 }, "machine[0].Trunk is 0 B/s"},
	} {
		c := good()
		tt.change(&c)
		expect.Refusal(Run(context.Background(), c))(t, tt.want)
	}
}
