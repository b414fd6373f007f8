package batch

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/study/store"
)

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

// Failure is a shard that did not become complete.
type Failure struct {
	Shard int
	Ends  []End    // of its tasks, in order
	Log   string   // what the last of them printed is in this file
	Last  []string // its last lines; none if there is no such file
}

// FailedError reports which shards did not become complete and why.
type FailedError struct {
	Shards   int       // of the directory
	Rounds   int       // how many there were
	Failures []Failure // in the order of their shards
}

// shownFailures is how many failures an error tells in full.
const shownFailures = 3

func (e *FailedError) Error() string {
	var shards []int
	for _, f := range e.Failures {
		shards = append(shards, f.Shard)
	}
	var text strings.Builder
	fmt.Fprintf(&text, "%d of %d shards failed (%s)", len(shards), e.Shards, store.Ranges(shards))
	for _, f := range e.Failures[:min(len(e.Failures), shownFailures)] {
		if sameExit(f.Ends) {
			fmt.Fprintf(&text, "\nshard %d was given up after the same failure twice: ", f.Shard)
		} else {
			fmt.Fprintf(&text, "\nshard %d is missing after %d rounds: ", f.Shard, e.Rounds)
		}
		for i, end := range f.Ends {
			if i > 0 {
				text.WriteString(", then ")
			}
			text.WriteString(end.String())
		}
		if len(f.Last) == 0 {
			fmt.Fprintf(&text, "; nothing was printed to %s", f.Log)
			continue
		}
		fmt.Fprintf(&text, "; %s ends with", f.Log)
		for _, line := range f.Last {
			text.WriteString("\n    " + line)
		}
	}
	if more := len(e.Failures) - shownFailures; more > 0 {
		fmt.Fprintf(&text, "\nand %d more", more)
	}
	return text.String()
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

// failed makes the error for shards that did not become complete.
func (w Work) failed(shards []int, ended map[int][]End, rounds int) *FailedError {
	e := &FailedError{Shards: w.Shards, Rounds: rounds}
	for _, k := range slices.Sorted(slices.Values(shards)) {
		f := Failure{Shard: k, Ends: ended[k]}
		if n := len(f.Ends); n > 0 {
			f.Log = w.logFile(f.Ends[n-1].Job, k)
			if len(e.Failures) < shownFailures {
				f.Last = lastLines(f.Log)
			}
		}
		e.Failures = append(e.Failures, f)
	}
	return e
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
	var last []string
	for _, line := range all[max(0, len(all)-lines):] {
		last = append(last, printable(string(line), 300))
	}
	if len(last) == 1 && last[0] == "" {
		return nil
	}
	return last
}
