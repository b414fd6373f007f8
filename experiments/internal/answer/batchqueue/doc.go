// Package batchqueue simulates the queue of a batch system: when jobs start on a machine
// of equal nodes that run one job each at a time.
//
// A [Job] is submitted at a time and takes a number of nodes for its run time. The queue
// knows only an estimate of that time. [Run] returns the start of every job under a
// [Policy], [Summarize] the figures that centres ask for.
//
// # The rules
//
// Jobs queue in the order of submission, those submitted at one time in the order of the
// slice. Decisions are made when a job is submitted or ends, and with conservative
// backfilling also when a reservation falls due. At one instant, ends come before
// submissions, and both before starts.
//
//   - [FCFS]: jobs start in the order of the queue. A job that does not fit holds up
//     all jobs behind it.
//   - [EASY]: FCFS, with a reservation for the head of the queue if it does not fit.
//     The reservation is the earliest time at which enough nodes are free if the
//     running jobs end as estimated. Jobs behind the head start, in the order of the
//     queue, if nodes are free for them and they do not delay the head: either their
//     estimated end is not after the reservation, or they take nodes that it leaves.
//     [Lifka1995], [MualemFeitelson2001].
//   - [Conservative]: a reservation for each job, made when it is submitted: the
//     earliest time at which the job delays neither running jobs nor reservations. At
//     each instant the schedule is compressed: each waiting job, in the order of the
//     queue, gives up its reservation for the earliest possible one, which is never
//     later. A job starts when its reservation falls due.
//     [MualemFeitelson2001]. While n jobs wait, more than the N of [FullPass], only the
//     first N^2/n of them move to any time; those behind move to now if nodes are free
//     beside all reservations.
//   - [ConservativeFull]: the same, but all jobs move, however many wait.
//
// A job that runs longer than its estimate is not killed. Once the estimate has passed,
// its end is expected at any moment, that is now. Under [Conservative] it may hold nodes
// for which a reservation has fallen due. Then all reservations are made anew at the
// next instant, in the order of the queue, and may become later.
//
// # What it is not
//
// Nodes have no places, so there is no fragmentation and no placement. There are no priorities,
// partitions, dependences, failures or limits of users, and a start costs no time.
//
// # Cost
//
// Under [FCFS] a job costs the logarithm of the number of running jobs. Under [EASY] it also costs
// the logarithm of the number of waiting jobs, and a pass over the expected ends of running jobs up to
// its own: a hundred thousand take some 0.1 ms. Under [Conservative] a job that ends before its
// estimate costs a pass over the waiting jobs. Most of them move, for about 0.6 us each, so in a long
// queue not all may: 20 000 jobs submitted at once would move 170 million times. As it is, they take
// less than two seconds, and a million jobs less than a minute. A job that runs beyond its estimate and
// holds up a reservation costs a new reservation of each waiting job.
//
// # Layer, units, determinism
//
// Imports model/units, sim/kernel and sim/meter. Times are units.Seconds. Run uses one core; the
// result is a pure function of its arguments.
package batchqueue
