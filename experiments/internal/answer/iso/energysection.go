package iso

import (
	"fmt"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/page"
	"github.com/isoscale/isoscale/experiments/report"
)

// energySection has the energy of a run on each system at the target, and the work for
// each joule, which compares runs of different work. It is nil unless the energy on all
// systems is known.
func (r *Result) energySection() *report.Section {
	var names []string
	var energies, works []float64
	var assumed []string
	for i, s := range r.Systems {
		if s.Energy == nil {
			return nil
		}
		names = append(names, fmt.Sprintf("%s (p = %d)", s.Name, s.Processes))
		energies = append(energies, *s.Energy)
		works = append(works, s.Work / *s.Energy)
		for _, text := range r.details[i].solution.Energy.Assumed {
			if !slices.Contains(assumed, text) {
				assumed = append(assumed, text)
			}
		}
	}
	section := &report.Section{
		Heading: "Energy",
		Text:    []string{"Of the nodes that take part, from the start to the end of a run at the target, without cooling. The work grows from system to system, so that the work for each joule tells which needs least for its work."},
		Blocks: []report.Block{
			energyBars("Energy of a run at the target", "energy of a run", "J", "least", names, energies, func(a, b float64) bool { return a < b }),
			energyBars("Work for each joule at the target", "work for each joule", "flop/J", "most", names, works, func(a, b float64) bool { return a > b }),
		},
	}
	if len(assumed) > 0 {
		section.Blocks = append(section.Blocks, &report.Notes{Items: assumed})
	}
	return section
}

// energyBars says which system is the best of all by what better compares.
func energyBars(title, quantity, unit, extreme string, names []string, values []float64, better func(a, b float64) bool) *report.BarChart {
	best := 0
	for i, v := range values {
		if better(v, values[best]) {
			best = i
		}
	}
	shown := page.Display(unit, values...)
	return &report.BarChart{
		Title:      title,
		Caption:    fmt.Sprintf("The %s is %.4g %s, on %s.", extreme, values[best]*shown.Factor, shown.Unit, names[best]),
		X:          report.Axis{Title: "system and its processes p", Unit: report.Dimensionless},
		Y:          report.Axis{Title: quantity, Unit: shown.Unit},
		Categories: names,
		Series:     []report.BarSeries{{Name: quantity, Values: shown.All(values)}},
	}
}
