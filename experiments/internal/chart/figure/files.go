package figure

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/chart"
	"github.com/isoscale/isoscale/experiments/report"
)

// Formats are those that a chart can be written in, which are also the ends of the
// names of files. That of Vega-Lite is vl.json.
var Formats = []string{"svg", "pdf", "tex", "csv", "vega-lite"}

// ParseFormats reads a list of formats, as in svg,pdf.
func ParseFormats(list string) ([]string, error) {
	formats := strings.Split(list, ",")
	for _, f := range formats {
		if !slices.Contains(Formats, f) {
			return nil, fmt.Errorf("%q is no format; expected some of %s", f, strings.Join(Formats, ","))
		}
	}
	return formats, nil
}

// Extension is the end of the name of a file.
func Extension(format string) string {
	if format == "vega-lite" {
		return ".vl.json"
	}
	return "." + format
}

// Write writes a chart in one of [Formats].
func Write(w io.Writer, b report.Block, format string, s Style) error {
	c, ok := asDrawing(b)
	if !ok {
		return fmt.Errorf("chart %q has nothing to draw", chart.Title(b))
	}
	switch format {
	case "svg":
		return writeSVG(w, b, c, s)
	case "pdf":
		return writePDF(w, c, s)
	case "tex":
		return writeTeX(w, b, c, s)
	case "csv":
		return chart.WriteCSV(w, b)
	case "vega-lite":
		return chart.WriteVega(w, b, s.Width)
	}
	return fmt.Errorf("format %q; expected one of %s", format, strings.Join(Formats, ", "))
}

// Millimetre is how many points a millimetre has.
const Millimetre = 72 / 25.4

// Column is the style of a figure in one column of a paper: 84 mm wide, with text of
// 8 points.
func Column() Style { return Style{Width: 84 * Millimetre, Size: 8} }
