package model

import (
	"fmt"
	"math"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/units"
)

// A Bill is the price of a configuration, by what is bought, in the currency of the budget.
type Bill struct {
	Nodes    float64 `json:"nodes"`
	Ports    float64 `json:"ports"`
	Switches float64 `json:"switches"`
	Cables   float64 `json:"cables"`        // between switches
	Bid      float64 `json:"bid,omitempty"` // nodes and network together
	Racks    float64 `json:"racks"`
	Fixed    float64 `json:"fixed"` // costs that are paid once
	VAT      float64 `json:"vat"`
}

// Total returns the sum.
func (b Bill) Total() float64 {
	return b.hardware() + b.Racks + b.Fixed + b.VAT
}

// hardware returns what nodes and network cost.
func (b Bill) hardware() float64 { return b.Nodes + b.Ports + b.Switches + b.Cables + b.Bid }

// Wiring returns the wiring of the whole machine, with a port for each network card and nothing for a single node; ok
// is false if the network cannot connect it.
func (p *Plan) Wiring(c Choice) (w Wiring, ok bool) {
	nodes := p.Parts(c)
	if each.Total(nodes) <= 1 {
		return Wiring{}, true
	}
	ports := 0
	for t, count := range nodes {
		ports += count * max(1, p.Nodes[t].Cards)
	}
	return p.Networks[c.Network].Wire(ports)
}

// Before is the existing machine as it is.
func (p *Plan) Before() Choice { return Design{Network: p.Existing.Network}.Of() }

// Price returns what a choice costs. If a machine exists and its network is kept, that is the price of the additions,
// with a port for each new node; a new network is paid for all nodes. A bid has one price for everything. Source of the
// sum: [Jin] Eq. 10, with prices per node, port, switch and cable.
func (p *Plan) Price(c Choice) (b Bill, ok bool) {
	return p.bill(c, func(i int) float64 { return p.Nodes[c.Types[i]].Cost(c.Counts[i]) })
}

// LeastPrice returns a lower bound, in each part of the bill, on the price of all choices between two. A smaller choice
// may pay a higher price per node, but has neither more nodes nor a larger network, and its other costs are no higher.
func (p *Plan) LeastPrice(small, large Choice) (b Bill, ok bool) {
	return p.bill(small, func(i int) float64 {
		return p.Nodes[small.Types[i]].leastCost(small.Counts[i], large.Counts[i])
	})
}

// bill returns what a choice costs, given the cost of its nodes of each type.
func (p *Plan) bill(c Choice, nodes func(i int) float64) (b Bill, ok bool) {
	w, ok := p.Bought(c)
	if !ok {
		return Bill{}, false
	}
	if bid := p.BidOf(c.Design); bid != nil {
		b.Bid = bid.Price
	} else {
		b = p.Networks[c.Network].Bill(w)
		for i := range c.Types {
			b.Nodes += nodes(i)
		}
	}
	p.addOverheads(&b, c)
	return b, true
}

// Bought returns the wiring of a choice without the part that exists already.
func (p *Plan) Bought(c Choice) (w Wiring, ok bool) {
	w, ok = p.Wiring(c)
	if e := p.Existing; ok && e != nil && e.Network == c.Network {
		has, _ := p.Wiring(p.Before())
		if !c.Retired { // the ports of retired nodes go with them
			w.Ports -= has.Ports
		}
		w.Uplinks, w.Upper = max(0, w.Uplinks-has.Uplinks), max(0, w.Upper-has.Upper)
		w.Leaves, w.Spines, w.Tops = max(0, w.Switches()-has.Switches()), 0, 0
	}
	return w, ok
}

// Bill returns what a network costs.
func (n *Network) Bill(w Wiring) Bill {
	return Bill{
		Ports:    float64(w.Ports) * n.PortPrice.Amount,
		Switches: float64(w.Switches()) * n.Switch.Price.Amount,
		Cables:   float64(w.Cables()) * n.CablePrice.Amount,
	}
}

// Power returns the power of the whole machine under load, without cooling.
func (p *Plan) Power(c Choice) units.Watts {
	var sum units.Watts
	for t, count := range p.Parts(c) {
		sum += units.Watts(units.Watts(count) * p.Nodes[t].Power)
	}
	w, _ := p.Wiring(c)
	n := &p.Networks[c.Network]
	return sum + units.Watts(units.Watts(w.Ports)*n.PortPower) + units.Watts(units.Watts(w.Switches())*n.Switch.Power)
}

