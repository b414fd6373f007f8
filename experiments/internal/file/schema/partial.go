package schema

// Partial returns a type whose objects, at every depth, may leave out what they
// require: that of a file that others complete.
func Partial(t Type) Type { return partial(t, map[*Object]*Object{}) }

// partial knows the objects that it has turned into partial ones, since an object
// may contain itself.
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
		for _, f := range t.Fields {
			f.Required = f.Required && t.Others != nil // which tells it from other objects
			f.Type = partial(f.Type, known)
			o.Fields = append(o.Fields, f)
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
