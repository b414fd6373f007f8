package html

import (
	"encoding/json"
	"fmt"
	"html/template"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/isoscale/isoscale/experiments/internal/chart"
)

// The views are the data of the page template: texts that are clean but not yet
// escaped, and the few parts that must not be escaped.

type pageView struct {
	Title, Subtitle string
	Policy          string
	Style           template.CSS
	Loader          template.JS
	SliceScript     template.JS // empty on a page without sliders
	MachineScript   template.JS // empty on a page without machines
	Packed          []packed    // in the order in which they run
	charts          packed      // the specifications of all charts, by their identifiers
	Credit          bool        // there is the chart library
	Licences        []string    // to pass on with the library for charts in space
	Lead            []string
	Facts           []chart.Fact
	Contents        bool
	Folded          bool // the contents show the sections of a part on demand
	Parts           []partView
	Provenance      []chart.Fact
}

// A partView is a sequence of sections under a heading; an empty heading is not
// shown.
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
	Chart    *chartView
	Picture  *pictureView
	Table    *tableView
	Notes    *notesView
	Slices   *slicesView
	Machines *machinesView
}

type chartView struct {
	ID, Title, Caption string
	Height             int
	Empty              bool          // no data: nothing to draw
	Space              bool          // drawn in space
	Nested             bool          // in a section of a part
	Wide, Narrow       template.HTML // drawings
	Live               bool          // there is an interactive form, too
	chart              chart.Chart
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
	Sizes   []string // as in chart.Column; such columns are numeric too
}

// Class is for a table of mostly numbers, so that its cells need no class each: it names the
// columns that are none. It is empty for others.
func (t tableView) Class() string {
	class, numbers := "numbers", 0
	for i, c := range t.Columns {
		switch {
		case c.Numeric && c.Sizes == nil:
			numbers++
		case i < mostTextColumns && c.Sizes == nil:
			class += fmt.Sprintf(" text-%d", i+1)
		default:
			return ""
		}
	}
	if 2*numbers < len(t.Columns) || numbers == 0 {
		return ""
	}
	return class
}

// mostTextColumns is up to which column the style sheet knows columns of text in a table
// of numbers.
const mostTextColumns = 4

