package schema

import (
	"cmp"
	"fmt"
	"strconv"

	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
)

// Value is a type of values that are read into a T.
type Value[T any] interface {
	declared() Type
	// want is what messages say was expected; "": the meaning of the key.
	want() string
	// read reads n, which is not nil, into x. After a problem, which d records, x is 0.
	read(d *yamldoc.Decoder, n *yamldoc.Node, x *T, meaning string)
	// text writes a value in the form of a file; "" for what has no short form.
	text(x T) string
}

// Bound is what a key is bound to: a [Variable], or a function.
type Bound interface {
	declare(f *Field)
	wanted() string
	take(d *yamldoc.Decoder, n *yamldoc.Node, meaning string)
	noted() string
}

// Variable is what a key is read into.
type Variable[T any] struct {
	Value[T]
	to     *T
	given  bool            // the variable has its default
	words  string          // the default in words
	expect string          // what messages say is missing, if it is not what the type wants
	beside func(Type) Type // see As; nil: the type is that of the value
}

// To binds a key to a variable that takes a type of value.
func To[T any](v Value[T], to *T) *Variable[T] { return &Variable[T]{Value: v, to: to} }

// Or gives the variable its value for a key that is absent.
func (v *Variable[T]) Or(otherwise T) *Variable[T] {
	*v.to, v.given = otherwise, true
	return v
}

// Else says in words which value the variable has if the key is absent.
func (v *Variable[T]) Else(words string) *Variable[T] {
	v.words = words
	return v
}

// As declares a type that allows more than the value of the variable, such as a range beside
// it. Whoever declares it takes that off before the value is read.
func (v *Variable[T]) As(more func(Type) Type) *Variable[T] {
	v.beside = more
	return v
}

// Wanted says what messages expect where a key is missing, if it is not what its type wants.
func (v *Variable[T]) Wanted(want string) *Variable[T] {
	v.expect = want
	return v
}

func (v *Variable[T]) declare(f *Field) {
	f.Type, f.Default = v.declared(), v.words
	if v.beside != nil {
		f.Type = v.beside(f.Type)
	}
	if v.given && v.words == "" {
		f.Default = v.text(*v.to)
	}
}

func (v *Variable[T]) take(d *yamldoc.Decoder, n *yamldoc.Node, meaning string) {
	v.read(d, n, v.to, meaning)
}

func (v *Variable[T]) wanted() string { return cmp.Or(v.expect, v.want()) }
func (v *Variable[T]) noted() string  { return v.text(*v.to) }

// Function reads a key in its own way.
type Function struct {
	of          Type
	expected    string
	words       string
	readPresent func(n *yamldoc.Node)
}

// Func binds a key to a function, which is called if the key is there.
func Func(of Type, read func(n *yamldoc.Node)) *Function { return &Function{of: of, readPresent: read} }

// Node binds a key to its node, to be read when more is known.
func Node(of Type, to **yamldoc.Node) *Function {
	return Func(of, func(n *yamldoc.Node) { *to = n })
}

// Else says in words what holds if the key is absent.
func (f *Function) Else(words string) *Function {
	f.words = words
	return f
}

// Wanted says what messages expect where a key is missing, if it is not its meaning.
func (f *Function) Wanted(want string) *Function {
	f.expected = want
	return f
}

func (f *Function) declare(x *Field)                                   { x.Type, x.Default = f.of, f.words }
func (f *Function) wanted() string                                     { return f.expected }
func (f *Function) take(_ *yamldoc.Decoder, n *yamldoc.Node, _ string) { f.readPresent(n) }
func (f *Function) noted() string                                      { return "" }

// To binds a key to a variable.
func (q *Quantity[T]) To(x *T) *Variable[T] { return &Variable[T]{Value: q, to: x} }

func (q *Quantity[T]) declared() Type  { return *q }
func (q *Quantity[T]) want() string    { return q.Want }
func (q *Quantity[T]) text(x T) string { return any(x).(fmt.Stringer).String() }
func (q *Quantity[T]) read(d *yamldoc.Decoder, n *yamldoc.Node, x *T, _ string) {
	*x = q.Read(d, n)
}

func (t Integer) To(x *int) *Variable[int] { return &Variable[int]{Value: t, to: x} }

func (t Integer) declared() Type    { return t }
func (t Integer) want() string      { return t.Want }
func (t Integer) text(x int) string { return strconv.Itoa(x) }
func (t Integer) read(d *yamldoc.Decoder, n *yamldoc.Node, x *int, _ string) {
	*x = t.Read(d, n)
}

// Read returns the value of n; 0 if n is nil or after a problem, which d records.
func (t Integer) Read(d *yamldoc.Decoder, n *yamldoc.Node) int {
	if i, ok := n.IntWithin(t.Min, t.Max); ok {
		return i
	}
	return d.Int(n, t.Min, t.Max, cmp.Or(t.Want, "a "+Words(t)))
}

// Wanted returns the type with other words for what was expected.
func (t Integer) Wanted(want string) Integer {
	t.Want = want
	return t
}

func (t Number) To(x *float64) *Variable[float64] { return &Variable[float64]{Value: t, to: x} }

