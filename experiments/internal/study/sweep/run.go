package sweep

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"math"
	"math/bits"
	"slices"
	"sync"
	"time"

	"github.com/isoscale/isoscale/experiments/internal/answer/pool"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/study/design"
	"github.com/isoscale/isoscale/experiments/internal/study/search"
	"github.com/isoscale/isoscale/experiments/internal/study/store"
)

// Run computes all missing shards on this computer with jobs workers, each of which computes one shard at a time; a
// search has one shard, whose batches they share. progress, if not nil, is told how many of all points have a row:
// before any work, then after each batch of rows, never concurrently. After an error the other workers stop, too, and
// keep their rows; but after a [*PointError] they compute the remaining shards.
func (s *Study) Run(ctx context.Context, jobs int, progress func(done, total int)) error {
	if err := s.Dir.Resumable(input.Version); err != nil {
		return err
	}
	missing, err := s.Dir.Missing()
	if err != nil {
		return err
	}
	plan := s.Dir.Plan()
	done := plan.Points
	for _, shard := range missing {
		done -= plan.PointsOf(shard)
	}
	if progress == nil {
		progress = func(int, int) {}
	}
	progress(done, plan.Points)
	within := 1 // points of a shard at a time
	if s.chosen() {
		within = jobs // of its only shard
	}
	var mu sync.Mutex // guards done and progress
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	err = pool.Each(len(missing), jobs, func(i int) error {
		if ctx.Err() != nil {
			return nil
		}
		shard := missing[len(missing)-1-i] // the first shard is begun first
		err := s.Shard(ctx, shard, within, func(points int) {
			mu.Lock()
			defer mu.Unlock()
			done += points
			progress(done, plan.Points)
		})
		// A point that is too large for this computer stops only its shard.
		if _, ok := errors.AsType[*PointError](err); err != nil && !ok {
			stop(err)
		}
		return err
	}, nil)
	return cmp.Or(context.Cause(ctx), err)
}

// Shard computes the points of a shard that have no row yet, jobs at a time, and commits it. done, if not nil, is
// called with the number of points that have got a row since its last call, those of earlier attempts first. A complete
// shard costs nothing.
//
// When ctx is cancelled, existing rows are kept for the next attempt.
func (s *Study) Shard(ctx context.Context, shard, jobs int, done func(points int)) error {
	if err := s.Dir.Resumable(input.Version); err != nil {
		return err
	}
	var h chooser
	var known func(store.Row) error // for a study whose points are chosen
	switch {
	case s.Search != nil:
		h = s.newHistory(s.Search.Maximize)
		known = s.adds(h, s.Search.Response)
	case s.Repeat != nil:
		var given []bool
		for k := range s.Design.Factors {
			given = append(given, s.Role(k) != design.RoleMachine)
		}
		h = search.NewReplication(s.Design, s.factors(), given, s.Repeat.Maximize)
		known = s.adds(h, s.Repeat.Response)
	}
	a, err := s.Dir.Begin(shard, known)
	if errors.Is(err, store.ErrComplete) {
		return nil
	}
	if err != nil {
		return err
	}
	report := func(n int) {
		if done != nil && n > 0 {
			done(n)
		}
	}
	report(a.Adopted())
	put := func(cells []string, took time.Duration) error {
		point, ok := a.Next()
		if !ok {
			return errTaken
		}
		if err := a.Put(cells, took); err != nil {
			return err
		}
		report(1)
		if h == nil {
			return nil
		}
		return known(store.Row{Point: point, Cells: cells})
	}
	if h == nil {
		err = s.compute(ctx, s.rest(a), jobs, put)
	} else {
		for points := h.Next(); err == nil && points != nil; points = h.Next() {
			err = s.compute(ctx, slices.Values(points), jobs, put)
		}
	}
	if err != nil && err != errTaken {
		_ = a.Close() // repeats an error that has been returned
		return err
	}
	return a.Commit()
}

// errTaken says that another attempt has completed the shard.
var errTaken = errors.New("the shard is complete")

// rest yields the points of an attempt that have no row yet.
func (s *Study) rest(a *store.Attempt) iter.Seq[int] {
	first, ok := a.Next()
	return func(yield func(int) bool) {
		for point := first; ok && point < s.Dir.Plan().Points; point += s.Dir.Plan().Shards {
			if !yield(point) {
				return
			}
		}
	}
}

