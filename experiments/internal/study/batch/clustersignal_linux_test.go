package batch

import (
	"os/exec"
	"syscall"
)

// diesWithParent has the kernel kill the process when this one ends in a way
// that leaves no time for a cleanup.
func diesWithParent(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}
