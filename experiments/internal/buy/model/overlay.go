package model

import (
	"fmt"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/file/schema"
	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/model/units"
)

// An overlay reads an entry of a plan, a node type or a network, over an entry of
// the catalogue: a value in the file replaces that of the catalogue. An entry
// without the key catalogue must give every value that has no default.
//
// Call base first, then begin, then the methods that read values.
type overlay struct {
	*reader
	at          *yamldoc.Node // the entry in the file
	keys        *schema.Mapping
	inCatalogue bool
	entry       *Entry
	source      string // of the values in the file
}

func (r *reader) overlay(at *yamldoc.Node, object *schema.Object) *overlay {
	return &overlay{reader: r, at: at, keys: object.Open(&r.Decoder, at)}
}

// base returns the index of the catalogue entry that the file names, or -1.
func (o *overlay) base(what string, catalogue []string) int {
	i := o.index(o.keys.Take("catalogue"), catalogue, what+" in the catalogue")
	o.inCatalogue = i >= 0
	return i
}

// begin makes e, a copy of the catalogue entry or empty, the entry of that name.
func (o *overlay) begin(e *Entry, name string) {
	o.entry = e
	e.Name, e.Figures = name, slices.Clone(e.Figures)
	for i := range e.Figures {
		e.Figures[i].Of = name
	}
	o.source = o.sourceOf(o.keys, "where the figures of this entry come from")
	if v := o.keys.Take("title"); v != nil {
		e.Title = o.String(v, "a title")
	}
}

// need takes a key of the entry, or of a mapping in it, that must be there unless
// the catalogue has the value.
func (o *overlay) need(m *schema.Mapping, key, want string) *yamldoc.Node {
	if o.inCatalogue {
		return m.Take(key)
	}
	return m.Require(key, want)
}

// replace returns the quantity v, which becomes a figure of the entry, or old where
// the file does not give it. An empty figure is not listed.
func replace[T interface {
	~float64
	fmt.Stringer
}](o *overlay, v *yamldoc.Node, kind schema.Quantity[T], figure string, old T) T {
	if v == nil {
		return old
	}
	x := kind.Read(&o.Decoder, v)
	if figure != "" {
		o.entry.figure(figure, x.String(), o.source)
	}
	return x
}

// replacePrice is replace for a price, which is converted to the currency of the
// budget whether it is the file's or the catalogue's.
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

// sourceOf reads where figures come from.
func (r *reader) sourceOf(m *schema.Mapping, want string) string {
	if source := r.String(m.Take("source"), want); source != "" {
		return source
	}
	return planSource
}

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
