package model

import (
	"fmt"

	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/model/units"
)

const wantMoney = "an amount with its currency, such as 12000 EUR"

func (r *reader) amount(n *yamldoc.Node) units.Money {
	if n == nil {
		return units.Money{}
	}
	m, err := units.ParseMoney(r.String(n, wantMoney))
	switch {
	case !n.IsScalar(): // reported already
	case err != nil:
		r.Fail(n, err.Error(), "") // it says what was expected
	case m.Amount < 0:
		r.Fail(n, m.String()+" is negative", wantMoney)
	case m.Amount > maxQuantity:
		r.Fail(n, m.String()+" is too large", fmt.Sprintf("at most %g", maxQuantity))
	}
	return m
}

// price reads money and converts it to the currency of the budget.
func (r *reader) price(n *yamldoc.Node) units.Money { return r.convert(n, r.amount(n)) }

// convert returns an amount in the currency of the budget; at is where a missing rate is reported.
func (r *reader) convert(at *yamldoc.Node, m units.Money) units.Money {
	currency := r.plan.Budget.Money.Currency
	if m.Currency == "" || m.Currency == currency || currency == "" {
		return units.Money{Amount: m.Amount, Currency: currency}
	}
	for _, rate := range r.plan.Exchange {
		if rate.Currency == m.Currency {
			return units.Money{Amount: m.Amount * rate.Worth, Currency: currency}
		}
	}
	r.Fail(at, fmt.Sprintf("the price %v is not in the currency of the budget and has no exchange rate", m),
		fmt.Sprintf("exchange: {%s: 0.9 %s} with the actual rate, or a price in %s", m.Currency, currency, currency))
	return units.Money{}
}

var exchangeType = schema.Map{Of: schema.PositiveMoney, Keys: schema.Pattern("^[A-Z]{3}$")}

func (r *reader) exchange(n *yamldoc.Node) {
	for key, v := range r.Entries(n, "exchange rates, as in {USD: 0.92 EUR}") {
		worth := r.amount(v)
		if _, err := units.ParseMoney("1 " + key); err != nil {
			r.Fail(v, fmt.Sprintf("%q is not a currency of three upper case letters", key),
				"a rate such as USD: 0.92 EUR")
		}
		if c := r.plan.Budget.Money.Currency; r.Err() == nil && (worth.Currency != c || worth.Amount == 0) {
			r.Fail(v, fmt.Sprintf("%v is not an amount above 0 in the currency of the budget", worth),
				fmt.Sprintf("what 1 %s is worth in %s", key, c))
		}
		r.plan.Exchange = append(r.plan.Exchange, Rate{key, worth.Amount})
	}
}

func (r *reader) money(of schema.Type, to *float64) *schema.Function {
	return schema.Func(of, func(n *yamldoc.Node) { *to = r.price(n).Amount }).Wanted(wantMoney)
}

var budgetKeys = schema.Declare("a budget, as in {money: 400000 EUR, power: 40 kW, rack_units: 42}", func(k *schema.Keys, r *reader) {
	b := &r.plan.Budget
	k.Required("money", schema.Func(schema.PositiveMoney, func(n *yamldoc.Node) {
		r.plan.MoneyNode = n
		if b.Money = r.amount(n); b.Money.Amount == 0 && r.Err() == nil {
			r.Fail(n, "the budget is zero", "an amount above 0 with its currency, such as 400000 EUR")
		}
	}).Wanted(wantMoney), "what may be spent; its currency is that of the result")
	k.Optional("covers", schema.Func(schema.OneOf{"purchase", "life"}, func(n *yamldoc.Node) {
		b.Life = r.OneOf(n, []string{"purchase", "life"}, "cost that the budget covers") == "life"
	}).Else("purchase"), "what the money pays for; life: also the energy over the years of operation")
	k.Optional("power", schema.PositivePower.To(&b.Power).Else("no limit"), "power of the machine under load, without cooling")
	k.Optional("rack_units", positiveNumber.To(&b.RackUnits).Else("no limit"), "space in rack units")
	k.Optional("racks", schema.Func(positiveNumber, func(n *yamldoc.Node) {
		if b.RackUnits > 0 {
			r.Fail(n, "the space is given twice", "rack_units or racks")
		}
		b.RackUnits = 42 * r.Float(n, "a number of racks of 42 units, above 0", positiveNumber.In)
	}).Else("no limit"), "space in racks of 42 units, in place of rack_units")
})

var budgetType = schema.AnyOf{budgetKeys.Without("racks"), budgetKeys.Without("rack_units")}

