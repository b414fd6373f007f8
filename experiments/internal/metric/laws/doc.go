// Package laws presents laws of scaling that were fitted to times, throughputs or
// speedups over a number of processors: in words, as a chart with bands, as a table
// and in JSON.
//
// What it is. [Fit] fits all laws of model/regression to the points of a [Subject] and
// orders them by cross-validation; [FitTimes] and [FitGrowth] make performance models of
// measured times, with predictions. Studies and measured times show what they return.
//
// What it is not. Fitting is model/regression.
//
// Layer. Under experiments; imports chart, page, report and model/regression.
package laws
