package yamldoc

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/units"
)

// Decoder turns nodes into Go values and collects the problems it meets. The
// zero value is ready for use.
//
// Every method takes a nil node for an absent value and then returns the zero
// value silently: [Mapping.Require] reports keys that must not be absent. After a
// problem a method returns the zero value too. The caller continues, so that one
// run reports everything, and calls Err at the end. A want is what was expected,
// as a noun phrase: "a time such as 50 us".
type Decoder struct {
	problems Problems
}

// Fail records a problem with n. A nil n gives a problem without a position.
func (d *Decoder) Fail(n *Node, msg, want string) {
	d.failAt(n.Pos(), n.Path(), msg, want)
}

func (d *Decoder) failAt(pos Position, path, msg, want string) {
	d.problems = append(d.problems, &Error{Pos: pos, Path: path, Msg: msg, Want: want})
}

// Include records problems that another reader has found, at their own places.
func (d *Decoder) Include(more Problems) { d.problems = append(d.problems, more...) }

// mismatch records that n is not what was wanted.
func (d *Decoder) mismatch(n *Node, hint, want string) {
	msg := "found " + describe(n)
	if hint != "" {
		msg += ", " + hint
	}
	d.Fail(n, msg, want)
}

// Err returns nil, or the Problems so far, sorted by position.
func (d *Decoder) Err() error { return d.problems.err() }

// ErrIn is Err for the problems with some values, and with what is in them, alone.
func (d *Decoder) ErrIn(values []*Node) error {
	in := func(p *Error) bool {
		return slices.ContainsFunc(values, func(n *Node) bool {
			rest, ok := strings.CutPrefix(p.Path, n.Path())
			return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
		})
	}
	return slices.DeleteFunc(slices.Clone(d.problems), func(p *Error) bool { return !in(p) }).err()
}

// ProblemCount returns how many problems there are so far.
func (d *Decoder) ProblemCount() int { return len(d.problems) }

// Sequence returns the elements of a sequence. What names the thing that the
// sequence holds: "systems".
func (d *Decoder) Sequence(n *Node, what string) []*Node {
	if n == nil {
		return nil
	}
	if n.kind != sequence {
		d.mismatch(n, "", "a sequence of "+what)
		return nil
	}
	return each.Of(n.entries, func(e entry) *Node { return e.value })
}

// scalar reports whether n is a scalar. Anything else that is present is a problem.
func (d *Decoder) scalar(n *Node, want string) bool {
	if n != nil && n.kind != scalar {
		d.mismatch(n, "", want)
	}
	return n.IsScalar()
}

// String returns the text of any scalar as written; a null is a problem.
func (d *Decoder) String(n *Node, want string) string {
	if !d.scalar(n, want) {
		return ""
	}
	return n.text
}

// Int returns an integer from min to max, both included. It must be written
// in decimal digits without quotes: 1e3, 10.0 and 1_000 are rejected with a hint.
// An empty want becomes "an integer from min to max".
func (d *Decoder) Int(n *Node, min, max int, want string) int {
	if want == "" {
		want = intRange(min, max)
	}
	if !d.scalar(n, want) {
		return 0
	}
	i, whole, err := n.integer()
	if !whole {
		d.mismatch(n, integerHint(n), want)
		return 0
	}
	switch {
	case i < min:
		// Atoi returns the nearest int if the text is out of range.
		d.Fail(n, fmt.Sprintf("%s is less than %d", Clip(n.text), min), want)
	case i > max:
		d.Fail(n, fmt.Sprintf("%s is more than %d", Clip(n.text), max), want)
	case err != nil:
		d.Fail(n, fmt.Sprintf("%s does not fit in %d bits", Clip(n.text), strconv.IntSize), want)
	default:
		return i
	}
	return 0
}

// integer reads a whole number, if the node is one; err says that it does not fit in an
// int, and i is then the nearest int.
func (n *Node) integer() (i int, whole bool, err error) {
	if n == nil || n.kind != scalar || n.quoted || !isInteger(n.text) {
		return 0, false, nil
	}
	i, err = strconv.Atoi(n.text)
	return i, true, err
}

