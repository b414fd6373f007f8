package catalogue

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/scenario/build"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/topology"
)

func describeMachine(m *topology.Machine) *input.Description {
	d := &input.Description{Kind: "machine", Name: m.Name, Title: m.Title, Source: m.Source, Notes: m.Notes}
	types := input.DataTable{Title: "node types",
		Columns: []string{"type", "nodes", "cores", "marked speed per core", "memory"}}
	optional := input.DataTable{Title: "node types, continued",
		Columns: []string{"type", "memory bandwidth", "NIC", "price", "power"}}
	devices := input.DataTable{Title: "devices of each node",
		Columns: []string{"type", "devices", "memory", "bandwidth", "link", "power"}}
	speeds := input.DataTable{Title: "marked speeds of a device", Columns: []string{"type", "precision", "speed"}}
	domains := input.DataTable{Title: "domains of devices", Columns: []string{"type", "nodes", "link"}}
	own := input.DataTable{Title: "node types, other figures",
		Columns: []string{"type", "on one node", "kernels", "idle power"}}
	nodes, cores, accelerators, known := 0, 0, 0, false
	var total units.FlopsPerSecond
	for _, t := range m.Types {
		n := m.Available(t.Name)
		nodes += n
		cores += n * t.Cores
		total += units.FlopsPerSecond(units.FlopsPerSecond(n*t.Cores) * t.MarkedSpeed)
		types.Rows = append(types.Rows, []string{t.Name, strconv.Itoa(n), strconv.Itoa(t.Cores),
			t.MarkedSpeed.String(), input.OrDash(t.Memory > 0, t.Memory)})
		optional.Rows = append(optional.Rows,
			[]string{t.Name, input.OrDash(t.MemoryBandwidth > 0, t.MemoryBandwidth), cards(&t, m),
				input.OrDash(t.Price.Currency != "", t.Price), input.OrDash(t.Power > 0, t.TotalPower())})
		if t.Devices != nil {
			devices.Rows = append(devices.Rows, deviceRow(&t))
			for _, s := range t.Devices.Speeds {
				speeds.Rows = append(speeds.Rows, []string{t.Name, s.Precision, s.Speed.String()})
			}
			for _, k := range t.Devices.Kernels {
				speeds.Rows = append(speeds.Rows, []string{t.Name, "kernel " + k.Name, input.Number(k.Fraction) + " of the marked speed"})
			}
			if across := t.Devices.Across(); across != nil {
				domains.Rows = append(domains.Rows, []string{t.Name, strconv.Itoa(t.Devices.DomainNodes), across.Words()})
			}
			accelerators += n * t.Devices.Count
		}
		if idle := t.IdlePower > 0; idle || t.OnNode != nil || len(t.Kernels) > 0 {
			own.Rows = append(own.Rows, []string{t.Name, connectionText(t.OnNode), kernels(t.Kernels),
				input.OrDash(idle, t.TotalIdlePower())})
		}
		known = known || t.MemoryBandwidth > 0 || t.NIC > 0 || t.NICs > 1 || t.Price.Currency != "" || t.Power > 0
	}
	groups := input.DataTable{Title: "nodes", Columns: []string{"names", "type", "count"}}
	for _, g := range m.Groups {
		names := g.NodeName(0)
		if g.Count > 1 {
			names += " ... " + g.NodeName(g.Count-1)
		}
		groups.Rows = append(groups.Rows, []string{names, g.Type, strconv.Itoa(g.Count)})
	}
	d.Tables = []input.DataTable{types, groups}
	if known {
		d.Tables = append(d.Tables, optional)
	}
	for _, t := range []input.DataTable{devices, speeds, domains, own} {
		if len(t.Rows) > 0 {
			d.Tables = append(d.Tables, t)
		}
	}
	d.Facts = []input.Parameter{
		{Name: "nodes", Value: strconv.Itoa(nodes)},
		{Name: "cores", Value: strconv.Itoa(cores)},
		{Name: "marked speed", Value: total.String(), Note: "all cores"},
		{Name: "network", Value: input.OrDash(m.Network.Title != "", m.Network.Title)},
		{Name: "latency", Value: m.Network.Latency.String()},
		{Name: "bandwidth", Value: m.Network.Bandwidth.String(), Note: m.Network.Bandwidth.Bits()},
		{Name: "send overhead", Value: m.Network.SendOverhead.String()},
		{Name: "receive overhead", Value: m.Network.RecvOverhead.String()},
	}
	if accelerators > 0 {
		d.Facts = slices.Insert(d.Facts, 2, input.Parameter{Name: "devices", Value: strconv.Itoa(accelerators)})
	}
	for _, c := range []struct {
		name string
		*topology.Connection
	}{{"on one node", m.Network.OnNode}, {"between groups", m.Network.BetweenGroups}} {
		if c.Connection != nil {
			d.Facts = append(d.Facts, input.Parameter{Name: c.name, Value: c.Words(), Note: c.Bandwidth.Bits()})
		}
	}
	return d
}

