package schema

import (
	"fmt"
	"slices"
	"sync"
)

// Object is a mapping.
type Object struct {
	// What is the thing that the mapping describes, for messages and as the title:
	// "a machine".
	What string
	// Fields lists its keys, when first called: most programs read few of the mappings that are declared.
	Fields func() []Field
	// Ref is the name under which a schema refers to an object that stands in
	// several places, or contains itself; "" for one that is written out.
	Ref string
	// Others is the type of the values of keys that are not among the fields but
	// defined by other files; nil: there are no such keys.
	Others Type
}

// listed returns a function that lists the fields once. Neither it nor Declare is inlined: that would make all
// declarations of a package one function, which WebAssembly compiles before anything runs.
//
//go:noinline
func listed(fields func() []Field) func() []Field { return sync.OnceValue(fields) }

// Field is a key of an object.
type Field struct {
	Key      string
	Type     Type
	Required bool
	// Default is what a reader takes where the key is absent, in the form of the
	// file or in words; "" if there is none to tell.
	Default string
	Meaning string
}

// Field returns the field of a key, which must be declared.
func (o *Object) Field(key string) *Field {
	all := o.Fields()
	for i := range all { // not copied: readers ask for every key of every point
		if f := &all[i]; f.Key == key {
			return f
		}
	}
	panic(fmt.Sprintf("schema: %s has no key %q", o.What, key))
}

// With returns an object with more fields.
func (o *Object) With(what string, more ...Field) *Object {
	return &Object{What: what, Fields: listed(func() []Field { return slices.Concat(o.Fields(), more) })}
}

// Only returns an object with some of the fields: those that it makes required, and
// others as they are.
func (o *Object) Only(required []string, others ...string) *Object {
	return &Object{What: o.What, Fields: listed(func() (only []Field) {
		for _, key := range append(slices.Clone(required), others...) {
			f := *o.Field(key)
			f.Required = f.Required || slices.Contains(required, key)
			only = append(only, f)
		}
		return only
	})}
}

// Requiring returns an object in which more fields are required.
func (o *Object) Requiring(keys ...string) *Object {
	return &Object{What: o.What, Fields: listed(func() []Field {
		more := &Object{What: o.What, Fields: listed(func() []Field { return slices.Clone(o.Fields()) })}
		for _, key := range keys {
			more.Field(key).Required = true
		}
		return more.Fields()
	})}
}

// Without returns an object without some of the fields.
func (o *Object) Without(keys ...string) *Object {
	return &Object{What: o.What, Fields: listed(func() []Field {
		for _, key := range keys {
			o.Field(key) // must be declared
		}
		return slices.DeleteFunc(slices.Clone(o.Fields()), func(f Field) bool { return slices.Contains(keys, f.Key) })
	})}
}

// Partial returns the type of a file that other files complete: its objects, at every
// depth, may leave out required keys, unless they have Others.
func Partial(t Type) Type { return partial(t, map[*Object]*Object{}) }

// partial is Partial with the objects that are partial already, since an object may
// contain itself.
func partial(t Type, known map[*Object]*Object) Type {
	switch t := t.(type) {
	case *Object:
		if o := known[t]; o != nil {
			return o
		}
		o := &Object{What: t.What, Ref: t.Ref, Others: t.Others}
		if o.Ref != "" {
			o.Ref = "partial-" + o.Ref
		}
		known[t] = o
		fields := slices.Clone(t.Fields())
		o.Fields = func() []Field { return fields }
		for i := range fields {
			f := &fields[i]
			f.Required = f.Required && t.Others != nil // only required keys tell such an object from others
			f.Type = partial(f.Type, known)
		}
		return o
	case List:
		t.Of = partial(t.Of, known)
		return t
	case Map:
		t.Of = partial(t.Of, known)
		return t
	case AnyOf:
		all := make(AnyOf, len(t))
		for i, x := range t {
			all[i] = partial(x, known)
		}
		return all
	case Later:
		return partial(t(), known)
	}
	return t
}
