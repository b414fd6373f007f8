package sweep

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/internal/each"
)

// Describe shows a plan in full.
func (p *Plan) Describe() *input.Description {
	d := &input.Description{Kind: "sweep plan", Name: p.file, Title: p.About.Title}
	d.Facts.Add("points", p.Design.Points())
	d.Facts.Add("design", strings.ReplaceAll(p.Design.Kind, "_", " "))
	if s := p.Search; s != nil {
		d.Facts.Add("search", fmt.Sprintf("%s of %d", input.Plural(s.Points, "configuration"), p.Design.Configurations()), s.Describe())
	}
	repetitions := ""
	if p.Design.More > 0 {
		repetitions = fmt.Sprintf("and up to %d more runs of what may be the best", p.Design.More)
	}
	d.Facts.Add("repetitions", p.Design.Repetitions, repetitions)
	if x := p.Perturb; x != nil {
		d.Facts.Add("perturbed", strings.Join(x.Fields, ", "), fmt.Sprintf("by up to %.3g %%, except in the first repetition", 100*x.By))
	}
	d.Facts.Add("seed", p.Design.Seed)
	goal := "minimize "
	if p.About.Objective.Maximize {
		goal = "maximize "
	}
	d.Facts.Add("objective", goal+p.About.Objective.Response, "by "+p.About.Objective.Size)
	d.Facts.Add("cost", p.About.Objective.Cost)
	for _, name := range slices.Sorted(maps.Keys(p.About.Labels)) {
		d.Facts.Add("label", name+": "+p.About.Labels[name])
	}
	if c := p.About.Compare; c != nil {
		d.Facts.Add("compared", c)
	}
	for _, c := range p.Design.Conditions {
		d.Facts.Add("excluded", c.Text, fmt.Sprintf("%d points", c.Removes))
	}
	for _, f := range p.Study.derived.fields {
		d.Facts.Add("derived", f.name+" = "+f.text)
	}
	for i := range p.Probes {
		d.Facts.Add("probe", p.Probes[i].Name+": "+p.Probes[i].Sets())
	}
	d.Tables = []input.DataTable{
		{Title: "factors", Columns: []string{"factor", "sets", "levels", "from", "to"}, Rows: p.FactorRows()},
		{Title: "outcomes", Columns: []string{"outcome", "unit", "meaning"}, Rows: p.OutcomeRows()},
	}
	d.Notes = p.Warnings
	return d
}

// Size says how many points the plan has, or how many of them a search simulates.
func (p *Plan) Size() string {
	n := p.Design.Points()
	if p.Search != nil {
		return fmt.Sprintf("a search with %d of %s", p.points(), input.Plural(n, "point"))
	}
	text := fmt.Sprintf("%d points", n)
	if p.Design.More > 0 {
		text += fmt.Sprintf(" and up to %d more", p.Design.More)
	}
	return text
}

// Extent says how many points there are, of which factors.
func (s *Study) Extent() string {
	text := s.Design.Extent()
	if s.Search != nil {
		text = fmt.Sprintf("%d simulated of %s", s.Search.Points, text)
	}
	for _, x := range s.only {
		f := &s.Design.Factors[x.factor]
		text += fmt.Sprintf("; only %s = %s", f.Name, f.Text(x.level))
	}
	return text
}

// FactorRows says for each factor what it sets, how many levels it has, and the ends. A free factor sets only what
// formulas make of it.
func (s *Study) FactorRows() [][]string {
	var rows [][]string
	for i := range s.Design.Factors {
		f := &s.Design.Factors[i]
		sets := strings.Join(f.Paths, ", ")
		if slices.Contains(s.derived.free, sets) {
			sets = "what is derived"
		}
		rows = append(rows, []string{f.Name, sets, fmt.Sprint(f.Len()), f.Text(0), f.Text(f.Len() - 1)})
	}
	return rows
}

// OutcomeRows gives the unit and the meaning of each outcome.
func (s *Study) OutcomeRows() [][]string {
	return each.Append(nil, s.outcomes, func(o system.Outcome) []string {
		return []string{o.Name, cmp.Or(o.Unit, "1"), o.Meaning}
	})
}
