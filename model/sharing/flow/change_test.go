package flow_test

import (
	"testing"

	"github.com/isoscale/isoscale/model/sharing/flow"
	"github.com/isoscale/isoscale/model/units"
)

// until advances the model to a time, and fails if something ends before.
func until(t *testing.T, f *flow.Model, to units.Seconds) {
	t.Helper()
	for at, ok := f.Next(); ok && at <= to; at, ok = f.Next() {
		if ended := f.Advance(at, nil); len(ended) > 0 {
			t.Fatalf("%v ends at %v, before %v", ended, at, to)
		}
	}
}

// 20 B at 4 B/s flow from 0.25 s on. At 2.25 s, 12 B are left, and take 6 s at 2 B/s. In
// the first 2 s the whole link is used and in the 6 s after as well.
func TestSetBandwidth(t *testing.T) {
	m := machine(4)
	f := newModel(t, m, flow.Plain())
	f.Record()
	if err := f.Transfer(0, 0, 1, 20, 7); err != nil {
		t.Fatal(err)
	}
	until(t, f, 2.25)
	f.SetBandwidth(2.25, 0, 2)
	if got := ends(t, f)[7]; got != 8.25 {
		t.Errorf("ends at %v, want 8.25 s", got)
	}
	if u := f.Usage(8.25).Links[0]; u.Busy != 8 || u.Peak != 1 {
		t.Errorf("busy for %v, at most %g of the capacity; want 8 s and 1", u.Busy, u.Peak)
	}
	if f.Bandwidth(0) != 2 || f.Links() != 1 || m.Links[0].Bandwidth != 4 {
		t.Errorf("bandwidth %v of the model, %v of the caller's machine; want 2 and 4 B/s", f.Bandwidth(0), m.Links[0].Bandwidth)
	}
}

// Two messages of 20 B share 4 B/s from 0.25 s on. At 2.25 s, 16 B are left of each; at
// 16 B/s in all they take 2 s.
func TestSetBandwidthOfMessages(t *testing.T) {
	f := newModel(t, machine(4), flow.Plain())
	for name := range int32(2) {
		if err := f.Transfer(0, 0, 1, 20, name); err != nil {
			t.Fatal(err)
		}
	}
	until(t, f, 2.25)
	f.SetBandwidth(2.25, 0, 16)
	if got := ends(t, f); got[0] != 4.25 || got[1] != 4.25 {
		t.Errorf("end at %v, want 4.25 s", got)
	}
}

// Two computations of 8 flop and 8 B share a core of 1 flop/s, and memory that does not
// matter: by 4 s each has done 2 flop. On the other host a computation moves 8 B at
// 1 B/s. Both hosts stand still until 10 s. Then the two share 3 flop/s and take 4 s for
// 6 flop each, and 4 B are left of the third.
func TestSetSpeed(t *testing.T) {
	m := flow.Machine{
		Router: line(0), Place: []int32{0, 0, 0, 1},
		Hosts: []flow.Host{{Cores: 1, Speed: 1, Memory: 0}, {Cores: 1, Speed: 5, Memory: 1}},
		Links: []flow.Link{{Bandwidth: 100}, {Bandwidth: 1}},
	}
	f := newModel(t, m, flow.Plain())
	for rank := range int32(2) {
		if !f.Compute(0, rank, 8, 8, rank) {
			t.Fatal("nothing is shared")
		}
	}
	if !f.Compute(0, 3, 0, 8, 3) { // on the other host, bytes alone
		t.Fatal("nothing is shared")
	}
	until(t, f, 4)
	f.SetSpeed(4, 0, 0)
	f.SetSpeed(4, 1, 0)
	if at, ok := f.Next(); ok {
		t.Fatalf("something ends at %v while all stands still", at)
	}
	f.SetSpeed(10, 0, 3)
	f.SetSpeed(10, 1, 7)
	got := ends(t, f)
	if got[0] != 14 || got[1] != 14 || got[3] != 14 {
		t.Errorf("end at %v, want 14 s", got)
	}
	if s := f.Speeds(); s[0] != 3 || s[3] != 7 || f.Place()[3] != 1 || m.Hosts[0].Speed != 1 {
		t.Errorf("speeds %v, on %v; the caller's host has %v", s, f.Place(), m.Hosts[0].Speed)
	}
}
