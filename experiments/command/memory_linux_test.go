package command

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/isoscale/isoscale/internal/expect"
)

// shadowed reports that the race detector takes memory of its own, of which the program
// knows nothing: the runs must stop all the same, but the memory they took says nothing.
var shadowed bool

// Six short files whose runs would keep all that there is. Each is stopped, with what it
// used the memory for, before the process has taken 1 GB: half of 2 GB.
func TestMemoryBombs(t *testing.T) {
	expect.Long(t, "fills a gigabyte six times")
	const (
		two      = "machine: {node_types: {w: {marked_speed: 1 Gflop/s}}, nodes: [{type: w, count: 2}], network: {latency: 1 us, bandwidth: 1 GB/s}}\n"
		endless  = "application: bomb\nwork: 1 flop\nprogram:\n  - when: rank == 0\n    do: [{repeat: 1000000000, do: [STATEMENT]}]\n"
		messages = "messages in flight"
		requests = "open requests"
	)
	for _, tt := range []struct {
		name, scenario, statement, uses string
	}{
		{"isend", two + "network: hockney\nworkload: {application: bomb.yaml}\n", "{isend: {to: 1, size: 8 B}}", requests},
		{"irecv", two + "network: hockney\nworkload: {application: bomb.yaml}\n", "{irecv: {from: 1, size: 8 B}}", requests},
		{"flow", two + "network: flow\nworkload: {application: bomb.yaml}\n", "{isend: {to: 1, size: 8 B}}", messages},
		{"core", two + "network: loggops\nworkload: {application: bomb.yaml}\n", "{send: {to: 1, size: 8 B}}", messages},
		{"rendezvous", two + "network: {name: hockney, eager_limit: 1 B}\nworkload: {application: bomb.yaml}\n",
			"{isend: {to: 1, size: 8 B}}", requests},
		{"alltoall", strings.Replace(two, "count: 2", "count: 100000", 1) +
			"network: hockney\nworkload: {name: pattern, shape: alltoall, n: 1, size: 8 B}\n", "{barrier: {}}", messages},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			run := filepath.Join(dir, "run.yaml")
			expect.Success(t, os.WriteFile(run, []byte(tt.scenario), 0o666))
			expect.Success(t, os.WriteFile(filepath.Join(dir, "bomb.yaml"),
				[]byte(strings.Replace(endless, "STATEMENT", tt.statement, 1)), 0o666))
			cmd := exec.Command(os.Args[0], "run", run, "--quiet", "--memory", "1 GB")
			cmd.Env = append(os.Environ(), asProgram+"=1")
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			err := cmd.Run()
			var exit *exec.ExitError
			expect.That(t, errors.As(err, &exit) && exit.ExitCode() == exitFailed, "%v; want exit status %d", err, exitFailed)
			expect.Says(t, stderr.String(), " of memory and may use 1 GB: ", tt.uses, "--memory SIZE")
			usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
			expect.That(t, ok && (usage.Maxrss*1024 < 1e9 || shadowed), "used %d KiB, want less than 1 GB", usage.Maxrss)
			t.Logf("%d MB, %v: %s", usage.Maxrss*1024/1e6, cmd.ProcessState.UserTime(), stderr.String())
		})
	}
}
