package system

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/experiments/internal/scenario/scenariotest"
)

// Two processes start one after the other in 1 s each, so both begin after 2 s.
// A round is 10 flop on 1 flop/s and 5 flop/s, 4 bytes each way at 1 byte/s, and
// both wait for the slower.
const exchange = `
machine:
  node_types: {slow: {marked_speed: 1 flop/s}, fast: {marked_speed: 5 flop/s}}
  nodes: [{type: slow}, {type: fast}]
  network: {latency: 0 s, bandwidth: 1 B/s}
network: hockney
workload: {name: pattern, n: 1, shape: ring, size: 4 B, compute: 10 flop, startup_per_process: 1 s}
`

func simulate(t *testing.T, text string) *Simulation {
	t.Helper()
	s := scenariotest.Scenario(t, text)
	sys, err := New(s)
	if err != nil {
		t.Fatal(err)
	}
	x, err := sys.Simulate(context.Background(), s.Workload.N)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// The table of outcomes by hand. The fast process has computed at 4 s and sends; the
// slow one at 12 s, so its message arrives at 16 s. It has the fast one's at once,
// but its own must leave first.
func TestOutcomesByHand(t *testing.T) {
	got := map[string]float64{}
	measured, err := values(outcomes, simulate(t, exchange))
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range measured {
		got[outcomes[i].Name] = v
	}
	want := map[string]float64{
		"processes": 2, "time": 16, "work": 20, "marked_speed": 6, "achieved_speed": 20. / 16, "speed_efficiency": 20. / 16 / 6,
		"compute": (10 + 2) / 2., "overhead": 2, "wait": 16 - 2 - 6, "messages": 2, "bytes": 8,
	}
	if len(got) != len(want) {
		t.Errorf("%d outcomes, want %d", len(got), len(want))
	}
	for name, v := range want {
		if math.Abs(got[name]-v) > 1e-12 {
			t.Errorf("%s = %v, want %v", name, got[name], v)
		}
	}
}

// Without work there is no speed, and no size of it holds a speed-efficiency.
func TestSimulationWithoutWork(t *testing.T) {
	text := strings.Replace(exchange, "compute: 10 flop, ", "", 1)
	x := simulate(t, text)
	if x.Work != 0 || x.AchievedSpeed != 0 || x.SpeedEfficiency != 0 || x.Makespan != 6 {
		t.Errorf("work %v at %v, efficiency %v, in %v", x.Work, x.AchievedSpeed, x.SpeedEfficiency, x.Makespan)
	}
	_, err := NewCurve(x.System).Hold(context.Background(), 0.3, scenario.SizeRange{From: 4, To: 8})
	if err == nil || !strings.Contains(err.Error(), "n = 4: the workload performs no work") {
		t.Errorf("got %v", err)
	}
}

// No size is simulated twice, and all are remembered in order.
func TestCurveRemembers(t *testing.T) {
	c := NewCurve(simulate(t, exchange).System)
	var events int64
	for _, n := range []int{3, 1, 2, 3, 1} {
		x, err := c.At(context.Background(), n)
		if err != nil {
			t.Fatal(err)
		}
		if x.N != n {
			t.Errorf("asked for n = %d, got %d", n, x.N)
		}
	}
	for i, x := range c.Points() {
		events += x.Events
		if x.N != i+1 {
			t.Errorf("point %d has n = %d", i, x.N)
		}
	}
	if n, e := c.Effort(); n != 3 || e != events {
		t.Errorf("%d simulations and %d events, want 3 and %d", n, e, events)
	}
}

// Four processes of 16 threads on a node of 64 cores of 1 flop/s: each has 16 of 64
// flop and computes at 16 flop/s, 1 s. With 1 byte/flop a process has a quarter of the
// 32 B/s of the node, 8 flop/s, and takes 2 s. Four processes of one thread take 16 s on
// 4 cores.
func TestThreadsComputeTogether(t *testing.T) {
	const text = `
machine:
  node_types: {new: {cores: 64, marked_speed: 1 flop/s, memory_bandwidth: 32 B/s}}
  nodes: [{type: new}]
  network: {latency: 0 s, bandwidth: 1 B/s, on_node: {latency: 0 s, bandwidth: 1000 GB/s}}
network: NETWORK
placement: {new: PLACEMENT}
workload: {name: pattern, n: 1, shape: ring, size: 0 B, total_compute: 64 flop, bytes_per_flop: TRAFFIC}
`
	for _, network := range []string{"ideal", "hockney", "flow"} {
		for _, tt := range []struct {
			placement, traffic string
			speed, time        float64
		}{
			{"{processes: 4, threads: 16}", "0", 64, 1},
			{"{processes: 4, threads: 16}", "1", 64, 2},
			{"{threads: 64}", "0", 64, 1},
			{"{processes: 64}", "0", 64, 1},
			{"{processes: 4}", "0", 4, 16},
			{"4", "0", 4, 16},
		} {
			x := simulate(t, strings.NewReplacer("NETWORK", network, "PLACEMENT", tt.placement, "TRAFFIC", tt.traffic).Replace(text))
			if c := float64(x.MarkedSpeed); c != tt.speed || math.Abs(float64(x.Makespan)/tt.time-1) > 1e-6 {
				t.Errorf("%s, %s, %s byte/flop: %v at a marked speed of %v, want %v s at %v", network, tt.placement, tt.traffic, x.Makespan, c, tt.time, tt.speed)
			}
		}
	}
}
