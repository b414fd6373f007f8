package catalogue

import (
	"strconv"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
)

// describeNode describes a node type that plans may buy.
func describeNode(n *model.Node) *input.Description {
	facts := input.Facts{{Name: "cores", Value: strconv.Itoa(n.Cores)}}
	if d := n.Devices; d != nil {
		facts = input.Facts{{Name: "devices", Value: strconv.Itoa(d.Count), Note: "one process on each; figures are of all together unless they say of one"}}
	}
	return describeEntry("node", "nodes", &n.Entry, facts)
}

// describeNetwork describes a network that plans may buy, with its switches and cables.
func describeNetwork(n *model.Network) *input.Description {
	return describeEntry("interconnect", "networks", &n.Entry, input.Facts{
		{Name: "ports of a switch", Value: strconv.Itoa(n.Switch.Ports)},
		{Name: "rack units of a switch", Value: input.Number(n.Switch.RackUnits)},
	})
}

// describeEntry describes an entry of the catalogue of plans, each figure with its source.
func describeEntry(kind, key string, e *model.Entry, facts input.Facts) *input.Description {
	d := &input.Description{Kind: kind, Name: e.Name, Title: e.Title, Facts: append(facts,
		input.Parameter{Name: "in a plan", Value: key + ": {NAME: {catalogue: " + e.Name + "}}"})}
	figures := input.DataTable{Title: "figures", Columns: []string{"quantity", "value", "range", "date", "estimate"}}
	sources := input.DataTable{Title: "sources", Columns: []string{"quantity", "source"}}
	for _, f := range e.Figures {
		estimate := ""
		if f.Estimate {
			estimate = "yes"
		}
		figures.Rows = append(figures.Rows, []string{f.Quantity, f.Value, f.Range, f.Date, estimate})
		sources.Rows = append(sources.Rows, []string{f.Quantity, strings.TrimPrefix(f.Source, "catalogue: ")})
	}
	documents := input.DataTable{Title: "documents", Columns: []string{"document", "what and where"}}
	for _, x := range model.Documents(e.Figures) {
		documents.Rows = append(documents.Rows, []string{x.Name, x.Kind + ", read " + x.Read + ": " + x.Address})
	}
	if d.Tables = append(d.Tables, figures, sources); len(documents.Rows) > 0 {
		d.Tables = append(d.Tables, documents)
	}
	return d
}
