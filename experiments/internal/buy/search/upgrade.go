package search

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/model/scalability"
	"github.com/isoscale/isoscale/model/units"
)

// The directions of upgrades.
const (
	moreNodes       = "more nodes"
	otherNodes      = "faster nodes"
	betterNetwork   = "better network"
	moreCores       = "more cores per node"
	fasterCores     = "faster cores"
	memoryBandwidth = "more memory bandwidth"
	lowerLatency    = "lower latency"
	moreBandwidth   = "more network bandwidth"
)

// upgrades looks at the next steps from the recommended machine and from the one
// that exists.
func (s *solver) upgrades(ctx context.Context) error {
	from := []model.Candidate{*s.result.Recommendation()}
	if t := s.result.Today; t != nil && t.Name != from[0].Name {
		from = append(from, *t)
	}
	for _, c := range from {
		if err := s.upgradesFrom(ctx, c); err != nil {
			return err
		}
	}
	return nil
}

func (s *solver) upgradesFrom(ctx context.Context, c model.Candidate) error {
	steps := slices.Concat(s.nodeSteps(c), s.networkSteps(c), s.hypotheticalSteps(c))
	var list []variant
	for _, x := range steps {
		list = append(list, variant{x.plan, x.choice})
	}
	if err := s.needWays(ctx, list, "upgrades"); err != nil {
		return err
	}
	before, _ := s.scoreOf(s.Plan, c.Choice)
	var known []model.Upgrade
	var slopes []float64
	var prices []units.Money
	var names []string
	for _, x := range steps {
		u := x.Upgrade
		after, l := s.scoreOf(x.plan, x.choice)
		u.From, u.ScoreBefore, u.ScoreAfter = c.Name, before, after
		if math.IsInf(u.ScoreAfter, 1) || math.IsInf(before, 1) {
			continue
		}
		u.Gain = math.Log2(before / u.ScoreAfter)
		e, err := scalability.UpdateEfficiency(u.Gain, units.Money{Amount: u.Cost, Currency: s.result.Currency})
		if err != nil {
			continue // it costs nothing, so it is a choice and not an upgrade
		}
		u.Efficiency = e
		if !u.Hypothetical {
			u.Beyond = s.LimitWith(x.choice, l)
			if u.Gain <= 0 && u.Direction != moreNodes {
				continue // no upgrade
			}
		}
		known = append(known, u)
		if x.change > 0 && x.whole > 0 {
			slopes = append(slopes, u.Gain/x.change)
			prices = append(prices, units.Money{Amount: x.whole, Currency: s.result.Currency})
			names = append(names, u.Direction)
		}
	}
	best := 0.0
	for _, u := range known {
		if !u.Hypothetical {
			best = max(best, u.Efficiency)
		}
	}
	for i := range known {
		if u := &known[i]; u.Hypothetical && best > 0 && u.Gain > 0 {
			even := u.Gain / best
			u.BreakEven = &even
		}
	}
	slices.SortStableFunc(known, func(a, b model.Upgrade) int {
		return cmp.Or(cmp.Compare(b.Efficiency, a.Efficiency), cmp.Compare(a.Change, b.Change))
	})
	s.result.Upgrades = append(s.result.Upgrades, known...)
	if len(slopes) == 0 {
		return nil
	}
	edge, err := scalability.EdgeScalability(slopes, prices)
	if err != nil {
		return err
	}
	x := model.EdgeResult{From: c.Name, Efficiency: edge.Efficiency, Directions: []string{}}
	for _, d := range edge.Dimensions {
		x.Directions = append(x.Directions, names[d])
	}
	s.result.Edges = append(s.result.Edges, x)
	return nil
}
