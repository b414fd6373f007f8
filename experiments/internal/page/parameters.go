package page

import (
	"fmt"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/model/units"
)

// ParameterSection lists parameters below a text; those in fitted are marked.
func ParameterSection(facts []input.Parameter, fitted []string, text ...string) report.Section {
	t := &report.Table{Title: "Parameters", Columns: []report.Column{{Title: "parameter"}, {Title: "value"}, {Title: "from"}}}
	for _, f := range facts {
		note := f.Note
		for _, p := range fitted {
			if p == f.Name || len(p) > len(f.Name) && p[:len(f.Name)+1] == f.Name+"." {
				note = "fitted"
			}
		}
		t.Rows = append(t.Rows, []string{f.Name, f.Value, note})
	}
	return report.Section{Heading: "Parameters", Text: text, Blocks: []report.Block{t}}
}

// WarningSection lists warnings.
func WarningSection(warnings []string) report.Section {
	if len(warnings) == 0 {
		return report.Section{Heading: "Warnings", Text: []string{"None."}}
	}
	return report.Section{Heading: "Warnings", Blocks: []report.Block{&report.Notes{Warning: true, Items: warnings}}}
}

// ProvenanceFacts returns a provenance as the table at the end of a report.
func ProvenanceFacts(p input.Provenance) []report.Fact {
	facts := []report.Fact{
		{Label: "isoscale", Value: p.Version, Note: p.Revision},
		{Label: "command", Value: p.Command},
	}
	for _, in := range p.Inputs {
		facts = append(facts, report.Fact{Label: "input", Value: in.File, Note: "SHA-256 " + in.SHA256})
	}
	for _, o := range p.Overrides {
		facts = append(facts, report.Fact{Label: "--set", Value: o.Path + "=" + o.Value})
	}
	return append(facts,
		report.Fact{Label: "seed", Value: fmt.Sprint(p.Seed)},
		report.Fact{Label: "simulations", Value: fmt.Sprint(p.Simulations)},
		report.Fact{Label: "events", Value: fmt.Sprint(p.Events)},
		report.Fact{Label: "wall time", Value: units.Seconds(p.WallSeconds).String()})
}
