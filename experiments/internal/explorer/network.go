package explorer

import (
	"context"

	"github.com/isoscale/isoscale/experiments/internal/answer/watch"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/scenario/build"
)

// wiring answers with the wiring of the machine of a scenario, to be drawn.
func (b *Bridge) wiring(_ context.Context, q *Request) (any, []byte, error) {
	s, err := b.documents.Read(q.File, q.overrides())
	if err != nil {
		return nil, nil, err
	}
	p, err := build.Platform(s.Machine)
	if err != nil {
		return nil, nil, err
	}
	w := watch.WiringOf(s.Machine.Network.Topology, p)
	if w == nil {
		return nil, nil, input.Errorf("the machine has %d nodes; expected at most %d for a picture of how they are wired", len(p.Hosts), watch.MostHosts)
	}
	return w, nil, nil
}

// pairs returns the pairs of processes that a message between them uses a link for.
func (b *Bridge) pairs(_ context.Context, q *Request) (any, []byte, error) {
	s, err := b.documents.Read(q.File, q.overrides())
	if err != nil {
		return nil, nil, err
	}
	p, err := build.Platform(s.Machine)
	if err != nil {
		return nil, nil, err
	}
	placement, err := s.Machine.Place(s.Selection)
	if err != nil {
		return nil, nil, err
	}
	hosts := build.Hosts(s.Machine, placement)
	over := [][2]int{}
	var route []int32
	for _, pair := range q.Pairs {
		for _, r := range pair {
			if r < 0 || r >= len(hosts) {
				return nil, nil, input.Errorf("rank %d; expected one of 0 to %d", r, len(hosts)-1)
			}
		}
		if route, err = p.Route(route[:0], hosts[pair[0]], hosts[pair[1]]); err != nil {
			return nil, nil, err
		}
		for _, l := range route {
			if p.Links[l].Name == q.Link {
				over = append(over, pair)
				break
			}
		}
	}
	return over, nil, nil
}
