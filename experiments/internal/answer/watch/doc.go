// Package watch records runs for pictures and finds what limits them.
//
// What it is. A [Recorder] is an observer of a run. It keeps the spans and messages of
// small runs, and of all runs how much of the time the ranks computed, spent on
// overhead and waited, in bins. A [Traffic] counts who sends how much to whom. A [Watch] has
// both and the critical path, and says in a sentence what limits the run.
//
// Layer. Under experiments; imports timeline, page and what it watches.
//
// Memory. A recorder takes at most 3 MB for the bins and 80 bytes for each of at most
// [MostListed] spans and messages, and the counts of messages 16 KB, however large the
// run is.
package watch
