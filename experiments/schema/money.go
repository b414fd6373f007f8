package schema

// money is an amount with its currency.
type money struct{}

var _ Type = money{}

// Money is an amount of money of at least 0, such as "3200 EUR".
var Money Type = money{}

func (money) schema(map[string]any) any {
	return map[string]any{"anyOf": []any{
		map[string]any{"type": "string", "pattern": `^(\+?` + unsigned + `|-` + zero + `)` + exponent + ` ?[A-Z]{3}$`},
		map[string]any{"enum": []any{0, "0"}},
	}}
}
