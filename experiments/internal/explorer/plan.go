package explorer

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/experiments/internal/buy/search"
	"github.com/isoscale/isoscale/experiments/internal/buy/words"
	"github.com/isoscale/isoscale/experiments/internal/file/document"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/study/store"
	"github.com/isoscale/isoscale/experiments/report"
)

// planned is the answer to "plan": that of the command plan, but with waits only as sharp as the choice needs.
type planned struct {
	Lead    string          `json:"lead"`
	Facts   []report.Fact   `json:"facts"`
	Tables  []*report.Table `json:"tables"` // the decision on one page
	Figures figures         `json:"figures"`
	// Learned are the outcomes of the simulations for this answer, by the keys under which the search stores them.
	Learned map[store.Key]string `json:"learned"`
}

// figures describe the recommended machine.
type figures struct {
	Machine  string   `json:"machine"`
	RunnerUp string   `json:"runner_up"`
	Score    float64  `json:"score_s"`
	Price    float64  `json:"price"`
	LifeCost float64  `json:"cost_over_life"`
	Energy   float64  `json:"energy_kwh_per_year"`
	JobCost  *float64 `json:"cost_per_job"`
}

// Keep gives the bridge known outcomes of simulations, by their keys in a folder of the search.
func (b *Bridge) Keep(times map[string]string) {
	for key, text := range times {
		b.times[store.Key(key)] = []byte(text)
	}
}

func (b *Bridge) readPlan(q *Request) (*model.Plan, error) {
	p, err := model.ReadFrom(document.OfTexts(b.documents), q.File, q.Set)
	if err != nil {
		return nil, yamldoc.InWordsOfTheFile(err)
	}
	return p, nil
}

func (b *Bridge) plan(ctx context.Context, q *Request) (any, error) {
	p, err := b.readPlan(q)
	if err != nil {
		return nil, err
	}
	kept := store.CacheOf(b.times)
	r, err := search.Solve(ctx, p, search.Options{
		Overrides: q.Set, Jobs: 1, Kept: kept, Rough: true, MostProcesses: mostProcesses, Progress: b.Progress,
	})
	if err != nil {
		return nil, yamldoc.InWordsOfTheFile(err)
	}
	w, c := words.Of(r), r.Recommendation()
	questions, machines := w.Decision()
	x := planned{Lead: w.InOneLine(), Facts: w.FirstScreen(), Tables: []*report.Table{questions, machines}, Learned: map[store.Key]string{}, Figures: figures{
		Machine: c.Name, RunnerUp: r.RunnerUp, Score: c.Score, Price: c.Price, LifeCost: c.LifeCost,
		Energy: c.LifeEnergy / p.Energy.Years, JobCost: c.JobCost,
	}}
	for key, text := range kept.Values() {
		if b.times[key] == nil {
			b.times[key], x.Learned[key] = text, string(text)
		}
	}
	return x, nil
}

// levers says what sliders can change in a plan, with the current values.
func (b *Bridge) levers(_ context.Context, q *Request) (any, error) {
	p, err := b.readPlan(q)
	if err != nil {
		return nil, err
	}
	root, err := b.documents.Root(q.File, q.Set)
	if err != nil {
		return nil, err
	}
	d := described{Title: p.Title, Files: b.files(p.Inputs), Controls: []Control{}}
	currency := p.Budget.Money.Currency
	lever := func(group, path, label string, x float64, unit string) {
		if strings.HasPrefix(path, "offers[") && !root.At("offers").IsSequence() || x <= 0 {
			return // settings do not reach into a file of offers
		}
		c := Control{Path: path, Label: label, Group: group, Kind: "quantity", Number: x, From: x / 4, To: 4 * x, Log: true,
			Unit: unit, Value: strings.TrimSpace(fmt.Sprintf("%s %s", input.Number(x), unit)), Meaning: "as " + path + " in the file"}
		if n := root.At(path); n.IsScalar() {
			_, width, ranged := strings.Cut(n.Text(), "+-")
			if c.Value = n.Text(); ranged {
				c.Suffix = " +-" + width
			}
		}
		if old := slices.IndexFunc(d.Controls, func(o Control) bool { return o.Path == path }); old < 0 {
			d.add(c)
		}
	}
	lever("budget", "budget.money", "money", p.Budget.Money.Amount, currency)
	lever("budget", "budget.power", "power", float64(p.Budget.Power), "W")
	if root.At("budget.racks") != nil {
		lever("budget", "budget.racks", "racks", p.Budget.RackUnits/42, "")
	} else {
		lever("budget", "budget.rack_units", "rack units", p.Budget.RackUnits, "")
	}
	for i := range p.Nodes {
		n := &p.Nodes[i]
		switch place := p.PriceAt(i); {
		case len(n.Discounts) > 0:
			lever("machine", place+".1", "price of "+n.Name, n.Price.Amount, currency)
			for _, x := range n.Discounts {
				lever("machine", fmt.Sprintf("%s.%d", place, x.From), fmt.Sprintf("price of %s from %d nodes", n.Name, x.From), x.Price, currency)
			}
		case n.ForSale:
			lever("machine", place, "price of "+n.Name, n.Price.Amount, currency)
		}
	}
	for i := range p.Bids {
		if b := &p.Bids[i]; i == 0 || b.Place > p.Bids[i-1].Place {
			lever("machine", fmt.Sprintf("bids[%d].price", b.Place), "price of the "+b.Name, b.Price, currency)
		}
	}
	for i := range p.Networks {
		lever("network", "networks."+p.Networks[i].Name+".price_per_port", "port of "+p.Networks[i].Name, p.Networks[i].PortPrice.Amount, currency)
	}
	for i := range p.Workloads {
		w, place := &p.Workloads[i], fmt.Sprintf("workloads[%d].", i)
		if p.ByRuns {
			lever("workload", place+"runs_per_year", "runs of "+w.Name, w.Weight, "")
		}
		lever("workload", place+"if_impossible", "what a run of "+w.Name+" counts as if it cannot run", float64(w.Impossible), "s")
		lever("workload", place+"deadline", "deadline of "+w.Name, float64(w.Deadline), "s")
	}
	lever("running", "energy.price_per_kwh", "price of a kWh", p.Energy.Price, currency)
	lever("running", "energy.years", "years", p.Energy.Years, "")
	lever("running", "energy.utilisation", "utilisation", p.Energy.Utilisation, "")
	lever("running", "energy.overhead", "overhead of cooling", p.Energy.Overhead, "")
	return d, nil
}