// IntWithin returns a whole number from min to max; ok is false for all else, and
// [Decoder.Int] then says what is wrong. So only problems need the words for what was expected.
func (n *Node) IntWithin(min, max int) (i int, ok bool) {
	i, whole, err := n.integer()
	return i, whole && err == nil && min <= i && i <= max
}

// FloatWithin returns a number that is in a range; ok is false for all else, and
// [Decoder.Float] then says what is wrong.
func (n *Node) FloatWithin(in func(float64) bool) (f float64, ok bool) {
	f, number, err := n.float()
	return f, number && err == nil && in(f)
}

// float reads a number, if the node is one; err says that it is beyond a float64.
func (n *Node) float() (f float64, number bool, err error) {
	if n == nil || n.kind != scalar || n.quoted || !isFloat(n.text) {
		return 0, false, nil
	}
	f, err = strconv.ParseFloat(n.text, 64)
	return f, true, err
}

func intRange(min, max int) string {
	switch {
	case min == math.MinInt && max == math.MaxInt:
		return "an integer"
	case max == math.MaxInt:
		return fmt.Sprintf("an integer of at least %d", min)
	case min == math.MinInt:
		return fmt.Sprintf("an integer of at most %d", max)
	}
	return fmt.Sprintf("an integer from %d to %d", min, max)
}

// Float returns a finite number for which ok holds; a nil ok accepts all. The
// number must be written in decimal without quotes.
func (d *Decoder) Float(n *Node, want string, ok func(float64) bool) float64 {
	if n == nil {
		return 0
	}
	f, number, err := n.float()
	if !number {
		hint := ""
		if n.quoted && isFloat(n.text) {
			hint = "write it without quotes"
		}
		d.mismatch(n, hint, want)
		return 0
	}
	if err != nil || ok != nil && !ok(f) { // the syntax is checked: only the range is left
		d.Fail(n, Clip(n.text)+" is out of range", want)
		return 0
	}
	return f
}

func (d *Decoder) Bool(n *Node) bool {
	if n == nil {
		return false
	}
	if b, ok := n.Plain().(bool); ok {
		return b
	}
	hint := ""
	switch strings.ToLower(n.text) {
	case "yes", "on", "y", "true":
		hint = "write true"
	case "no", "off", "n", "false":
		hint = "write false"
	}
	d.mismatch(n, hint, "true or false")
	return false
}

// OneOf returns the text of n, which must be one of the known names. What
// names the kind of thing: "workload". After a problem it returns "".
func (d *Decoder) OneOf(n *Node, known []string, what string) string {
	switch {
	case n == nil:
	case n.kind != scalar:
		d.mismatch(n, "", "the name of a "+what+": "+oneOf(known))
	case slices.Contains(known, n.text):
		return n.text
	default:
		d.Fail(n, "unknown "+what+" "+quote(n.text), suggest(n.text, known))
	}
	return ""
}

// Range is the set of finite values that a quantity may have.
type Range uint8

const (
	Any         Range = iota // every finite value
	NonNegative              // zero and above
	Positive                 // above zero
)

// Quantity reads a number with a unit, such as "50 us", with one of the
// parsers of model/units. The parser sees the text as written, in quotes or not.
// NaN and infinities are always rejected.
func Quantity[T ~float64](d *Decoder, n *Node, parse func(string) (T, error), r Range, want string) T {
	if !d.scalar(n, want) {
		return 0
	}
	v, err := parse(n.text)
	if err != nil {
		if bad, ok := errors.AsType[*units.ParseError](err); ok && want != "" {
			bad.Example = "" // want says better what was expected
		}
		d.problems = append(d.problems, &Error{Pos: n.pos, Path: n.Path(), Msg: err.Error(), Want: want, cause: err})
		return 0
	}
	if err := r.check(float64(v)); err != nil {
		d.Fail(n, Clip(n.text)+" is "+err.Error(), want)
		return 0
	}
	return v
}

func (r Range) check(v float64) error {
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return errors.New("not a finite number")
	case r != Any && v < 0:
		return errors.New("negative")
	case r == Positive && v == 0:
		return errors.New("zero")
	}
	return nil
}
