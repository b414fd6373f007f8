package findings

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/page"
	"github.com/isoscale/isoscale/experiments/internal/study/analysis"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/internal/each"
)

// Limit is a change of the scenario and what it saves.
type Limit struct {
	Probe  string  `json:"probe"`
	Sets   string  `json:"sets"`
	AtBest float64 `json:"saved_at_best"` // share of the time of the best point
	// Most counts the configurations at which no other probe saves more, and Mean is the mean share over all.
	Most int     `json:"most"`
	Mean float64 `json:"mean"`

	column int
}

// LimitsAt are the limits at the points with one level of a factor without order.
type LimitsAt struct {
	Factor string  `json:"factor,omitempty"` // empty: all points
	Level  string  `json:"level,omitempty"`
	Of     int     `json:"of"` // configurations that some probe makes faster
	Limits []Limit `json:"limits"`

	factor, level int // indices; -1, 0: all points
	idle, tied    int // points that no probe makes faster, and points that several make equally fast
}

func (l Limit) in(row analysis.Row) float64 { return row.Values[l.column] }

// Loss is a cause of lost time at a level of super-programs.
type Loss struct {
	Level   int    `json:"level"`   // from 1
	Cause   string `json:"cause"`   // transfers, dispatching or end
	Largest int    `json:"largest"` // points where no other loss is larger

	column int // index in the table of its share
}

func (l Loss) String() string              { return fmt.Sprintf("%s at level %d", l.Cause, l.Level) }
func (l Loss) in(row analysis.Row) float64 { return row.Values[l.column] }

// largest returns which elements have the largest share of a row above the least, and that share: none, one, or several
// that are equal but for rounding.
func largest[T interface{ in(analysis.Row) float64 }](
	of []T, row analysis.Row, least float64,
) (at []int, share float64) {
	share = each.Max(least, of, func(x T) float64 { return x.in(row) })
	for i, x := range of {
		if v := x.in(row); v > least && share-v <= Rounding*share {
			at = append(at, i)
		}
	}
	return at, share
}

// findLimits evaluates the probes: for each level of the factors without order, such as networks, or for all points if
// there are no such factors.
func (r *Result) findLimits() {
	if len(r.Study.Probes) == 0 {
		return
	}
	for i := range r.Table.Factors {
		f := &r.Table.Factors[i]
		if f.Numeric || len(f.Levels) < 2 {
			continue
		}
		for l := range f.Levels {
			r.limitsWhere(LimitsAt{Factor: f.Name, Level: f.Text(l), factor: i, level: l})
		}
	}
	if r.Limits == nil {
		r.limitsWhere(LimitsAt{factor: -1})
	}
}

// limitsWhere adds the limits of the points with a level of a factor, if there are any.
func (r *Result) limitsWhere(x LimitsAt) {
	goal := slices.Clone(r.Reference.At)
	if x.factor >= 0 {
		goal[x.factor] = x.level
	}
	for i := range r.Study.Probes {
		p := &r.Study.Probes[i]
		column, err := r.Table.ResponseIndex(p.Column())
		if err != nil {
			return
		}
		x.Limits = append(x.Limits, Limit{Probe: p.Name, Sets: p.Sets(), column: column})
	}
	n, best := 0, 0.0 // rows, and the largest share of the best point
	for _, row := range r.Table.Rows {
		v := row.Values[x.Limits[0].column]
		if v != v || x.factor >= 0 && row.Levels[x.factor] != x.level {
			continue
		}
		n++
		atBest := slices.Equal(row.Levels, goal)
		if atBest {
			best++
		}
		for i := range x.Limits {
			l := &x.Limits[i]
			l.Mean += l.in(row)
			if atBest {
				l.AtBest += l.in(row)
			}
		}
		at, _ := largest(x.Limits, row, worthSaving)
		for _, i := range at {
			x.Limits[i].Most++
		}
		switch len(at) {
		case 0:
			x.idle++
			continue
		case 1:
		default:
			x.tied++
		}
		x.Of++
	}
	if n == 0 {
		return
	}
	for i := range x.Limits {
		x.Limits[i].Mean /= float64(n)
		x.Limits[i].AtBest /= max(best, 1)
	}
	slices.SortStableFunc(x.Limits, func(a, b Limit) int { return cmp.Or(b.Most-a.Most, cmp.Compare(b.Mean, a.Mean)) })
	r.Limits = append(r.Limits, x)
}

