package measuredreport

import (
	"fmt"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/metric/measured"
	"github.com/isoscale/isoscale/experiments/internal/page"
	"github.com/isoscale/isoscale/experiments/report"
)

// bills has charts over processes of what a run of one size costs: money, energy, and
// energy times time. It is empty if no size has two costs.
func (r Answer) bills() []report.Section {
	curves, _ := r.strong()
	s := report.Section{
		Heading: "Cost of a run over processes",
		Text:    []string{"Of one run of the same size, as measured."},
	}
	for _, x := range []struct {
		title, quantity, unit string
		explained             string
		of                    func(p *measured.Point) *float64
	}{
		{"Money over processes", "cost of a run", page.Unit(r.Currency), "", func(p *measured.Point) *float64 { return p.Cost }},
		{"Energy over processes", "energy of a run", "J", "", func(p *measured.Point) *float64 { return p.Energy }},
		{"Energy-delay product over processes", "energy times time of a run", "J s", " The product of energy and time weighs both: it falls as long as more processes shorten the time by a larger factor than that by which they raise the energy.", func(p *measured.Point) *float64 {
			if p.Energy == nil {
				return nil
			}
			product := *p.Energy * p.Time
			return &product
		}},
	} {
		if c := billChart(x.title, x.quantity, x.unit, curves, x.of); c != nil {
			s.Blocks = append(s.Blocks, c)
			s.Text[0] += x.explained
		}
	}
	if len(s.Blocks) == 0 {
		return nil
	}
	return []report.Section{s}
}

// billChart leaves out curves with fewer than two costs, and is nil without others.
func billChart(title, quantity, unit string, curves []curve, of func(p *measured.Point) *float64) *report.LineChart {
	var bills []page.Bill
	for _, c := range curves {
		b := page.Bill{Name: c.name}
		for _, at := range c.points {
			if v := of(at.point); shown(v) {
				b.Add(float64(at.system.Processes), *v)
			}
		}
		if len(b.Amounts) > 1 {
			bills = append(bills, b)
		}
	}
	if len(bills) == 0 {
		return nil
	}
	left := max(0, len(bills)-mostCurves)
	chart := page.BillChart(title, quantity, unit, bills[:len(bills)-left])
	if left > 0 {
		chart.Caption += fmt.Sprintf(" %s more in the table of points.", input.Plural(left, "curve"))
	}
	return chart
}
