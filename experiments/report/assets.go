package report

import (
	"crypto/sha256"
	_ "embed" // the assets of the page
	"encoding/base64"
	"html/template"
)

// The chart library is the unmodified dist/echarts.min.js of Apache ECharts
// 5.6.0, beside its licence, its notice and the checksums of these files.
//
//go:embed assets/echarts-5.6.0/echarts.min.js
var libraryText string

//go:embed assets/report.js
var scriptText string

//go:embed assets/report.css
var styleText string

//go:embed assets/page.html.tmpl
var pageText string

var pageTemplate = template.Must(template.New("page").
	Funcs(template.FuncMap{"cellClass": cellClass}).Parse(pageText))

// policy is the Content-Security-Policy of the page: nothing is loaded from
// anywhere, and of all scripts only the two known ones run, named by their
// SHA-256.
func policy() string {
	return "default-src 'none'; script-src '" + scriptHash(libraryText) + "' '" + scriptHash(scriptText) +
		"'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
}

func scriptHash(script string) string {
	sum := sha256.Sum256([]byte(script))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
