package html

import (
	"encoding/json"
	"fmt"
	"html/template"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/isoscale/isoscale/experiments/internal/chart"
	"github.com/isoscale/isoscale/experiments/internal/chart/timeline"
)

// The views are the data of the page template: texts, which the template cleans and escapes, and the few parts that
// must not be escaped.

type pageView struct {
	*chart.Document
	Policy        string
	Style         template.CSS
	Loader        template.JS
	SliceScript   template.JS // empty on a page without sliders
	MachineScript template.JS // empty on a page without machines
	Packed        []packed    // in the order in which they run
	charts        packed      // the specifications of all charts, by their identifiers
	Credit        bool        // the chart library is on the page
	Licences      []string    // to distribute with the library for charts in space
	Contents      bool
	Folded        bool // the contents show the sections of a part only on demand
	Parts         []partView
	First         firstScreen

	// has says what is on the page: charts with something to draw, some of them in space, tables with sizes, drawings
	// with mixed colours, and so on.
	has struct{ charts, space, pictures, slices, machines, sizes, mixtures bool }
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

// A blockView has one of its pointers set, or none if there is nothing to show.
type blockView struct {
	Chart    *chartView
	Picture  *pictureView
	Table    *chart.Table
	Notes    *chart.Notes
	Slices   *slicesView
	Machines *machinesView

	Repeats bool // its title repeats the heading of the section
}

// A figureView is the common part of charts and pictures.
type figureView struct {
	ID, Title, Caption string
	Nested             bool // in a section of a part
	Repeats            bool // the title repeats the heading of the section
	Live               bool // scripts draw it as well
	drawings
}

type chartView struct {
	figureView
	Height int
	Empty  bool // no data: nothing to draw
	Space  bool // drawn in space
	chart  chart.Chart
	Data   []*chart.Table
}

// drawings of a chart are for a wide page and, where no script starts another form, for a phone.
type drawings struct{ Wide, Narrow template.HTML }

// A pictureView is a timeline or a network.
type pictureView struct {
	figureView
	Kind   string  // timeline or network
	Wiring *packed // JSON
	Data   *packed // in the compact form of docs/formats/timeline.md
	Table  *chart.Table
}

// A slicesView is a set of maps, of which the page shows one. Its sliders have the levels of the variables; the script
// shows the map at the selected levels.
type slicesView struct {
	ID, Title, Caption string
	Sliders            []sliderView
	Charts             []sliceView
}

type sliderView struct {
	ID, Name string
	Level    string // the selected one
	Names    string // the levels, as JSON
	At, Last int
	Stride   int // maps between neighbouring levels
}

type sliceView struct {
	Hidden bool
	Chart  *chartView // nil: there is no map
}

// tableClass returns the class of a table of mostly numbers, so that its cells need no class each: it names the columns
// that are not numbers. It is empty for other tables.
func tableClass(t *chart.Table) string {
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

// mostTextColumns is the last column that the style sheet can treat as text in a table of numbers.
const mostTextColumns = 4

// cellClass tells the style sheet how to set a cell in a table of a class: numbers to the right, sizes with a mark, and
// lines broken only in cells of more than a few words.
func cellClass(table string, c chart.Column, cell string) string {
	const fewWords = 28 // characters
	switch {
	case c.Sizes != nil:
		size, _ := c.Size(cell) // the document was checked
		return fmt.Sprintf("num size size-%d", size)
	case c.Numeric && table != "":
		return ""
	case c.Numeric:
		return "num"
	case utf8.RuneCountInString(cell) > fewWords:
		return "long"
	case strings.Index(cell, "-") > 0 && !strings.Contains(cell, " "):
		return "name" // such as node-1.0.down, a word not to divide
	}
	return ""
}

// contentsFrom is the number of sections from which on a page has a table of contents, and foldedFrom the number from
// which on the contents show only parts until the reader opens one.
const (
	contentsFrom = 4
	foldedFrom   = 20
)

func viewPage(d *chart.Document, interactive bool) (*pageView, error) {
	v := &pageView{
		Document: d,
		Contents: len(d.Sections) >= contentsFrom,
		Folded:   len(d.Sections) >= foldedFrom,
	}
	blocks, specs := 0, map[string]json.RawMessage{}
	for i, s := range d.Sections {
		section := sectionView{
			ID:      fmt.Sprintf("section-%d", i+1),
			Heading: s.Heading,
			Nested:  s.Part != "",
			Text:    s.Text,
		}
		for k, b := range s.Blocks {
			if k > 0 && !interactive && chart.SameMap(s.Blocks[k-1], b) {
				continue
			}
			blocks++
			block, err := viewOf(fmt.Sprintf("block-%d", blocks), b, interactive)
			if err == nil {
				err = v.note(block, section.Nested, interactive, specs)
			}
			if err != nil {
				return nil, fmt.Errorf("section %q: %w", s.Heading, err)
			}
			block.under(s.Heading)
			section.Blocks = append(section.Blocks, block)
		}
		if i == 0 || s.Part != d.Sections[i-1].Part {
			v.Parts = append(v.Parts, partView{Heading: s.Part})
		}
		part := &v.Parts[len(v.Parts)-1]
		part.Sections = append(part.Sections, section)
	}
	v.First, v.Parts = compose(d, v.Parts)
	charts, err := json.Marshal(specs)
	v.charts = pack("charts", string(charts))
	return v, err
}

// note records what a block needs from the page, and sets what the page needs from the block.
func (v *pageView) note(b blockView, nested, interactive bool, specs map[string]json.RawMessage) (err error) {
	var charts []*chartView
	switch {
	case b.Chart != nil:
		b.Chart.Nested = nested
		charts = append(charts, b.Chart)
	case b.Slices != nil:
		v.has.charts, v.has.slices = true, true
		for _, one := range b.Slices.Charts {
			if one.Chart != nil {
				charts = append(charts, one.Chart)
			}
		}
	case b.Picture != nil:
		if b.Picture.Nested, b.Picture.Live = nested, interactive; interactive {
			b.Picture.Narrow = "" // on a phone the picture starts
		}
		v.has.pictures = true
	case b.Machines != nil:
		v.has.machines = true
	case b.Table != nil:
		v.has.sizes = v.has.sizes || slices.ContainsFunc(b.Table.Columns,
			func(c chart.Column) bool { return c.Sizes != nil })
	}
	for _, c := range charts {
		v.has.charts, v.has.space = v.has.charts || !c.Empty, v.has.space || c.Space
		v.has.mixtures = v.has.mixtures || chart.HasMixtures(string(c.Wide))
		if c.Live = interactive && !c.Empty; c.Live {
			if specs[c.ID], err = chart.InteractiveOf(c.chart); err != nil {
				return err
			}
			c.Narrow = "" // on a phone the chart starts
		}
	}
	return nil
}

// viewOf makes the view of a block. The identifier is used for charts.
func viewOf(id string, b chart.Block, interactive bool) (blockView, error) {
	switch b := b.(type) {
	case *chart.Table:
		if b.Ranking != nil {
			return viewMachines(id, b, interactive)
		}
		return blockView{Table: b}, nil
	case *chart.Timeline:
		figure := figureView{ID: id, Title: b.Title, Caption: b.Caption}
		v, err := viewPicture(pictureView{figureView: figure, Kind: "timeline"}, b.Table, b.Data)
		if err == nil && chart.Drawable(b) {
			v.Picture.drawings, err = inWidths(id, b, 0)
		}
		return v, err
	case *chart.Network:
		if !json.Valid(b.Wiring) {
			return blockView{}, fmt.Errorf("picture %q: the wiring is not JSON", b.Title)
		}
		figure, wiring := figureView{ID: id, Title: b.Title, Caption: b.Caption}, new(pack("", string(b.Wiring)))
		return viewPicture(pictureView{figureView: figure, Kind: "network", Wiring: wiring}, b.Table, b.Data)
	case *chart.Slices:
		return viewSlices(id, b, interactive)
	case *chart.Notes:
		if len(b.Items) == 0 {
			return blockView{}, nil
		}
		return blockView{Notes: b}, nil
	case chart.Chart:
		v, err := viewChart(id, b)
		return blockView{Chart: v}, err
	}
	panic(fmt.Sprintf("report: a %T has no view", b)) // all kinds are in one package, and handled above
}

// Sizes of the drawings of a chart on a wide page and on a phone, in CSS pixels.
const (
	drawnWide   = 800
	drawnNarrow = 358
	drawnText   = 13
)

// viewChart makes the view of a chart: its drawings for readers without scripts and for print, and what the script
// needs to replace them.
func viewChart(id string, c chart.Chart) (*chartView, error) {
	_, space := c.(*chart.Surface3D)
	v := &chartView{figureView: figureView{ID: id}, Height: chart.Pixels(c), Empty: !chart.Drawable(c), Space: space,
		chart: c, Data: chart.Tables(c)}
	v.Title, v.Caption = chart.Words(c)
	if v.Empty {
		return v, nil
	}
	var err error
	v.drawings, err = inWidths(id, c, v.Height)
	return v, err
}

// inWidths draws a chart in both widths; a height of 0 chooses one.
func inWidths(id string, c chart.Chart, height int) (d drawings, err error) {
	still := func(width float64, names string) template.HTML {
		var out strings.Builder
		if err == nil {
			err = chart.InPage(&out, c, chart.Style{Width: width, Height: float64(height), Size: drawnText, Names: id + names})
		}
		return template.HTML(out.String())
	}
	if d.Wide, d.Narrow = still(drawnWide, "-wide-"), still(drawnNarrow, "-narrow-"); err != nil {
		err = fmt.Errorf("chart %q: %w", chart.Title(c), err)
	}
	return d, err
}

// viewPicture makes the view of a timeline or a network.
func viewPicture(v pictureView, table *chart.Table, data []byte) (blockView, error) {
	v.Table = table
	if v.Wiring != nil && len(data) == 0 { // the use of the links is not known
		return blockView{Picture: &v}, nil
	}
	t, err := timeline.Decode(data)
	if err != nil {
		return blockView{}, fmt.Errorf("picture %q: %w", v.Title, err)
	}
	v.Data = new(pack("", string(t.Compact())))
	return blockView{Picture: &v}, nil
}

// viewSlices shows all maps or, on a page without scripts, only the first, without text about all: the others cannot be
// reached.
func viewSlices(id string, c *chart.Slices, interactive bool) (blockView, error) {
	v := &slicesView{ID: id, Title: c.Title, Caption: c.Caption}
	stride, start := len(c.Surfaces), 0
	for i, x := range c.Variables {
		stride /= len(x.Levels)
		start += stride * c.Start[i]
		levels := chart.CleanAll(x.Levels)
		names, err := json.Marshal(levels)
		if err != nil {
			return blockView{}, fmt.Errorf("slices %q: %w", c.Title, err)
		}
		v.Sliders = append(v.Sliders, sliderView{
			ID: fmt.Sprintf("%s-slider-%d", id, i+1), Name: chart.Clean(x.Name), Level: levels[c.Start[i]],
			Names: string(names),
			At:    c.Start[i], Last: len(levels) - 1, Stride: stride,
		})
	}
	if !interactive {
		v.Sliders, v.Caption = nil, ""
	}
	for i, s := range c.Surfaces {
		one := sliceView{Hidden: i != start}
		if one.Hidden && !interactive {
			continue
		}
		if s != nil {
			var err error
			if one.Chart, err = viewChart(fmt.Sprintf("%s-%d", id, i+1), s); err != nil {
				return blockView{}, err
			}
		}
		v.Charts = append(v.Charts, one)
	}
	return blockView{Slices: v}, nil
}
