package paper

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/experiments/report/html"
	"github.com/isoscale/isoscale/internal/expect"
)

func TestSizesOfDeviations(t *testing.T) {
	for _, tt := range []struct {
		c    Cell
		want string
	}{
		{Cell{Paper: 1, Deviation: 0.004, Verdict: Exact}, "+0.40 % equal"},
		{Cell{Paper: 1, Deviation: 0, Verdict: Rounding}, "+0.00 % equal"},
		{Cell{Paper: 1, Deviation: -0.02, Verdict: Rounding}, "-2.00 % slight"},
		{Cell{Paper: 1, Deviation: 0.0201, Verdict: Differs}, "+2.01 % small"},
		{Cell{Paper: 1, Deviation: 0.05, Verdict: Differs}, "+5.00 % small"},
		{Cell{Paper: 1, Deviation: -0.15, Verdict: Differs}, "-15.00 % medium"},
		{Cell{Paper: 1, Deviation: 9.89, Verdict: Differs}, "+989.00 % large"},
		{Cell{Paper: 1, Deviation: -1e-6, Verdict: Rounding}, "+0.00 % slight"},
		{Cell{Paper: 0, Deviation: 0.01, Verdict: Rounding}, "+0.01 slight"},
	} {
		expect.Equal(t, deviationText(tt.c), tt.want, "%+v", tt.c)
	}
}

// On the page of all papers every cell that deviates has its mark and nothing else has one, and the same papers give
// the same bytes.
func TestPage(t *testing.T) {
	r := expect.Value(Reproduce(t.Context(), papers(), nil))(t)
	var page, again bytes.Buffer
	expect.Success(t, html.Write(&page, r.Report()))
	expect.Success(t, html.Write(&again, r.Report()))
	expect.That(t, bytes.Equal(page.Bytes(), again.Bytes()), "two pages of one result differ")
	want := map[string]int{}
	for _, p := range r.Papers {
		for _, x := range p.Tables {
			for _, c := range x.Cells {
				want[sizes[sizeOf(c)].word]++
			}
			expect.That(t, strings.Contains(page.String(), x.ID) || len(x.Cells) == 0, "no table %s", x.ID)
		}
		for _, f := range p.Figures {
			expect.That(t, strings.Contains(page.String(), f.Title), "no figure %s", f.ID)
		}
	}
	for i, s := range sizes {
		got := strings.Count(page.String(), fmt.Sprintf(`<td class="num size size-%d">`, i))
		expect.That(t, got == want[s.word] && want[s.word] != 0,
			"%d cells are marked %s, want %d and some", got, s.word, want[s.word])
		expect.That(t, (s.limit <= 0 || strings.Count(page.String(), fmt.Sprintf("td.size-%d { --size: var(--heat-", i)) == 1),
			"no colour for %s", s.word)
	}
}

func TestNumber(t *testing.T) {
	for v, want := range map[float64]string{
		661353: "661353", 0.3: "0.3", math.Pi: "3.14159", 1e13: "1e+13", 18400000.5: "1.84e+07",
	} {
		expect.Equal(t, number(v), want, "%v", v)
	}
}

// Only values from a run or a model are drawn over the printed ones, if there are five of one unit.
func TestParityOfATable(t *testing.T) {
	cell := func(column string, paper, ours float64, how How) Cell {
		return Cell{Row: "1", Column: column, Paper: paper, Ours: ours, How: how}
	}
	cells := []Cell{
		cell("T [ms]", 10, 11, Simulated), cell("T [ms]", 20, 19, Simulated), cell("U [ms]", 30, 30, Simulated), cell("T [ms]", 40, 44, Simulated), cell("T [ms]", 45, 45, Simulated),
		cell("T [ms]", 50, 50, Recomputed), cell("T [ms]", 0, 1, Simulated),
	}
	c := (&Table{ID: "t", Cells: cells}).parityChart()
	expect.Need(t, c != nil, "no chart of five values")
	expect.That(t, c.Title == "Simulated over published values" && c.X.Unit == "ms",
		"%q in %s; want simulated over published values in ms", c.Title, c.X.Unit)
	want := []report.Series{{Name: "T", X: []float64{10, 20, 40, 45}, Y: []float64{11, 19, 44, 45}}, {Name: "U", X: []float64{30}, Y: []float64{30}}, {Name: "equal", X: []float64{10, 45}, Y: []float64{10, 45}}}
	expect.That(t, slices.EqualFunc(c.Series, want, func(a, b report.Series) bool {
		return a.Name == b.Name && slices.Equal(a.X, b.X) && slices.Equal(a.Y, b.Y)
	}), "series %+v; want %+v", c.Series, want)
	c = (&Table{Cells: cells[:4]}).parityChart()
	expect.That(t, c == nil, "four values have a chart")
	c = (&Table{Cells: append(cells[:5:5], cell("N [rank]", 5, 5, Simulated))}).parityChart()
	expect.That(t, c == nil, "values of two units have one chart")
}
