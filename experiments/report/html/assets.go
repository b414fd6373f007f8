package html

import (
	"crypto/sha256"
	_ "embed" // the assets of the page
	"encoding/base64"
	"html/template"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/pictures"
)

// The chart library is the unmodified dist/echarts.min.js of Apache ECharts 5.6.0.
// Its licence, its notice and the checksums are in the same folder.
//
//go:embed assets/echarts-5.6.0/echarts.min.js
var libraryText string

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

//go:embed assets/report.js
var scriptText string

// The script for sliders, on a page that has some.
//
//go:embed assets/slices.js
var sliceText string

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

// policy is the Content-Security-Policy of a page: the page loads nothing, and only
// the scripts whose SHA-256 it lists may run.
func policy(scripts ...string) string {
	var hashes strings.Builder
	for _, script := range scripts {
		hashes.WriteString(" '" + scriptHash(script) + "'")
	}
	return "default-src 'none'; script-src" + hashes.String() +
		"; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
}

func scriptHash(script string) string {
	sum := sha256.Sum256([]byte(script))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
