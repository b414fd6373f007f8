package purchase

import (
	"context"
	"fmt"
	"math"
	"slices"
)

// priceToWin finds how far the prices of the runner-up must fall for it to be
// first: for the smallest number of its nodes that is as fast as the recommended
// machine, until the budget buys it.
func (s *solver) priceToWin(ctx context.Context) error {
	if len(s.best) < 2 {
		return nil
	}
	runner, target := s.best[1], s.best[0].Score
	r := &PriceToWin{}
	s.result.Robustness.PriceToWin = r
	if len(runner.choice.Types) != 1 {
		r.Reason = "not looked for where two node types or none are bought"
		return nil
	}
	free := *s.Plan
	free.Budget.Money.Amount = 0
	// Candidates: the numbers of nodes beyond those that the budget buys.
	d, has := runner.choice.design(), runner.choice.Counts[0]
	var counts []int
	if s.Counts.Affordable {
		has = s.most(d) // none of those that the budget buys is
		most := free.most(d)
		for _, f := range []float64{1.05, 1.1, 1.2, 1.35, 1.5, 1.75, 2, 2.5, 3, 4} {
			if n := min(most, int(math.Ceil(f*float64(has)))); n > has && !slices.Contains(counts, n) {
				counts = append(counts, n)
			}
		}
	} else {
		for _, n := range s.Counts.List {
			if c := (Choice{d.types, []int{n}, d.network}); n > has && free.limit(c) == "" {
				counts = append(counts, n)
			}
		}
	}
	fast := func(n int) (bool, error) {
		c := Choice{d.types, []int{n}, d.network}
		err := s.need(ctx, s.all(c), "robustness: runner-up")
		return err == nil && s.Score(s.measures(s.Plan, c)) <= target, err
	}
	low, high := has, 0
	for _, n := range counts {
		ok, err := fast(n)
		if err != nil {
			return err
		}
		if ok {
			high = n
			break
		}
		low = n
	}
	if high == 0 {
		r.Reason = fmt.Sprintf("no more than %d of its nodes were looked at, and none of those numbers is as fast", low)
		// The limits end the search where the next number to look at is beyond them.
		next := low + 1
		if i := slices.Index(s.Counts.List, low); i >= 0 && i+1 < len(s.Counts.List) {
			next = s.Counts.List[i+1]
		}
		if limit := free.limit(Choice{d.types, []int{next}, d.network}); limit != "" && (s.Counts.Affordable || slices.Contains(s.Counts.List, next)) {
			r.Reason = fmt.Sprintf("no number of its nodes up to %d is as fast, and %d would have %s", low, next, limit)
		}
		return nil
	}
	for s.Counts.Affordable && high-low > 1 {
		mid := low + (high-low)/2
		ok, err := fast(mid)
		if err != nil {
			return err
		}
		if ok {
			high = mid
		} else {
			low = mid
		}
	}
	c := Choice{d.types, []int{high}, d.network}
	bill, _ := s.Price(c)
	money := s.Budget.Money.Amount
	if s.Budget.Life {
		money -= s.Energy.lifeEnergy(s.Power(c)) * s.Energy.Price
	}
	r.Name, r.Price, r.Fall = s.Name(c), bill.Total(), 1-money/bill.Total()
	if money <= 0 {
		*r = PriceToWin{Reason: "the energy of as many of its nodes costs more than the budget"}
	}
	return nil
}
