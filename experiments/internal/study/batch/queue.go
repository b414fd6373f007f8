package batch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/isoscale/isoscale/experiments/internal/study/store"
	"github.com/isoscale/isoscale/internal/each"
)

// columns is what is asked of squeue about a task, with fixed widths: some
// values are empty or have spaces, so that lines cannot be split at those.
const columns = "arraytaskid:30,state:20,exit_code:12,nodelist:40,reason:60"

var columnWidths = []int{30, 20, 12, 40, 60}

// task is a task as squeue reports it, or stands for all tasks of the array that squeue does not list one by one.
type task struct {
	shard  int    // or others
	End           // how it ended, if it has; State is always set
	reason string // why it waits; empty: no reason given
}

// others in place of a shard stands for the tasks that are not listed: Slurm keeps one record for those that have not
// started, and prints no index for it once the array has been cancelled.
const others = -1

// phase is a group of states of Slurm.
type phase int

const (
	running phase = iota
	waiting
	ended
)

// phases lists all states except the many in which a task is somehow running.
var phases = map[string]phase{
	"PENDING": waiting, "CONFIGURING": waiting, "REQUEUED": waiting, "REQUEUE_FED": waiting,
	"REQUEUE_HOLD": waiting, "RESV_DEL_HOLD": waiting, "SPECIAL_EXIT": waiting,

	"COMPLETED": ended, "FAILED": ended, "CANCELLED": ended, "TIMEOUT": ended, "NODE_FAIL": ended,
	"OUT_OF_MEMORY": ended, "BOOT_FAIL": ended, "DEADLINE": ended, "PREEMPTED": ended, "REVOKED": ended,
}

// errUnknownJob reports that Slurm no longer knows a job, or never did.
var errUnknownJob = errors.New("Slurm does not know the job")

