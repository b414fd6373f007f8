package fault

import (
	"fmt"
	"math"

	"github.com/isoscale/isoscale/model/units"
)

// MemoryError reports work that needs more memory than the budget of this process.
type MemoryError struct {
	What         string // the work, such as "a run of 100000000 processes"
	Need, Budget units.Bytes
	Uses         string // what needs it; "" if What says so
	Expected     string // what to do instead
}

func (e *MemoryError) Error() string {
	need, uses := fmt.Sprintf("about %v of memory (%.0f bytes)", e.Need, float64(e.Need)), ""
	if e.Uses != "" {
		need, uses = fmt.Sprintf("about %v of memory", e.Need), ": "+e.Uses
	}
	return fmt.Sprintf("%s needs %s and may use %v%s; expected %s, or more memory (--memory SIZE)",
		e.What, need, e.Budget, uses, e.Expected)
}

// CheckMemory returns a *MemoryError if need exceeds the budget, and nil where there is
// no budget.
func CheckMemory(what string, need units.Bytes, expected string) error {
	if have, known := budget(); known && need > have {
		return &MemoryError{What: what, Need: need, Budget: have, Expected: expected}
	}
	return nil
}

// MemoryLimit returns the number of bytes that a schedule may take.
func MemoryLimit() int64 {
	if have, known := budget(); known {
		return int64(have)
	}
	return math.MaxInt64
}
