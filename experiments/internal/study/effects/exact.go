package effects

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/study/analysis"
	"github.com/isoscale/isoscale/internal/each"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

const (
	// mostSteps bounds the steps for all sets of factors; beyond it, shares are means over randomOrders orders of the
	// factors and their reverses.
	mostSteps    = 1 << 28
	randomOrders = 50
	// onceEach is how many configurations a level must have on average. With fewer, knowing the factor means knowing
	// the configuration.
	onceEach = 1.5
	// noEffect is the relative difference within which responses are equal.
	noEffect  = 1e-12
	resamples = 200
	// bootstrapped is the number of steps up to which repetitions are resampled.
	bootstrapped = 1 << 26
)

// population is a table reduced to the levels that occur; each configuration counts once.
type population struct {
	cells      *analysis.Cells
	mean       float64
	deviations []float64 // of the configurations from the mean
	noise      float64   // variance among repetitions
	averaged   float64   // mean of 1/repetitions: the fraction of the noise that remains in a mean
	repeated   *repeated
	factors    []int   // with at least two levels that occur
	levels     [][]int // levels that occur, for each of factors, from the lowest
	places     [][]int // for each of factors, where the levels of the configurations are in levels
	complete   bool    // every combination of the levels occurs
}

func populationOf(c *analysis.Cells) *population {
	p := &population{cells: c, deviations: make([]float64, len(c.List)), repeated: repeatedOf(c)}
	squares, degrees := 0.0, 0
	for i, one := range c.List {
		p.deviations[i] = one.Mean
		squares += one.Within
		degrees += len(one.Rows) - 1
		p.averaged += 1 / float64(len(one.Rows)) / float64(len(c.List))
	}
	if degrees > 0 {
		p.noise = squares / float64(degrees)
	}
	p.center()
	combinations := 1.0
	for k := range c.Table.Factors {
		f := &c.Table.Factors[k]
		occurs := make([]bool, len(f.Levels))
		for _, one := range c.List {
			occurs[one.Levels[k]] = true
		}
		ranks := make([]int, len(f.Levels))
		var levels []int
		for _, l := range f.Order() {
			if occurs[l] {
				ranks[l], levels = len(levels), append(levels, l)
			}
		}
		if len(levels) > 1 {
			places := each.Of(c.List, func(one analysis.Cell) int { return ranks[one.Levels[k]] })
			p.factors, p.levels, p.places = append(p.factors, k), append(p.levels, levels), append(p.places, places)
			combinations *= float64(len(levels))
		}
	}
	p.complete = combinations == float64(len(c.List))
	return p
}

// center turns the means in deviations into deviations from their mean. For equal numbers these are 0, although their
// mean is rounded.
func (p *population) center() {
	p.mean = stat.Mean(p.deviations, nil)
	floats.AddConst(-p.mean, p.deviations)
	if floats.Norm(p.deviations, math.Inf(1)) <= 1e-13*math.Abs(p.mean) {
		clear(p.deviations)
	}
}

// groups are the configurations with equal levels of some factors.
type groups struct {
	of []int32 // of each configuration
	n  int
}

func (p *population) together() groups { return groups{make([]int32, len(p.deviations)), 1} }

// split divides groups by the levels of a factor.
func (p *population) split(g groups, a int) groups {
	if g.n == len(g.of) {
		return g
	}
	next := groups{of: make([]int32, len(g.of))}
	levels := len(p.levels[a])
	place := func(i int) int { return int(g.of[i])*levels + p.places[a][i] }
	if g.n*levels > 8*len(g.of) { // a table would be too large
		numbers := make(map[int]int32)
		for i := range g.of {
			number, known := numbers[place(i)]
			if !known {
				number = int32(len(numbers))
				numbers[place(i)] = number
			}
			next.of[i] = number
		}
		next.n = len(numbers)
		return next
	}
	numbers := make([]int32, g.n*levels) // from 1
	for i := range g.of {
		number := &numbers[place(i)]
		if *number == 0 {
			next.n++
			*number = int32(next.n)
		}
		next.of[i] = *number - 1
	}
	return next
}

// by returns the groups with equal levels of some factors.
func (p *population) by(factors ...int) groups {
	g := p.together()
	for _, a := range factors {
		g = p.split(g, a)
	}
	return g
}

