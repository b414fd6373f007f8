package purchase

import (
	"fmt"
	"math"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/model/units"
)

// A Bill is the price of a configuration, by what is bought, in the currency of
// the budget.
type Bill struct {
	Nodes    float64 `json:"nodes"`
	Ports    float64 `json:"ports"`
	Switches float64 `json:"switches"`
	Cables   float64 `json:"cables"` // between switches
	Racks    float64 `json:"racks"`
	Fixed    float64 `json:"fixed"` // costs that are paid once
	VAT      float64 `json:"vat"`
}

// Total returns the sum.
func (b Bill) Total() float64 {
	return b.Nodes + b.Ports + b.Switches + b.Cables + b.Racks + b.Fixed + b.VAT
}

// A Choice is a machine that may be bought: so many new nodes of each type, and
// the network of all nodes.
type Choice struct {
	Types   []int // indices into Plan.Nodes of what is bought, increasing; empty if only a network is
	Counts  []int // of each type, above 0
	Network int   // index into Plan.Networks
	Retired bool  // the nodes of the existing machine are no part of it
}

// parts returns the nodes of the whole machine by index into Plan.Nodes, with
// those that exist.
func (p *Plan) parts(c Choice) []int {
	counts := make([]int, len(p.Nodes))
	if p.Existing != nil && !c.Retired {
		counts[p.Existing.Node] = p.Existing.Count
	}
	for i, t := range c.Types {
		counts[t] += c.Counts[i]
	}
	return counts
}

func total(counts []int) int {
	n := 0
	for _, c := range counts {
		n += c
	}
	return n
}

// Wiring returns the wiring of the whole machine; ok is false if the network
// cannot connect so many nodes.
func (p *Plan) Wiring(c Choice) (w Wiring, ok bool) {
	return p.wire(c.Network, p.parts(c))
}

// wire returns the wiring of nodes by index into Plan.Nodes: a port for each network
// card, and nothing for a single node.
func (p *Plan) wire(network int, nodes []int) (w Wiring, ok bool) {
	if total(nodes) <= 1 {
		return Wiring{}, true
	}
	ports := 0
	for t, count := range nodes {
		ports += count * max(1, p.Nodes[t].Cards)
	}
	return p.Networks[network].Wire(ports)
}

// wiringBefore returns the wiring of the existing machine.
func (p *Plan) wiringBefore() (w Wiring, ok bool) {
	nodes := make([]int, len(p.Nodes))
	nodes[p.Existing.Node] = p.Existing.Count
	return p.wire(p.Existing.Network, nodes)
}

// Price returns what a choice costs. Where there is a machine already and its
// network is kept, that is what has to be added to it, with a port for each new node; a
// new network is paid for all nodes. Source of the sum: [Jin] Eq. 10, with prices per node, port, switch
// and cable.
func (p *Plan) Price(c Choice) (b Bill, ok bool) {
	w, ok := p.bought(c)
	if !ok {
		return Bill{}, false
	}
	b = p.Networks[c.Network].bill(w)
	for i, t := range c.Types {
		b.Nodes += float64(float64(c.Counts[i]) * p.Nodes[t].Price.Amount)
	}
	p.addOverheads(&b, c)
	return b, true
}

// bought returns the wiring of a choice without what is there already.
func (p *Plan) bought(c Choice) (w Wiring, ok bool) {
	w, ok = p.Wiring(c)
	if e := p.Existing; ok && e != nil && e.Network == c.Network {
		has, _ := p.wiringBefore()
		if !c.Retired { // the ports of retired nodes go with them
			w.Ports -= has.Ports
		}
		w.Uplinks = max(0, w.Uplinks-has.Uplinks)
		w.Leaves, w.Spines = max(0, w.Switches()-has.Switches()), 0
	}
	return w, ok
}

