package report

import (
	"fmt"
	"html/template"
	"unicode/utf8"
)

// The views are what the page template reads: texts that are clean but not yet
// escaped, and the few pieces that must not be escaped.

type pageView struct {
	Title, Subtitle string
	Policy          string
	Style           template.CSS
	Library, Script template.JS
	SpaceLibrary    template.JS // empty on a page without surfaces in space
	Licences        []string    // to pass on with it
	Lead            []string
	Facts           []Fact
	Contents        bool
	Folded          bool // the contents show the sections of a part on demand
	Parts           []partView
	Provenance      []Fact
}

// A partView is a run of sections under a heading or, with an empty one, under
// none.
type partView struct {
	Heading  string
	Sections []sectionView
}

type sectionView struct {
	ID, Heading string
	Nested      bool // in a part with a heading
	Text        []string
	Blocks      []blockView
}

// A blockView has one of its fields set, or none where there is nothing to
// show.
type blockView struct {
	Chart *chartView
	Table *tableView
	Notes *notesView
}

type chartView struct {
	ID, Title, Caption string
	Height             int
	Empty              bool // no data: nothing to draw
	Space              bool // drawn in space
	Nested             bool // in a section of a part
	Spec               template.JS
	Data               []tableView
}

type tableView struct {
	Title, Caption string
	Columns        []columnView
	Rows           [][]string
}

type columnView struct {
	Title   string
	Numeric bool
}

// cellClass tells the style sheet how to set a cell: numbers to the right, and
// lines broken only where a cell holds more than a few words.
func cellClass(c columnView, cell string) string {
	const fewWords = 28 // characters
	switch {
	case c.Numeric:
		return "num"
	case utf8.RuneCountInString(cell) > fewWords:
		return "long"
	}
	return ""
}

type notesView struct {
	Title, Class string
	Items        []string
}

// contentsFrom is the number of sections that makes a table of contents worth
// its space.
const contentsFrom = 4

// foldedFrom is the number of sections from which the contents show the parts
// only, until the reader opens one.
const foldedFrom = 20

func viewPage(d *Document) (*pageView, error) {
	v := &pageView{
		Title:      clean(d.Title),
		Subtitle:   clean(d.Subtitle),
		Lead:       cleanAll(d.Lead),
		Facts:      cleanFacts(d.Facts),
		Contents:   len(d.Sections) >= contentsFrom,
		Folded:     len(d.Sections) >= foldedFrom,
		Provenance: cleanFacts(d.Provenance),
	}
	blocks := 0
	for i, s := range d.Sections {
		section := sectionView{
			ID:      fmt.Sprintf("section-%d", i+1),
			Heading: clean(s.Heading),
			Nested:  s.Part != "",
			Text:    cleanAll(s.Text),
		}
		for _, b := range s.Blocks {
			blocks++
			block, err := b.view(fmt.Sprintf("block-%d", blocks))
			if err != nil {
				return nil, fmt.Errorf("section %q: %w", s.Heading, err)
			}
			if block.Chart != nil {
				block.Chart.Nested = section.Nested
			}
			section.Blocks = append(section.Blocks, block)
		}
		if i == 0 || s.Part != d.Sections[i-1].Part {
			v.Parts = append(v.Parts, partView{Heading: clean(s.Part)})
		}
		part := &v.Parts[len(v.Parts)-1]
		part.Sections = append(part.Sections, section)
	}
	return v, nil
}

// inSpace reports whether the page draws in space.
func (v *pageView) inSpace() bool {
	for _, p := range v.Parts {
		for _, s := range p.Sections {
			for _, b := range s.Blocks {
				if b.Chart != nil && b.Chart.Space {
					return true
				}
			}
		}
	}
	return false
}

func viewChart(id, title, caption string, height int, empty bool, spec *chartSpec, data []tableView) (blockView, error) {
	text, err := spec.encode()
	if err != nil {
		return blockView{}, fmt.Errorf("chart %q: %w", title, err)
	}
	return blockView{Chart: &chartView{
		ID: id, Title: clean(title), Caption: clean(caption),
		Height: height, Empty: empty, Spec: text, Data: data,
	}}, nil
}

func cleanFacts(facts []Fact) []Fact {
	out := make([]Fact, len(facts))
	for i, f := range facts {
		out[i] = Fact{Label: clean(f.Label), Value: clean(f.Value), Note: clean(f.Note)}
	}
	return out
}
