// Package batchqueue simulates the queue of a batch system: which job starts when on
// a machine of equal nodes that run one job each at a time.
//
// A [Job] is submitted at a time, takes a number of nodes for its run time, and has
// an estimate of that time, which is all that the queue knows. [Run] returns the
// start of every job under a [Policy], [Summarize] the figures that centres ask for.
//
// # The rules
//
// Jobs queue in the order of submission; jobs of one time in the order of the slice.
// Decisions are made at the instants at which a job is submitted or ends, and with
// conservative backfilling also when a reservation falls due. At one instant ends
// come before submissions, and both before starts.
//
//   - [FCFS]: jobs start in the order of the queue. A job that does not fit holds up
//     all that are behind it.
//   - [EASY]: FCFS, and a reservation for the head of the queue that does not fit.
//     The reservation is the earliest time at which enough nodes are free if the
//     running jobs end as estimated. Jobs behind the head start, in the order of the
//     queue, if nodes are free for them and they do not delay it: either they end by
//     the time of the reservation, as estimated, or they take nodes that it leaves.
//     [Lifka1995], [MualemFeitelson2001].
//   - [Conservative]: a reservation for each job, made when it is submitted: the
//     earliest time at which it delays neither running jobs nor reservations. At
//     each instant the schedule is compressed: each waiting job, in the order of the
//     queue, gives up its reservation for the earliest one, which is never a later
//     one. A job starts when its reservation falls due.
//     [MualemFeitelson2001]. While n jobs wait, more than N, which [FullPass] says, only
//     the first N^2/n of them move to any time, those behind to now if nodes are free
//     beside all reservations.
//   - [ConservativeFull]: the same, but that all move, however many wait.
//
// A job that runs longer than its estimate is not ended. Once the estimate has
// passed, its end is expected at any moment, which counts as now. Under [Conservative]
// it may hold nodes for which a reservation has fallen due. Then all reservations are
// made anew at the next instant, in the order of the queue, and may be later ones.
//
// # What it is not
//
// Nodes have no places, so there is no fragmentation and no placement. There are no priorities,
// partitions, dependences, failures or limits of users, and a start costs no time.
//
// # Cost
//
// Under [FCFS] a job costs the logarithm of the number of jobs that run. Under [EASY] it costs
// that of the jobs that wait too, and a pass over the expected ends of running jobs up to its
// own: a hundred thousand take some 0.1 ms. Under [Conservative] the end of a job before its
// estimate costs a pass over the waiting jobs, most of which move, for about 0.6 us each: that is
// why not all do in a long queue. All of 20 000 jobs at once would move 170 million times; as it
// is, they take less than two seconds, a million less than a minute. A job that holds up a reservation beyond
// its estimate costs a new reservation of each waiting job.
//
// # Layer, units, determinism
//
// Imports model/units, sim/kernel and sim/meter. Times are units.Seconds. Run uses one core; the
// result is a pure function of its arguments.
package batchqueue
