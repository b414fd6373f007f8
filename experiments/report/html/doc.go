// Package html writes a report as one HTML file that works offline.
//
// What it is. [Write] checks a document and writes one self-contained page: style,
// chart library and data are inside, and a Content-Security-Policy prevents the
// browser from loading anything else. Every chart has its numbers in a table that
// needs no script.
//
// What it is not. It does not determine the contents of a report: that is package
// report. It has one style.
//
// 3D charts. A [report.Surface3D] needs WebGL in the browser and a second library,
// which only pages with such a chart include. Without WebGL the page shows a message
// in place of the chart. The first eight such charts of a page are drawn.
//
// Layer. On top of report: the public names of experiments/internal/page/html.
//
// Bad input. A document with a problem is rejected with the error of
// [report.Document.Check]. Text may come from imported files, so it is escaped,
// and characters that cannot be shown are replaced by U+FFFD.
//
// Determinism. The same document gives the same bytes.
package html
