package system

import (
	"bytes"
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/sharing/flow"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/workloads"
)

// slower multiplies all times of a simulation.
func slower(t *testing.T, s *System, p workloads.Program, k float64) sim.Config {
	t.Helper()
	c := sim.Config{Program: slowerProgram{p, k}, Ranks: true}
	for _, rate := range s.Rates[:p.Ranks()] {
		c.Rates = append(c.Rates, units.FlopsPerSecond(float64(rate)/k))
	}
	if s.Memory != nil {
		for _, bandwidth := range s.Memory[:p.Ranks()] {
			c.Memory = append(c.Memory, units.BytesPerSecond(float64(bandwidth)/k))
		}
	}
	if s.Transport.Network != nil {
		c.Network = slowerNetwork{s.Transport.Network, k}
		return c
	}
	m := s.Transport.Machine(c.Rates)
	for i := range m.Links {
		m.Links[i].Bandwidth /= units.BytesPerSecond(k)
		m.Links[i].Latency *= units.Seconds(k)
	}
	for h := range m.Hosts {
		if !slices.Contains(m.Place, int32(h)) { // hosts with ranks have the speed of these
			m.Hosts[h].Speed /= units.FlopsPerSecond(k)
		}
	}
	f := expect.Value(flow.New(m, s.Transport.Parameters))(t)
	c.Rates, c.Memory = nil, nil
	c.Fabric, c.Protocol = f, slowerProtocol(s.Transport.Protocol, k)
	return c
}

type slowerProgram struct {
	workloads.Program
	k float64
}

func (p slowerProgram) Unwrap() workloads.Program { return p.Program }

func (p slowerProgram) Next(rank int, op *workloads.Op) bool {
	ok := p.Program.Next(rank, op)
	op.Time *= units.Seconds(p.k)
	return ok
}

type slowerNetwork struct {
	sim.Network
	k float64
}

func (n slowerNetwork) MinLatency() units.Seconds {
	return n.Network.MinLatency() * units.Seconds(n.k)
}

func (n slowerNetwork) Message(from, to int32, size units.Bytes) network.Cost {
	c, k := n.Network.Message(from, to, size), units.Seconds(n.k)
	c.SendOverhead *= k
	c.Transmission *= k
	c.Latency *= k
	c.RecvOverhead *= k
	return c
}

func slowerProtocol(p network.Protocol, k float64) network.Protocol {
	scaled := func(o network.Overheads) network.Overheads {
		o = slices.Clone(o)
		for i := range o {
			o[i].Fixed *= units.Seconds(k)
			o[i].PerByte *= units.Seconds(k)
		}
		return o
	}
	p.Send, p.Isend, p.Recv = scaled(p.Send), scaled(p.Isend), scaled(p.Recv)
	p.TestStep *= units.Seconds(k)
	return p
}

// pointsOfPlans has one point of each plan of the examples, as the values of its factors.
var pointsOfPlans = map[string][]input.Override{
	"cost-sweep.yaml":    treeOf4x4,
	"levels-sweep.yaml":  treeOf4x4,
	"stencil-sweep.yaml": {{Path: "nodes.n", Value: "27"}, {Path: "workload.n", Value: "16"}},
	"sunwulf-sweep.yaml": {{Path: "nodes.blade", Value: "8"}, {Path: "workload.n", Value: "100"}, {Path: "workload.bcast", Value: "binomial"}},
}

var treeOf4x4 = []input.Override{
	{Path: "machine.network.topology.levels[0]", Value: "4"}, {Path: "machine.network.topology.levels[1]", Value: "4"}, {Path: "machine.nodes[0].count", Value: "16"},
}

