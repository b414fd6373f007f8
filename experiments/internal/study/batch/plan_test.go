package batch

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
)

// purchasePlan has two designs, with runs on one to four nodes.
const purchasePlan = `budget: {money: 9000 EUR}
nodes:
  fat: {cores: 4, marked_speed: 10 Gflop/s, memory: 64 GB, power: 400 W, price: 2000 EUR}
  thin: {cores: 2, marked_speed: 8 Gflop/s, memory: 16 GB, power: 150 W, price: 1500 EUR}
networks:
  slow: {latency: 50 us, bandwidth: 100 MB/s, price_per_port: 10 EUR, switch: {price: 200 EUR, ports: 8}}
workloads:
- {name: dense, runs_per_year: 2000000, nodes: best, run: {name: matmul, n: 200}}
- {name: paths, runs_per_year: 900000, nodes: [1, 2], run: {name: floyd, n: 60}}
robustness: {samples: 10}
queue: {submissions: 300}
`

// TestPlanOnSlurm compares the answer to a purchase plan by a real Slurm on loopback with
// that of one process: the same bytes, but for the time that it took.
func TestPlanOnSlurm(t *testing.T) {
	requireSlurm(t)
	t.Parallel()
	program := buildIsoscale(t)
	folder := t.TempDir()
	plan := filepath.Join(folder, "plan.yaml")
	if err := os.WriteFile(plan, []byte(purchasePlan), 0o666); err != nil {
		t.Fatal(err)
	}
	c := startCluster(t, 2, 1)
	wall := regexp.MustCompile(`"wall_s": .*`)
	answer := func(args ...string) string {
		cmd := exec.CommandContext(testContext(t), program, append([]string{"plan", plan, "--json", "--quiet", "--set", "seed=3"}, args...)...)
		cmd.Env = append(os.Environ(), c.env...)
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v: %v\n%s", args, err, err.(*exec.ExitError).Stderr)
		}
		return wall.ReplaceAllString(string(out), "")
	}
	want := answer("--jobs", "2")
	dir := filepath.Join(folder, "far")
	if got := answer("--out", dir, "--engine", "slurm", "--tasks", "3", "--poll", "200ms"); got != want {
		t.Errorf("the answer differs: %d bytes, want %d", len(got), len(want))
	}
	logs, err := filepath.Glob(filepath.Join(dir, "log", "*.out"))
	if err != nil || len(logs) < 2 {
		t.Errorf("logs %v: fewer than two tasks began", logs)
	}
	// A plan that is answered needs no more tasks.
	if got := answer("--out", dir, "--engine", "slurm", "--tasks", "3", "--poll", "200ms", "--sbatch=--nonsense"); got != want {
		t.Error("the second answer differs")
	}
}
