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
	Lead            []string
	Facts           []Fact
	Contents        bool
	Sections        []sectionView
	Provenance      []Fact
}

type sectionView struct {
	ID, Heading string
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

func viewPage(d *Document) (*pageView, error) {
	v := &pageView{
		Title:      clean(d.Title),
		Subtitle:   clean(d.Subtitle),
		Lead:       cleanAll(d.Lead),
		Facts:      cleanFacts(d.Facts),
		Contents:   len(d.Sections) >= contentsFrom,
		Provenance: cleanFacts(d.Provenance),
	}
	blocks := 0
	for i, s := range d.Sections {
		section := sectionView{
			ID:      fmt.Sprintf("section-%d", i+1),
			Heading: clean(s.Heading),
			Text:    cleanAll(s.Text),
		}
		for _, b := range s.Blocks {
			blocks++
			block, err := b.view(fmt.Sprintf("block-%d", blocks))
			if err != nil {
				return nil, fmt.Errorf("section %q: %w", s.Heading, err)
			}
			section.Blocks = append(section.Blocks, block)
		}
		v.Sections = append(v.Sections, section)
	}
	return v, nil
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
