// Package timeline is the record of a run from which pictures are drawn, in a compact
// binary form that a browser reads (docs/formats/timeline.md).
//
// What it is. A [Timeline] holds spans, messages, the critical path and the use of
// links as arrays of times in ticks, and bins of how ranks spent their time.
// [Timeline.Encode] writes the binary form, [Decode] reads it.
//
// What it is not. It records nothing, as package watch does, and draws nothing, as the
// script of package pictures does.
//
// Layer. Under experiments; imports model/units.
package timeline
