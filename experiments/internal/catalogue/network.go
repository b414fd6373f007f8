package catalogue

import (
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/scenario/networks"
)

// describeNetwork describes a network model of the catalogue.
func describeNetwork(name string) *input.Description {
	i := slices.Index(networks.Names(), name)
	if i < 0 {
		return nil
	}
	m := networks.Kinds[i]
	d := &input.Description{Kind: "network", Name: name, Title: m.Title}
	if len(m.Parameters()) > 0 {
		d.Tables = []input.DataTable{parameterTable(m.Parameters())}
	}
	return d
}
