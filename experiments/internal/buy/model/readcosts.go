package model

import (
	"fmt"

	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
)

var costsObject = &schema.Object{What: "costs beside nodes, network and energy, as in {maintenance: 0.05, vat: 0.19, discount_rate: 0.03}", Fields: []schema.Field{
	{Key: "racks", Type: rackObject, Default: "none", Meaning: "the racks that the machine needs"},
	{Key: "maintenance", Type: costFraction, Default: "0", Meaning: "a year, as a fraction of the price of nodes and network"},
	{Key: "staff", Type: schema.Money, Default: "0", Meaning: "a year, without value added tax"},
	{Key: "fixed", Type: schema.List{Of: fixedObject}, Default: "none", Meaning: "costs that do not depend on the machine"},
	{Key: "vat", Type: costFraction, Default: "0", Meaning: "value added tax on all but staff; the budget pays it, too"},
	{Key: "discount_rate", Type: costFraction, Default: "0", Meaning: "by which a payment a year later is worth less"},
}}

var rackObject = &schema.Object{What: "racks, as in {price: 3000 EUR, units: 42}", Fields: []schema.Field{
	{Key: "price", Type: schema.Money, Required: true, Meaning: "price of a rack with its installation"},
	{Key: "units", Type: positiveNumber, Default: "42", Meaning: "rack units of a rack"},
}}

var fixedObject = &schema.Object{What: "a fixed cost, as in {name: licences, yearly: 8000 EUR}", Fields: []schema.Field{
	{Key: "name", Type: schema.Text, Required: true, Meaning: "what it is"},
	{Key: "once", Type: schema.Money, Default: "0", Meaning: "paid with the purchase"},
	{Key: "yearly", Type: schema.Money, Default: "0", Meaning: "paid each year"},
}}

var (
	costFraction = schema.Number{Max: 1}
	priceGrowth  = schema.Number{Min: -0.5, Max: 1}
)

func (r *reader) costs(n *yamldoc.Node) {
	d := costsObject.Open(&r.Decoder, n)
	c := &r.plan.Costs
	fraction := func(key string) float64 {
		return costFraction.ReadOr(&r.Decoder, d.Take(key), "a fraction, 0 to 1", 0)
	}
	if v := d.Take("racks"); v != nil {
		m := rackObject.Open(&r.Decoder, v)
		c.RackPrice = r.price(m.Require("price", wantMoney)).Amount
		c.RackUnits = 42
		if u := m.Take("units"); u != nil {
			c.RackUnits = r.positive(u, "the rack units of a rack, above 0")
		}
		m.Done()
	}
	c.Maintenance, c.VAT, c.Discount = fraction("maintenance"), fraction("vat"), fraction("discount_rate")
	c.Staff = r.price(d.Take("staff")).Amount
	for _, item := range r.Sequence(d.Take("fixed"), "a list of fixed costs, as in [{name: licences, yearly: 8000 EUR}]") {
		m := fixedObject.Open(&r.Decoder, item)
		c.Fixed = append(c.Fixed, FixedCost{
			Name:   r.String(m.Require("name", "what it is"), "what it is"),
			Once:   r.price(m.Take("once")).Amount,
			Yearly: r.price(m.Take("yearly")).Amount,
		})
		m.Done()
	}
	d.Done()
}

// energyPrice reads the price of a kilowatt hour, the same in all years, growing, or by
// year.
func (r *reader) energyPrice(price, growth *yamldoc.Node) {
	e := &r.plan.Energy
	if price != nil && price.IsSequence() {
		for i, v := range r.Sequence(price, "prices by year") {
			amount := r.price(v).Amount
			switch {
			case amount == 0 && r.Err() == nil:
				r.Fail(v, fmt.Sprintf("the price of year %d is 0", i+1), "a price above 0")
			case i == 0:
				e.Price = amount
			}
			e.Path = append(e.Path, amount/e.Price)
		}
		if growth != nil {
			r.Fail(growth, "price_growth beside prices by year", "one of them")
		}
		if price.IsSequence() && len(e.Path) == 0 {
			r.Fail(price, "no prices", "one for each year; the last holds for all that follow")
		}
		return
	}
	e.Price = r.price(price).Amount
	e.Growth = priceGrowth.ReadOr(&r.Decoder, growth, "the growth of the price a year, -0.5 to 1", 0)
}
