package fault

import (
	"fmt"
	"math"

	"github.com/isoscale/isoscale/model/units"
)

// MemoryError reports work that needs more memory than this computer has available.
type MemoryError struct {
	What            string // as "a run of 100000000 processes"
	Need, Available units.Bytes
	Expected        string // what to do instead
}

func (e *MemoryError) Error() string {
	return fmt.Sprintf("%s needs about %v of memory (%.0f bytes) and %v are available; expected %s",
		e.What, e.Need, float64(e.Need), e.Available, e.Expected)
}

// CheckMemory returns a *MemoryError if need exceeds the available memory, and nil
// where the available memory is unknown.
func CheckMemory(what string, need units.Bytes, expected string) error {
	if have, known := availableMemory(); known && need > have {
		return &MemoryError{what, need, have, expected}
	}
	return nil
}

// MemoryLimit returns the number of bytes that a schedule may take.
func MemoryLimit() int64 {
	if have, known := availableMemory(); known {
		return int64(have)
	}
	return math.MaxInt64
}
