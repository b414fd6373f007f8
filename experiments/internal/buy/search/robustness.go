package search

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/model/units"
)

// robust tests the recommendation: every parameter is lowered and raised by itself,
// then all of them at once by random amounts.
func (s *solver) robust(ctx context.Context) error {
	t := &trials{solver: s, parameters: s.parameters(s.bestChoices())}
	t.pickContenders()
	if err := t.simulateResponses(ctx); err != nil {
		return err
	}
	single, joint := t.singleChanges(), t.jointChanges()
	var drawn []model.Factors
	var normal [][]float64
	var sources []source
	if t.Ranges != nil {
		sources = t.sources()
		normal, drawn = t.draws(sources)
	}
	if err := t.simulateCounts(ctx, slices.Concat(single, joint, drawn)); err != nil {
		return err
	}
	s.result.Robustness.Change = s.Plan.Robustness.Change
	t.countSingle(single)
	t.countJoint(joint)
	if t.Ranges != nil {
		t.judgeRanges(sources, normal, drawn)
	}
	return s.priceToWin(ctx)
}

// bestChoices returns the best choice of each design.
func (s *solver) bestChoices() []model.Choice {
	var all []model.Choice
	for _, c := range s.best {
		all = append(all, c.Choice)
	}
	return all
}

// trials evaluates designs with changed parameters.
type trials struct {
	*solver
	parameters []model.Parameter
	contenders []contender
}

// singleChanges lowers and raises each parameter, in that order.
func (t *trials) singleChanges() []model.Factors {
	var changes []model.Factors
	for _, x := range t.parameters {
		lower, raise := t.ends(x)
		changes = append(changes, lower, raise)
	}
	return changes
}

// ends returns the smallest and the largest value of a parameter.
func (t *trials) ends(x model.Parameter) (lower, raise model.Factors) {
	d := t.Robustness.Change
	return model.Factors{x: 1 - d}, model.Factors{x: 1 + d}
}

// jointChanges draws each parameter uniformly between its ends. Sample i depends on
// the seed and i alone.
func (t *trials) jointChanges() []model.Factors {
	var changes []model.Factors
	for i := range t.Robustness.Samples {
		random := rand.New(rand.NewPCG(uint64(t.Seed), uint64(i)))
		f := model.Factors{}
		for _, x := range t.parameters {
			f[x] = 1 + float64(t.Robustness.Change*(float64(2*random.Float64())-1))
		}
		changes = append(changes, f)
	}
	return changes
}

// countSingle records the lead at both ends of each parameter.
func (t *trials) countSingle(changes []model.Factors) {
	r := &t.result.Robustness
	r.Parameters = []model.Sensitivity{}
	base, _ := t.lead(nil)
	leads := t.leads(changes)
	for i, x := range t.parameters {
		row := t.Sensitivity(x)
		low, high := leads[2*i], leads[2*i+1]
		row.Low, row.Base, row.High = low.lead, base, high.lead
		row.FirstLow, row.FirstHigh = t.name(low.first), t.name(high.first)
		count(&r.OneAtATime, low.first == 0)
		count(&r.OneAtATime, high.first == 0)
		r.Parameters = append(r.Parameters, row)
	}
	slices.SortStableFunc(r.Parameters, func(a, b model.Sensitivity) int { return cmp.Compare(b.Swing(), a.Swing()) })
}

// countJoint counts which design is first under joint changes.
func (t *trials) countJoint(changes []model.Factors) {
	r := &t.result.Robustness
	r.JointFirst = []model.FirstCount{}
	firsts := map[int]int{}
	for _, x := range t.leads(changes) {
		firsts[x.first]++
		count(&r.Joint, x.first == 0)
	}
	for d := noContender; d < len(t.contenders); d++ {
		if n := firsts[d]; n > 0 {
			r.JointFirst = append(r.JointFirst, model.FirstCount{Design: t.name(d), Trials: n})
		}
	}
	slices.SortStableFunc(r.JointFirst, func(a, b model.FirstCount) int { return cmp.Compare(b.Trials, a.Trials) })
}

func count(x *model.Share, first bool) {
	x.Trials++
	if first {
		x.First++
	}
}

// trial is what lead returns for some changes.
type trial struct {
	lead  *float64
	first int
}

// leads returns the leads with each of some changes, on as many cores as simulations take.
func (t *trials) leads(changes []model.Factors) []trial {
	all := make([]trial, len(changes))
	// It cannot fail: no trial returns an error.
	_ = system.Each(len(changes), t.jobs, func(i int) error {
		all[i].lead, all[i].first = t.lead(changes[i])
		return nil
	}, func(int, int) {})
	return all
}

// lead returns by how much the best other design is slower than the recommended one with
// changed parameters, and which contender would be recommended; the recommended one is
// number 0. The lead is nil where the recommended design or all others are beyond the
// limits; where all are, first is noContender.
func (t *trials) lead(f model.Factors) (lead *float64, first int) {
	q := t.With(f)
	var rivals []prospect
	for i := range t.contenders[1:] {
		rivals = append(rivals, t.prospects(q, i+1, f)...)
	}
	own, of := t.offers(q, t.prospects(q, 0, f))
	others, ofOthers := t.offers(q, rivals)
	recommended, other := math.Inf(1), math.Inf(1)
	if len(own) > 0 {
		recommended = own[cheapestOf(own, t.GoalTolerance())].goal
	}
	for _, x := range others {
		other = min(other, x.goal)
	}
	first = noContender
	if all := append(own, others...); len(all) > 0 {
		first = append(of, ofOthers...)[cheapestOf(all, t.GoalTolerance())]
	}
	if math.IsInf(recommended, 1) || math.IsInf(other, 1) || recommended == 0 {
		return nil, first
	}
	by := other/recommended - 1
	return &by, first
}

// carries reports whether a machine of a contender carries the mix with that load, where
// that decides. The queue is not simulated again: the mean wait is taken to be kept up to
// the load at which some machine of the design keeps it.
func (t *trials) carries(c *contender, l *model.Load) bool {
	if !t.Objective.ByPrice() {
		return true
	}
	most := t.Energy.Utilisation * model.SecondsPerYear
	if t.Objective.MeanWait > 0 {
		most = min(most, c.mostLoad)
	}
	return l.Seconds <= most
}

// slower returns the works with the times of each workload multiplied.
func slower(works []model.Work, ratios []float64) []model.Work {
	all := make([]model.Work, len(works))
	for w, x := range works {
		all[w] = model.Work{Problem: x.Problem}
		for _, y := range x.Ways {
			y.Time *= ratios[w]
			y.Run *= units.Seconds(ratios[w])
			all[w].Ways = append(all[w].Ways, y)
		}
	}
	return all
}
