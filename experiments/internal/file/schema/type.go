package schema

import (
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/internal/each"
)

// Type is what a value may be.
type Type interface {
	// schema returns the JSON Schema of the type. Objects with a Ref are added to
	// the definitions.
	schema(defs map[string]any) any
}

type text struct{}

// Text is any scalar, which a reader takes as it is written.
var Text = text{}

func (text) schema(map[string]any) any {
	return map[string]any{"type": []string{"string", "number", "boolean"}}
}

type name struct{}

// Name is a name that can be used on the command line, in paths of --set and in
// file names. YAML takes some names for numbers or truth values.
var Name = name{}

// WantName says in messages what a [Name] looks like; see [IsName].
const WantName = "a name of letters, digits, '-', '_' and '.', not starting with '-' or '.'"

// Read returns the name in n, "" if n is nil. A bad one is a problem, which d records.
func (t name) Read(d *yamldoc.Decoder, n *yamldoc.Node) string {
	s := d.String(n, WantName)
	if n.IsScalar() {
		t.Check(d, n, s)
	}
	return s
}

// Check returns s, and reports a problem at n if s is no name.
func (name) Check(d *yamldoc.Decoder, n *yamldoc.Node, s string) string {
	if !IsName(s) {
		d.Fail(n, "bad name", WantName)
	}
	return s
}

func (name) schema(map[string]any) any {
	return map[string]any{
		"type": []string{"string", "number", "boolean"}, "pattern": `^[A-Za-z0-9_][A-Za-z0-9._-]{0,63}$`,
		"minimum": 0, // of a number: a name does not begin with "-"
	}
}

// IsName reports whether s is a [Name].
func IsName(s string) bool {
	return s != "" && len(s) <= 64 && !strings.ContainsRune("-.", rune(s[0])) &&
		!slices.ContainsFunc([]rune(s), func(c rune) bool {
			return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && !strings.ContainsRune("-_.", c)
		})
}

// Pattern is a text, and no number, that matches a regular expression. The
// expression has no look-ahead, which some validators lack.
type Pattern string

func (t Pattern) schema(map[string]any) any {
	return map[string]any{"type": "string", "pattern": string(t)}
}

type anything struct{}

// Any is any value.
var Any Type = anything{}

func (anything) schema(map[string]any) any { return map[string]any{} }

// Integer is a whole number from Min to Max.
type Integer struct {
	Min, Max int
	Want     string // what messages say was expected; "": the range in words
}

// ReadOr returns the value of n, otherwise if n is nil, and 0 after a problem, which d
// records. Want says what was expected.
func (t Integer) ReadOr(d *yamldoc.Decoder, n *yamldoc.Node, want string, otherwise int) int {
	if n == nil {
		return otherwise
	}
	return d.Int(n, t.Min, t.Max, want)
}

func (t Integer) schema(map[string]any) any {
	return map[string]any{"type": "integer", "minimum": t.Min, "maximum": t.Max}
}

// Number is a number without a unit from Min to Max.
type Number struct {
	Min, Max float64
	Above    bool   // Min itself is excluded
	Below    bool   // Max itself is excluded
	Want     string // what messages say was expected
}

// In reports whether x is in the range.
func (t Number) In(x float64) bool {
	return (x > t.Min || x == t.Min && !t.Above) && (x < t.Max || x == t.Max && !t.Below)
}

// ReadOr is as for [Integer].
func (t Number) ReadOr(d *yamldoc.Decoder, n *yamldoc.Node, want string, otherwise float64) float64 {
	if n == nil {
		return otherwise
	}
	return d.Float(n, want, t.In)
}

func (t Number) schema(map[string]any) any {
	least, most := "minimum", "maximum"
	if t.Above {
		least = "exclusiveMinimum"
	}
	if t.Below {
		most = "exclusiveMaximum"
	}
	return map[string]any{"type": "number", least: t.Min, most: t.Max}
}

type boolean struct{}

// Boolean is true or false.
var Boolean = boolean{}

func (boolean) schema(map[string]any) any { return map[string]any{"type": "boolean"} }

// OneOf is one of some names.
type OneOf []string

func (t OneOf) schema(map[string]any) any { return map[string]any{"enum": []string(t)} }

