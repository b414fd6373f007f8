package batch

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/isoscale/isoscale/experiments/internal/study/store"
)

// Slurm computes the missing shards of a directory by job arrays and returns when none
// is missing; see the package comment. It calls progress, if that is not nil, after
// each query of the queue.
//
// If shards remain missing, the error says how their tasks ended. If the context is
// cancelled, the array remains in the queue: the error wraps that of the context and says
// how to follow or cancel the array. Other errors: bad work or options, a Slurm that does
// not answer or refuses the array, shards that were cancelled, an error of Missing.
func Slurm(ctx context.Context, w Work, o Options, progress func(Status)) error {
	o, err := settle(w, o)
	if err != nil {
		return err
	}
	f := &follower{Work: w, Options: o, tell: progress}
	missing, err := w.Missing()
	if err != nil {
		return err
	}
	if len(missing) == 0 {
		return f.finish(nil, missing)
	}
	if f.site, err = askSite(ctx, o.env); err != nil {
		return f.interrupted(ctx, err)
	}
	attached, err := f.attach(ctx)
	if err != nil {
		return f.interrupted(ctx, err)
	}
	if !attached {
		f.record = record{Version: recordVersion, Cluster: f.site.cluster, Ended: map[int][]End{}}
	}
	for {
		if !attached {
			again := slices.DeleteFunc(slices.Clone(missing), f.givenUp)
			if len(again) == 0 || f.record.Round >= o.Rounds {
				return f.finish(w.failed(missing, f.record.Ended, f.record.Round), missing)
			}
			if err := f.submit(ctx, again, missing); err != nil {
				return f.interrupted(ctx, err)
			}
		}
		attached = false
		if missing, err = f.follow(ctx); err != nil {
			return f.interrupted(ctx, err)
		}
		if len(missing) == 0 {
			return f.finish(nil, missing)
		}
		if err := f.endRound(missing); err != nil {
			return err
		}
	}
}

// follower is one call of Slurm.
type follower struct {
	Work
	Options
	tell   func(Status)
	site   site
	record record       // the array under way
	seen   map[int]task // the last state that Slurm reported for its tasks, by shard
	before map[int]bool // tasks of an earlier call's array that had ended, or were ending, when this call began
	silent time.Time    // since when Slurm does not answer; zero if it does
}

// attach looks for an array that an earlier call left in the queue.
func (f *follower) attach(ctx context.Context) (bool, error) {
	r, err := readRecord(f.Dir)
	if err != nil || r == nil {
		return false, err
	}
	if r.Cluster != f.site.cluster {
		return false, fmt.Errorf("%s: an array is in the queue of cluster %s (job %d), but this is cluster %s; expected a call on the former; if that array no longer exists, remove the file",
			filepath.Join(f.Dir, recordName), r.Cluster, r.Job, f.site.cluster)
	}
	if r.Job == 0 {
		if r.Job, err = findJob(ctx, f.env, r.Name); err != nil || r.Job == 0 {
			return false, err
		}
	}
	tasks, err := askQueue(ctx, f.env, r.Job, r.Name)
	if err != nil && !errors.Is(err, errUnknownJob) {
		return false, err
	}
	if !slices.ContainsFunc(tasks, task.live) {
		return false, nil
	}
	f.record = *r
	if f.record.Ended == nil {
		f.record.Ended = map[int][]End{}
	}
	f.seen, f.before = map[int]task{}, map[int]bool{}
	for _, t := range tasks {
		f.before[t.shard] = !t.live() || t.State == "COMPLETING"
	}
	return true, nil
}

// submit begins the next round. The record names the array before sbatch does,
// so that it is found if this process ends in between.
func (f *follower) submit(ctx context.Context, shards, missing []int) error {
	if err := f.site.admits(shards, f.Shards); err != nil {
		return err
	}
	f.record.Round++
	f.record.Name, f.record.Job = "isoscale-"+rand.Text()[:16], 0 // 80 bits: no other job has the name
	f.seen, f.before = map[int]task{}, nil
	if err := f.record.write(f.Dir); err != nil {
		return err
	}
	for {
		job, err := submit(ctx, f.Work, f.Options, f.record.Name, shards)
		if err != nil && ctx.Err() != nil {
			return err
		}
		var findErr error
		if err != nil {
			// The array may be in the queue nevertheless, for instance if the answer came
			// too late. If this cannot be determined, the record stays.
			job, findErr = findJob(ctx, f.env, f.record.Name)
		}
		if job > 0 {
			f.record.Job, f.silent = job, time.Time{}
			return f.record.write(f.Dir)
		}
		// A site refuses an array in the first round; later the controller may just be
		// restarting.
		if f.record.Round == 1 || !f.patient(err) {
			if findErr == nil {
				err = errors.Join(err, removeRecord(f.Dir))
			}
			return err
		}
		f.report(missing)
		if err := sleep(ctx, f.Poll); err != nil {
			return err
		}
	}
}

