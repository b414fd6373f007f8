// Package swf reads logs of batch systems in the Standard Workload Format
// [Chapin1999]: one line of 18 numbers for each job, and comments that begin with ";",
// of which those at the top say what machine it was.
//
// What a simulation of the queue needs is kept, as [Job] says: when a job was submitted,
// how many processors it took, how long it ran, and how long its user said that it would.
// Jobs without one of these are left out and counted.
//
// What it is not: nothing is known of users, queues, partitions, dependences and memory,
// though their fields are checked.
//
// Layer: imports model/units, and the lines of other readers. Units: seconds and processors. The result is a pure
// function of the text.
package swf
