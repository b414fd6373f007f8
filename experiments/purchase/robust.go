package purchase

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/isoscale/isoscale/model/units"
)

// exactChoices is how many new numbers of nodes of one design are simulated
// because prices change; between them times are interpolated.
const exactChoices = 9

// robust finds out how sure the choice is: every parameter is lowered and raised
// by itself, then all at once at random.
func (s *solver) robust(ctx context.Context) error {
	t := &trials{solver: s, parameters: s.parameters()}
	t.contend()
	if err := t.respond(ctx); err != nil {
		return err
	}
	delta := s.Robustness.Change
	var changes []factors
	for _, x := range t.parameters {
		changes = append(changes, factors{x: 1 - delta}, factors{x: 1 + delta})
	}
	for i := range s.Robustness.Samples {
		random := rand.New(rand.NewPCG(uint64(s.Seed), uint64(i)))
		f := factors{}
		for _, x := range t.parameters {
			f[x] = 1 + delta*(2*random.Float64()-1)
		}
		changes = append(changes, f)
	}
	if err := t.size(ctx, changes); err != nil {
		return err
	}
	r := &s.result.Robustness
	r.Change, r.Parameters, r.JointFirst = delta, []Sensitivity{}, []FirstCount{}
	base, _ := t.lead(nil)
	for i, x := range t.parameters {
		row := s.sensitivity(x)
		row.Base = base
		var low, high int
		row.Low, low = t.lead(changes[2*i])
		row.High, high = t.lead(changes[2*i+1])
		row.FirstLow, row.FirstHigh = t.name(low), t.name(high)
		for _, first := range []int{low, high} {
			r.OneAtATime.count(first == 0)
		}
		r.Parameters = append(r.Parameters, row)
	}
	slices.SortStableFunc(r.Parameters, func(a, b Sensitivity) int { return cmp.Compare(b.swing(), a.swing()) })
	firsts := map[int]int{}
	for _, f := range changes[2*len(t.parameters):] {
		_, first := t.lead(f)
		firsts[first]++
		r.Joint.count(first == 0)
	}
	for d := nobody; d < len(t.contenders); d++ {
		if n := firsts[d]; n > 0 {
			r.JointFirst = append(r.JointFirst, FirstCount{t.name(d), n})
		}
	}
	slices.SortStableFunc(r.JointFirst, func(a, b FirstCount) int { return cmp.Compare(b.Trials, a.Trials) })
	return s.priceToWin(ctx)
}

func (x *Share) count(first bool) {
	x.Trials++
	if first {
		x.First++
	}
}

// swing is how far the lead moves, without limit where there is none at one end.
func (x *Sensitivity) swing() float64 {
	switch {
	case x.Low == nil && x.Base == nil && x.High == nil:
		return 0
	case x.Low == nil || x.Base == nil || x.High == nil:
		return math.Inf(1)
	}
	return max(*x.Low, *x.Base, *x.High) - min(*x.Low, *x.Base, *x.High)
}

// Matters reports whether the parameter moves the lead by at least 0.05 %.
func (x *Sensitivity) Matters() bool { return x.swing() >= 5e-4 }

// LowText and HighText print the lead at both ends: "+3.1 %", or why there is none.
func (x *Sensitivity) LowText(design string) string { return leadText(x.Low, x.FirstLow, design) }

// HighText is described at LowText.
func (x *Sensitivity) HighText(design string) string { return leadText(x.High, x.FirstHigh, design) }

func leadText(lead *float64, first, design string) string {
	switch {
	case lead != nil:
		return fmt.Sprintf("%+.1f %%", 100**lead)
	case first == design:
		return "no other"
	}
	return "not affordable"
}

