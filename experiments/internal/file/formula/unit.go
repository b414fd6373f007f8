package formula

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/isoscale/isoscale/model/units"
)

// dimensions are the quantities of package units, and energy, with what reads them.
var dimensions = []dimension{
	dimensionOf(units.Time), dimensionOf(units.Size), dimensionOf(units.Bandwidth),
	dimensionOf(units.Work), dimensionOf(units.Speed), dimensionOf(units.Power),
	{"quantity of energy", slices.Sorted(maps.Keys(joules)), ParseEnergy, nil},
}

// joules are the units of energy, which package units does not have.
var joules = map[string]float64{
	"J": 1, "kJ": 1e3, "MJ": 1e6, "GJ": 1e9,
	"Wh": 3600, "kWh": 3.6e6, "MWh": 3.6e9,
}

// ParseEnergy reads an energy with its unit, in J.
func ParseEnergy(text string) (float64, error) {
	number, unit, _ := strings.Cut(text, " ")
	factor, ok := joules[strings.TrimSpace(unit)]
	if !ok {
		return 0, fmt.Errorf("unknown unit %.40q of energy; expected J, kJ, MJ, GJ, Wh, kWh or MWh", unit)
	}
	v, err := strconv.ParseFloat(number, 64)
	if err != nil || strings.ContainsAny(number, "xX_pPiInN") {
		return 0, fmt.Errorf("%.40q is not a number", number)
	}
	return v * factor, nil
}

type dimension struct {
	name    string
	symbols []string
	parse   func(text string) (float64, error)
	print   func(value float64) string
}

func dimensionOf[T interface {
	~float64
	String() string
}](d units.Dimension[T]) dimension {
	return dimension{d.Name(), d.Symbols(), func(text string) (float64, error) {
		v, err := d.Parse(text)
		return float64(v), err
	}, func(value float64) string { return T(value).String() }}
}

// base returns how many base units of the dimension a unit is.
func (d *dimension) base(symbol string) float64 {
	v, _ := d.parse("1 " + symbol)
	return v
}

// bySymbol has the dimension of each unit.
var bySymbol = sync.OnceValue(func() map[string]*dimension {
	all := map[string]*dimension{}
	for i := range dimensions {
		for _, s := range dimensions[i].symbols {
			all[s] = &dimensions[i]
		}
	}
	return all
})

func isUnit(symbol string) bool { return bySymbol()[symbol] != nil }

// Quantity reads a number with a unit and returns its value in base units and what it
// measures, "" for any other text.
func Quantity(text string) (value float64, dimension string) {
	for _, d := range dimensions {
		if v, err := d.parse(text); err == nil && text != "0" {
			return v, d.name
		}
	}
	return 0, ""
}

// Base returns a number of a unit in base units, with the rounding of their text when it is
// read, and whether there is such a unit.
func Base(number float64, unit string) (value float64, ok bool) {
	d := bySymbol()[unit]
	if d == nil {
		return 0, false
	}
	value, err := d.parse(strconv.FormatFloat(number, 'e', -1, 64) + " " + unit)
	return value, err == nil
}

// Dimension returns what a unit measures, such as "time"; "" for plain numbers and for
// units that are not those of package units.
func Dimension(unit string) string {
	if d := bySymbol()[unit]; d != nil {
		return d.name
	}
	return ""
}

// Parse reads a quantity of the dimension of a unit, in base units. REQUIRES: the unit has one.
func Parse(text, unit string) (float64, error) { return bySymbol()[unit].parse(text) }

// Text writes a number in a base unit as package units does; ok is false for other units.
func Text(value float64, unit string) (text string, ok bool) {
	if d := bySymbol()[unit]; d != nil && d.print != nil && d.base(unit) == 1 {
		return d.print(value), true
	}
	return "", false
}

// Plain is the unit of names that stand for numbers without one.
const Plain = "1"

// various is the unit of a product of two units.
const various = "?"

// measure is what a number is measured in. A name may have any unit, and numbers with a unit
// that stand beside it in the text are converted to it. All others are in base units.
type measure struct {
	unit  string // "" if anything may be meant
	named bool   // the unit is that of a name, and no base unit
}

func (m measure) isPlain() bool { return m.unit == "" || m.unit == Plain }

// beside returns the measure of two operands that must agree: that of a name, if there is one.
func beside(a, b measure) measure {
	if b.named && (!a.named || a.unit == Plain) || a.unit == "" {
		return b
	}
	return a
}