// follow waits until no shard is missing or the array has left the queue, and returns
// the missing shards.
func (f *follower) follow(ctx context.Context) (missing []int, err error) {
	for {
		tasks, err := askQueue(ctx, f.env, f.record.Job, f.record.Name)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		left := errors.Is(err, errUnknownJob)
		if err == nil || left {
			f.silent = time.Time{}
			left = !slices.ContainsFunc(tasks, task.live)
		} else if !f.patient(err) {
			return nil, fmt.Errorf("Slurm has not answered for %v: %w; array %d may still run; rerun the command to follow it", f.Patience, err, f.record.Job)
		}
		for _, t := range tasks {
			f.seen[t.shard] = t
		}
		// After the queue, so that what has ended there has been written.
		if missing, err = f.Missing(); err != nil {
			return nil, err
		}
		f.report(missing)
		if len(missing) == 0 {
			return nil, nil
		}
		if left {
			break
		}
		if err := sleep(ctx, f.Poll); err != nil {
			return nil, err
		}
	}
	// Files may become visible late, but only those of tasks that have ended
	// well or in an unknown way.
	for deadline := time.Now().Add(f.Grace); slices.ContainsFunc(missing, f.mayAppear) && time.Now().Before(deadline); {
		if err := sleep(ctx, max(f.Grace/20, time.Millisecond)); err != nil {
			return nil, err
		}
		if missing, err = f.Missing(); err != nil {
			return nil, err
		}
		f.report(missing)
	}
	return missing, nil
}

// endRound notes how the tasks of the missing shards ended.
func (f *follower) endRound(missing []int) error {
	var cancelled []int
	for _, k := range missing {
		if f.givenUp(k) {
			continue // was not in this round
		}
		t, known := f.last(k)
		if !known || t.live() {
			t.State = "UNKNOWN"
		}
		if t.State == "CANCELLED" && !f.before[t.shard] { // otherwise whoever cancelled it has called again
			cancelled = append(cancelled, k)
		}
		t.Job = f.record.Job
		f.record.Ended[k] = append(f.record.Ended[k], t.End)
	}
	if len(cancelled) == 0 {
		return nil
	}
	return f.finish(fmt.Errorf("array %d was cancelled before %d of %d shards were complete (%s cancelled); rerun the command to submit the missing shards",
		f.record.Job, len(missing), f.Shards, store.Ranges(cancelled)), missing)
}

// finish ends the call: there is no array that a later call could follow.
func (f *follower) finish(err error, missing []int) error {
	f.report(missing)
	return errors.Join(err, removeRecord(f.Dir))
}

// interrupted adds to an error how to follow or cancel the array.
func (f *follower) interrupted(ctx context.Context, err error) error {
	switch {
	case ctx.Err() == nil:
		return err
	case f.record.Job > 0:
		return fmt.Errorf("%w; array %d still runs: rerun the command to follow it, or run scancel %d to end it", context.Cause(ctx), f.record.Job, f.record.Job)
	case f.record.Name != "":
		return fmt.Errorf("%w while an array was being submitted (%s); rerun the command to follow it", context.Cause(ctx), f.record.Name)
	}
	return context.Cause(ctx)
}

// givenUp reports whether a shard is not submitted again.
func (f *follower) givenUp(shard int) bool {
	return sameExit(f.record.Ended[shard])
}

// last returns what Slurm last reported about a shard: its own task, or the record of those it does not list.
func (f *follower) last(shard int) (t task, known bool) {
	if t, known = f.seen[shard]; !known {
		t, known = f.seen[others]
	}
	return t, known
}

// patient reports whether to keep waiting after Slurm has failed to answer.
func (f *follower) patient(err error) bool {
	if f.silent.IsZero() {
		f.silent = time.Now()
	}
	installed := !errors.Is(err, exec.ErrNotFound) // a missing program: waiting does not help
	return installed && time.Since(f.silent) < f.Patience
}

// mayAppear reports whether a missing shard may be complete but not visible yet.
func (f *follower) mayAppear(shard int) bool {
	t, known := f.last(shard)
	return !f.givenUp(shard) && (!known || t.live() || t.State == "COMPLETED")
}

// live reports whether a task has not ended.
func (t task) live() bool { return phases[t.State] != ended }

