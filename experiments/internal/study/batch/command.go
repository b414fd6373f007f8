package batch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

const (
	// answerTime is how long a program of Slurm may take. squeue gives up on a
	// dead controller after 18 s, sbatch tries for 120 s to get a job into a full
	// queue.
	answerTime = 3 * time.Minute
	// maxAnswer bounds what is kept of its output. A line of squeue for one
	// task has 150 bytes, and an array at most 100,000 tasks.
	maxAnswer = 64 << 20
)

// commandError is a program of Slurm that failed.
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

// limited is a buffer that takes only so much and forgets the rest.
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
