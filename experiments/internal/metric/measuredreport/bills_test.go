package measuredreport

import (
	"slices"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/metric/measured"
	"github.com/isoscale/isoscale/experiments/internal/metric/measurements"
	"github.com/isoscale/isoscale/experiments/report"
)

// Two runs on one process draw 100 and 120 J in 10 s, one on two 130 J in 6 s: 110 and
// 130 J, and with the time 1100 and 780 J s. At 36 EUR an hour they cost 0.1 and 0.06 EUR.
func TestBillsOfMeasuredRuns(t *testing.T) {
	r := answerOf(t, "processes,n,time [s],energy [J],cost [EUR/h]\n1,100,10,100,36\n1,100,10,120,36\n2,100,6,130,36\n")
	sections := r.bills()
	if len(sections) != 1 || len(sections[0].Blocks) != 3 {
		t.Fatalf("%+v; want one section of three charts", sections)
	}
	for i, want := range []struct {
		unit    string
		values  []float64
		caption string
	}{
		{"EUR", []float64{0.1, 0.06}, "The least is 0.06 EUR on 2 processes."},
		{"J", []float64{110, 130}, "The least is 110 J on 1 process."},
		{"kJ s", []float64{1.1, 0.78}, "The least is 0.78 kJ s on 2 processes."},
	} {
		c := sections[0].Blocks[i].(*report.LineChart)
		if c.Y.Unit != want.unit || c.Caption != want.caption || !near(c.Series[0].Y, want.values, 1e-12) || !slices.Equal(c.Series[0].X, []float64{1, 2}) {
			t.Errorf("%s: %v %s over %v, %q; want %v %s, %q", c.Title, c.Series[0].Y, c.Y.Unit, c.Series[0].X, c.Caption, want.values, want.unit, want.caption)
		}
	}
	if s := answerOf(t, "processes,n,time [s]\n1,100,10\n2,100,6\n").bills(); s != nil {
		t.Errorf("times alone have a section %q", s[0].Heading)
	}
}

func answerOf(t *testing.T, text string, change ...func(*measured.Options)) Answer {
	t.Helper()
	m, err := measurements.Parse("t.csv", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	o := measured.DefaultOptions()
	for _, f := range change {
		f(&o)
	}
	r, err := measured.Compute(m, o)
	if err != nil {
		t.Fatal(err)
	}
	return Answer{r}
}

func near(got, want []float64, relative float64) bool {
	return slices.EqualFunc(got, want, func(a, b float64) bool { return a-b <= relative*b && b-a <= relative*b })
}

// Five runs of 9, 10, 10, 10 and 11 s have a mean of 10 s: a fifth takes at most 90 % of
// it, four fifths at most 100 %, all at most 110 %. Two runs are no distribution.
func TestRepeatedRunsHaveADistribution(t *testing.T) {
	r := answerOf(t, "processes,n,time [s]\n1,100,10\n1,100,11\n1,100,10\n1,100,9\n1,100,10\n2,100,6\n2,100,7\n")
	sections := r.repetitions()
	if len(sections) != 1 {
		t.Fatal("no section")
	}
	c := sections[0].Blocks[0].(*report.LineChart)
	if len(c.Series) != 1 || !near(c.Series[0].X, []float64{90, 90, 100, 100, 110, 110}, 1e-12) || !near(c.Series[0].Y, []float64{0, 20, 20, 80, 80, 100}, 1e-12) {
		t.Errorf("curves %+v; want one with steps at 90, 100 and 110 %%", c.Series)
	}
	if want := "The widest is p=1, n = 100: its 5 runs take from 90 % to 110 % of their mean."; c.Caption != want {
		t.Errorf("caption %q; want %q", c.Caption, want)
	}
	if got := r.Systems[0].Points[0].Times; !slices.Equal(got, []float64{9, 10, 10, 10, 11}) {
		t.Errorf("times %v; want all, ascending", got)
	}
	few := answerOf(t, "processes,n,time [s]\n1,100,10\n1,100,11\n")
	if s := few.repetitions(); s != nil {
		t.Error("two runs have a distribution")
	}
}
