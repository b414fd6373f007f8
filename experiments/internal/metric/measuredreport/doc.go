// Package measuredreport shows what the metrics say of measured times: as a report with
// charts, and as tables for the report and the command line.
//
// What it is. An [Answer] is a result of package measured with [Answer.Report] and
// its tables. Its charts are drawn over processes (of one size, and of one
// work for each process), over size, and over repeated runs.
//
// What it is not. It computes no metric and fits no law: that is package measured, and
// what stands in the JSON is the result alone.
//
// Layer. Under experiments; imports measured, page, laws and report.
package measuredreport
