// Package findings says what the rows of a complete study mean: the best configuration,
// what matters, how to grow, what limits, what is lost, what the laws are, and what a
// search predicts.
//
// What it is. [Of] merges the rows of a [sweep.Study] and analyses them. A [Result] is the answer in the form of the
// JSON; [Result.Summary] and a method for each part say the same in words. Its [Evidence] is what the answer rests on,
// for those who draw it. A part that cannot be found is left out, with a warning where that is a surprise.
// [ExportSteps] and [ExportPredictions] write what is known about every configuration as tables.
//
// [Result.Report] draws them: maps, curves, tables and the words of the summary, in the order in which a reader needs
// them. Each section has a file; a section with nothing to show is left out. Maps and curves are drawn around one
// configuration, the reference of the result, and show the objective in a unit prefix that suits all its values.
//
// What it is not. It computes no statistics; packages analysis, effects, search and laws do.
//
// Units: values are in the units of the study's columns, shares from 0 to 1, and percentages where they are called per
// cent.
//
// Determinism: except for its provenance, a result is a function of the directory of the study and of its objective.
package findings
