package input

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"

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

// availableMemory returns the memory that new work can use: on Linux the memory that
// the kernel reports as available, or less if a control group limits it. Elsewhere it
// is unknown.
func availableMemory() (units.Bytes, bool) {
	available, ok := procMeminfo("/proc/meminfo", "MemAvailable:")
	limit, limited := fileNumber("/sys/fs/cgroup/memory.max")
	if used, known := fileNumber("/sys/fs/cgroup/memory.current"); limited && known {
		if left := max(limit-used, 0); !ok || left < available {
			return left, true
		}
	}
	return available, ok
}

// procMeminfo reads a field of a file in the form of /proc/meminfo.
func procMeminfo(file, field string) (units.Bytes, bool) {
	f, err := os.Open(file)
	if err != nil {
		return 0, false
	}
	// Closing a file that was only read cannot lose data.
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		words := strings.Fields(lines.Text())
		if len(words) == 3 && words[0] == field && words[2] == "kB" {
			kib, err := strconv.ParseFloat(words[1], 64)
			return units.Bytes(1024 * kib), err == nil
		}
	}
	return 0, false
}

// fileNumber reads a file with one number.
func fileNumber(file string) (units.Bytes, bool) {
	text, err := os.ReadFile(file)
	if err != nil {
		return 0, false
	}
	n, err := strconv.ParseFloat(strings.TrimSpace(string(text)), 64)
	return units.Bytes(n), err == nil
}

// MemoryLimit returns the number of bytes that a schedule may take.
func MemoryLimit() int64 {
	if have, known := availableMemory(); known {
		return int64(have)
	}
	return math.MaxInt64
}
