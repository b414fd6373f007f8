package chart

// checkRanking checks the machines of a table that the page ranks again.
func (table *Table) checkRanking(at place) {
	m := table.Ranking
	t := &m.Terms
	if len(m.Machines) == 0 {
		at.reportf("has no machines; expected at least 1")
	}
	for _, x := range m.Planned {
		if i := int(x[0]); i < 0 || i >= len(m.Machines) {
			at.reportf("has a row of machine %d; expected an index into %d machines", i, len(m.Machines))
		}
		for _, value := range x {
			at.checkNumber("planned value", value, false)
		}
	}
	if len(t.NodePrices) != len(t.Nodes) || len(t.NetworkTerms) != len(t.Networks) {
		at.reportf("has prices of %d node types of %d and of %d networks of %d; expected those of all", len(t.NodePrices), len(t.Nodes), len(t.NetworkTerms), len(t.Networks))
	}
	if !(t.Years > 0) || !(t.Overhead >= 1) || !(t.Scale > 0) {
		at.reportf("has %v years, overhead %v and scale %v; expected more than 0, at least 1 and more than 0", t.Years, t.Overhead, t.Scale)
	}
	for _, x := range m.Machines {
		here := at.in("machine", x.Name)
		here.checkPresent("name", x.Name)
		here.checkPresent("design", x.Design)
		if len(x.Nodes) != len(t.Nodes) || len(x.Cells) != len(table.Columns) || x.Network < 0 ||
			x.Network >= len(t.Networks) {
			here.reportf("has %d numbers of nodes, %d cells and network %d; expected %d, %d and an index below %d", len(x.Nodes), len(x.Cells), x.Network, len(t.Nodes), len(table.Columns), len(t.Networks))
		}
		for _, n := range []struct {
			what  string
			value float64
		}{{"racks", x.Racks}, {"once", x.Once}, {"power", x.Power}, {"draw", x.Draw},
			{"rack units", x.RackUnits}, {"score", x.Score}, {"jobs", x.Jobs}} {
			here.checkNumber(n.what, n.value, false)
		}
	}
}

// A Ranking is a table of machines that the page ranks again, with what follows from it: what a
// machine does, draws and consists of, and the prices, rates and limits. The sums are those of
// package buy/model, and page/html/assets/machines.js does them in the same order. Money is in the
// currency of the terms, power in W, times in s.
type Ranking struct {
	Terms    RankingTerms
	Machines []RankedMachine // in any order, at least 1

	// Planned is the ranking as planned, the best machine of each design: the index of a
	// machine and what the page computes, which is score, relative, price, cost over the
	// years, cost of a year, cost of a job (0: not known) and energy of a year in kWh.
	Planned [][8]float64
}

// RankingTerms are what the costs of machines follow from. All prices are in one
// currency.
type RankingTerms struct {
	Currency     string       `json:"currency"`
	Nodes        []string     `json:"nodes"` // types
	NodePrices   []float64    `json:"node_prices"`
	Networks     []string     `json:"networks"`
	NetworkTerms [][3]float64 `json:"network_prices"` // of a port, of a switch, of a cable between switches

	EnergyPrice float64   `json:"energy_price"` // of a kilowatt hour in the first year
	Growth      float64   `json:"growth"`       // of that price a year
	Path        []float64 `json:"path"`         // that price by year over that of the first, in place of growth; the last holds for all that follow
	Overhead    float64   `json:"overhead"`     // energy drawn over energy of the machine, at least 1
	Years       float64   `json:"years"`        // of operation, above 0
	Discount    float64   `json:"discount"`     // rate a year
	VAT         float64   `json:"vat"`          // as a fraction, on all but staff
	Maintenance float64   `json:"maintenance"`  // a year, as a fraction of the price of nodes and network
	Staff       float64   `json:"staff"`        // a year
	Fixed       float64   `json:"fixed"`        // other costs of a year

	Money     float64 `json:"money"`      // limit of the price; 0 for none, as those that follow
	Power     float64 `json:"power"`      // limit in W under load, without overhead
	RackUnits float64 `json:"rack_units"` // limit of space
	Life      bool    `json:"life"`       // the limit of money is one of the cost over the years

	ByCost    bool    `json:"by_cost"`    // machines are ranked by what the limit of money counts, else by Score
	Tolerance float64 `json:"tolerance"`  // of the score, within which the cheapest machine is recommended
	Score     string  `json:"score"`      // what Machine.Score is: less is better
	ScoreUnit string  `json:"score_unit"` // in the table
	Scale     float64 `json:"scale"`      // what Machine.Score is divided by in the table, above 0
}

// A RankedMachine is a machine that may be bought. What is there before the purchase is not counted.
type RankedMachine struct {
	Name, Design            string
	Nodes                   []int // that are bought, of each type of the terms
	Network                 int   // index into the networks of the terms
	Ports, Switches, Cables int
	Racks, Once             float64 // what else is paid once, without tax
	Power, Draw, Idle       float64 // W without overhead: under load; mean over the years; without work
	RackUnits               float64
	Score                   float64
	Jobs                    float64 // done in a year; 0 if they are not counted
	Cells                   []string
}
