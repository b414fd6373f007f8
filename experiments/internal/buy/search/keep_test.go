package search

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/isoscale/isoscale/experiments/internal/buy/buytest"
	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/internal/expect"
)

// keptAnswer answers site with its simulations stored in a folder. It is interrupted after interrupt simulations, 0 for
// never, and returns how many it did and the answer without its wall time.
func keptAnswer(t *testing.T, folder string, jobs, interrupt int, set ...string) (done int, answer string, err error) {
	t.Helper()
	return keptAnswerOf(t, buytest.Site, folder, jobs, interrupt, set...)
}

// keptAnswerOf is keptAnswer for another plan.
func keptAnswerOf(t *testing.T, plan, folder string, jobs, interrupt int, set ...string) (done int, answer string, err error) {
	t.Helper()
	p := buytest.Read(t, buytest.PlanFile(t, plan), append(set, "counts=[1, 2]")...)
	p.Inputs = nil // the name of the file differs from call to call
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	r, err := Solve(ctx, p, Options{Jobs: jobs, Out: folder, Rough: rough, Progress: func(s input.Step) {
		if s.Done > 0 && strings.Contains(s.What, " on ") { // a simulation on some nodes
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
	return expect.Value(filepath.Glob(filepath.Join(folder, strings.Repeat("[0-9a-f]", 40)+".json")))(t)
}

// A plan that is interrupted again and again does each simulation once, and its answer is that of an uninterrupted one,
// for any number of simulations at a time.
func TestInterruptedPlanResumes(t *testing.T) {
	t.Parallel()
	expect.Long(t, "answers many plans")
	all, want, err := keptAnswer(t, "", 1, 0)
	expect.Success(t, err)
	for _, jobs := range []int{1, 2} {
		folder := filepath.Join(t.TempDir(), "kept")
		did, interruptions := 0, 0
		for {
			n, answer, err := keptAnswer(t, folder, jobs, 1+all/4)
			did += n
			if err == nil {
				expect.Same(t, answer, want, "%d at a time", jobs)
				break
			}
			interruptions++
			expect.Need(t, errors.Is(err, context.Canceled) && interruptions <= 10, "%d interruptions, %v", interruptions, err)
			// What a process leaves when it is killed while writing.
			half := fmt.Sprint(files(t, folder)[0], ".KILLED", ".tmp")
			buytest.Write(t, half, `{"Run":`)
		}
		expect.That(t, interruptions >= 3 && did == all,
			"%d at a time: %d simulations in %d interruptions, %d without", jobs, did, interruptions, all)
		again, _, err := keptAnswer(t, folder, jobs, 0)
		expect.That(t, again == 0 && err == nil, "%d simulations of a plan that is complete, %v", again, err)
	}
}

// New prices need only simulations of machines that they make affordable; other problem sizes, or another seed, need
// new simulations.
func TestKeptSimulationsSurviveNewPrices(t *testing.T) {
	t.Parallel()
	expect.Long(t, "answers many plans")
	folder := t.TempDir()
	all, _, err := keptAnswer(t, folder, 2, 0)
	expect.Success(t, err)
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
		expect.Success(t, err)
		n, answer, err := keptAnswer(t, folder, 2, 0, c.set)
		expect.That(t, err == nil && answer == want, "%s: %v; %s", c.set, err, cmp.Diff(want, answer))
		expect.That(t, (n > 0) == c.new && n <= all, "%s: %d new simulations of %d", c.set, n, all)
	}
}

// A file that is damaged is written again.
func TestDamagedSimulationIsRepeated(t *testing.T) {
	folder := t.TempDir()
	_, want, err := keptAnswer(t, folder, 2, 0)
	expect.Success(t, err)
	damaged := files(t, folder)[0]
	buytest.Write(t, damaged, "")
	n, answer, err := keptAnswer(t, folder, 2, 0)
	expect.That(t, n == 1 && answer == want && err == nil, "%d simulations, %v", n, err)
	expect.That(t, len(expect.Value(os.ReadFile(damaged))(t)) > 0, "the file is not repaired")
}

// Members of a crew make their directory at the same time.
func TestFolderIsMadeByMany(t *testing.T) {
	t.Parallel()
	rounds := 200
	if rough {
		rounds = 40
	}
	for range rounds {
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
	buytest.Write(t, filepath.Join(folder, "letter.txt"), "")
	_, _, err := keptAnswer(t, folder, 1, 0)
	expect.Failure(t, err, "other files, such as letter.txt")
	other := t.TempDir()
	buytest.Write(t, filepath.Join(other, folderMark), "{}")
	_, _, err = keptAnswer(t, other, 1, 0)
	expect.Failure(t, err, "not of this version")
}

// Three processes that share a directory give the answer of one, although one of them ends early; the directory then
// says that the plan, as it was read, is answered.
func TestCrewHasTheAnswerOfOne(t *testing.T) {
	t.Parallel()
	expect.Long(t, "answers many plans")
	_, want, err := keptAnswer(t, "", 1, 0)
	expect.Success(t, err)
	folder := t.TempDir()
	p := buytest.Read(t, buytest.PlanFile(t, buytest.Site), "counts=[1, 2]")
	expect.Equal(t, expect.Value(Answered(p, nil, folder))(t), false, "answered before the start")
	var members sync.WaitGroup
	for member := range 3 {
		members.Go(func() {
			own := buytest.Read(t, buytest.PlanFile(t, buytest.Site), "counts=[1, 2]")
			own.Inputs = nil
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			did := 0
			r, err := Solve(ctx, own, Options{Jobs: 1, Out: folder, Rough: rough, Crew: Crew{member, 3},
				Progress: func(s input.Step) {
					if did++; member == 2 && did > 5 {
						cancel()
					}
				}})
			if member == 2 {
				expect.That(t, errors.Is(err, context.Canceled), "the member that was cancelled: %v", err)
				return
			}
			if err != nil {
				t.Error(err)
				return
			}
			r.Provenance.WallSeconds = 0
			text, err := json.Marshal(r)
			diff := cmp.Diff(want, string(text))
			expect.That(t, diff == "" && err == nil, "member %d: %v %s", member, err, diff)
		})
	}
	members.Wait()
	p.Inputs = nil
	expect.Equal(t, expect.Value(Answered(p, nil, folder))(t), true, "answered at the end")
	expect.Equal(t, expect.Value(Answered(p, buytest.Set("seed=2"), folder))(t), false, "answered with another seed")
	again, answer, err := keptAnswer(t, folder, 1, 0)
	expect.That(t, again == 0 && answer == want && err == nil, "%d simulations after the crew, %v", again, err)
}

// Each simulation belongs to the share of one member, and each member begins with its own.
func TestSharesOfACrew(t *testing.T) {
	p := buytest.Read(t, buytest.PlanFile(t, buytest.Site))
	c := model.Design{Types: []int{0}}.Of(3)
	var list []pending
	for w := range p.Workloads {
		for nodes := 1; nodes <= 12; nodes++ {
			list = append(list, pending{simulation: simulation{p, c, w, model.Way{Node: 0, Nodes: nodes}}})
		}
	}
	const members = 3
	owned := 0
	for member := range members {
		crew := Crew{member, members}
		mine := slices.Clone(list)
		crew.ownLast(mine)
		own := 0
		for i := len(mine) - 1; i >= 0 && crew.shareOf(mine[i].simulation) == member; i-- {
			own++
		}
		for _, x := range mine[:len(mine)-own] {
			expect.That(t, crew.shareOf(x.simulation) != member,
				"member %d does not begin with %s", member, x.simulation.key())
		}
		expect.That(t, own != 0, "member %d has no share of %d simulations", member, len(list))
		owned += own
	}
	expect.That(t, owned == len(list), "%d simulations of %d fall to a member", owned, len(list))
}

// A plan with other names for node types, networks and workloads repeats no simulation, and its answer is that of the
// first plan with the other names.
func TestRenamedPlanSimulatesNothing(t *testing.T) {
	t.Parallel()
	names := map[string]string{"fat": "wide", "thin": "slim", "slow": "lazy", "fast": "keen", "dense": "thick", "paths": "roads"}
	renamed := func(text string) string {
		return regexp.MustCompile(`\b(fat|thin|slow|fast|dense|paths)\b`).ReplaceAllStringFunc(text, func(old string) string { return names[old] })
	}
	folder := t.TempDir()
	first, want, err := keptAnswer(t, folder, 1, 0)
	expect.Success(t, err)
	again, got, err := keptAnswerOf(t, renamed(buytest.Site), folder, 1, 0)
	expect.Success(t, err)
	expect.That(t, first != 0 && again == 0, "%d simulations, and %d under other names", first, again)
	expect.Same(t, got, renamed(want), "answer under other names")
}
