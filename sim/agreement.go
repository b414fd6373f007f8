package sim

import (
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"sync"

	"github.com/isoscale/isoscale/internal/wrapped"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/collective"
)

// comparer may be implemented by a program that compares the collective calls of its
// ranks (see collective.Calls). When the run is over, it is asked for a call that ranks
// make differently, or that finished ranks made less often than others: such a
// disagreement explains whatever came of the run.
type comparer interface {
	Disagreement(finished func(rank int32) bool) error
}

// disagreement returns the outcome of the run, preceded by what ranks disagree about.
func (e *engine) disagreement(p workloads.Program, outcome error) error {
	c, ok := wrapped.Outermost[comparer](p)
	if stuck := (*DeadlockError)(nil); !ok || outcome != nil && !errors.As(outcome, &stuck) {
		return outcome
	}
	err := c.Disagreement(func(rank int32) bool {
		return e.shards[e.shardOf(rank)].rank(rank).state == finished
	})
	if err == nil {
		return outcome
	}
	return errors.Join(err, outcome)
}

// agree compares the call with those of the other members of the group.
func (r *Rank) agree(call string, operation workloads.Collective, root int, size units.Bytes) {
	calls := r.program.calls
	if r.group != nil {
		calls = r.group.calls
	}
	if !collective.Rooted(operation) {
		root = -1
	}
	e := collective.Entry{Name: call, Root: root, Size: size, Rank: r.number}
	if c := &calls[r.stream]; !c.Like(r.Size(), r.Rank(), e) {
		c.Enter(r.Size(), r.Rank(), e, r.program.places.here())
	}
}

// places caches where code outside this package calls it.
type places struct {
	sync.Mutex
	of map[callers]string
}

// callers are the innermost calls of a goroutine.
type callers [6]uintptr

// here returns the place, as "main.go:12", of the code that called this package last.
func (p *places) here() string {
	var c callers
	runtime.Callers(3, c[:]) // from carryOutAs on
	p.Lock()
	defer p.Unlock()
	place, known := p.of[c]
	if !known {
		if p.of == nil {
			p.of = map[callers]string{}
		}
		place = c.outside()
		p.of[c] = place
	}
	return place
}

// outside returns the place of the innermost call that is not in this package.
func (c callers) outside() string {
	for frames := runtime.CallersFrames(c[:]); ; {
		f, more := frames.Next()
		if !strings.HasPrefix(f.Function, thisPackage) {
			return fmt.Sprintf("%s:%d", filepath.Base(f.File), f.Line)
		}
		if !more {
			return ""
		}
	}
}

// thisPackage begins the names of all functions of this package.
var thisPackage = reflect.TypeFor[Rank]().PkgPath() + "."

// Disagreement returns the first collective call that ranks of a group make differently,
// or that finished ranks leave out. The engine asks when the run is over.
func (p *Program) Disagreement(finished func(rank int32) bool) error {
	for stream := range p.calls {
		if err := p.calls[stream].Disagreement(collective.World(p.Ranks()), finished); err != nil {
			return err
		}
		for _, g := range p.groups.all {
			if err := g.calls[stream].Disagreement(g, finished); err != nil {
				return err
			}
		}
	}
	return nil
}
