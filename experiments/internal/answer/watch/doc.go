// Package watch records runs, finds what limits them, and has the parts of a report that every
// simulation of one machine shows alike.
//
// What it is. A [Recording] is what observes a run, a [Record] what it leaves: a timeline, the
// critical path, and a picture. For the picture a [Recorder] keeps the spans and messages of
// small runs, and of all runs how much of the time the ranks computed, spent on overhead and
// waited, in bins; a [Traffic] counts who sends how much to whom. [Links] say what links cost,
// [WiringOf] how they hang together: a platform knows routes and not where its links end, and
// where one link follows another on a route, both end at the same place.
//
// What it is not. It places nothing: where things are drawn is up to the picture.
//
// Layer. Under experiments/internal/answer; what comes in are results of packages sim and flow,
// what goes out are tables, charts and sentences of package report. Units: SI, as the types say.
//
// Memory. A recorder takes at most 3 MB for the bins and 80 bytes for each of at most
// [MostListed] spans and messages, and the counts of messages 16 KB, however large the run is.
//
// Determinism. The same run gives the same record, the same platform the same wiring.
package watch
