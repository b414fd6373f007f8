// Package paraver reads traces of Paraver, which Extrae writes: a .prv or .prv.gz of all
// records in the order of time. The grammar is that of Paraver's manual (Paraver: Parallel
// Program Visualization and Analysis tool, tracefile description), the numbers of MPI calls
// are those of Extrae, but for what a .pcf beside the trace says.
//
// [Open] reads a trace once and sorts what ranks did by rank, in memory up to some megabytes
// and in temporary files beyond, so that a program can ask for the steps of any rank.
//
// A process is a rank; of its threads the first counts. Computations are the times in state
// running. As in Dimemas, tasks that are not created yet, and I/O, compute too when a trace is
// replayed. Receives begin at their logical and end at their physical time.
//
// Layer: imports recorded, and workloads and model/units.
package paraver
