// Package report writes a plain document as one HTML file that opens without a
// network.
//
// What it is. A [Document] holds an answer in words, a few key numbers,
// sections with tables, charts and notes, and the provenance of all that. [Write]
// checks it and writes one self-contained page: style, chart library and data
// are inside, and a Content-Security-Policy forbids the browser to load anything
// else. Every chart carries its numbers in a table that needs no script.
//
// What it is not. It computes nothing and knows no simulator types: callers
// bring numbers and words. It is no general chart library: seven chart kinds
// (lines, bars, scattered points, tornados, heat maps, surfaces seen from above
// and in space), one look.
//
// In space. A [Surface3D] needs WebGL in the browser and a second library, which
// only pages with such a chart carry. Without WebGL the page says so in its place
// and is otherwise whole. Of a page, the first eight are drawn.
//
// Layer. Under experiments; imports nothing of this module and is the only
// importer of go-echarts. From go-echarts it takes the chart options, not the
// page: that page would load scripts from a public host, write series names
// unescaped, and go blank on a NaN.
//
// Units. Every axis names its quantity and its unit; a missing one is an
// error. [Dimensionless] is the unit of pure numbers.
//
// Bad input. [Write] reports every problem it finds, each with section, chart
// and series, and then writes nothing. A number that a chart cannot show is such
// a problem: not finite, beyond 1e30, or below 1e-9 on a logarithmic axis. Only in
// the grid of a surface NaN says that there is no value. Text
// never is: it may come from imported files, so it is escaped,
// and characters that cannot be shown are replaced by U+FFFD.
//
// Determinism. The same document gives the same bytes.
package report
