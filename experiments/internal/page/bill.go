package page

import (
	"fmt"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/report"
)

// A Bill is what a run costs, in energy, money or a product with its time, over the
// number of processes.
type Bill struct {
	Name      string // of the curve
	Processes []float64
	Amounts   []float64 // above 0
}

// Add appends a run.
func (b *Bill) Add(processes, amount float64) {
	b.Processes, b.Amounts = append(b.Processes, processes), append(b.Amounts, amount)
}

// BillChart shows bills over the number of processes, and says where the least of each is.
// Every bill has an amount.
func BillChart(title, quantity, unit string, bills []Bill) *report.LineChart {
	var amounts, processes []float64
	for _, b := range bills {
		amounts, processes = append(amounts, b.Amounts...), append(processes, b.Processes...)
	}
	shown := Display(unit, amounts...)
	c := &report.LineChart{
		Title: title,
		X:     report.Axis{Title: "processes", Unit: report.Dimensionless, Log: Wide(processes)},
		Y:     report.Axis{Title: quantity, Unit: shown.Unit, Log: Wide(shown.All(amounts))},
	}
	var least []string
	for _, b := range bills {
		c.Series = append(c.Series, report.Series{Name: b.Name, Colour: b.Name, X: b.Processes, Y: shown.All(b.Amounts)})
		at := slices.Index(b.Amounts, slices.Min(b.Amounts))
		text := fmt.Sprintf("%.4g %s on %s", b.Amounts[at]*shown.Factor, shown.Unit, input.ProcessCount(int(b.Processes[at])))
		if len(bills) > 1 {
			text += " for " + b.Name
		}
		least = append(least, text)
	}
	c.Caption = "The least is " + strings.Join(least, ", ") + "."
	return c
}
