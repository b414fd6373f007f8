package search

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/units"
)

// A contender is a design that may come first if parameters change.
type contender struct {
	best model.Choice // with unchanged parameters
	// response has, for each parameter that its times depend on, the relative changes of the times in timesByNode at
	// the lower and the upper end of the parameter.
	response map[model.Parameter][2][][]float64
	known    []sizedChoice // with simulated runs on the whole machine, by increasing marked speed
	mostLoad float64       // longest time of a year's work among the ranked machines of the design
}

// A sizedChoice is a choice with its results for unchanged parameters.
type sizedChoice struct {
	choice model.Choice
	speed  float64 // logarithm of the marked speed
	works  []model.Work
}

// noContender stands in place of the first contender where no design is within the limits.
const noContender = -1

func (t *trials) name(contender int) string {
	if contender == noContender {
		return model.NoDesign
	}
	return t.DesignName(t.contenders[contender].best.Design)
}

// pickContenders finds the designs that can come first. If every parameter changes by the fraction d, a time changes by
// a factor of at most (1+d)/(1-d), because times are sums of terms proportional to one parameter each, and so does the
// number of nodes that a budget buys; half as much again allows for numbers of nodes being whole. The bound is relative
// to the fastest machine that stays within the limits whatever changes, because the recommended one may not. The first
// two designs are always contenders. With objective cheapest, so are designs that do not do the work with the figures
// as they are but may with others, such as buying nothing.
func (t *trials) pickContenders() {
	q := dearest(t.solver.Plan)
	safe := math.Inf(1)
	for _, c := range t.result.Ranking {
		if q.LimitWith(c.Choice, c.Load) == "" {
			safe = c.Score
			break
		}
	}
	for i, c := range slices.Concat(t.best, t.mayCarry()) {
		compared := c.Score <= comparedUpTo(t.solver.Plan, safe)
		if t.Objective.ByPrice() {
			least := t.best[0].Objective
			if least == 0 && len(t.best) > 1 {
				least = t.best[1].Objective
			}
			compared = c.Objective <= comparedUpToGoal(t.solver.Plan, least)
		}
		if i >= 2 && !compared && t.Scoring == nil {
			continue
		}
		x := contender{best: c.Choice, response: map[model.Parameter][2][][]float64{}}
		for _, k := range t.result.Ranking {
			if k.Load != nil && k.Design == c.Design {
				x.mostLoad = max(x.mostLoad, k.Load.Seconds)
			}
		}
		t.contenders = append(t.contenders, x)
	}
}

// mayCarry returns, for each design without a machine that does the work within the hours available, the machine
// nearest to it, if other figures may make it sufficient.
func (t *trials) mayCarry() (all []model.Candidate) {
	for _, c := range t.short {
		if t.Objective.MeanWait > 0 || t.Use(c.Load.Seconds) > spread(t.solver.Plan)*spread(t.solver.Plan) ||
			slices.ContainsFunc(t.best, ofDesign(c.Design)) {
			continue
		}
		switch i := slices.IndexFunc(all, ofDesign(c.Design)); {
		case i < 0:
			all = append(all, c)
		case c.Score < all[i].Score:
			all[i] = c
		}
	}
	return all
}

// comparedUpToGoal returns, with objective cheapest, the cost up to which designs are contenders, given the least cost.
func comparedUpToGoal(p *model.Plan, least float64) float64 { return 1.5 * spread(p) * least }

// comparedUpTo returns the score up to which designs are contenders, given the score of the fastest machine that stays
// within the limits.
func comparedUpTo(p *model.Plan, safe float64) float64 {
	spread := spread(p)
	return 1.5 * spread * spread * safe
}

// spread returns the largest factor by which times, and numbers of nodes, change if figures change.
func spread(p *model.Plan) float64 {
	d := p.Widest()
	return (1 + d) / (1 - d)
}

// dearest returns the plan with all prices and powers at their upper ends.
func dearest(p *model.Plan) *model.Plan {
	up := 1 + p.Widest()
	f := model.Factors{{Kind: model.KindEnergy, Quantity: model.QuantityPrice}: up}
	raise := func(kind string, i int) {
		f[model.Parameter{Kind: kind, Index: i, Quantity: model.QuantityPrice}] = up
		f[model.Parameter{Kind: kind, Index: i, Quantity: model.QuantityPower}] = up
	}
	for t := range p.Nodes {
		raise(model.KindNode, t)
	}
	for n := range p.Networks {
		raise(model.KindNetwork, n)
	}
	for _, b := range p.Bids {
		raise(model.KindBid, b.Place)
	}
	return p.With(f)
}

