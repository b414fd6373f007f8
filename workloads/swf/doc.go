// Package swf reads logs of batch systems in the Standard Workload Format [Chapin1999]:
// one line of 18 numbers for each job, and comments that begin with ";"; those at the
// top describe the machine.
//
// A [Job] keeps what a simulation of the queue needs: when a job was submitted, how many
// processors it took, how long it ran, and how long its user said it would. Jobs without
// submission, processors or run time are left out and counted.
//
// What it is not: users, queues, partitions, dependences and memory are ignored, but
// their fields are checked.
//
// Layer: imports model/units, and the lines of other readers. Units: seconds and processors. The result is a pure
// function of the text.
package swf
