package fault

import (
	"syscall"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
)

// A limit of addresses leaves less than the limit, and no more memory is available than it
// leaves. The soft limit is lowered, but to far more than the test needs.
func TestLimitOfAddresses(t *testing.T) {
	var old syscall.Rlimit
	expect.Success(t, syscall.Getrlimit(syscall.RLIMIT_AS, &old))
	limit := syscall.Rlimit{Cur: min(1<<40, old.Max), Max: old.Max} // 1 TiB
	if err := syscall.Setrlimit(syscall.RLIMIT_AS, &limit); err != nil {
		t.Skip(err)
	}
	defer func() {
		if err := syscall.Setrlimit(syscall.RLIMIT_AS, &old); err != nil {
			t.Error(err)
		}
	}()
	left, limited := leftAddresses()
	expect.That(t, limited && left > 0 && float64(left) < float64(limit.Cur), "%v left, limited %v; want less than %v", left, limited, limit.Cur)
	// What is left may change between the two calls, but not by half.
	have, known := availableMemory()
	expect.That(t, known && have <= 1.5*left, "%v available of %v addresses", have, left)
}
