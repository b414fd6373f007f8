package system

import (
	"context"
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/internal/expect"
)

func runSuper(t *testing.T, text string) *SuperProgramResult {
	t.Helper()
	_, s, err := scenario.Disk.ReadRunnable(expect.File(t, "super.yaml", text), nil)
	expect.Success(t, err)
	return expect.Value(RunSuperProgram(context.Background(), s, nil))(t)
}

// Table I of [Jin] has log2 of the speedup with five digits.
func TestSuperProgramIsTableI(t *testing.T) {
	f := expect.Value(os.Open("../../paper/data/jin_table1.csv"))(t)
	defer f.Close()
	lines := csv.NewReader(f)
	lines.Comment = '#'
	rows := expect.Value(lines.ReadAll())(t)
	compared := 0
	for _, row := range rows[1:] {
		for i, text := range row[1:] {
			r1 := strings.TrimPrefix(rows[0][1+i], "r1=")
			r := runSuper(t, fmt.Sprintf("workload: super-program\nlog2_levels: [%s, %s]\ntasks: [512, 512]\nimbalance: [0.9, 0.7]\n", r1, row[0]))
			_, decimals, _ := strings.Cut(text, ".")
			expect.Equal(t, strconv.FormatFloat(r.Log2Speedup, 'f', len(decimals), 64), text, "r1 = %s, r2 = %s", r1, row[0])
			compared++
		}
	}
	expect.That(t, compared == 100, "compared %d of 100 cells", compared)
}

// With speeds, the time is that of the formula divided by the speed. Two nodes take 2 s and 1 s for
// an SI: at 2 s the first has done one and the second two, and at 4 s all 6 are done, which take
// 12 s in total at speed 1.
func TestSuperProgram(t *testing.T) {
	for _, tt := range []struct {
		name, text                   string
		nodes, speed, speedup, time_ float64
	}{
		{"one node", "levels: [1]\ntasks: [10]\nimbalance: [0.5]", 1, 1, 1, 10},
		// C = (10 + 0.5*(4-1))/4
		{"one level", "levels: [4]\ntasks: [10]\nimbalance: [0.5]\ntime: 2 s", 4, 4, 40 / 11.5, 2 * 11.5 / 4},
		{"growing work", "levels: [2, 4]\ntasks: [8, 8*n2^1.5]\nimbalance: [0, 0]", 8, 8, 8, 4 * 16},
		// 10 SIs on 4 nodes take 3 rounds.
		{"dispatched", "levels: [4]\ntasks: [10]\nmethod: dispatch\ntime: 2 s", 4, 4, 10. / 3, 6},
		// Each of 3 SIs on 2 nodes is 5 SIs on 2 nodes: 2 rounds of 3.
		{"dispatched on two levels", "levels: [2, 2]\ntasks: [3, 5]\nmethod: dispatch", 4, 4, 15. / 6, 6},
		// The dispatch unit hands out an SI a second: SI i of 4 starts at i and ends at i + 2.
		{"dispatch takes time", "levels: [4]\ntasks: [4]\nmethod: dispatch\ntime: 2 s\ndispatch: {time: 1 s}", 4, 4, 8. / 6, 6},
		{"formula", "levels: [4]\ntasks: [10]\nimbalance: [0.5]\nspeeds: [2]", 4, 8, 2 * 40 / 11.5, 11.5 / 4 / 2},
		{"formula, all alike", "levels: [2, [4, 4]]\ntasks: [2, 4]\nimbalance: [0, 0]\nspeeds: [[3, 3], 1]", 8, 24, 24, 8. / 24},
		{"node speeds", "levels: [2]\ntasks: [6]\nmethod: dispatch\ntime: 2 s\nspeeds: [[1, 2]]", 2, 3, 3, 4},
		{"speeds of branches", "levels: [2, 1]\ntasks: [6, 1]\nmethod: dispatch\ntime: 2 s\nspeeds: [[1, 2], 1]", 2, 3, 3, 4},
		{"counts", "levels: [2, [1, 2]]\ntasks: [6, 2]\nmethod: dispatch", 3, 3, 3, 4},
		// The two readings of [[4, 8], 4], in full. One SI for each cluster; 8 SIs of the
		// next level take 2 rounds on 4 subclusters and 1 on 8, of 1 s each.
		{"4 and 8 of 4", "levels: [2, [4, 8], 4]\ntasks: [2, 8, 4]\nmethod: dispatch", 48, 48, 64. / 2, 2},
		{"4, 8, 4, 8", "levels: [4, [4, 8]]\ntasks: [4, 8]\nmethod: dispatch", 24, 24, 32. / 2, 2},
		// n2 is the mean of 1, 2 and 1.
		{"mean count", "levels: [3, [1, 2]]\ntasks: [1, 3*n2]\nmethod: dispatch", 4, 4, 1, 4},
	} {
		r := runSuper(t, "workload: super-program\n"+tt.text+"\n")
		for what, x := range map[string][2]float64{
			"nodes": {r.Nodes, tt.nodes}, "speedup": {r.Speedup, tt.speedup}, "log2": {r.Log2Speedup, math.Log2(tt.speedup)},
			"time": {r.Time, tt.time_}, "efficiency": {r.Efficiency, tt.speedup / tt.speed},
		} {
			expect.Close(t, x[0], x[1], 1e-12, "%s: %s", tt.name, what)
		}
	}
	counts := runSuper(t, "workload: super-program\nlevels: [2, [1, 2]]\ntasks: [6, 2]\nmethod: dispatch\n")
	_, rows := counts.LevelTable()
	expect.That(t, rows[0][1] == "2" && rows[1][1] == "1, 2" && counts.Headline() == "super-program of 6 x 2 SIs on 2 x (1, 2) nodes, by dispatch",
		"%v, %s", rows, counts.Headline())
}

