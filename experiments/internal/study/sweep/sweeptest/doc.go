// Package sweeptest has plans of small studies whose results are known by hand.
//
// Layer. Under experiments; for tests only.
package sweeptest
