// Package html writes a document as one HTML page.
//
// What it is. [Write] is behind package experiments/report/html, which says what a page is.
// Views are what the template of the page shows; the scripts and styles are in assets, and
// kinds/NAME.js there is the interactive form of what only one kind of chart has.
//
// What it is not. It knows no kind of chart: what a chart says and how it is drawn it asks
// package chart.
//
// Layer. On top of chart. From go-echarts, which chart uses, come options and not the page:
// that page would load scripts from a public host, write series names unescaped, and go
// blank on a NaN.
//
// Bad input. Text may come from imported files, so it is escaped, and characters that
// cannot be shown are replaced by U+FFFD.
package html
