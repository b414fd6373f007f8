// Package wrapped looks into programs that wrap other programs.
//
// Layer: imports workloads only. Determinism: pure functions.
package wrapped
