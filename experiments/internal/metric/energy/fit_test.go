package energy

import (
	"math"
	"strings"
	"testing"
)

// Runs that were made from powers of 300 and 120 W: 1 process computes 100 s; 4 processes
// compute 25 s each and wait 5 s; 10 compute 10 s and wait 20 s.
func TestFitFindsThePowers(t *testing.T) {
	runs := []Sample{{1, 100, 30000}, {4, 30, 4 * (25*300 + 5*120)}, {10, 30, 10 * (10*300 + 20*120)}}
	f, err := Fit(runs)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(float64(f.Load)-300) > 1e-9 || math.Abs(float64(f.Wait)-120) > 1e-9 {
		t.Errorf("powers %v and %v, want 300 W and 120 W", f.Load, f.Wait)
	}
	if e := f.Of(20, 12); math.Abs(float64(e)-20*(5*300+7*120)) > 1e-6 {
		t.Errorf("20 processes for 12 s draw %v, want 46.8 kJ", e)
	}
	if e := f.Of(200, 0.25); math.Abs(float64(e)-200*0.25*300) > 1e-6 {
		t.Errorf("200 processes that are faster than evenly divided work draw %v, want 15 kJ", e)
	}
}

func TestFitRefuses(t *testing.T) {
	for _, c := range []struct {
		name string
		runs []Sample
		want string
	}{
		{"one number of processes", []Sample{{2, 10, 100}, {2, 11, 100}}, "one number"},
		{"no messages", []Sample{{1, 10, 100}, {2, 5, 100}}, "no run spends time"},
		{"a power below 0", []Sample{{1, 10, 1000}, {2, 10, 900}}, "would need powers"},
	} {
		if _, err := Fit(c.runs); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want an error with %q", c.name, err, c.want)
		}
	}
}

func TestJoulesInWords(t *testing.T) {
	for j, want := range map[Joules]string{0: "0 J", 950: "950 J", 8571: "8.571 kJ", 3.6e6: "3.6 MJ (1 kWh)", 1.21e10: "12.1 GJ (3361 kWh)"} {
		if got := j.String(); got != want {
			t.Errorf("%g J is %q, want %q", float64(j), got, want)
		}
	}
}
