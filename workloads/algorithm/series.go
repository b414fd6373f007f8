package algorithm

import (
	"errors"
	"fmt"

	"github.com/isoscale/isoscale/model/units"
)

// Series is what the workloads have in common that are a number of equal rounds,
// the same for every process.
type Series struct {
	Rounds    int
	Processes int
	Startup   units.Seconds // as in Problem
}

// maxRounds is the largest number of rounds, which are counted in 32 bits.
const maxRounds = 1 << 30

// check reports everything that is wrong with the series, in the name of a
// workload.
func (s Series) check(name string) error {
	return errors.Join(
		expect(s.Rounds >= 1 && s.Rounds <= maxRounds, name, "n is %d; expected 1 to %d rounds", s.Rounds, maxRounds),
		expect(s.Processes >= 1, name, "%d processes; expected at least 1", s.Processes),
		expect(s.Startup >= 0 && s.Startup <= 1e9, name, "startup is %v; expected 0 s to 1e9 s", s.Startup),
	)
}

// expect returns an error of the workload of that name unless ok.
func expect(ok bool, name, format string, args ...any) error {
	if ok {
		return nil
	}
	return fmt.Errorf(name+": "+format, args...)
}

// SequentialWork returns 0: all processes do the same.
func (s Series) SequentialWork() units.Flops { return 0 }

// startTime is when the processes begin.
func (s Series) startTime() units.Seconds { return startTime(s.Processes, s.Startup) }

// alike returns what every process needs if one needs that much.
func (s Series) alike(need units.Bytes) []units.Bytes {
	needs := make([]units.Bytes, s.Processes)
	for i := range needs {
		needs[i] = need
	}
	return needs
}
