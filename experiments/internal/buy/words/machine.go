package words

import (
	"fmt"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/model/units"
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

// jobCostText prints the mean cost of a job.
func jobCostText(cost *float64) string {
	if cost == nil {
		return ""
	}
	return fmt.Sprintf("%.3g", *cost)
}

// cashFlowTable shows what the recommended machine costs by year.
func (r Answer) cashFlowTable() *report.Table {
	c := r.Recommendation()
	t := &report.Table{Title: "Cash flow of " + c.Name, Caption: fmt.Sprintf("With value added tax. Year 0 is the purchase; all else is paid at the end of a year and discounted at %g %% a year.", 100*r.Plan.Costs.Discount)}
	for _, title := range []string{"year", "purchase", "energy", "maintenance", "staff", "fixed", "total", "present value"} {
		column := report.Column{Title: title, Unit: r.Currency, Numeric: true}
		if title == "year" {
			column.Unit = ""
		}
		t.Columns = append(t.Columns, column)
	}
	for _, x := range c.CashFlow {
		row := []string{fmt.Sprint(x.Year)}
		for _, amount := range []float64{x.Purchase, x.Energy, x.Maintenance, x.Staff, x.Fixed, x.Total, x.Present} {
			row = append(row, model.Thousands(amount))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// costBlocks are the tables of costs.
func (r Answer) costBlocks() []report.Block {
	return []report.Block{r.energyScatter(), r.costTable(), r.cashFlowTable()}
}

// costTable shows what machines cost over their years of operation, and what a run
// costs on them.
func (r Answer) costTable() *report.Table {
	t := &report.Table{
		Title: "Cost over the years of operation, and cost of a run",
		Columns: []report.Column{
			{Title: "machine"}, {Title: "price", Unit: r.Currency, Numeric: true}, {Title: "later costs", Unit: r.Currency, Numeric: true}, {Title: "total", Unit: r.Currency, Numeric: true}, {Title: "per job", Unit: r.Currency, Numeric: true},
		},
		Caption: "Later costs: energy over the years of operation, computing and idle, and maintenance, staff and fixed costs where the plan has them, at present value. The cost of a run is its share of the price, its energy, and its share of all other costs.",
	}
	for _, w := range r.Plan.Workloads {
		t.Columns = append(t.Columns, report.Column{Title: "run of " + w.Name, Unit: r.Currency, Numeric: true})
	}
	for i, c := range r.Designs() {
		if i == reportDesigns/2 {
			t.Caption += fmt.Sprintf(" Only the %d fastest designs are listed.", i)
			break
		}
		row := []string{c.Name, model.Thousands(c.Price), model.Thousands(c.LifeCost - c.Price), model.Thousands(c.LifeCost), jobCostText(c.JobCost)}
		for _, w := range c.Workloads {
			row = append(row, fmt.Sprintf("%.3g", w.Cost))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func (r Answer) priceScatter() *report.ScatterChart {
	const unit = 1000
	c := r.scatter(model.ByPrice, unit)
	c.Title, c.X = "Time and price", report.Axis{Title: "price", Unit: "1000 " + r.Currency}
	c.Lines = []report.ReferenceLine{{Label: "budget", At: r.Plan.Budget.Money.Amount / unit, Vertical: true}}
	return c
}

func (r Answer) energyScatter() *report.ScatterChart {
	c := r.scatter(model.ByEnergy, 1)
	c.Title, c.X = "Time and energy", report.Axis{Title: "energy used in that time", Unit: "kWh"}
	return c
}

// scatter shows the time over another quantity, which is divided by unit.
func (r Answer) scatter(x model.Axis, unit float64) *report.ScatterChart {
	y, scale := report.Axis{Title: r.Score.Meaning, Unit: "s"}, 1.0
	if r.Plan.ByRuns {
		y.Unit, scale = "h", 3600
	}
	c := &report.ScatterChart{Y: y, Height: 460, Caption: "Line: the Pareto front."}
	others := report.ScatterSeries{Name: "other machines", Faint: true}
	members := report.ScatterSeries{Name: "Pareto front", StepAfter: true}
	recommended := report.ScatterSeries{Name: "recommended"}
	charted := r.Ranking
	if i := slices.IndexFunc(charted, func(k model.Candidate) bool { return k.Relative > chartedTimes }); i >= 0 {
		c.Caption += fmt.Sprintf(" Not shown: %d machines that take more than %d times as long as the fastest.", len(charted)-i, chartedTimes)
		charted = charted[:i]
	}
	room := 0.0
	for i := range charted {
		room = max(room, labelRoom*x.Of(&charted[i]))
	}
	labelled := x.Of(&charted[0]) // where the last label is
	for i := range charted {
		k := &charted[i]
		at := x.Of(k)
		p := report.ScatterPoint{Name: k.Name, X: at / unit, Y: k.Score / scale,
			Notes: fmt.Sprintf("%s, %v, %s rack units, %.3g times the shortest time", r.Plan.Money(k.Price), units.Watts(k.Power), input.Number(k.RackUnits), k.Relative)}
		if i == 0 {
			best := p
			best.Label = k.Name
			recommended.Points = append(recommended.Points, best)
		}
		if !slices.Contains(k.Fronts, model.ByTime.Name+"-"+x.Name) {
			others.Points = append(others.Points, p)
			continue
		}
		if labelled-at > room {
			p.Label, labelled = k.Name, at
		}
		members.Points = append(members.Points, p)
	}
	c.Series = []report.ScatterSeries{others, members, recommended}
	return c
}

func (r Answer) frontTable() *report.Table {
	t := &report.Table{
		Title: "Pareto fronts",
		Columns: []report.Column{
			{Title: "machine"}, {Title: "time", Numeric: true}, {Title: "relative time", Numeric: true}, {Title: "price", Unit: r.Currency, Numeric: true},
			{Title: "energy", Unit: "kWh", Numeric: true}, {Title: "Pareto-optimal in"},
		},
		Caption: "All machines on a Pareto front. No other machine is better in one of the quantities without being worse in another.",
	}
	for i := range r.Ranking {
		c := &r.Ranking[i]
		if len(c.Fronts) == 0 {
			continue
		}
		if len(t.Rows) == reportRows {
			t.Caption += fmt.Sprintf(" Only the first %d are listed.", reportRows)
			break
		}
		t.Rows = append(t.Rows, []string{c.Name, r.ScoreOf(c.Score), fmt.Sprintf("%.3f", c.Relative), model.Thousands(c.Price),
			model.Thousands(c.Energy), strings.ReplaceAll(strings.Join(c.Fronts, ", "), "-", "/")})
	}
	return t
}
