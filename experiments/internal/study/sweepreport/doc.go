// Package sweepreport draws what a study says: maps, curves, tables and the words of the
// summary, in the order in which a reader needs them.
//
// What it is. An [Answer] is a result of package findings with [Answer.Report]. Each section
// is a file; a section that has nothing to show is left out. Maps and curves are drawn
// around one configuration, the reference of the result.
//
// What it is not. It decides nothing: which configuration is best, what limits and what
// matters says package findings, and what stands in the JSON is the result alone.
//
// Units: charts show the objective in a prefix that suits all its values.
//
// Layer. Under experiments; imports findings, what results consist of, page and report.
package sweepreport
