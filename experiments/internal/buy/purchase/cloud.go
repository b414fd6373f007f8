package purchase

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
)

// A Cloud is nodes for rent.
type Cloud struct {
	Name    string
	Network int       // index into Networks
	Nodes   []int     // indices into Nodes, increasing: what rented nodes do
	Hours   []float64 // price of each for an hour
}

var cloudObject = &schema.Object{What: "nodes for rent, as in {name: rented, network: eth, price_per_hour: {small: 4 USD}}", Fields: []schema.Field{
	{Key: "name", Type: schema.Name, Required: true, Meaning: "name of the offer"},
	{Key: "network", Type: schema.Name, Required: true, Meaning: "the network that connects them"},
	{Key: "price_per_hour", Type: schema.Map{Of: schema.PositiveMoney, Keys: schema.Name, Min: 1}, Required: true, Meaning: "price of a node for an hour, by the node type that does the same"},
}}

func (r *reader) clouds(n *yamldoc.Node) {
	for _, item := range r.Sequence(n, "a list of nodes for rent") {
		d := cloudObject.Open(&r.Decoder, item)
		name := d.Require("name", "a name")
		c := Cloud{Name: schema.Name.Check(&r.Decoder, name, r.String(name, "a name"))}
		c.Network = r.index(d.Require("network", "the network"), names(r.plan.Networks), "network")
		r.hourPrices(d.Require("price_per_hour", "the price of a node for an hour, by node type"), &c)
		d.Done()
		r.plan.Clouds = append(r.plan.Clouds, c)
	}
	if len(r.plan.Clouds) > 0 && r.Err() == nil && !r.plan.byRuns {
		r.Fail(n, "rented nodes are judged by the work of a year", "runs_per_year in each workload, in place of weight")
	}
}

// hourPrices reads what nodes for rent cost, in the order of the node types of the plan.
func (r *reader) hourPrices(n *yamldoc.Node, c *Cloud) {
	d := r.Mapping(n, "prices by node type")
	known := names(r.plan.Nodes)
	for t, name := range known {
		v := d.Take(name)
		if v == nil {
			continue
		}
		price := r.price(v).Amount
		if price == 0 && r.Err() == nil {
			r.Fail(v, "the price is 0", "an amount above 0")
		}
		c.Nodes, c.Hours = append(c.Nodes, t), append(c.Hours, price)
	}
	d.Done()
}

// CloudResult compares nodes for rent with the recommended machine.
type CloudResult struct {
	Name string  `json:"name"`
	Year float64 `json:"year_cost"` // of a year's work on rented nodes
	Own  float64 `json:"own_cost"`  // of the recommended machine in a year: its annuity
	// BreakEven is the multiple of a year's work from which the own machine costs less, and
	// Utilisation the part of the year in which it is then at work.
	BreakEven   float64 `json:"break_even"`
	Utilisation float64 `json:"break_even_utilisation"`
	// Place is that among the designs of the ranking, from 1, of what the money pays for that
	// the recommended machine costs in a year, Relative what it is ranked by over that of the
	// first; 0 where machines are not ranked by all their costs or by the work that is done.
	Place    int     `json:"place,omitempty"`
	Relative float64 `json:"relative,omitempty"`
	Reason   string  `json:"reason,omitempty"` // why they are not compared
}

// rent compares nodes for rent with the recommended machine. A run is done on the nodes
// that are cheapest; rented nodes are paid for as long as runs take.
func (s *solver) rent(ctx context.Context) error {
	for _, cloud := range s.Clouds {
		r := CloudResult{Name: cloud.Name}
		cost, why, err := s.rentOfYear(ctx, cloud)
		if err != nil {
			return err
		}
		if r.Reason = why; why == "" {
			own := s.result.Recommendation()
			r.Year, r.Own = cost, own.Annuity
			r.BreakEven = own.Annuity / cost
			r.Utilisation = r.BreakEven / *own.Throughput
			s.result.rankRented(&r)
		}
		s.result.Clouds = append(s.result.Clouds, r)
	}
	return nil
}

