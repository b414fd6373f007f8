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

// A contender is a design that may be first if parameters change.
type contender struct {
	best model.Choice // as the parameters are
	// response is, for each parameter that its times depend on, the relative
	// change of the time of each workload at the lower and the upper end.
	response map[model.Parameter][2][]float64
	known    []sizedChoice // simulated, by increasing marked speed
	// mostLoad is the longest time of a year's work of a machine of the design that is
	// ranked.
	mostLoad float64
}

// noContender stands for the contender that is first where no design is within the
// limits.
const noContender = -1

func (t *trials) name(contender int) string {
	if contender == noContender {
		return model.NoDesign
	}
	return t.DesignName(t.contenders[contender].best.Design())
}

// pickContenders finds the designs that can come first. A change of every parameter
// by the fraction d changes a time by no more than (1+d)/(1-d), because times are
// sums of terms in proportion to one parameter each, and it changes the number of
// nodes that a budget buys by as much; half as much again is left for numbers of
// nodes being whole. The bound is relative to the fastest machine that stays within
// the limits whatever changes, because the recommended one may not. The first two
// designs are always contenders.
func (t *trials) pickContenders() {
	q := dearest(t.solver.Plan)
	safe := math.Inf(1)
	for _, c := range t.result.Ranking {
		if q.LimitWith(c.Choice, c.Load) == "" {
			safe = c.Score
			break
		}
	}
	for i, c := range t.best {
		if i < 2 || t.isCompared(c, safe) {
			x := contender{best: c.Choice, response: map[model.Parameter][2][]float64{}}
			for _, k := range t.result.Ranking {
				if k.Load != nil && k.Design == c.Design {
					x.mostLoad = max(x.mostLoad, k.Load.Seconds)
				}
			}
			t.contenders = append(t.contenders, x)
		}
	}
}

// isCompared reports whether the best machine of a design may come first.
func (t *trials) isCompared(c model.Candidate, safe float64) bool {
	if t.Objective.ByPrice() {
		return c.Objective <= comparedUpToGoal(t.solver.Plan, t.best[0].Objective)
	}
	return c.Score <= comparedUpTo(t.solver.Plan, safe)
}

// comparedUpToGoal returns, with objective cheapest, the cost up to which designs are
// contenders, of the least.
func comparedUpToGoal(p *model.Plan, least float64) float64 { return 1.5 * spread(p) * least }

// spread returns by how much times change at most, and numbers of nodes, if figures change.
func spread(p *model.Plan) float64 {
	d := p.Widest()
	return (1 + d) / (1 - d)
}

// comparedUpTo returns the score up to which designs are contenders, of that of the fastest
// machine that stays within the limits.
func comparedUpTo(p *model.Plan, safe float64) float64 {
	spread := spread(p)
	return 1.5 * spread * spread * safe
}

// dearest returns the plan with all prices and powers at their upper ends.
func dearest(p *model.Plan) *model.Plan {
	d := p.Widest()
	f := model.Factors{}
	for t := range p.Nodes {
		f[model.Parameter{Kind: model.KindNode, Index: t, Quantity: model.QuantityPrice}], f[model.Parameter{Kind: model.KindNode, Index: t, Quantity: model.QuantityPower}] = 1+d, 1+d
	}
	for n := range p.Networks {
		f[model.Parameter{Kind: model.KindNetwork, Index: n, Quantity: model.QuantityPrice}], f[model.Parameter{Kind: model.KindNetwork, Index: n, Quantity: model.QuantityPower}] = 1+d, 1+d
	}
	f[model.Parameter{Kind: model.KindEnergy, Index: 0, Quantity: model.QuantityPrice}] = 1 + d
	return p.With(f)
}

// How the times of a contender respond to parameters: simulated at both ends of
// each parameter, interpolated in between, and added up where several change.

// touches reports whether the times of a choice depend on a parameter.
func (t *trials) touches(c model.Choice, x model.Parameter) bool {
	switch {
	case !x.ChangesTimes():
		return false
	case x.Kind == model.KindNode:
		return t.Parts(c)[x.Index] > 0
	case x.Kind == model.KindNetwork:
		return c.Network == x.Index
	}
	return true
}

