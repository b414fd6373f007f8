package search

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/buy/model"
)

// How sure the choice of a design is, with figures that are normal within their ranges.
// All designs are judged with the same draws, and no figure needs simulations that the
// tests of robustness do not have.

// A source is what is drawn once for each case: a figure, a group of figures that move
// together, or the error of the simulated times on a node type.
type source struct {
	name    string // of the figure or group
	group   bool
	half    float64 // the widest range
	members []model.Range
}

// sources lists what is drawn, in the order of the file; errors of the model last.
func (t *trials) sources() []source {
	u := t.Ranges
	var all []source
	for _, x := range u.Figures {
		i := slices.IndexFunc(all, func(s source) bool { return s.group && s.name == x.Group })
		switch {
		case x.Group != "" && i >= 0:
			all[i].members = append(all[i].members, x)
			all[i].half = max(all[i].half, x.Half)
		case x.Group != "":
			all = append(all, source{x.Group, true, x.Half, []model.Range{x}})
		default:
			all = append(all, source{t.Sensitivity(x.Parameter).Parameter, false, x.Half, []model.Range{x}})
		}
	}
	if u.Model == 0 {
		return all
	}
	for i, n := range t.Nodes {
		if slices.ContainsFunc(t.best, func(c model.Candidate) bool { return t.Parts(c.Choice)[i] > 0 }) {
			x := model.Range{Half: u.Model, Parameter: model.Parameter{Kind: model.KindModel, Index: i, Quantity: model.QuantityTimes}}
			all = append(all, source{model.QuantityTimes + " on " + n.Name, false, u.Model, []model.Range{x}})
		}
	}
	return all
}

const (
	// within95 is the number of standard deviations from the mean within which 95 % of the
	// values of a normal distribution are.
	within95 = 1.959963984540054
	// leastFactor keeps figures above 0, as prices and speeds are.
	leastFactor = 0.05
	// rangeStream keeps the draws apart from those of joint changes.
	rangeStream = 1 << 32
)

// draws returns for each case a standard normal number for each source, and the factors
// that follow. Case i depends on the seed and i alone.
func (t *trials) draws(sources []source) (normal [][]float64, changes []model.Factors) {
	for i := range t.Ranges.Samples {
		random := rand.New(rand.NewPCG(uint64(t.Seed), rangeStream+uint64(i)))
		z, f := make([]float64, len(sources)), model.Factors{}
		for k, s := range sources {
			z[k] = random.NormFloat64()
			for _, x := range s.members {
				f[x.Parameter] = max(leastFactor, 1+float64(x.Half/within95*z[k]))
			}
		}
		normal, changes = append(normal, z), append(changes, f)
	}
	return normal, changes
}

// misjudged returns the works of a choice with the errors of the model in f, and of times
// that vendors commit to, which have no error of the model. For a run on the whole machine it is the mean over its
// nodes.
func (t *trials) misjudged(c model.Choice, works []model.Work, f model.Factors) []model.Work {
	drawn := false
	for x := range f {
		drawn = drawn || x.Kind == model.KindModel || x.Kind == model.KindCommitment
	}
	if !drawn {
		return works
	}
	of := func(x model.Parameter) float64 {
		if k, drawn := f[x]; drawn {
			return k
		}
		return 1
	}
	on := func(node int) float64 {
		return of(model.Parameter{Kind: model.KindModel, Index: node, Quantity: model.QuantityTimes})
	}
	parts := t.Parts(c)
	whole := 0.0
	for node, count := range parts {
		whole += float64(float64(count)*on(node)) / float64(model.Total(parts))
	}
	all := slices.Clone(works)
	for w := range all {
		all[w].Ways = slices.Clone(all[w].Ways)
		for i := range all[w].Ways {
			y := &all[w].Ways[i]
			k := whole
			if !y.Whole() {
				k = on(y.Node)
				if i := t.Commitment(w, y.Node, c.Network, y.Nodes); i >= 0 {
					k = of(model.Parameter{Kind: model.KindCommitment, Index: i, Quantity: model.QuantityCommitted})
				}
			}
			y.Time *= k
			y.Run = scaled(y.Run, k)
		}
	}
	return all
}

func scaled[T ~float64](x T, k float64) T { return T(float64(x) * k) }

// A verdict is what the designs are worth in one case.
type verdict struct {
	first  int       // the contender that would be recommended, or noContender
	regret []float64 // of each contender: 1 - best/goal, the part that is lost by choosing it
}

