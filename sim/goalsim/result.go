package goalsim

import "fmt"

// Result is what a complete run gives.
type Result struct {
	HostFinish []Nanoseconds // of each host: when the last of its cores is free
	Makespan   Nanoseconds   // the latest of them
	Messages   int64         // sent
	Events     int64         // operations started and messages arrived; waiting does not count
	Unreceived int64         // messages that arrived and that no receive has taken
}

// OverflowError reports a time that is too large to be computed with.
type OverflowError struct {
	Rank, Line int // of the operation; Line is 0 if it is not known
	Operation  string
}

// Error names the operation.
func (e *OverflowError) Error() string {
	return fmt.Sprintf("%s of rank %d%s would end after more than %d ns; expected smaller sizes or parameters",
		e.Operation, e.Rank, place(e.Line), int64(maxTime))
}

func place(line int) string {
	if line == 0 {
		return ""
	}
	return fmt.Sprintf(" (line %d)", line)
}