// List is a sequence of at least Min and, if it is not 0, at most Max elements.
type List struct {
	Of       Type
	Min, Max int
}

func (t List) schema(defs map[string]any) any {
	s := map[string]any{"type": "array", "items": t.Of.schema(defs)}
	if t.Min > 0 {
		s["minItems"] = t.Min
	}
	if t.Max > 0 {
		s["maxItems"] = t.Max
	}
	return s
}

// Map is a mapping whose keys are the file's own names.
type Map struct {
	Of       Type
	Keys     Type // nil: the keys may be any text
	Min, Max int  // at least and, if it is not 0, at most so many
}

func (t Map) schema(defs map[string]any) any {
	s := map[string]any{"type": "object", "additionalProperties": t.Of.schema(defs)}
	if t.Keys != nil {
		s["propertyNames"] = t.Keys.schema(defs)
	}
	if t.Min > 0 {
		s["minProperties"] = t.Min
	}
	if t.Max > 0 {
		s["maxProperties"] = t.Max
	}
	return s
}

// AnyOf is one of several types.
type AnyOf []Type

// Objects returns the objects among the types, at any depth.
func (t AnyOf) Objects() []*Object {
	var all []*Object
	for _, x := range t {
		switch x := x.(type) {
		case *Object:
			all = append(all, x)
		case AnyOf:
			all = append(all, x.Objects()...)
		}
	}
	return all
}

func (t AnyOf) schema(defs map[string]any) any {
	all := each.Append(nil, t, func(x Type) any { return x.schema(defs) })
	return map[string]any{"anyOf": all}
}

// Later returns a type that is not known yet, such as that of an object that contains
// itself.
type Later func() Type

func (t Later) schema(defs map[string]any) any { return t().schema(defs) }

func (o *Object) schema(defs map[string]any) any {
	if o.Ref == "" {
		return o.body(defs)
	}
	if _, done := defs[o.Ref]; !done {
		defs[o.Ref] = nil // for objects that contain themselves
		defs[o.Ref] = o.body(defs)
	}
	return map[string]any{"$ref": "#/$defs/" + o.Ref}
}

func (o *Object) body(defs map[string]any) map[string]any {
	properties, required := map[string]any{}, []string{}
	for _, f := range o.Fields() {
		s := f.Type.schema(defs)
		if m, ok := s.(map[string]any); ok {
			if f.Meaning != "" {
				m["description"] = f.Meaning
			}
			if v, ok := f.value(); ok {
				m["default"] = v
			} else if f.Default != "" {
				m["description"] = f.Meaning + " (default: " + f.Default + ")"
			}
		}
		properties[f.Key] = s
		if f.Required {
			required = append(required, f.Key)
		}
	}
	s := map[string]any{"type": "object", "title": o.What, "properties": properties, "additionalProperties": false}
	if o.Others != nil {
		s["additionalProperties"] = o.Others.schema(defs)
	}
	if len(required) > 0 {
		slices.Sort(required)
		s["required"] = required
	}
	return s
}

// value returns the default of a field as a value of JSON, if the default is a scalar
// that the type takes and not words.
func (f *Field) value() (any, bool) {
	switch t := f.Type.(type) {
	case Integer, Number, boolean:
	case quantity:
		if !t.takes(f.Default) {
			return nil, false
		}
	case OneOf:
		return f.Default, slices.Contains(t, f.Default)
	default:
		return nil, false
	}
	if f.Default == "" {
		return nil, false
	}
	n, err := yamldoc.Parse("default", []byte(f.Default))
	if err != nil {
		return nil, false
	}
	switch v := n.Plain().(type) {
	case int64, float64, bool:
		return v, true
	case string:
		_, ok := f.Type.(quantity)
		return v, ok
	}
	return nil, false
}

// draft is the dialect of JSON Schema.
const draft = "https://json-schema.org/draft/2020-12/schema"

// JSONSchema returns the schema of files of a type, ready for encoding/json.
func JSONSchema(title string, t Type) map[string]any {
	defs := map[string]any{}
	s := map[string]any{"$schema": draft, "title": title}
	for k, v := range t.schema(defs).(map[string]any) {
		if k != "title" {
			s[k] = v
		}
	}
	if len(defs) > 0 {
		s["$defs"] = defs
	}
	return s
}