// worthSaving is the least share of the time for which a change counts.
const worthSaving = 0.001

// findLosses counts where configurations with dispatching lose most.
func (r *Result) findLosses() {
	for _, o := range r.Study.Outcomes() {
		column, err := r.Table.ResponseIndex(o.Name)
		switch {
		case err != nil:
		case o.Lost != "":
			r.Losses = append(r.Losses, Loss{Level: o.Level, Cause: o.Lost, column: column})
		case o.OfDispatch:
			r.dispatch = column
		}
	}
	for _, row := range r.Table.Rows {
		at, _ := r.largestLoss(row)
		for _, i := range at {
			r.Losses[i].Largest++
		}
		if len(at) > 0 {
			r.losing++
		}
	}
}

// largestLoss returns the largest losses of a dispatched point, and their share of the time; none if it was not
// dispatched, failed or lost nothing.
func (r *Result) largestLoss(row analysis.Row) (at []int, share float64) {
	if len(r.Losses) == 0 || math.IsNaN(row.Values[r.dispatch]) {
		return nil, 0
	}
	return largest(r.Losses, row, 0)
}

// LimitsInWords says which change saves most. The true limit may be something that no probe changes.
func (r *Result) LimitsInWords() []string {
	var lines []string
	for _, x := range r.Limits {
		text := "Of the changes that were tried"
		if x.Factor != "" {
			text += fmt.Sprintf(" with %s = %s", x.Factor, x.Level)
		}
		var most, means []string
		of := " of " + input.Plural(x.Of, "point")
		for _, l := range x.Limits {
			if l.Most > 0 {
				most = append(most, fmt.Sprintf("%s at %d%s", l.Probe, l.Most, of))
				of = ""
			}
			means = append(means, fmt.Sprintf("%s %.1f %%", l.Probe, 100*l.Mean))
		}
		if most == nil {
			lines = append(lines, text+", none saves a thousandth of the time of any point.")
			continue
		}
		text += ", the one that saves most is " + strings.Join(most, ", ")
		if x.tied > 0 {
			text += fmt.Sprintf("; at %d of them several save as much", x.tied)
		}
		if x.idle > 0 {
			text += fmt.Sprintf("; at %d more none saves a thousandth of the time", x.idle)
		}
		text += ". Average share of the time saved: " + strings.Join(means, ", ") + "."
		lines = append(lines, text)
	}
	return lines
}

// LossesInWords says where most is lost: the three most frequent losses.
func (r *Result) LossesInWords() []string {
	some := slices.DeleteFunc(slices.Clone(r.Losses), func(l Loss) bool { return l.Largest == 0 })
	slices.SortStableFunc(some, func(a, b Loss) int { return b.Largest - a.Largest })
	if len(some) == 0 {
		return nil
	}
	text := fmt.Sprintf("The largest loss is to %v at %d of %s", some[0], some[0].Largest, input.Plural(r.losing, "point"))
	for _, l := range some[1:min(3, len(some))] {
		text += fmt.Sprintf(", to %v at %d", l, l.Largest)
	}
	return []string{text + "."}
}

// maxLossSide is the number of levels of a factor up to which each point is drawn.
const maxLossSide = 40

// drawable returns the factors of a chart that shows each point.
func (r *sections) drawable() (x, y int, ok bool) {
	x, y, ok = r.Mapped()
	return x, y, ok && max(len(r.Table.Factors[x].Levels), len(r.Table.Factors[y].Levels)) <= maxLossSide
}

