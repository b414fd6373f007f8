// Package batch submits the shards of a result directory to a batch system. For
// Slurm it runs sbatch, follows the job array with squeue, resubmits missing shards
// and reports why a shard failed twice ([Slurm]). For Kubernetes it prints the
// manifest of an indexed Job ([Manifest]). It does not depend on what a shard
// computes or on the names of files: the caller gives the command of an array task
// and a function that lists the missing shards ([Work]).
//
// # The directory decides
//
// A shard is complete when Missing no longer lists it, whatever state Slurm reports
// for its task. The work is complete when Missing lists no shard, even if tasks are
// still in the queue: they do nothing, because a complete shard is not computed
// again. Slurm executes a task at least once. Two copies of one shard may run at the
// same time, after a node was unreachable for a while, and a complete shard may be
// started again. Package store allows both.
//
// # One round
//
// A round submits the missing shards as one array, whose task k is shard k:
//
//	sbatch EXTRA --parsable --job-name=isoscale-RANDOM --array=7,25,38-39%8
//	       --requeue --open-mode=append --output=DIR/log/%A_%a.out
//	       --cpus-per-task=1 --partition=P --account=A --time=T
//
// with a script on its standard input that executes the command, each argument
// quoted. The command finds its shard in SLURM_ARRAY_TASK_ID ([ShardIndex]) and
// inherits the environment and the working directory of sbatch. Program and directory
// must be visible on the nodes under the same paths. GOMAXPROCS is set to
// SLURM_CPUS_PER_TASK, which is always set, so that a task uses no more processors than
// Options.CPUs even if neither control groups nor affinity enforce it.
//
// The states of Slurm are grouped into three:
//
//	waiting  PENDING, CONFIGURING, REQUEUED, REQUEUE_FED, REQUEUE_HOLD,
//	         RESV_DEL_HOLD, SPECIAL_EXIT
//	ended    COMPLETED, FAILED, CANCELLED, TIMEOUT, NODE_FAIL, OUT_OF_MEMORY,
//	         BOOT_FAIL, DEADLINE, PREEMPTED, REVOKED
//	running  all others: RUNNING, COMPLETING, SUSPENDED, STAGE_OUT, ...
//
// The round ends when all tasks have ended or squeue no longer lists the array
// (MinJobAge after its end). The files of a successful task may become visible late on
// a network file system; Options.Grace is the time for that. The shards that are still
// missing are submitted in the next round, with these exceptions:
//
//   - A shard whose tasks ended twice with the same exit code other than 0 is not
//     submitted again, because its failure follows from its input. The other shards
//     are.
//   - Ends by a signal, a time limit, a lack of memory or a lost node do not count as
//     such failures, because a new task resumes the shard. They are repeated until
//     Options.Rounds is reached.
//   - After scancel of one of its tasks nothing more is submitted.
//
// If a node fails, Slurm restarts its tasks on other nodes (--requeue), minutes later.
// If it does not, the next round submits them. If the controller does not answer, the
// call waits up to Options.Patience; tasks run on without the controller. A task that
// Slurm holds (JobHeldUser, JobHeldAdmin, "launch failed requeued held") waits until a
// user releases or cancels it; Status.Reason has the reason.
//
// # Exit codes of the command
//
// 0: the shard is complete. Any other code: it is not, and the log has the output of
// the command. Code 2 is bad input, as everywhere in isoscale. A Kubernetes Job does
// not repeat it; here a second task is tried, as for any other code.
//
// # Files in the directory
//
// slurm.json exists while an array is in the queue. It has the job, the cluster, the
// round and earlier failures. It is written before and after sbatch and removed when
// [Slurm] has nothing more to do. If the call is interrupted or killed, the array
// remains in the queue, and the next call of [Slurm] follows it instead of submitting
// again, provided that the cluster is the same (otherwise it is an error), the job has
// the name in the file, and some of its tasks are still in the queue. Two calls for one
// directory at the same time do no harm, but may compute shards twice.
//
// log/ARRAY_SHARD.out is the output of a task; a requeued task appends.
//
// The package runs the programs sbatch, squeue and scontrol. Units: durations by type.
// Determinism: the order of tasks is not deterministic; a result is a function of the
// directory alone.
package batch
