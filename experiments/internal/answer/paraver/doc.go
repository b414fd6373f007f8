// Package paraver reads traces of Paraver, which Extrae writes: a .prv or .prv.gz file with all
// records in the order of time. The grammar is that of Paraver's manual (Paraver: Parallel
// Program Visualization and Analysis tool, tracefile description). The numbers of MPI calls are
// those of Extrae, unless a .pcf file beside the trace gives others.
//
// [Open] reads a trace once and sorts what ranks did by rank, in memory up to some megabytes
// and in temporary files beyond, so that a program can ask for the steps of any rank.
//
// A process is a rank; only its first thread counts. Computations are the times in state
// running. As in Dimemas, the time of tasks that are not created yet, and of I/O, is also
// computation in a replay. Receives begin at their logical and end at their physical time.
//
// Layer: imports recorded, and workloads and model/units.
package paraver
