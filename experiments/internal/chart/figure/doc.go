// Package figure draws the charts of a report without a browser: for the page, where
// they are visible without scripts and on paper, and for papers.
//
// What it is. [InPage] draws a chart for a page, and [Write] writes one as a file in one
// of [Formats]. [Scales] returns the axes that a drawing has, for the interactive charts
// of the page. A kind of chart is a file here that says how it is drawn on a sheet.
//
// What it is not. It has no data of its own and computes no results. What a chart says in
// words and numbers is package chart; how a drawing is written, package canvas. Surfaces
// in space are drawn from above.
//
// Layer. Under experiments; imports chart, canvas and report.
//
// Units. Lengths are points (1/72 inch) or, in a page, CSS pixels. A drawing has its
// origin at the top left.
//
// Determinism. The same chart and style give the same bytes. Text is measured in
// Liberation Sans, whose widths are those of Arial and Helvetica.
package figure
