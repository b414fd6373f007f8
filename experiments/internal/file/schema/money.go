package schema

// money is an amount with its currency.
type money struct{ positive bool }

var (
	// Money is an amount of money of at least 0, such as "3200 EUR"; zero may stand
	// without a currency.
	Money Type = money{}
	// PositiveMoney is an amount of money above 0.
	PositiveMoney Type = money{positive: true}
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
