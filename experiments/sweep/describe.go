package sweep

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/isoscale/isoscale/experiments/input"
	"github.com/isoscale/isoscale/experiments/system"
)

// Describe shows a plan in full.
func (p *Plan) Describe() *input.Description {
	d := &input.Description{Kind: "sweep plan", Name: p.file, Title: p.About.Title}
	fact := func(name, value, note string) {
		d.Facts = append(d.Facts, input.Parameter{Name: name, Value: value, Note: note})
	}
	fact("points", fmt.Sprint(p.Design.Points()), "")
	fact("design", strings.ReplaceAll(p.Design.Kind, "_", " "), "")
	fact("repetitions", fmt.Sprint(p.Design.Repetitions), "")
	fact("seed", fmt.Sprint(p.Design.Seed), "")
	goal := "minimize "
	if p.About.Objective.Maximize {
		goal = "maximize "
	}
	fact("objective", goal+p.About.Objective.Response, "by "+p.About.Objective.Size)
	for _, c := range p.Design.Conditions {
		fact("excluded", c.Text, fmt.Sprintf("%d points", c.Removes))
	}
	factors := input.DataTable{Title: "factors", Columns: []string{"factor", "sets", "levels", "from", "to"}}
	for i := range p.Design.Factors {
		f := &p.Design.Factors[i]
		factors.Rows = append(factors.Rows, []string{f.Name, strings.Join(f.Paths, ", "), fmt.Sprint(f.Len()), levelText(f, 0), levelText(f, f.Len()-1)})
	}
	outcomes := input.DataTable{Title: "outcomes", Columns: []string{"outcome", "unit", "meaning"}}
	for _, o := range system.Outcomes(p.Template) {
		unit := cmp.Or(o.Unit, "1")
		outcomes.Rows = append(outcomes.Rows, []string{o.Name, unit, o.Meaning})
	}
	d.Tables = []input.DataTable{factors, outcomes}
	d.Notes = p.Warnings
	return d
}
