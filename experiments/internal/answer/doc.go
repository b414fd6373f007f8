// Package answer has one question and one answer in each of its packages: the time of a run,
// the sizes that hold an efficiency, the replay of a trace, the waits of a queue.
//
// The input is a scenario and its machine, the output a result with the document that shows
// it. Package system turns a scenario into what the engine runs; the others call it.
//
// Packages, and what each imports of the others:
//
//	batchqueue
//	hold
//	pool
//	queue: batchqueue
//	recorded
//	otf2: recorded
//	paraver: recorded
//	waits
//	efficiencies: pool, waits
//	watch: otf2, paraver, waits
//	system: efficiencies, hold, waits, watch
//	export: system
//	lesson: system
//	iso: efficiencies, hold, pool, system, watch
//	replay: efficiencies, otf2, paraver, recorded, watch
//	run: efficiencies, system, watch
package answer