// lossSection shows what each point of the map loses most.
func (r *sections) lossSection() *report.Section {
	x, y, ok := r.drawable()
	words := r.LossesInWords()
	if !ok || words == nil {
		return nil
	}
	names := each.Of(r.Losses, Loss.String)
	seen := map[[2]int]bool{} // of repetitions only the first is shown
	chart := r.scatterOver("Largest loss", r.Study.AtDispatch(r.slice(x, y)), x, y, names, func(row analysis.Row) (int, string) {
		i, share := r.largestLoss(row)
		levels := [2]int{row.Levels[x], row.Levels[y]}
		if i == nil || seen[levels] {
			return -1, ""
		}
		seen[levels] = true
		return i[0], fmt.Sprintf("%.1f %% of the time%s", 100*share, asMuch(i, names))
	})
	if len(chart.Series) == 0 {
		return nil
	}
	chart.Caption = "Each point is a configuration; its colour and shape say what most of its processors' time is " +
		"lost to, and its text how much." + chart.Caption
	return &report.Section{Heading: "Why: the largest loss", Text: words, Blocks: []report.Block{chart}}
}

// limitSection draws which probe saves most over the factors of the map, with a chart for each level of the factors
// without order.
func (r *sections) limitSection() *report.Section {
	if _, _, ok := r.Mapped(); !ok || r.Limits == nil {
		return nil
	}
	s := &report.Section{Heading: "What limits", Text: r.LimitsInWords()}
	t := &report.Table{Title: "The changes that were tried", Columns: []report.Column{text("probe"), text("sets")}}
	for i := range r.Study.Probes {
		t.Rows = append(t.Rows, []string{r.Study.Probes[i].Name, r.Study.Probes[i].Sets()})
	}
	if x, y, ok := r.drawable(); ok {
		for i := range r.Limits {
			if c := r.limitChart(&r.Limits[i], x, y); len(c.Series) > 0 {
				s.Blocks = append(s.Blocks, c)
			}
		}
	}
	s.Blocks = append(s.Blocks, t)
	return s
}

func (r *sections) limitChart(l *LimitsAt, x, y int) *report.ScatterChart {
	at := except(r.Reference.At, x, y)
	if l.factor >= 0 {
		at[l.factor] = l.level
	}
	names := each.Of(l.Limits, func(x Limit) string { return x.Probe })
	chart := r.scatterOver("What limits", at, x, y, names, func(row analysis.Row) (int, string) {
		i, share := largest(l.Limits, row, worthSaving)
		if i == nil {
			return -1, ""
		}
		return i[0], fmt.Sprintf("saves %.1f %% of the time%s", 100*share, asMuch(i, names))
	})
	chart.Caption = "Each point is a simulation; its colour and shape say which change saves most time, and its text how much." + chart.Caption
	if l.Factor != "" {
		chart.Title += ", " + l.Factor + " = " + l.Level
	}
	return chart
}

// asMuch adds that other elements have the same share as the first.
func asMuch(at []int, names []string) string {
	text := ""
	for _, i := range at[1:] {
		text += ", as much as " + names[i]
	}
	return text
}

// scatterOver returns a chart over two factors of the configurations of a slice; its caption names the levels of the
// others. Each of the names is a series; of returns the series of a row, or -1 for none, and a note about the row.
// Names without a row are left out.
func (r *sections) scatterOver(
	what string, at []int, x, y int, names []string, of func(analysis.Row) (int, string),
) *report.ScatterChart {
	fx, fy := &r.Table.Factors[x], &r.Table.Factors[y]
	series := make([]report.ScatterSeries, len(names))
	for _, row := range r.Table.Rows {
		if !analysis.Matches(row.Levels, at) {
			continue
		}
		i, notes := of(row)
		if i < 0 {
			continue
		}
		series[i].Name = names[i]
		series[i].Points = append(series[i].Points, report.ScatterPoint{
			Name: r.Describe(row.Levels), X: fx.Levels[row.Levels[x]].Value, Y: fy.Levels[row.Levels[y]].Value, Notes: notes,
		})
	}
	series = slices.DeleteFunc(series, func(s report.ScatterSeries) bool { return len(s.Points) == 0 })
	chart := scatter(r.axis(fx.Name, fx.Unit), r.axis(fy.Name, fy.Unit), page.ByRatio, series...)
	chart.Title, chart.Caption = r.over(what, x, y), r.fixed(at)
	return chart
}