// bill returns what a network costs.
func (n *Network) bill(w Wiring) Bill {
	return Bill{
		Ports:    float64(w.Ports) * n.PortPrice.Amount,
		Switches: float64(w.Switches()) * n.Switch.Price.Amount,
		Cables:   float64(w.Uplinks) * n.CablePrice.Amount,
	}
}

// Power returns the power of the whole machine under load, without cooling.
func (p *Plan) Power(c Choice) units.Watts {
	var sum units.Watts
	for t, count := range p.parts(c) {
		sum += units.Watts(units.Watts(count) * p.Nodes[t].Power)
	}
	w, _ := p.Wiring(c)
	n := &p.Networks[c.Network]
	return sum + units.Watts(units.Watts(w.Ports)*n.PortPower) + units.Watts(units.Watts(w.Switches())*n.Switch.Power)
}

// IdlePower returns the power of the whole machine while it does not compute. The
// network draws what it draws under load.
func (p *Plan) IdlePower(c Choice) units.Watts {
	power := p.Power(c)
	for t, count := range p.parts(c) {
		power -= units.Watts(units.Watts(count) * (p.Nodes[t].Power - p.Nodes[t].IdlePower))
	}
	return power
}

// RackUnits returns the space of the whole machine, each kind of node rounded up
// to whole units.
func (p *Plan) RackUnits(c Choice) float64 {
	sum := 0.0
	for t, count := range p.parts(c) {
		sum += math.Ceil(float64(float64(count)*p.Nodes[t].RackUnits) - 1e-9)
	}
	w, _ := p.Wiring(c)
	return sum + math.Ceil(float64(float64(w.Switches())*p.Networks[c.Network].Switch.RackUnits)-1e-9)
}

// runEnergy returns the energy of a time of computation in kWh.
func (e Energy) runEnergy(power units.Watts, t units.Seconds) float64 {
	return float64(power) / 1000 * e.Overhead * float64(t) / 3600
}

// limit returns which limit of the budget a choice exceeds whatever it does, or "". Where
// the energy of a year's work counts, that is the energy of a machine without work.
func (p *Plan) limit(c Choice) string { return p.limitAt(c, nil) }

// limitAt returns which limit of the budget a choice with that load exceeds, or "".
func (p *Plan) limitAt(c Choice, l *load) string {
	b, ok := p.Price(c)
	if !ok {
		n := &p.Networks[c.Network]
		return fmt.Sprintf("%d nodes are more than network %s can connect with switches of %d ports", total(p.parts(c)), n.Name, n.Switch.Ports)
	}
	power := p.Power(c)
	money := b.Total()
	what := "price"
	if p.Budget.Life {
		money = p.lifeCost(b, p.lifeOf(c, l))
		what = "price with energy"
		if p.Costs.any() {
			what = "cost over the years"
		}
	}
	switch most := p.Budget.Money.Amount; {
	case most > 0 && money > most*(1+1e-12):
		return fmt.Sprintf("%s %s exceeds %s", what, p.money(money), p.money(most))
	case p.Budget.Power > 0 && power > p.Budget.Power*(1+1e-12):
		return fmt.Sprintf("power %v exceeds %v", power, p.Budget.Power)
	case p.Budget.RackUnits > 0 && p.RackUnits(c) > p.Budget.RackUnits:
		return fmt.Sprintf("%s rack units exceed %s", input.Number(p.RackUnits(c)), input.Number(p.Budget.RackUnits))
	}
	return ""
}

// money prints an amount in whole units of the currency, with spaces between
// thousands: "123 456 EUR".
func (p *Plan) money(amount float64) string {
	if math.Abs(amount) < 100 && amount != math.Trunc(amount) {
		return fmt.Sprintf("%.3g %s", amount, p.Budget.Money.Currency)
	}
	return thousands(amount) + " " + p.Budget.Money.Currency
}

func thousands(amount float64) string {
	digits := fmt.Sprintf("%.0f", math.Abs(amount))
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + " " + digits[i:]
	}
	if amount < 0 {
		digits = "-" + digits
	}
	return digits
}
