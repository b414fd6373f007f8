package sim

import (
	"io"
	"reflect"

	"github.com/isoscale/isoscale/internal/wrapped"
	"github.com/isoscale/isoscale/workloads"
)

// Programs that wrap another program to change what it does must not hide its other
// interfaces: [Listener], [io.Closer], [Caller], [Placer], comparer.

// Wrapper is a program around another one. Of both, the engine uses the outer one that
// is a [Listener], an [io.Closer], a [Caller] or a [Placer].
type Wrapper interface {
	workloads.Program
	Unwrap() workloads.Program
}

// capabilities are the other interfaces that a program may implement.
var capabilities = []struct {
	is   reflect.Type
	what string
}{
	{reflect.TypeFor[Listener](), "Now and Received"},
	{reflect.TypeFor[io.Closer](), "Close"},
	{reflect.TypeFor[Caller](), "Call"},
	{reflect.TypeFor[Placer](), "Place"},
	{reflect.TypeFor[comparer](), "Disagreement"},
	{reflect.TypeFor[wrapped.Streamed](), "Streams"},
}

// validateWrappers reports a program that has another one in a field, hides a
// capability of that one, and has no method Unwrap.
func validateWrappers(p workloads.Program) error {
	for w, ok := p.(Wrapper); ok; w, ok = p.(Wrapper) {
		if p = w.Unwrap(); p == nil {
			return configError("Program", "%T wraps no program; expected Unwrap to return one", w)
		}
	}
	outer, v := reflect.TypeOf(p), reflect.ValueOf(p)
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	if v.Kind() != reflect.Struct {
		return nil
	}
	for i := range v.NumField() {
		field := v.Field(i)
		if field.Kind() == reflect.Interface {
			field = field.Elem()
		}
		if !field.IsValid() || !field.Type().Implements(reflect.TypeFor[workloads.Program]()) {
			continue
		}
		for _, c := range capabilities {
			if field.Type().Implements(c.is) && !outer.Implements(c.is) {
				return configError("Program", "%v hides %s of %v inside it; expected a method Unwrap() workloads.Program that returns it", outer, c.what, field.Type())
			}
		}
	}
	return nil
}
