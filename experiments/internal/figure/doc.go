// Package figure draws the charts of a report without a browser: for the page, where
// they are visible without scripts and on paper, and for papers.
//
// What it is. [Draw] draws one chart of package report on a canvas of gonum's vg.
// [NewScale] decides limits and ticks of an axis, for these drawings and for the
// interactive charts of the page alike. [Of] names the charts of a document.
//
// What it is not. It has no data of its own and computes no results. Surfaces in
// space are drawn from above.
//
// Layer. Under experiments; imports report.
//
// Units. Lengths are points (1/72 inch) or, in a page, CSS pixels. A drawing has its
// origin at the top left.
//
// Determinism. The same chart and style give the same bytes. Text is measured in
// Liberation Sans, whose widths are those of Arial and Helvetica.
package figure
