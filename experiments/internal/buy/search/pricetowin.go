package search

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/buy/model"
)

// priceToWin finds how far the prices of the runner-up must fall for it to be
// first: until the budget buys the smallest number of its nodes that is as fast as
// the recommended machine.
func (s *solver) priceToWin(ctx context.Context) error {
	if len(s.best) < 2 {
		return nil
	}
	r := &model.PriceToWin{}
	s.result.Robustness.PriceToWin = r
	runner := s.best[1].Choice
	if len(runner.Types) != 1 {
		r.Reason = "it is computed only for designs that buy one node type"
		return nil
	}
	free := *s.Plan // of the limits, all but the one of money
	free.Budget.Money.Amount = 0
	design := runner.Design()
	below, counts := s.unaffordable(&free, runner)
	low, high, err := s.smallestAsFast(ctx, design, below, counts)
	if err != nil {
		return err
	}
	if high == 0 {
		r.Reason = s.noneAsFast(&free, design, low)
		return nil
	}
	c := design.Of(high)
	bill, _ := s.Price(c)
	money := s.Budget.Money.Amount
	if s.Budget.Life {
		_, l := s.scoreOf(s.Plan, c)
		money -= s.LifeCost(c, bill, l) - bill.Total()
	}
	if money <= 0 {
		r.Reason = "the energy of the number of nodes that is as fast costs more than the budget"
		return nil
	}
	r.Name, r.Price, r.Fall = s.Name(c), bill.Total(), 1-money/bill.Total()
	return nil
}

// unaffordable returns numbers of nodes of a design that are more than the budget
// buys, and the largest number below them, at which the design is not as fast as
// the recommended machine.
func (s *solver) unaffordable(free *model.Plan, runner model.Choice) (below int, counts []int) {
	d := runner.Design()
	if !s.Counts.Affordable {
		below = runner.Counts[0]
		for _, n := range s.Counts.List {
			if n > below && free.Limit(d.Of(n)) == "" {
				counts = append(counts, n)
			}
		}
		return below, counts
	}
	below = most(s.Plan, d)
	most := most(free, d)
	for _, f := range []float64{1.05, 1.1, 1.2, 1.35, 1.5, 1.75, 2, 2.5, 3, 4} {
		if n := min(most, int(math.Ceil(f*float64(below)))); n > below && !slices.Contains(counts, n) {
			counts = append(counts, n)
		}
	}
	return below, counts
}

// smallestAsFast returns high, the smallest number of nodes that is as fast as the
// recommended machine, or 0, and low, the largest that is known not to be: below or
// more. Numbers between the counts are tried only where any number may be bought.
func (s *solver) smallestAsFast(ctx context.Context, d model.Design, below int, counts []int) (low, high int, err error) {
	low = below
	try := func(n int) error {
		if err := s.needChoices(ctx, s.Plan, []model.Choice{d.Of(n)}, "robustness: runner-up"); err != nil {
			return err
		}
		if score, _ := s.scoreOf(s.Plan, d.Of(n)); score <= s.best[0].Score {
			high = n
		} else {
			low = n
		}
		return nil
	}
	for i := 0; err == nil && high == 0 && i < len(counts); i++ {
		err = try(counts[i])
	}
	for err == nil && s.Counts.Affordable && high-low > 1 {
		err = try(low + (high-low)/2)
	}
	return low, high, err
}

// noneAsFast says up to which number of nodes, low, the search went without success,
// and whether a limit ended it.
func (s *solver) noneAsFast(free *model.Plan, d model.Design, low int) string {
	next, further := low+1, true
	if !s.Counts.Affordable {
		i := slices.Index(s.Counts.List, low) + 1
		if further = i < len(s.Counts.List); further {
			next = s.Counts.List[i]
		}
	}
	if limit := free.Limit(d.Of(next)); further && limit != "" {
		return fmt.Sprintf("no number of its nodes up to %d is as fast, and %d are not allowed (%s)", low, next, limit)
	}
	return fmt.Sprintf("no number of its nodes up to %d is as fast, and larger numbers were not tried", low)
}
