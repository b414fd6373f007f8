package units

import "fmt"

// ParseError tells why a text is not the quantity that was asked for.
type ParseError struct {
	Text     string // the text as given
	Quantity string // what was asked for: "time", "size", "bandwidth", "work", "speed", "power" or "money"
	Reason   string // what is wrong with the text
	Example  string // a text that would have been accepted
}

// Error quotes the text, says what is wrong with it and what was expected.
func (e *ParseError) Error() string {
	return fmt.Sprintf("%s %q: %s; expected a number with a unit such as %q",
		e.Quantity, e.Text, e.Reason, e.Example)
}

// Reasons that the parsers of plain quantities and of money share.
const (
	reasonNoNumber = "it does not begin with a decimal number"
	reasonTooLarge = "the value is too large"
)
