package replay_test

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/answer/replay"
	"github.com/isoscale/isoscale/experiments/internal/answer/waits"
	"github.com/isoscale/isoscale/experiments/internal/answer/watch"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/sim"
)

// tolerance is the relative difference allowed between finish times, perEvent that for each event
// of a rank, in s: SimGrid lets events that are closer than a nanosecond happen at once.
const tolerance, perEvent = 1e-6, 1e-9

// simGridCase is a trace with the results of SimGrid 3.32.
type simGridCase struct {
	options  replay.TIOptions
	finish   []float64
	deadlock bool
}

// compare replays the case and compares the finish time of every rank.
func (c simGridCase) compare(t *testing.T) {
	t.Helper()
	c.options.Waits, c.options.AllRanks = true, true
	r, err := replay.TI(context.Background(), c.options)
	if c.deadlock {
		expect.Kind[*sim.DeadlockError](t, err)
		return
	}
	expect.Success(t, err)
	expect.Need(t, len(r.Finish) == len(c.finish), "%d ranks, want %d", len(r.Finish), len(c.finish))
	waitsAddUp(t, r.Waits, r.Ranks, r.Makespan)
	worst, at := 0.0, 0
	for i, want := range c.finish {
		if d := (math.Abs(r.Finish[i]-want) - perEvent) / want; d > worst {
			worst, at = d, i
		}
	}
	expect.That(t, worst <= tolerance,
		"rank %d: %.12g s, SimGrid has %.12g s (relative difference %.2g)", at, r.Finish[at], c.finish[at], worst)
}

// late are the names of waits that are charged to ranks.
var late = func() (names []string) {
	for class := waits.LateSender; class < waits.Completion; class++ {
		names = append(names, class.String())
	}
	return names
}()

// waitsAddUp requires that wait states add up to the wait of each rank and its idle time at the end, and delay costs to
// the waits that late ranks caused.
func waitsAddUp(t *testing.T, s *waits.States, ranks []watch.Rank, makespan float64) {
	t.Helper()
	tolerance := 1e-9 * makespan
	sums, caused, costs := make([]float64, len(ranks)), 0.0, 0.0
	for _, x := range s.Ranks {
		for _, time := range x.Wait {
			if sums[x.Rank] += time.Time; slices.Contains(late, time.Name) {
				caused += time.Time
			}
		}
	}
	for i, x := range ranks {
		expect.Near(t, sums[i], x.Wait+makespan-x.Finish, tolerance, "wait of rank %d", i)
	}
	for _, c := range s.Costs {
		costs += c.Total
	}
	expect.Near(t, costs, caused, tolerance*float64(len(ranks)), "delay costs")
}

func readJSON(t *testing.T, path string, v any) {
	t.Helper()
	data := expect.Value(os.ReadFile(path))(t)
	err := json.Unmarshal(data, v)
	expect.Need(t, err == nil, "%s: %v", path, err)
}

// The project's own cases: testdata/simgrid/README.md says what each covers and
// how SimGrid's figures were made.
func TestSimGrid(t *testing.T) {
	folders, err := filepath.Glob("testdata/simgrid/*/expected.json")
	expect.Need(t, err == nil && len(folders) != 0, "no cases (%v)", err)
	for _, file := range folders {
		dir := filepath.Dir(file)
		t.Run(filepath.Base(dir), func(t *testing.T) { ownCase(t, dir).compare(t) })
	}
}

// ownCase reads a case in the layout of testdata/simgrid.
func ownCase(t *testing.T, dir string) simGridCase {
	var e struct {
		Settings []string
		Ranks    int
		Finish   []float64 `json:"finish_s"`
		Deadlock bool
	}
	readJSON(t, filepath.Join(dir, "expected.json"), &e)
	trace := filepath.Join(dir, "trace.ti")
	if list := filepath.Join(dir, "list"); exists(list) {
		trace = list
	}
	return simGridCase{replay.TIOptions{
		Trace: trace, Ranks: e.Ranks, Platform: filepath.Join(dir, "platform.xml"), Hostfile: filepath.Join(dir, "hostfile"), Settings: e.Settings,
	}, e.Finish, e.Deadlock}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// ISOSCALE_CONFORMANCE names a folder with more cases, of SimGrid's own making,
// that are not part of this project.
func TestSimGridConformance(t *testing.T) {
	root := os.Getenv("ISOSCALE_CONFORMANCE")
	if root == "" {
		t.Skip("ISOSCALE_CONFORMANCE does not name the folder of conformance cases")
	}
	cases, err := filepath.Glob(filepath.Join(root, "simgrid", "*", "expected.json"))
	expect.Need(t, err == nil && len(cases) != 0, "no cases in %s (%v)", root, err)
	for _, file := range cases {
		dir := filepath.Dir(file)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			var e struct {
				Settings []string `json:"simgrid_config"`
				Ranks    int
				Input    struct{ Platform, Hostfile string }
				Expected struct {
					Finish   []float64 `json:"finish_s"`
					Deadlock bool
				}
			}
			readJSON(t, file, &e)
			simGridCase{replay.TIOptions{
				Trace: filepath.Join(dir, "list"), Ranks: e.Ranks, Platform: filepath.Join(dir, e.Input.Platform),
				Hostfile: filepath.Join(dir, e.Input.Hostfile), Settings: e.Settings,
			}, e.Expected.Finish, e.Expected.Deadlock}.compare(t)
		})
	}
	t.Logf("compared %d cases", len(cases))
}

// The waits of GOAL schedules add up, too; there a core is listed as a rank.
func TestGOALWaitsAddUp(t *testing.T) {
	files := []string{"../../../../examples/ring.goal"}
	if root := os.Getenv("ISOSCALE_CONFORMANCE"); root != "" {
		more, err := filepath.Glob(filepath.Join(root, "goal", "*", "schedule.goal"))
		expect.Need(t, err == nil && len(more) != 0, "no cases in %s (%v)", root, err)
		files = append(files, more...)
	}
	for _, file := range files {
		t.Run(filepath.Base(filepath.Dir(file)), func(t *testing.T) {
			o := replay.GOALOptions{Schedule: file, Asked: replay.Asked{AllRanks: true}}
			o.Waits = true
			r := expect.Value(replay.GOAL(t.Context(), o))(t)
			waitsAddUp(t, r.Waits, r.Ranks, float64(r.Makespan)/1e9)
		})
	}
}
