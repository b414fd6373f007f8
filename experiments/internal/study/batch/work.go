package batch

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/isoscale/isoscale/experiments/internal/study/store"
	"github.com/isoscale/isoscale/internal/each"
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

// problems are the errors in what a caller passes.
type problems []error

// unless records a problem unless a condition is fine.
func (p *problems) unless(fine bool, format string, args ...any) bool {
	if !fine {
		*p = append(*p, fmt.Errorf(format, args...))
	}
	return fine
}

// settle checks the work and the options and fills in the defaults.
func settle(w Work, o Options) (Options, error) {
	var p problems
	p.unless(len(w.Command) > 0, "no command; expected a program and its arguments")
	for _, argument := range w.Command {
		p.unless(!strings.ContainsRune(argument, 0), "argument %q has a zero byte; expected text", argument)
	}
	p.unless(w.Shards >= 1, "%d shards; expected at least 1", w.Shards)
	p.unless(!strings.ContainsAny(w.Dir, "\\\n\r\x00"), "directory %q; expected a name without backslashes and line breaks, which sbatch does not take as they are", w.Dir)
	for _, number := range []struct {
		name  string
		value int
	}{{"CPUs", o.CPUs}, {"parallel tasks", o.Parallel}, {"rounds", o.Rounds}} {
		p.unless(number.value >= 0, "%d %s; expected at least 1, or 0 for the default", number.value, number.name)
	}
	for _, span := range []struct {
		name  string
		value time.Duration
	}{{"poll", o.Poll}, {"grace", o.Grace}, {"patience", o.Patience}} {
		p.unless(span.value >= 0, "%s %v; expected a positive time, or 0 for the default", span.name, span.value)
	}
	for _, argument := range o.Extra {
		name, _, _ := strings.Cut(argument, "=")
		p.unless(!slices.ContainsFunc(refused, func(r string) bool {
			return name == r || len(r) == 2 && strings.HasPrefix(argument, r)
		}), "sbatch argument %q; expected one that leaves to sbatch what it answers and when", argument)
		p.unless(!strings.ContainsRune(argument, 0), "sbatch argument %q has a zero byte; expected text", argument)
	}
	o.CPUs = cmp.Or(o.CPUs, 1)
	o.Rounds = cmp.Or(o.Rounds, 3)
	o.Poll = cmp.Or(o.Poll, 5*time.Second)
	o.Grace = cmp.Or(o.Grace, 60*time.Second)
	o.Patience = cmp.Or(o.Patience, 30*time.Minute)
	return o, errors.Join(p...)
}

// End is how a task ended that left its shard incomplete.
type End struct {
	Job      int    `json:"job"`    // the array
	State    string `json:"state"`  // in Slurm's words; UNKNOWN if Slurm had forgotten it
	ExitCode int    `json:"exit"`   // of the command
	Signal   int    `json:"signal"` // that ended it, or 0
	Node     string `json:"node"`   // where it ran; may be empty
}

// String describes the end, as in "exit code 3 on n2 (array 12)".
func (e End) String() string {
	text := e.State
	switch {
	case e.State == "FAILED" && e.Signal == notLaunched:
		text = "a failed start, as if the node did not see the directory,"
	case e.State == "FAILED" && e.Signal != 0:
		text = fmt.Sprintf("signal %d", e.Signal)
	case e.State == "FAILED":
		text = fmt.Sprintf("exit code %d", e.ExitCode)
	case e.State == "COMPLETED":
		text = "exit code 0 without a complete shard"
	case e.State == "UNKNOWN":
		text = "an end that Slurm has forgotten"
	case e.ExitCode != 0:
		text = fmt.Sprintf("%s, exit code %d", e.State, e.ExitCode)
	}
	if e.Node != "" {
		text += " on " + e.Node
	}
	return fmt.Sprintf("%s (array %d)", text, e.Job)
}

// notLaunched is the signal that Slurm reports for a task that it could not start,
// mostly because it could not open the log of the task.
const notLaunched = 53

// shownFailures is how many shards an error describes in full.
const shownFailures = 3

// failed returns the error for shards that did not become complete, each after at least one task: how these ended, and
// what the last of them printed.
func (w Work) failed(shards []int, ended map[int][]End, rounds int) error {
	var text strings.Builder
	fmt.Fprintf(&text, "%d of %d shards failed (%s)", len(shards), w.Shards, store.Ranges(shards))
	for i, k := range slices.Sorted(slices.Values(shards)) {
		if i == shownFailures {
			fmt.Fprintf(&text, "\nand %d more", len(shards)-shownFailures)
			break
		}
		ends := ended[k]
		if sameExit(ends) {
			fmt.Fprintf(&text, "\nshard %d was given up after the same failure twice: ", k)
		} else {
			fmt.Fprintf(&text, "\nshard %d is missing after %d rounds: ", k, rounds)
		}
		text.WriteString(strings.Join(each.Of(ends, End.String), ", then "))
		log := filepath.Join(w.Dir, "log", fmt.Sprintf("%d_%d.out", ends[len(ends)-1].Job, k))
		if last := lastLines(log); last == nil {
			fmt.Fprintf(&text, "; nothing was printed to %s", log)
		} else {
			fmt.Fprintf(&text, "; %s ends with\n    %s", log, strings.Join(last, "\n    "))
		}
	}
	return errors.New(text.String())
}

// sameExit reports whether two of the ends have the same exit code other than 0. Ends by
// a signal, by Slurm or by its limits do not count, because they do not follow from
// the input of the command.
func sameExit(ends []End) bool {
	seen := map[int]bool{}
	for _, e := range ends {
		if e.State != "FAILED" || e.Signal != 0 || e.ExitCode == 0 {
			continue
		}
		if seen[e.ExitCode] {
			return true
		}
		seen[e.ExitCode] = true
	}
	return false
}

// lastLines returns at most the last ten lines, of at most 4 KiB, of a log.
func lastLines(path string) []string {
	const lines, size = 10, 4 << 10
	f, err := store.OpenFile(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	whole := true
	if _, err := f.Seek(-size, io.SeekEnd); err == nil {
		whole = false
	} else if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil
	}
	content := make([]byte, size)
	n, err := io.ReadFull(f, content)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil
	}
	all := bytes.Split(bytes.TrimRight(content[:n], "\r\n \t"), []byte("\n"))
	if !whole && len(all) > 1 {
		all = all[1:] // its beginning is not there
	}
	all = all[max(0, len(all)-lines):]
	last := each.Of(all, func(line []byte) string { return printable(string(line), 300) })
	if len(last) == 1 && last[0] == "" {
		return nil
	}
	return last
}
