package batch

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
)

// columns is what is asked of squeue about a task, with fixed widths: some
// values are empty or have spaces, so that lines cannot be split at those.
const columns = "arraytaskid:30,state:20,exit_code:12,nodelist:40,reason:60"

var columnWidths = []int{30, 20, 12, 40, 60}

// task is a task as squeue reports it, or all tasks of the array that it does not
// report one by one.
type task struct {
	shard            int // or others
	state            string
	exitCode, signal int // how it ended, in one of two ways
	node             string
	reason           string // why it waits; empty: no reason given
}

// others in the place of a shard stands for the tasks that are not listed: Slurm
// keeps one record for those that have not started, and prints no index for it
// once the array has been cancelled.
const others = -1

// phase is a group of states of Slurm.
type phase int

const (
	running phase = iota
	waiting
	ended
)

// phases holds all but the many states in which a task is somehow running.
var phases = map[string]phase{
	"PENDING": waiting, "CONFIGURING": waiting, "REQUEUED": waiting, "REQUEUE_FED": waiting,
	"REQUEUE_HOLD": waiting, "RESV_DEL_HOLD": waiting, "SPECIAL_EXIT": waiting,

	"COMPLETED": ended, "FAILED": ended, "CANCELLED": ended, "TIMEOUT": ended, "NODE_FAIL": ended,
	"OUT_OF_MEMORY": ended, "BOOT_FAIL": ended, "DEADLINE": ended, "PREEMPTED": ended, "REVOKED": ended,
}

// errUnknownJob reports that Slurm no longer knows a job, or never did.
var errUnknownJob = errors.New("Slurm does not know the job")

// askQueue returns the tasks of the array that Slurm knows: none, or
// errUnknownJob, if it knows no such array. The name guards against another job
// that has got the number.
func askQueue(ctx context.Context, env []string, job int, name string) ([]task, error) {
	out, err := ask(ctx, "", env, []string{"SQUEUE_"}, "squeue", "-h", "-r", "-t", "all",
		"-j", strconv.Itoa(job), "-n", name, "-O", columns)
	if err != nil {
		if failed, ok := errors.AsType[*commandError](err); ok && strings.Contains(failed.said, "Invalid job id") {
			return nil, errUnknownJob
		}
		return nil, err
	}
	return parseQueue(out)
}

// parseQueue reads the lines of squeue.
func parseQueue(out string) ([]task, error) {
	var tasks []task
	for line := range strings.Lines(out) {
		line = strings.TrimRight(line, "\r\n")
		if strings.TrimSpace(line) == "" {
			continue
		}
		var cells [5]string
		rest := line
		for i, width := range columnWidths {
			width = min(width, len(rest))
			cells[i] = strings.TrimSpace(rest[:width])
			rest = rest[width:]
		}
		t := task{shard: others, state: cells[1], node: cells[3], reason: cells[4]}
		var err error
		if !isRecord(cells[0]) {
			t.shard, err = strconv.Atoi(cells[0])
		}
		if err != nil || t.shard < others || cells[0] == "-1" || t.state == "" {
			return nil, fmt.Errorf("squeue: line %q; expected the index of a task and its state", printable(line, 200))
		}
		if t.exitCode, t.signal, err = parseExit(cells[2]); err != nil {
			return nil, fmt.Errorf("squeue: line %q: %w", printable(line, 200), err)
		}
		if t.reason == "None" || t.reason == "(null)" {
			t.reason = ""
		}
		tasks = append(tasks, t)
	}
	return tasks, nil
}

// isRecord reports whether squeue prints this in the place of an index for the
// record of tasks that have not started: N/A, or ranges such as [3-5,7%2].
func isRecord(index string) bool {
	return index == "N/A" || strings.HasPrefix(index, "[") || strings.ContainsAny(index, ",%")
}

// parseExit reads how a task ended: as code:signal, which Slurm prints in many
// places, or as the status of wait(2), which squeue prints here: the code is its
// second byte and the signal its low seven bits.
func parseExit(text string) (code, signal int, err error) {
	first, second, pair := strings.Cut(text, ":")
	code, err = strconv.Atoi(first)
	if err == nil && pair {
		signal, err = strconv.Atoi(second)
		return code, signal, err
	}
	if err != nil {
		return 0, 0, fmt.Errorf("exit code %q; expected a number", text)
	}
	return code >> 8 & 0xff, code & 0x7f, nil
}

// findJob returns the number of the array with a name, 0 if there is none.
func findJob(ctx context.Context, env []string, name string) (int, error) {
	out, err := ask(ctx, "", env, []string{"SQUEUE_"}, "squeue", "-h", "-t", "all", "-n", name, "-O", "arrayjobid:20")
	if err != nil {
		return 0, err
	}
	first, _, _ := strings.Cut(strings.TrimSpace(out), "\n")
	if first == "" {
		return 0, nil
	}
	job, err := strconv.Atoi(strings.TrimSpace(first))
	if err != nil || job <= 0 {
		return 0, fmt.Errorf("squeue -n %s printed %q; expected the number of a job", name, printable(first, 100))
	}
	return job, nil
}

// notInstalled reports whether a program of Slurm could not be found, which
// waiting does not change.
func notInstalled(err error) bool { return errors.Is(err, exec.ErrNotFound) }
