package collective_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
)

func TestLookupFindsAllNames(t *testing.T) {
	found := 0
	for op := workloads.Barrier; op <= workloads.Alltoall; op++ {
		names := collective.Names(op)
		if !slices.IsSorted(names) {
			t.Errorf("names for %v are %v; expected alphabetical order", op, names)
		}
		for _, name := range names {
			found++
			a := lookup(t, op, name)
			if a.Name() != name || a.Operation() != op {
				t.Errorf("%v %s found for %v %s", a.Operation(), a.Name(), op, name)
			}
		}
	}
	if found == 0 {
		t.Error("no algorithm found")
	}
}

func TestLookupOfUnknown(t *testing.T) {
	for _, tt := range []struct {
		op         workloads.Collective
		name, want string
	}{
		{workloads.Barrier, "binomial", `unknown algorithm "binomial" for barrier; known: dissemination, linear`},
		{workloads.Bcast, "Flat", `unknown algorithm "Flat" for bcast; known: binomial, flat`},
		{0, "flat", `unknown algorithm "flat" for Collective(0); known: none`},
	} {
		a, err := collective.Lookup(tt.op, tt.name)
		if err == nil || a != nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("lookup of %q for %v gives %v, %v; expected the error %s", tt.name, tt.op, a, err, tt.want)
		}
	}
}
