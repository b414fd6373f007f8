package fault

import (
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"

	"github.com/isoscale/isoscale/model/units"
)

// The budget is how much memory this process may take. --memory sets it; else it is half of
// what this process used or could get at the first question, so that other programs have some as
// well. In a browser there is no budget, whatever limit the collector has.
//
// A run may keep four fifths of the budget. That is also the limit of Go's collector, which the
// variable GOMEMLIMIT sets too. The rest is for what no limit covers: the program itself, and
// what a store leaves behind when it moves, until the collector has found it.

// budgetOf returns the budget of a process that may keep that much.
func budgetOf(kept units.Bytes) units.Bytes { return kept * 5 / 4 }

// SetBudget gives this process a budget of memory.
func SetBudget(size units.Bytes) {
	debug.SetMemoryLimit(int64(min(size*4/5, math.MaxInt64/2)))
}

// KeepToBudget lets the garbage collector keep this process within its budget, as far as it can.
func KeepToBudget() {
	if size, known := budget(); known {
		SetBudget(size)
	}
}

var halfOfAvailable = sync.OnceValues(func() (units.Bytes, bool) {
	left, known := availableMemory()
	return (left + live()) / 2, known
})

// budget returns the budget of this process, false if it has none.
func budget() (units.Bytes, bool) {
	if runtime.GOOS == "js" {
		return 0, false
	}
	if limit := debug.SetMemoryLimit(-1); limit != math.MaxInt64 {
		return budgetOf(units.Bytes(limit)), true
	}
	return halfOfAvailable()
}

// reading has the metrics that live reads. It is allocated once, since live is called often.
var reading = struct {
	sync.Mutex
	samples [3]metrics.Sample
}{samples: [3]metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/free:bytes"},
	{Name: "/memory/classes/heap/released:bytes"}}}

// live returns the memory that this process uses: objects (also those that the next
// garbage collection frees), stacks and what the runtime needs.
func live() units.Bytes {
	reading.Lock()
	defer reading.Unlock()
	samples := reading.samples[:]
	metrics.Read(samples)
	return units.Bytes(samples[0].Value.Uint64() - samples[1].Value.Uint64() - samples[2].Value.Uint64())
}

// reserve has the need up to which no garbage collection is forced: what was needed after the
// last forced one, and a sixteenth of the budget more. A collection takes long.
var reserve struct {
	sync.Mutex
	upTo units.Bytes
}

// Growth watches the memory that a piece of work, such as a simulation, takes. Its methods may
// be called from several goroutines at once.
type Growth struct {
	mu    sync.Mutex
	asked bool
	base  units.Bytes // what the process used at the first question, without what the work had counted
}

// Exceeds returns nil, or, if a piece of work is about to exceed the budget of this
// process, an error without What and Expected. The work has counted that much memory of its
// own, for what uses says, and is about to take next more. All other memory that has come since
// the first question may have to move to a place that is a quarter larger, as slices do.
func (g *Growth) Exceeds(counted, next units.Bytes, uses func() string) *MemoryError {
	allowed, known := budget()
	if !known {
		return nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	used := live()
	if !g.asked {
		g.asked, g.base = true, used-counted
	}
	need := func() units.Bytes {
		const larger = 1.25
		return budgetOf(used + next + larger*max(0, used-g.base-counted))
	}
	reserve.Lock()
	defer reserve.Unlock()
	if need() <= max(allowed, reserve.upTo) {
		return nil
	}
	runtime.GC()
	used = live()
	if need() > allowed {
		return &MemoryError{Need: Rounded(need()), Budget: Rounded(allowed), Uses: uses()}
	}
	const again = 1. / 16
	reserve.upTo = need() + again*allowed
	return nil
}

// Rounded returns a size in whole megabytes: sizes of processes are no more exact.
func Rounded(size units.Bytes) units.Bytes {
	return units.Bytes(math.Round(float64(size/units.MB))) * units.MB
}
