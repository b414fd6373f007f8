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

// arrivals records when messages arrive and when the cores of their receivers handle them.
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

// loggopsRun returns when each rank finishes, and whether both engines must agree: that is
// if no message meets a busy core. Otherwise the core has two things to do when it is free,
// and the engines order them differently.
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
	expect.Long(t, "replays many exports")
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
						expect.Near(t, float64(finish), want[rank]*1e9, 1e-3, "end of rank %d in ns", rank)
					}
				})
			}
		}
	}
	t.Logf("%d schedules compared", compared)
	expect.That(t, compared >= 50, "expected at least 50: both engines agree on barriers and flat trees at least")
}

// A schedule of ranks with streams takes as long as the run, except for the messages that begin and end pieces. Each of
// 4 layers' pieces ends at most 2 (L + 2o) = 11 us later, and the rank sends and receives a byte for it. Interleaved
// stages send while their streams do: in the run they share an interface, so the replay may end earlier.
func TestGOALWithStreams(t *testing.T) {
	step := "{name: transformer, n: 16, layers: 4, hidden: 64, heads: 4, ffn: 256, vocabulary: 4, sequence: 64, dp: 4, %s}"
	for name, program := range map[string]string{
		"gradients":   fmt.Sprintf(step, "overlap: gradients"),
		"all":         fmt.Sprintf(step, "overlap: all"),
		"stages":      fmt.Sprintf(step, "pp: 2, overlap: all"),
		"interleaved": fmt.Sprintf(step, "pp: 2, vp: 2, overlap: all"),
		"experts":     fmt.Sprintf(step, "experts: 4, ep: 2, overlap: gradients"),
	} {
		t.Run(name, func(t *testing.T) {
			p := 4
			if strings.Contains(program, "pp: 2") {
				p = 8
			}
			s := scenariotest.Scenario(t, goalText(loggopsNetworks["eager"], program, p))
			var text bytes.Buffer
			r := expect.Value(export.GOAL(context.Background(), s, nil, &text))(t)
			schedule := expect.Value(goal.Read("export", &text))(t)
			replayed := expect.Value(goalsim.Run(context.Background(), schedule, expect.Value(goalsim.ParseParameters(r.Parameters))(t)))(t)
			pieces := int64(p*strings.Count(program, "overlap: all")*4 + p*4)
			if p == 8 { // 2 layers a stage
				pieces /= 2
			}
			expect.Equal(t, replayed.Messages, r.Messages+2*pieces, "messages")
			late := float64(slices.Max(replayed.HostFinish))*1e-9 - r.Makespan
			expect.That(t, (0 <= late || name == "interleaved") && late < float64(pieces/int64(p))*(11e-6+3e-6), "the replay ends %g s after the run", late)
		})
	}
}

// Messages whose cost does not follow from L and G are counted. In a ring of 8 ranks that each send one message, 6
// messages stay among the 4 devices of a node, or 4 on nodes of 2 cores.
func TestGOALCountsOtherConnections(t *testing.T) {
	const machine = `machine:
  node_types:
    n: {cores: 2, marked_speed: 1 Gflop/s, devices: {count: 4, speed: {fp64: 1 Tflop/s}, memory: 1 GB, link: {latency: 1 us, bandwidth: 10 GB/s}}}
  nodes: [{type: n, count: 8}]
  network: {latency: 2 us, bandwidth: 1 GB/s}
`
	for _, c := range []struct{ name, text, want string }{
		{"one process a node", "nodes: {n: 8}\nnetwork: {name: loggops, L: 2 us, o: 1 us, G: 1 ns}", ""},
		{"devices", "nodes: {n: 2}\nplacement: {n: {on: devices, precision: fp64}}\nnetwork: {name: loggops, L: 2 us, o: 1 us, G: 1 ns}", "6 of 8 messages"},
		{"on a node", "nodes: {n: 4}\nplacement: {n: {processes: 2}}\nnetwork: {name: loggops, L: 2 us, o: 1 us, G: 1 ns, on_node: {L: 1 us, G: 1 ns}}", "4 of 8 messages"},
	} {
		s := scenariotest.Scenario(t, machine+c.text+"\nworkload: {name: pattern, n: 1, shape: ring, size: 1 kB}\n")
		r := expect.Value(export.GOAL(t.Context(), s, nil, io.Discard))(t)
		said := strings.Join(r.Warnings, "; ")
		expect.That(t, strings.HasPrefix(said, c.want) && (c.want == "") == (said == ""), "%s: %q, want %q", c.name, said, c.want)
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
