// Package matching finds the oldest entry of a long queue of posted receives or
// unexpected messages that matches, without a look at every entry.
//
// Short queues need none of this: a walk over a handful of entries is faster.
// Both engines walk, and hand a queue over to a [Queue] when a walk was long.
package matching
