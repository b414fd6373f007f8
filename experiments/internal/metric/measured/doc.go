// Package measured computes scalability metrics of measured times, and holds the
// registry of all metrics.
//
// What it is. A [Metric] is everything that isoscale says about a metric: its words in metrics.json, by family, and how
// it is computed from measured times, if it can be. [Compute] computes every metric for which a table of times has what
// is needed, compares each system with the next larger one at equal values of, for instance, an efficiency ([Step]),
// fits laws of speedup, and says for the other metrics what is missing. [Result.Report] shows it.
//
// What it is not. The metrics themselves are pure functions of model/scalability, the
// fits are those of model/regression, and package measurements reads the tables.
//
// Layer. Under experiments; imports input, page, report, energy, laws and measurements.
package measured
