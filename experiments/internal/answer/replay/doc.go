// Package replay replays recorded traces on a machine: time-independent traces, as
// SimGrid does, and traces with times ([TI]), and GOAL schedules, as LogGOPSim does ([GOAL]).
//
// Layer. Under experiments; imports input, scenario, system and page, and the
// readers of traces in workloads.
package replay
