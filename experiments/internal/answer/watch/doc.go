// Package watch records runs, finds what limits them, and makes the parts of a report that are
// the same for every simulation of one machine.
//
// What it is. A [Recording] observes a run, and a [Record] is its result: a timeline, the
// critical path, and a picture. For the picture a [Recorder] keeps the spans and messages of
// small runs and, in bins, how much of the time the ranks of any run computed, spent on overhead
// and waited; a [Traffic] counts who sends how much to whom. [Links] say what links cost,
// [WiringOf] how they are connected: a platform knows routes but not where its links end. Where
// one link follows another on a route, the two meet at one place.
//
// What it is not. It lays nothing out: where things are drawn is up to the picture.
//
// Layer. Under experiments/internal/answer. The input is results of packages sim and flow, the
// output tables, charts and sentences of package report. Units: SI, as the types say.
//
// Memory. A recorder takes at most 3 MB for the bins and 80 bytes for each of at most
// [MostListed] spans and messages, and the counts of messages 16 KB, however large the run is.
//
// Determinism. The same run gives the same record, the same platform the same wiring.
package watch
