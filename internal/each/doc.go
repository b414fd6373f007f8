// Package each makes slices and numbers from what a function says of each item of a slice, as package slices
// does from tests and orders. Functions are called once an item, in order.
//
// Layer: imports nothing. Determinism: pure functions.
package each
