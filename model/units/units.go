package units

import (
	"fmt"
	"strconv"
	"strings"
)

// Seconds is a time in seconds.
type Seconds float64

// Bytes is an amount of data in bytes.
type Bytes float64

// BytesPerSecond is a bandwidth in bytes per second.
type BytesPerSecond float64

// Flops is an amount of work in floating point operations (flop).
type Flops float64

// FlopsPerSecond is a computing speed in floating point operations per second
// (flop/s).
type FlopsPerSecond float64

// Watts is an electrical power in watts.
type Watts float64

// Money is an amount in one currency, which is named by three upper case
// letters such as "EUR". An empty Currency is meaningful only with Amount 0,
// which is nothing in any currency.
type Money struct {
	Amount   float64
	Currency string
}

// String prints the time with the prefix that suits it: "260.77 ms". There is
// no prefix above the second: an hour is "3600 s".
func (t Seconds) String() string { return format(float64(t), timeLadder, "s") }

// String prints the size with a decimal prefix: "1.5 GB".
func (b Bytes) String() string { return format(float64(b), byteLadder, "B") }

// Binary prints the size with a binary prefix: "128 MiB".
func (b Bytes) Binary() string { return format(float64(b), binaryLadder, "B") }

// String prints the bandwidth in bytes with a decimal prefix: "12.5 MB/s".
func (r BytesPerSecond) String() string { return format(float64(r), byteRateLadder, "B/s") }

// Bits prints the bandwidth in bits with a decimal prefix: "100 Mbit/s".
func (r BytesPerSecond) Bits() string { return format(float64(r), bitRateLadder, "bit/s") }

// String prints the work with a decimal prefix: "2.5 Gflop".
func (w Flops) String() string { return format(float64(w), workLadder, "flop") }

// String prints the speed with a decimal prefix: "36.45 Mflop/s".
func (s FlopsPerSecond) String() string { return format(float64(s), speedLadder, "flop/s") }

// String prints the power in W, kW or MW: "1.2 kW".
func (p Watts) String() string { return format(float64(p), powerLadder, "W") }

// Amounts to count with: 50 * Microsecond, 1.5 * GB, 128 * KiB, 20 * Gflop. A
// bandwidth or a speed is such an amount in each second: 12.5 * GB.PerSecond().
const (
	Nanosecond  Seconds = 1e-9
	Microsecond Seconds = 1e-6
	Millisecond Seconds = 1e-3

	KB  Bytes = 1e3 // kB in text
	MB  Bytes = 1e6
	GB  Bytes = 1e9
	KiB Bytes = 1 << 10
	MiB Bytes = 1 << 20
	GiB Bytes = 1 << 30

	Mflop Flops = 1e6
	Gflop Flops = 1e9
	Tflop Flops = 1e12
)

// Over returns how long b takes at a bandwidth r, b/r. If r is 0, it is +Inf, or NaN
// for 0 bytes.
func (b Bytes) Over(r BytesPerSecond) Seconds { return Seconds(float64(b) / float64(r)) }

// PerSecond returns the bandwidth of b in each second.
func (b Bytes) PerSecond() BytesPerSecond { return BytesPerSecond(b) }

// At returns how long w takes at a speed s, w/s. If s is 0, it is +Inf, or NaN for no
// work.
func (w Flops) At(s FlopsPerSecond) Seconds { return Seconds(float64(w) / float64(s)) }

// PerSecond returns the speed of w in each second.
func (w Flops) PerSecond() FlopsPerSecond { return FlopsPerSecond(w) }

// ParseError tells why a text is not the quantity that was asked for.
type ParseError struct {
	Text     string // the text as given
	Quantity string // what was asked for: "time", "size", "bandwidth", "work", "speed", "power" or "money"
	Reason   string // what is wrong with the text
	Example  string // a text that would have been accepted; empty where the reader says what was expected
}

// Error quotes the text, says what is wrong with it and what was expected.
func (e *ParseError) Error() string {
	text := fmt.Sprintf("%s %q: %s", e.Quantity, e.Text, e.Reason)
	if e.Example != "" {
		text += fmt.Sprintf("; expected a number with a unit such as %q", e.Example)
	}
	return text
}

// Reasons that the parsers of plain quantities and of money share.
const (
	reasonNoNumber = "it does not begin with a decimal number"
	reasonTooLarge = "the value is too large"
)

// A Dimension is a kind of quantity, whose values have type T, with the units in
// which it may be written.
type Dimension[T ~float64] struct{ of *dimension }

// The dimensions.
var (
	Time      = Dimension[Seconds]{&timeDimension}
	Size      = Dimension[Bytes]{&sizeDimension}
	Bandwidth = Dimension[BytesPerSecond]{&bandwidthDimension}
	Work      = Dimension[Flops]{&workDimension}
	Speed     = Dimension[FlopsPerSecond]{&speedDimension}
	Power     = Dimension[Watts]{&powerDimension}
)

// Parse reads a number with a unit of the dimension: a time such as "50 us", a size
// such as "64 MiB", "1.5 GB" or "8 Mbit", a bandwidth such as "100 Mbit/s" or
// "12.5 MB/s", an amount of work such as "2.5 Gflop", a speed such as "36.45 Mflop/s",
// a power such as "350 W".
func (d Dimension[T]) Parse(text string) (T, error) {
	value, err := d.of.parse(text)
	return T(value), err
}

// Symbols returns the units as they are written: "s", "ms", ...
func (d Dimension[T]) Symbols() []string {
	symbols := make([]string, len(d.of.units))
	for i, u := range d.of.units {
		symbols[i] = u.symbol
	}
	return symbols
}

// Name returns what the quantity is called in messages: "time".
func (d Dimension[T]) Name() string { return d.of.name }

// ParseMoney reads an amount of money such as "3200 EUR". The text "0" gives the zero
// Money, without a currency.
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
	case len(currency) != 3 || strings.Trim(currency, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "":
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