// 22.63 x 92681.9 SIs of 1 s become 23 x 92682: 2131686 s of work, which is more by the
// factor 23/22.63 x 92682/92681.9 = 1.01635. The formula allows fractions of SIs.
func TestRoundedTasksAreTold(t *testing.T) {
	read := func(method string) *SuperProgramResult {
		return runSuper(t, "workload: super-program\nlevels: [1, 1]\ntasks: [22.63, 92681.9]\nimbalance: [0, 0]\nmethod: "+method+"\n")
	}
	r := read("dispatch")
	want := []string{"22.63 x 92681.9 SIs are simulated as 23 x 92682 whole ones, which changes the work by +1.6 %"}
	expect.That(t, slices.Equal(r.Warnings, want) && r.Work == 2131686 && r.Speedup == 1,
		"warnings %q, work %v s, speedup %v", r.Warnings, r.Work, r.Speedup)
	r = read("formula")
	expect.That(t, len(r.Warnings) == 0 && math.Abs(r.Work/(22.63*92681.9)-1) <= 1e-15, "formula: warnings %q, work %v s", r.Warnings, r.Work)
}

// By formula, 1 SI takes (1 + 0.7 (4 - 1))/4 = 0.775 of its time on 4 nodes, and (1 + 0.9 (8 - 1))/8 = 0.9125 on 8,
// though it can only be on one. With c = 1 no level takes less than an SI does. 1 whole SI is twice half of one.
func TestCautionsOfSuperPrograms(t *testing.T) {
	for keys, want := range map[string][]string{
		"tasks: [1, 1]\nimbalance: [0.9, 0.7]": {"1 SIs of level 2 on 4 nodes take 0.775 of the time of one by the formula, " +
			"which does not hold for so few"},
		"tasks: [1, 4]\nimbalance: [1, 0]":   {},
		"tasks: [0.5, 1]\nimbalance: [1, 1]": {},
		"tasks: [0.5, 10]\nmethod: dispatch": {"0.5 x 10 SIs are simulated as 1 x 10 whole ones, which changes the work by +100 %"},
	} {
		r := runSuper(t, "workload: super-program\nlevels: [8, 4]\n"+keys+"\n")
		expect.That(t, slices.Equal(r.Warnings, want), "%s: %q, want %q", keys, r.Warnings, want)
	}
}

