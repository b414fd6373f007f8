package model

import (
	"fmt"

	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/model/units"
)

const wantMoney = "an amount with its currency, such as 12000 EUR"

// amount reads money in any currency.
func (r *reader) amount(n *yamldoc.Node) units.Money {
	if n == nil {
		return units.Money{}
	}
	m, err := units.ParseMoney(r.String(n, wantMoney))
	switch {
	case !n.IsScalar(): // said already
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

// convert returns an amount in the currency of the budget; at is where a missing
// rate is reported.
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

// exchangeType are exchange rates by currency.
var exchangeType = schema.Map{Of: schema.PositiveMoney, Keys: schema.Pattern("^[A-Z]{3}$")}

func (r *reader) exchange(n *yamldoc.Node) {
	d := r.Mapping(n, "exchange rates, as in {USD: 0.92 EUR}")
	for _, key := range d.Keys() {
		v := d.Take(key)
		worth := r.amount(v)
		if _, err := units.ParseMoney("1 " + key); err != nil {
			r.Fail(v, fmt.Sprintf("%q is not a currency of three upper case letters", key), "a rate such as USD: 0.92 EUR")
		}
		if c := r.plan.Budget.Money.Currency; r.Err() == nil && (worth.Currency != c || worth.Amount == 0) {
			r.Fail(v, fmt.Sprintf("%v is not an amount above 0 in the currency of the budget", worth), fmt.Sprintf("what 1 %s is worth in %s", key, c))
		}
		r.plan.Exchange = append(r.plan.Exchange, Rate{key, worth.Amount})
	}
	d.Done()
}
