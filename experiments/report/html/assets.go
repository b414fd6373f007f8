package html

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	_ "embed" // the assets of the page
	"encoding/base64"
	"errors"
	"html/template"
	"io"
	"strings"
	"sync"

	"github.com/isoscale/isoscale/experiments/internal/pictures"
)

// The chart library is the part of Apache ECharts 5.6.0 that the reports use, built by
// build.sh in the same folder, which has the licences and checksums too.
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

// The licences of echarts-gl and of ClayGL, which is part of it, must be distributed
// with them.
var (
	//go:embed assets/echarts-gl-2.0.9/LICENSE
	spaceLicence string
	//go:embed assets/echarts-gl-2.0.9/LICENSE-claygl
	clayLicence string
)

// The buttons at charts and parallel axes are defined before the script that uses them.
var (
	//go:embed assets/tools.js
	toolsText string
	//go:embed assets/parallel.js
	parallelText string
	//go:embed assets/report.js
	reportText string

	scriptText = toolsText + parallelText + reportText
)

// The script for sliders, on a page that has some.
//
//go:embed assets/slices.js
var sliceText string

// The loader is the only script that the page has as it is. It unpacks the others.
//
//go:embed assets/loader.js
var loaderText string

//go:embed assets/report.css
var ownStyleText string

var styleText = pictures.Colours + ownStyleText

// The marks of sizes have the colours of heat maps, whose order is visible without
// colour vision, in the light and the dark theme. The text has its normal colour.
// Only a page with sizes has this style.
//
//go:embed assets/sizes.css
var sizesText string

//go:embed assets/page.html.tmpl
var pageText string

var pageTemplate = template.Must(template.New("page").
	Funcs(template.FuncMap{"cellClass": cellClass}).Parse(pageText))

// A packed is a text that the loader unpacks.
type packed struct {
	ID   string        // of its element
	Text template.HTML // gzip, in base64: nothing to escape
}

var (
	packedLibrary = sync.OnceValue(func() packed {
		return packed{"library", template.HTML(base64.StdEncoding.EncodeToString(libraryPacked))}
	})
	packedSpace = sync.OnceValue(func() packed { return pack("space-library", spaceLibraryText) })
	packedOwn   = sync.OnceValue(func() packed { return pack("script", scriptText) })
)

func pack(id, text string) packed {
	var out strings.Builder
	encoder := base64.NewEncoder(base64.StdEncoding, &out)
	w, err := gzip.NewWriterLevel(encoder, gzip.BestCompression)
	if err == nil {
		_, err = io.WriteString(w, text)
		err = errors.Join(err, w.Close(), encoder.Close())
	}
	if err != nil { // a strings.Builder has no errors
		panic("report: " + err.Error())
	}
	return packed{id, template.HTML(out.String())}
}

// policy is the Content-Security-Policy of a page: the page loads nothing, and only
// the scripts whose SHA-256 it lists may run.
func policy(scripts ...string) string {
	var hashes strings.Builder
	for _, script := range scripts {
		hashes.WriteString(" '" + scriptHash(script) + "'")
	}
	if len(scripts) == 0 {
		hashes.WriteString(" 'none'")
	}
	return "default-src 'none'; script-src" + hashes.String() +
		"; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
}

func scriptHash(script string) string {
	sum := sha256.Sum256([]byte(script))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
