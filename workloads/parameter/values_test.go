package parameter_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
	"github.com/isoscale/isoscale/workloads/parameter"
)

// Each type of parameter has its own type of value; to ask for another one panics with both.
func TestValuesAreOfTheirTypes(t *testing.T) {
	choice := collective.Default(workloads.Bcast)
	v := parameter.Values{
		"work": units.Flops(1), "size": units.Bytes(2), "time": units.Seconds(3), "bandwidth": units.BytesPerSecond(4),
		"speed": units.FlopsPerSecond(5), "count": 6, "number": 7.5, "flag": true, "word": "ring", "choice": choice,
	}
	get := map[string]func(name string) any{
		"work":      func(n string) any { return v.Work(n) },
		"size":      func(n string) any { return v.Size(n) },
		"time":      func(n string) any { return v.Time(n) },
		"bandwidth": func(n string) any { return v.Bandwidth(n) },
		"speed":     func(n string) any { return v.Speed(n) },
		"count":     func(n string) any { return v.Count(n) },
		"number":    func(n string) any { return v.Number(n) },
		"flag":      func(n string) any { return v.Flag(n) },
		"word":      func(n string) any { return v.Word(n) },
		"choice":    func(n string) any { return v.Choice(n) },
	}
	for name, of := range get {
		expect.That(t, v.Has(name) && of(name) == v[name], "%s is %v, want %v", name, of(name), v[name])
		for other := range get {
			if other == name {
				continue
			}
			said := panicOf(func() { of(other) })
			expect.Equal(t, said, fmt.Sprintf("parameter: %s is %T, not %T", other, v[other], v[name]), "%s asked for %s", name, other)
		}
	}
	expect.That(t, !v.Has("root") && strings.Contains(panicOf(func() { v.Count("root") }), "root is <nil>"),
		"a parameter that is not there is")
}

func panicOf(f func()) (said string) {
	defer func() { said, _ = recover().(string) }()
	f()
	return ""
}
