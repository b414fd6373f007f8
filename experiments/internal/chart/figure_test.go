package chart

import (
	"bytes"
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

	"github.com/isoscale/isoscale/internal/expect"
)

func write(t *testing.T, c Named, format string, s Style) string {
	t.Helper()
	var out bytes.Buffer
	expect.Success(t, Write(&out, c.Block, format, s))
	return out.String()
}

// The same chart gives the same bytes, after JSON too.
func TestFiguresAreDeterministic(t *testing.T) {
	charts := samples()
	text := expect.Value(json.Marshal(map[string]any{"charts": charts}))(t)
	read := expect.Value(Read(bytes.NewReader(text)))(t)
	expect.Need(t, len(read) == len(charts), "%d charts were read, expected %d", len(read), len(charts))
	for i, c := range charts {
		for _, format := range Formats() {
			first := write(t, c, format, PaperColumn())
			expect.That(t, write(t, samples()[i], format, PaperColumn()) == first,
				"%s: %s has other bytes the second time", c.Name, format)
			again := write(t, read[i], format, PaperColumn())
			expect.That(t, read[i].Name == c.Name && again == first,
				"%s: %s has other bytes after JSON", c.Name, format)
		}
	}
}

// All text of a figure of 84 mm has at least 7 points, and is within the figure.
func TestTextIsReadable(t *testing.T) {
	for _, c := range samples() {
		for _, grey := range []bool{false, true} {
			s := PaperColumn()
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
					Turned string  `xml:"transform,attr"`
					Length float64 `xml:"textLength,attr"`
					Text   string  `xml:",chardata"`
				} `xml:"text"`
			}{}
			expect.Success(t, xml.Unmarshal([]byte(write(t, c, "svg", s)), &svg))
			var width, height float64
			if _, err := fmt.Sscanf(svg.ViewBox, "0 0 %g %g", &width, &height); err != nil {
				t.Fatal(err)
			}
			size, err := strconv.ParseFloat(svg.Size, 64)
			// One unit of the drawing is one point: so says the width with its unit.
			expect.That(t, err == nil && size >= 7 && svg.Width == strconv.FormatFloat(width, 'f', -1, 64)+"pt" &&
				math.Abs(width-84*72/25.4) <= 0.01,
				"%s: text of %v in a figure of %s by %v points", c.Name, svg.Size, svg.Width, height)
			expect.That(t, svg.Title != "" && svg.Desc != "" && len(svg.Text) >= 4,
				"%s: title %q, description %q, %d texts", c.Name, svg.Title, svg.Desc, len(svg.Text))
			for _, x := range svg.Text {
				left := x.X - map[string]float64{"": 0, "middle": 0.5, "end": 1}[x.Anchor]*x.Length
				top, bottom, right := x.Y-0.7*size, x.Y, left+x.Length
				if x.Turned != "" { // read upwards, with its middle at the point
					left, right, top, bottom = x.X-0.7*size, x.X, x.Y-x.Length/2, x.Y+x.Length/2
				}
				expect.That(t, x.Size == "" && left >= -0.5 && right <= width+0.5 && top >= 0 && bottom <= height,
					"%s: text %q of size %q at %v to %v, %v is not within %v by %v", c.Name, x.Text, x.Size, left, right, x.Y, width, height)
			}
			tex := write(t, c, "tex", s)
			sizes := regexp.MustCompile(`\\fontsize\{([0-9.]+)pt\}`).FindAllStringSubmatch(tex, -1)
			for _, m := range sizes {
				v, err := strconv.ParseFloat(m[1], 64)
				expect.That(t, err == nil && v >= 7, "%s: TeX has text of %s points", c.Name, m[1])
			}
			expect.That(t, len(sizes) == len(svg.Text),
				"%s: TeX has %d texts, SVG %d", c.Name, len(sizes), len(svg.Text))
		}
	}
}

// pgf reads the PGF that figures use and fails on anything else: unbalanced groups and
// scopes, commands that are not of PGF's basic layer, numbers that TeX cannot read.
func pgf(text string) error {
	known := []string{"begin", "end", "pgfsetdash", "pgfsetlinewidth", "color", "pgfsetstrokeopacity", "pgfsetfillopacity",
		"pgfpathmoveto", "pgflineto", "pgfpatharc", "pgfusepath", "pgfpoint", "pgftext", "pgftransformrotate", "fontsize", "selectfont", "makebox",
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
		expect.That(t, pgf(bad) != nil, "the reader of the test accepts %q", bad)
	}
	for _, c := range samples() {
		text := write(t, c, "tex", PaperColumn())
		err := pgf(text)
		expect.That(t, err == nil, "%s: %v", c.Name, err)
		expect.That(t, strings.Contains(text, `\begin{pgfpicture}`) && strings.Count(text, `\pgfusepath`) >= 3,
			"%s: the picture is empty", c.Name)
	}
}

func TestPDF(t *testing.T) {
	for _, c := range samples() {
		text := write(t, c, "pdf", PaperColumn())
		for _, part := range []string{"%PDF-", "/FontFile2", "/MediaBox [0 0 238.11", "%%EOF"} {
			expect.That(t, strings.Contains(text, part), "%s: the PDF has no %q", c.Name, part)
		}
	}
}

func TestWriteReportsErrors(t *testing.T) {
	c := samples()[0]
	for _, format := range Formats() {
		err := Write(fullDisk{}, c.Block, format, PaperColumn())
		expect.That(t, errors.Is(err, io.ErrShortWrite), "%s: error is %v", format, err)
	}
	expect.Failure(t, Write(io.Discard, &Notes{}, "svg", PaperColumn()), "nothing to draw")
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

// A drawing too small for anything is drawn all the same.
func TestTinyDrawings(t *testing.T) {
	for _, c := range samples() {
		svg := write(t, c, "svg", Style{Width: 20, Height: 10, Size: 9})
		expect.That(t, strings.HasSuffix(svg, "</svg>\n"), "%s: no drawing", c.Name)
	}
}