// without returns the groups that agree in all factors but one.
func (p *population) without(a int) groups {
	return p.by(slices.DeleteFunc(each.Ascending(len(p.factors)), func(b int) bool { return b == a })...)
}

// between returns the variance of the means of groups.
func (p *population) between(g groups) float64 { return between(g, p.deviations) }

// between returns the variance of the means of groups of deviations.
func between(g groups, deviations []float64) float64 {
	sums, counts := make([]float64, g.n), make([]float64, g.n)
	for i, group := range g.of {
		sums[group] += deviations[i]
		counts[group]++
	}
	variance := 0.0
	for group, sum := range sums {
		variance += float64(sum * sum / counts[group])
	}
	return variance / float64(len(g.of))
}

// explained returns what the factors that define groups explain: the variance of the groups' means, less what the noise
// of repetitions is expected to add to it.
func (p *population) explained(g groups) float64 {
	return p.between(g) - p.left()*float64(g.n-1)/float64(len(g.of))
}

// left returns the variance that repetitions leave in the difference of a mean from others.
func (p *population) left() float64 {
	if p.repeated != nil {
		return p.repeated.noise * p.averaged
	}
	return p.noise * p.averaged
}

// variance returns the variance of a single run.
func (p *population) variance() float64 {
	n := float64(len(p.deviations))
	return floats.Dot(p.deviations, p.deviations)/n + p.noise - p.left()*(n-1)/n
}

// exact computes the shares for a table that is the whole design.
func (p *population) exact(e *Effects, intervals bool, seed uint64) error {
	n := len(p.deviations)
	var dependent []int
	for a := range p.factors {
		levels := len(p.levels[a])
		if !p.complete && float64(n) < onceEach*float64(levels) {
			return fmt.Errorf("the %d configurations have %d levels of %s, so the level identifies the configuration; what the factors explain cannot be separated", n, levels, p.names([]int{a}))
		}
		depends := func(b int) bool { return a != b && p.by(a, b).n < levels*len(p.levels[b]) }
		if slices.ContainsFunc(each.Ascending(len(p.factors)), depends) {
			dependent = append(dependent, a)
		}
	}
	e.Method = "exact, from the means over the configurations of the complete grid"
	if !p.complete {
		e.Method = "exact, from the means over the configurations of the design"
	}
	if dependent != nil {
		e.warn("%s depend on each other in this plan: what they explain together is divided equally", p.names(dependent))
	}
	variance := p.variance()
	share := func(x float64) float64 {
		if variance > 0 {
			return x / variance
		}
		return 0
	}
	e.Noise = share(p.noise)
	random := rand.New(rand.NewPCG(seed, 0x5a9))
	values, low, high := p.shapley(random)
	if low != nil {
		e.Method = fmt.Sprintf("means over %d orders of the factors, from the means over the configurations of the design", 2*randomOrders)
	}
	if low == nil && intervals && p.repeated != nil && p.noise > 0 && resamples*n<<len(p.factors) <= bootstrapped {
		low, high = p.bootstrap(values, variance, random)
	}
	alone := make([]float64, len(p.factors))
	for a := range p.factors {
		one := p.by(a)
		alone[a] = p.explained(one)
		means := make([]float64, len(p.levels[a]))
		counts := make([]float64, len(means))
		for i, d := range p.deviations {
			means[p.places[a][i]] += d
			counts[p.places[a][i]]++
		}
		floats.Div(means, counts)
		f := e.add(p, a, means)
		f.Share, f.Alone = share(values[a]), share(alone[a])
		if low != nil {
			f.Low, f.High = analysis.Number(share(low[a])), analysis.Number(share(high[a]))
		}
		rest := p.without(a)
		f.NoEffect = p.idle(a, rest)
		f.WithinNoise = !f.NoEffect && p.repeated != nil && !p.repeated.standsOut(one.n-1, func(x []float64) float64 {
			return between(one, x)
		}) && !p.repeated.standsOut(n-rest.n, func(x []float64) float64 {
			return floats.Dot(x, x)/float64(n) - between(rest, x)
		})
	}
	for a := range p.factors {
		for b := a + 1; b < len(p.factors) && p.complete; b++ {
			e.pair(p, a, b, share(p.explained(p.by(a, b))-alone[a]-alone[b]))
		}
	}
	return nil
}

