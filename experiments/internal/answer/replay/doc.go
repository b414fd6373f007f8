// Package replay replays recorded traces on a machine: time-independent traces as
// SimGrid does ([TI]) and GOAL schedules as LogGOPSim does ([GOAL]).
//
// Layer. Under experiments; imports input, scenario, system and page, and the
// readers of traces in workloads.
package replay
