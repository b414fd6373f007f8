package sim

import (
	"io"
	"reflect"

	"github.com/isoscale/isoscale/internal/wrapped"
	"github.com/isoscale/isoscale/workloads"
)

// Programs that change what another one does: they wrap it. What the inner program is
// beside a [workloads.Program] must not get lost: a [Listener], an [io.Closer], a
// [Caller], a [Placer], a comparer.

// Wrapper is a program around another one. The engine asks both whether they are a
// [Listener], an [io.Closer], a [Caller] or a [Placer], the outer one first.
type Wrapper interface {
	workloads.Program
	Unwrap() workloads.Program
}

// capabilities are what a program may be besides.
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

// validateWrappers looks for a program that has another one in a field, hides what that
// is besides, and has no method Unwrap.
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