// By formula, level i has e_i = w/(w + c (n-1)): 4/(4+3) and 6/(6+1) here, so level 1
// loses 3/7 and level 2 1/7 of the remaining 4/7. What is left is the efficiency.
func TestLossesOfTheFormula(t *testing.T) {
	r := runSuper(t, "workload: super-program\nlevels: [4, 2]\ntasks: [4, 6]\nimbalance: [1, 1]\n")
	for i, want := range []struct{ busy, end float64 }{{4. / 7, 3. / 7}, {24. / 49, 4. / 49}} {
		l := r.Levels[i]
		expect.That(t, math.Abs(l.Busy-want.busy) <= 1e-15 && math.Abs(l.Lost.End-want.end) <= 1e-15 &&
			l.Lost.Transfer == 0 && l.Lost.Dispatch == 0 && l.Dispatched == nil,
			"level %d: %+v, want busy %v and %v lost at the end", i+1, l, want.busy, want.end)
	}
	expect.Near(t, r.Levels[1].Busy, r.Efficiency, 1e-14, "busy, as the efficiency")
	got, want := r.Why(),
		"The largest loss is to the end, with no SI left, at level 1: 42.9 % of the time of all processors."
	expect.That(t, got == want, "%q, want %q", got, want)
}

// By formula a level of w SIs on n nodes is busy for w/(w + n - 1) of its time: 3 on 4 for 1/2, and 1 on 2
// for 1/2 of that. 6 on 3 are busy for 3/4 and 2 on 2 for 2/3 of that, so both levels lose 1/4.
func TestLossesInWords(t *testing.T) {
	for levels, want := range map[string]string{
		"levels: [4, 2]\ntasks: [3, 1]": "The largest loss is to the end, with no SI left, at level 1: 50.0 % of the time of all " +
			"processors.",
		"levels: [3, 2]\ntasks: [6, 2]": "The largest loss is to the end, with no SI left, at level 1: 25.0 % of the time of all " +
			"processors; 2 losses are this large.",
		"levels: [1, 1]\ntasks: [3, 1]": "Nothing is lost: all processors execute SIs all the time.",
		// 1/(4000 + 1) is lost.
		"levels: [2, 1]\ntasks: [4000, 1]": "Each loss is less than 0.1 % of the time of all processors.",
	} {
		r := runSuper(t, "workload: super-program\n"+levels+"\nimbalance: [1, 1]\n")
		expect.Equal(t, r.Why(), want, "%s", levels)
	}
}

// One group of one node, separate from the dispatch unit: each of 4 SIs takes 1 s to get
// there, 2 s to compute and 1 s to get back; dispatching takes no time.
func TestLossesOfDispatch(t *testing.T) {
	r := runSuper(t, "workload: super-program\nlevels: [1]\ntasks: [4]\nmethod: dispatch\ntime: 2 s\ndispatch: {dispatcher: separate, latency: 1 s}\n")
	l := r.Levels[0]
	expect.That(t, l.Busy == 0.5 && l.Lost == (SuperLoss{Transfer: 0.5}) &&
		*l.Dispatched == (SuperTimes{SIs: 4, Busy: 8, Idle: 8, Transfer: 8}),
		"%+v %+v", l, l.Dispatched)
	values := map[string]float64{}
	for _, o := range superOutcomesOf(2) {
		values[o.Name] = o.value(r)
	}
	expect.That(t, values["transfer_1"] == 2 && values["lost_transfer_1"] == 0.5 && values["dispatch_wait_1"] == 0 &&
		math.IsNaN(values["busy_2"]),
		"outcomes %v", values)
}