// parameters lists the parameters that the ranking may depend on.
func (s *solver) parameters() []parameter {
	nodes, networks := make([]bool, len(s.Nodes)), make([]bool, len(s.Networks))
	processes := false
	for _, c := range s.best {
		networks[c.choice.Network] = true
		for t, count := range s.parts(c.choice) {
			nodes[t] = nodes[t] || count > 0
			processes = processes || count > 0 && s.Nodes[t].Processes > 1
		}
	}
	feeds := slices.ContainsFunc(s.Workloads, func(w Workload) bool { return w.Run.BytesPerFlop > 0 })
	watts := s.Budget.Power > 0 || s.Budget.Life
	var list []parameter
	add := func(kind string, i int, quantity string, relevant bool) {
		if relevant {
			list = append(list, parameter{kind, i, quantity})
		}
	}
	for t, used := range nodes {
		add(kindNode, t, quantityPrice, used)
		add(kindNode, t, quantitySpeed, used)
		add(kindNode, t, quantityMemoryBandwidth, used && feeds && s.Nodes[t].MemoryBandwidth > 0)
		add(kindNode, t, quantityPower, used && watts)
	}
	for n, used := range networks {
		add(kindNetwork, n, quantityPrice, used)
		add(kindNetwork, n, quantityLatency, used)
		add(kindNetwork, n, quantityBandwidth, used)
		add(kindNetwork, n, quantityPower, used && watts)
	}
	add(kindOnNode, 0, quantityLatency, processes)
	add(kindOnNode, 0, quantityBandwidth, processes)
	for w := range s.Workloads {
		add(kindWorkload, w, quantityWeight, len(s.Workloads) > 1)
	}
	add(kindEnergy, 0, quantityPrice, s.Budget.Life && s.Energy.Price > 0)
	return list
}

// sensitivity describes a parameter.
func (s *solver) sensitivity(x parameter) Sensitivity {
	row := Sensitivity{Of: x.kind, Quantity: x.quantity}
	var figures []Figure
	switch x.kind {
	case kindNode:
		row.Of, figures = s.Nodes[x.index].Name, s.Nodes[x.index].Figures
	case kindNetwork:
		row.Of, figures = s.Networks[x.index].Name, s.Networks[x.index].Figures
		if x.quantity == quantityPrice {
			n := &s.Networks[x.index]
			row.Value = fmt.Sprintf("%s a port, %s a switch", s.money(n.PortPrice.Amount), s.money(n.Switch.Price.Amount))
			for _, f := range figures {
				row.Estimate = row.Estimate || f.Estimate && (f.Quantity == quantityPortPrice || f.Quantity == quantitySwitchPrice)
			}
		}
	case kindOnNode:
		row.Value, row.Estimate = s.OnNode.Bandwidth.String(), isEstimate(s.OnNodeFrom)
		if x.quantity == quantityLatency {
			row.Value = s.OnNode.Latency.String()
		}
	case kindWorkload:
		row.Of, row.Quantity = s.Workloads[x.index].Name, "share of the mix"
		row.Value = weightText(s.Workloads[x.index].Weight)
		if s.byRuns {
			row.Quantity = "runs a year"
		}
	case kindEnergy:
		row.Value = s.money(s.Energy.Price)
	}
	for _, f := range figures {
		if f.Quantity == x.quantity {
			row.Value, row.Estimate = f.Value, f.Estimate
		}
	}
	row.Parameter = row.Quantity + " of " + row.Of
	if x.kind == kindOnNode {
		row.Parameter = row.Quantity + " " + row.Of
	}
	return row
}

// trials evaluates designs with changed parameters.
type trials struct {
	*solver
	parameters []parameter
	contenders []contender
}

// A contender is a design that may be first if parameters change.
type contender struct {
	best Choice // as the parameters are
	// response is, for each parameter that its times depend on, the relative
	// change of the measures of each workload at the lower and the upper end.
	response map[parameter][2][]float64
	known    []sizedChoice // simulated, by increasing marked speed
}

// A sizedChoice is a choice with what it does as the parameters are.
type sizedChoice struct {
	choice   Choice
	speed    float64 // marked speed
	measures []float64
}

// nobody is the contender that is first where no design is within the limits.
const nobody = -1

// NoDesign stands for the design that is first where none is within the limits.
const NoDesign = "none"

func (t *trials) name(contender int) string {
	if contender == nobody {
		return NoDesign
	}
	return t.designName(t.contenders[contender].best.design())
}

