// Package system turns a scenario into a simulation that is ready to run. No other
// package does.
//
// What it is. Four steps lead from a file to numbers:
//
//	s, err := scenario.Disk.Read("scenario.yaml", nil) // which machine, network, workload
//	sys, err := system.New(s)                     // processes on nodes, and their messages
//	run, err := sys.Simulate(ctx, s.Workload.N)   // one simulation
//	run.Makespan, run.SpeedEfficiency, ...        // what it is measured by
//
// [System.Simulate] is where the network model, the speed of the processes and their share of
// memory bandwidth come together, so that the same case has the same time in run, iso, sweep and
// plan. [Outcomes] lists what a simulation is measured by, [Curve] simulates one system at many
// problem sizes, and [Curve.Hold] finds the size that holds a speed-efficiency. A super-program
// takes the short way, [RunSuperProgram].
//
// Layer. Under experiments; imports input and scenario, and sim.
//
// Determinism. The same scenario and seed give the same result on any number of cores.
package system
