package schema

import (
	"regexp"
	"strings"

	"github.com/isoscale/isoscale/experiments/yamldoc"
	"github.com/isoscale/isoscale/model/units"
)

// Quantity is a number with a unit, such as "50 us"; zero may stand without.
type Quantity struct {
	Of    units.Dimension
	Range yamldoc.Range
}

// The quantities of files.
var (
	Time      = Quantity{units.Time, yamldoc.NonNegative}
	Bandwidth = Quantity{units.Bandwidth, yamldoc.Positive}
	Speed     = Quantity{units.Speed, yamldoc.Positive}
	Work      = Quantity{units.Work, yamldoc.NonNegative}
	Size      = Quantity{units.Size, yamldoc.NonNegative}
	Power     = Quantity{units.Power, yamldoc.NonNegative}
)

// The forms of the number of a quantity, by the grammar of model/units.
const (
	exponent = `([eE][+-]?[0-9]+)?`
	zero     = `0+(\.0+)?`
	unsigned = `[0-9]+(\.[0-9]+)?`
	positive = `([0-9]*[1-9][0-9]*(\.[0-9]+)?|0+\.[0-9]*[1-9][0-9]*)`
)

// pattern is the regular expression of the quantity with its unit.
func (q Quantity) pattern() string {
	var symbols []string
	for _, s := range q.Of.Symbols() {
		symbols = append(symbols, regexp.QuoteMeta(s))
	}
	number := `[+-]?` + unsigned
	switch q.Range {
	case yamldoc.Positive:
		number = `\+?` + positive
	case yamldoc.NonNegative:
		number = `(\+?` + unsigned + `|-` + zero + `)`
	}
	return `^` + number + exponent + ` ?(` + strings.Join(symbols, "|") + `)$`
}

func (q Quantity) schema(map[string]any) any {
	s := map[string]any{"type": "string", "pattern": q.pattern()}
	if q.Range == yamldoc.Positive {
		return s
	}
	return map[string]any{"anyOf": []any{s, map[string]any{"enum": []any{0, "0"}}}}
}

func (q Quantity) takes(text string) bool {
	ok, err := regexp.MatchString(q.pattern(), text)
	return ok && err == nil
}
