package page

import (
	"slices"
	"testing"

	"github.com/isoscale/isoscale/experiments/report"
)

// The least of 3000, 2000 and 4000 J is on 2 processes; of 2500 J twice, on the fewer.
func TestBillChartSaysWhereTheLeastIs(t *testing.T) {
	bills := []Bill{{"a", []float64{1, 2, 16}, []float64{3000, 2000, 4000}}, {"b", []float64{1, 2}, []float64{2500, 2500}}}
	c := BillChart("Energy", "energy of a run", "J", bills)
	if want := "The least is 2 kJ on 2 processes for a, 2.5 kJ on 1 process for b."; c.Caption != want {
		t.Errorf("caption %q; want %q", c.Caption, want)
	}
	if want := []float64{3, 2, 4}; !slices.Equal(c.Series[0].Y, want) || c.Y.Unit != "kJ" || !c.X.Log || c.Y.Log {
		t.Errorf("%v %s; want %v kJ over logarithmic processes", c.Series[0].Y, c.Y.Unit, want)
	}
	if got, want := BillChart("Cost", "cost of a run", "EUR", []Bill{{"a", []float64{1}, []float64{5}}}).Caption, "The least is 5 EUR on 1 process."; got != want {
		t.Errorf("caption %q; want %q", got, want)
	}
	d := report.Document{Title: "t", Sections: []report.Section{{Heading: "h", Blocks: []report.Block{c}}}}
	if err := d.Check(); err != nil {
		t.Error(err)
	}
}
