//go:build !js

package chart

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/chart/canvas"
	"github.com/isoscale/isoscale/internal/each"
)

// A format is a format of files that a chart can be written in.
type format struct {
	name, extension string
	write           func(w io.Writer, c Chart, s Style) error
}

var formats = []format{
	{"svg", ".svg", func(w io.Writer, c Chart, s Style) error {
		s.Names = ""
		return asSVG(w, c, s, s.theme().muted, true)
	}},
	{"pdf", ".pdf", func(w io.Writer, c Chart, s Style) error {
		file, err := drawn(c, s, canvas.NewPDF)
		if err != nil {
			return err
		}
		_, err = file.WriteTo(w)
		return err
	}},
	{"tex", ".tex", func(w io.Writer, c Chart, s Style) error {
		file, err := drawn(c, s, canvas.NewTeX)
		if err != nil {
			return err
		}
		return file.Encode(w, Title(c))
	}},
	{"csv", ".csv", func(w io.Writer, c Chart, _ Style) error { return writeCSV(w, c) }},
	{"vega-lite", ".vl.json", func(w io.Writer, c Chart, s Style) error { return writeVega(w, c, s) }},
}

// Formats returns the names of the formats that a chart can be written in.
func Formats() []string {
	return each.Of(formats, func(f format) string { return f.name })
}

// ParseFormats reads a list of formats, as in svg,pdf.
func ParseFormats(list string) ([]string, error) {
	names := strings.Split(list, ",")
	for _, name := range names {
		if !slices.Contains(Formats(), name) {
			return nil, fmt.Errorf("%q is not a format; expected some of %s", name, strings.Join(Formats(), ","))
		}
	}
	return names, nil
}

// Extension returns the extension of files in one of [Formats].
func Extension(name string) string { return formats[slices.Index(Formats(), name)].extension }

// Write writes a chart in one of [Formats].
func Write(w io.Writer, b Block, name string, s Style) error {
	k := slices.Index(Formats(), name)
	switch {
	case k < 0:
		return fmt.Errorf("format %q; expected one of %s", name, strings.Join(Formats(), ", "))
	case !Drawable(b):
		return fmt.Errorf("chart %q has nothing to draw", Title(b))
	}
	return formats[k].write(w, b.(Chart), s)
}