// simulateResponses simulates the best choice of each contender with each parameter at both ends.
func (t *trials) simulateResponses(ctx context.Context) error {
	type response struct {
		of *contender
		to model.Parameter
	}
	var all []response
	var list []variant // three for each response: as it is, and at both ends
	for i := range t.contenders {
		c := &t.contenders[i]
		like := t.withAllWays(c.best)
		for _, x := range t.parameters {
			if (simulation{plan: t.Plan, choice: like}).dependsOn(x) {
				all, list = append(all, response{c, x}), append(list, variant{t.Plan, like, false})
				list = each.Append(list, t.ends(x), func(f model.Factors) variant { return variant{t.With(f), like, false} })
			}
		}
	}
	if err := t.needWays(ctx, list, "robustness"); err != nil {
		return err
	}
	for i, x := range all {
		base := t.timesByNode(list[3*i])
		var r [2][][]float64
		for end := range r {
			r[end] = t.timesByNode(list[3*i+1+end])
			for w, of := range r[end] {
				for node, m := range of {
					of[node] = m/base[w][node] - 1
					if math.IsInf(base[w][node], 1) || math.IsInf(m, 1) { // it does not run there
						of[node] = 0
					}
				}
			}
		}
		x.of.response[x.to] = r
	}
	return nil
}

// withAllWays returns a machine of the design with at least as many nodes of each type as the smallest run takes there,
// or the machine itself where no network connects that many.
func (t *trials) withAllWays(c model.Choice) model.Choice {
	if c.Bid > 0 || !t.OnSome() {
		return c
	}
	more := c.Design.Of(slices.Clone(c.Counts)...)
	for i, node := range c.Types {
		for w := range t.Workloads {
			more.Counts[i] = max(more.Counts[i], t.fewest(w, node, c.Network).nodes)
		}
	}
	if _, ok := t.Wiring(more); !ok {
		return c
	}
	return more
}

// timesByNode returns for each workload the least node time of a run by node type and, last, the time on the whole
// machine. A change of one type changes no run on another.
func (t *trials) timesByNode(v variant) [][]float64 {
	return each.Of(t.works(v.plan, v.choice), func(x model.Work) []float64 {
		least := slices.Repeat([]float64{math.Inf(1)}, len(t.Nodes)+1)
		for _, y := range x.Ways {
			if y.Whole() {
				least[len(t.Nodes)] = y.Time
			} else {
				least[y.Node] = min(least[y.Node], float64(y.Nodes)*y.Time)
			}
		}
		return least
	})
}

