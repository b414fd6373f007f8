package chart

// checkRanking checks the machines of a table that the page sorts and filters.
func (table *Table) checkRanking(at place) {
	r := table.Ranking
	if len(r.Machines) == 0 {
		at.reportf("has no machines; expected at least 1")
	}
	for _, i := range append([]int{r.Recommended}, r.Listed...) {
		if i < 0 || i >= len(r.Machines) {
			at.reportf("names machine %d; expected an index into %d machines", i, len(r.Machines))
		}
	}
	if !(r.Scale > 0) {
		at.reportf("has scale %v; expected more than 0", r.Scale)
	}
	for i := range r.Machines {
		x := &r.Machines[i]
		here := at.in("machine", x.Name)
		here.checkPresent("name", x.Name)
		here.checkPresent("design", x.Design)
		if len(x.Cells) != len(table.Columns) || x.Network < 0 || x.Network >= len(r.Networks) {
			here.reportf("has %d cells and network %d; expected %d and an index below %d", len(x.Cells), x.Network,
				len(table.Columns), len(r.Networks))
		}
		for _, t := range x.Types {
			if t < 0 || t >= len(r.Types) {
				here.reportf("has nodes of type %d; expected an index below %d", t, len(r.Types))
			}
		}
		for _, figure := range x.Figures() {
			if figure != nil {
				here.checkNumber("figure", *figure, false)
			}
		}
	}
}

// A Ranking is a table of machines that the page sorts and filters. It computes nothing: other prices or limits need
// a new search.
type Ranking struct {
	Currency  string
	Score     string  // what the score of a machine is: less is better
	ScoreUnit string  // in the table
	Scale     float64 // what scores are divided by in the table, above 0

	Types, Networks []string        // what machines are made of
	Machines        []RankedMachine // the best first, at least 1
	Recommended     int             // index of a machine
	Listed          []int           // indices of those that a page without scripts shows
}

// A RankedMachine is a machine that may be bought. What is there before the purchase is not counted.
type RankedMachine struct {
	Name, Design string
	Types        []int // of its nodes that are bought: indices into those of the ranking
	Network      int   // index into the networks of the ranking

	Score      float64
	Relative   *float64 // to the best; nil if that is 0
	Price      float64
	Life, Year float64  // costs: over the years, and of a year
	Job        *float64 // cost of one; nil if jobs are not counted
	Energy     float64  // of a year, in kWh

	Cells []string
}

// Figures are what a table of machines shows of one, in order.
func (m *RankedMachine) Figures() []*float64 {
	return []*float64{&m.Score, m.Relative, &m.Price, &m.Life, &m.Year, m.Job, &m.Energy}
}
