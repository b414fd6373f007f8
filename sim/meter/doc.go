// Package meter tells others how far simulations have come while they run.
//
// A command that wants to show it puts a [Meter] into the context of whatever it
// calls, which may run many simulations, several at a time. The engines find it
// there. What they count changes no result.
package meter
