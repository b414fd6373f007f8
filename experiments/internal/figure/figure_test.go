package figure

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isoscale/isoscale/experiments/report"
)

// samples has a chart of each kind, with values that decimals cannot say exactly.
func samples() []Chart {
	count := report.Axis{Title: "processes", Unit: "1", Log: true}
	time := report.Axis{Title: "time", Unit: "s", Log: true}
	p := powersOfTwo(1024)
	var t, low, high []float64
	for _, v := range p {
		t, low, high = append(t, 100/v+0.1/3), append(low, 99/v), append(high, 110/v+0.1/3)
	}
	grid := report.Axis{Title: "a_%", Unit: "1", Min: new(1.0), Max: new(3.0)}
	nan := math.NaN()
	surface := report.Surface{Title: "Map & more", X: grid, Y: grid, Value: report.Axis{Title: "gain", Unit: "%", Min: new(-1.0), Max: new(2.0)},
		Values: [][]float64{{0, 1, 2. / 3}, {-1, nan, 2}, {0, 0.1, 0.2}},
		Layers: []report.Layer{{Name: "equal", Mark: report.MarkContours, Traces: []report.Trace{{Label: "1", X: []float64{1, 2, 3}, Y: []float64{3, 2, 1}}}},
			{Name: "steps", Mark: report.MarkArrows, Traces: []report.Trace{{X: []float64{1, 2}, Y: []float64{1, 3}}}},
			{Name: "best", Mark: report.MarkPoints, Traces: []report.Trace{{X: []float64{2}, Y: []float64{2}}}}}}
	space := report.Surface3D(surface)
	return Charts(&report.Document{Sections: []report.Section{{Blocks: []report.Block{
		&report.LineChart{Title: "Time over processes", Caption: "Three runs each.", X: count, Y: time,
			Series: []report.Series{{Name: "ideal", X: p, Y: low, Ideal: true, Plain: true}, {Name: "measured", X: p, Y: t, Low: low, High: high, Points: true, Colour: "m"},
				{Name: "law", X: p, Y: t, Plain: true, Colour: "m"}, {Name: "beyond", X: []float64{1024, 4096}, Y: []float64{0.13, 0.06}, Plain: true, Dashed: true}},
			Bands:   []report.Band{{Name: "95 %", X: p, Low: low, High: high, Colour: "m"}},
			Targets: []report.Target{{Label: "deadline", Y: 1}}, Points: []report.MarkedPoint{{Series: 1, X: 8, Y: 12.5, Label: "p = 8"}}},
		&report.BarChart{Title: "Shares", X: report.Axis{Title: "p", Unit: "1"}, Y: report.Axis{Title: "time", Unit: "s"}, Categories: []string{"1", "a long name of a system", "16"},
			Series: []report.BarSeries{{Name: "compute", Values: []float64{1, 0.5, 1. / 3}, Stack: "s"}, {Name: "wait", Values: []float64{0, 0.2, 0.3}, Stack: "s", Missing: []bool{true, false, false}}}},
		&report.BarChart{Title: "Sideways", Horizontal: true, X: report.Axis{Title: "p", Unit: "1"}, Y: report.Axis{Title: "gain", Unit: "%"}, Categories: []string{"1", "2"},
			Series: []report.BarSeries{{Name: "b", Values: []float64{-1.5, 0.5}}}},
		&report.ScatterChart{Title: "Costs", X: report.Axis{Title: "price", Unit: "EUR"}, Y: time,
			Series: []report.ScatterSeries{{Name: "front", StepAfter: true, Points: []report.ScatterPoint{{Name: "A", X: 1, Y: 2, Label: "best", Notes: "n"}, {Name: "B", X: 2.5, Y: 1. / 7}}}},
			Lines:  []report.ReferenceLine{{Label: "budget", At: 2, Vertical: true}}},
		&report.Tornado{Title: "Sensitivity", Value: report.Axis{Title: "time", Unit: "s"}, Base: 4, Low: "-10 %", High: "+10 %",
			Swings: []report.Swing{{Parameter: "latency", Low: 3.9, High: 4.1}, {Parameter: "nodes", Low: 5, High: 4.5}}},
		&report.HeatMap{Title: "Links", X: report.Axis{Title: "time", Unit: "s", Min: new(0.0), Max: new(3.0)}, Y: report.Axis{Title: "link", Unit: "1"},
			Value: report.Axis{Title: "use", Unit: "%", Min: new(0.0), Max: new(100.0)}, Columns: 3, Rows: []report.HeatRow{{Name: "up", Values: []float64{1. / 3, 0, 100}}, {Name: "down", Values: []float64{5, 5, 5}}}},
		&surface, &space, &report.Timeline{Title: "Who does what when", Data: twoRanks().Encode(), Table: &report.Table{Title: "Path", Columns: []report.Column{{Title: "what"}}}},
		&report.Parallel{Title: "Choices", Marked: "best", Value: report.Axis{Title: "speedup", Unit: "1", Min: new(1.0), Max: new(8.0), Log: true},
			Axes:  []report.ParallelAxis{{Name: "r1", Levels: []string{"0", "1", "2"}}, {Name: "method", Levels: []string{"formula"}}, {Name: "r1", Levels: []string{"a", "b"}}},
			Lines: []report.ParallelLine{{At: []int{0, 0, 1}, Value: 4. / 3}, {At: []int{2, 0, 0}, Value: 8, Label: "size 4", Marked: true}}},
		&report.LineChart{Title: "Time over processes", X: count, Y: time, Series: []report.Series{{Name: "one", X: []float64{8}, Y: []float64{2}}}},
	}}}})
}

