package html

import (
	"bytes"
	"compress/gzip"
	"embed"
	"encoding/ascii85"
	"html/template"
	"io"
	"io/fs"
	"regexp"
	"strings"
	"sync"

	"github.com/isoscale/isoscale/experiments/internal/chart"
	"github.com/isoscale/isoscale/experiments/internal/chart/palette"
	"github.com/isoscale/isoscale/experiments/internal/chart/pictures"
)

// The chart library is the part of Apache ECharts 5.6.0 that the reports use, built by build.sh in the same folder,
// which also has the licences and checksums.
//
//go:embed assets/echarts/echarts.min.js.gz
var libraryPacked []byte

var libraryText = sync.OnceValue(func() string {
	r, err := gzip.NewReader(bytes.NewReader(libraryPacked))
	if err == nil {
		var text []byte
		if text, err = io.ReadAll(r); err == nil {
			return string(text)
		}
	}
	panic("report: the chart library: " + err.Error()) // it is part of the program
})

// The library for 3D charts is the unmodified dist/echarts-gl.min.js of echarts-gl
// 2.0.9, the version for ECharts 5. Its licences and checksums are in the same
// folder.
//
//go:embed assets/echarts-gl-2.0.9/echarts-gl.min.js
var spaceLibraryText string

//go:embed assets/*.js assets/*.css assets/*.tmpl assets/kinds/*.js assets/echarts-gl-2.0.9/LICENSE*
var files embed.FS

// asset is the text of a file.
func asset(name string) string {
	text, err := files.ReadFile("assets/" + name)
	if err != nil { // it is part of the program
		panic("report: " + err.Error())
	}
	return string(text)
}

var (
	// The licences of echarts-gl and of ClayGL, which is part of it, must be distributed with them.
	spaceLicence, clayLicence = asset("echarts-gl-2.0.9/LICENSE"), asset("echarts-gl-2.0.9/LICENSE-claygl")
	// The loader is the only script that the page contains unpacked. It unpacks the others.
	loaderText = asset("loader.js")
	// Only a page with sizes has the style of their marks. They have the colours of heat maps, whose order is visible
	// without colour vision, in the light and the dark theme.
	sizesText = asset("sizes.css")
)

// The script of the charts, in one scope: the common part, a file for each kind of chart that needs one, and the part
// that starts them.
var scriptText = sync.OnceValue(func() string {
	text := pictures.Elements + asset("tools.js") + "\"use strict\";\n(function () {\n" + asset("report.js")
	kinds, err := fs.Glob(files, "assets/kinds/*.js")
	if err != nil { // the pattern is right
		panic("report: " + err.Error())
	}
	for _, kind := range kinds {
		text += asset(strings.TrimPrefix(kind, "assets/"))
	}
	return bare(text + asset("start.js") + "})();\n")
})

// pictureScript puts the pictures of package pictures into the page. Without it, and without scripts, a timeline is a
// drawing, and a network is only its table.
var pictureScript = sync.OnceValue(func() string { return bare(pictures.Script + asset("pictures.js")) })

// bare returns a script without what only its readers need: comments and indentation. No text in the scripts spans
// several lines or has two slashes behind a space.
func bare(script string) string {
	var out strings.Builder
	for line := range strings.Lines(script) {
		line, _, _ = strings.Cut(strings.TrimSpace(line), " //")
		if line != "" && !strings.HasPrefix(line, "//") {
			out.WriteString(line + "\n")
		}
	}
	return out.String()
}

var styleText = sync.OnceValue(func() string { return bareStyle(palette.Style() + asset("report.css")) })

// bareStyle returns a style sheet without what only its readers need. A space before a colon stays: it may separate two
// elements.
func bareStyle(style string) string {
	comment, space := regexp.MustCompile(`(?s)/\*.*?\*/`), regexp.MustCompile(`\s+`)
	joint := regexp.MustCompile(` ?([{};,]) ?`)
	style = space.ReplaceAllString(comment.ReplaceAllString(style, ""), " ")
	return strings.ReplaceAll(joint.ReplaceAllString(style, "$1"), ": ", ":")
}

var pageTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page").Funcs(template.FuncMap{"cellClass": cellClass,
		"tableClass": tableClass, "clean": clean, "prose": prose, "titled": chart.Titled}).Parse(asset("page.html.tmpl")))
})

// clean prepares a text for a page, as [chart.Clean] does, with no line break between a number and its unit.
func clean(text string) string { return pictures.Joined(chart.Clean(text)) }

// prose is clean for text whose lines must not break within names either.
func prose(text string) template.HTML {
	var out strings.Builder
	for k, piece := range pictures.Names(clean(text)) {
		if piece = template.HTMLEscapeString(piece); k%2 == 1 {
			piece = `<span class="word">` + piece + `</span>`
		}
		out.WriteString(piece)
	}
	return template.HTML(out.String())
}

// A packed is something that the loader unpacks.
type packed struct {
	ID   string        // of its element, if it has one
	For  string        // selects the elements that need it; empty: charts
	Text template.HTML // gzip, written by inPage
}

var (
	packedLibrary = sync.OnceValue(func() packed {
		return packed{ID: "library", Text: inPage(libraryPacked)}
	})
	packedSpace = sync.OnceValue(func() packed { return pack("space-library", spaceLibraryText) })
	packedOwn   = sync.OnceValue(func() packed { return pack("script", scriptText()) })

	packedPictures = sync.OnceValue(func() packed {
		p := pack("pictures", pictureScript())
		p.For = ".picture"
		return p
	})
)

func pack(id, text string) packed {
	return packed{ID: id, Text: inPage(pictures.Packed([]byte(text)))}
}

// inPage writes bytes in Ascii85, which takes 25 % more where base64 takes 33 %, with v instead of <, so that nothing
// ends the script element.
func inPage(data []byte) template.HTML {
	text := make([]byte, ascii85.MaxEncodedLen(len(data)))
	text = text[:ascii85.Encode(text, data)]
	return template.HTML(bytes.ReplaceAll(text, []byte("<"), []byte("v")))
}

// policy is the Content-Security-Policy of a page: the page loads nothing, and only
// the scripts whose SHA-256 it lists may run.
func policy(scripts ...string) string {
	var hashes strings.Builder
	for _, script := range scripts {
		hashes.WriteString(" '" + pictures.Hash(script) + "'")
	}
	if len(scripts) == 0 {
		hashes.WriteString(" 'none'")
	}
	return "default-src 'none'; script-src" + hashes.String() +
		"; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
}
