package html

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"sync"

	"github.com/isoscale/isoscale/experiments/internal/chart"
	"github.com/isoscale/isoscale/experiments/internal/chart/pictures"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
)

// machineText sorts and filters the machines of a page.
var machineText = sync.OnceValue(func() string { return bare(pictures.Elements + asset("machines.js")) })

// A machinesView is a table of machines.
type machinesView struct {
	ID    string
	Table *chart.Table
	Live  *packed // JSON for the script; nil on a page without scripts
}

// readable prints a number for a reader: 4 digits, or whole numbers with spaces between thousands.
func readable(x float64) string {
	if math.Abs(x) < 1000 {
		return strconv.FormatFloat(input.Digits(x, 4), 'f', -1, 64)
	}
	return input.Thousands(x)
}

func viewMachines(id string, b *chart.Table, interactive bool) (blockView, error) {
	view := &machinesView{ID: id, Table: listed(b)}
	if !interactive {
		return blockView{Machines: view}, nil
	}
	r := b.Ranking
	data, err := json.Marshal(struct {
		Currency    string   `json:"currency"`
		Scale       float64  `json:"scale"`
		Types       []string `json:"types"`
		Networks    []string `json:"networks"`
		Recommended int      `json:"recommended"`
		Rows        [][]any  `json:"rows"`
	}{r.Currency, r.Scale, r.Types, r.Networks, r.Recommended, machineRows(r.Machines)})
	if err != nil {
		return blockView{}, fmt.Errorf("machines %q: %w", b.Title, err)
	}
	live := pack("", string(data))
	view.Live = &live
	return blockView{Machines: view}, nil
}

// listed returns the table for a page without scripts.
func listed(b *chart.Table) *chart.Table {
	r := b.Ranking
	money := r.Currency
	t := &chart.Table{Title: b.Title, Caption: b.Caption, Columns: append([]chart.Column{{Title: "machine"},
		{Title: r.Score, Unit: r.ScoreUnit, Numeric: true}, {Title: "relative", Numeric: true}, {Title: "price", Unit: money, Numeric: true},
		{Title: "cost over the years", Unit: money, Numeric: true}, {Title: "cost of a year", Unit: money, Numeric: true},
		{Title: "cost of a job", Unit: money, Numeric: true}, {Title: "energy of a year", Unit: "kWh", Numeric: true}}, b.Columns...)}
	for _, i := range r.Listed {
		m := &r.Machines[i]
		relative := "-"
		if m.Relative != nil {
			relative = strconv.FormatFloat(*m.Relative, 'f', 3, 64)
		}
		row := []string{m.Name, readable(m.Score / r.Scale), relative}
		for _, figure := range m.Figures()[2:] {
			if figure == nil {
				row = append(row, "-")
			} else {
				row = append(row, readable(*figure))
			}
		}
		t.Rows = append(t.Rows, append(row, m.Cells...))
	}
	return t
}

// machineRows returns the machines for the script, each as a list in the order in which the script reads it.
func machineRows(machines []chart.RankedMachine) [][]any {
	rows := make([][]any, len(machines))
	for i := range machines {
		x := &machines[i]
		rows[i] = []any{chart.Clean(x.Name), chart.Clean(x.Design), x.Types, x.Network, x.Figures(), chart.CleanAll(x.Cells)}
	}
	return rows
}
