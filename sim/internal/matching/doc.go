// Package matching finds the oldest matching entry of a long queue of posted receives
// or unexpected messages without looking at every entry.
//
// Short queues need none of this: a walk over a handful of entries is faster. Both
// engines walk, and move the entries to a [Queue] after a long walk.
package matching