func (t Number) declared() Type        { return t }
func (t Number) want() string          { return t.Want }
func (t Number) text(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }
func (t Number) read(d *yamldoc.Decoder, n *yamldoc.Node, x *float64, _ string) {
	*x = t.Read(d, n)
}

// Read is as for [Integer].
func (t Number) Read(d *yamldoc.Decoder, n *yamldoc.Node) float64 {
	if f, ok := n.FloatWithin(t.In); ok {
		return f
	}
	return d.Float(n, cmp.Or(t.Want, "a "+Words(t)), t.In)
}

// Wanted returns the type with other words for what was expected.
func (t Number) Wanted(want string) Number {
	t.Want = want
	return t
}

func (t boolean) To(x *bool) *Variable[bool] { return &Variable[bool]{Value: t, to: x} }

func (t boolean) declared() Type     { return t }
func (t boolean) want() string       { return "true or false" }
func (t boolean) text(x bool) string { return strconv.FormatBool(x) }
func (t boolean) read(d *yamldoc.Decoder, n *yamldoc.Node, x *bool, _ string) {
	*x = d.Bool(n)
}

func (t text) To(x *string) *Variable[string] { return &Variable[string]{Value: t, to: x} }

func (t text) declared() Type       { return t }
func (t text) want() string         { return "" }
func (t text) text(x string) string { return x }
func (t text) read(d *yamldoc.Decoder, n *yamldoc.Node, x *string, meaning string) {
	*x = d.String(n, meaning)
}

func (t name) To(x *string) *Variable[string] { return &Variable[string]{Value: t, to: x} }

func (t name) declared() Type       { return t }
func (t name) want() string         { return WantName }
func (t name) text(x string) string { return x }
func (t name) read(d *yamldoc.Decoder, n *yamldoc.Node, x *string, _ string) {
	*x = t.Read(d, n)
}

// choice is one of some names.
type choice[T ~string] struct {
	of   []string
	kind string
}

// Choice binds a key to a variable that takes one of some names. Kind names the kind of
// thing for messages: "policy".
func Choice[T ~string](x *T, kind string, of []string) *Variable[T] {
	return &Variable[T]{Value: choice[T]{of, kind}, to: x}
}

func (c choice[T]) declared() Type  { return OneOf(c.of) }
func (c choice[T]) want() string    { return "" }
func (c choice[T]) text(x T) string { return string(x) }
func (c choice[T]) read(d *yamldoc.Decoder, n *yamldoc.Node, x *T, _ string) {
	*x = T(d.OneOf(n, c.of, c.kind))
}

// pointer is a value that may be absent.
type pointer[T any] struct{ Value[T] }

// Pointer binds a key to a pointer, which is nil if the key is absent.
func Pointer[T any](of Value[T], x **T) *Variable[*T] {
	return &Variable[*T]{Value: pointer[T]{of}, to: x}
}

func (p pointer[T]) text(*T) string { return "" }
func (p pointer[T]) read(d *yamldoc.Decoder, n *yamldoc.Node, x **T, meaning string) {
	*x = new(T)
	p.Value.read(d, n, *x, meaning)
}

// ListOf is a list of values.
type ListOf[T any] struct {
	Of       Value[T]
	What     string // what the values are, for messages: "kinds of job"
	Min, Max int    // numbers of values; Max 0: any
}

func (l ListOf[T]) To(x *[]T) *Variable[[]T] { return &Variable[[]T]{Value: l, to: x} }

func (l ListOf[T]) declared() Type  { return List{l.Of.declared(), l.Min, l.Max} }
func (l ListOf[T]) want() string    { return "a list of " + l.What }
func (l ListOf[T]) text([]T) string { return "" }
func (l ListOf[T]) read(d *yamldoc.Decoder, n *yamldoc.Node, x *[]T, meaning string) {
	items := d.Sequence(n, l.What)
	switch {
	case !n.IsSequence():
	case len(items) == 0 && l.Min == 1:
		d.Fail(n, "no "+l.What, "at least one")
	case len(items) < l.Min:
		d.Fail(n, fmt.Sprintf("%d %s", len(items), l.What), fmt.Sprintf("at least %d", l.Min))
	case l.Max > 0 && len(items) > l.Max:
		d.Fail(n, fmt.Sprintf("%d %s", len(items), l.What), fmt.Sprintf("at most %d", l.Max))
		return
	}
	list := make([]T, len(items))
	for i, item := range items {
		l.Of.read(d, item, &list[i], meaning)
	}
	*x = list
}

// custom is a value that a function reads.
type custom[T any] struct {
	of   Type
	with func(d *yamldoc.Decoder, n *yamldoc.Node) T
}

// Custom returns a value that a function reads.
func Custom[T any](of Type, read func(d *yamldoc.Decoder, n *yamldoc.Node) T) Value[T] {
	return custom[T]{of, read}
}

func (c custom[T]) declared() Type { return c.of }
func (c custom[T]) want() string   { return "" }
func (c custom[T]) text(T) string  { return "" }
func (c custom[T]) read(d *yamldoc.Decoder, n *yamldoc.Node, x *T, _ string) {
	*x = c.with(d, n)
}
