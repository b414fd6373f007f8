// Package findings says what the rows of a complete study mean: the best configuration,
// what matters, how to grow, what limits, what is lost, what the laws are, and what a
// search predicts.
//
// What it is. [Of] merges the rows of a [sweep.Study] and analyses them. A [Result] is the
// answer as it stands in the JSON, with the same in words: [Result.Summary], and a method
// for each part. Its [Evidence] is what the answer rests on, for those who draw it. A part
// that cannot be found is left out, and a warning says so where that is a surprise.
// [ExportSteps] and [ExportPredictions] write what is said of every configuration as tables.
//
// [Result.Report] draws them: maps, curves, tables and the words of the summary, in the order
// in which a reader needs them. Each section is a file; one that has nothing to show is left
// out. Maps and curves are drawn around one configuration, the reference of the result, and
// show the objective in a prefix that suits all its values.
//
// What it is not. It computes no statistics: that is done by packages analysis, effects,
// search and laws.
//
// Units: values are in the units of the study's columns, shares from 0 to 1, and what is
// called per cent is in per cent.
//
// Determinism: a result is a function of the directory of the study and of its objective,
// but for its provenance.
//
// Layer. Under experiments; imports sweep, what answers questions about tables, page and report.
package findings
