package overlay

import (
	"fmt"

	"github.com/isoscale/isoscale/experiments/report"
)

// Document shows two results in one picture for each chart, with the ratio below it.
// sources are where the results come from.
func (o Overlay) Document(names, sources [2]string) *report.Document {
	both := report.Section{Heading: "Charts"}
	for _, c := range o.Charts() {
		both.Blocks = append(both.Blocks, c.Block)
	}
	d := &report.Document{
		Title: names[0] + " and " + names[1],
		Lead: []string{fmt.Sprintf("Curves of %s are dashed, those of %s are not. Below each chart is the ratio %s / %s at each point that both have; nothing is interpolated.",
			names[1], names[0], names[1], names[0])},
		Sections: []report.Section{both},
	}
	if len(o.Notes) > 0 {
		d.Sections = append(d.Sections, report.Section{Heading: "Left out", Blocks: []report.Block{&report.Notes{Items: o.Notes}}})
	}
	for i, name := range names {
		d.Provenance = append(d.Provenance, report.Fact{Label: name, Value: sources[i]})
	}
	return d
}
