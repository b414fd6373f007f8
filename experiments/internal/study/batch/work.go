package batch

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Work is a directory of shards and how one of them is computed.
type Work struct {
	// Dir is the result directory. Nodes must see it under the same name.
	Dir string
	// Command is the program and the arguments that one array task runs. It
	// finds the number of its shard in the environment (see ShardIndex).
	Command []string
	// Missing returns the shards that are not complete, of those from 0 to
	// Shards-1. It is called every Options.Poll.
	Missing func() ([]int, error)
	// Shards is the number of shards of the directory.
	Shards int
}

// Options are the options of Slurm. Empty texts and zeros stand for the default of the
// site, or for the default named here.
type Options struct {
	Partition string
	Account   string
	Time      string // limit of a task, in sbatch's notation: minutes, or hours:minutes:seconds
	CPUs      int    // processors of a task; default 1
	Parallel  int    // how many tasks may run at the same time; default: no limit
	// Extra are further arguments of sbatch. Those that this package sets itself
	// win; --clusters, --wait, --wrap and --test-only are refused.
	Extra []string

	Rounds   int           // how many times a missing shard is submitted; default 3
	Poll     time.Duration // between two looks at queue and directory; default 5 s
	Grace    time.Duration // for files to become visible; default 60 s, the age of names that NFS keeps
	Patience time.Duration // how long Slurm may not answer; default 30 min

	// env has variables for the programs of Slurm on top of those of this process,
	// as NAME=value. With it tests can use several clusters at the same time.
	env []string
}

// Status is the progress of the work. Pending, Running, Done and Failed add up to
// the number of shards.
type Status struct {
	Job           int // the array under way; 0 before the first
	Round, Rounds int

	Pending int // waiting in the queue, or not submitted yet
	Running int // also those that have ended well and are not visible yet
	Done    int // complete in the directory
	Failed  int // ended without becoming complete, to be repeated or given up

	// Reason is what most of the waiting tasks wait for, in Slurm's words
	// (Resources, Priority, ...); empty if Slurm gives none.
	Reason string
	// Silent is since how long Slurm has not answered; zero if it does.
	Silent time.Duration
}

// refused are options of sbatch that change its output in ways that this package does
// not understand.
var refused = []string{"--clusters", "-M", "--wait", "-W", "--wrap", "--test-only"}

// settle checks the work and the options and fills in the defaults.
func settle(w Work, o Options) (Options, error) {
	var problems []error
	fail := func(format string, args ...any) { problems = append(problems, fmt.Errorf(format, args...)) }

	if len(w.Command) == 0 {
		fail("no command; expected a program and its arguments")
	}
	for _, argument := range w.Command {
		if strings.ContainsRune(argument, 0) {
			fail("argument %q has a zero byte; expected text", argument)
		}
	}
	if w.Shards < 1 {
		fail("%d shards; expected at least 1", w.Shards)
	}
	if strings.ContainsAny(w.Dir, "\\\n\r\x00") {
		fail("directory %q; expected a name without backslashes and line breaks, which sbatch does not take as they are", w.Dir)
	}
	for _, number := range []struct {
		name  string
		value int
	}{{"CPUs", o.CPUs}, {"parallel tasks", o.Parallel}, {"rounds", o.Rounds}} {
		if number.value < 0 {
			fail("%d %s; expected at least 1, or 0 for the default", number.value, number.name)
		}
	}
	for _, span := range []struct {
		name  string
		value time.Duration
	}{{"poll", o.Poll}, {"grace", o.Grace}, {"patience", o.Patience}} {
		if span.value < 0 {
			fail("%s %v; expected a positive time, or 0 for the default", span.name, span.value)
		}
	}
	for _, argument := range o.Extra {
		name, _, _ := strings.Cut(argument, "=")
		if slices.ContainsFunc(refused, func(r string) bool {
			return name == r || len(r) == 2 && strings.HasPrefix(argument, r)
		}) {
			fail("sbatch argument %q; expected one that leaves to sbatch what it answers and when", argument)
		}
		if strings.ContainsRune(argument, 0) {
			fail("sbatch argument %q has a zero byte; expected text", argument)
		}
	}

	setDefault(&o.CPUs, 1)
	setDefault(&o.Rounds, 3)
	setDefault(&o.Poll, 5*time.Second)
	setDefault(&o.Grace, 60*time.Second)
	setDefault(&o.Patience, 30*time.Minute)
	return o, errors.Join(problems...)
}

func setDefault[T comparable](value *T, otherwise T) {
	var zero T
	if *value == zero {
		*value = otherwise
	}
}

// logFile returns the path of the log of a task.
func (w Work) logFile(job, shard int) string {
	return filepath.Join(w.Dir, "log", fmt.Sprintf("%d_%d.out", job, shard))
}
