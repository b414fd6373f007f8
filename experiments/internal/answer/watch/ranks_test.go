package watch

import (
	"fmt"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/internal/expect"
	"github.com/isoscale/isoscale/topology"
)

// manyRanks are ranks of which rank i computes i s and waits for nothing, in a run that
// ends when the last one does, after n - 1 s.
func manyRanks(n int) (ranks []Rank, makespan float64) {
	for i := range n {
		ranks = append(ranks, Rank{Rank: i, Node: "w", Finish: float64(i), Compute: float64(i)})
	}
	return ranks, float64(n - 1)
}

// Bars are means over all ranks: 130 ranks make 44 bars, 43 of 3 ranks and one of 1.
// The first computes (0+1+2)/3 = 1 s and waits 128 s for the end of the run at 129 s;
// the last is rank 129 alone.
func TestRankChartShowsAllRanks(t *testing.T) {
	c := rankChart(manyRanks(130))
	n := len(c.Categories)
	expect.Need(t, n == 44 && c.Categories[1] == "3" && c.Categories[n-1] == "129",
		"bars %v; want 44, of 3 ranks each, up to 129", c.Categories)
	for _, want := range []struct {
		series, bar int
		value       float64
	}{{0, 0, 1}, {2, 0, 128}, {0, 43, 129}, {2, 43, 0}} {
		expect.Equal(t, c.Series[want.series].Values[want.bar], want.value,
			"%s of bar %d", c.Series[want.series].Name, want.bar)
	}
	expect.Equal(t, c.Caption, "All 130 ranks: each bar is the mean of 3 neighbouring ones. The last bar has 1 rank.", "caption")
	// 64 ranks still have a bar each.
	c = rankChart(manyRanks(64))
	expect.That(t, len(c.Categories) == 64 && c.Caption == "" && c.Series[0].Values[63] == 63,
		"64 ranks: %d bars, caption %q", len(c.Categories), c.Caption)
}

// Of 1000 ranks with 0 to 999 s, 1 % have at most 9 s, half at most 499 s.
func TestRankTableOfManyRanksHasQuantiles(t *testing.T) {
	ranks, _ := manyRanks(1000)
	got := map[string]string{}
	for _, row := range rankTable(ranks).Rows {
		got[row[0]] = row[2] // compute
	}
	for share, want := range map[string]string{"0": "0 s", "1": "9 s", "25": "249 s", "50": "499 s", "99": "989 s", "100": "999 s"} {
		expect.That(t, got[share] == want, "%s %%: %q; want %q", share, got[share], want)
	}
	few, _ := manyRanks(256)
	n := len(rankTable(few).Rows)
	expect.That(t, n == 256, "256 ranks: %d rows; want one for each", n)
}

// Rank i of 1000 computes i s and waits for nothing: the curve of computing goes through
// 499 s at 50 %, and that of waiting stays at 0. 64 ranks have a bar each instead.
func TestManyRanksHaveADistribution(t *testing.T) {
	ranks, makespan := manyRanks(1000)
	c, ok := rankSection(ranks, makespan).Blocks[1].(*report.LineChart)
	expect.Need(t, ok, "no chart of the distribution")
	var names []string
	for _, s := range c.Series {
		names = append(names, s.Name)
	}
	expect.Equal(t, strings.Join(names, " "), "compute overhead wait finish", "curves")
	compute, wait := c.Series[0], c.Series[2]
	expect.That(t, compute.X[50] == 499 && compute.Y[50] == 50 && wait.X[100] == 0,
		"%v %% compute at most %v s, all wait at most %v s; want 50 %%, 499 s and 0", compute.Y[50], compute.X[50], wait.X[100])
	expect.Equal(t, c.Caption,
		"Each curve is over all 1000 ranks, sorted by its time. Half of the ranks wait for at most 0 s, 95 % for at most 0 s, all for at most 0 s.", "caption")
	few, makespan := manyRanks(64)
	n := len(rankSection(few, makespan).Blocks)
	expect.That(t, n == 2, "64 ranks have %d blocks; want bars and table", n)
}

// Up to eight types are named, more are counted: two nodes of each with three processes on a node.
func TestNodeSummary(t *testing.T) {
	for types, want := range map[int]string{
		2: "2 t0 x 3, 2 t1 x 3",
		9: "18 nodes of 9 types with 54 processes",
	} {
		m := &topology.Machine{Name: "m"}
		use := topology.Selection{Processes: map[string]int{}}
		for i := range types {
			name := fmt.Sprintf("t%d", i)
			m.Types = append(m.Types, topology.NodeType{Name: name, Cores: 4, MarkedSpeed: 1e9})
			m.Groups = append(m.Groups, topology.Group{Type: name, Name: name, Count: 2, First: 1})
			use.Processes[name] = 3
		}
		p := expect.Value(m.Place(use))(t)
		expect.Equal(t, NodeSummary(p), want, "summary of %d types", types)
	}
}
