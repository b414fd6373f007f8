//go:build !linux

package batch

import "os/exec"

// diesWithParent is for Linux; elsewhere nothing is started.
func diesWithParent(*exec.Cmd) {}
