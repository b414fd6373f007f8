package replay

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/answer/efficiencies"
	"github.com/isoscale/isoscale/experiments/internal/file/document"
	"github.com/isoscale/isoscale/experiments/internal/file/fault"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/scenario/cluster"
	"github.com/isoscale/isoscale/experiments/internal/scenario/machines"
	"github.com/isoscale/isoscale/experiments/internal/scenario/rankorder"
	"github.com/isoscale/isoscale/model/network"
	"github.com/isoscale/isoscale/model/units"
	"github.com/isoscale/isoscale/sim"
	"github.com/isoscale/isoscale/topology"
	"github.com/isoscale/isoscale/workloads"
	"github.com/isoscale/isoscale/workloads/titrace"
)

// placed is a trace whose ranks are on the hosts of a platform.
type placed struct {
	TIOptions
	settings *simGridOptions
	platform *topology.Platform
	speed    units.FlopsPerSecond // of the cores on which a trace with times was recorded
	inBlocks []int32              // host of each rank in block order
	place    []int32              // host of each rank in the order asked for
	why      string               // they are placed so, for the warning about shared cores
}

// placed reads the inputs of a replay, and opens its trace.
func (o TIOptions) placed(ctx context.Context, r *document.Reader) (p *placed, trace source, err error) {
	p = &placed{TIOptions: o}
	if p.settings, err = newSimGridOptions(o.Settings); err != nil {
		return nil, nil, err
	}
	if p.Order = cmp.Or(o.Order, rankorder.Names[0]); !slices.Contains(rankorder.Names, p.Order) {
		return nil, nil, input.Errorf("--rank-order: %q is not an order; expected %s, or a --hostfile with the host of each rank", p.Order, input.List(rankorder.Names))
	}
	if p.Order != rankorder.Names[0] {
		p.settings.given = append(p.settings.given, input.Override{Path: "rank_order", Value: p.Order})
	}
	if p.platform, err = machines.ReadPlatform(r, o.Platform); err != nil {
		return nil, nil, err
	}
	p.settings.loopback(p.platform)
	if err := checkMemory(o.Ranks, "a smaller --np"); err != nil {
		return nil, nil, err
	}
	if p.speed, err = o.speedOn(p.platform); err != nil {
		return nil, nil, err
	}
	if o.Recorded != "" && p.settings.collectives != (titrace.Algorithms{}) {
		return nil, nil, input.Errorf("--cfg chooses algorithms of collective operations, but --trace uses the default ones; expected no choice")
	}
	if trace, err = p.open(o.Ranks); err != nil {
		return nil, nil, err
	}
	if err = p.putRanks(ctx, r, trace.Ranks()); err != nil {
		trace.Close() // it was only read
		return nil, nil, err
	}
	return p, trace, nil
}

func (p *placed) putRanks(ctx context.Context, r *document.Reader, ranks int) (err error) {
	if err := checkMemory(ranks, "a trace of fewer ranks"); err != nil {
		return err
	}
	if p.inBlocks, p.why, err = placeRanks(r, p.TIOptions, p.platform, ranks); err != nil {
		return err
	}
	p.place, err = p.ordered(ctx, p.Order)
	return err
}

// speedOn returns the speed of the cores on which the trace was recorded.
func (o *TIOptions) speedOn(p *topology.Platform) (units.FlopsPerSecond, error) {
	if o.Speed == "" {
		return p.Hosts[0].Speed, nil
	}
	s, err := units.Speed.Parse(o.Speed)
	if err == nil && s <= 0 {
		err = fmt.Errorf("%q is not above 0", o.Speed)
	}
	if err != nil {
		return 0, input.Errorf("--recorded-speed: %v", err)
	}
	return s, nil
}

// checkMemory returns an error if this computer does not have the memory for a replay of that many ranks.
func checkMemory(ranks int, expected string) error {
	if ranks <= 0 {
		return nil // not known, or refused when the trace is opened
	}
	need := titrace.Memory(ranks) + sim.Memory(ranks, true)
	return fault.CheckMemory(fmt.Sprintf("a replay of %d ranks", ranks), need, expected)
}

// ordered returns the hosts of the ranks in an order with a name.
func (p *placed) ordered(ctx context.Context, name string) ([]int32, error) {
	if name == rankorder.Names[0] {
		return p.inBlocks, nil
	}
	slots := rankorder.OnPlatform(p.platform, p.inBlocks)
	order := rankorder.Dealt(name, slots)
	if rankorder.Near(name) {
		traffic, err := rankorder.Traffic(ctx, func(ctx context.Context, observer sim.Observer) error {
			trace, err := p.open(len(p.inBlocks))
			if err != nil {
				return err
			}
			defer trace.Close() // it was only read
			rates := slices.Repeat([]units.FlopsPerSecond{p.speed}, len(p.inBlocks))
			if _, err = sim.Run(ctx, sim.Config{Program: trace, Network: network.Ideal{}, Rates: rates, Observer: observer}); err != nil {
				return wrong(trace, err)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		order = rankorder.Greedy(slots, traffic)
	}
	of := slices.Clone(p.inBlocks)
	for rank, slot := range order {
		of[rank] = p.inBlocks[slot]
	}
	return of, nil
}

// onNetworks replays the trace on changed networks, two at a time if the memory suffices.
func (p *placed) onNetworks() *efficiencies.Runs {
	jobs := 1
	if checkMemory(2*len(p.place), "") == nil {
		jobs = 2
	}
	return efficiencies.NewRuns(jobs, func(ctx context.Context, change cluster.Change) (*sim.Result, error) {
		return p.again(ctx, change, p.place, nil, nil)
	})
}

// again replays the trace on a changed network. of, if not nil, makes another program from that of the trace.
func (p *placed) again(ctx context.Context, change cluster.Change, place []int32,
	of func(workloads.Program) workloads.Program, o sim.Observer,
) (*sim.Result, error) {
	trace, err := p.open(len(place))
	if err != nil {
		return nil, err
	}
	defer trace.Close() // it was only read
	c, _, err := cluster.OnPlatform(p.platform, place, p.settings.network().With(change))
	if err != nil {
		return nil, err
	}
	c.Program, c.Observer = trace, o
	if of != nil {
		c.Program = of(trace)
	}
	r, err := sim.Run(ctx, c)
	return r, TraceError(err)
}

// cores returns how many cores compute, and how many cores the hosts with ranks have.
func (p *placed) cores() (used, all int) {
	for h, n := range ranksOn(p.platform, p.place) {
		if cores := p.platform.Hosts[h].Cores; n > 0 {
			used += min(n, cores)
			all += cores
		}
	}
	return used, all
}

func (p *placed) rankName(rank int32) string {
	return fmt.Sprintf("rank %d (%s)", rank, p.platform.Hosts[p.place[rank]].Name)
}
