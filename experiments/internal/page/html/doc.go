// Package html writes a document as one HTML page.
//
// What it is. [Write] is behind package experiments/report/html, which says what a page is. Views are what the page's
// template shows. Scripts and styles are in assets, where kinds/NAME.js is the interactive form of a single kind of
// chart.
//
// What it is not. It knows no kind of chart: package chart says what a chart shows and draws it.
//
// Layer. On top of chart. go-echarts, which chart uses, provides options but not the page: its page would load scripts
// from a public host, write series names unescaped, and go blank on a NaN.
//
// Bad input. Text may come from imported files, so it is escaped, and characters that
// cannot be shown are replaced by U+FFFD.
package html
