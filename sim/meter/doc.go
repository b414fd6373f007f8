// Package meter shows how far simulations have come while they run.
//
// A command that displays progress puts a [Meter] into the context of what it calls,
// which may run many simulations, several at a time. The engines find the meter there.
// Counting changes no result.
package meter
