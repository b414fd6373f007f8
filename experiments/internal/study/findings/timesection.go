package findings

import (
	"fmt"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/page"
	"github.com/isoscale/isoscale/experiments/internal/study/design"
	"github.com/isoscale/isoscale/experiments/internal/study/effects"
	"github.com/isoscale/isoscale/experiments/internal/study/studytable"
	"github.com/isoscale/isoscale/experiments/report"
)

// mostBars is how many numbers of processes a chart of bars shows.
const mostBars = 32

// timeSection splits the time over the number of processes into what ranks do, and has
// the energy over it if that is known. It is nil if no factor changes that number.
func (r *sections) timeSection() *report.Section {
	if r.Study.Design.Kind != design.Factorial {
		return nil // points that differ in one factor alone were not simulated
	}
	ladder, choice := r.overProcesses()
	if len(ladder) < 2 {
		return nil
	}
	var runs []page.Parts
	var times []float64
	best := slices.IndexFunc(ladder, func(x rung) bool { return slices.Equal(x.rows[0].Levels, r.Reference.At) })
	for _, k := range thinned(len(ladder), mostBars, max(best, 0)) {
		x := ladder[k]
		p := page.Parts{Name: fmt.Sprintf("p = %.6g", x.of(system.Processes)), Compute: x.of(system.Compute), Overhead: x.of(system.Overhead), Wait: x.of(system.Wait)}
		runs, times = append(runs, p), append(times, p.Time())
	}
	s := &report.Section{
		Heading: "Time and energy over processes",
		Text:    []string{"Factors that do not change the number of processes are as at the best point."},
		Blocks:  []report.Block{page.TimeBars("Time over processes by what ranks do", "processes p", runs)},
	}
	if choice {
		s.Text[0] += fmt.Sprintf(" Where several configurations have as many processes, the one with the %s %s is shown.", r.Wanted(), r.Response.Name)
	}
	if len(runs) < len(ladder) {
		s.Text = append(s.Text, fmt.Sprintf("%d of %d numbers of processes have a bar.", len(runs), len(ladder)))
	}
	if page.Wide(times) {
		s.Blocks = append(s.Blocks, page.ShareBars("Shares of the time over processes", "processes p", runs))
	}
	energies := r.energyOver(ladder)
	if s.Blocks = append(s.Blocks, energies...); len(energies) == 0 {
		s.Heading = "Time over processes"
	}
	return s
}

// A rung is a configuration on a number of processes.
type rung struct {
	sections *sections
	rows     []studytable.Row // its repetitions
}

// of is the mean of an outcome over the repetitions.
func (x rung) of(outcome string) float64 {
	k, err := x.sections.Table.ResponseIndex(outcome)
	if err != nil {
		panic("sweep: scenarios have no outcome " + outcome)
	}
	sum := 0.0
	for _, row := range x.rows {
		sum += row.Values[k]
	}
	return sum / float64(len(x.rows))
}

// overProcesses returns the best configuration of each number of processes, from the
// fewest to the most, with factors that do not change that number as at the best point;
// nothing if the points have no processes. There is a choice if several configurations
// have as many.
func (r *sections) overProcesses() (ladder []rung, choice bool) {
	changes, err := effects.Changes(r.Table, system.Processes)
	if err != nil {
		return nil, false // super-programs have none
	}
	rows := make(map[int]studytable.Row)
	for _, row := range r.Table.Rows {
		rows[row.Point] = row
	}
	known := make(map[float64]bool)
	for _, c := range r.Ranking { // the best first
		off := func(k int) bool { return !changes[k] && c.Levels[k] != r.Reference.At[k] }
		if slices.ContainsFunc(r.Strongest(), off) {
			continue
		}
		x := rung{sections: r}
		for _, p := range c.Points {
			x.rows = append(x.rows, rows[p])
		}
		p := x.of(system.Processes)
		if known[p] {
			choice = true
			continue
		}
		known[p] = true
		ladder = append(ladder, x)
	}
	slices.SortFunc(ladder, func(a, b rung) int { return int(a.of(system.Processes) - b.of(system.Processes)) })
	return ladder, choice
}

// energyOver has the energy of a run over the number of processes and, where all do the
// same work, its product with the time; nothing if the energy is not known.
func (r *sections) energyOver(ladder []rung) []report.Block {
	if _, err := r.Table.ResponseIndex(system.Energy); err != nil {
		return nil
	}
	energy, product := page.Bill{Name: "best configuration"}, page.Bill{Name: "best configuration"}
	sameWork := true
	for _, x := range ladder {
		p, e := x.of(system.Processes), x.of(system.Energy)
		if !(e > 0) {
			return nil
		}
		energy.Add(p, e)
		product.Add(p, e*x.of(system.Time))
		sameWork = sameWork && x.of(system.Work) == ladder[0].of(system.Work)
	}
	blocks := []report.Block{page.BillChart("Energy over processes", "energy of a run", "J", []page.Bill{energy})}
	if sameWork {
		blocks = append(blocks, page.BillChart("Energy-delay product over processes", "energy times time of a run", "J s", []page.Bill{product}))
	}
	return blocks
}