// contend picks the designs that can come first. A change of every parameter by
// the fraction d changes a time by no more than (1+d)/(1-d), for times are sums of
// terms in proportion to one parameter each, and the number of nodes that a budget
// buys by as much; half as much again is left for numbers of nodes being whole.
// That is counted from the fastest machine that stays within the limits whatever
// changes, for the recommended one may not. The first two always belong to them.
func (t *trials) contend() {
	d := t.Robustness.Change
	spread := (1 + d) / (1 - d)
	up := factors{}
	for _, x := range t.parameters {
		if !x.changesTimes() && x.kind != kindWorkload {
			up[x] = 1 + d
		}
	}
	dear := t.with(up)
	sure := math.Inf(1)
	for _, c := range t.result.Ranking {
		if dear.limit(c.choice) == "" {
			sure = c.Score
			break
		}
	}
	for i, c := range t.best {
		if i < 2 || c.Score <= 1.5*spread*spread*sure {
			t.contenders = append(t.contenders, contender{best: c.choice, response: map[parameter][2][]float64{}})
		}
	}
}

// touches reports whether the times of a choice depend on a parameter.
func (t *trials) touches(c Choice, x parameter) bool {
	switch {
	case !x.changesTimes():
		return false
	case x.kind == kindNode:
		return t.parts(c)[x.index] > 0
	case x.kind == kindNetwork:
		return c.Network == x.index
	}
	return true
}

// respond simulates the best choice of each contender with each parameter at both
// ends.
func (t *trials) respond(ctx context.Context) error {
	d := t.Robustness.Change
	ends := func(x parameter) [2]*Plan {
		return [2]*Plan{t.with(factors{x: 1 - d}), t.with(factors{x: 1 + d})}
	}
	var list []simulation
	for _, c := range t.contenders {
		for _, x := range t.parameters {
			if t.touches(c.best, x) {
				for _, q := range ends(x) {
					list = append(list, q.all(c.best)...)
				}
			}
		}
	}
	if err := t.need(ctx, list, "robustness"); err != nil {
		return err
	}
	for _, c := range t.contenders {
		base := t.measures(t.Plan, c.best)
		for _, x := range t.parameters {
			if !t.touches(c.best, x) {
				continue
			}
			var r [2][]float64
			for i, q := range ends(x) {
				for w, m := range t.measures(q, c.best) {
					r[i] = append(r[i], m/base[w]-1)
				}
			}
			c.response[x] = r
		}
	}
	return nil
}

// size simulates the choices that other prices make affordable. Where they are
// many, only some: between them the logarithm of the time is interpolated over
// that of the marked speed.
func (t *trials) size(ctx context.Context, changes []factors) error {
	var list []simulation
	for i := range t.contenders {
		c := &t.contenders[i]
		var all []Choice
		seen := map[string]bool{}
		collect := func(q *Plan) {
			for _, x := range t.within(q, c.best.design()) {
				if name := t.Name(x); !seen[name] {
					seen[name] = true
					all = append(all, x)
				}
			}
		}
		collect(t.Plan)
		simulated := len(all)
		for _, f := range changes {
			if q := t.with(f); !f.onlyTimes() {
				collect(q)
			}
		}
		added := all[simulated:]
		slices.SortStableFunc(added, func(a, b Choice) int { return cmp.Compare(t.speed(a), t.speed(b)) })
		if len(added) > exactChoices {
			var some []Choice
			for k := range exactChoices {
				some = append(some, added[k*(len(added)-1)/(exactChoices-1)])
			}
			added = some
		}
		for _, x := range append(slices.Clone(all[:simulated]), added...) {
			c.known = append(c.known, sizedChoice{choice: x, speed: t.speed(x)})
		}
		slices.SortStableFunc(c.known, func(a, b sizedChoice) int { return cmp.Compare(a.speed, b.speed) })
		for _, x := range c.known {
			list = append(list, t.all(x.choice)...)
		}
	}
	if err := t.need(ctx, list, "robustness: numbers of nodes"); err != nil {
		return err
	}
	for _, c := range t.contenders {
		for k := range c.known {
			c.known[k].measures = t.measures(t.Plan, c.known[k].choice)
		}
	}
	return nil
}

