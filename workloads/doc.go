// Package workloads describes parallel programs as the operations that each of
// their ranks performs: computations, messages, collective calls.
//
// A workload knows nothing of time passing. It knows how much work a
// computation is (in flop) and how large a message is (in bytes); how long
// either takes is the business of package sim, which asks for one operation at
// a time and never for a list of them, so a program of a million ranks needs
// only the state that its own ranks keep.
//
// Algorithms are in the subpackage algorithm, one in a file. Collective operations are
// programs too, in the subpackage collective. Each states the source it follows.
//
// Layer: imports model/units and nothing else of this module (subpackages may
// import their parent). Units: flop, bytes, seconds, by type. Determinism: the
// operations of a rank are a pure function of the workload's parameters and of
// the rank.
//
// Packages, and what each imports of the others:
//
//	collective: .
//	parameter: ., collective
//	algorithm: ., collective, parameter
//	collective/conformance: ., collective
//	internal/lines
//	goal: internal/lines
//	internal/smpi: ., collective
//	swf: internal/lines
//	titrace: ., collective, internal/lines, internal/smpi
package workloads
