// Package measured computes scalability metrics of measured times.
//
// What it is. [Read] reads a table of times (CSV); [Compute] gives every metric for
// which the table has what is needed, fits laws of speedup, and says for the other
// metrics what is missing. The catalogue of metrics with formula, source and when
// each misleads is here too.
//
// What it is not. The metrics themselves are pure functions of model/scalability.
//
// Layer. Under experiments; imports input and page.
package measured
