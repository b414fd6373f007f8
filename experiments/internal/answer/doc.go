// Package answer has one question and one answer in each of its packages: the time of a run,
// the sizes that hold an efficiency, the replay of a trace, the waits of a queue.
//
// What comes in are a scenario and its machine, what goes out is a result with the document
// that shows it. Package system makes of a scenario what the engine runs; all others ask it.
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
