package titrace

import (
	"strings"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/workloads"
)

// The list of names, the table of usages and the reader know the same actions.
func TestActionNames(t *testing.T) {
	names := strings.Split(actionNames, ", ")
	expect.That(t, len(names) == len(usages), "%d names and %d usages", len(names), len(usages))
	for _, name := range names {
		expect.That(t, strings.HasPrefix(usages[name]+" ", name+" "), "the usage of %s is %q", name, usages[name])
		// Without arguments each is accepted, or the first one is missing.
		p := expect.Value(Read("t", strings.NewReader("0 "+name+"\n"), 1))(t)
		var op workloads.Op
		for p.Next(0, &op) && op.Kind != 0 {
			op = workloads.Op{}
		}
		err := p.Close()
		expect.That(t, err == nil || strings.HasSuffix(err.Error(), usages[name]), "%s: error %v, want one with %q", name, err, usages[name])
	}
}