// rankRented finds the place of rented nodes among the designs. Ranked by throughput they do
// break-even times the mix for the same money; ranked by all costs, a year's work costs them
// as much in each year.
func (r *Result) rankRented(c *CloudResult) {
	goal := r.rentedGoal(c)
	if goal == 0 {
		return
	}
	c.Place, c.Relative = 1, relative(goal, r.Ranking[0].Objective)
	for _, d := range r.Designs() {
		if d.Objective <= goal {
			c.Place++
		}
	}
}

// rentedGoal returns what rented nodes are ranked by, 0 where they are not.
func (r *Result) rentedGoal(c *CloudResult) float64 {
	switch p := r.plan; {
	case p.Objective.Name == objectiveThroughput:
		return secondsPerYear / c.BreakEven
	case p.Objective.byPrice() && p.Budget.Life:
		return r.Recommendation().LifeCost * c.Year / c.Own
	}
	return 0
}

// Rented returns the rented nodes whose places among the designs are in a range, the first
// place first.
func (r *Result) Rented(from, to int) []CloudResult {
	var all []CloudResult
	for _, c := range r.Clouds {
		if from <= c.Place && c.Place <= to {
			all = append(all, c)
		}
	}
	slices.SortStableFunc(all, func(a, b CloudResult) int { return a.Place - b.Place })
	return all
}

// rentOfYear returns what a year's work costs on rented nodes, or why it cannot be done on
// them.
func (s *solver) rentOfYear(ctx context.Context, cloud Cloud) (cost float64, why string, err error) {
	most := 1
	for _, w := range s.Workloads {
		switch {
		case w.On.All:
			return 0, "runs of " + w.Name + " take the whole machine", nil
		case w.On.Best:
			most = max(most, mostRented)
		default:
			most = max(most, w.On.List[len(w.On.List)-1])
		}
	}
	p := *s.Plan
	p.Existing = nil
	c := Choice{Types: cloud.Nodes, Network: cloud.Network}
	hour := map[int]float64{}
	for i, t := range cloud.Nodes {
		c.Counts = append(c.Counts, most)
		hour[t] = cloud.Hours[i]
	}
	if _, ok := p.Wiring(c); !ok {
		return 0, fmt.Sprintf("network %s cannot connect %d nodes", p.Networks[c.Network].Name, total(c.Counts)), nil
	}
	if err := s.needChoices(ctx, &p, []Choice{c}, "rented nodes"); err != nil {
		return 0, "", err
	}
	for w, x := range s.usable(&p, c) {
		if x.problem != "" {
			return 0, p.Workloads[w].Name + ": " + x.problem, nil
		}
		least := math.Inf(1)
		for _, y := range x.ways {
			least = min(least, float64(y.nodes)*y.time*hour[y.node])
		}
		cost += float64(p.Workloads[w].Weight * least / 3600)
	}
	return cost * (1 + p.Costs.VAT), "", nil
}

// mostRented is the largest number of rented nodes that a run with nodes: best may take.
const mostRented = 32

// inWords compares rented nodes with the own machine.
func (c *CloudResult) inWords(p *Plan) string {
	if c.Reason != "" {
		return fmt.Sprintf("Rented nodes %s are not compared: %s.", c.Name, c.Reason)
	}
	cheaper := "less"
	if c.Year > c.Own {
		cheaper = "more"
	}
	text := fmt.Sprintf("A year's work on rented nodes %s costs %s, %s than the %s a year of the recommended machine.", c.Name, p.money(c.Year), cheaper, p.money(c.Own))
	if c.Place > 0 {
		text += fmt.Sprintf(" For that money they do %.3g times the mix.", c.BreakEven)
	}
	if c.Utilisation > 1 {
		return text + " No use of the machine makes it cheaper than rented nodes."
	}
	return text + fmt.Sprintf(" The machine is cheaper from %.3g times the mix on, at work for %.2g %% of the time.", c.BreakEven, 100*c.Utilisation)
}
