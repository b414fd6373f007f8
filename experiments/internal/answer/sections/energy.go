package sections

import (
	"fmt"

	"github.com/isoscale/isoscale/experiments/internal/metric/energy"
	"github.com/isoscale/isoscale/experiments/report"
)

// EnergySection says what the energy of a run was drawn for.
func EnergySection(a *energy.Account) report.Section {
	t := &report.Table{
		Title:   "Energy by what it was drawn for",
		Columns: []report.Column{{Title: "drawn"}, {Title: "energy", Numeric: true}, {Title: "share", Unit: "%", Numeric: true}},
	}
	for _, part := range []struct {
		what   string
		energy energy.Joules
	}{
		{"by the nodes, if they did nothing", a.Idle},
		{"by computations, above that", a.Compute},
		{"by sending, receiving and waiting, above that", a.Messages},
		{"by ports, cables and switches", a.Network},
		{"in all", a.Total},
	} {
		t.Rows = append(t.Rows, []string{part.what, part.energy.String(), fmt.Sprintf("%.1f", 100*float64(part.energy/max(a.Total, 1e-300)))})
	}
	s := report.Section{
		Heading: "Energy",
		Text: []string{fmt.Sprintf("The nodes that take part draw %v during the run, %v on average. "+
			"Nodes that do not take part and cooling are not included.", a.Total, a.MeanPower)},
		Blocks: []report.Block{t},
	}
	if len(a.Assumed) > 0 {
		s.Blocks = append(s.Blocks, &report.Notes{Items: a.Assumed})
	}
	return s
}
