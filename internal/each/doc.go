// Package each makes slices and numbers from the values of a function for each item of a slice. Functions
// are called once per item, in order.
//
// Layer: imports nothing. Determinism: pure functions.
package each
