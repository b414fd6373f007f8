// Package html writes a report as one HTML file that opens without a network.
//
// What it is. [Write] checks a document and writes one self-contained page: style,
// chart library and data are inside, and a Content-Security-Policy forbids the
// browser to load anything else. Every chart carries its numbers in a table that
// needs no script.
//
// What it is not. It decides nothing about what a report says: that is package
// report. It has one look.
//
// In space. A [report.Surface3D] needs WebGL in the browser and a second library,
// which only pages with such a chart carry. Without WebGL the page says so in its
// place and is otherwise whole. Of a page, the first eight are drawn.
//
// Layer. On top of report; the only importer of go-echarts, so only commands
// import it. From go-echarts it takes the chart options, not the page: that page
// would load scripts from a public host, write series names unescaped, and go
// blank on a NaN.
//
// Bad input. A document with a problem is refused, with the error of
// [report.Document.Check]. Text may come from imported files, so it is escaped,
// and characters that cannot be shown are replaced by U+FFFD.
//
// Determinism. The same document gives the same bytes.
package html
