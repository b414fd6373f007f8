package html

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/isoscale/isoscale/experiments/internal/chart"
)

// A firstScreen is what the reader sees before scrolling: the answer as headline below the name of what was studied,
// the first chart of the document, which is moved here from its section, and the numbers of the answer.
type firstScreen struct {
	Headline string // the first paragraph of the lead, or the title if that is missing or too long
	Named    string // what was studied, above the headline; empty if it is the headline
	Main     *blockView
	Tiles    []chart.Fact // at most mostTiles
	More     []chart.Fact // the remaining ones, as a list
	Rows     []chart.Fact // instead of both: facts with bars
	Lead     []string     // what the headline leaves out
}

const (
	mostTiles    = 4
	mostHeadline = 180 // characters
)

// compose makes the first screen of a page, and takes its chart out of the parts. A document whose facts have bars, or
// whose first section is a part of a book, keeps its charts in place.
func compose(d *chart.Document, parts []partView) (firstScreen, []partView) {
	f := firstScreen{Headline: d.Title, Lead: d.Lead}
	titled := len(f.Lead) > 0 && f.Lead[0] == d.Title // as a caller may have set it
	if titled {
		f.Lead = f.Lead[1:]
	}
	if !titled && len(f.Lead) > 0 && utf8.RuneCountInString(f.Lead[0]) <= mostHeadline {
		f.Headline, f.Named, f.Lead = strings.TrimSuffix(f.Lead[0], "."), d.Title, f.Lead[1:]
	}
	if slices.ContainsFunc(d.Facts, func(x chart.Fact) bool { return len(x.Bars) > 0 }) {
		f.Rows = d.Facts
		return f, parts
	}
	f.Tiles, f.More = d.Facts[:min(mostTiles, len(d.Facts))], d.Facts[min(mostTiles, len(d.Facts)):]
	if len(parts) == 0 || parts[0].Heading != "" {
		return f, parts
	}
	for i, s := range parts[0].Sections {
		at := slices.IndexFunc(s.Blocks, blockView.draws)
		if at < 0 {
			continue
		}
		f.Main = &s.Blocks[at]
		f.Main.under("")
		rest := slices.Delete(slices.Clone(s.Blocks), at, at+1)
		sections := slices.Clone(parts[0].Sections)
		sections[i].Blocks = rest
		if len(rest) == 0 && len(s.Text) == 0 {
			sections = slices.Delete(sections, i, i+1)
		}
		parts = slices.Clone(parts)
		parts[0].Sections = sections
		break
	}
	return f, parts
}

// draws reports whether a block shows a picture.
func (b blockView) draws() bool {
	return b.Chart != nil && !b.Chart.Empty || b.Slices != nil || b.Picture != nil && b.Picture.Kind == "timeline"
}

// under records whether the title of a block repeats the heading of its section.
func (b *blockView) under(heading string) {
	same := func(title string) bool {
		return strings.EqualFold(strings.TrimSpace(title), strings.TrimSpace(heading))
	}
	switch {
	case b.Chart != nil:
		b.Chart.Repeats = same(b.Chart.Title)
	case b.Picture != nil:
		b.Picture.Repeats = same(b.Picture.Title)
	case b.Table != nil:
		b.Repeats = same(b.Table.Title)
	case b.Notes != nil:
		b.Repeats = same("Notes") || b.Notes.Warning && same("Warnings")
	}
}