func write(t *testing.T, c Chart, format string, s Style) string {
	t.Helper()
	var out bytes.Buffer
	if err := Write(&out, c.Block, format, s); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestNamesOfCharts(t *testing.T) {
	var names []string
	for _, c := range samples() {
		names = append(names, c.Name)
	}
	want := []string{"time-over-processes", "shares", "sideways", "costs", "sensitivity", "links", "map-more", "map-more-2", "who-does-what-when", "choices", "time-over-processes-2"}
	if !slices.Equal(names, want) {
		t.Errorf("names are %q; expected %q", names, want)
	}
}

// The same chart gives the same bytes, after JSON too.
func TestFiguresAreDeterministic(t *testing.T) {
	charts := samples()
	text, err := json.Marshal(map[string]any{"charts": charts})
	if err != nil {
		t.Fatal(err)
	}
	read, err := Read(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if len(read) != len(charts) {
		t.Fatalf("%d charts were read, expected %d", len(read), len(charts))
	}
	for i, c := range charts {
		for _, format := range Formats {
			first := write(t, c, format, Column())
			if again := write(t, samples()[i], format, Column()); again != first {
				t.Errorf("%s: %s has other bytes the second time", c.Name, format)
			}
			if again := write(t, read[i], format, Column()); read[i].Name != c.Name || again != first {
				t.Errorf("%s: %s has other bytes after JSON", c.Name, format)
			}
		}
	}
}

// All text of a figure of 84 mm has at least 7 points, and is within the figure.
func TestTextIsReadable(t *testing.T) {
	for _, c := range samples() {
		for _, grey := range []bool{false, true} {
			s := Column()
			s.Grey, s.Title = grey, "A title"
			svg := struct {
				ViewBox string `xml:"viewBox,attr"`
				Width   string `xml:"width,attr"`
				Size    string `xml:"font-size,attr"`
				Title   string `xml:"title"`
				Desc    string `xml:"desc"`
				Text    []struct {
					X      float64 `xml:"x,attr"`
					Y      float64 `xml:"y,attr"`
					Size   string  `xml:"font-size,attr"`
					Anchor string  `xml:"text-anchor,attr"`
					Length float64 `xml:"textLength,attr"`
					Text   string  `xml:",chardata"`
				} `xml:"text"`
			}{}
			if err := xml.Unmarshal([]byte(write(t, c, "svg", s)), &svg); err != nil {
				t.Fatalf("%s: %v", c.Name, err)
			}
			var width, height float64
			if _, err := fmt.Sscanf(svg.ViewBox, "0 0 %g %g", &width, &height); err != nil {
				t.Fatal(err)
			}
			size, err := strconv.ParseFloat(svg.Size, 64)
			// One unit of the drawing is one point: so says the width with its unit.
			if err != nil || size < 7 || svg.Width != strconv.FormatFloat(width, 'f', -1, 64)+"pt" || math.Abs(width-84*72/25.4) > 0.01 {
				t.Errorf("%s: text of %v in a figure of %s by %v points", c.Name, svg.Size, svg.Width, height)
			}
			if svg.Title == "" || svg.Desc == "" || len(svg.Text) < 4 {
				t.Errorf("%s: title %q, description %q, %d texts", c.Name, svg.Title, svg.Desc, len(svg.Text))
			}
			for _, x := range svg.Text {
				left := x.X - map[string]float64{"": 0, "middle": 0.5, "end": 1}[x.Anchor]*x.Length
				if x.Size != "" || left < -0.5 || left+x.Length > width+0.5 || x.Y < size*0.7 || x.Y > height {
					t.Errorf("%s: text %q of size %q at %v to %v, %v is not within %v by %v", c.Name, x.Text, x.Size, left, left+x.Length, x.Y, width, height)
				}
			}
			tex := write(t, c, "tex", s)
			sizes := regexp.MustCompile(`\\fontsize\{([0-9.]+)pt\}`).FindAllStringSubmatch(tex, -1)
			for _, m := range sizes {
				if v, err := strconv.ParseFloat(m[1], 64); err != nil || v < 7 {
					t.Errorf("%s: TeX has text of %s points", c.Name, m[1])
				}
			}
			if len(sizes) != len(svg.Text) {
				t.Errorf("%s: TeX has %d texts, SVG %d", c.Name, len(sizes), len(svg.Text))
			}
		}
	}
}

// Reading the CSV gives the numbers of a chart, bit by bit.
func TestCSVIsExact(t *testing.T) {
	charts := samples()
	rows := func(i int) [][]string {
		all, err := csv.NewReader(strings.NewReader(write(t, charts[i], "csv", Column()))).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	value := func(cell string) float64 {
		v, err := strconv.ParseFloat(cell, 64)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	lines := charts[0].Block.(*report.LineChart)
	all := rows(0)
	if want := []string{"kind", "series", "processes", "time [s]", "low", "high", "label"}; !slices.Equal(all[0], want) {
		t.Errorf("head is %q; expected %q", all[0], want)
	}
	next := 1
	for _, s := range lines.Series {
		for k := range s.X {
			row := all[next]
			if next++; row[1] != s.Name || value(row[2]) != s.X[k] || value(row[3]) != s.Y[k] || s.Low != nil && (value(row[4]) != s.Low[k] || value(row[5]) != s.High[k]) {
				t.Errorf("row %q; expected point %d of %s", row, k, s.Name)
			}
		}
	}
	if n := len(all) - next; n != len(lines.Bands[0].X)+2 {
		t.Errorf("%d rows after the series; expected the band, a point and a target", n)
	}
	if got := value(rows(5)[1][3]); got != 1./3 {
		t.Errorf("the first cell of the map is %v", got)
	}
	if got := len(rows(6)); got != 1+8+3+2+1 { // of 9 points one has no value
		t.Errorf("the surface has %d rows; expected 15", got)
	}
}

// pgf reads the PGF that figures use and fails on anything else: unbalanced groups and
// scopes, commands that are not of PGF's basic layer, numbers that TeX cannot read.
func pgf(text string) error {
	known := []string{"begin", "end", "pgfsetdash", "pgfsetlinewidth", "color", "pgfsetstrokeopacity", "pgfsetfillopacity",
		"pgfpathmoveto", "pgflineto", "pgfpatharc", "pgfusepath", "pgfpoint", "pgftext", "fontsize", "selectfont", "makebox",
		"mu", "psi", "dots", "textless", "textgreater", "textasciitilde", "%", "_", "&", "#", "$", "{", "}"}
	command := regexp.MustCompile(`\\([a-zA-Z]+|.)`)
	number := regexp.MustCompile(`^-?[0-9]+(\.[0-9]+)?$`)
	length := regexp.MustCompile(`\{([^{}]*)pt\}`)
	depth, scopes := 0, []string{}
	for k, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "%") {
			continue
		}
		for _, m := range command.FindAllStringSubmatch(line, -1) {
			if !slices.Contains(known, m[1]) {
				return fmt.Errorf("line %d: unknown command %s", k+1, m[0])
			}
		}
		for _, m := range length.FindAllStringSubmatch(line, -1) {
			if !number.MatchString(m[1]) {
				return fmt.Errorf("line %d: TeX cannot read the length %spt", k+1, m[1])
			}
		}
		if m := regexp.MustCompile(`\\(begin|end)\{(\w+)\}`).FindStringSubmatch(line); m != nil {
			switch {
			case m[1] == "begin":
				scopes = append(scopes, m[2])
			case len(scopes) == 0 || scopes[len(scopes)-1] != m[2]:
				return fmt.Errorf("line %d: the end of %s, in %q", k+1, m[2], scopes)
			default:
				scopes = scopes[:len(scopes)-1]
			}
		}
		plain := strings.NewReplacer(`\{`, "", `\}`, "", `\%`, "").Replace(line)
		if strings.Contains(plain, "%") && !strings.Contains(plain, "% path-close") {
			return fmt.Errorf("line %d: a comment hides text", k+1)
		}
		depth += strings.Count(plain, "{") - strings.Count(plain, "}")
		if depth != 0 {
			return fmt.Errorf("line %d: braces do not match", k+1)
		}
	}
	if len(scopes) > 0 {
		return fmt.Errorf("%q are not ended", scopes)
	}
	return nil
}

func TestPGF(t *testing.T) {
	for _, bad := range []string{`\begin{pgfpicture}`, `\undefined{}`, `\pgfpoint{1e-05pt}{0pt}`, `\makebox{a`, `\makebox{50 %}`} {
		if pgf(bad) == nil {
			t.Errorf("the reader of the test accepts %q", bad)
		}
	}
	for _, c := range samples() {
		text := write(t, c, "tex", Column())
		if err := pgf(text); err != nil {
			t.Errorf("%s: %v", c.Name, err)
		}
		if !strings.Contains(text, `\begin{pgfpicture}`) || strings.Count(text, `\pgfusepath`) < 3 {
			t.Errorf("%s: the picture is empty", c.Name)
		}
	}
}

func TestPDF(t *testing.T) {
	for _, c := range samples() {
		text := write(t, c, "pdf", Column())
		for _, part := range []string{"%PDF-", "/FontFile2", "/MediaBox [0 0 238.11", "%%EOF"} {
			if !strings.Contains(text, part) {
				t.Errorf("%s: the PDF has no %q", c.Name, part)
			}
		}
	}
}

func TestVegaLite(t *testing.T) {
	for _, c := range samples() {
		var spec struct {
			Schema string `json:"$schema"`
			Data   struct{ Values []map[string]any }
			Mark   any
			Layer  []any
		}
		if err := json.Unmarshal([]byte(write(t, c, "vega-lite", Column())), &spec); err != nil {
			t.Fatalf("%s: %v", c.Name, err)
		}
		want := len(tableOf(dataOf(c.Block)).rows)
		if p, ok := c.Block.(*report.Parallel); ok { // where a line crosses an axis
			want = len(p.Lines) * (len(p.Axes) + 1)
		}
		if len(spec.Data.Values) != want || spec.Mark == nil && spec.Layer == nil || spec.Schema == "" {
			t.Errorf("%s: %d values, mark %v", c.Name, len(spec.Data.Values), spec.Mark)
		}
	}
}

func TestChange(t *testing.T) {
	c := samples()[0]
	got, err := Change{X: "linear", Series: []string{"measured", "law"}}.Apply(c)
	if err != nil {
		t.Fatal(err)
	}
	b := got.Block.(*report.LineChart)
	if b.X.Log || !b.Y.Log || len(b.Series) != 2 || len(b.Bands) != 0 || b.Points[0].Series != 0 {
		t.Errorf("got %+v", b)
	}
	if diff := cmp.Diff(c.Block, samples()[0].Block); diff != "" {
		t.Errorf("the chart of the caller changed:\n%s", diff)
	}
	if _, err := (Change{Series: []string{"nobody"}}).Apply(c); err == nil || !strings.Contains(err.Error(), `"nobody"; expected some of ideal, measured`) {
		t.Errorf("error is %v", err)
	}
	if _, err := (Change{X: "log"}).Apply(samples()[1]); err == nil {
		t.Error("bars have a logarithmic axis")
	}
}

func TestReadBadCharts(t *testing.T) {
	for text, want := range map[string]string{
		`{}`:                                     "it has no charts",
		`{"charts":[{"name":"a","kind":"pie"}]}`: `kind is "pie"; expected lines`,
		`{"charts":[{"name":"a","kind":"lines","chart":{"colour":1}}]}`:    `unknown field "colour"`,
		`{"charts":[{"name":"a","kind":"lines","chart":{"title":"T"}}]}`:   "title is missing",
		`{"charts":[{"name":"a","kind":"surface","chart":{"title":"T"}}]}`: "grid",
		`[`: "unexpected EOF",
	} {
		if _, err := Read(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error is %v; expected %q", text, err, want)
		}
	}
}

func TestWriteReportsErrors(t *testing.T) {
	c := samples()[0]
	for _, format := range Formats {
		if err := Write(fullDisk{}, c.Block, format, Column()); !errors.Is(err, io.ErrShortWrite) {
			t.Errorf("%s: error is %v", format, err)
		}
	}
	if err := Write(io.Discard, &report.Notes{}, "svg", Column()); err == nil {
		t.Error("notes were drawn")
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, io.ErrShortWrite }
