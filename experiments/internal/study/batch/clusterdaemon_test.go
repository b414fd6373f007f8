package batch

import (
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
)

// daemon is a child of this process that runs until it is killed.
type daemon struct {
	name    string
	process *os.Process
	killed  bool
	ended   chan struct{} // closed once it has ended
}

// kill ends the daemon at once and returns when it is gone.
func (d *daemon) kill() {
	d.killed = true
	d.process.Kill() // of one that has ended already: no effect
	<-d.ended
}

// failed reports whether the daemon has ended without being killed, as one does
// that dislikes its configuration.
func (d *daemon) failed() bool {
	select {
	case <-d.ended:
		return !d.killed
	default:
		return false
	}
}

// start starts a daemon of the cluster in a directory. What it prints before it
// has opened its log goes to a file NAME.output.
func (c *cluster) start(dir, name string, args ...string) *daemon {
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
	cmd.Env = append(slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "SLURM") }), c.env...)
	cmd.Dir = dir
	cmd.Stdout, cmd.Stderr = output, output
	diesWithParent(cmd)
	d := &daemon{name: name, ended: make(chan struct{})}
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
	return d
}
