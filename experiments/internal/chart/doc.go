// Package chart says what a chart of a report shows, without drawing it. The page with
// scripts, the drawings and the files of data agree because they ask here.
//
// What it is. [Of] names the charts of a document, and [Read] reads them from JSON. Of
// each there are title and caption ([Words]), a description for those who do not see it
// ([Finding]) and all numbers ([WriteCSV], [WriteVega]); a [Change] keeps some of its
// series or makes an axis logarithmic. [NewScale] decides limits and ticks of an axis.
// [Clean], [Titled], [Distinct] and [Number] write text and numbers as all charts have
// them. What only one kind has is in a file of its own, such as the names and colours of
// lines.
//
// What it is not. It draws nothing; that is package figure, and package html for pages
// with scripts. It computes no results.
//
// Layer. Under experiments; imports report and timeline.
//
// Determinism. The same chart gives the same bytes. Numbers in files of data are written
// such that reading them gives the same float64.
//
// Packages, and what each imports of the others:
//
//	canvas
//	palette
//	timeline
//	whatif
//	pictures
//	quantile
package chart
