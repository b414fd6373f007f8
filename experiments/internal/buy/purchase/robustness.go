package purchase

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/answer/system"
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
	var drawn []factors
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
func (s *solver) bestChoices() []Choice {
	var all []Choice
	for _, c := range s.best {
		all = append(all, c.choice)
	}
	return all
}

// trials evaluates designs with changed parameters.
type trials struct {
	*solver
	parameters []parameter
	contenders []contender
}

// singleChanges lowers and raises each parameter, in that order.
func (t *trials) singleChanges() []factors {
	var changes []factors
	for _, x := range t.parameters {
		lower, raise := t.ends(x)
		changes = append(changes, lower, raise)
	}
	return changes
}

// ends returns the smallest and the largest value of a parameter.
func (t *trials) ends(x parameter) (lower, raise factors) {
	d := t.Robustness.Change
	return factors{x: 1 - d}, factors{x: 1 + d}
}

// jointChanges draws each parameter uniformly between its ends. Sample i depends on
// the seed and i alone.
func (t *trials) jointChanges() []factors {
	var changes []factors
	for i := range t.Robustness.Samples {
		random := rand.New(rand.NewPCG(uint64(t.Seed), uint64(i)))
		f := factors{}
		for _, x := range t.parameters {
			f[x] = 1 + float64(t.Robustness.Change*(float64(2*random.Float64())-1))
		}
		changes = append(changes, f)
	}
	return changes
}

// countSingle records the lead at both ends of each parameter.
func (t *trials) countSingle(changes []factors) {
	r := &t.result.Robustness
	r.Parameters = []Sensitivity{}
	base, _ := t.lead(nil)
	leads := t.leads(changes)
	for i, x := range t.parameters {
		row := t.sensitivity(x)
		low, high := leads[2*i], leads[2*i+1]
		row.Low, row.Base, row.High = low.lead, base, high.lead
		row.FirstLow, row.FirstHigh = t.name(low.first), t.name(high.first)
		r.OneAtATime.count(low.first == 0)
		r.OneAtATime.count(high.first == 0)
		r.Parameters = append(r.Parameters, row)
	}
	slices.SortStableFunc(r.Parameters, func(a, b Sensitivity) int { return cmp.Compare(b.swing(), a.swing()) })
}

// countJoint counts which design is first under joint changes.
func (t *trials) countJoint(changes []factors) {
	r := &t.result.Robustness
	r.JointFirst = []FirstCount{}
	firsts := map[int]int{}
	for _, x := range t.leads(changes) {
		firsts[x.first]++
		r.Joint.count(x.first == 0)
	}
	for d := noContender; d < len(t.contenders); d++ {
		if n := firsts[d]; n > 0 {
			r.JointFirst = append(r.JointFirst, FirstCount{t.name(d), n})
		}
	}
	slices.SortStableFunc(r.JointFirst, func(a, b FirstCount) int { return cmp.Compare(b.Trials, a.Trials) })
}

func (x *Share) count(first bool) {
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
func (t *trials) leads(changes []factors) []trial {
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
func (t *trials) lead(f factors) (lead *float64, first int) {
	q := t.with(f)
	var rivals []prospect
	for i := range t.contenders[1:] {
		rivals = append(rivals, t.prospects(q, i+1, f)...)
	}
	own, of := t.offers(q, t.prospects(q, 0, f))
	others, ofOthers := t.offers(q, rivals)
	recommended, other := math.Inf(1), math.Inf(1)
	if len(own) > 0 {
		recommended = own[cheapestOf(own, t.tolerance())].goal
	}
	for _, x := range others {
		other = min(other, x.goal)
	}
	first = noContender
	if all := append(own, others...); len(all) > 0 {
		first = append(of, ofOthers...)[cheapestOf(all, t.tolerance())]
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
func (t *trials) carries(c *contender, l *load) bool {
	if !t.Objective.byPrice() {
		return true
	}
	most := t.Energy.Utilisation * secondsPerYear
	if t.Objective.MeanWait > 0 {
		most = min(most, c.mostLoad)
	}
	return l.seconds <= most
}

// slower returns the works with the times of each workload multiplied.
func slower(works []work, ratios []float64) []work {
	all := make([]work, len(works))
	for w, x := range works {
		all[w] = work{problem: x.problem}
		for _, y := range x.ways {
			y.time *= ratios[w]
			y.run *= units.Seconds(ratios[w])
			all[w].ways = append(all[w].ways, y)
		}
	}
	return all
}
