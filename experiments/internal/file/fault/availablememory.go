package fault

import (
	"bufio"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/isoscale/isoscale/model/units"
)

// availableMemory returns the memory that new work can use: on Linux the least of what
// the kernel reports as available, what the control groups of this process leave, such
// as those of a Slurm job or a container, and what its limit of addresses (ulimit -v)
// leaves. Elsewhere it is unknown.
func availableMemory() (units.Bytes, bool) {
	var a available
	a.readMeminfo("/proc/meminfo")
	a.readGroups("/proc/self/cgroup", "/sys/fs/cgroup")
	if left, limited := leftAddresses(); limited {
		a.add(left)
	}
	return a.bytes, a.known
}

// available is the least of the amounts that were added.
type available struct {
	bytes units.Bytes
	known bool
}

func (a *available) add(left units.Bytes) {
	left = max(left, 0)
	if !a.known || left < a.bytes {
		a.bytes, a.known = left, true
	}
}

// readMeminfo adds what the kernel reports.
func (a *available) readMeminfo(file string) {
	if kib, ok := fieldOf(file, "MemAvailable:"); ok {
		a.add(1024 * kib)
	}
}

// groupFiles are the files that tell the limit of a control group and what it uses.
type groupFiles struct {
	folder       string // under the folder of all groups
	limit, used  string
	stat, cached string // a file, and its field of memory that is used but given back on demand
}

var (
	groupFiles2 = groupFiles{"", "memory.max", "memory.current", "memory.stat", "inactive_file"}
	groupFiles1 = groupFiles{"memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "memory.stat", "total_inactive_file"}
)

// readGroups adds what the control groups of a process leave, in version 1 or 2 of
// control groups. The file own lists the groups of the process. A group is a folder
// somewhere below the folder all, and bound by the limits of all groups that contain
// it. In a container, own may name folders that do not exist there; the limits of the
// container are then in the folder all itself.
func (a *available) readGroups(own, all string) {
	text, err := os.ReadFile(own)
	if err != nil {
		return
	}
	for line := range strings.Lines(string(text)) {
		fields := strings.SplitN(strings.TrimSpace(line), ":", 3) // number:controllers:path
		if len(fields) != 3 {
			continue
		}
		files := groupFiles2
		switch controllers := "," + fields[1] + ","; {
		case strings.Contains(controllers, ",memory,"):
			files = groupFiles1
		case fields[1] != "":
			continue
		}
		for path := filepath.Clean("/" + fields[2]); ; path = filepath.Dir(path) {
			a.readGroup(filepath.Join(all, files.folder, path), files)
			if path == filepath.Dir(path) {
				break
			}
		}
	}
}

// readGroup adds what one control group leaves, if it has a limit.
func (a *available) readGroup(folder string, files groupFiles) {
	limit, limited := numberIn(filepath.Join(folder, files.limit)) // no number: max
	used, known := numberIn(filepath.Join(folder, files.used))
	if !limited || !known {
		return
	}
	cached, _ := fieldOf(filepath.Join(folder, files.stat), files.cached) // 0 if not known
	a.add(limit - max(used-cached, 0))
}

// fieldOf returns the number after the name of a field, in a file with one field on each
// line.
func fieldOf(file, field string) (units.Bytes, bool) {
	f, err := os.Open(file)
	if err != nil {
		return 0, false
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		words := strings.Fields(lines.Text())
		if len(words) >= 2 && words[0] == field {
			return number(words[1])
		}
	}
	return 0, false
}

// numberIn returns the number in a file that contains nothing else.
func numberIn(file string) (units.Bytes, bool) {
	text, err := os.ReadFile(file)
	if err != nil {
		return 0, false
	}
	return number(strings.TrimSpace(string(text)))
}

func number(text string) (units.Bytes, bool) {
	n, err := strconv.ParseUint(text, 10, 64)
	return units.Bytes(n), err == nil
}