// cellClass tells the style sheet how to set a cell of a table of a class: numbers to the
// right, sizes with a mark, and lines broken only where a cell holds more than a few words.
func cellClass(table string, c columnView, cell string) string {
	const fewWords = 28 // characters
	switch {
	case c.Sizes != nil:
		size, _ := chart.Column{Sizes: c.Sizes}.Size(cell) // the document was checked
		return fmt.Sprintf("num size size-%d", size)
	case c.Numeric && table != "":
		return ""
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

// contentsFrom is the number of sections from which a page has a table of contents.
const contentsFrom = 4

// foldedFrom is the number of sections from which the contents show only the parts
// until the reader opens one.
const foldedFrom = 20

func viewPage(d *chart.Document, interactive bool) (*pageView, error) {
	v := &pageView{
		Title:      chart.Clean(d.Title),
		Subtitle:   chart.Clean(d.Subtitle),
		Lead:       chart.CleanAll(d.Lead),
		Facts:      cleanFacts(d.Facts),
		Contents:   len(d.Sections) >= contentsFrom,
		Folded:     len(d.Sections) >= foldedFrom,
		Provenance: cleanFacts(d.Provenance),
	}
	blocks, specs := 0, map[string]json.RawMessage{}
	start := func(c *chartView) (err error) {
		if c.Live = interactive && !c.Empty; c.Live {
			specs[c.ID], err = chart.InteractiveOf(c.chart)
			c.Narrow = "" // a phone starts the chart
		}
		return err
	}
	for i, s := range d.Sections {
		section := sectionView{
			ID:      fmt.Sprintf("section-%d", i+1),
			Heading: chart.Clean(s.Heading),
			Nested:  s.Part != "",
			Text:    chart.CleanAll(s.Text),
		}
		for k, b := range s.Blocks {
			if k > 0 && !interactive && chart.SameMap(s.Blocks[k-1], b) {
				continue
			}
			blocks++
			block, err := viewOf(fmt.Sprintf("block-%d", blocks), b)
			if err != nil {
				return nil, fmt.Errorf("section %q: %w", s.Heading, err)
			}
			live := []*chartView{}
			if block.Chart != nil {
				block.Chart.Nested = section.Nested
				live = append(live, block.Chart)
			}
			if block.Slices != nil {
				if !interactive {
					block.Slices.still()
				}
				for _, one := range block.Slices.Charts {
					if one.Chart != nil {
						live = append(live, one.Chart)
					}
				}
			}
			for _, c := range live {
				if err := start(c); err != nil {
					return nil, fmt.Errorf("section %q: %w", s.Heading, err)
				}
			}
			if block.Picture != nil {
				block.Picture.Nested, block.Picture.Live = section.Nested, interactive
			}
			if block.Machines != nil && !interactive {
				block.Machines.Live = nil
			}
			section.Blocks = append(section.Blocks, block)
		}
		if i == 0 || s.Part != d.Sections[i-1].Part {
			v.Parts = append(v.Parts, partView{Heading: chart.Clean(s.Part)})
		}
		part := &v.Parts[len(v.Parts)-1]
		part.Sections = append(part.Sections, section)
	}
	charts, err := json.Marshal(specs)
	v.charts = pack("charts", string(charts))
	return v, err
}

// viewOf makes the view of a block. The identifier is for charts.
func viewOf(id string, b chart.Block) (blockView, error) {
	switch b := b.(type) {
	case *chart.Table:
		if b.Ranking != nil {
			return ranking{b}.view(id)
		}
		v := viewTable(b)
		return blockView{Table: &v}, nil
	case *chart.Timeline:
		return viewTimeline(id, b)
	case *chart.Network:
		return viewNetwork(id, b)
	case *chart.Slices:
		return viewSlices(id, b)
	case *chart.Notes:
		return viewNotes(b), nil
	case chart.Chart:
		v, err := viewChart(id, b)
		return blockView{Chart: v}, err
	}
	panic(fmt.Sprintf("report: a %T has no view", b)) // all kinds are in one package, and above
}

// has reports whether the page has a block of a kind.
func (v *pageView) has(kind func(blockView) bool) bool {
	return slices.ContainsFunc(v.Parts, func(p partView) bool {
		return slices.ContainsFunc(p.Sections, func(s sectionView) bool { return slices.ContainsFunc(s.Blocks, kind) })
	})
}

func hasSlices(b blockView) bool { return b.Slices != nil }

// isChart reports whether a block has something to draw.
func isChart(b blockView) bool { return b.Chart != nil && !b.Chart.Empty || b.Slices != nil }

func inSpace(b blockView) bool { return b.Chart != nil && b.Chart.Space }

func hasSizes(b blockView) bool {
	return b.Table != nil && slices.ContainsFunc(b.Table.Columns, func(c columnView) bool { return c.Sizes != nil })
}

func hasMixtures(b blockView) bool {
	if b.Slices != nil {
		return slices.ContainsFunc(b.Slices.Charts, func(s sliceView) bool { return hasMixtures(blockView{Chart: s.Chart}) })
	}
	return b.Chart != nil && chart.HasMixtures(string(b.Chart.Wide))
}

// Sizes of the drawings of a chart on a wide page and on a phone, in CSS pixels.
const (
	drawnWide   = 800
	drawnNarrow = 358
	drawnText   = 13
)

// viewChart makes the view of a chart: its drawings for a reader without scripts and
// for print, and what the script needs to replace them.
func viewChart(id string, c chart.Chart) (*chartView, error) {
	title, caption := chart.Words(c)
	_, space := c.(*chart.Surface3D)
	v := &chartView{ID: id, Title: title, Caption: caption, Height: chart.Pixels(c), Empty: !chart.Drawable(c), Space: space, chart: c}
	for _, t := range chart.Tables(c) {
		v.Data = append(v.Data, viewTable(t))
	}
	if v.Empty {
		return v, nil
	}
	for _, d := range []struct {
		to    *template.HTML
		width float64
		names string
	}{{&v.Wide, drawnWide, id + "-wide-"}, {&v.Narrow, drawnNarrow, id + "-narrow-"}} {
		var drawing strings.Builder
		if err := chart.InPage(&drawing, c, chart.Style{Width: d.width, Height: float64(v.Height), Size: drawnText, Names: d.names}); err != nil {
			return nil, fmt.Errorf("chart %q: %w", title, err)
		}
		*d.to = template.HTML(drawing.String())
	}
	return v, nil
}

func cleanFacts(facts []chart.Fact) []chart.Fact {
	out := make([]chart.Fact, len(facts))
	for i, f := range facts {
		out[i] = chart.Fact{Label: chart.Clean(f.Label), Value: chart.Clean(f.Value), Note: chart.Clean(f.Note)}
	}
	return out
}
