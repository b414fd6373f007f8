package whatif

// A Ranking is a table of machines that the page ranks again.
type Ranking struct {
	Terms    Terms
	Machines []Machine // in any order, at least 1

	// Planned is the ranking as planned, the best machine of each design: the index of a
	// machine and what the page computes, which is score, relative, price, cost over the
	// years, cost of a year, cost of a job (0: not known) and energy of a year in kWh.
	Planned [][8]float64
}

// Terms are what the costs of machines follow from. All prices are in one
// currency.
type Terms struct {
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

	// WorkTime is how many seconds of a year a machine may work, where Machine.Score is the time
	// of a year's work and the waits of jobs do not decide: then the page can rank for other
	// numbers of runs, all in proportion. Else it is 0.
	WorkTime float64 `json:"work_time"`
	// Throughput is the index of the throughput among the cells of machines, before those of
	// waits; 0 where there are none.
	Throughput int `json:"throughput"`
}

// A Machine is a machine that may be bought. What is there before the purchase is not counted.
type Machine struct {
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
