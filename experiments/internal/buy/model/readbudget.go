package model

import (
	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
)

var budgetObject = &schema.Object{What: "a budget, as in {money: 400000 EUR, power: 40 kW, rack_units: 42}", Fields: []schema.Field{
	{Key: "money", Type: schema.PositiveMoney, Required: true, Meaning: "what may be spent; its currency is that of the result"},
	{Key: "covers", Type: schema.OneOf{"purchase", "life"}, Default: "purchase", Meaning: "what the money pays for; life: also the energy over the years of operation"},
	{Key: "power", Type: schema.PositivePower, Default: "no limit", Meaning: "power of the machine under load, without cooling"},
	{Key: "rack_units", Type: positiveNumber, Default: "no limit", Meaning: "space in rack units"},
	{Key: "racks", Type: positiveNumber, Default: "no limit", Meaning: "space in racks of 42 units, in place of rack_units"},
}}

var budgetType = schema.AnyOf{budgetObject.Without("racks"), budgetObject.Without("rack_units")}

var energyObject = &schema.Object{What: "the cost of energy, as in {price_per_kwh: 0.25 EUR, years: 5, utilisation: 0.8}", Fields: []schema.Field{
	{Key: "price_per_kwh", Type: schema.AnyOf{ranged(schema.Money), schema.List{Of: schema.PositiveMoney, Min: 1}}, Default: "0", Meaning: "price of a kilowatt hour; or a list by year, whose last holds for all that follow"},
	{Key: "price_growth", Type: priceGrowth, Default: "0", Meaning: "growth of that price a year"},
	{Key: "years", Type: operationYears, Default: "5", Meaning: "years of operation"},
	{Key: "utilisation", Type: utilisation, Default: "0.8", Meaning: "fraction of the time in which the machine computes"},
	{Key: "overhead", Type: powerOverhead, Default: "1", Meaning: "power including cooling and losses, over power of the machine"},
}}

// energyType is energyObject with one price, which may grow, or with prices by year.
var energyType = schema.AnyOf{energyWith(ranged(schema.Money)), energyWith(schema.List{Of: schema.PositiveMoney, Min: 1}).Without("price_growth").Requiring("price_per_kwh")}

func energyWith(price schema.Type) *schema.Object {
	o := energyObject.With(energyObject.What)
	o.Field("price_per_kwh").Type = price
	return o
}

// Ranges of numbers.
var (
	positiveNumber = schema.Number{Max: maxQuantity, Above: true}
	operationYears = schema.Number{Max: 100, Above: true}
	utilisation    = schema.Number{Max: 1, Above: true}
	powerOverhead  = schema.Number{Min: 1, Max: 10}
)

func (r *reader) budget(n *yamldoc.Node) {
	d := budgetObject.Open(&r.Decoder, n)
	b := &r.plan.Budget
	money := d.Require("money", wantMoney)
	b.Money = r.amount(money)
	if money != nil && b.Money.Amount == 0 && r.Err() == nil {
		r.Fail(money, "the budget is zero", "an amount above 0 with its currency, such as 400000 EUR")
	}
	r.plan.BudgetNode = money
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
	d := energyObject.Open(&r.Decoder, n)
	r.plan.Energy = Energy{
		Years:       operationYears.ReadOr(&r.Decoder, d.Take("years"), "years of operation, above 0 and at most 100", 5),
		Utilisation: utilisation.ReadOr(&r.Decoder, d.Take("utilisation"), "the fraction of the time in which the machine computes, above 0 and at most 1", 0.8),
		Overhead:    powerOverhead.ReadOr(&r.Decoder, d.Take("overhead"), "power drawn over power of the machine, 1 to 10", 1),
	}
	r.energyPrice(d.Take("price_per_kwh"), d.Take("price_growth"))
	d.Done()
}

func (r *reader) positive(n *yamldoc.Node, want string) float64 {
	return r.Float(n, want, positiveNumber.In)
}
