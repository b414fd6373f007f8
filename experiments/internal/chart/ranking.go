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
		if len(x.Nodes) != len(t.Nodes) || len(x.Cells) != len(table.Columns) || x.Network < 0 || x.Network >= len(t.Networks) {
			here.reportf("has %d numbers of nodes, %d cells and network %d; expected %d, %d and an index below %d", len(x.Nodes), len(x.Cells), x.Network, len(t.Nodes), len(table.Columns), len(t.Networks))
		}
		for _, n := range []struct {
			what  string
			value float64
		}{{"racks", x.Racks}, {"once", x.Once}, {"power", x.Power}, {"draw", x.Draw}, {"rack units", x.RackUnits}, {"score", x.Score}, {"jobs", x.Jobs}} {
			here.checkNumber(n.what, n.value, false)
		}
	}
}
