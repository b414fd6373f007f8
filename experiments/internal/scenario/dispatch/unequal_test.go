package dispatch

import (
	"github.com/isoscale/isoscale/internal/expect"
	"testing"
)

// The first node needs 3 s for an SI, the second 1 s, because it is three times as fast or because it is a group of
// three nodes and the first a group of one. Of 8 SIs the first has number 0 until 3 s, the second 1, 2 and 3. Then both
// places are free; the first goes first, because 0 is below 3, and has number 4 until 6 s, the second the others. In
// all 24 s of work take 6 s, the speed of four nodes.
func TestUnequalNodes(t *testing.T) {
	fast := level(2, 1, func(l *Level) { l.Speeds = []float64{1, 3} })
	inner := level(3, 1, func(l *Level) { l.Counts = []int{1, 3} })
	for name, c := range map[string]Config{
		"speeds":            {Machine: Machine{fast}, Work: Work{SIs: []int{8}, Time: 3}},
		"counts":            {Machine: Machine{level(2, 1, nil), inner}, Work: Work{SIs: []int{8, 3}, Time: 1}},
		"speeds of a group": {Machine: Machine{fast, level(1, 1, nil)}, Work: Work{SIs: []int{8, 3}, Time: 1}},
	} {
		r := mustRun(t, c)
		expect.That(t, r.Makespan == 6 && r.Work == 24 && r.Speedup() == 4,
			"%s: makespan %v, work %v, speedup %v; want 6 s, 24 s and 4", name, r.Makespan, r.Work, r.Speedup())
	}
}

// Groups of 1, 2 and 4 nodes of speeds 4, 2 and 1 take 7/4 s, 4/2 s and 2 s for 7 SIs of 1 s. Of the time of 7
// processors in 2 s the first group, of one, is without SIs for 1/4 s; a node of the second idles for 1/2 s and one of
// the third for 1 s.
func TestLossesOfUnequalGroups(t *testing.T) {
	r := mustRun(t, Config{Machine: Machine{
		level(3, 1, func(l *Level) { l.Speeds = []float64{4, 2, 1} }),
		level(4, 1, func(l *Level) { l.Counts = []int{1, 2, 4} }),
	}, Work: Work{SIs: []int{3, 7}, Time: 1}})
	for i, want := range []LevelResult{
		{Utilization: 55. / 56, Lost: Lost{End: 1. / 56}}, {Utilization: 49. / 56, Lost: Lost{End: 6. / 56}},
	} {
		got := r.Levels[i]
		expect.Close(t, got.Utilization, want.Utilization, 1e-15, "level %d: utilization", i+1)
		expect.Close(t, got.Lost.End, want.Lost.End, 1e-14, "level %d: lost to the end", i+1)
		expect.That(t, got.Lost.Transfer == 0 && got.Lost.Dispatch == 0, "level %d: loses %+v", i+1, got.Lost)
	}
}

// Groups 0 to 4 of 1, 3, 1, 3 and 1 nodes begin at nodes 0, 1, 4, 5 and 8.
func TestNumbersOfNodes(t *testing.T) {
	l := &Level{Nodes: 3, Counts: []int{1, 3}}
	for group, want := range []int{0, 1, 4, 5, 8, 9} {
		expect.Equal(t, l.before(group), want, "group %d begins at", group)
	}
	// 2 nodes of speeds 1 and 2, of 1 and 3 nodes of speeds 5, 7 and 5.
	m := Machine{
		level(2, 1, func(l *Level) { l.Speeds = []float64{1, 2} }),
		level(3, 1, func(l *Level) { l.Counts, l.Speeds = []int{1, 3}, []float64{5, 7} }),
	}
	nodes, speed := m.Totals()
	expect.That(t, nodes == 4 && speed == 5+2*(5+7+5), "%v nodes of speed %v", nodes, speed)
}

func TestUnequalMachinesAreBounded(t *testing.T) {
	m := Machine{level(1<<13, 1, nil), level(1<<12, 1, func(l *Level) { l.Counts = []int{1, 1 << 12} })}
	expect.Failure(t, m.validate(), "nodes that differ")
}
