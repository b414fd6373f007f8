// Package measured computes scalability metrics of measured times, and holds the
// registry of all metrics.
//
// What it is. A [Metric] is everything that isoscale says of a metric: name, formula,
// source, when it misleads, and how it is computed of measured times, if it can be.
// [Metrics] lists them all; a family of metrics has a file. [Compute] gives every metric
// for which a table of times has what is needed, fits laws of speedup, and says for the
// other metrics what is missing.
//
// What it is not. The metrics themselves are pure functions of model/scalability, the
// fits are those of model/regression, package measurements reads the tables, and package
// measuredreport shows the result.
//
// Layer. Under experiments; imports input, laws, measurements and steps.
package measured
