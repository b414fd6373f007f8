package batch

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// killTasks kills the slurmstepds of the node with that directory and all their
// descendants, and returns when they have ended. All are stopped before any is
// killed: else one could start a child between look and kill, and who has lost its
// parents is not found any more.
func (c *cluster) killTasks(nodeDir string) {
	c.t.Helper()
	var left []process
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		var now []process
		for _, p := range left {
			if q, ok := readProcess(p.pid); ok && q.started == p.started {
				now = append(now, q)
			}
		}
		for _, p := range tasks(nodeDir) {
			if !slices.ContainsFunc(now, func(q process) bool { return q.pid == p.pid }) {
				now = append(now, p)
			}
		}
		if left = now; len(left) == 0 {
			return
		}
		var signal os.Signal = os.Kill
		if slices.ContainsFunc(left, func(p process) bool { return p.state != stopped }) {
			signal = stopSignal
		}
		for _, p := range left {
			if found, err := os.FindProcess(p.pid); err == nil {
				_ = found.Signal(signal) // it may have ended
			}
		}
	}
	c.t.Errorf("processes of %s do not end: %+v", nodeDir, left)
}

// killOrphans kills what a slurmstepd that ended by itself has left behind: such
// processes have lost the parents by which killTasks finds them, but not their
// environment, which names the configuration of this cluster alone.
func (c *cluster) killOrphans() {
	c.t.Helper()
	var left []int
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		left = nil
		folders, _ := filepath.Glob("/proc/[0-9]*") // the pattern is well-formed
		for _, folder := range folders {
			environment, _ := os.ReadFile(filepath.Join(folder, "environ")) // none: it has ended
			if pid, err := strconv.Atoi(filepath.Base(folder)); err == nil && bytes.Contains(environment, []byte("SLURM_CONF="+c.path("slurm.conf"))) {
				left = append(left, pid)
			}
		}
		if len(left) == 0 {
			return
		}
		for _, pid := range left {
			if found, err := os.FindProcess(pid); err == nil {
				_ = found.Kill() // it may have ended
			}
		}
	}
	c.t.Errorf("processes of the cluster do not end: %v", left)
}

// tasks returns the slurmstepds of a node and their descendants.
func tasks(nodeDir string) []process {
	children := map[int][]process{}
	var found []process
	folders, _ := filepath.Glob("/proc/[0-9]*") // the pattern is well-formed
	for _, folder := range folders {
		pid, _ := strconv.Atoi(filepath.Base(folder))
		p, ok := readProcess(pid)
		if !ok {
			continue
		}
		children[p.parent] = append(children[p.parent], p)
		if !strings.HasPrefix(p.name, "slurmstepd") {
			continue
		}
		// The kernel says so if somebody has removed the directory meanwhile.
		cwd, err := os.Readlink(filepath.Join(folder, "cwd"))
		if err == nil && strings.TrimSuffix(cwd, " (deleted)") == nodeDir {
			found = append(found, p)
		}
	}
	for i := 0; i < len(found); i++ { // it grows
		for _, child := range children[found[i].pid] {
			if !slices.Contains(found, child) {
				found = append(found, child)
			}
		}
	}
	return found
}

// process is what the kernel says of a process in its file stat, see
// proc_pid_stat(5).
type process struct {
	pid, parent int
	name        string
	state       byte
	started     string // ticks since the computer was started; with pid, unique
}

// States of a process.
const (
	stopped = 'T'
	zombie  = 'Z'
	dead    = 'X'
)

// readProcess reads what the kernel says of a process that has not ended.
func readProcess(pid int) (process, bool) {
	content, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	if err != nil {
		return process{}, false // it has just ended
	}
	// The name is in parentheses and may itself hold some.
	first, last := bytes.IndexByte(content, '('), bytes.LastIndexByte(content, ')')
	if first < 0 || last < first {
		return process{}, false
	}
	// From the third field on: state, parent, ... starttime as the 22nd.
	fields := strings.Fields(string(content[last+1:]))
	if len(fields) < 20 || fields[0][0] == zombie || fields[0][0] == dead {
		return process{}, false
	}
	parent, err := strconv.Atoi(fields[1])
	return process{pid, parent, string(content[first+1 : last]), fields[0][0], fields[19]}, err == nil
}