var energyKeys = schema.Declare("the cost of energy, as in {price_per_kwh: 0.25 EUR, years: 5, utilisation: 0.8}", func(k *schema.Keys, r *reader) {
	e := &r.plan.Energy
	var price, growth *yamldoc.Node
	k.Optional("price_per_kwh", schema.Node(schema.AnyOf{withRange(schema.Money), pricesByYear}, &price).Else("0"), "price of a kilowatt hour; or a list by year, whose last holds for all that follow")
	k.Optional("price_growth", schema.Node(priceGrowth, &growth).Else("0"), "yearly growth of that price")
	k.Optional("years", schema.Number{Max: 100, Above: true}.To(&e.Years).Or(5), "years of operation")
	k.Optional("utilisation", schema.Number{Max: 1, Above: true}.To(&e.Utilisation).Or(0.8), "fraction of the time in which the machine computes")
	k.Optional("overhead", schema.Number{Min: 1, Max: 10}.To(&e.Overhead).Or(1), "power including cooling and losses, over power of the machine")
	r.energyPrice(price, growth)
})

// energyType has one price, which may grow, or a list of prices by year.
var energyType = schema.AnyOf{energyWith(withRange(schema.Money)),
	energyWith(pricesByYear).Without("price_growth").Requiring("price_per_kwh")}

var pricesByYear = schema.List{Of: schema.PositiveMoney, Min: 1}

func energyWith(price schema.Type) *schema.Object {
	o := energyKeys.With(energyKeys.What)
	o.Field("price_per_kwh").Type = price
	return o
}

var (
	positiveNumber = schema.Number{Max: maxQuantity, Above: true}
	costFraction   = schema.Number{Max: 1, Want: "a fraction, 0 to 1"}
	priceGrowth    = schema.Number{Min: -0.5, Max: 1}
)

var costsKeys = schema.Declare("costs beside nodes, network and energy, as in {maintenance: 0.05, vat: 0.19, discount_rate: 0.03}", func(k *schema.Keys, r *reader) {
	c := &r.plan.Costs
	k.Optional("racks", schema.Func(rackKeys.Object, func(n *yamldoc.Node) { rackKeys.Read(k.Decoder, n, r) }).Else("none"), "the racks that the machine needs")
	k.Optional("maintenance", costFraction.To(&c.Maintenance).Or(0), "per year, as a fraction of the price of nodes and network")
	k.Optional("staff", r.money(schema.Money, &c.Staff).Else("0"), "per year, without value added tax")
	k.Optional("fixed", schema.Func(schema.List{Of: fixedKeys.Object}, func(n *yamldoc.Node) {
		for _, item := range r.Sequence(n, "a list of fixed costs, as in [{name: licences, yearly: 8000 EUR}]") {
			fixedKeys.Read(k.Decoder, item, r)
		}
	}).Else("none"), "costs that do not depend on the machine")
	k.Optional("vat", costFraction.To(&c.VAT).Or(0), "value added tax on all but staff; the budget pays it, too")
	k.Optional("discount_rate", costFraction.To(&c.Discount).Or(0), "by how much less a payment is worth a year later")
})

var rackKeys = schema.Declare("racks, as in {price: 3000 EUR, units: 42}", func(k *schema.Keys, r *reader) {
	c := &r.plan.Costs
	k.Required("price", r.money(schema.Money, &c.RackPrice), "price of a rack with its installation")
	k.Optional("units", positiveNumber.To(&c.RackUnits).Or(42), "rack units of a rack")
})

var fixedKeys = schema.Declare("a fixed cost, as in {name: licences, yearly: 8000 EUR}", func(k *schema.Keys, r *reader) {
	var x FixedCost
	k.Required("name", schema.Text.To(&x.Name), "what it is")
	k.Optional("once", r.money(schema.Money, &x.Once).Else("0"), "paid with the purchase")
	k.Optional("yearly", r.money(schema.Money, &x.Yearly).Else("0"), "paid each year")
	r.plan.Costs.Fixed = append(r.plan.Costs.Fixed, x)
})

// energyPrice reads the price of a kilowatt hour: constant, growing, or by year.
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
			r.Fail(growth, "price_growth and prices by year", "one of them")
		}
		if price.IsSequence() && len(e.Path) == 0 {
			r.Fail(price, "no prices", "one for each year; the last holds for all that follow")
		}
		return
	}
	e.Price = r.price(price).Amount
	e.Growth = priceGrowth.ReadOr(&r.Decoder, growth, "the growth of the price a year, -0.5 to 1", 0)
}
