// Package quantile has the one rule by which tables, charts and queues read a share off
// sorted values: the nearest rank, without interpolation, so that a quantile is always
// one of the values.
//
// What it is not. Confidence intervals of resampled indices are in analysis.
//
// Layer. Under experiments; imports nothing of the module.
package quantile