// idle reports whether the response does not depend on a factor: where all others agree or, if no two configurations
// agree in all others, on average.
func (p *population) idle(a int, rest groups) bool {
	if rest.n == len(rest.of) {
		return math.Sqrt(p.between(p.by(a))) <= noEffect*math.Abs(p.mean)
	}
	lowest, highest := slices.Repeat([]float64{math.Inf(1)}, rest.n), slices.Repeat([]float64{math.Inf(-1)}, rest.n)
	for i, group := range rest.of {
		y := p.cells.List[i].Mean
		lowest[group], highest[group] = min(lowest[group], y), max(highest[group], y)
	}
	for group, low := range lowest {
		if high := highest[group]; high-low > noEffect*max(math.Abs(low), math.Abs(high)) {
			return false
		}
	}
	return true
}

// shapley returns the Shapley values of the factors, and intervals if they are not exact.
func (p *population) shapley(random *rand.Rand) (values, low, high []float64) {
	k := len(p.factors)
	if k > 30 || len(p.deviations)<<k > mostSteps {
		return p.inRandomOrders(random)
	}
	explained := make([]float64, 1<<k)
	var visit func(set, next int, g groups)
	visit = func(set, next int, g groups) {
		explained[set] = p.explained(g)
		for a := next; a < k; a++ {
			visit(set|1<<a, a+1, p.split(g, a))
		}
	}
	visit(0, 0, p.together())
	return shapleyOf(explained, k), nil, nil
}

// shapleyOf computes Shapley values from what all sets of k factors explain.
func shapleyOf(explained []float64, k int) []float64 {
	// weights are the fractions of the orders in which exactly some given factors come before one.
	values, weights := make([]float64, k), make([]float64, k)
	choose := 1.0 // k - 1 choose n
	for n := range k {
		weights[n] = 1 / (float64(k) * choose)
		choose *= float64(k-1-n) / float64(n+1)
	}
	for set, before := range explained {
		for a := range k {
			if set>>a&1 == 0 {
				values[a] += float64(weights[bits.OnesCount(uint(set))] * (explained[set|1<<a] - before))
			}
		}
	}
	return values
}

// inRandomOrders is shapley by random orders and their reverses, with 95 % intervals of the means.
func (p *population) inRandomOrders(random *rand.Rand) (values, low, high []float64) {
	added := make([][]float64, len(p.factors))
	for range randomOrders {
		order := random.Perm(len(p.factors))
		gains := make([]float64, len(order))
		for range 2 {
			g, before := p.together(), 0.0
			for _, a := range order {
				g = p.split(g, a)
				now := p.explained(g)
				gains[a] += (now - before) / 2
				before = now
			}
			slices.Reverse(order)
		}
		for a, gain := range gains {
			added[a] = append(added[a], gain)
		}
	}
	for _, gains := range added {
		mean, deviation := stat.MeanStdDev(gains, nil)
		reach := 1.96 * stat.StdErr(deviation, randomOrders)
		values, low, high = append(values, mean), append(low, mean-reach), append(high, mean+reach)
	}
	return values, low, high
}

// bootstrap returns 95 % intervals of Shapley values, relative to a variance. They lie around the values as the values
// of resampled repetitions scatter around their own mean.
func (p *population) bootstrap(values []float64, variance float64, random *rand.Rand) (low, high []float64) {
	samples := make([][]float64, len(values))
	again := *p
	for range resamples {
		again.deviations, again.noise = p.repeated.resampled(p.cells, p.noise, random)
		again.center()
		v, _, _ := again.shapley(random)
		of := again.variance()
		if of <= 0 {
			continue
		}
		for a := range v {
			samples[a] = append(samples[a], v[a]*variance/of)
		}
	}
	if len(values) == 0 || len(samples[0]) < resamples/2 {
		return nil, nil
	}
	for a, v := range samples {
		l, h := percentiles(v)
		mean := stat.Mean(v, nil)
		low, high = append(low, values[a]+l-mean), append(high, values[a]+h-mean)
	}
	return low, high
}

// percentiles returns the ends of the central 95 % of some values, which it sorts.
func percentiles(values []float64) (low, high float64) {
	slices.Sort(values)
	return stat.Quantile(0.025, stat.Empirical, values, nil), stat.Quantile(0.975, stat.Empirical, values, nil)
}