func (c *Compiler) measure(n *Node) measure {
	switch n.Kind {
	case Literal:
		return measure{n.Unit, false}
	case Name:
		m, _ := c.scope.Lookup(n.Text)
		d := bySymbol()[m.Unit]
		return measure{m.Unit, m.Unit != "" && (d == nil || d.base(m.Unit) != 1)}
	case Conditional:
		return c.measureAll(n.Args[1:])
	case Call:
		if functionOf(n.Text) != nil {
			return derived(c.measureAll(n.Args), !linear[n.Text])
		}
	case Operation:
		switch n.Text {
		case "*", "/":
			return product(c.measure(n.Args[0]), c.measure(n.Args[1]), n.Text == "/")
		case "^":
			return derived(c.measure(n.Args[0]), true)
		}
		return c.measureAll(n.Args)
	}
	return measure{}
}

func (c *Compiler) measureAll(nodes []*Node) measure {
	var all measure
	for _, n := range nodes {
		all = beside(all, c.measure(n))
	}
	return all
}

// linear are the functions whose value has the unit of their arguments.
var linear = map[string]bool{"abs": true, "ceil": true, "floor": true, "max": true, "min": true, "mod": true, "round": true}

// derived returns the measure of a value that is computed from one of measure m.
func derived(m measure, another bool) measure {
	if another && !m.isPlain() {
		return measure{various, m.named}
	}
	return m
}

func product(a, b measure, divided bool) measure {
	switch {
	case b.isPlain():
		return beside(a, b)
	case a.isPlain() && !divided:
		return b
	case divided && Dimension(a.unit) != "" && Dimension(a.unit) == Dimension(b.unit) && (a.unit == b.unit || !a.named || !b.named):
		return measure{Plain, false}
	}
	return measure{various, a.named && !a.isPlain() || b.named}
}

// product compiles a product, a quotient or a power. Numbers with a unit in it are in base
// units, unless a name beside them has another one.
func (c *Compiler) product(n *Node) {
	before, m, left := c.in, c.measure(n), c.measure(n.Args[0])
	switch right := c.measure(n.Args[1]); {
	case m.named && m.unit == various && hasUnit(n):
		c.Fail(n, "a product of a number with a unit and a name with another unit", "numbers without a unit, in the units of the names")
	case before.named && before.unit != Plain && m.unit == various && !m.named:
		c.Fail(n, "this is in base units, but the value next to it is in "+before.unit, "one number with a unit, such as 2 us")
	case n.Text == "/" && m.unit == Plain && !right.isPlain():
		c.in = beside(left, right)
	case Dimension(m.unit) == "":
		c.in = measure{}
	}
	c.Number(n.Args[0])
	if op, ok := smallPower(n); ok {
		c.Emit(n, Step{Op: op}, 0)
	} else {
		c.Number(n.Args[1])
		c.Emit(n, Step{Op: arithmetic[n.Text]}, -1)
	}
	c.in = before
}

func hasUnit(n *Node) bool { return n.Unit != "" || slices.ContainsFunc(n.Args, hasUnit) }

// literal returns the value of a number in the measure of what stands beside it.
func (c *Compiler) literal(n *Node) float64 {
	if n.Unit == "" {
		return n.Value
	}
	want, d := c.in, bySymbol()[n.Unit]
	text := n.Text + " " + n.Unit
	switch {
	case want.named && want.unit == n.Unit:
		return n.Value
	case d == nil:
		c.Fail(n, notAUnit(text, n.Unit), "a unit such as 8 GB/s, or an operator after the number as in 2*n")
		return 0
	case want.named && want.unit == various:
		c.Fail(n, text+" has a unit next to a product of units", "a plain number")
		return 0
	case want.unit != "" && want.unit != various && Dimension(want.unit) != d.name:
		beside := "the value next to it is in " + want.unit
		if want.unit == Plain {
			beside = "the value next to it is a plain number"
		}
		c.Fail(n, fmt.Sprintf("%s is a %s, but %s", text, d.name, beside), "quantities of one kind, or a number without a unit")
		return 0
	}
	v, err := d.parse(text)
	if err != nil {
		c.Fail(n, err.Error(), "")
		return 0
	}
	if !want.named {
		return v
	}
	return withoutRounding(v / d.base(want.unit))
}

// notAUnit says that a unit is unknown, and which one may be meant.
func notAUnit(text, unit string) string {
	for _, d := range dimensions {
		_, err := d.parse(text)
		if e, ok := err.(*units.ParseError); ok && strings.Contains(e.Reason, "perhaps") {
			return e.Reason
		}
	}
	return strconv.Quote(unit) + " is not a unit"
}

// withoutRounding returns a quotient of units without its rounding errors, if it has at most
// 10 digits apart from them: 100 for 100.00000000000001.
func withoutRounding(x float64) float64 {
	rounded := func(digits int) float64 {
		v, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', digits, 64), 64)
		if err != nil { // rounded up beyond the largest float64
			return x
		}
		return v
	}
	if r := rounded(12); r == rounded(10) {
		return r
	}
	return x
}
