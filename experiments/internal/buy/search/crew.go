package search

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
)

// A Crew is several processes that answer one plan, with one directory for its simulations.
// Each of them answers the whole plan, which decides what is simulated next, and begins with
// its own share of the simulations. Then it helps with those that are still missing: it
// drops one as soon as another member has done it. So all may start and end at any time, and
// the answer is that of one process.
type Crew struct {
	Member  int // from 0
	Members int // 0: there is no crew
}

// Answered reports whether a member of a crew has answered a plan, read with these
// overrides, in a directory.
func Answered(p *model.Plan, overrides []input.Override, dir string) (bool, error) {
	_, err := os.Stat(filepath.Join(dir, answerMark(p, overrides)))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// OpenFolder makes the directory of a crew, or checks one that is there.
func OpenFolder(dir string) error {
	_, err := openFolder(dir)
	return err
}

// answerMark returns the name of the file that a directory gets when a plan is answered.
func answerMark(p *model.Plan, overrides []input.Override) string {
	sum := sha256.New()
	read := []any{input.Version, overrides}
	for _, x := range p.Inputs {
		read = append(read, x.SHA256)
	}
	if err := json.NewEncoder(sum).Encode(read); err != nil {
		panic("buy: " + err.Error()) // texts
	}
	return "answered-" + hex.EncodeToString(sum.Sum(nil)[:20])
}

// shareOf returns the member that a simulation falls to.
func (c Crew) shareOf(x simulation) int {
	n, err := strconv.ParseUint(x.file()[:8], 16, 32)
	if err != nil {
		panic("buy: " + err.Error()) // a hash
	}
	return int(n % uint64(c.Members))
}

// ownLast puts the share of the member at the end of a list and of its keys, where
// [system.Each] begins, and those of the next members before it.
func (c Crew) ownLast(list []simulation, keys []string) {
	type item struct {
		simulation
		key   string
		after int // shares
	}
	items := make([]item, len(list))
	for i, x := range list {
		items[i] = item{x, keys[i], (c.shareOf(x) - c.Member + c.Members) % c.Members}
	}
	slices.SortStableFunc(items, func(a, b item) int { return b.after - a.after })
	for i, x := range items {
		list[i], keys[i] = x.simulation, x.key
	}
}

// lookEvery is how often a member looks whether another has done what it is doing.
const lookEvery = 200 * time.Millisecond

// runOnce carries out a simulation and keeps it, unless another member has done so before or
// does in the meantime.
func (s *simulator) runOnce(ctx context.Context, x simulation) (model.Outcome, error) {
	if o, found := s.kept.load(x); found {
		return o, nil
	}
	own, drop := context.WithCancel(ctx)
	defer drop()
	path := filepath.Join(s.kept.path, x.file())
	go func() {
		look := time.NewTicker(lookEvery)
		defer look.Stop()
		for {
			select {
			case <-own.Done():
				return
			case <-look.C:
				if _, err := os.Stat(path); err == nil {
					drop()
				}
			}
		}
	}()
	o, err := x.run(own)
	if err != nil && ctx.Err() == nil {
		if other, found := s.kept.load(x); found {
			return other, nil
		}
	}
	if err != nil {
		return model.Outcome{}, err
	}
	return o, s.kept.save(x, o)
}
