package kernel

import (
	"fmt"
	"strings"

	"github.com/isoscale/isoscale/model/units"
)

// Blocked says what one process waits for.
type Blocked struct {
	Process string        // name of the process
	Waits   []string      // names of the events, any of which would let it go on
	Since   units.Seconds // when it began to wait
}

// String returns a line such as: "worker 1" waits for "task" since 3 s.
func (b Blocked) String() string {
	names := make([]string, len(b.Waits))
	for i, name := range b.Waits {
		names[i] = fmt.Sprintf("%q", name)
	}
	return fmt.Sprintf("%q waits for %s since %g s", b.Process, strings.Join(names, " or "), float64(b.Since))
}

// BlockedError is returned by Run when nothing is left to happen, on either
// side, and processes still wait: a deadlock, or a process that was not told to
// stop.
type BlockedError struct {
	At        units.Seconds // simulated time when nothing was left to happen
	Processes []Blocked     // by name, then by time, then in the order of their start
}

// Error lists every blocked process.
func (e *BlockedError) Error() string {
	lines := make([]string, len(e.Processes))
	for i, b := range e.Processes {
		lines[i] = b.String()
	}
	return fmt.Sprintf("kernel: nothing is left to happen at %g s, but processes are blocked (%d): %s",
		float64(e.At), len(lines), strings.Join(lines, "; "))
}

// ProcessError is returned by Run when the function of a process panicked or
// called runtime.Goexit.
type ProcessError struct {
	Process string        // name of the process
	At      units.Seconds // simulated time of the panic
	Value   any           // what it panicked with
	Stack   string        // stack of the process at the panic; not part of Error
}

// Error names the process, the simulated time and the value.
func (e *ProcessError) Error() string {
	return fmt.Sprintf("kernel: process %q failed at %g s: %v", e.Process, float64(e.At), e.Value)
}

// Unwrap returns Value if the process panicked with an error, else nil.
func (e *ProcessError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}
