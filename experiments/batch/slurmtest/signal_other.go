//go:build !linux

package slurmtest

import (
	"os"
	"os/exec"
)

// diesWithParent is for Linux; elsewhere nothing is started.
func diesWithParent(*exec.Cmd) {}

var stopSignal = os.Kill
