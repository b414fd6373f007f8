package words

import (
	"fmt"

	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/experiments/internal/chart"
	"github.com/isoscale/isoscale/experiments/report"
)

// machines is the ranking, which the page can make again for other prices and limits.
func (r Answer) machines() *report.Table {
	p := r.Plan
	ranking := &chart.Ranking{Terms: terms(p)}
	columns := "#power|kW; #rack units; wiring"
	if r.SharesMachines() {
		ranking.Terms.Throughput = 3 // columns before it
		columns += "; #throughput; #mean wait|s; #95 % wait|s"
	}
	m := r.table("The best machine of each design", columns,
		"Energy of a year includes cooling and losses. Costs include value added tax. Relative: what decides, over that of the best.")
	m.Ranking = ranking
	if r.SharesMachines() {
		m.Caption += " Throughput: the multiple of a year's work that is done in a year, jobs side by side. Waits: of the jobs of the mix, by simulation of the queue."
	}
	for i := range r.Ranking {
		ranking.Machines = append(ranking.Machines, r.machine(&r.Ranking[i]))
	}
	for i, c := range r.Designs() {
		if i == reportDesigns {
			m.Caption += fmt.Sprintf(" Only the first %d of %d designs are listed.", i, len(r.Designs()))
			break
		}
		job := 0.0
		if c.JobCost != nil {
			job = *c.JobCost
		}
		ranking.Planned = append(ranking.Planned, [8]float64{
			float64(c.Rank - 1), c.Score, c.Relative, c.Price, c.LifeCost, c.Annuity, job, c.LifeEnergy / p.Energy.Years,
		})
	}
	return m
}

// machine is a machine of the ranking for the page.
func (r Answer) machine(c *model.Candidate) chart.RankedMachine {
	p := r.Plan
	bought, _ := p.Bought(c.Choice)
	m := chart.RankedMachine{
		Name: c.Name, Design: c.Design, Nodes: make([]int, len(p.Nodes)), Network: c.Choice.Network,
		Ports: bought.Ports, Switches: bought.Switches(), Cables: bought.Uplinks,
		Racks: c.Bill.Racks, Once: c.Bill.Fixed,
		Power: c.Power, Draw: c.Draw, Idle: c.IdlePower, RackUnits: c.RackUnits, Score: c.Score,
		Cells: []string{fmt.Sprintf("%.4g", c.Power/1000), fmt.Sprintf("%g", c.RackUnits), c.Wiring},
	}
	for i, t := range c.Choice.Types {
		m.Nodes[t] = c.Choice.Counts[i]
	}
	if c.JobCost != nil {
		m.Jobs = p.RunsOfYear() * min(1, 1 / *c.Use)
	}
	if r.SharesMachines() {
		throughput, mean, p95 := "-", "-", "-"
		if c.Throughput != nil {
			throughput = fmt.Sprintf("%.3g", *c.Throughput)
		}
		if c.Wait != nil {
			mean, p95 = seconds(c.Wait.Mean), seconds(c.Wait.P95)
		}
		m.Cells = append(m.Cells, throughput, mean, p95)
	}
	return m
}

// seconds prints a wait as a number.
func seconds(wait *float64) string {
	switch {
	case wait == nil:
		return "-"
	case *wait < 100:
		return fmt.Sprintf("%.3g", *wait)
	}
	return model.Thousands(*wait)
}

// terms are what the costs of all machines follow from.
func terms(p *model.Plan) chart.RankingTerms {
	k, e := &p.Costs, &p.Energy
	t := chart.RankingTerms{
		Currency:    p.Budget.Money.Currency,
		EnergyPrice: e.Price, Growth: e.Growth, Path: e.Path, Overhead: e.Overhead, Years: e.Years,
		Discount: k.Discount, VAT: k.VAT, Maintenance: k.Maintenance, Staff: k.Staff,
		Money: p.Budget.Money.Amount, Power: float64(p.Budget.Power), RackUnits: p.Budget.RackUnits, Life: p.Budget.Life,
		ByCost: p.Objective.ByPrice(), Tolerance: p.GoalTolerance(),
		Score: p.ScoreMeaning(), ScoreUnit: "s", Scale: 1,
	}
	if p.ByRuns && p.Objective.Name != model.ObjectiveTime {
		t.ScoreUnit, t.Scale = "h", 3600
		if p.Objective.MeanWait == 0 {
			t.WorkTime = e.Utilisation * model.SecondsPerYear
		}
	}
	for i := range p.Nodes {
		t.Nodes, t.NodePrices = append(t.Nodes, p.Nodes[i].Name), append(t.NodePrices, p.Nodes[i].Price.Amount)
	}
	for i := range p.Networks {
		n := &p.Networks[i]
		t.Networks = append(t.Networks, n.Name)
		t.NetworkTerms = append(t.NetworkTerms, [3]float64{n.PortPrice.Amount, n.Switch.Price.Amount, n.CablePrice.Amount})
	}
	for _, x := range k.Fixed {
		t.Fixed += x.Yearly
	}
	return t
}
