package replay_test

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/answer/replay"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/sim"
)

// tolerance is what finish times may differ by, relatively, and for each event of
// a rank: SimGrid lets events that are closer than a nanosecond happen at once.
const tolerance, perEvent = 1e-6, 1e-9

// simGridCase is a trace with what SimGrid 3.32 makes of it.
type simGridCase struct {
	options  replay.TIOptions
	finish   []float64
	deadlock bool
}

// compare replays the case and compares the finish time of every rank.
func (c simGridCase) compare(t *testing.T) {
	t.Helper()
	r, err := replay.TI(context.Background(), c.options)
	if c.deadlock {
		expect.Kind[*sim.DeadlockError](t, err)
		return
	}
	expect.Success(t, err)
	expect.Need(t, len(r.Finish) == len(c.finish), "%d ranks, want %d", len(r.Finish), len(c.finish))
	worst, at := 0.0, 0
	for i, want := range c.finish {
		if d := (math.Abs(r.Finish[i]-want) - perEvent) / want; d > worst {
			worst, at = d, i
		}
	}
	expect.That(t, worst <= tolerance,
		"rank %d: %.12g s, SimGrid has %.12g s (relative difference %.2g)", at, r.Finish[at], c.finish[at], worst)
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
