package search

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/isoscale/isoscale/experiments/internal/buy/buytest"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
)

// keptAnswer answers site with its simulations kept in a folder. It is interrupted after so many
// simulations, 0 for never, and returns how many it did and the answer without its wall time.
func keptAnswer(t *testing.T, folder string, jobs, interrupt int, set ...string) (done int, answer string, err error) {
	t.Helper()
	p := buytest.Read(t, buytest.PlanFile(t, buytest.Site), append(set, "counts=[1, 2]")...)
	p.Inputs = nil // the name of the file differs from call to call
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	r, err := Solve(ctx, p, Options{Jobs: jobs, Out: folder, Progress: func(s input.Step) {
		if s.Done > 0 {
			done++
		}
		if done == interrupt && interrupt > 0 {
			cancel()
		}
	}})
	if err != nil {
		return done, "", err
	}
	r.Provenance.WallSeconds = 0
	text, err := json.Marshal(r)
	return done, string(text), err
}

func files(t *testing.T, folder string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(folder, strings.Repeat("[0-9a-f]", 40)+".json"))
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// A plan that is interrupted again and again does each simulation once, and its answer is
// that of one that is not interrupted, for any number of simulations at a time.
func TestInterruptedPlanResumes(t *testing.T) {
	if testing.Short() {
		t.Skip("answers many plans")
	}
	all, want, err := keptAnswer(t, "", 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, jobs := range []int{1, 2} {
		folder := filepath.Join(t.TempDir(), "kept")
		did, interruptions := 0, 0
		for {
			n, answer, err := keptAnswer(t, folder, jobs, 1+all/4)
			did += n
			if err == nil {
				if diff := cmp.Diff(want, answer); diff != "" {
					t.Errorf("%d at a time: %s", jobs, diff)
				}
				break
			}
			if interruptions++; !errors.Is(err, context.Canceled) || interruptions > 10 {
				t.Fatal(err)
			}
			// What a process leaves that is killed while it writes.
			half := fmt.Sprint(files(t, folder)[0], ".KILLED", ".tmp")
			if err := os.WriteFile(half, []byte(`{"Run":`), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if interruptions < 3 || did != all {
			t.Errorf("%d at a time: %d simulations in %d interruptions, %d without", jobs, did, interruptions, all)
		}
		if again, _, err := keptAnswer(t, folder, jobs, 0); again != 0 || err != nil {
			t.Errorf("%d simulations of a plan that is complete, %v", again, err)
		}
	}
}

// New prices need only simulations of machines that they make affordable; other sizes of a
// problem are other simulations, and so are those with another seed.
func TestKeptSimulationsSurviveNewPrices(t *testing.T) {
	if testing.Short() {
		t.Skip("answers a plan 17 times")
	}
	folder := t.TempDir()
	all, _, err := keptAnswer(t, folder, 2, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		set string
		new bool
	}{
		{"nodes.fat.price=3900 EUR", false},
		{"nodes.thin.power=160 W", false},
		{"budget.money=31000 EUR", false},
		{"workloads[0].runs_per_year=1000000", false},
		{"workloads[0].run.n=501", true},
		{"nodes.fat.memory=63 GB", true},
		{"nodes.fat.marked_speed=11 Gflop/s", true},
		{"seed=2", true},
	} {
		_, want, err := keptAnswer(t, "", 2, 0, c.set)
		if err != nil {
			t.Fatal(err)
		}
		n, answer, err := keptAnswer(t, folder, 2, 0, c.set)
		if err != nil || answer != want {
			t.Errorf("%s: %v; %s", c.set, err, cmp.Diff(want, answer))
		}
		if (n > 0) != c.new || n > all {
			t.Errorf("%s: %d new simulations of %d", c.set, n, all)
		}
	}
}

// A file that is damaged is written again.
func TestDamagedSimulationIsRepeated(t *testing.T) {
	if testing.Short() {
		t.Skip("answers many plans")
	}
	folder := t.TempDir()
	_, want, err := keptAnswer(t, folder, 2, 0)
	if err != nil {
		t.Fatal(err)
	}
	damaged := files(t, folder)[0]
	if err := os.WriteFile(damaged, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	n, answer, err := keptAnswer(t, folder, 2, 0)
	if n != 1 || answer != want || err != nil {
		t.Errorf("%d simulations, %v", n, err)
	}
	if text, err := os.ReadFile(damaged); len(text) == 0 || err != nil {
		t.Error("the file is not repaired:", err)
	}
}

// Members of a crew make their directory at the same time.
func TestFolderIsMadeByMany(t *testing.T) {
	for range 200 {
		dir := filepath.Join(t.TempDir(), "plan")
		var members sync.WaitGroup
		for range 4 {
			members.Go(func() {
				if _, err := OpenFolder(dir); err != nil {
					t.Error(err)
				}
			})
		}
		members.Wait()
	}
}

func TestFolderOfSomethingElse(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "letter.txt"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, _, err := keptAnswer(t, folder, 1, 0); err == nil || !strings.Contains(err.Error(), "other files, such as letter.txt") {
		t.Errorf("other files: %v", err)
	}
	other := t.TempDir()
	if err := os.WriteFile(filepath.Join(other, folderMark), []byte("{}"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, _, err := keptAnswer(t, other, 1, 0); err == nil || !strings.Contains(err.Error(), "not of this version") {
		t.Errorf("another version: %v", err)
	}
}
