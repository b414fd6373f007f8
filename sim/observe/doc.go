// Package observe turns what a simulation tells its observer into results for people and tests:
//
//	Timeline      a file that Perfetto opens: what every rank does, and the messages
//	CriticalPath  the operations and messages that determine the makespan
//	Matrix        how many messages and bytes go from which rank to which
//	Fingerprint   64 bits that change when anything about the run does
//
// Each is a [sim.Observer] for one run: make it, put it into sim.Config, run, then ask
// it. [Tee] lets several watch one run. Results are defined after a run that ended
// well; after a deadlock, they cover what happened until then.
//
// What it is not: observers do not influence a run, and they are not free. Timeline and
// CriticalPath keep every event in memory, as their comments say; Matrix keeps one
// record for each pair of ranks that talk, Fingerprint 24 bytes for each rank.
// Observers use one core, whatever the run uses, except for a CriticalPath without
// other observers.
//
// # Layer, units, determinism
//
// Imports model and sim. Times are seconds and sizes bytes; in a timeline file times
// are whole nanoseconds, written in microseconds as the format demands. Everything is a
// pure function of what each rank does and in which order it does it; the order in
// which the engine advances ranks has no influence.
package observe
