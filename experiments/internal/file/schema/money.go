package schema

import (
	"math"

	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/model/units"
)

// money is an amount with its currency.
type money struct{ positive bool }

var (
	// Money is an amount of money of at least 0, such as "3200 EUR"; zero may stand
	// without a currency.
	Money = money{}
	// PositiveMoney is an amount of money above 0.
	PositiveMoney = money{positive: true}
)

func (m money) schema(map[string]any) any {
	amount := func(number string) map[string]any {
		return map[string]any{"type": "string", "pattern": `^` + number + exponent + ` ?[A-Z]{3}$`}
	}
	if m.positive {
		return amount(`\+?` + positive)
	}
	return map[string]any{"anyOf": []any{
		amount(`(\+?` + unsigned + `|-` + zero + `)`),
		map[string]any{"enum": []any{0, "0"}},
	}}
}

func (m money) To(x *units.Money) *Variable[units.Money] {
	return &Variable[units.Money]{Value: m, to: x}
}

func (m money) declared() Type            { return m }
func (m money) want() string              { return "a price of at least 0, such as 3200 EUR" }
func (m money) text(x units.Money) string { return x.String() }
func (m money) read(d *yamldoc.Decoder, n *yamldoc.Node, x *units.Money, _ string) {
	price, err := units.ParseMoney(d.String(n, m.want()))
	switch {
	case err != nil && n.IsScalar():
		d.Fail(n, err.Error(), m.want())
	case price.Amount < 0 || math.IsInf(price.Amount, 0):
		d.Fail(n, "negative", m.want())
	}
	*x = price
}
