package units

import (
	"fmt"
	"regexp"
	"strconv"
)

var currencyPattern = regexp.MustCompile(`^[A-Z]{3}$`)

// ParseMoney reads an amount of money such as "3200 EUR". The text "0" is no
// money in any currency: its Currency is empty.
func ParseMoney(text string) (Money, error) {
	fail := func(reason string) (Money, error) {
		return Money{}, &ParseError{Text: text, Quantity: "money", Reason: reason, Example: "3200 EUR"}
	}
	if text == "0" {
		return Money{}, nil
	}
	number, currency, ok := split(text)
	switch {
	case !ok:
		return fail(reasonNoNumber)
	case currency == "":
		return fail("the currency is missing")
	case !currencyPattern.MatchString(currency):
		return fail(fmt.Sprintf("%q is not a currency of three upper case letters", currency))
	}
	amount, err := number.timesPowerOfTen(0)
	if err != nil {
		return fail(reasonTooLarge)
	}
	return Money{Amount: amount, Currency: currency}, nil
}

// String prints the amount with all its digits and the currency: "3200 EUR".
func (m Money) String() string {
	amount := strconv.FormatFloat(m.Amount, 'f', -1, 64)
	if m.Currency == "" {
		return amount
	}
	return amount + " " + m.Currency
}
