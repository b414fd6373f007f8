// Package wrapped looks into programs that have other programs inside.
//
// Layer: imports workloads only. Determinism: pure functions.
package wrapped
