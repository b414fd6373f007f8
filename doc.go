// Package isoscale simulates clusters: how long a parallel program takes on nodes and a
// network that need not exist.
//
// A first program:
//
//	c, err := machinefile.Load("sunwulf")
//	if err != nil {
//		log.Fatal(err)
//	}
//	result, err := isoscale.Run(ctx, isoscale.Simulation{
//		Cluster: c,
//		Network: c.Flow(),
//		Body: func(r *isoscale.Rank) {
//			r.Compute(1e6)
//			r.Barrier()
//		},
//	})
//	if err != nil {
//		log.Fatal(err)
//	}
//	fmt.Println(result.Makespan)
//
// A [Cluster] is built from [Node] values, or comes from a file: package machinefile below
// experiments reads machine files, so that programs without them link no reader. The cluster
// makes a network model ([Hockney], [LogGOPS], [Flow]) with its own figures, which may be
// changed; [Custom] is a model of one's own. The program is a function that each rank executes,
// with the methods of [Rank], or a [workloads.Program]. Processes beside the ranks inject
// failures, schedule work, make background load. [Study] runs many simulations on all cores, and
// [Iso] looks for the problem size that holds an efficiency.
//
// Results do not depend on the number of cores. Errors name what was expected.
//
// These are aliases of, and entries to, the packages below: [sim] for the engine,
// its observers and its results, [model/units] for quantities, [workloads] for
// programs as state machines, [model/scalability] for metrics. docs/library.md has
// complete programs, and says which packages stay compatible.
//
// [model/units]: https://pkg.go.dev/github.com/isoscale/isoscale/model/units
// [model/scalability]: https://pkg.go.dev/github.com/isoscale/isoscale/model/scalability
package isoscale
