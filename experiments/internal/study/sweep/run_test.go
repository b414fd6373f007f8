package sweep

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/isoscale/isoscale/experiments/internal/study/store"
	"github.com/isoscale/isoscale/experiments/internal/study/sweep/sweeptest"
	"github.com/isoscale/isoscale/internal/expect"
)

// victim makes this program a sweep of a directory, to be killed.
const victim = "ISOSCALE_TEST_SWEEP"

func TestMain(m *testing.M) {
	if dir := os.Getenv(victim); dir != "" {
		s, err := Open(dir)
		if err == nil {
			err = s.Run(context.Background(), 2, nil)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func run(t testing.TB, s *Study, jobs int) {
	t.Helper()
	expect.Success(t, s.Run(context.Background(), jobs, nil))
}

func export(t testing.TB, s *Study) []byte {
	t.Helper()
	var b bytes.Buffer
	expect.Success(t, s.Export(&b, "csv", false))
	return b.Bytes()
}

// cells returns the cells of a column of all rows.
func cells(t *testing.T, s *Study, column string) []string {
	t.Helper()
	at := slices.IndexFunc(s.Dir.Plan().Columns, func(c store.Column) bool { return c.Name == column })
	expect.Need(t, at >= 0, "no column %s", column)
	var all []string
	for row, err := range s.Dir.Rows() {
		expect.Success(t, err)
		all = append(all, row.Cells[at])
	}
	return all
}

// What comes out does not depend on how it was computed.
func TestSameBytes(t *testing.T) {
	expect.Long(t, "runs a study again and again")
	reference := ran(t, sweeptest.Gauss, 1)
	want := export(t, reference)
	n := bytes.Count(want, []byte("\n"))
	expect.Need(t, n == 1+96, "%d lines, want 97", n)
	for _, tt := range []struct{ jobs, shards int }{{2, 0}, {8, 0}, {2, 1}, {1, 7}, {3, 96}} {
		s := create(t, sweeptest.Gauss, tt.shards)
		run(t, s, tt.jobs)
		got := export(t, s)
		expect.That(t, bytes.Equal(got, want), "with %d jobs and %d shards the export differs", tt.jobs, tt.shards)
	}
	// By shards, as array tasks do, each with several cores, in any order and twice.
	s := create(t, sweeptest.Gauss, 5)
	for _, k := range []int{3, 0, 4, 4, 2, 1, 0} {
		expect.Success(t, s.Shard(context.Background(), k, 3, nil))
	}
	expect.That(t, bytes.Equal(export(t, s), want), "computed by shards, the export differs")
}

// The directory is enough: the plan and its machine may be gone.
func TestDirectoryIsEnough(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"machine.yaml":  "node_types: {a: {cores: 2, marked_speed: 1 Gflop/s}}\nnodes: [{type: a, count: 4}]\nnetwork: {latency: 20 us, bandwidth: 1 Gbit/s}\n",
		"scenario.yaml": "machine: machine.yaml\nnetwork: hockney\nnodes: {a: 2}\nworkload: {name: matmul, n: 60}\n",
		"plan.yaml":     "scenario: scenario.yaml\nfactors: {nodes.a: [1, 2, 4]}\n",
	} {
		expect.Success(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	p := expect.Value(Read(filepath.Join(dir, "plan.yaml"), nil))(t)
	out := filepath.Join(t.TempDir(), "out")
	expect.Value(p.Create(out, 0))(t)
	expect.Success(t, os.RemoveAll(dir))
	s := expect.Value(Open(out))(t)
	run(t, s, 1)
	lines := strings.Count(string(export(t, s)), ",ok,")
	expect.That(t, lines == 3, "%d points are ok, want 3:\n%s", lines, export(t, s))
}

func TestOtherPlanIsRefused(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	for i, text := range []string{sweeptest.Jin, sweeptest.Jin, strings.Replace(sweeptest.Jin, "to: 9", "to: 8", 1)} {
		p := read(t, text)
		_, err := p.Create(out, 0)
		expect.Equal(t, err != nil, i == 2, "plan %d: %v", i, err)
	}
}

// A point that cannot be simulated is a row.
func TestFailedPoint(t *testing.T) {
	s := ran(t, `scenario: {workload: super-program, levels: [1], tasks: [4], imbalance: [1]}
factors:
  n: {path: "levels[0]", values: [2, 4]}
  tasks: {path: "tasks[0]", values: [4, n1 - 2]}
`, 2)
	expect.Says(t, string(export(t, s)), "point,n,tasks,seed,status,nodes,time [s],work [s],speedup,log2_speedup,efficiency,error\n",
		"1,2,n1 - 2,", `,error,,,,,,,"plan: tasks[0]: n1 - 2 is 0; expected a number of SIs`)
}

func TestSeeds(t *testing.T) {
	const plan = `scenario:
  machine: sunwulf
  nodes: {blade: 2}
  network: ideal
  workload: {name: pattern, n: 3, compute: 1 Mflop, imbalance: 0.5}
repetitions: 3
seeds: point
factors: {workload.size: [8 B, 16 B]}
`
	seeds := map[string]string{}
	for _, seed := range []string{"seed: 1\n", "seed: 2\n"} {
		s := ran(t, plan+seed, 2)
		for row, err := range s.Dir.Rows() {
			expect.Success(t, err)
			// size, repetition, seed, status, processes, time
			other, ok := seeds[row.Cells[2]]
			expect.That(t, !ok, "seed %s of point %d is that of %s", row.Cells[2], row.Point, other)
			seeds[row.Cells[2]] = fmt.Sprintf("%spoint %d", seed, row.Point)
			expect.That(t, row.Cells[1] == strconv.Itoa(row.Point%3+1),
				"point %d is repetition %s", row.Point, row.Cells[1])
		}
	}
}

// Where something is drawn, points are run five times unless the plan says otherwise, and
// all points of a repetition with the same seed; the directory keeps that. Without draws
// nothing is repeated.
func TestRandomRunsAreRepeated(t *testing.T) {
	for _, tt := range []struct {
		imbalance, stated string
		repetitions       int
		shared            bool
	}{
		{"0.5", "", 5, true}, {"0.5", "repetitions: 2\n", 2, true}, {"0.5", "seeds: point\n", 5, false},
		{"0.5", "repetitions: 1\nseeds: point\n", 1, false}, {"0", "", 1, false},
	} {
		p := read(t, `scenario:
  machine: sunwulf
  nodes: {blade: 2}
  network: ideal
  workload: {name: pattern, n: 3, compute: 1 Mflop, imbalance: `+tt.imbalance+`}
factors: {workload.size: [8 B, 16 B]}
`+tt.stated)
		out := filepath.Join(t.TempDir(), "out")
		expect.Value(p.Create(out, 1))(t)
		for _, s := range []*Study{p.Study, expect.Value(Open(out))(t)} {
			d := s.Design
			expect.That(t, d.Repetitions == tt.repetitions && d.SharedSeeds == tt.shared && d.Points() == 2*tt.repetitions &&
				(d.Point(0).Seed == d.Point(tt.repetitions).Seed) == tt.shared,
				"imbalance %s, %q: %d repetitions, shared seeds %v", tt.imbalance, tt.stated, d.Repetitions, d.SharedSeeds)
		}
	}
}

func TestInterrupted(t *testing.T) {
	s := create(t, sweeptest.Gauss, 4)
	ctx, cancel := context.WithCancel(context.Background())
	done := 0
	err := s.Run(ctx, 2, func(n, _ int) {
		if done = n; done >= 10 {
			cancel()
		}
	})
	expect.Need(t, errors.Is(err, context.Canceled), "error %v, want that of the context", err)
	s, err = Open(s.Dir.Path())
	expect.Success(t, err)
	adopted := 0
	for k := range 4 {
		first := true
		expect.Success(t, s.Shard(context.Background(), k, 1, func(n int) {
			if first && n > 1 {
				adopted += n
			}
			first = false
		}))
	}
	expect.That(t, adopted != 0, "no row of the %d of the interrupted run was taken over", done)
	reference := ran(t, sweeptest.Gauss, 1)
	expect.That(t, bytes.Equal(export(t, s), export(t, reference)),
		"the export differs from that of a run that was not interrupted")
}

// Killed at random moments, a study goes on and ends with the same bytes.
func TestKilled(t *testing.T) {
	expect.Long(t, "takes seconds")
	text := strings.Replace(sweeptest.Gauss, "to: 50, step: 10", "to: 110, step: 2", 1) // 1104 points
	reference := create(t, text, 0)
	start := time.Now()
	run(t, reference, 2)
	whole := time.Since(start)
	want := export(t, reference)
	moments := rand.New(rand.NewPCG(1, 2))
	const atLeast = 100
	kills, studies := 0, 0
	for kills < atLeast {
		s := create(t, text, 0)
		studies++
		for {
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), victim+"="+s.Dir.Path())
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			expect.Success(t, cmd.Start())
			// At any moment from before the program reads the plan to a fraction of
			// its work, so that a study takes several.
			wait := time.Duration(moments.Float64() * float64(whole) / 4)
			if kills >= atLeast {
				wait = time.Hour
			}
			timer := time.AfterFunc(wait, func() { _ = cmd.Process.Kill() })
			err := cmd.Wait()
			timer.Stop()
			if err == nil {
				break
			}
			expect.Need(t, !cmd.ProcessState.Exited(), "after %d kills: %v\n%s", kills, err, stderr.String())
			kills++
		}
		got := export(t, s)
		expect.Need(t, bytes.Equal(got, want), "after %d kills the export differs", kills)
	}
	t.Logf("%d kills in %d studies of %d points", kills, studies, reference.Design.Points())
}

// A million points are never all in memory.
func TestMillionPointsAreLazy(t *testing.T) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	s := create(t, strings.Replace(sweeptest.Jin, "r1:", "t: {path: time, linear: {from: 1 s, to: 2 s, count: 10000}}\n  r1:", 1)+"exclude: [r1 + r2 > 99]\n", 0)
	expect.Equal(t, s.Design.Points(), 1_000_000, "points")
	expect.Need(t, s.Dir.Plan().Shards == 1000, "%d shards", s.Dir.Plan().Shards)
	for _, k := range []int{0, 999} {
		expect.Success(t, s.Shard(context.Background(), k, 2, nil))
	}
	runtime.ReadMemStats(&after)
	// All that was allocated, used again or not: more than is ever in use.
	used := float64(after.TotalAlloc-before.TotalAlloc) / 1e6
	expect.That(t, used <= 200, "%.0f MB were allocated", used)
}

func TestExportFormats(t *testing.T) {
	s := ran(t, strings.Replace(sweeptest.Gauss, "network: hockney", "network: hockney\n  title: x", 1), 2)
	var jsonl, provenance bytes.Buffer
	expect.Success(t, s.Export(&jsonl, "jsonl", false))
	first, _, _ := strings.Cut(jsonl.String(), "\n")
	expect.Says(t, first, `{"point":0,"n":20,"blades":1,"latency [us]":1,"bandwidth [Mbit/s]":100,`, `"status":"ok","processes":2,"time [s]":`)
	expect.Success(t, s.Export(&provenance, "csv", true))
	head, rest, _ := strings.Cut(provenance.String(), "\n")
	host := expect.Value(os.Hostname())(t)
	expect.That(t, strings.HasSuffix(head, ",error,wall [s],host,pid,began") && strings.Count(rest, ","+host+","+strconv.Itoa(os.Getpid())+",") == 96,
		"provenance is missing in\n%s\n%.200s", head, rest)
	expect.Failure(t, s.Export(&jsonl, "xml", false), `unknown format "xml"; expected csv or jsonl`)
}

// Texts that look like numbers are stored as they are read again.
func TestTextsLikeNumbers(t *testing.T) {
	s := ran(t, `scenario: {machine: sunwulf, nodes: {blade: 2}, network: ideal, workload: {name: gauss, n: 20}}
factors: {title: {values: [.5, abc, +1]}}
exclude: ["title == '.5'"]
`, 1)
	n := len(cells(t, s, "title"))
	expect.That(t, n == s.Design.Points(), "%d rows of %d points", n, s.Design.Points())
}

func BenchmarkOverhead(b *testing.B) {
	text := strings.Replace(sweeptest.Jin, "r1:", "t: {path: time, linear: {from: 1 s, to: 10 s, count: 10}}\n  r1:", 1)
	for b.Loop() {
		ran(b, text, 1)
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/1000, "us/point")
}

// Without about.json, or with an empty one, a study can be carried out.
func TestAboutDecidesNothing(t *testing.T) {
	s := create(t, sweeptest.Jin, 0)
	for _, spoil := range []func(string) error{
		os.Remove,
		func(name string) error { return os.WriteFile(name, nil, 0o666) },
		func(name string) error { return os.WriteFile(name, []byte("{}"), 0o666) },
	} {
		expect.Success(t, spoil(filepath.Join(s.Dir.Path(), aboutName)))
		again := expect.Value(Open(s.Dir.Path()))(t)
		expect.That(t, again.About.Objective.Response == "log2_speedup", "objective %+v", again.About.Objective)
	}
	info := expect.Value(os.Stat(filepath.Join(create(t, sweeptest.Jin, 0).Dir.Path(), aboutName)))(t)
	expect.That(t, info.Mode().Perm()&0o444 == 0o444, "mode %v: others cannot read it", info.Mode())
}

func TestFormulaAloneHasNoOutcomesOfLevels(t *testing.T) {
	s := create(t, strings.Replace(sweeptest.Losses, "[formula, dispatch]", "[formula]", 1), 0)
	for _, o := range s.outcomes {
		expect.That(t, !strings.HasSuffix(o.Name, "_1"), "outcome %s", o.Name)
	}
}

func TestLossesOfPoints(t *testing.T) {
	s := ran(t, sweeptest.Losses, 2)
	lines := strings.Split(string(export(t, s)), "\n")
	header := strings.Split(lines[0], ",")
	cell := func(line, column string) string { return strings.Split(line, ",")[slices.Index(header, column)] }
	expect.Equal(t, cell(lines[1], "transfer_1 [s]")+cell(lines[1], "dispatch_wait_1 [s]"), "", "the formula has times of SIs")
	lost, took := cell(lines[2], "lost_transfer_1"), cell(lines[2], "transfer_1 [s]")
	expect.That(t, strings.HasPrefix(lost, "0.66666666") && took == "2", "dispatch loses %s to transfers of %s s, want 2/3 and 2", lost, took)
}

// Two and four ranks send 0.7 B each to the next: 1.4 and 2.8 B in all, which rows say as 1 and 3.
func TestBytesAreWhole(t *testing.T) {
	s := ran(t, `scenario:
  machine: {node_types: {w: {marked_speed: 1 Gflop/s}}, nodes: [{type: w, count: 4}], network: {latency: 0 s, bandwidth: 1 MB/s}}
  network: hockney
  workload: {name: pattern, n: 1, shape: ring, size: 0.7 B}
factors: {p: {path: nodes.w, values: [2, 4]}}
`, 1)
	expect.List(t, cells(t, s, "bytes"), []string{"1", "3"}, "bytes")
}

// What may be the best is run more often until it is told apart: the order of rows, and their
// number, depend on the rows alone, also after an interruption and with several jobs. The
// third machine is told apart at once; points with the same seeds on equal machines are equal,
// which no run tells apart.
func TestMoreRepetitionsWhereOpen(t *testing.T) {
	plan := sweeptest.Cluster("cores: 1, marked_speed: 1 Gflop/s", 4, "1 us",
		"{name: pattern, n: 10, size: 8 B, compute: 1 Mflop, imbalance: 0.5}") + `repetitions: {least: 5, more: 60}
factors: {speed: {path: machine.node_types.n.marked_speed, values: [1 Gflop/s, 1.01 Gflop/s, 2 Gflop/s]}}
`
	ask := func(plan string) *Study {
		return expect.Value(read(t, plan).Create(filepath.Join(t.TempDir(), "out"), 0))(t)
	}
	open := strings.NewReplacer("2 Gflop/s", "0.5 Gflop/s", "repetitions", "seeds: point\nrepetitions").Replace(plan)
	var want []byte
	for _, jobs := range []int{1, 3} {
		s := ask(open)
		if jobs == 3 {
			ctx, stop := context.WithCancel(context.Background())
			err := s.Run(ctx, 1, func(done, _ int) {
				if done == 20 {
					stop()
				}
			})
			expect.That(t, errors.Is(err, context.Canceled), "an interrupted run: %v", err)
			s = expect.Value(Open(s.Dir.Path()))(t)
		}
		expect.Success(t, s.Run(context.Background(), jobs, nil))
		got := export(t, s)
		if want == nil {
			want = got
		}
		expect.That(t, bytes.Equal(got, want), "%d jobs:\n%s\nwant\n%s", jobs, got, want)
	}
	rows := strings.Split(strings.TrimSpace(string(want)), "\n")[1:]
	expect.That(t, len(rows) > 25 && len(rows) <= 75, "%d rows", len(rows))
	for i, row := range rows {
		cells := strings.Split(row, ",")
		expect.That(t, i < 15 || cells[2] != "0.5", "row %d is of the slow machine: %s", i, row)
	}
	expect.That(t, strings.Split(rows[15], ",")[3] == "6", "the first that is added is repetition 6: %s", rows[15])
	s := ask(plan)
	expect.Success(t, s.Run(context.Background(), 1, nil))
	n := bytes.Count(export(t, s), []byte("\n")) - 1
	expect.Equal(t, n, 15, "rows of machines that are told apart")
	s = ask(strings.Replace(plan, "speed: {path: machine.node_types.n.marked_speed, values: [1 Gflop/s, 1.01 Gflop/s, 2 Gflop/s]}", "name: {path: title, values: [a, b]}", 1))
	expect.Success(t, s.Run(context.Background(), 1, nil))
	n = bytes.Count(export(t, s), []byte("\n")) - 1
	expect.Equal(t, n, 10, "rows of machines that are equal")
}
