package html

import (
	"fmt"
	"html/template"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/isoscale/isoscale/experiments/internal/chart"
	"github.com/isoscale/isoscale/experiments/internal/chart/figure"
	"github.com/isoscale/isoscale/experiments/report"
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
	Facts           []report.Fact
	Contents        bool
	Folded          bool // the contents show the sections of a part on demand
	Parts           []partView
	Provenance      []report.Fact
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
	spec               *chartSpec
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
	Sizes   []string // as in report.Column; such columns are numeric too
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
		size, _ := report.Column{Sizes: c.Sizes}.Size(cell) // the document was checked
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

func viewPage(d *report.Document, interactive bool) (*pageView, error) {
	v := &pageView{
		Title:      chart.Clean(d.Title),
		Subtitle:   chart.Clean(d.Subtitle),
		Lead:       chart.CleanAll(d.Lead),
		Facts:      cleanFacts(d.Facts),
		Contents:   len(d.Sections) >= contentsFrom,
		Folded:     len(d.Sections) >= foldedFrom,
		Provenance: cleanFacts(d.Provenance),
	}
	blocks, specs := 0, make(map[string]*chartSpec)
	start := func(c *chartView) {
		if c.Live = interactive && !c.Empty; c.Live {
			specs[c.ID] = c.spec
			c.Narrow = "" // a phone starts the chart
		}
	}
	for i, s := range d.Sections {
		section := sectionView{
			ID:      fmt.Sprintf("section-%d", i+1),
			Heading: chart.Clean(s.Heading),
			Nested:  s.Part != "",
			Text:    chart.CleanAll(s.Text),
		}
		for k, b := range s.Blocks {
			if k > 0 && !interactive && sameMap(s.Blocks[k-1], b) {
				continue
			}
			blocks++
			block, err := asBlock(b).view(fmt.Sprintf("block-%d", blocks))
			if err != nil {
				return nil, fmt.Errorf("section %q: %w", s.Heading, err)
			}
			if block.Chart != nil {
				block.Chart.Nested = section.Nested
				start(block.Chart)
			}
			if block.Slices != nil {
				if !interactive {
					block.Slices.still()
				}
				for _, one := range block.Slices.Charts {
					if one.Chart != nil {
						start(one.Chart)
					}
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
	charts, err := encode(specs)
	v.charts = pack("charts", charts)
	return v, err
}

// A block is a block of a document that can make its view. The identifier is for
// charts.
type block interface {
	view(id string) (blockView, error)
}

func asBlock(b report.Block) block {
	switch b := b.(type) {
	case *report.Table:
		if b.Ranking != nil {
			return ranking{b}
		}
		return table{b}
	case *report.LineChart:
		return lineChart{b}
	case *report.BarChart:
		return barChart{b}
	case *report.ScatterChart:
		return scatterChart{b}
	case *report.Tornado:
		return tornado{b}
	case *report.HeatMap:
		return heatMap{b}
	case *report.Surface:
		return surface{b}
	case *report.Surface3D:
		return surface3D{b}
	case *report.Parallel:
		return parallel{b}
	case *report.Timeline:
		return timelinePicture{b}
	case *report.Network:
		return networkPicture{b}
	case *report.Slices:
		return slicesBlock{b}
	case *report.Notes:
		return notes{b}
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
	return b.Chart != nil && figure.HasMixtures(string(b.Chart.Wide))
}

// Sizes of the drawings of a chart on a wide page and on a phone, in CSS pixels.
const (
	drawnWide   = 800
	drawnNarrow = 358
	drawnText   = 13
)

// viewChart makes the view of a chart: its drawings for a reader without scripts and
// for print, and what the script needs to replace them.
func viewChart(id string, b report.Block, height int, spec *chartSpec, data []tableView) (blockView, error) {
	title, caption := chart.Words(b)
	v := &chartView{ID: id, Title: title, Caption: caption, Height: height, Empty: !chart.Drawable(b), spec: spec, Data: data}
	if v.Empty {
		return blockView{Chart: v}, nil
	}
	for _, d := range []struct {
		to    *template.HTML
		width float64
		names string
	}{{&v.Wide, drawnWide, id + "-wide-"}, {&v.Narrow, drawnNarrow, id + "-narrow-"}} {
		var drawing strings.Builder
		if err := figure.InPage(&drawing, b, figure.Style{Width: d.width, Height: float64(height), Size: drawnText, Names: d.names}); err != nil {
			return blockView{}, fmt.Errorf("chart %q: %w", title, err)
		}
		*d.to = template.HTML(drawing.String())
	}
	return blockView{Chart: v}, nil
}

func cleanFacts(facts []report.Fact) []report.Fact {
	out := make([]report.Fact, len(facts))
	for i, f := range facts {
		out[i] = report.Fact{Label: chart.Clean(f.Label), Value: chart.Clean(f.Value), Note: chart.Clean(f.Note)}
	}
	return out
}
