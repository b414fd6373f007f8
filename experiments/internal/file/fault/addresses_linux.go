package fault

import (
	"math"
	"os"
	"strings"
	"syscall"

	"github.com/isoscale/isoscale/model/units"
)

// leftAddresses returns how much more address space this process may take, if that is
// limited (RLIMIT_AS).
func leftAddresses() (units.Bytes, bool) {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_AS, &limit); err != nil || limit.Cur == math.MaxUint64 {
		return 0, false
	}
	text, err := os.ReadFile("/proc/self/statm") // in pages; the first field is the address space
	if err != nil {
		return 0, false
	}
	pages, _, _ := strings.Cut(string(text), " ")
	used, ok := number(pages)
	return units.Bytes(limit.Cur) - used*units.Bytes(os.Getpagesize()), ok
}
