package schema

import "github.com/isoscale/isoscale/experiments/internal/file/yamldoc"

// A Record is a mapping of a file that is read into a T. [Declare] makes one from a
// function that binds each key to a variable, as package flag does with options:
//
//	var connection = schema.Declare("a connection", func(k *schema.Keys, c *Connection) {
//		k.Required("latency", schema.Time.To(&c.Latency), "time of an empty message")
//		k.Optional("bandwidth", schema.Bandwidth.To(&c.Bandwidth).Or(1e9), "of one message")
//	})
//
// The function runs once to declare the keys, when somebody asks for them, with an empty T and without a file, and
// once for each mapping that is read. After a line, its variable has its value, so a line may depend on those
// before it, and further checks stand among the lines. Problems that it reports while it declares are dropped.
//
// The declaration is an [Object], for JSON Schema, descriptions and tables.
type Record[T any] struct {
	*Object
	keys func(k *Keys, x *T)
}

// Declare declares a mapping. What is as for [Object].
//
//go:noinline
func Declare[T any](what string, keys func(k *Keys, x *T)) *Record[T] {
	return &Record[T]{&Object{What: what, Fields: listed(func() (fields []Field) {
		k := &Keys{Decoder: new(yamldoc.Decoder), fields: &fields}
		k.mapping = k.Decoder.Mapping(nil, what)
		keys(k, new(T))
		return fields
	})}, keys}
}

// Shared gives the object of the record a name under which schemas refer to it.
func (r *Record[T]) Shared(ref string) *Record[T] {
	r.Ref = ref
	return r
}

// Read reads n, with the rules of [yamldoc.Decoder.Mapping] for nodes that are absent or
// no mappings, and reports keys that are not declared. Where a key is absent, x keeps
// what it has, unless the declaration says otherwise.
func (r *Record[T]) Read(d *yamldoc.Decoder, n *yamldoc.Node, x *T) {
	k := Keys{Decoder: d, mapping: d.Mapping(n, r.What), node: n}
	r.keys(&k, x)
	if !k.Open {
		k.mapping.Done()
	}
}

func (r *Record[T]) To(x *T) *Variable[T] { return &Variable[T]{Value: r, to: x} }

func (r *Record[T]) declared() Type                                           { return r.Object }
func (r *Record[T]) want() string                                             { return "" }
func (r *Record[T]) text(T) string                                            { return "" }
func (r *Record[T]) read(d *yamldoc.Decoder, n *yamldoc.Node, x *T, _ string) { r.Read(d, n, x) }

// Keys are the keys of a mapping that is declared or read. The decoder takes problems.
type Keys struct {
	*yamldoc.Decoder
	// Noted, if it is set, is told of every key that is bound to a variable from then on:
	// its value, and whether the file gives it.
	Noted func(key, value string, given bool)

	// Elsewhere, if it is set, has the values of optional keys that the mapping lacks.
	Elsewhere func(key string) *yamldoc.Node
	Open      bool // keys that are not declared are no problem

	fields  *[]Field // declared so far; nil while a file is read
	mapping *yamldoc.Mapping
	node    *yamldoc.Node // of the mapping
}

// Declaring reports whether keys are declared, and no file is read.
func (k *Keys) Declaring() bool { return k.fields != nil }

// Self returns the mapping in the file.
func (k *Keys) Self() *yamldoc.Node { return k.node }

// Node returns the value of a key in the file, nil if it is absent.
func (k *Keys) Node(key string) *yamldoc.Node { return k.mapping.Take(key) }

// Optional declares a key that may be absent.
func (k *Keys) Optional(key string, b Bound, meaning string) {
	if k.fields != nil {
		k.add(Field{Key: key, Meaning: meaning}, b)
		return
	}
	n := k.mapping.Take(key)
	if n == nil && k.Elsewhere != nil {
		n = k.Elsewhere(key)
	}
	k.take(key, n, b, meaning)
}

// Required declares a key that must be there.
func (k *Keys) Required(key string, b Bound, meaning string) {
	if k.fields != nil {
		k.add(Field{Key: key, Meaning: meaning, Required: true}, b)
		return
	}
	want := b.wanted()
	if want == "" {
		want = meaning
	}
	k.take(key, k.mapping.Require(key, want), b, meaning)
}

func (k *Keys) add(f Field, b Bound) {
	b.declare(&f)
	*k.fields = append(*k.fields, f)
}

func (k *Keys) take(key string, n *yamldoc.Node, b Bound, meaning string) {
	if n != nil {
		b.take(k.Decoder, n, meaning)
	}
	if k.Noted != nil {
		if value := b.noted(); value != "" {
			k.Noted(key, value, n != nil)
		}
	}
}
