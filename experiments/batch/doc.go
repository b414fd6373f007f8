// Package batch hands the shards of a result directory to a batch system. For
// Slurm it runs sbatch, follows the job array with squeue, submits again what
// is missing and says why something failed twice ([Slurm]). For Kubernetes it
// prints the manifest of an indexed Job ([Manifest]). It knows neither what a
// shard computes nor what its files are called: the caller says which command
// an array task runs and which shards are missing ([Work]).
//
// # What is believed
//
// The directory, never the queue. Whatever Slurm says of a task, its shard is
// done when Missing no longer names it, and all is done when Missing names
// none, even if tasks are still in the queue: what they do then is nothing,
// because a shard that is there is not computed again. Slurm executes a task at
// least once. Two copies of one shard may run at the same time, after a node was
// out of reach for a while, and a shard that is done may be started again;
// package store is made for that.
//
// # One round
//
// A round submits what is missing as one array, whose task k is shard k:
//
//	sbatch EXTRA --parsable --job-name=isoscale-RANDOM --array=7,25,38-39%8
//	       --requeue --open-mode=append --output=DIR/log/%A_%a.out
//	       --cpus-per-task=1 --partition=P --account=A --time=T
//
// with a script on its standard input that executes the command, each argument
// quoted. The command finds its shard in SLURM_ARRAY_TASK_ID ([ShardIndex]) and
// inherits the submitter's environment and working directory, as is sbatch's
// habit; program and directory must be visible on the nodes under the same
// names. To use no more processors than Options.CPUs where neither control
// groups nor affinity hold a task to them, it takes SLURM_CPUS_PER_TASK, which
// is always set, as GOMAXPROCS.
//
// The states of Slurm are three here:
//
//	waiting  PENDING, CONFIGURING, REQUEUED, REQUEUE_FED, REQUEUE_HOLD,
//	         RESV_DEL_HOLD, SPECIAL_EXIT
//	ended    COMPLETED, FAILED, CANCELLED, TIMEOUT, NODE_FAIL, OUT_OF_MEMORY,
//	         BOOT_FAIL, DEADLINE, PREEMPTED, REVOKED
//	running  all others: RUNNING, COMPLETING, SUSPENDED, STAGE_OUT, ...
//
// The round ends when all tasks have ended or the array has left squeue's
// memory (MinJobAge after its end). A shard whose task ended well may become
// visible late on a network file system; it has Options.Grace for that. What is
// missing then is submitted in the next round, with these exceptions:
//
//   - A shard whose tasks ended twice with the same exit code other than 0 is
//     given up: its failure is a function of its input. The others go on.
//   - Ends by a signal, a time limit, too little memory or a lost node are not
//     failures of that kind, because a shard goes on from where it was; they
//     are repeated until Options.Rounds is reached.
//   - After scancel of one of its tasks nothing more is submitted: it was wanted.
//
// A node that dies: Slurm starts its tasks elsewhere (--requeue) once it
// believes it, minutes later; if it gives the task up instead, the next round
// has it. A controller that does not answer is waited for, up to
// Options.Patience; tasks run on without it. A task that Slurm holds (JobHeldUser,
// JobHeldAdmin, "launch failed requeued held") waits until somebody releases or
// cancels it; Status.Reason says so.
//
// # Exit codes of the command
//
// 0: the shard is complete. Anything else: it is not; what the command printed
// is in the log. Code 2 is, as everywhere in isoscale, bad input: a Kubernetes
// Job does not repeat it; here it takes a second time, like any other code.
//
// # Files in the directory
//
// slurm.json is there while an array is under way: which one, on which cluster,
// in which round, and what failed before. It is written before and after
// sbatch and removed when [Slurm] has nothing more to do. If the follower is
// interrupted or killed the array goes on, and the next call of [Slurm] follows
// it instead of submitting twice, provided that the cluster is the same (else it
// is an error), the job has the name in the file, and some of it is still in
// the queue. Two calls for one directory at the same time do no harm, but may
// compute shards twice.
//
// log/ARRAY_SHARD.out is what a task printed; a requeued task appends.
//
// Layer: imports experiments/store (for the notation of sets of shards) and the
// standard library; runs the programs sbatch, squeue and scontrol. Units:
// durations by type. Determinism: none is promised, queues have none; a result
// is a function of the directory alone.
package batch
