package html

import (
	"encoding/json"
	"os"

	"github.com/isoscale/isoscale/experiments/internal/chart"
)

// scene is a document of testdata. "sample" resembles a real report with numbers that mean nothing: iso-solving and
// time splits of five systems, a map of links with names of many lengths, a surface with every kind of mark up to its
// edges, another in space with two tops, one of them cut by points without a value, offers over cost and time with
// their front, 54 configurations of four factors. "crowded" has what strains a layout: nine long names in a legend,
// long numbers at the end of an axis, tall bars with their values, and maps of seven decades with named levels. "small"
// has one block of each kind, "sparse" charts with too little in them or with numbers that strain the axes.
func scene(name string) *chart.Document {
	var read struct {
		chart.Document
		Sections []struct {
			chart.Section
			Blocks []struct {
				Chart *chart.Named
				Table *chart.Table
				Notes *chart.Notes
			}
		}
	}
	text, err := os.ReadFile("testdata/" + name + ".json")
	if err == nil {
		err = json.Unmarshal(text, &read)
	}
	if err != nil { // the file is part of the tests
		panic(err)
	}
	for _, s := range read.Sections {
		for _, b := range s.Blocks {
			switch {
			case b.Chart != nil:
				s.Section.Blocks = append(s.Section.Blocks, b.Chart.Block)
			case b.Table != nil:
				s.Section.Blocks = append(s.Section.Blocks, b.Table)
			default:
				s.Section.Blocks = append(s.Section.Blocks, b.Notes)
			}
		}
		read.Document.Sections = append(read.Document.Sections, s.Section)
	}
	return &read.Document
}

// blockOf is the first block of a type in a document.
func blockOf[B chart.Block](d *chart.Document) B {
	for _, s := range d.Sections {
		for _, b := range s.Blocks {
			if b, ok := b.(B); ok {
				return b
			}
		}
	}
	panic("the document has no such block")
}

// documentOf has one section with some blocks.
func documentOf(blocks ...chart.Block) *chart.Document {
	return &chart.Document{Title: "D", Sections: []chart.Section{{Heading: "S", Blocks: blocks}}}
}
