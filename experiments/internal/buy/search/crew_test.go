package search

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/isoscale/isoscale/experiments/internal/buy/buytest"
	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
)

// Three processes that share a directory have the answer of one, though one of them ends
// after some simulations; the directory then says that the plan is answered, as it was read.
func TestCrewHasTheAnswerOfOne(t *testing.T) {
	if testing.Short() {
		t.Skip("answers many plans")
	}
	_, want, err := keptAnswer(t, "", 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	p := buytest.Read(t, buytest.PlanFile(t, buytest.Site), "counts=[1, 2]")
	if done, err := Answered(p, nil, folder); done || err != nil {
		t.Fatalf("answered before the start: %v, %v", done, err)
	}
	var members sync.WaitGroup
	for member := range 3 {
		members.Go(func() {
			own := buytest.Read(t, buytest.PlanFile(t, buytest.Site), "counts=[1, 2]")
			own.Inputs = nil
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			did := 0
			r, err := Solve(ctx, own, Options{Jobs: 1, Out: folder, Crew: Crew{member, 3}, Progress: func(s input.Step) {
				if did++; member == 2 && did > 5 {
					cancel()
				}
			}})
			if member == 2 {
				if !errors.Is(err, context.Canceled) {
					t.Errorf("the member that was cancelled: %v", err)
				}
				return
			}
			if err != nil {
				t.Error(err)
				return
			}
			r.Provenance.WallSeconds = 0
			text, err := json.Marshal(r)
			if diff := cmp.Diff(want, string(text)); diff != "" || err != nil {
				t.Errorf("member %d: %v %s", member, err, diff)
			}
		})
	}
	members.Wait()
	p.Inputs = nil
	if done, err := Answered(p, nil, folder); !done || err != nil {
		t.Errorf("answered at the end: %v, %v", done, err)
	}
	if done, err := Answered(p, []input.Override{{Path: "seed", Value: "2"}}, folder); done || err != nil {
		t.Errorf("answered with another seed: %v, %v", done, err)
	}
	if again, answer, err := keptAnswer(t, folder, 1, 0); again != 0 || answer != want || err != nil {
		t.Errorf("%d simulations after the crew, %v", again, err)
	}
}

// Each simulation falls to one member, and each member begins with its own.
func TestSharesOfACrew(t *testing.T) {
	p := buytest.Read(t, buytest.PlanFile(t, buytest.Site))
	c := model.Choice{Types: []int{0}, Counts: []int{3}}
	var list []simulation
	for w := range p.Workloads {
		for nodes := 1; nodes <= 12; nodes++ {
			list = append(list, simulation{p, c, w, model.Way{Node: 0, Nodes: nodes}})
		}
	}
	const members = 3
	owned := 0
	for member := range members {
		crew := Crew{member, members}
		mine := append([]simulation(nil), list...)
		crew.ownLast(mine, make([]string, len(mine)))
		own := 0
		for i := len(mine) - 1; i >= 0 && crew.shareOf(mine[i]) == member; i-- {
			own++
		}
		for _, x := range mine[:len(mine)-own] {
			if crew.shareOf(x) == member {
				t.Errorf("member %d does not begin with %s", member, x.key())
			}
		}
		if own == 0 {
			t.Errorf("member %d has no share of %d simulations", member, len(list))
		}
		owned += own
	}
	if owned != len(list) {
		t.Errorf("%d simulations of %d fall to a member", owned, len(list))
	}
}
