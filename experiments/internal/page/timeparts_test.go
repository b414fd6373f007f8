package page

import (
	"math"
	"testing"
)

// A rank that computes 8 s, has 1 s of overhead and waits 1 s makes a bar of 10 s; one
// with a hundredth of all that a bar of 0.1 s, and both the same shares, 80, 10 and 10 %.
// One that computes 3 s and waits 1 s has 75, 0 and 25 %.
func TestPartsStackToTheTime(t *testing.T) {
	runs := []Parts{{"p = 1", 8, 1, 1}, {"p = 100", 0.08, 0.01, 0.01}, {"p = 2", 3, 0, 1}}
	times, shares := TimeBars("Times", "processes", runs), ShareBars("Shares", "processes", runs)
	for k, time := range []float64{10, 0.1, 4} {
		high, percent := 0.0, 0.0
		for i := range times.Series {
			high += times.Series[i].Values[k]
			percent += shares.Series[i].Values[k]
		}
		if math.Abs(high-time) > 1e-12 || math.Abs(percent-100) > 1e-12 {
			t.Errorf("%s: a bar of %v s and %v %%; want %v s and 100 %%", runs[k].Name, high, percent, time)
		}
	}
	for i, want := range []float64{75, 0, 25} {
		if got := shares.Series[i].Values[2]; got != want {
			t.Errorf("%s of p = 2 is %v %%; want %v", shares.Series[i].Name, got, want)
		}
	}
	if got, want := shares.Categories[1], "p = 100: 100 ms"; got != want {
		t.Errorf("bar %q; want %q", got, want)
	}
	if got, want := times.Caption, "Computing takes 80.0 % of the time of p = 1 and 75.0 % of that of p = 2. "+partsText; got != want {
		t.Errorf("caption %q; want %q", got, want)
	}
	if got, want := TimeBars("Times", "processes", runs[:2]).Caption, "Computing takes 80.0 % of the time of each run. "+partsText; got != want {
		t.Errorf("caption %q; want %q", got, want)
	}
	// Times below a thousandth of a second are shown with a prefix.
	if c := TimeBars("Times", "processes", []Parts{{"p", 2e-6, 1e-6, 1e-6}}); c.Y.Unit != "us" || math.Abs(c.Series[0].Values[0]-2) > 1e-12 {
		t.Errorf("%v %s; want 2 us", c.Series[0].Values[0], c.Y.Unit)
	}
}
