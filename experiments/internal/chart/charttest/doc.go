// Package charttest has a chart of each kind, for tests of what is made of charts.
//
// Layer. Under experiments; for tests only.
package charttest
