package sim_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/sharing/flow"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/workloads"
)

// maze is a machine with any route between any two hosts.
type maze struct {
	flow.Machine
	routes map[[2]int32][]int32
}

func (m *maze) Route(buf []int32, from, to int32) ([]int32, error) {
	return append(buf, m.routes[[2]int32{from, to}]...), nil
}

func drawMaze(t *rapid.T, ranks int) *maze {
	m := &maze{routes: map[[2]int32][]int32{}}
	m.Router = m
	capacity := rapid.SampledFrom([]units.BytesPerSecond{0.3, 1, 1, 2, 7, 1e9})
	latency := rapid.SampledFrom([]units.Seconds{0, 0.1, 0.5, 0.5, 3})
	for range rapid.IntRange(1, 6).Draw(t, "links") {
		m.Links = append(m.Links, flow.Link{
			Bandwidth: capacity.Draw(t, "bandwidth"), Latency: latency.Draw(t, "latency"), FatPipe: rapid.IntRange(0, 5).Draw(t, "fat pipe") == 5,
		})
	}
	link := rapid.Int32Range(0, int32(len(m.Links)-1))
	hosts := rapid.IntRange(1, ranks).Draw(t, "hosts")
	for from := range int32(hosts) {
		m.Hosts = append(m.Hosts, flow.Host{Cores: rapid.IntRange(1, 3).Draw(t, "cores"), Speed: 1, Memory: rapid.Int32Range(-1, int32(len(m.Links)-1)).Draw(t, "memory")})
		for to := range int32(hosts) {
			m.routes[[2]int32{from, to}] = rapid.SliceOfN(link, 0, 4).Draw(t, "route")
		}
	}
	for range ranks {
		m.Place = append(m.Place, rapid.Int32Range(0, int32(hosts-1)).Draw(t, "host"))
	}
	return m
}

func drawParameters(t *rapid.T) flow.Parameters {
	p := rapid.SampledFrom([]flow.Parameters{flow.Plain(), flow.CM02(), flow.LV08(), flow.SMPI()}).Draw(t, "model")
	p.CrossTraffic = rapid.Bool().Draw(t, "cross traffic")
	p.Window = rapid.SampledFrom([]units.Bytes{0, 1, 100}).Draw(t, "window")
	return p
}

func drawProtocol(t *rapid.T) network.Protocol {
	limit := rapid.SampledFrom([]units.Bytes{0, 1, 3, units.Bytes(math.Inf(1))})
	overhead := rapid.SampledFrom([]network.Overheads{nil, {{Fixed: 0.25}}, {{PerByte: 0.5}, {Above: 2, Fixed: 1}}})
	return network.Protocol{
		EagerBelow: limit.Draw(t, "eager"), DetachedBelow: limit.Draw(t, "detached"),
		Send: overhead.Draw(t, "send"), Isend: overhead.Draw(t, "isend"), Recv: overhead.Draw(t, "recv"), EveryMessage: rapid.Bool().Draw(t, "every message"),
	}
}

// carried adds up what links should have carried.
type carried struct {
	sim.Observer
	m        *maze
	envelope units.Bytes
	bytes    []units.Bytes // by link
}

func (c *carried) Sent(x sim.Sent) {
	for _, l := range c.m.routes[[2]int32{c.m.Place[x.Rank], c.m.Place[x.To]}] {
		if x.Size+c.envelope > 0 {
			c.bytes[l] += x.Size + c.envelope
		}
	}
}
func (c *carried) Span(sim.Span)         {}
func (c *carried) Received(sim.Received) {}

// Whatever the machine, the parameters and the program: times are finite, parts add up,
// no link carries more than it can, everything sent is carried, and a second run is the
// same.
func TestFabricOnRandomMachines(t *testing.T) { rapid.Check(t, checkRandomMachine) }

func FuzzFabric(f *testing.F) { f.Fuzz(rapid.MakeFuzz(checkRandomMachine)) }

func checkRandomMachine(t *rapid.T) {
	s := orderedScenes(features{wildcards: true, collectives: true, rendezvous: true}).Draw(t, "scene").script
	for r := range s {
		for i := range s[r] {
			if s[r][i].Kind == workloads.Compute && rapid.Bool().Draw(t, "uses memory") {
				s[r][i].Size = units.Bytes(s[r][i].Work) * 2
			}
		}
	}
	m, p, protocol := drawMaze(t, len(s)), drawParameters(t), drawProtocol(t)
	play := func() (*sim.Result, *flow.Usage, *carried) {
		f := expect.Value(flow.New(m.Machine, p))(t)
		f.Record()
		c := &carried{m: m, envelope: p.Envelope, bytes: make([]units.Bytes, len(m.Links))}
		r := ran(t, sim.Config{Program: s.program(), Fabric: f, Protocol: protocol, Ranks: true, Observer: c})
		return r, f.Usage(r.Makespan), c
	}
	r, u, c := play()
	for i, x := range r.Ranks {
		sum := x.Compute + x.Overhead() + x.Wait()
		expect.Need(t, x.Finish >= 0 && !math.IsInf(float64(x.Finish), 1) &&
			math.Abs(float64(sum-x.Finish)) <= 1e-9*float64(1+x.Finish),
			"rank %d finishes at %v, its parts add up to %v", i, x.Finish, sum)
	}
	for l, x := range u.Links {
		expect.Need(t, x.Peak <= 1+1e-9 && x.Mean <= x.Peak+1e-9 && x.Busy <= r.Makespan*(1+1e-12) && x.Lost >= -1e-9,
			"link %d: %+v in %v", l, x, r.Makespan)
		expect.Need(t, math.Abs(float64(x.Bytes-c.bytes[l])) <= 1e-9*float64(c.bytes[l]),
			"link %d carried %v of %v", l, x.Bytes, c.bytes[l])
	}
	again, u2, _ := play()
	diff := cmp.Diff(fmt.Sprint(*r, *u), fmt.Sprint(*again, *u2))
	expect.Need(t, diff == "", "the second run differs:\n%s", diff)
}
