// Package runs has the commands that simulate systems one by one: run, iso, replay, and
// trace, which writes what a run does for other simulators.
//
// What they print of the examples is tested in experiments/command.
package runs
