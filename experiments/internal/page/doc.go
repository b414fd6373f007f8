// Package page has the parts that several results share, in JSON and as blocks of a
// report: ranks, links, parameters, tables with keys, scales, warnings, provenance.
//
// Layer. Under experiments; imports input and report, and the engine's results.
//
// Packages, and what each imports of the others:
//
//	browsertest
//	html
package page