// compute simulates points of the design, jobs at a time, and passes their rows to put in order.
func (s *Study) compute(ctx context.Context, points iter.Seq[int], jobs int, put func(cells []string, took time.Duration) error) error {
	if jobs > 1 {
		return s.together(ctx, points, jobs, put)
	}
	for point := range points { // a goroutine for each would cost a quarter of the time of a small point
		cells, took, err := s.evaluate(ctx, point)
		if err == nil {
			err = put(cells, took)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// outcome is the row of a point, or the reason why there is none.
type outcome struct {
	cells []string
	took  time.Duration
	err   error
}

// together computes points concurrently and puts their rows in order. At most twice as many points as jobs are running
// or waiting for their turn.
func (s *Study) together(ctx context.Context, points iter.Seq[int], jobs int, put func(cells []string, took time.Duration) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	turns := make(chan chan outcome, jobs)
	free := make(chan struct{}, jobs)
	go func() {
		defer close(turns)
		for point := range points {
			turn := make(chan outcome, 1)
			select {
			case turns <- turn:
			case <-ctx.Done():
				return
			}
			free <- struct{}{}
			go func() {
				defer func() { <-free }()
				var o outcome
				o.cells, o.took, o.err = s.evaluate(ctx, point)
				turn <- o
			}()
		}
	}()
	for turn := range turns {
		o := <-turn
		if o.err == nil {
			o.err = put(o.cells, o.took)
		}
		if o.err != nil {
			return o.err
		}
	}
	return ctx.Err()
}

// points returns the number of rows of the study.
func (s *Study) points() int {
	if s.Search != nil {
		return s.Search.Points * s.Design.Repetitions
	}
	return s.Design.Points() + s.Design.More
}

// chosen reports whether rows decide which points follow.
func (s *Study) chosen() bool { return s.Search != nil || s.Design.More > 0 }

// A chooser decides which points are next by the results of earlier ones.
type chooser interface {
	Next() []int
	Add(point int, value float64)
}

// newHistory returns the history of a search without points.
func (s *Study) newHistory(maximize bool) *search.History {
	h := search.NewHistory(s.Search, s.Design, s.factors(), maximize)
	if sizes := s.sizes(); sizes != nil {
		h.Along(sizes)
		h.Along(evenness(sizes))
	}
	return h
}

// adds returns a function that passes an objective's value in a row to a chooser.
func (s *Study) adds(h chooser, response string) func(store.Row) error {
	value := s.ValueOf(response)
	return func(row store.Row) error {
		p, err := s.PointOf(row)
		if err != nil {
			return err
		}
		v, err := value(row)
		if err == nil {
			h.Add(p.Index, v)
		}
		return err
	}
}

// History returns the history of a complete search, for the objective of the analysis.
func (s *Study) History() (*search.History, error) {
	h := s.newHistory(s.About.Objective.Maximize)
	add := s.adds(h, s.About.Objective.Response)
	for row, err := range s.Dir.Rows() {
		if err == nil {
			err = add(row)
		}
		if err != nil {
			return nil, err
		}
	}
	return h, nil
}

// mostSizes bounds the configurations whose number of processes is found before a search; each takes about 0.3 ms.
const mostSizes = 5000

// sizes returns log2 of the number of processes of each configuration, on which predictions of a search also depend:
// steps of a time, for instance where a tree of messages gets another level, are often at the same number of processes,
// whatever factors make it up. It is nil where one factor determines the number, and for too many configurations. An
// invalid configuration has the least number.
func (s *Study) sizes() []float64 {
	n := s.Design.Configurations()
	if s.Super() || n > mostSizes {
		return nil
	}
	all, levels := make([]float64, n), make([][]int, n)
	for c := range all {
		p := s.configuration(c)
		levels[c] = p.Levels
		x, err := s.Scenario(p)
		if err != nil {
			continue
		}
		if p, err := x.Scenario.Machine.Place(x.Scenario.Selection); err == nil {
			all[c] = math.Log2(float64(p.Ranks()))
		}
	}
	for f := range s.Design.Factors {
		of := map[int]float64{} // by level
		alone := true
		for c, size := range all {
			known, ok := of[levels[c][f]]
			alone = alone && (!ok || known == size)
			of[levels[c][f]] = size
		}
		if alone {
			return nil
		}
	}
	return all
}

// evenness returns, for log2 of numbers of processes, how far each number is a power of two: log2 of the largest power
// of two that divides it, relative to log2 of the number; 1 for one process. Predictions depend on it because trees and
// grids of processes are faster the more often the number can be halved.
func evenness(sizes []float64) []float64 {
	shares := make([]float64, len(sizes))
	for i, size := range sizes {
		shares[i] = 1
		if n := int(math.Round(math.Exp2(size))); n > 1 {
			shares[i] = float64(bits.TrailingZeros(uint(n))) / size
		}
	}
	return shares
}

func (s *Study) configuration(c int) design.Point { return s.Design.Point(c * s.Design.Repetitions) }
