package purchase

import (
	"github.com/isoscale/isoscale/experiments/schema"
	"github.com/isoscale/isoscale/experiments/yamldoc"
)

func (r *reader) budget(n *yamldoc.Node) {
	d := r.Mapping(n, "a budget, as in {money: 400000 EUR, power: 40 kW, rack_units: 42}")
	b := &r.plan.Budget
	money := d.Require("money", wantMoney)
	b.Money = r.amount(money)
	if money != nil && b.Money.Amount == 0 && r.Err() == nil {
		r.Fail(money, "the budget is zero", "an amount above 0 with its currency, such as 400000 EUR")
	}
	r.plan.budgetNode = money
	b.Power = schema.PositivePower.Read(&r.Decoder, d.Take("power"))
	b.RackUnits = r.positive(d.Take("rack_units"), "a number of rack units above 0")
	if v := d.Take("racks"); v != nil {
		if b.RackUnits > 0 {
			r.Fail(v, "the space is given twice", "rack_units or racks")
		}
		b.RackUnits = 42 * r.positive(v, "a number of racks of 42 units, above 0")
	}
	if v := d.Take("covers"); v != nil {
		b.Life = r.OneOf(v, []string{"purchase", "life"}, "cost that the budget covers") == "life"
	}
	d.Done()
}

func (r *reader) energy(n *yamldoc.Node) {
	e := Energy{Years: 5, Utilisation: 0.8, Overhead: 1}
	d := r.Mapping(n, "the cost of energy, as in {price_per_kwh: 0.25 EUR, years: 5, utilisation: 0.8}")
	e.Price = r.price(d.Take("price_per_kwh")).Amount
	e.Years = r.floatOr(d.Take("years"), e.Years, "years of operation, above 0 and at most 100", above(0, 100))
	e.Utilisation = r.floatOr(d.Take("utilisation"), e.Utilisation, "the fraction of the time in which the machine computes, above 0 and at most 1", above(0, 1))
	e.Overhead = r.floatOr(d.Take("overhead"), e.Overhead, "power drawn over power of the machine, 1 to 10", within(1, 10))
	d.Done()
	r.plan.Energy = e
}

func (r *reader) positive(n *yamldoc.Node, want string) float64 {
	return r.Float(n, want, above(0, maxQuantity))
}
