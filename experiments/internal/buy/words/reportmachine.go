package words

import (
	"fmt"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/experiments/report"
)

func (r Answer) billTable(c *model.Candidate) *report.Table {
	t := &report.Table{Title: "Bill of materials of " + c.Name, Columns: []report.Column{{Title: "item"}, {Title: "quantity", Numeric: true}, {Title: "price", Unit: r.Currency, Numeric: true}}}
	add := func(what string, count int, price float64) {
		if count > 0 {
			t.Rows = append(t.Rows, []string{what, fmt.Sprint(count), model.Thousands(price)})
		}
	}
	p := r.Plan
	for i, n := range c.Choice.Types {
		x := &p.Nodes[n]
		add(strings.TrimSuffix(fmt.Sprintf("node %s (%s)", x.Name, x.Title), " ()"), c.Choice.Counts[i], float64(c.Choice.Counts[i])*x.Price.Amount)
	}
	w, _ := p.Wiring(c.Choice)
	has := model.Wiring{}
	if e := p.Existing; e != nil && e.Network == c.Choice.Network {
		has, _ = p.WiringBefore()
	}
	if c.Choice.Retired {
		has.Ports = 0 // their ports go with them
	}
	name := p.Networks[c.Choice.Network].Name
	add("port of "+name+", with cable", w.Ports-has.Ports, c.Bill.Ports)
	add("switch of "+name, max(0, w.Switches()-has.Switches()), c.Bill.Switches)
	add("cable between switches", max(0, w.Uplinks-has.Uplinks), c.Bill.Cables)
	for _, x := range []struct {
		what  string
		price float64
	}{{"racks", c.Bill.Racks}, {"fixed costs", c.Bill.Fixed}, {"value added tax", c.Bill.VAT}} {
		if x.price != 0 {
			t.Rows = append(t.Rows, []string{x.what, "", model.Thousands(x.price)})
		}
	}
	t.Rows = append(t.Rows, []string{"total", "", model.Thousands(c.Price)})
	return t
}

// efficiencyText prints the speed-efficiency, "-" for a committed time.
func efficiencyText(w *model.WorkloadResult) string {
	if w.Work == 0 {
		return "-"
	}
	return fmt.Sprintf("%.3f", w.Efficiency)
}

// computeText prints the share of computation, "-" for a committed time.
func computeText(w *model.WorkloadResult) string {
	if w.Work == 0 && w.Compute == 0 {
		return "-"
	}
	return fmt.Sprintf("%.0f", 100*w.Compute)
}

// limitedBy says what most of the time of a run depends on.
func limitedBy(w *model.WorkloadResult) string {
	switch {
	case w.Work == 0 && w.Efficiency == 0:
		return "not simulated"
	case w.Compute < 0.5:
		return "network and waiting"
	case w.MemoryBound:
		return "memory bandwidth"
	}
	return "core speed"
}

// acceptanceTable shows the times to accept.
func (r Answer) acceptanceTable() *report.Table {
	t := &report.Table{
		Title:   "Acceptance",
		Columns: []report.Column{{Title: "workload"}, {Title: "nodes"}, {Title: "time", Numeric: true}, {Title: "tolerance", Unit: "%", Numeric: true}, {Title: "accept up to", Numeric: true}, {Title: "source"}},
		Caption: "What the machine is to show before it is paid for. Simulated times are what the recommendation rests on: ask the vendor to commit to them.",
	}
	for _, a := range r.Acceptance {
		t.Rows = append(t.Rows, []string{a.Workload, strings.TrimSpace(fmt.Sprintf("%d %s", a.Nodes, a.Node)), fmt.Sprintf("%.4g s", a.Time), fmt.Sprintf("%g", 100*a.Tolerance), fmt.Sprintf("%.4g s", a.Most), a.Source})
	}
	return t
}

// nodesInWords says on which nodes the runs take place: "2 fat (75 %), 4 fat (25 %)".
func nodesInWords(w *model.WorkloadResult) string {
	var parts []string
	for _, x := range w.Ways {
		text := strings.TrimSpace(fmt.Sprintf("%d %s", x.Nodes, x.Node))
		switch {
		case x.Share == 0:
			continue
		case x.Share < 1:
			text += fmt.Sprintf(" (%.2g %%)", 100*x.Share)
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, ", ")
}

func (r Answer) workloadTable(c *model.Candidate) *report.Table {
	t := &report.Table{
		Title: "Workloads on " + c.Name,
		Columns: []report.Column{
			{Title: "workload"}, {Title: "problem size", Numeric: true}, {Title: "nodes of a run"}, {Title: "time of a run", Numeric: true}, {Title: "speed-efficiency", Numeric: true},
			{Title: "computing", Unit: "%", Numeric: true}, {Title: "limited by"},
			{Title: "energy", Unit: "kWh", Numeric: true}, {Title: "capital cost", Unit: r.Currency, Numeric: true}, {Title: "energy cost", Unit: r.Currency, Numeric: true}, {Title: "idle cost", Unit: r.Currency, Numeric: true}, {Title: "other cost", Unit: r.Currency, Numeric: true}, {Title: "cost of a run", Unit: r.Currency, Numeric: true},
		},
		Caption: "Computing: share of the time that a process computes, on average over the processes; the rest is communication and waiting.",
	}
	for i := range c.Workloads {
		w := &c.Workloads[i]
		t.Rows = append(t.Rows, []string{w.Name, fmt.Sprint(w.N), nodesInWords(w), fmt.Sprintf("%.4g s", w.Time), efficiencyText(w),
			computeText(w), limitedBy(w), fmt.Sprintf("%.3g", w.Energy), fmt.Sprintf("%.3g", w.Capital), fmt.Sprintf("%.3g", w.EnergyCost), fmt.Sprintf("%.3g", w.IdleCost), fmt.Sprintf("%.3g", w.Other), fmt.Sprintf("%.3g", w.Cost)})
	}
	return t
}
