package model

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/model/units"
)

// An overlay reads an entry of a plan, a node type or a network, over an entry of
// the catalogue: a value in the file replaces that of the catalogue. An entry
// without the key catalogue must give every value that has no default.
type overlay struct {
	*reader
	at          *yamldoc.Node // the entry in the file
	name        string
	inCatalogue bool
	entry       *Entry
	source      string // of the values in the file
}

// begin makes e, a copy of the catalogue entry or empty, the entry that is read, and declares
// its title and its source.
func (o *overlay) begin(k *schema.Keys, e *Entry, title string) {
	o.entry, o.source = e, planSource
	e.Name, e.Figures = o.name, slices.Clone(e.Figures)
	for i := range e.Figures {
		e.Figures[i].Of = o.name
	}
	k.Optional("title", schema.Text.To(&e.Title), title)
	k.Optional("source", schema.Text.To(&o.source).Else(planSource), "where the figures come from; estimates if it begins with estimate")
	o.source = cmp.Or(o.source, planSource)
}

// need declares a key that must be there unless the catalogue has the value.
func (o *overlay) need(k *schema.Keys, key string, b *schema.Function, meaning string) {
	if k.Declaring() || o.inCatalogue {
		k.Optional(key, b, meaning)
	} else {
		k.Required(key, b, meaning)
	}
}

// replaced binds a key to a quantity, which becomes a figure of the entry.
func replaced[T quantity](o *overlay, of schema.Type, kind schema.Quantity[T], figure string, to *T) *schema.Function {
	return schema.Func(of, func(v *yamldoc.Node) { replace(o, v, kind, figure, to) }).Wanted(kind.Want)
}

// replace reads a quantity, if the file gives it, which becomes a figure of the entry.
func replace[T quantity](o *overlay, v *yamldoc.Node, kind schema.Quantity[T], figure string, to *T) {
	if v != nil {
		*to = kind.Read(&o.Decoder, v)
		o.entry.figure(figure, (*to).String(), o.source)
	}
}

type quantity interface {
	~float64
	fmt.Stringer
}

// price declares a price, which must be there unless the catalogue has it.
func (o *overlay) price(k *schema.Keys, key, want, figure string, to *units.Money, meaning string) {
	var v *yamldoc.Node
	o.need(k, key, schema.Node(ranged(schema.Money), &v).Wanted(want), meaning)
	if !k.Declaring() {
		*to = o.replacePrice(v, figure, *to)
	}
}

// replacePrice returns the price of an entry in the currency of the budget, whether it is the
// file's or the catalogue's.
func (o *overlay) replacePrice(v *yamldoc.Node, figure string, old units.Money) units.Money {
	at, given, source := v, old, o.source
	switch {
	case v != nil:
		given = o.amount(v)
	case o.inCatalogue:
		at, source = o.at, o.entry.Find(figure).Source
	default:
		return old // that it is missing has been said
	}
	price := o.convert(at, given)
	text := price.String()
	if given.Currency != price.Currency && given.Currency != "" {
		text = fmt.Sprintf("%v = %.6g %s", given, price.Amount, price.Currency)
	}
	o.entry.figure(figure, text, source)
	return price
}

// planSource is the source of figures of which the plan does not say more.
const planSource = "plan file"

// entries reads node types or networks by name.
func entries[T any](r *reader, n *yamldoc.Node, what string, read func(at *yamldoc.Node, name string) T) []T {
	d := r.Mapping(n, what+" by name")
	if n == nil || !n.IsMapping() {
		return nil
	}
	keys := d.Keys()
	if len(keys) == 0 || len(keys) > maxTypes {
		r.Fail(n, fmt.Sprintf("%d %s", len(keys), what), fmt.Sprintf("1 to %d", maxTypes))
		return nil
	}
	var all []T
	for _, key := range keys {
		v := d.Take(key)
		all = append(all, read(v, schema.Name.Check(&r.Decoder, v, key)))
	}
	return all
}

// index reads one of some names and returns which it is, or -1.
func (r *reader) index(n *yamldoc.Node, names []string, what string) int {
	return slices.Index(names, r.OneOf(n, names, what))
}

// names returns the names of node types or networks.
func names[T interface{ name() string }](all []T) []string {
	list := make([]string, len(all))
	for i, x := range all {
		list[i] = x.name()
	}
	return list
}
