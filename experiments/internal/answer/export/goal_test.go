package export_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/answer/export"
	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/experiments/internal/scenario/scenariotest"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/sim/goalsim"
	"github.com/isoscale/isoscale/workloads/goal"
)

// loggopsNetworks are variants of network loggops by name, in whole nanoseconds.
var loggopsNetworks = map[string]string{
	"eager":       "{name: loggops, L: 2500 ns, o: 1500 ns, g: 1000 ns, G: 6 ns}",
	"synchronous": "{name: loggops, L: 2500 ns, o: 1501 ns, g: 2003 ns, G: 3 ns, O: 1 ns, S: 1000 B}",
}

// goalText is the text of a scenario with p processes. At 1 Mflop/s all computations
// of the workloads below take whole nanoseconds.
func goalText(network, program string, p int) string {
	return fmt.Sprintf(`
machine:
  node_types: {node: {marked_speed: 1 Mflop/s}}
  nodes: [{type: node, count: %d}]
  network: {latency: 1 us, bandwidth: 1 GB/s}
network: %s
workload: %s
`, p, network, program)
}

// arrivals watches when messages arrive and when their receivers' cores turn to them.
type arrivals struct {
	latency          units.Seconds
	arrived, handled map[int32][]units.Seconds // by rank
}

func (a *arrivals) Span(s sim.Span) {
	if s.Part == sim.PartRecvOverhead {
		a.handled[s.Rank] = append(a.handled[s.Rank], s.From)
	}
}

func (a *arrivals) Sent(s sim.Sent) {
	a.arrived[s.To] = append(a.arrived[s.To], s.At+a.latency)
}

func (a *arrivals) Received(sim.Received) {}

// prompt reports whether every message is handled when it arrives.
func (a *arrivals) prompt() bool {
	for rank, times := range a.arrived {
		slices.Sort(times)
		for i, at := range a.handled[rank] {
			if math.Abs(float64(at-times[i])) > 1e-12 {
				return false
			}
		}
	}
	return true
}

// loggopsRun returns when each rank finishes, and whether both engines must agree: no
// message meets a busy core. Where one does, the core has two things to do when it is
// free, and the engines order them in different ways.
func loggopsRun(t *testing.T, s *scenario.Scenario) (finish []float64, coincide bool) {
	t.Helper()
	sys := expect.Value(system.New(s))(t)
	a := &arrivals{sys.Transport.Network.MinLatency(), map[int32][]units.Seconds{}, map[int32][]units.Seconds{}}
	sys.Observer = a
	run := expect.Value(sys.Simulate(context.Background(), s.Workload.N))(t)
	for _, r := range run.Ranks {
		finish = append(finish, float64(r.Finish))
	}
	return finish, a.prompt()
}

// A GOAL schedule takes the same time as the run, rank by rank, if every time is a
// whole number of nanoseconds and no message meets a busy core.
func TestGOAL(t *testing.T) {
	if testing.Short() {
		t.Skip("replays many exports")
	}
	compared := 0
	for _, network := range slices.Sorted(maps.Keys(loggopsNetworks)) {
		for _, program := range slices.Sorted(maps.Keys(programs)) {
			for _, p := range []int{4, 12, 32} {
				t.Run(fmt.Sprintf("%s/%s/%d", network, program, p), func(t *testing.T) {
					s := scenariotest.Scenario(t, goalText(loggopsNetworks[network], programs[program], p))
					want, coincide := loggopsRun(t, s)
					var text bytes.Buffer
					r := expect.Value(export.GOAL(context.Background(), s, nil, &text))(t)
					schedule := expect.Value(goal.Read("export", &text))(t)
					parameters := expect.Value(goalsim.ParseParameters(r.Parameters))(t)
					replayed := expect.Value(goalsim.Run(context.Background(), schedule, parameters))(t)
					expect.That(t, replayed.Messages == r.Messages,
						"%d messages, want %d", replayed.Messages, r.Messages)
					if len(r.Warnings) > 0 || !coincide {
						return
					}
					compared++
					for rank, finish := range replayed.HostFinish {
						if ns := want[rank] * 1e9; math.Abs(float64(finish)-ns) > 1e-3 {
							t.Fatalf("rank %d finishes at %d ns, in the run at %.3f ns", rank, finish, ns)
						}
					}
				})
			}
		}
	}
	if t.Logf("%d schedules compared", compared); compared < 50 {
		t.Error("expected at least 50: both engines agree on barriers and flat trees at least")
	}
}

// Four ranks send 0.7 B each to the next: 2.8 B in all, which JSON says as 3.
func TestBytesAreWholeInJSON(t *testing.T) {
	s := scenariotest.Scenario(t, goalText(loggopsNetworks["eager"], "{name: pattern, n: 1, shape: ring, size: 0.7 B}", 4))
	of := map[string]any{"GOAL": expect.Value(export.GOAL(t.Context(), s, nil, io.Discard))(t)}
	s = scenariotest.Scenario(t, goalText("flow", "{name: pattern, n: 1, shape: ring, size: 0.7 B}", 4))
	of["TI"] = expect.Value(export.TI(t.Context(), s, nil, false, io.Discard))(t)
	for name, r := range of {
		text := string(expect.Value(json.Marshal(r))(t))
		expect.That(t, strings.Contains(text, `"messages":4,"bytes":3,`), "%s: no whole bytes in %s", name, text)
	}
}
