package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/batch/slurmtest"
)

// slurmPlan has 240 points in 6 shards. What costs time is the start of a task.
const slurmPlan = `scenario:
  machine: sunwulf
  nodes: {server: 1, blade: 1}
  network: hockney
  workload: {name: gauss, n: 100}
factors:
  n: {path: workload.n, from: 20, to: 210, step: 10}
  blades: {path: nodes.blade, values: [1, 2, 4]}
  bandwidth: {path: network.bandwidth, values: [10 Mbit/s, 100 Mbit/s, 1 Gbit/s, 10 Gbit/s]}
`

// slowPlan has shards of some seconds, so that a node can be lost in one.
const slowPlan = `scenario:
  workload: super-program
  log2_levels: [2, 2]
  tasks: [128, 512]
  method: dispatch
  scatter: 0.5
factors:
  r1: {path: "log2_levels[0]", from: 0, to: 5}
  scatter: {path: scatter, linear: {from: 0.1, to: 1, count: 10}}
`

// TestSweepOnSlurm holds the results of a real Slurm on loopback against those of
// one process: the same bytes, also if a node is lost. It needs root and the
// packages slurm-wlm and munge, and is skipped without them unless
// ISOSCALE_REQUIRE_SLURM is set.
func TestSweepOnSlurm(t *testing.T) {
	slurmtest.Require(t)
	program := filepath.Join(t.TempDir(), "isoscale")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, tt := range []struct {
		name, plan string
		shards     int
		start      func(t testing.TB, nodes, cpus int) *slurmtest.Cluster
		nodes      int
		disturb    func(c *slurmtest.Cluster, dir string)
	}{
		{"2 nodes, one lost", slowPlan, 4, slurmtest.StartToLoseNodes, 2, loseNode},
		{"1 node", slurmPlan, 6, slurmtest.Start, 1, nil},
		{"2 nodes", slurmPlan, 6, slurmtest.Start, 2, nil},
		{"4 nodes", slurmPlan, 6, slurmtest.Start, 4, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			plan := filepath.Join(folder, "plan.yaml")
			if err := os.WriteFile(plan, []byte(tt.plan), 0o666); err != nil {
				t.Fatal(err)
			}
			local := filepath.Join(folder, "local")
			mustRun(t, exec.Command(program, "sweep", plan, "--out", local, "--quiet", "--jobs", "2"))
			far := filepath.Join(folder, "far")
			c := tt.start(t, tt.nodes, 1)
			cmd := exec.CommandContext(slurmtest.Context(t), program, "sweep", plan, "--out", far, "--engine", "slurm", "--poll", "200ms", "--shards", fmt.Sprint(tt.shards))
			cmd.Env = append(os.Environ(), c.Env...)
			var said bytes.Buffer
			cmd.Stdout, cmd.Stderr = &said, &said
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			if tt.disturb != nil {
				tt.disturb(c, far)
			}
			if err := cmd.Wait(); err != nil {
				t.Fatalf("%v\n%s", err, &said)
			}
			want, got := results(t, program, local), results(t, program, far)
			if !bytes.Equal(got, want) {
				t.Errorf("the export differs: %d bytes, want %d", len(got), len(want))
			}
			if n := strings.Count(string(got), ",ok,"); n < 60 {
				t.Errorf("%d points are ok:\n%.500s", n, got)
			}
		})
	}
}

func mustRun(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

func results(t *testing.T, program, dir string) []byte {
	t.Helper()
	out, err := exec.Command(program, "export", dir).Output()
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// loseNode kills node 2 with its task as soon as two tasks are at work, and starts
// it again when Slurm has given it up.
func loseNode(c *slurmtest.Cluster, dir string) {
	c.Await("two tasks to begin", func() bool {
		parts, _ := filepath.Glob(filepath.Join(dir, "part-*")) // the pattern is well-formed
		return len(parts) >= 2
	})
	c.KillNode(2)
	c.WaitNodeLost(2)
	c.RestartNode(2)
}
