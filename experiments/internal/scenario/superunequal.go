package scenario

import (
	"fmt"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/yamldoc"
	"github.com/isoscale/isoscale/experiments/internal/scenario/dispatch"
)

// counts reads the nodes of a level: a number, or those of its groups where they
// differ. above are the counts of the levels above.
func (r superReader) counts(n *yamldoc.Node, above [][]int) []int {
	const want = "a number of nodes, at least 1 and at most 67108864"
	if !n.IsSequence() {
		return []int{r.Int(n, 1, 1<<26, want)}
	}
	var all []int
	for _, v := range r.Sequence(n, want) {
		all = append(all, r.Int(v, 1, 1<<26, want))
	}
	switch {
	case len(all) == 0:
		r.Fail(n, "no groups", "the nodes of one group after another, as in [4, 8]")
		return []int{1}
	case len(above) == 0 && len(all) > 1:
		list := strings.ReplaceAll(fmt.Sprint(all), " ", ", ")
		r.Fail(n, "a list at the outermost level, which is one group", fmt.Sprintf("a number, because the outermost level is first: [%d, %s] are %[1]d clusters with these counts, and [%[1]d, %[2]s, 4] those of 4 nodes each; the levels of a tree are in the other order", len(all), list))
	case slices.Min(all) == slices.Max(all):
		return all[:1]
	}
	return all
}

// means returns the mean number of nodes of the groups of each level: those of a list
// one after another, and from its first again.
func means(counts [][]int) []float64 {
	var all []float64
	groups := 1.0
	for _, of := range counts {
		sum := 0.0
		for _, n := range of {
			sum += float64(n)
		}
		rounds, rest := int(groups)/len(of), int(groups)%len(of)
		nodes := float64(rounds) * sum
		for _, n := range of[:rest] {
			nodes += float64(n)
		}
		all = append(all, nodes/groups)
		groups = min(nodes, 1<<52)
	}
	return all
}

// speeds reads those of the nodes of each level.
func (r superReader) speeds(n *yamldoc.Node, levels []dispatch.Level) {
	const want = "a speed above 0 and at most 1000000000, 1 for a node that takes the time of an SI"
	read := func(v *yamldoc.Node) float64 {
		return r.Float(v, want, func(x float64) bool { return x >= 1e-9 && x <= 1e9 })
	}
	for i, v := range r.each(n, len(levels), wantSpeeds) {
		if i >= len(levels) {
			break
		}
		var all []float64
		if v.IsSequence() {
			for _, x := range r.Sequence(v, wantSpeeds) {
				all = append(all, read(x))
			}
			if len(all) == 0 {
				r.Fail(v, "no speeds", wantSpeeds)
			}
		} else {
			all = []float64{read(v)}
		}
		if slices.ContainsFunc(all, func(x float64) bool { return x != 1 }) {
			levels[i].Speeds = all
		}
	}
}

// refuseUnequal reports nodes that differ, for which there is no formula.
func (r superReader) refuseUnequal(n *yamldoc.Node, levels []dispatch.Level) {
	for i, l := range levels {
		if l.Counts != nil || l.Speeds != nil && slices.Min(l.Speeds) != slices.Max(l.Speeds) {
			r.Fail(n, fmt.Sprintf("the nodes of level %d differ, and [Jin] Eq. 24 to 26 are of nodes that are alike", i+1), "method: dispatch")
			return
		}
	}
}

// Speed is that of a node at which all nodes are alike, as they are by formula.
func (s *SuperProgram) Speed() float64 {
	speed := 1.0
	for _, l := range s.Levels {
		if l.Speeds != nil {
			speed *= l.Speeds[0]
		}
	}
	return speed
}