// judge returns the verdict with changed figures.
func (t *trials) judge(f model.Factors) verdict {
	q := t.With(f)
	var all []offer
	var of []int
	goals := make([]float64, len(t.contenders))
	best := math.Inf(1)
	for d := range t.contenders {
		own, _ := t.offers(q, t.prospects(q, d, f))
		goals[d] = math.Inf(1)
		for _, x := range own {
			goals[d] = min(goals[d], x.goal)
			all, of = append(all, x), append(of, d)
		}
		best = min(best, goals[d])
	}
	v := verdict{first: noContender, regret: make([]float64, len(goals))}
	if len(all) == 0 {
		return v
	}
	v.first = of[cheapestOf(all, t.GoalTolerance())]
	for d, goal := range goals {
		if goal > best {
			v.regret[d] = 1 - best/goal
		}
	}
	return v
}

// judgeRanges says how sure the choice is with the ranges of the plan.
func (t *trials) judgeRanges(sources []source, normal [][]float64, changes []model.Factors) {
	u := &model.UncertainResult{Samples: len(changes), Model: t.Ranges.Model, Designs: []model.DesignChance{}, Figures: []model.FigureValue{}}
	t.result.Uncertain = u
	firsts := map[int]int{}
	regrets := make([][]float64, len(changes))
	verdicts := make([]verdict, len(changes))
	// It cannot fail: no trial returns an error.
	_ = system.Each(len(changes), t.jobs, func(i int) error {
		verdicts[i] = t.judge(changes[i])
		return nil
	}, nil)
	for i, v := range verdicts {
		firsts[v.first]++
		regrets[i] = v.regret
	}
	mean := columnMeans(regrets)
	for d := range t.contenders {
		u.Designs = append(u.Designs, model.DesignChance{Design: t.name(d), Probability: float64(firsts[d]) / float64(len(changes)), Regret: mean[d]})
	}
	u.None = float64(firsts[noContender]) / float64(len(changes))
	least := slices.MinFunc(u.Designs, func(a, b model.DesignChance) int { return cmp.Compare(a.Regret, b.Regret) })
	u.LeastRegret = least.Design
	for k, s := range sources {
		x := make([]float64, len(normal))
		for i := range normal {
			x[i] = normal[i][k]
		}
		row := model.FigureValue{Figure: s.name, Range: s.half, Value: valueOfInformation(x, regrets)}
		if s.group {
			for _, m := range s.members {
				row.Members = append(row.Members, t.Sensitivity(m.Parameter).Parameter)
			}
		}
		u.Figures = append(u.Figures, row)
	}
	slices.SortStableFunc(u.Designs, func(a, b model.DesignChance) int {
		return cmp.Or(cmp.Compare(b.Probability, a.Probability), cmp.Compare(a.Regret, b.Regret))
	})
	slices.SortStableFunc(u.Figures, func(a, b model.FigureValue) int { return cmp.Compare(b.Value, a.Value) })
}

// columnMeans returns the mean of each column.
func columnMeans(rows [][]float64) []float64 {
	mean := make([]float64, len(rows[0]))
	for _, row := range rows {
		for d, x := range row {
			mean[d] += x / float64(len(rows))
		}
	}
	return mean
}

// informationBins is the number of classes of a figure in which a choice may differ.
const informationBins = 10

// valueOfInformation returns by how much the expected regret falls if a figure is known
// before the choice,
//
//	min_d E[r_d] - E_x[min_d E[r_d | x]]
//
//	r_d  regret of choice d, one row of regrets for each case
//	x    the figure
//
// Source: expected value of partial perfect information, R. A. Howard, Information value
// theory, IEEE Trans. SSC-2(1), 1966. Deviation: E[r_d | x] is the mean over each tenth of the
// cases by x. In each of them the choice is made with one half of its cases and judged with the
// other, in both ways, because to judge it with the same cases gives a value to noise; a value
// below 0 is 0.
func valueOfInformation(x []float64, regrets [][]float64) float64 {
	order := make([]int, len(x))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(x[a], x[b]) })
	known := 0.0
	for b := range informationBins {
		bin := order[b*len(x)/informationBins : (b+1)*len(x)/informationBins]
		var halves [2][][]float64
		for i, of := range bin {
			halves[i%2] = append(halves[i%2], regrets[of])
		}
		for h := range halves {
			if len(halves[h]) == 0 || len(halves[1-h]) == 0 {
				return 0
			}
			chosen := least(columnMeans(halves[1-h]))
			known += columnMeans(halves[h])[chosen] * float64(len(halves[h])) / float64(len(x))
		}
	}
	return max(0, slices.Min(columnMeans(regrets))-known)
}

// least returns the index of the smallest number.
func least(x []float64) int {
	best := 0
	for i := range x {
		if x[i] < x[best] {
			best = i
		}
	}
	return best
}
