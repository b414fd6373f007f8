package batch

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/study/store"
)

// submit submits the shards to Slurm and returns the number of the array.
func submit(ctx context.Context, w Work, o Options, name string, shards []int) (job int, err error) {
	if err := os.MkdirAll(filepath.Join(w.Dir, "log"), 0o777); err != nil {
		return 0, err
	}
	args, err := submission(w, o, name, shards)
	if err != nil {
		return 0, err
	}
	// SBATCH_WAIT would have sbatch wait for the end of the array. Other
	// variables are the user's defaults, such as SBATCH_ACCOUNT.
	out, err := ask(ctx, script(w.Command), o.env, []string{"SBATCH_WAIT="}, "sbatch", args...)
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
func submission(w Work, o Options, name string, shards []int) ([]string, error) {
	dir, err := filepath.Abs(w.Dir)
	if err != nil {
		return nil, err
	}
	array := store.Ranges(shards)
	if o.Parallel > 0 {
		array += "%" + strconv.Itoa(o.Parallel)
	}
	args := append([]string{}, o.Extra...)
	args = append(args, "--parsable", "--job-name="+name, "--array="+array, "--requeue", "--open-mode=append",
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
	return args, nil
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

// newName returns the name of a job that no other job has.
func newName() string {
	return "isoscale-" + rand.Text()[:16] // 80 bits
}
