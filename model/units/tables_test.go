package units

import (
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
)

// A symbol listed twice would make the meaning depend on the order of the
// table, and a sloppy spelling that is also a unit would never be refused.
func TestTablesAreUnambiguous(t *testing.T) {
	for _, d := range []dimension{
		timeDimension, sizeDimension, bandwidthDimension, workDimension, speedDimension, powerDimension,
	} {
		accepted := map[string]bool{}
		for _, u := range d.units {
			expect.That(t, !accepted[u.symbol], "%s: unit %q is listed twice", d.name, u.symbol)
			accepted[u.symbol] = true
		}
		for _, u := range d.units {
			for _, s := range u.sloppy {
				expect.That(t, !accepted[s], "%s: %q is a unit and a sloppy spelling of %q", d.name, s, u.symbol)
			}
		}
	}
}
