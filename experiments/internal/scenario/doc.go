// Package scenario reads what can be simulated: the scenarios, studies and
// super-programs that put machines, networks and workloads together.
//
// What it is. A [Scenario] is one simulation, a [Study] a ladder of systems that
// hold an efficiency, a [SuperProgram] a program of super-instructions on nested
// clusters, a [Template] a scenario whose fields a sweep changes. All are read
// from YAML, from files or, where there is no file system, from [Documents], with
// every problem reported at its place.
//
// What it is not. It simulates nothing; package system does. Package document opens the files; packages machines,
// networks and workload read the parts.
//
// Layer. Under experiments; imports these, dispatch, formula, and below them
// topology, workloads and model.
//
// Packages, and what each imports of the others:
//
//	dispatch
//	build
//	cluster: build
//	machines: build
//	rankorder: build
//	networks: build, cluster, machines
//	application/expression
//	application: application/expression
//	hpldat
//	nccltests
//	workload: application, hpldat, nccltests
//	scenariotest: .
package scenario
