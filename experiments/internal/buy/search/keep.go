package search

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"time"

	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/study/store"
	"github.com/isoscale/isoscale/internal/each"
)

// A Crew is several processes that answer one plan and share a directory of simulations. Each member answers the whole
// plan, because earlier results decide what to simulate next. It begins with its own share of the simulations, then
// helps with those still missing, and drops one as soon as another member has done it. So members may start and end at
// any time, and the answer is that of one process.
type Crew struct {
	Member  int // from 0
	Members int // 0: there is no crew
}

// OpenFolder makes the directory in which simulations are kept, so that a plan that was
// interrupted, or whose prices have changed, simulates only what is missing.
func OpenFolder(dir string) (*store.Cache, error) {
	return store.OpenCache(dir, folderMark, `{"format": "isoscale simulations of purchase plans", "version": 1}`+"\n")
}

// folderMark is the file that marks a directory of simulations.
const folderMark = "plan-simulations.json"

// Answered reports whether a member of a crew has answered a plan, read with these overrides, in a directory.
func Answered(p *model.Plan, overrides []input.Override, dir string) (bool, error) {
	kept, err := OpenFolder(dir)
	if err != nil {
		return false, err
	}
	return kept.Has(answerKey(p, overrides))
}

// answerKey is the key under which a crew notes that a plan is answered.
func answerKey(p *model.Plan, overrides []input.Override) store.Key {
	begun := []any{"answered", input.Version, overrides}
	return keyOf(each.Append(begun, p.Inputs, func(x input.Input) any { return x.SHA256 })...)
}

// kept is the key of a stored simulation. Within its plan key identifies it; other plans may have other workloads,
// network models and node types under the same names.
func (s simulation) kept() store.Key {
	p, w := s.plan, s.job()
	m, use := s.machine()
	return keyOf(input.Version, w.Text, w.Target, w.Sizes, p.Seed, p.ModelText, p.ReadFiles, s.key(), m.Types, use)
}

func keyOf(of ...any) store.Key {
	text, err := json.Marshal(of)
	if err != nil {
		panic("buy: " + err.Error()) // only numbers, texts and lists of them
	}
	return store.KeyOf(text)
}

// load returns the stored outcome of a simulation, if there is one.
func (s *simulator) load(x simulation) (o model.Outcome, found bool) {
	if s.Kept == nil || json.Unmarshal(s.Kept.Get(x.kept()), &o) != nil {
		return model.Outcome{}, false
	}
	return o, true
}

// ownLast sorts the member's own share to the end of a list, where [system.Each] begins, preceded by those of the next
// members.
func (c Crew) ownLast(list []pending) {
	for i := range list {
		list[i].after = (c.shareOf(list[i].simulation) - c.Member + c.Members) % c.Members
	}
	slices.SortStableFunc(list, func(a, b pending) int { return b.after - a.after })
}

// shareOf returns the member in whose share a simulation is.
func (c Crew) shareOf(x simulation) int {
	n, err := strconv.ParseUint(string(x.kept()[:8]), 16, 32)
	if err != nil {
		panic("buy: " + err.Error()) // a hash
	}
	return int(n % uint64(c.Members))
}

// lookEvery is how often a member checks whether another has done its current simulation.
const lookEvery = 200 * time.Millisecond

// carryOut carries out a simulation and stores its outcome, unless another member of the crew has done so before or
// does so in the meantime.
func (s *simulator) carryOut(ctx context.Context, x simulation) (model.Outcome, error) {
	if n := x.processes(); s.MostProcesses > 0 && n > s.MostProcesses {
		return model.Outcome{}, input.Errorf("%s, workload %s: %d processes; expected at most %d here, "+
			"'isoscale plan' takes more",
			x.plan.WayName(x.choice, x.on), x.job().Name, n, s.MostProcesses)
	}
	own, drop := context.WithCancel(ctx)
	defer drop()
	if s.Crew.Members > 0 {
		if o, found := s.load(x); found {
			return o, nil
		}
		go s.watch(own, drop, x.kept())
	}
	o, err := x.run(own)
	if err != nil && s.Crew.Members > 0 && ctx.Err() == nil {
		if other, found := s.load(x); found {
			return other, nil
		}
	}
	if err != nil || s.Kept == nil {
		return o, err
	}
	text, err := json.Marshal(o)
	if err != nil {
		return o, err
	}
	return o, s.Kept.Put(x.kept(), append(text, '\n'))
}

// watch drops a simulation as soon as another member has done it.
func (s *simulator) watch(own context.Context, drop func(), key store.Key) {
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	for {
		select {
		case <-own.Done():
			return
		case <-look.C:
			if done, _ := s.Kept.Has(key); done {
				drop()
			}
		}
	}
}