// askQueue returns the array's tasks that Slurm knows: none, or errUnknownJob, if it knows no such array. The name
// guards against another job that was given the same number.
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
		t := task{others, End{State: cells[1], Node: cells[3]}, cells[4]}
		var err error
		if !isRecord(cells[0]) {
			t.shard, err = strconv.Atoi(cells[0])
		}
		if err != nil || t.shard < others || cells[0] == "-1" || t.State == "" {
			return nil, fmt.Errorf("squeue: line %q; expected the index of a task and its state", printable(line, 200))
		}
		if t.ExitCode, t.Signal, err = parseExit(cells[2]); err != nil {
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

// site is the part of a cluster's configuration that is used here.
type site struct {
	cluster      string
	maxArraySize int // largest index of an array, plus one
	maxJobCount  int // jobs that the controller keeps, each task of an array counted
}

// askSite asks the controller for its configuration.
func askSite(ctx context.Context, env []string) (site, error) {
	out, err := ask(ctx, "", env, nil, "scontrol", "show", "config")
	if err != nil {
		return site{}, fmt.Errorf("Slurm does not answer: %w; expected the configuration of the cluster", err)
	}
	return parseSite(out)
}

// parseSite reads what scontrol show config prints: lines `Name = value`.
func parseSite(out string) (site, error) {
	values := map[string]string{}
	for line := range strings.Lines(out) {
		if name, value, ok := strings.Cut(line, "="); ok {
			values[strings.TrimSpace(name)] = strings.TrimSpace(value)
		}
	}
	var s site
	if s.cluster = values["ClusterName"]; s.cluster == "" {
		return site{}, fmt.Errorf("scontrol show config: no ClusterName; expected a line `ClusterName = name`")
	}
	for _, number := range []struct {
		name string
		to   *int
	}{{"MaxArraySize", &s.maxArraySize}, {"MaxJobCount", &s.maxJobCount}} {
		n, err := strconv.Atoi(values[number.name])
		if err != nil || n < 0 {
			return site{}, fmt.Errorf("scontrol show config: %s is %q; expected a line `%s = number`", number.name, values[number.name], number.name)
		}
		*number.to = n
	}
	return s, nil
}

// admits returns why the site would refuse an array of those shards, or nil.
func (s site) admits(shards []int, of int) error {
	largest := each.Max(0, shards, func(k int) int { return k })
	switch {
	case s.maxArraySize == 0:
		return fmt.Errorf("cluster %s permits no job arrays (MaxArraySize is 0); expected a site that does", s.cluster)
	case largest >= s.maxArraySize:
		return fmt.Errorf("shard %d of %d cannot be a task on cluster %s, whose MaxArraySize is %d: the index of a task is at most %d; expected a directory with at most %d shards",
			largest, of, s.cluster, s.maxArraySize, s.maxArraySize-1, s.maxArraySize)
	case len(shards) > s.maxJobCount:
		return fmt.Errorf("%d shards (%s) are more jobs than cluster %s keeps, whose MaxJobCount is %d; expected a directory with at most %d shards",
			len(shards), printable(store.Ranges(shards), 60), s.cluster, s.maxJobCount, s.maxJobCount)
	}
	return nil
}

const (
	// answerTime is how long a program of Slurm may take. squeue gives up on a
	// dead controller after 18 s, sbatch tries for 120 s to get a job into a full
	// queue.
	answerTime = 3 * time.Minute
	// maxAnswer bounds what is kept of its output. A line of squeue for one
	// task has 150 bytes, and an array at most 100,000 tasks.
	maxAnswer = 64 << 20
)

// commandError reports that a program of Slurm failed.
type commandError struct {
	command string
	said    string // on its standard error, shortened
	err     error
}

func (e *commandError) Error() string {
	if errors.Is(e.err, exec.ErrNotFound) {
		return fmt.Sprintf("%s: not found; expected the programs of Slurm in PATH, as on a login node of the cluster", e.command)
	}
	if e.said == "" {
		return fmt.Sprintf("%s: %v, without a message", e.command, e.err)
	}
	return fmt.Sprintf("%s: %v: %s", e.command, e.err, e.said)
}

func (e *commandError) Unwrap() error { return e.err }

// ask runs a program of Slurm with further environment variables (NAME=value), and
// without those whose names begin with one of the prefixes: they hold the user's
// defaults for options that would change the answer.
func ask(ctx context.Context, stdin string, with, without []string, name string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, answerTime, fmt.Errorf("no answer within %v", answerTime))
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = slices.DeleteFunc(append(os.Environ(), with...), func(variable string) bool {
		return slices.ContainsFunc(without, func(prefix string) bool { return strings.HasPrefix(variable, prefix) })
	})
	cmd.Stdin = strings.NewReader(stdin)
	cmd.WaitDelay = time.Second // for children that keep its output open
	var out, errs limited
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	switch {
	case err == nil && out.cut:
		err = fmt.Errorf("printed more than %d bytes", maxAnswer)
	case err != nil && ctx.Err() != nil:
		err = context.Cause(ctx)
	}
	if err != nil {
		return "", &commandError{strings.Join(append([]string{name}, args...), " "), printable(errs.String(), 500), err}
	}
	return out.String(), nil
}

// limited is a buffer of bounded size that discards the rest.
type limited struct {
	bytes.Buffer
	cut bool
}

func (l *limited) Write(p []byte) (int, error) {
	keep := min(len(p), maxAnswer-l.Len())
	l.Buffer.Write(p[:keep])
	l.cut = l.cut || keep < len(p)
	return len(p), nil
}

// printable makes one line of at most so many bytes of a message, without
// characters that a terminal would obey.
func printable(text string, length int) string {
	text = strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' }), "; ")
	text = strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 {
			return ' '
		}
		return r
	}, text)
	if len(text) > length {
		text = text[:length] + "..."
	}
	return strings.TrimSpace(strings.ToValidUTF8(text, "\uFFFD"))
}
