package schema

import (
	"regexp"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/units"
)

// Quantity is a number with a unit, such as "50 us"; zero needs no unit. It says what
// a file may contain and reads it.
type Quantity[T ~float64] struct {
	of     units.Dimension[T]
	within yamldoc.Range
	// Want is what messages say was expected.
	Want string
}

// The quantities of files.
var (
	Time          = Quantity[units.Seconds]{units.Time, yamldoc.NonNegative, "a time of at least 0, such as 50 us"}
	PositiveTime  = Quantity[units.Seconds]{units.Time, yamldoc.Positive, "a time above 0, such as 260.77 ms"}
	Bandwidth     = Quantity[units.BytesPerSecond]{units.Bandwidth, yamldoc.Positive, "a bandwidth above 0, such as 100 Mbit/s or 12.5 MB/s"}
	Speed         = Quantity[units.FlopsPerSecond]{units.Speed, yamldoc.Positive, "a speed above 0, such as 36.45 Gflop/s"}
	Work          = Quantity[units.Flops]{units.Work, yamldoc.NonNegative, "an amount of work of at least 0, such as 2 Mflop"}
	Size          = Quantity[units.Bytes]{units.Size, yamldoc.NonNegative, "a size of at least 0, such as 10 kB"}
	PositiveSize  = Quantity[units.Bytes]{units.Size, yamldoc.Positive, "a size above 0, such as 4 GB or 128 MiB"}
	Power         = Quantity[units.Watts]{units.Power, yamldoc.NonNegative, "a power of at least 0, such as 350 W"}
	PositivePower = Quantity[units.Watts]{units.Power, yamldoc.Positive, "a power above 0, such as 40 kW"}
)

// Wanted returns the quantity with other words for what was expected.
func (q Quantity[T]) Wanted(want string) Quantity[T] {
	q.Want = want
	return q
}

// Read returns the value of n; 0 if n is nil or after a problem, which d records.
func (q Quantity[T]) Read(d *yamldoc.Decoder, n *yamldoc.Node) T {
	return yamldoc.Quantity(d, n, q.of.Parse, q.within, q.Want)
}

// MustParse returns the quantity of a text in the form of a file. It panics if the text
// is not one.
func (q Quantity[T]) MustParse(text string) T {
	v, err := q.of.Parse(text)
	if err != nil {
		panic("schema: " + err.Error())
	}
	return v
}

// The forms of the number of a quantity, by the grammar of model/units.
const (
	exponent = `([eE][+-]?[0-9]+)?`
	zero     = `0+(\.0+)?`
	unsigned = `[0-9]+(\.[0-9]+)?`
	positive = `([0-9]*[1-9][0-9]*(\.[0-9]+)?|0+\.[0-9]*[1-9][0-9]*)`
)

// pattern is the regular expression of the quantity with its unit.
func (q Quantity[T]) pattern() string {
	symbols := each.Append(nil, q.of.Symbols(), regexp.QuoteMeta)
	number := `[+-]?` + unsigned
	switch q.within {
	case yamldoc.Positive:
		number = `\+?` + positive
	case yamldoc.NonNegative:
		number = `(\+?` + unsigned + `|-` + zero + `)`
	}
	return `^` + number + exponent + ` ?(` + strings.Join(symbols, "|") + `)$`
}

func (q Quantity[T]) schema(map[string]any) any {
	s := map[string]any{"type": "string", "pattern": q.pattern()}
	if q.within == yamldoc.Positive {
		return s
	}
	return map[string]any{"anyOf": []any{s, map[string]any{"enum": []any{0, "0"}}}}
}

// quantity is a [Quantity] of any dimension.
type quantity interface {
	takes(text string) bool
}

// Words names the quantity and its range, for tables.
func (q Quantity[T]) Words() string {
	switch q.within {
	case yamldoc.Positive:
		return q.of.Name() + ", above 0"
	case yamldoc.NonNegative:
		return q.of.Name() + ", at least 0"
	}
	return q.of.Name()
}

// takes reports whether a text is a value of the quantity.
func (q Quantity[T]) takes(text string) bool {
	ok, err := regexp.MatchString(q.pattern(), text)
	return ok && err == nil
}