// cards prints the network cards of a node type.
func cards(t *topology.NodeType, m *topology.Machine) string {
	if t.NICs > 1 {
		text := fmt.Sprintf("%d x %v", t.NICs, cmp.Or(t.NIC, m.Network.Bandwidth))
		if t.Devices != nil {
			switch _, _, own := t.Card(0, t.Devices.Count); {
			case t.Devices.Cards != nil:
				text += fmt.Sprintf(", card of each device: %v", t.Devices.Cards)
			case own:
				text += ", one a device"
			}
		}
		return text
	}
	return input.OrDash(t.NIC > 0, t.NIC)
}

func deviceRow(t *topology.NodeType) []string {
	d := t.Devices
	return []string{t.Name, strconv.Itoa(d.Count), input.OrDash(d.Memory > 0, d.Memory),
		input.OrDash(d.MemoryBandwidth > 0, d.MemoryBandwidth), connectionText(d.Link),
		input.OrDash(d.Power > 0, d.Power)}
}

// kernels prints efficiencies.
func kernels(list []topology.Kernel) string {
	var texts []string
	for _, k := range list {
		texts = append(texts, k.Name+" "+input.Number(k.Fraction))
	}
	return input.OrDash(len(texts) > 0, strings.Join(texts, ", "))
}

func connectionText(c *topology.Connection) string {
	if c == nil {
		return input.OrDash(false, "")
	}
	return c.Words()
}

// topologyWords describes how a cluster is wired.
func topologyWords(c build.Cluster) string {
	words := ""
	switch t := c.Topology.(type) {
	case build.Star:
		words = "star: each host has a cable to one switch that limits nothing"
	case build.Bus:
		return "bus: one medium that all messages share"
	case build.Backbone:
		words = fmt.Sprintf("backbone: a star in which all messages share one link of %v, %v", t.Bandwidth, t.Latency)
	case build.Tree:
		switches, levels := treeSize(build.Subcluster(t))
		words = fmt.Sprintf("tree: %s, nested in %s", input.Plural(switches, "switch"), input.Plural(levels, "level"))
	case build.Levels:
		switches, levels := treeSize(build.Subcluster(t.Tree()))
		what, counts := "equal", times(t.Counts)
		if t.Groups != nil {
			what, counts = "unequal", fmt.Sprintf("up to %s", counts)
		}
		words = fmt.Sprintf("tree of %s subclusters: %s nodes, innermost level first; %s, nested in %s", what, counts,
			input.Plural(switches, "switch"), input.Plural(levels, "level"))
	case build.LeafSpine:
		words = leafSpineWords(t, (len(c.Nodes)+t.Hosts-1)/t.Hosts)
	case build.FatTree:
		words = fmt.Sprintf("fat tree: %s, from the hosts on %s below a switch, %s above, %s to each",
			input.Plural(len(t.Down), "level"), times(t.Down), times(t.Up), times(t.Cables)+" cables")
	case build.Rails:
		if leaf, ok := t.Tree.(build.LeafSpine); ok && !t.Planes && len(c.Nodes) > 0 {
			words = leafSpineWords(leaf, (len(c.Nodes)+leaf.Hosts-1)/leaf.Hosts*max(1, c.Nodes[0].NICs))
		} else {
			words = topologyWords(build.Cluster{Nodes: c.Nodes, Topology: t.Tree})
		}
		switch {
		case t.Planes:
			words += "; one such tree for each network card of a node"
		case t.BySpines:
			words += "; each network card of a node at a leaf switch of its own, between rails by spines"
		default:
			words += "; each network card of a node at a leaf switch of its own, between rails by links of devices"
		}
	case build.Torus:
		words = fmt.Sprintf("%s: %s", t.Kind(), times(t.Dimensions))
	case build.Dragonfly:
		words = fmt.Sprintf("dragonfly: %s of %s of %s of %s", input.Plural(t.Groups, "group"),
			input.Plural(t.Chassis, "chassis"),
			input.Plural(t.Routers, "router"), input.Plural(t.Nodes, "host"))
	case build.Graph:
		words = fmt.Sprintf("graph: %s and %s", input.Plural(len(t.Switches), "switch"),
			input.Plural(len(t.Links), "cable"))
	}
	if c.Network.HalfDuplex {
		words += "; half-duplex"
	}
	return words
}

func leafSpineWords(t build.LeafSpine, leaves int) string {
	return fmt.Sprintf("fat tree: %s of %s, each with a cable to each of %s, oversubscription %s",
		input.Plural(leaves, "leaf switch"), input.Plural(t.Hosts, "host"), input.Plural(t.Spines, "spine"), input.Number(t.Oversubscription))
}

func treeSize(s build.Subcluster) (switches, levels int) {
	for _, sub := range s.Subclusters {
		n, deep := treeSize(sub)
		switches += n
		levels = max(levels, deep)
	}
	return switches + 1, levels + 1
}

// times joins numbers as a product, as in 4 x 4 x 2.
func times(counts []int) string {
	words := each.Of(counts, strconv.Itoa)
	return strings.Join(words, " x ")
}
