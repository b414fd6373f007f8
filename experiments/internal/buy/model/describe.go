package model

import (
	"fmt"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
)

// Describe shows a plan in full, with the figures taken from the catalogue.
func (p *Plan) Describe(file string) *input.Description {
	d := &input.Description{Kind: string(input.KindPurchase), Name: file, Title: p.Title}
	fact := func(name string, known bool, value any) {
		if known {
			d.Facts = append(d.Facts, input.Parameter{Name: name, Value: fmt.Sprint(value)})
		}
	}
	fact("budget", p.Budget.Money.Currency != "", p.Budget.Money)
	fact("power limit", p.Budget.Power > 0, p.Budget.Power)
	fact("rack units", p.Budget.RackUnits > 0, input.Number(p.Budget.RackUnits))
	fact("energy price", true, input.Number(p.Energy.Price)+" "+p.Budget.Money.Currency+"/kWh")
	fact("years of operation", true, input.Number(p.Energy.Years))
	fact("objective", true, p.Objective.Name)
	fact("network model", true, p.Model.Name)
	if e := p.Existing; e != nil {
		fact("existing", true, fmt.Sprintf("%d %s on %s", e.Count, p.Nodes[e.Node].Name, p.Networks[e.Network].Name))
	}
	nodes := input.DataTable{Title: "node types", Columns: []string{"node", "cores", "speed", "memory", "bandwidth", "power", "U", "price"}}
	for _, n := range p.Nodes {
		nodes.Rows = append(nodes.Rows, []string{n.Name, n.parts(), n.Speed.String(), input.OrDash(n.Memory > 0, n.Memory),
			input.OrDash(n.MemoryBandwidth > 0, n.MemoryBandwidth), n.Power.String(), input.Number(n.RackUnits), p.Money(n.Price.Amount)})
	}
	networks := input.DataTable{Title: "networks", Columns: []string{"network", "latency", "bandwidth", "per port", "switch", "ports"}}
	for _, n := range p.Networks {
		networks.Rows = append(networks.Rows, []string{n.Name, n.Latency.String(), n.Bandwidth.String(), p.Money(n.PortPrice.Amount), p.Money(n.Switch.Price.Amount), fmt.Sprint(n.Switch.Ports)})
	}
	works := input.DataTable{Title: "workloads", Columns: []string{"workload", "algorithm", "n", "weight", "nodes"}}
	for _, w := range p.Workloads {
		size := fmt.Sprint(w.Run.N)
		if w.Target > 0 {
			size = fmt.Sprintf("%d to %d, for efficiency %g", w.Sizes.From, w.Sizes.To, w.Target)
		}
		weight := input.Number(w.Weight)
		if p.ByRuns {
			weight += " runs a year"
		}
		place := w.On.Text()
		if w.Partition != "" {
			place += ", " + w.Partition
		}
		works.Rows = append(works.Rows, []string{w.Name, w.Run.Name, size, weight, place})
	}
	d.Tables = []input.DataTable{nodes, networks, works}
	return d
}

// parts says what the processes of a node run on.
func (n *Node) parts() string {
	if n.Devices != nil {
		return input.Plural(n.Cores, n.Precision+" device")
	}
	return fmt.Sprint(n.Cores)
}