// simulateResponses simulates the best choice of each contender with each parameter
// at both ends.
func (t *trials) simulateResponses(ctx context.Context) error {
	ends := func(x model.Parameter) [2]*model.Plan {
		lower, raise := t.ends(x)
		return [2]*model.Plan{t.With(lower), t.With(raise)}
	}
	type changed struct {
		contender *contender
		parameter model.Parameter
		plans     [2]*model.Plan
	}
	var all []changed
	var list []variant
	for i := range t.contenders {
		c := &t.contenders[i]
		for _, x := range t.parameters {
			if t.touches(c.best, x) {
				plans := ends(x)
				all = append(all, changed{c, x, plans})
				list = append(list, variant{plans[0], c.best}, variant{plans[1], c.best})
			}
		}
	}
	t.estimate.expect(t.missing(list))
	if err := t.needWays(ctx, list, "robustness"); err != nil {
		return err
	}
	for _, x := range all {
		base := t.times(t.Plan, x.contender.best)
		var r [2][]float64
		for i, q := range x.plans {
			for w, m := range t.times(q, x.contender.best) {
				r[i] = append(r[i], m/base[w]-1)
			}
		}
		x.contender.response[x.parameter] = r
	}
	return nil
}

// times returns for each workload the time for a run on a choice that runs nothing else.
func (t *trials) times(q *model.Plan, c model.Choice) []float64 {
	var all []float64
	for _, x := range t.works(q, c) {
		all = append(all, t.Alone(c, x))
	}
	return all
}

// timeRatios returns by what the changes f multiply the times of each workload.
//
// The response to several parameters is the sum of those to each, which is exact at
// both ends of one parameter and as long as the same chain of computations and
// messages is the longest. Then a time is a sum of terms in proportion to a latency
// or to the reciprocal of a speed or bandwidth, and so is the way from the base to
// an end.
func (t *trials) timeRatios(c *contender, f model.Factors) []float64 {
	ratios := make([]float64, len(t.Workloads))
	for w := range ratios {
		ratios[w] = 1
	}
	for _, x := range t.parameters {
		k, changed := f[x]
		response, responds := c.response[x]
		if !changed || !responds || k == 1 {
			continue
		}
		end, which := 1-t.Robustness.Change, 0
		if k > 1 {
			end, which = 1+t.Robustness.Change, 1
		}
		way := (k - 1) / (end - 1)
		if x.Reciprocal() {
			way = (1/k - 1) / (1/end - 1)
		}
		for w := range ratios {
			ratios[w] += float64(way * response[which][w])
		}
	}
	return ratios
}

// parameters lists the parameters that the ranking may depend on.
func (s *solver) parameters(choices []model.Choice) []model.Parameter {
	nodes, networks := make([]bool, len(s.Nodes)), make([]bool, len(s.Networks))
	processes := false
	for _, c := range choices {
		networks[c.Network] = true
		for t, count := range s.Parts(c) {
			nodes[t] = nodes[t] || count > 0
			processes = processes || count > 0 && s.Nodes[t].Processes > 1 && s.Nodes[t].OnNode == nil
		}
	}
	feeds := s.UsesMemory()
	watts := s.Budget.Power > 0 || s.Budget.Life
	var list []model.Parameter
	add := func(kind string, i int, quantity string, relevant bool) {
		if relevant {
			list = append(list, model.Parameter{Kind: kind, Index: i, Quantity: quantity})
		}
	}
	for t, used := range nodes {
		add(model.KindNode, t, model.QuantityPrice, used)
		add(model.KindNode, t, model.QuantitySpeed, used)
		add(model.KindNode, t, model.QuantityMemoryBandwidth, used && feeds && s.Nodes[t].MemoryBandwidth > 0)
		add(model.KindNode, t, model.QuantityPower, used && watts)
		inside := used && s.Nodes[t].OnNode != nil && s.Nodes[t].Processes > 1
		add(model.KindNode, t, model.QuantityInsideLatency, inside)
		add(model.KindNode, t, model.QuantityInsideBandwidth, inside)
	}
	for n, used := range networks {
		add(model.KindNetwork, n, model.QuantityPrice, used)
		add(model.KindNetwork, n, model.QuantityLatency, used)
		add(model.KindNetwork, n, model.QuantityBandwidth, used)
		add(model.KindNetwork, n, model.QuantityPower, used && watts)
	}
	add(model.KindOnNode, 0, model.QuantityLatency, processes)
	add(model.KindOnNode, 0, model.QuantityBandwidth, processes)
	for w := range s.Workloads {
		add(model.KindWorkload, w, model.QuantityWeight, len(s.Workloads) > 1)
	}
	add(model.KindEnergy, 0, model.QuantityPrice, s.Budget.Life && s.Energy.Price > 0)
	return list
}