// IdlePower returns the power of the whole machine while it does not compute. The network draws as much as under load.
func (p *Plan) IdlePower(c Choice) units.Watts {
	power := p.Power(c)
	for t, count := range p.Parts(c) {
		power -= units.Watts(units.Watts(count) * (p.Nodes[t].Power - p.Nodes[t].IdlePower))
	}
	return power
}

// RackUnits returns the space of the whole machine, rounded up to whole units for each node type.
func (p *Plan) RackUnits(c Choice) float64 {
	sum := 0.0
	for t, count := range p.Parts(c) {
		sum += math.Ceil(float64(float64(count)*p.Nodes[t].RackUnits) - 1e-9)
	}
	w, _ := p.Wiring(c)
	return sum + math.Ceil(float64(float64(w.Switches())*p.Networks[c.Network].Switch.RackUnits)-1e-9)
}

// RunEnergy returns the energy in kWh of computing at a power for a time.
func (e Energy) RunEnergy(power units.Watts, t units.Seconds) float64 {
	return float64(power) / 1000 * e.Overhead * float64(t) / 3600
}

// Limit returns which limit of the budget a choice exceeds whatever it does, or "". Where the energy of a year's work
// counts, it takes the energy of a machine without work.
func (p *Plan) Limit(c Choice) string { return p.LimitWith(c, nil) }

// LimitWith returns which limit of the budget a choice with that load exceeds, or "".
func (p *Plan) LimitWith(c Choice, l *Load) string {
	if over := p.Excesses(c, l); len(over) > 0 {
		return over[0].Text
	}
	return ""
}

// LimitBetween returns a limit that every choice between two exceeds, or "".
func (p *Plan) LimitBetween(small, large Choice) string {
	b, ok := p.LeastPrice(small, large)
	if over := p.excesses(small, nil, b, ok); len(over) > 0 {
		return over[0].Text
	}
	return ""
}

// LimitFrom returns a limit that a choice and all with more nodes of its types exceed, or "".
func (p *Plan) LimitFrom(c Choice) string { return p.LimitBetween(c, p.largest(c)) }

// largest returns the choice of a design with the most nodes that any plan may have.
func (p *Plan) largest(c Choice) Choice {
	if c.Bid == 0 {
		c.Counts = slices.Repeat([]int{MaxNodes}, len(c.Counts))
	}
	return c
}

// An Excess is a limit that a machine exceeds.
type Excess struct {
	Limit string
	Over  float64 // by what factor it is exceeded
	Text  string
}

// Excesses returns all limits of the budget that a choice with that load exceeds.
func (p *Plan) Excesses(c Choice, l *Load) (all []Excess) {
	b, ok := p.Price(c)
	return p.excesses(c, l, b, ok)
}

// excesses returns the limits that a choice with that load and price exceeds.
func (p *Plan) excesses(c Choice, l *Load, b Bill, ok bool) (all []Excess) {
	if !ok {
		return []Excess{{"network", math.Inf(1), p.tooMany(c)}}
	}
	money, what := p.Cost(c, b, l), "price"
	switch {
	case p.Budget.Life && p.Costs.Any():
		what = "cost over the years"
	case p.Budget.Life:
		what = "price with energy"
	}
	if most := p.Budget.Money.Amount; most > 0 && money > most*(1+1e-12) {
		all = append(all, Excess{what, money / most, fmt.Sprintf("%s %s exceeds %s", what, p.Money(money), p.Money(most))})
	}
	if power, most := p.Power(c), p.Budget.Power; most > 0 && power > most*(1+1e-12) {
		all = append(all, Excess{"power", float64(power / most), fmt.Sprintf("power %v exceeds %v", power, most)})
	}
	if space, most := p.RackUnits(c), p.Budget.RackUnits; most > 0 && space > most {
		all = append(all, Excess{"space", space / most, fmt.Sprintf("%s rack units exceed %s", input.Number(space), input.Number(most))})
	}
	return all
}

// Costs are what a machine costs beside its nodes, network and energy.
type Costs struct {
	RackPrice   float64 // of a rack, with its installation
	RackUnits   float64 // of a rack
	Maintenance float64 // a year, as a fraction of the price of nodes and network
	Staff       float64 // a year
	Fixed       []FixedCost
	VAT         float64 // on all but staff
	Discount    float64 // rate a year
}

