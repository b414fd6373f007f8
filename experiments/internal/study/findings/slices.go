package findings

import (
	"fmt"
	"math"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/page"
	"github.com/isoscale/isoscale/experiments/internal/study/analysis"
	"github.com/isoscale/isoscale/experiments/internal/study/studytable"
	"github.com/isoscale/isoscale/experiments/report"
)

const (
	mostSlices     = 64
	mostSliceCells = 40_000
)

// A drawing says what maps over two factors show.
type drawing struct {
	table    *studytable.Table
	response string // of the table, in the unit of the objective
	name     string // of what the colours are
	layers   func(g *analysis.Grid, x, y int, at []int) []report.Layer
	caption  string // of the layers
}

// slicesBlock shows the map at all levels of further factors, with a slider for each;
// nil if there are none, or too many maps. Of many factors it takes the strongest.
func (r *sections) slicesBlock(d drawing) *report.Slices {
	start, x, y, ok := r.grid(d)
	if !ok {
		return nil
	}
	at := r.slice(x, y)
	var further []int
	maps, cells := 1, len(start.X.At)*len(start.Y.At)
	for _, k := range r.Strongest() {
		n := len(r.Table.Factors[k].Levels)
		if k == x || k == y || at[k] < 0 || n < 2 || maps*n > mostSlices || maps*n*cells > mostSliceCells {
			continue
		}
		further, maps = append(further, k), maps*n
	}
	if further == nil {
		return nil
	}
	slices.Sort(further)
	title := fmt.Sprintf("%s over %s and %s", d.name, r.label(r.Table.Factors[x].Name), r.label(r.Table.Factors[y].Name))
	block := &report.Slices{Title: title + ", at each level of the other factors"}
	for _, k := range further {
		order := r.ascending(k)
		v := report.Variable{Name: r.label(r.Table.Factors[k].Name)}
		for _, l := range order {
			v.Levels = append(v.Levels, r.LevelText(k, l))
		}
		block.Variables = append(block.Variables, v)
		block.Start = append(block.Start, slices.Index(order, at[k]))
	}
	low, high := math.Inf(1), math.Inf(-1)
	for i := range maps {
		here, rest, name := slices.Clone(at), i, ""
		for j := len(further) - 1; j >= 0; j-- {
			k := further[j]
			order := r.ascending(k)
			here[k] = order[rest%len(order)]
			rest /= len(order)
		}
		for _, k := range further {
			name += fmt.Sprintf(", %s = %s", r.label(r.Table.Factors[k].Name), r.LevelText(k, here[k]))
		}
		g := gridOf(d.table, d.response, x, y, here)
		if g == nil {
			block.Surfaces = append(block.Surfaces, nil)
			continue
		}
		r.show(g)
		if l, h := g.Extremes(); l <= h {
			low, high = min(low, l), max(high, h)
		}
		surface := r.surface(g)
		surface.Title = title + name
		surface.Layers = d.layers(g, x, y, here)
		block.Surfaces = append(block.Surfaces, surface)
	}
	if !(low < high) {
		return nil
	}
	for _, s := range block.Surfaces {
		if s != nil {
			s.Value = report.Axis{Title: r.label(r.Response.Name), Unit: page.Unit(r.shown.Unit), Min: &low, Max: &high, Log: low >= 1e-9 && high > 100*low}
		}
	}
	block.Caption = "All maps have the same scale of colours. " + d.caption
	return block
}

// ascending are the levels of a factor, ascending if they are numbers.
func (r *sections) ascending(k int) []int {
	f := &r.Table.Factors[k]
	all := make([]int, len(f.Levels))
	for l := range all {
		all[l] = l
	}
	if r.Study.Design.Factors[k].Numeric {
		slices.SortStableFunc(all, func(a, b int) int {
			switch x, y := f.Levels[a].Value, f.Levels[b].Value; {
			case x < y:
				return -1
			case x > y:
				return 1
			}
			return 0
		})
	}
	return all
}
