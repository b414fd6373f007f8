// Package report is the model of a report: plain data that says what was found.
//
// What it is. A [Document] holds an answer in words, a few key numbers,
// sections with tables, charts and notes, and the provenance of all that.
// [Document.Check] says whether it can be shown. Package html below writes it as a
// page.
//
// What it is not. It computes nothing and knows no simulator types: callers provide
// numbers and words. It is no general model of charts: nine kinds (lines, bars,
// scattered points, tornados, heat maps, surfaces seen from above and in space,
// timelines, parallel axes).
//
// Layer. Under experiments: public names for the types in experiments/internal/chart,
// where each kind of chart has its data, drawing and interactive form as methods. So a
// program that imports it links the chart libraries.
//
// Units. Every axis names its quantity and its unit; a missing one is an
// error. [Dimensionless] is the unit of pure numbers.
//
// Bad input. The error of [Document.Check] lists every problem with section, chart and
// series. A number that a chart cannot show is a problem: not finite, beyond 1e30, or
// below 1e-9 on a logarithmic axis. Only in the grid of a surface, NaN stands for a
// missing value. Text is never a problem: writers of documents make it fit.
package report
