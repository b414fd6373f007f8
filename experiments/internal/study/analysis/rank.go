package analysis

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/study/studytable"
)

// Ranked is a configuration with its place among all.
type Ranked struct {
	Levels []int   // for each factor, an index into its Levels
	Mean   float64 // of the response over repetitions
	StdErr float64 // of the mean, from repetitions; NaN if there is one
	Points []int   // their numbers in the plan, ascending
	// Place is 1 for the best. Configurations that are equally good share a place,
	// and the places after it are left out: 1, 2, 2, 4.
	Place int
	// Tied is how many other configurations of the table are as good, those
	// included that do not stand among the ranked ones.
	Tied int
	// WithinNoise is true if the mean differs from that of the first by at most two
	// standard errors of the difference, or not at all.
	WithinNoise bool
}

// Rank returns the n best configurations by their mean over repetitions, or all if
// there are fewer. Configurations whose means are equal within a relative 1e-12 are in
// the order of their levels.
//
// The standard error is s/sqrt(k) with the standard deviation s of the k repetitions of
// the configuration, that of a difference sqrt(e1^2 + e2^2).
func Rank(t *studytable.Table, response string, goal studytable.Goal, n int) ([]Ranked, error) {
	if n < 1 {
		return nil, fmt.Errorf("analysis: the %d best configurations; expected at least 1", n)
	}
	c, err := t.Gather(response, -1)
	if err != nil {
		return nil, err
	}
	order := make([]int, len(c.List))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if goal == studytable.Maximize {
			a, b = b, a
		}
		return cmp.Compare(c.List[a].Mean, c.List[b].Mean)
	})
	var ranked []Ranked
	place := make(map[int]int) // of a configuration among the ranked
	for i := 0; i < len(order) && len(ranked) < n; {
		first := c.List[order[i]].Mean
		j := i + 1
		for j < len(order) && !goal.Better(first, c.List[order[j]].Mean) {
			j++
		}
		slices.Sort(order[i:j])
		for _, k := range order[i:min(j, n)] {
			one := &c.List[k]
			place[k] = len(ranked)
			ranked = append(ranked, Ranked{
				Levels: slices.Clone(one.Levels), Mean: one.Mean, StdErr: one.StdErr(),
				Place: i + 1, Tied: j - i - 1, WithinNoise: goal.Alike(&c.List[order[0]], one),
			})
		}
		i = j
	}
	y, err := t.ResponseIndex(response)
	if err != nil {
		return nil, err
	}
	for _, r := range t.Rows {
		if !studytable.Finite(r.Values[y]) {
			continue
		}
		if k, ok := place[c.Find(r.Levels)]; ok {
			ranked[k].Points = append(ranked[k].Points, r.Point)
		}
	}
	for i := range ranked {
		slices.Sort(ranked[i].Points)
	}
	return ranked, nil
}
