package paper

import (
	"context"
	"fmt"
	"math"

	"github.com/isoscale/isoscale/experiments/internal/scenario/build"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/sharing/flow"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/topology"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/algorithm"
)

// The cluster of [He2004] on the network model flow: nodes of two processors
// around a switch. Each node has one cable to it, which its processes share, and
// one memory, which their computations share with messages within the node, which
// are copies.
//
// The paper does not print the following values, and its times do not determine
// them: the times depend on ratios to these values, which are fitted. The catalogue has the
// same values in dawning.yaml.
const (
	dawningSpeed   units.FlopsPerSecond = 100e6 // of a processor
	dawningMemory  units.BytesPerSecond = 800e6 // of a node; no message on it comes near
	dawningCable   units.BytesPerSecond = 500e6 / 8
	dawningLatency units.Seconds        = 50e-6
)

// smpSet is a set of processors: first the nodes of which one processor takes part,
// then those of which both do.
type smpSet struct {
	name           string
	single, double int
}

// processors returns n.
func (s smpSet) processors() int { return s.single + 2*s.double }

// perNode returns a of the set a x b.
func (s smpSet) perNode() int {
	if s.double > 0 {
		return 2
	}
	return 1
}

// smpSets reads the sets a x b that a sheet is about.
func smpSets(sheet *Sheet) []smpSet {
	sets := make([]smpSet, len(sheet.Rows))
	for i := range sets {
		sets[i].name = sheet.Text(i, "processor_set")
		if nodes := int(sheet.Value(i, "nodes")); sheet.Value(i, "per_node") == 1 {
			sets[i].single = nodes
		} else {
			sets[i].double = nodes
		}
	}
	return sets
}

// place returns the node of each process; the processes of a node are consecutive.
func (s smpSet) place() []int32 {
	var hosts []int32
	for i := range s.single + s.double {
		hosts = append(hosts, int32(i))
		if i >= s.single {
			hosts = append(hosts, int32(i))
		}
	}
	return hosts
}

// messaging is the cost of messages besides latency and cables. Both directions of
// a cable, and both processors of a node, carry messages at the same time.
type messaging struct {
	onNode     units.BytesPerSecond // of one message within a node
	perMessage units.Seconds        // of the sending core
	perByte    units.Seconds        // of the sending core
}

// computing describes the computations of a program on a node.
type computing struct {
	speed units.FlopsPerSecond // that its inner loops sustain on one processor
	// contention is the relative increase of the time of a computation if another
	// one runs on the same node.
	contention float64
}

// bytesPerFlop returns the memory traffic with which two computations demand
// 1+contention times the bandwidth of the memory.
func (c computing) bytesPerFlop() float64 {
	return (1 + c.contention) * float64(dawningMemory) / float64(2*c.speed)
}

// smpTime returns the time of an algorithm on a set of processors, in s.
func smpTime(ctx context.Context, set smpSet, m messaging, c computing, a algorithm.Algorithm) (float64, error) {
	if err := a.Validate(); err != nil {
		return 0, err
	}
	cluster := build.Cluster{Name: "dawning", Network: build.DefaultNetwork(), Topology: build.Star{}}
	cluster.Network.Latency, cluster.Network.Bandwidth = dawningLatency, dawningCable
	cluster.Network.OnNode = topology.Connection{Bandwidth: m.onNode}
	for i := range set.single + set.double {
		cluster.Nodes = append(cluster.Nodes, build.Node{
			Name: fmt.Sprint("node-", i+1), Cores: 2, Speed: c.speed, MemoryBandwidth: dawningMemory,
		})
	}
	platform, err := cluster.Platform()
	if err != nil {
		return 0, err
	}
	machine := flow.Machine{Router: platform, Place: set.place()}
	for _, l := range platform.Links {
		machine.Links = append(machine.Links, flow.Link{Bandwidth: l.Bandwidth, Latency: l.Latency, FatPipe: l.FatPipe})
	}
	for _, h := range platform.Hosts {
		machine.Hosts = append(machine.Hosts, flow.Host{Cores: h.Cores, Speed: h.Speed, Memory: h.Memory})
	}
	fabric, err := flow.New(machine, flow.Plain())
	if err != nil {
		return 0, err
	}
	// Messages of all sizes are eager: data flow from the send on.
	overhead := network.Overheads{{Fixed: m.perMessage, PerByte: m.perByte}}
	result, err := sim.Run(ctx, sim.Config{
		Program: workloads.InMemory{Program: a.Program(), BytesPerFlop: c.bytesPerFlop()},
		Fabric:  fabric,
		Protocol: network.Protocol{
			EagerBelow: units.Bytes(math.MaxFloat64), DetachedBelow: units.Bytes(math.MaxFloat64),
			Send: overhead, Isend: overhead,
		},
	})
	if err != nil {
		return 0, err
	}
	return float64(result.Makespan), nil
}
