package chart

import (
	"errors"
	"fmt"
	"reflect"
)

// A Document is a report from its title to its provenance. All text is plain
// text: it is escaped, never read as markup.
type Document struct {
	Title      string    // what was studied; required
	Subtitle   string    // one line below the title
	Lead       []string  // paragraphs: the answer first, in plain words
	Facts      []Fact    // the 3 to 6 numbers of the answer, shown as tiles
	Sections   []Section // with a table of contents from 4 sections on
	Provenance []Fact    // version, inputs, seed: the table at the end
}

// A Fact is a value with its name.
type Fact struct {
	Label string
	Value string // with its unit
	Note  string // how to read it; may be empty
}

// A Section is a heading with paragraphs and, below them, blocks.
type Section struct {
	Heading string // required

	// Part names the part of the document that the section is in. Sections of the
	// same part follow each other: the page shows the name once, above the first
	// of them, and the table of contents lists them under it. Empty: no part.
	Part string

	Text   []string
	Blocks []Block
}

// A Block is one of *Table, *LineChart, *BarChart, *ScatterChart, *Tornado,
// *HeatMap, *Surface, *Slices, *Surface3D, *Parallel, *Timeline, *Network and *Notes: who shows a document knows them all.
type Block interface {
	check(at place)
}

// Check returns nil for a document that can be shown, and otherwise an error that
// lists every problem with its section, chart and series.
func (d *Document) Check() error {
	var found []error
	at := place{path: "report: ", found: &found}
	if d == nil {
		at.reportf("document is nil")
		return errors.Join(found...)
	}
	at.checkPresent("title", d.Title)
	parts := make(map[string]bool)
	for i, s := range d.Sections {
		here := at.in("section", s.Heading)
		if s.Heading == "" {
			here = at.in(fmt.Sprintf("section %d", i+1), "")
			here.checkPresent("heading", s.Heading)
		}
		if s.Part != "" && (i == 0 || s.Part != d.Sections[i-1].Part) {
			if parts[s.Part] {
				here.reportf("part %q was left before; expected its sections one after another", shorten(s.Part, 60))
			}
			parts[s.Part] = true
		}
		for k, b := range s.Blocks {
			if b == nil {
				here.reportf("block %d is nil", k+1)
			} else if v := reflect.ValueOf(b); v.IsNil() {
				here.reportf("block is a nil *%s", v.Type().Elem().Name())
			} else {
				b.check(here)
			}
		}
	}
	return errors.Join(found...)
}
