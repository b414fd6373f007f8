package isoscale

import (
	"errors"
	"fmt"
	"math"

	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/topology"
)

// Node is a group of equal nodes of a cluster that is built in code.
type Node struct {
	Name  string // of the node type; the nodes are Name-1, Name-2, ...
	Count int    // at least 1
	Cores int    // of a node, at least 1
	// Speed is the marked speed of a core: the speed that it sustains in benchmarks.
	Speed           units.FlopsPerSecond
	MemoryBandwidth units.BytesPerSecond // of a node; 0: computations do not wait for memory
}

// NewCluster returns a cluster of nodes on one switch: latency is that of an empty
// message from process to process, bandwidth that of one process's messages and of
// a node's link. For other topologies see docs/formats/scenario.md and package experiments/machinefile. The
// error joins a *[sim.ConfigError] for each figure that cannot be used.
func NewCluster(latency Seconds, bandwidth units.BytesPerSecond, nodes ...Node) (*Cluster, error) {
	var problems []error
	problem := func(field, format string, args ...any) {
		problems = append(problems, &sim.ConfigError{Field: field, Err: fmt.Errorf(format, args...)})
	}
	if !(latency >= 0) || math.IsInf(float64(latency), 1) {
		problem("latency", "latency %v; expected a finite time of at least 0", latency)
	}
	if !(bandwidth > 0) || math.IsInf(float64(bandwidth), 1) {
		problem("bandwidth", "bandwidth %v; expected a finite bandwidth above 0", bandwidth)
	}
	if len(nodes) == 0 {
		problem("nodes", "no nodes; expected at least one")
	}
	m := &topology.Machine{Name: "cluster", Network: topology.Network{Latency: latency, Bandwidth: bandwidth}}
	for i, n := range nodes {
		bad := func(field string, value any, want string) {
			problem(fmt.Sprintf("nodes[%d].%s", i, field), "node %q: %s %v; expected %s", n.Name, field, value, want)
		}
		switch {
		case n.Name == "":
			bad("Name", `""`, "a name")
		case m.Type(n.Name) != nil:
			bad("Name", "given twice", "another name")
		}
		if n.Count < 1 || n.Count > math.MaxInt32 {
			bad("Count", n.Count, "1 to 2147483647")
		}
		if n.Cores < 1 || n.Cores > math.MaxInt32 {
			bad("Cores", n.Cores, "1 to 2147483647")
		}
		if !(n.Speed > 0) || math.IsInf(float64(n.Speed), 1) {
			bad("Speed", n.Speed, "a finite speed above 0")
		}
		if !(n.MemoryBandwidth >= 0) || math.IsInf(float64(n.MemoryBandwidth), 1) {
			bad("MemoryBandwidth", n.MemoryBandwidth, "a finite bandwidth of at least 0")
		}
		m.Types = append(m.Types, topology.NodeType{
			Name: n.Name, Cores: n.Cores, MarkedSpeed: n.Speed, MemoryBandwidth: n.MemoryBandwidth, NIC: bandwidth,
		})
		m.Groups = append(m.Groups, topology.Group{Type: n.Name, Name: n.Name, Count: n.Count, First: 1})
	}
	if len(problems) > 0 {
		return nil, errors.Join(problems...)
	}
	return &Cluster{Machine: m}, nil
}
