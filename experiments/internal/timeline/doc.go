// Package timeline records a run for pictures, and writes the record in a compact
// binary form that a browser reads (docs/formats/timeline.md).
//
// What it is. A [Recorder] is an observer of a run. It keeps the spans and messages of
// small runs, and of all runs how much of the time the ranks computed, spent on
// overhead and waited, in bins. [Recorder.Timeline] gives both as arrays of times in
// ticks, [Timeline.Encode] their binary form, [Decode] reads it.
//
// What it is not. It draws nothing.
//
// Layer. Under experiments; imports model and sim.
//
// Memory. At most 3 MB for the bins and 80 bytes for each of at most [Limit] spans and
// messages, however large the run is.
package timeline