// report reports the progress.
func (f *follower) report(missing []int) {
	if f.tell == nil {
		return
	}
	s := Status{Job: f.record.Job, Round: f.record.Round, Rounds: f.Rounds, Done: f.Shards - len(missing)}
	if !f.silent.IsZero() {
		s.Silent = time.Since(f.silent)
	}
	reasons := map[string]int{}
	for _, k := range missing {
		t, known := f.last(k)
		switch {
		case f.givenUp(k):
			s.Failed++
		case !known:
			s.Pending++
		case phases[t.State] == waiting:
			s.Pending++
			if t.reason != "" && t.reason != "JobArrayTaskLimit" { // that is Parallel
				reasons[t.reason]++
			}
		case t.live() || t.State == "COMPLETED":
			s.Running++
		default:
			s.Failed++
		}
	}
	for _, reason := range slices.Sorted(maps.Keys(reasons)) {
		if reasons[reason] > reasons[s.Reason] {
			s.Reason = reason
		}
	}
	f.tell(s)
}

// sleep waits, unless the context ends first.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// submit submits the shards to Slurm and returns the number of the array.
func submit(ctx context.Context, w Work, o Options, name string, shards []int) (job int, err error) {
	dir, err := filepath.Abs(w.Dir)
	if err == nil {
		err = os.MkdirAll(filepath.Join(dir, "log"), 0o777)
	}
	if err != nil {
		return 0, err
	}
	// SBATCH_WAIT would have sbatch wait for the end of the array. Other
	// variables are the user's defaults, such as SBATCH_ACCOUNT.
	out, err := ask(ctx, script(w.Command), o.env, []string{"SBATCH_WAIT="}, "sbatch", submission(dir, o, name, shards)...)
	if err == nil {
		first, _, _ := strings.Cut(strings.TrimSpace(out), ";") // of a federation: job;cluster
		if job, err = strconv.Atoi(first); err == nil && job > 0 {
			return job, nil
		}
		err = fmt.Errorf("sbatch printed %q; expected the number of a job", printable(out, 200))
	}
	return 0, err
}

// submission returns the arguments of sbatch.
func submission(dir string, o Options, name string, shards []int) []string {
	array := store.Ranges(shards)
	if o.Parallel > 0 {
		array += "%" + strconv.Itoa(o.Parallel)
	}
	args := append(slices.Clone(o.Extra), "--parsable", "--job-name="+name, "--array="+array, "--requeue", "--open-mode=append",
		// In file names of sbatch a percent sign is two.
		"--output="+strings.ReplaceAll(dir, "%", "%%")+"/log/%A_%a.out",
		"--cpus-per-task="+strconv.Itoa(o.CPUs))
	for _, option := range []struct{ name, value string }{
		{"--partition=", o.Partition}, {"--account=", o.Account}, {"--time=", o.Time},
	} {
		if option.value != "" {
			args = append(args, option.name+option.value)
		}
	}
	return args
}

// script returns a shell script that becomes the command: the task's exit code
// and signals are those of the command.
func script(command []string) string {
	var s strings.Builder
	s.WriteString("#!/bin/sh\nexec")
	for _, argument := range command {
		// Within single quotes a shell takes everything as it is but a single
		// quote, which stands outside them after a backslash.
		s.WriteString(" '" + strings.ReplaceAll(argument, "'", `'\''`) + "'")
	}
	s.WriteByte('\n')
	return s.String()
}

const (
	recordName    = "slurm.json"
	recordVersion = 1
	maxRecord     = 64 << 20 // 100,000 shards with some attempts each take less
)

// record is the content of slurm.json: the array in the queue.
type record struct {
	Version int    `json:"version"`
	Cluster string `json:"cluster"`
	Name    string `json:"name"`  // of the job; no other job has it
	Job     int    `json:"job"`   // its number; 0 until sbatch has said it
	Round   int    `json:"round"` // the first is 1

	// Ended is how the tasks of earlier rounds ended, by shard, of shards that
	// were missing after them.
	Ended map[int][]End `json:"ended"`
}

// readRecord reads slurm.json of a directory; nil if there is none.
func readRecord(dir string) (*record, error) {
	path := filepath.Join(dir, recordName)
	content, err := store.ReadFile(path, maxRecord+1)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	var r record
	err = json.Unmarshal(content, &r)
	switch {
	case len(content) > maxRecord:
		err = fmt.Errorf("more than %d bytes", maxRecord)
	case err != nil:
	case r.Version != recordVersion:
		err = fmt.Errorf("version %d", r.Version)
	case r.Cluster == "" || r.Name == "" || r.Job < 0 || r.Round < 1:
		err = errors.New("not all of cluster, name, job and round")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w; expected version %d of the record of an array in the queue; if there is none, remove the file", path, err, recordVersion)
	}
	return &r, nil
}

// write replaces slurm.json of a directory atomically.
func (r *record) write(dir string) error {
	content, err := json.MarshalIndent(r, "", "\t")
	if err != nil {
		return err
	}
	return store.Replace(filepath.Join(dir, recordName), append(content, '\n'))
}

// removeRecord removes slurm.json of a directory, if it is there.
func removeRecord(dir string) error {
	if err := os.Remove(filepath.Join(dir, recordName)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