// within returns the choices of a design that a variant of the plan allows: those
// of the plan as far as they are still within the limits, and those that it has
// itself. So a lower price never takes anything away.
func (t *trials) within(q *Plan, d design) []Choice {
	all, _ := q.choices(d)
	for _, c := range t.result.Ranking {
		if x := c.choice; x.design().equal(d) && !slices.ContainsFunc(all, x.equal) && q.limit(x) == "" {
			all = append(all, x)
		}
	}
	return all
}

// onlyTimes reports whether the changes leave prices and power as they are.
func (f factors) onlyTimes() bool {
	for x := range f {
		if x.quantity == quantityPrice || x.quantity == quantityPower {
			return false
		}
	}
	return true
}

// speed returns the marked speed of a choice.
func (p *Plan) speed(c Choice) float64 {
	var sum units.FlopsPerSecond
	for t, count := range p.parts(c) {
		sum += units.FlopsPerSecond(count) * p.Nodes[t].Speed
	}
	return float64(sum)
}

// measuresOf returns the measures of a choice as the parameters are, simulated or
// interpolated.
func (t *trials) measuresOf(c *contender, x Choice) []float64 {
	for _, k := range c.known {
		if k.choice.equal(x) {
			return k.measures
		}
	}
	speed := t.speed(x)
	i, _ := slices.BinarySearchFunc(c.known, speed, func(k sizedChoice, speed float64) int { return cmp.Compare(k.speed, speed) })
	i = min(max(i, 1), len(c.known)-1)
	if len(c.known) == 1 {
		return c.known[0].measures
	}
	a, b := c.known[i-1], c.known[i]
	part := 0.0
	if b.speed > a.speed {
		part = math.Log(speed/a.speed) / math.Log(b.speed/a.speed)
	}
	between := make([]float64, len(a.measures))
	for w := range between {
		if between[w] = math.Inf(1); isFinite(a.measures[w]) && isFinite(b.measures[w]) {
			between[w] = math.Exp((1-part)*math.Log(a.measures[w]) + part*math.Log(b.measures[w]))
		}
	}
	return between
}

// lead returns by how much the best other design is slower than the recommended
// one with changed parameters, and which contender is first; the recommended one
// is number 0. The lead is nil where the recommended design or all others are
// beyond the limits, and nobody is first where all are.
//
// The response of a time to several parameters is the sum of those to each, which
// is exact at both ends of one parameter and as long as the same chain of
// computations and messages is the longest. Then a time is a sum of terms in
// proportion to a latency or the reciprocal of a speed or bandwidth, and so is the
// way from the base to an end.
func (t *trials) lead(f factors) (lead *float64, first int) {
	q := t.with(f)
	delta := t.Robustness.Change
	scores := make([]float64, len(t.contenders))
	for i := range t.contenders {
		c := &t.contenders[i]
		ratio := make([]float64, len(t.Workloads))
		for w := range ratio {
			ratio[w] = 1
		}
		for _, x := range t.parameters {
			k, changed := f[x]
			r, responds := c.response[x]
			if !changed || !responds || k == 1 {
				continue
			}
			end, which := 1-delta, 0
			if k > 1 {
				end, which = 1+delta, 1
			}
			way := (k - 1) / (end - 1)
			if x.reciprocal() {
				way = (1/k - 1) / (1/end - 1)
			}
			for w := range ratio {
				ratio[w] += way * r[which][w]
			}
		}
		scores[i] = math.Inf(1)
		for _, x := range t.within(q, c.best.design()) {
			m := slices.Clone(t.measuresOf(c, x))
			for w := range m {
				m[w] *= ratio[w]
			}
			scores[i] = min(scores[i], q.Score(m))
		}
	}
	other, best := math.Inf(1), nobody
	for i, x := range scores[1:] {
		if x < other {
			other, best = x, i+1
		}
	}
	switch {
	case math.IsInf(scores[0], 1):
		return nil, best
	case math.IsInf(other, 1):
		return nil, 0
	case other < scores[0]:
		first = best
	}
	by := other/scores[0] - 1
	return &by, first
}

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
