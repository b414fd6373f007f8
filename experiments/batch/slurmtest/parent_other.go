//go:build !linux

package slurmtest

import "os/exec"

// diesWithParent is for Linux; elsewhere nothing is started.
func diesWithParent(*exec.Cmd) {}
