package isoscale_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/algorithm"
	"github.com/isoscale/isoscale/workloads/goal"
)

// enumerations make a value of each exported enumeration that prints itself.
var enumerations = map[string]func(x uint8) fmt.Stringer{
	"sim.Part":             func(x uint8) fmt.Stringer { return sim.Part(x) },
	"sim.RankState":        func(x uint8) fmt.Stringer { return sim.RankState(x) },
	"workloads.Kind":       func(x uint8) fmt.Stringer { return workloads.Kind(x) },
	"workloads.Collective": func(x uint8) fmt.Stringer { return workloads.Collective(x) },
	"algorithm.Shape":      func(x uint8) fmt.Stringer { return algorithm.Shape(x) },
	"goal.Kind":            func(x uint8) fmt.Stringer { return goal.Kind(x) },
}

// Values without a name have a text too, so that logging a damaged one does not crash.
func TestEnumerationsPrintEveryValue(t *testing.T) {
	integers := []string{"int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64"}
	found := 0
	for _, p := range publicPackages(t, parser.SkipObjectResolution) {
		for _, x := range p.doc.Types {
			underlying, ok := x.Decl.Specs[0].(*ast.TypeSpec).Type.(*ast.Ident)
			if !ok || !strings.Contains(" "+strings.Join(integers, " ")+" ", " "+underlying.Name+" ") {
				continue
			}
			for _, m := range x.Methods {
				if m.Name == "String" {
					found++
					expect.That(t, enumerations[p.doc.Name+"."+x.Name] != nil,
						"%s.%s is not in the table of this test", p.doc.Name, x.Name)
				}
			}
		}
	}
	expect.That(t, found == len(enumerations),
		"found %d enumerations with a String method, want the %d of the table", found, len(enumerations))
	for name, of := range enumerations {
		texts := map[string]bool{}
		for x := range 256 {
			text := of(uint8(x)).String()
			expect.That(t, text != "", "%s(%d) has no text", name, x)
			texts[text] = true
		}
		expect.That(t, len(texts) >= 4, "%s has the texts %v only", name, texts)
	}
}