// timeRatios returns the factors by which the changes f multiply the times in timesByNode.
//
// The response to several parameters is the sum of the responses to each. That is exact at both ends of one parameter,
// and in between as long as the same chain of computations and messages is the longest: then a time is a sum of terms
// proportional to a latency or to the reciprocal of a speed or bandwidth, and is interpolated accordingly.
func (t *trials) timeRatios(c *contender, f model.Factors) [][]float64 {
	ratios := each.Of(t.Workloads, func(model.Workload) []float64 { return slices.Repeat([]float64{1}, len(t.Nodes)+1) })
	for _, x := range t.parameters {
		response, responds := c.response[x]
		k := f.Of(x)
		if !responds || k == 1 {
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
		for w, of := range ratios {
			for node := range of {
				of[node] += float64(way * response[which][w][node])
			}
		}
	}
	return ratios
}

// simulateWhole simulates runs on whole machines that changed prices make affordable: all machines if they are few,
// else the largest and one in between. Times of other machines are interpolated.
func (t *trials) simulateWhole(ctx context.Context, changes []model.Factors) error {
	var list []model.Choice
	for i := range t.contenders {
		best := t.contenders[i].best
		list = append(list, best)
		for _, d := range t.Variants(best.Design) {
			list = append(list, t.larger(best, d, changes)...)
		}
	}
	if t.simulate(ctx, slices.DeleteFunc(slices.Clone(list), t.isSimulated)); t.failed != nil {
		return t.failed
	}
	for i := range t.contenders {
		c := &t.contenders[i]
		variants := t.Variants(c.best.Design)
		for _, x := range slices.Concat(t.assessed[t.DesignName(c.best.Design)], list) {
			if slices.ContainsFunc(variants, x.Design.Equal) && !slices.ContainsFunc(c.known, func(k sizedChoice) bool { return k.choice.Equal(x) }) {
				c.known = append(c.known, sizedChoice{x, math.Log(t.Speed(x)), t.works(t.Plan, x)})
			}
		}
		slices.SortStableFunc(c.known, func(a, b sizedChoice) int { return cmp.Compare(a.speed, b.speed) })
	}
	return nil
}

// larger returns the machines of a design that are affordable with or without the changes: all if they are few, else
// the largest with about the mix of best, and one in between.
func (t *trials) larger(best model.Choice, d model.Design, changes []model.Factors) (list []model.Choice) {
	base := axesOf(t.Plan, d)
	whole := slices.Clone(base)
	for _, f := range changes {
		if f.OnlyTimes() {
			continue
		}
		axes := axesOf(t.With(f), d)
		if len(whole) == 0 {
			whole = axes
		}
		for k, x := range axes {
			whole[k].most = max(whole[k].most, x.most)
		}
	}
	if len(whole) < len(d.Types) {
		return nil
	}
	f := &field{Plan: t.Plan, design: d, axes: whole}
	if size(whole) <= mostListed {
		list = f.all()
	} else {
		growth := 1.0
		for k, x := range base {
			growth = max(growth, float64(whole[k].most)/float64(x.most))
		}
		for _, root := range []float64{1, 2} {
			places := make([]int, len(whole))
			for k, x := range whole {
				places[k] = min(x.most-1, int(math.Ceil(float64(x.place(best.Counts[k])+1)*math.Pow(growth, 1/root)))-1)
			}
			list = append(list, f.choice(places))
		}
	}
	return slices.DeleteFunc(list, func(x model.Choice) bool {
		_, ok := t.Wiring(x)
		return !ok
	})
}

// wholeOf returns how a workload runs at best on the whole of a contender's machines between two, with unchanged
// parameters: as simulated, or with the logarithm of its time interpolated over that of the marked speed.
func (t *trials) wholeOf(c *contender, small, large model.Choice, w int) knownRun {
	if small.Equal(large) {
		if i := slices.IndexFunc(c.known, func(k sizedChoice) bool { return k.choice.Equal(small) }); i >= 0 {
			return c.known[i].run(w)
		}
	}
	low, high := math.Log(t.Speed(small)), math.Log(t.Speed(large))
	best := c.at(low, w)
	at := func(x knownRun) {
		if best.problem != "" || x.problem == "" && x.Time < best.Time {
			best = x
		}
	}
	if at(c.at(high, w)); low == high && small.Equal(large) {
		return best
	}
	for _, k := range c.known {
		if low <= k.speed && k.speed <= high {
			at(k.run(w))
		}
	}
	best.Extra = 0 // a slower machine may draw less
	return orImpossible(&t.Workloads[w], best)
}

// run returns how a workload runs on the whole machine.
func (k *sizedChoice) run(w int) knownRun {
	if why := k.works[w].Problem; why != "" {
		return knownRun{problem: why}
	}
	return knownRun{TimedWay: k.works[w].Ways[0]}
}

// at interpolates the run of a workload at a logarithm of the marked speed.
func (c *contender) at(speed float64, w int) knownRun {
	if len(c.known) == 1 {
		return c.known[0].run(w)
	}
	i, _ := slices.BinarySearchFunc(c.known, speed, func(k sizedChoice, speed float64) int { return cmp.Compare(k.speed, speed) })
	i = min(max(i, 1), len(c.known)-1)
	a, b := c.known[i-1].run(w), c.known[i].run(w)
	part := 0.0
	if span := c.known[i].speed - c.known[i-1].speed; span > 0 {
		part = (speed - c.known[i-1].speed) / span
	}
	if problem := cmp.Or(a.problem, b.problem); problem != "" {
		return knownRun{problem: problem}
	}
	between := func(a, b float64) float64 { return float64((1-part)*a) + float64(part*b) }
	a.Time = math.Exp(between(math.Log(a.Time), math.Log(b.Time)))
	a.Run = units.Seconds(math.Exp(between(math.Log(float64(a.Run)), math.Log(float64(b.Run)))))
	a.Extra = max(0, between(a.Extra, b.Extra))
	return a
}

// closeToLeast leaves room for rounding.
const closeToLeast = 1 - 1e-9

// A search looks for a machine as field.best does.
type search func(a aim, mostTried int) (found find, least float64, ok bool)

// search returns the search among the machines of a contender under the changes f, which q includes; by points, if they
// are not nil.
func (t *trials) search(q *model.Plan, contender int, f model.Factors, points func(model.Measures) float64) search {
	c := &t.contenders[contender]
	fields := each.Of(t.Variants(c.best.Design), func(d model.Design) *field {
		x := t.field(q, c, d, f)
		x.points = points
		return x
	})
	return func(a aim, mostTried int) (found find, least float64, ok bool) {
		least = math.Inf(1)
		for _, field := range fields {
			x, bound, some := field.best(a, mostTried)
			least = min(least, bound)
			if some && (!ok || a.prefers(x.worth, found.worth)) {
				found, ok = x, true
			}
		}
		return found, least, ok
	}
}

// mostTriedAgain is mostTried for a search with changed figures.
const mostTriedAgain = 5000

// field returns the machines of one design of a contender under the changes f, which q includes. Runs that are not
// known take as long as with the wiring of the contender's best machine.
func (t *trials) field(q *model.Plan, c *contender, d model.Design, f model.Factors) *field {
	ratios := t.timeRatios(c, f)
	changed := map[runsKey][]knownRun{}
	x := &field{Plan: q, design: d, axes: axesOf(q, d)}
	x.runs = func(like model.Choice, node, w int) []knownRun {
		key := runsKey{classOf(q, like), node, w}
		if all, known := changed[key]; known {
			return all
		}
		base, known := t.runs[key]
		if !known {
			base = t.runs[runsKey{classOf(q, c.best), node, w}]
		}
		all := slices.Clone(base.runs)
		for i := range all {
			y := &all[i]
			k := f.Of(model.TimesOn(node))
			if i := t.Commitment(w, node, like.Design, y.Nodes); i >= 0 {
				k = f.Of(model.Parameter{Kind: model.KindCommitment, Index: i, Quantity: model.QuantityCommitted})
			}
			y.Slow(ratios[w][node] * k)
			one := make([]int, len(q.Nodes))
			one[node] = 1
			y.Draw(one, t.Nodes, q.Nodes)
		}
		changed[key] = all
		return all
	}
	x.whole = func(small, large model.Choice, w int) knownRun {
		y := t.wholeOf(c, small, large, w)
		y.Slow(ratios[w][len(t.Nodes)] * t.misjudged(small, large, f))
		y.Draw(q.Parts(large), t.Nodes, q.Nodes)
		return y
	}
	x.carries = func(_ model.Choice, l *model.Load) bool { return t.carries(c, l) }
	return x
}

// simulateRuns simulates the runs on nodes for contenders of which changed prices make more nodes affordable.
func (t *trials) simulateRuns(ctx context.Context, changes []model.Factors) error {
	for i := range t.contenders {
		best := t.contenders[i].best
		for k, node := range best.Types {
			if best.Bid > 0 { // see below
				break
			}
			most := each.Max(1, changes, func(f model.Factors) int {
				axes := axesOf(t.With(f), best.Design)
				if axes == nil {
					return 0
				}
				return axes[k].at(axes[k].most - 1)
			})
			small := t.Smallest(best.Design, 1)
			large := plus(small, node, most-1)
			all, x := []model.Choice{large}, &field{Plan: t.Plan, design: best.Design}
			for _, beyond := range x.wirings(small, large) {
				all = append(all, x.wired(small, large, node, beyond))
			}
			for _, c := range all {
				for w := range t.Workloads {
					t.runsOn(ctx, c, node, w, "robustness: numbers of nodes")
				}
			}
		}
		for _, d := range t.Variants(best.Design) {
			c := best
			if d.Bid > 0 {
				c = t.Smallest(d, 1)
			}
			if err := t.needChoices(ctx, t.Plan, []model.Choice{c}, "robustness: bids"); err != nil {
				return err
			}
			for node, count := range t.Parts(c) {
				for w := range t.Workloads {
					if count > 0 && !(c.Bid == 0 && slices.Contains(c.Types, node)) { // existing nodes, too
						t.runsOn(ctx, c, node, w, "robustness: bids")
					}
				}
			}
		}
	}
	return t.failed
}

// carries reports whether a machine of a contender carries the mix with that load, where that matters. The queue is not
// simulated again: the mean wait is assumed to be kept up to the load at which some machine of the design keeps it.
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