func (c *Costs) Any() bool {
	return c.RackPrice > 0 || c.Maintenance > 0 || c.Staff > 0 || len(c.Fixed) > 0 || c.VAT > 0 || c.Discount > 0
}

// FixedCost is a cost that does not depend on the machine.
type FixedCost struct {
	Name   string
	Once   float64 // with the purchase
	Yearly float64
}

// YearCost is the cash flow of a year, in the currency of the budget, with value added tax. A
// credit is negative.
type YearCost struct {
	Year        int     `json:"year"` // 0: the purchase; the others are paid at their end
	Purchase    float64 `json:"purchase"`
	Energy      float64 `json:"energy"`
	Maintenance float64 `json:"maintenance"`
	Staff       float64 `json:"staff"`
	Fixed       float64 `json:"fixed"`
	Total       float64 `json:"total"`
	Present     float64 `json:"present_value"`
}

// cashFlow returns what a machine costs by year. It uses the same energy each year; the last year may be incomplete.
func (p *Plan) cashFlow(b Bill, l life) []YearCost {
	k := &p.Costs
	flow := []YearCost{{Purchase: b.Total()}}
	tax := 1 + k.VAT
	kWh := l.kWh() / p.Energy.Years
	yearly := each.Sum(k.Fixed, func(x FixedCost) float64 { return x.Yearly })
	for y := 1; float64(y-1) < p.Energy.Years; y++ {
		part := min(1, p.Energy.Years-float64(y-1))
		flow = append(flow, YearCost{
			Year:        y,
			Energy:      kWh * p.Energy.priceIn(y) * tax * part,
			Maintenance: (float64(b.hardware()*l.maintenance) + l.kept) * tax * part,
			Staff:       k.Staff * part,
			Fixed:       yearly * tax * part,
		})
	}
	for i := range flow {
		x := &flow[i]
		x.Total = x.Purchase + x.Energy + x.Maintenance + x.Staff + x.Fixed
		x.Present = presentValue(x.Total, k.Discount, x.Year)
	}
	return flow
}

// presentValue returns the present value of an amount paid at the end of a year,
//
//	amount/(1 + rate)^year
func presentValue(amount, rate float64, year int) float64 {
	for range year { // math.Pow rounds differently on some processors
		amount /= 1 + rate
	}
	return amount
}

func netPresent(flow []YearCost) float64 {
	return each.Sum(flow, func(x YearCost) float64 { return x.Present })
}

// Annuity returns the equal amount that, paid at the end of each year, is worth as much as an amount paid now: PMT of
// spreadsheets,
//
//	amount/sum_y (1 + rate)^-y,   y = 1 ... years, a part of a year in proportion
func Annuity(amount, rate, years float64) float64 {
	sum := 0.0
	for y := 1; float64(y-1) < years; y++ {
		sum += presentValue(min(1, years-float64(y-1)), rate, y)
	}
	return amount / sum
}

// LifeCost returns the net present value of a machine over its years of operation, each year with that load.
func (p *Plan) LifeCost(c Choice, b Bill, l *Load) float64 {
	return netPresent(p.cashFlow(b, p.lifeOf(c, l)))
}

// Cost returns what the budget has to cover for a machine with that bill: its price or, with covers: life, LifeCost.
func (p *Plan) Cost(c Choice, b Bill, l *Load) float64 {
	if p.Budget.Life {
		return p.LifeCost(c, b, l)
	}
	return b.Total()
}

// priceIn returns the price of a kilowatt hour in a year, from 1.
func (e Energy) priceIn(year int) float64 {
	if n := len(e.Path); n > 0 {
		return e.Price * e.Path[min(year, n)-1]
	}
	price := e.Price
	for range year - 1 {
		price *= 1 + e.Growth
	}
	return price
}

// addOverheads adds to a bill what is bought beside nodes and network: nothing for an existing machine that stays as it
// is.
func (p *Plan) addOverheads(b *Bill, c Choice) {
	if p.BuysNothing(c) {
		return
	}
	k := &p.Costs
	if k.RackPrice > 0 {
		units := p.RackUnits(c)
		racks := math.Ceil(units/k.RackUnits - 1e-9)
		if p.Existing != nil {
			racks -= math.Ceil(p.RackUnits(p.Before())/k.RackUnits - 1e-9)
		}
		b.Racks = max(0, racks) * k.RackPrice
	}
	for _, x := range k.Fixed {
		b.Fixed += x.Once
	}
	b.VAT = float64(k.VAT * (b.hardware() + b.Racks + b.Fixed))
}
