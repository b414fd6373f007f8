package batch

import (
	"bytes"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/isoscale/isoscale/internal/expect"
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
  scatter: {path: scatter, linear: {from: 0.1, to: 1, count: 6}}
repetitions: 1
`

// TestSweepOnSlurm compares the results of a real Slurm on loopback with those of one process: the same bytes, even if
// a node is lost. It needs root and the packages slurm-wlm and munge, and is skipped without them unless
// ISOSCALE_REQUIRE_SLURM is set.
func TestSweepOnSlurm(t *testing.T) {
	requireSlurm(t)
	t.Parallel()
	program := buildIsoscale(t)
	for _, tt := range []struct {
		name, plan string
		points     int
		shards     int
		loses      bool // nodes
		nodes      int
		disturb    func(c *cluster, dir string)
	}{
		{"2 nodes, one lost", slowPlan, 36, 3, true, 2, loseNode},
		{"1 node", slurmPlan, 240, 6, false, 1, nil},
		{"2 nodes", slurmPlan, 240, 6, false, 2, nil},
		{"4 nodes", slurmPlan, 240, 6, false, 4, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			plan, want := here(t, program, tt.plan)
			far := filepath.Join(t.TempDir(), "far")
			c := start(t, tt.nodes, 1, tt.loses)
			cmd := c.sweep(t, program, plan, far, tt.shards)
			var said bytes.Buffer
			cmd.Stdout, cmd.Stderr = &said, &said
			expect.Success(t, cmd.Start())
			if tt.disturb != nil {
				tt.disturb(c, far)
			}
			err := cmd.Wait()
			expect.Need(t, err == nil, "%v\n%s", err, &said)
			got := results(t, program, far)
			expect.That(t, bytes.Equal(got, want), "the export differs: %d bytes, want %d", len(got), len(want))
			n := strings.Count(string(got), ",ok,")
			expect.That(t, n == tt.points, "%d points are ok, want %d:\n%.500s", n, tt.points, got)
		})
	}
}

// isoscale builds the command once for all tests, in the folder that TestMain removes, and returns its path. go test
// reuses a result if everything that a test imports and opens is unchanged, so every folder of the module is opened.
var isoscale = sync.OnceValues(func() (string, error) {
	module := filepath.Join("..", "..", "..", "..")
	err := filepath.WalkDir(module, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && path != module && strings.HasPrefix(d.Name(), ".") {
			return fs.SkipDir
		}
		return err
	})
	if err != nil {
		return "", err
	}
	program := filepath.Join(built, "isoscale")
	if out, err := exec.Command("go", "build", "-o", program, filepath.Join(module, "cmd", "isoscale")).CombinedOutput(); err != nil {
		return "", fmt.Errorf("%v\n%s", err, out)
	}
	return program, nil
})

func buildIsoscale(t *testing.T) string {
	t.Helper()
	return expect.Value(isoscale())(t)
}

// here writes the file of a plan, carries it out in one process, and returns the results.
func here(t *testing.T, program, text string) (plan string, want []byte) {
	t.Helper()
	plan, dir := expect.File(t, "plan.yaml", text), filepath.Join(t.TempDir(), "local")
	out, err := exec.Command(program, "sweep", plan, "--out", dir, "--quiet", "--jobs", "2").CombinedOutput()
	expect.Need(t, err == nil, "%v\n%s", err, out)
	return plan, results(t, program, dir)
}

// sweep returns the command that carries out a plan on the cluster.
func (c *cluster) sweep(t *testing.T, program, plan, dir string, shards int) *exec.Cmd {
	cmd := exec.CommandContext(testContext(t), program, "sweep", plan, "--out", dir, "--engine", "slurm", "--poll", "200ms", "--shards", fmt.Sprint(shards))
	cmd.Env = append(os.Environ(), c.env...)
	return cmd
}

func results(t *testing.T, program, dir string) []byte {
	t.Helper()
	return expect.Value(exec.Command(program, "export", dir).Output())(t)
}

// loseNode kills node 2 with its task as soon as two tasks are at work, and starts
// it again when Slurm has given it up.
func loseNode(c *cluster, dir string) {
	c.await("two tasks to begin", func() bool {
		parts, _ := filepath.Glob(filepath.Join(dir, "part-*")) // the pattern is well-formed
		return len(parts) >= 2
	})
	c.killNode(2)
	c.waitNodeLost(2)
	c.launchNode(2)
}

// TestDisturbedSweepOnSlurm kills the call that follows an array, cancels the
// array or a part of it, at several moments: one more call of the same command
// completes the study with the same bytes.
func TestDisturbedSweepOnSlurm(t *testing.T) {
	requireSlurm(t)
	t.Parallel()
	const disturbances = 10
	program := buildIsoscale(t)
	plan, want := here(t, program, slurmPlan)
	c := start(t, 1, 2, false)
	for i := range disturbances {
		far := filepath.Join(t.TempDir(), "far")
		first := c.sweep(t, program, plan, far, 6)
		var said bytes.Buffer
		first.Stdout, first.Stderr = &said, &said
		expect.Success(t, first.Start())
		job := 0
		c.await("the array", func() bool {
			r, err := readRecord(far)
			if err == nil && r != nil {
				job = r.Job
			}
			return job > 0
		})
		time.Sleep(time.Duration(i/3) * 300 * time.Millisecond) // from the first task to the last
		switch i % 3 {
		case 0: // the call and the array
			first.Process.Kill()
			c.scancel(fmt.Sprint(job))
		case 1: // the array: the call says so
			c.scancel(fmt.Sprint(job))
		case 2: // the call, and what has not started
			first.Process.Kill()
			c.scancel("--state=PENDING", fmt.Sprint(job))
		}
		first.Wait() // whatever it says of its end
		out, err := c.sweep(t, program, plan, far, 6).CombinedOutput()
		expect.Need(t, err == nil, "disturbance %d, call again: %v\n%s\nthe first call said:\n%s", i, err, out, &said)
		got := results(t, program, far)
		expect.That(t, bytes.Equal(got, want), "disturbance %d: the export differs: %d bytes, want %d", i, len(got), len(want))
	}
}

// scancel cancels tasks; there may be none left.
func (c *cluster) scancel(args ...string) {
	if out, err := c.command("scancel", args...).CombinedOutput(); err != nil {
		c.t.Logf("scancel: %v: %s", err, out)
	}
}

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

// TestPlanOnSlurm compares the answer to a purchase plan by a real Slurm on loopback with that of one process: the same
// bytes, except for the time taken.
func TestPlanOnSlurm(t *testing.T) {
	requireSlurm(t)
	t.Parallel()
	program := buildIsoscale(t)
	folder := t.TempDir()
	plan := expect.File(t, "plan.yaml", purchasePlan)
	c := start(t, 2, 1, false)
	wall := regexp.MustCompile(`"wall_s": .*`)
	answer := func(args ...string) string {
		cmd := exec.CommandContext(testContext(t), program, append([]string{"plan", plan, "--json", "--quiet", "--set", "seed=3"}, args...)...)
		cmd.Env = append(os.Environ(), c.env...)
		var said bytes.Buffer
		cmd.Stderr = &said
		out, err := cmd.Output()
		expect.Need(t, err == nil, "%v: %v\n%s", args, err, &said)
		return wall.ReplaceAllString(string(out), "")
	}
	want := answer("--jobs", "2")
	dir := filepath.Join(folder, "far")
	got := answer("--out", dir, "--engine", "slurm", "--tasks", "3", "--poll", "200ms")
	expect.That(t, got == want, "the answer differs: %d bytes, want %d", len(got), len(want))
	logs, err := filepath.Glob(filepath.Join(dir, "log", "*.out"))
	expect.That(t, err == nil && len(logs) >= 2, "logs %v: fewer than two tasks began", logs)
	// A plan that is answered needs no more tasks.
	got = answer("--out", dir, "--engine", "slurm", "--tasks", "3", "--poll", "200ms", "--sbatch=--nonsense")
	expect.That(t, got == want, "the second answer differs")
}

// built is the folder of the program that the tests call.
var built string

// The tests on Slurm wait most of the time, so more of them run at once than there are cores.
func TestMain(m *testing.M) {
	flag.Parse()
	if f := flag.Lookup("test.parallel"); f.Value.String() == f.DefValue {
		if err := f.Value.Set("8"); err != nil {
			panic(err)
		}
	}
	os.Exit(func() int {
		var err error
		if built, err = os.MkdirTemp("", "isoscale"); err != nil {
			panic(err)
		}
		defer os.RemoveAll(built)
		return m.Run()
	}())
}
