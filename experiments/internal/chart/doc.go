// Package chart has the kinds of charts of a report, each with all its forms.
//
// What it is. A kind is one type in a file of its own, which names it for JSON. As methods
// it has what it holds and the check of it, the words that describe it, its data
// as a table from which CSV, Vega-Lite and the tables of pages are made, its drawing, and
// its interactive series as typed values of go-echarts. [Of] names the charts of a
// document, [Read] reads them from JSON, a [Change] keeps some of the series or makes an
// axis logarithmic. [NewScale] decides limits and ticks of an axis for all forms alike.
// [Few] and [Ends] choose what a chart shows that cannot show all.
//
// What it is not. It computes no results, and writes no pages: that is page/html.
//
// Layer. Below page and whatever has results to show.
//
// Determinism. The same chart gives the same bytes. Numbers in files of data are written
// such that reading them gives the same float64.
//
// Packages, and what each imports of the others:
//
//	canvas
//	palette
//	timeline
//	pictures
//	quantile
package chart
