package slurmtest

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// daemon is a child of this process that runs until it is killed.
type daemon struct {
	process *os.Process
	ended   chan struct{} // closed once it has ended
}

// kill ends the daemon at once and returns when it is gone.
func (d *daemon) kill() {
	d.process.Kill() // of one that has ended already: no effect
	<-d.ended
}

// start starts a daemon of the cluster in a directory. What it prints before it
// has opened its log goes to a file NAME.output.
func (c *Cluster) start(dir, name string, args ...string) *daemon {
	c.t.Helper()
	path, err := find(name)
	if err != nil {
		c.t.Fatal(err)
	}
	output, err := os.OpenFile(c.path(name+".output"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		c.t.Fatal(err)
	}
	defer output.Close()
	cmd := exec.Command(path, args...)
	// Without the variables of a Slurm that this test itself may be a job of.
	cmd.Env = append(slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "SLURM") }), c.Env...)
	cmd.Dir = dir
	cmd.Stdout, cmd.Stderr = output, output
	diesWithParent(cmd)
	d := &daemon{ended: make(chan struct{})}
	started := make(chan error)
	go func() {
		// The kernel takes the thread that started a process for its parent:
		// it has to live as long as the daemon.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		d.process = cmd.Process
		started <- err
		if err == nil {
			cmd.Wait()
			close(d.ended)
		}
	}()
	if err := <-started; err != nil {
		c.t.Fatal(err)
	}
	// A daemon that does not like its configuration ends at once.
	select {
	case <-d.ended:
		c.t.Fatalf("%s ended with %v: %s", name, cmd.ProcessState, c.lastLines(name+".output", 5))
	case <-time.After(100 * time.Millisecond):
	}
	return d
}

// killTasks kills the slurmstepds of the node with that directory and all their
// descendants, until none is left.
func (c *Cluster) killTasks(nodeDir string) {
	c.t.Helper()
	var left []int
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		left = tasks(nodeDir)
		if len(left) == 0 {
			return
		}
		for _, pid := range left {
			if p, err := os.FindProcess(pid); err == nil {
				p.Signal(syscall.SIGKILL)
			}
		}
	}
	c.t.Errorf("processes of %s do not end: %v", nodeDir, left)
}

// tasks returns the slurmstepds of a node and their descendants, children
// before their parents: once a parent is gone its children are not found any
// more.
func tasks(nodeDir string) []int {
	children := map[int][]int{}
	var steps []int
	stats, _ := filepath.Glob("/proc/[0-9]*/stat") // the pattern is well-formed
	for _, file := range stats {
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		name, state, parent, ok := stat(file)
		if !ok || state == 'Z' || state == 'X' {
			continue
		}
		children[parent] = append(children[parent], pid)
		if !strings.HasPrefix(name, "slurmstepd") {
			continue
		}
		// The kernel says so if somebody has removed the directory meanwhile.
		cwd, err := os.Readlink(filepath.Join(filepath.Dir(file), "cwd"))
		if err == nil && strings.TrimSuffix(cwd, " (deleted)") == nodeDir {
			steps = append(steps, pid)
		}
	}
	var found []int
	var visit func(pid int)
	visit = func(pid int) {
		for _, child := range children[pid] {
			visit(child)
		}
		if !slices.Contains(found, pid) {
			found = append(found, pid)
		}
	}
	for _, pid := range steps {
		visit(pid)
	}
	return found
}

// stat reads name, state and parent of a process from its stat file: the name
// is in parentheses and may itself hold some.
func stat(file string) (name string, state byte, parent int, ok bool) {
	content, err := os.ReadFile(file)
	if err != nil {
		return "", 0, 0, false // it has just ended
	}
	first, last := bytes.IndexByte(content, '('), bytes.LastIndexByte(content, ')')
	if first < 0 || last < first {
		return "", 0, 0, false
	}
	fields := strings.Fields(string(content[last+1:]))
	if len(fields) < 2 {
		return "", 0, 0, false
	}
	parent, err = strconv.Atoi(fields[1])
	return string(content[first+1 : last]), fields[0][0], parent, err == nil
}