// readExample reads a scenario, the second system of a study at a problem size, or a point
// of a plan. It returns nil if the file is none of these, or set cannot be applied to it.
func readExample(t *testing.T, path string, set []input.Override) *scenario.Scenario {
	t.Helper()
	if point, ok := pointsOfPlans[filepath.Base(path)]; ok {
		text := expect.Value(os.ReadFile(path))(t)
		_, text, _ = bytes.Cut(text, []byte("\nscenario:\n"))
		text, _, found := bytes.Cut(text, []byte("\nfactors:"))
		expect.Need(t, found, "%s has no scenario followed by factors", path)
		file := filepath.Join(t.TempDir(), filepath.Base(path))
		expect.Success(t, os.WriteFile(file, bytes.ReplaceAll(append([]byte("\n"), text...), []byte("\n  "), []byte("\n")), 0o600))
		return expect.Value(scenario.Disk.Read(file, append(slices.Clone(point), set...)))(t)
	}
	if s, err := scenario.Disk.Read(path, set); err == nil {
		return s
	}
	study, err := scenario.Disk.ReadStudy(path, set)
	if err != nil || len(study.Systems) < 2 {
		return nil
	}
	s := study.Scenario(1)
	s.Workload.N = 100
	return s
}

// Multiplying all times by a power of two multiplies every time of a result by it, to the last bit. With
// other factors each input and each sum is rounded, so times change by some units in the last place;
// docs/architecture.md says how far. The test takes every example that simulates, with each way to
// carry messages that it allows; in the usual form only its own way, and one factor of each kind.
//
// With flow, hpl amplifies rounding: processes of a node share its cable, and which of
// two messages that end together on paper ends first decides what the next one shares.
// A bandwidth that differs by a part of 1e-12 moves its makespan by 1.4e-9.
func TestUnitOfTime(t *testing.T) {
	const examples = "../../../../examples"
	networks := []string{"as it is", "hockney", "flow"}
	exact, rounded := []float64{0x1p-30, 0.5, 4, 0x1p20}, []float64{3, 1000, 0.001}
	if !expect.IsLong() {
		networks, exact, rounded = networks[:1], exact[:1], rounded[:1]
	}
	checked := 0
	err := filepath.WalkDir(examples, func(path string, _ os.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".yaml" {
			return err
		}
		for _, network := range networks {
			var set []input.Override
			if network != "as it is" {
				set = append(set, input.Override{Path: "network", Value: network})
			}
			s := readExample(t, path, set)
			if s == nil {
				continue
			}
			sys, err := New(s)
			if err != nil || sys.Placement.Ranks() > 4096 {
				continue
			}
			n := min(s.Workload.N, 128)
			if sys.Algorithm(n).Validate() != nil {
				n = s.Workload.N
			}
			times := func(k float64) []sim.RankResult {
				r, err := sim.Run(context.Background(), slower(t, sys, s.Workload.Program(sys.Algorithm(n), sys.Placement), k))
				expect.Need(t, err == nil, "%s: %v", path, err)
				return r.Ranks
			}
			t.Run(filepath.Base(path)+"/"+network, func(t *testing.T) {
				want := times(1)
				for _, k := range exact {
					for r, got := range times(k) {
						expect.That(t, got.Finish == want[r].Finish*units.Seconds(k),
							"times %v: rank %d ends at %v, want %v times %v", k, r, got.Finish, k, want[r].Finish)
					}
				}
				for _, k := range rounded {
					worst := 0.0
					for r, got := range times(k) {
						if got.Finish != want[r].Finish*units.Seconds(k) { // which may be 0
							worst = max(worst, math.Abs(float64(got.Finish/(want[r].Finish*units.Seconds(k)))-1))
						}
					}
					t.Logf("times %v: %.2g", k, worst)
					most := 1e-12
					if strings.HasPrefix(filepath.Base(path), "hpl") && network == "flow" {
						most = 1e-6
					}
					expect.That(t, worst <= most, "times %v: a rank ends %v off", k, worst)
				}
			})
			checked++
		}
		return nil
	})
	expect.Success(t, err)
	expect.That(t, checked >= 20, "%d cases checked, expected more", checked)
}
