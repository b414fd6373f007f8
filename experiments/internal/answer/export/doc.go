// Package export writes a scenario for other simulators: as time-independent traces
// and a platform for SimGrid ([TI]), and as a GOAL schedule for LogGOPSim ([GOAL]).
//
// Both simulate the scenario and write what its processes do during the simulation. So programs
// whose operations depend on what arrives first can be exported too, and only open receives are
// kept in memory. docs/formats/export.md says what is written for what, and what is refused.
//
// Layer. Under experiments; imports input, scenario and system, and the formats.
//
// Determinism. The same scenario gives the same files.
package export
