package collective_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
)

func TestLookupFindsAllNames(t *testing.T) {
	found := 0
	for op := workloads.Barrier; op <= workloads.Scan; op++ {
		names := collective.Names(op)
		expect.That(t, slices.IsSorted(names), "names for %v are %v; expected alphabetical order", op, names)
		for _, name := range names {
			found++
			a := lookup(t, op, name)
			expect.That(t, a.Name() == name && a.Operation() == op,
				"%v %s found for %v %s", a.Operation(), a.Name(), op, name)
		}
	}
	expect.That(t, found != 0, "no algorithm found")
}

func TestLookupOfUnknown(t *testing.T) {
	for _, tt := range []struct {
		op         workloads.Collective
		name, want string
	}{
		{workloads.Barrier, "binomial", `unknown algorithm "binomial" for barrier; known: dissemination, leader, linear, tree`},
		{workloads.Bcast, "Flat", `unknown algorithm "Flat" for bcast; known: binomial, chain, flat, leader, multi-leader, scatter-allgather`},
		{0, "flat", `unknown algorithm "flat" for Collective(0); known: none`},
	} {
		a, err := collective.Lookup(tt.op, tt.name)
		expect.That(t, err != nil && a == nil && strings.Contains(err.Error(), tt.want),
			"lookup of %q for %v gives %v, %v; expected the error %s", tt.name, tt.op, a, err, tt.want)
	}
}

func TestLookupOfSegment(t *testing.T) {
	for _, tt := range []struct {
		op         workloads.Collective
		name, want string // the name it has, or the error
		ok         bool
	}{
		{workloads.Bcast, "chain:8192", "chain:8192", true},
		{workloads.Bcast, "chain:131072", "chain", true}, // the default
		{workloads.Bcast, "chain:0", "chain: segment is 0 byte; expected a finite number above 0", false},
		{workloads.Bcast, "chain:-1", `chain: segment is "-1"; expected a whole number of bytes, at least 1`, false},
		{workloads.Bcast, "chain:8k", `chain: segment is "8k"`, false},
		{workloads.Bcast, "chain:", `chain: segment is ""`, false},
		{workloads.Reduce, "chain:8192", `unknown algorithm "chain:8192" for reduce`, false},
	} {
		a, err := collective.Lookup(tt.op, tt.name)
		if !tt.ok {
			expect.Failure(t, err, tt.want)
			expect.That(t, a == nil, "lookup of %q gives %v as well", tt.name, a)
			continue
		}
		expect.Success(t, err)
		expect.Equal(t, a.Name(), tt.want, "lookup of %q: name", tt.name)
	}
}

func lookup(t testing.TB, op workloads.Collective, name string) collective.Algorithm {
	t.Helper()
	return expect.Value(collective.Lookup(op, name))(t)
}

// algorithms returns every algorithm that can be looked up.
func algorithms(t testing.TB) []collective.Algorithm {
	t.Helper()
	var all []collective.Algorithm
	for op := workloads.Barrier; op <= workloads.Scan; op++ {
		for _, name := range collective.Names(op) {
			all = append(all, lookup(t, op, name))
		}
	}
	expect.Need(t, len(all) != 0, "no algorithm found")
	return all
}
