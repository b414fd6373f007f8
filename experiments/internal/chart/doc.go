// Package chart has the kinds of charts of a report, each with all its forms.
//
// What it is. A kind is one type in a file of its own, which also names it for JSON. Its methods
// check the chart, describe it in words, draw it, list its data as a table, from which CSV,
// Vega-Lite and the tables of pages are made, and give its interactive series as typed values
// of go-echarts. [Of] names the charts of a document, [Read] reads them from JSON, a [Change]
// keeps some of the series or makes an axis logarithmic. [NewScale] decides the limits and ticks
// of an axis for all forms alike. [Few] and [Ends] choose what a chart shows if it cannot show all.
//
// What it is not. It computes no results, and writes no pages: that is page/html.
//
// Layer. Below page and all packages that have results to show.
//
// Determinism. The same chart gives the same bytes. Numbers in data files are written so that
// reading them gives the same float64.
//
// Packages, and what each imports of the others:
//
//	canvas
//	palette
//	timeline
//	pictures
//	quantile
package chart
