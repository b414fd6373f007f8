// Package recording passes on what the ranks of a program do while it runs, with
// each receive completed: the source, the tag and the size of the message that it
// got take the place of wildcards and of the size that the program expected. So a
// record has one meaning, whatever the program decided by the time or by what
// arrived first.
//
// What it is not: it knows no format. A [Sink] writes.
//
// Layer: imports workloads and model/units. Units: by type.
// Determinism: the operations of a rank are those of the run in their order; the
// order among ranks is that in which the engine asks them.
package recording
