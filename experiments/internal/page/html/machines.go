package html

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"sync"

	"github.com/isoscale/isoscale/experiments/internal/chart"
)

// machineText ranks the machines of a page again.
var machineText = sync.OnceValue(func() string { return bare(asset("download.js") + asset("machines.js")) })

// A machinesView is a table of machines.
type machinesView struct {
	ID    string
	Table *chart.Table
	Live  *whatIfView // nil on a page without scripts
}

// A whatIfView is what a reader can change of a table of machines.
type whatIfView struct {
	Sliders []step
	Goals   []string // what may decide; the first as planned
	Data    packed   // JSON, for the script
}

// A step is a slider that changes a term by equal steps from its planned value, at 0.
// Its value is start (1 + step k) after k steps, or start + step k.
type step struct {
	ID      string `json:"-"`
	Control string `json:"-"` // its key on the page
	Name    string `json:"-"`
	Least   int    `json:"-"`
	Most    int    `json:"-"`

	Key    string  `json:"key"` // of the term, where it is not that on the page
	At     int     `json:"at"`  // index, of a list
	Start  float64 `json:"start"`
	Step   float64 `json:"step"`
	Adds   bool    `json:"adds"`   // start + step k
	Factor float64 `json:"factor"` // of the value that the reader sees
	Unit   string  `json:"unit"`
}

// Text is the planned value as the reader sees it.
func (s step) Text() string { return readable(s.Start*s.Factor) + s.Unit }

// readable prints a number for a reader: 4 digits, or whole ones with spaces between
// thousands.
func readable(x float64) string {
	if math.Abs(x) < 1000 {
		y, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 4, 64), 64)
		return strconv.FormatFloat(y, 'f', -1, 64)
	}
	digits := strconv.FormatFloat(math.Abs(x), 'f', 0, 64)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + " " + digits[i:]
	}
	if x < 0 {
		digits = "-" + digits
	}
	return digits
}

func viewMachines(id string, b *chart.Table, interactive bool) (blockView, error) {
	view := &machinesView{ID: id, Table: cleanTable(planned(b))}
	if !interactive {
		return blockView{Machines: view}, nil
	}
	t := b.Ranking.Terms
	v := new(whatIfView)
	add := func(key, name string, least, most int, x step) {
		x.Key = cmp.Or(x.Key, key)
		x.ID, x.Control, x.Name = fmt.Sprintf("%s-slider-%d", id, len(v.Sliders)+1), key, chart.Clean(name)
		x.Least, x.Most = least, most
		v.Sliders = append(v.Sliders, x)
	}
	money := " " + chart.Clean(t.Currency)
	for i, price := range t.NodePrices {
		if price > 0 {
			add(fmt.Sprintf("node%d", i+1), "price of "+t.Nodes[i], -50, 50,
				step{Key: "node_prices", At: i, Start: price, Step: 0.01, Factor: 1, Unit: money})
		}
	}
	for i := range t.Networks {
		add(fmt.Sprintf("network%d", i+1), "prices of "+t.Networks[i], -50, 50,
			step{Key: "network_prices", At: i, Start: 1, Step: 0.01, Factor: 100, Unit: " %"})
	}
	add("energy_price", "price of a kWh", -20, 40, step{Start: t.EnergyPrice, Step: 0.05, Factor: 1, Unit: money})
	add("overhead", "power with cooling and losses over that without", -int(math.Floor((t.Overhead-1)/0.01+1e-9)), 60,
		step{Start: t.Overhead, Step: 0.01, Adds: true, Factor: 1})
	add("years", "years of operation", -int(math.Ceil(t.Years)-1), 5,
		step{Start: t.Years, Step: 1, Adds: true, Factor: 1})
	add("discount", "discount rate", -int(math.Floor(t.Discount/0.005+1e-9)), 20,
		step{Start: t.Discount, Step: 0.005, Adds: true, Factor: 100, Unit: " %"})
	if t.WorkTime > 0 {
		least := -50
		if t.ByCost || t.Life {
			least = 0 // with less work other machines would be within the limits
		}
		add("work", "runs of a year, of those planned", least, 100,
			step{Start: 1, Step: 0.01, Adds: true, Factor: 100, Unit: " %"})
	}
	for _, limit := range []struct {
		key, name, unit string
		start, factor   float64
	}{{"money", "budget", money, t.Money, 1}, {"power", "limit of power", " kW", t.Power, 0.001},
		{"rack_units", "limit of rack units", "", t.RackUnits, 1}} {
		if limit.start > 0 {
			add(limit.key, limit.name, -60, 0,
				step{Start: limit.start, Step: 0.01, Factor: limit.factor, Unit: limit.unit})
		}
	}
	v.Goals = []string{"as planned: " + chart.Clean(t.Score), "price", "cost over the years", "cost of a job",
		"energy of a year"}
	if t.ByCost {
		v.Goals[0] = "as planned: price"
		if t.Life {
			v.Goals[0] = "as planned: cost over the years"
		}
	}
	data, err := json.Marshal(struct {
		Terms   chart.RankingTerms `json:"terms"`
		Sliders []step             `json:"sliders"`
		Rows    [][]any            `json:"rows"`
	}{t, v.Sliders, machineRows(b.Ranking.Machines)})
	if err != nil {
		return blockView{}, fmt.Errorf("machines %q: %w", b.Title, err)
	}
	v.Data = pack("", string(data))
	view.Live = v
	return blockView{Machines: view}, nil
}

// planned is the ranking as planned.
func planned(b *chart.Table) *chart.Table {
	terms := &b.Ranking.Terms
	money := terms.Currency
	t := &chart.Table{Title: b.Title, Caption: b.Caption, Columns: append([]chart.Column{{Title: "machine"},
		{Title: terms.Score, Unit: terms.ScoreUnit, Numeric: true}, {Title: "relative", Numeric: true}, {Title: "price", Unit: money, Numeric: true},
		{Title: "cost over the years", Unit: money, Numeric: true}, {Title: "cost of a year", Unit: money, Numeric: true},
		{Title: "cost of a job", Unit: money, Numeric: true}, {Title: "energy of a year", Unit: "kWh", Numeric: true}}, b.Columns...)}
	for _, x := range b.Ranking.Planned {
		m := &b.Ranking.Machines[int(x[0])]
		row := []string{m.Name, readable(x[1] / terms.Scale), strconv.FormatFloat(x[2], 'f', 3, 64)}
		for _, value := range x[3:] {
			row = append(row, readable(value))
		}
		if m.Jobs == 0 {
			row[6] = "-"
		}
		t.Rows = append(t.Rows, append(row, m.Cells...))
	}
	return t
}

// machineRows are the machines for the script, each as a list in the order that it reads.
func machineRows(machines []chart.RankedMachine) [][]any {
	rows := make([][]any, len(machines))
	for i, x := range machines {
		rows[i] = []any{chart.Clean(x.Name), chart.Clean(x.Design), x.Nodes, x.Network, x.Ports, x.Switches, x.Cables,
			x.Racks, x.Once,
			x.Power, x.Draw, x.Idle, x.RackUnits, x.Score, x.Jobs, chart.CleanAll(x.Cells)}
	}
	return rows
}
