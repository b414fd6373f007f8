package fault

import (
	"runtime/debug"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/model/units"
)

// within gives the process a budget for the time of a test.
func within(t *testing.T, size units.Bytes) {
	t.Helper()
	old := debug.SetMemoryLimit(-1)
	SetBudget(size)
	t.Cleanup(func() { debug.SetMemoryLimit(old) })
}

// What was counted and what comes next must fit together; memory that came after the first
// question and was not counted needs room for itself and 1.25 times as much once more.
func TestGrowth(t *testing.T) {
	within(t, budgetOf(live()+1000*units.MB))
	const uses = "300 MB for messages"
	exceeds := func(g *Growth, counted, next units.Bytes) bool {
		err := g.Exceeds(counted, next, func() string { return uses })
		expect.That(t, err == nil || strings.Contains(err.Error(), uses), "%v", err)
		return err != nil
	}
	var g Growth
	expect.That(t, !exceeds(&g, 0, 900*units.MB), "900 MB exceed 1000 MB")
	expect.That(t, exceeds(&g, 0, 1100*units.MB), "1100 MB do not exceed 1000 MB")
	held := make([]byte, 400*1e6)
	for i := 0; i < len(held); i += 4096 {
		held[i] = 1
	}
	expect.That(t, !exceeds(&g, 400*units.MB, 500*units.MB), "400 MB counted and 500 MB exceed 1000 MB")
	expect.That(t, exceeds(&g, 0, 200*units.MB), "(1 + 1.25) 400 MB not counted and 200 MB do not exceed 1000 MB")
	held[0]++
}

// Without a limit of Go's collector, the budget is half of what is available or used; --memory
// sets another.
func TestBudget(t *testing.T) {
	if size, known := halfOfAvailable(); known {
		have, _ := availableMemory() // which changes while other programs run
		expect.That(t, size > have/8 && size < 2*have, "budget %v of %v available", size, have)
	}
	within(t, 3*units.MB)
	size, known := budget()
	expect.That(t, known && size == 3*units.MB, "budget %v, want 3 MB", size)
	expect.That(t, MemoryLimit() == 3e6, "limit %d, want 3e6", MemoryLimit())
	expect.Success(t, CheckMemory("a", 3*units.MB, "b"))
	err := CheckMemory("a run", 4*units.MB, "fewer")
	const want = "a run needs about 4 MB of memory (4000000 bytes) and may use 3 MB; expected fewer, or more memory (--memory SIZE)"
	expect.That(t, err != nil && err.Error() == want, "%v, want %s", err, want)
}
