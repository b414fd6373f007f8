package iso

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/isoscale/isoscale/experiments/internal/answer/pool"
	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/page"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/model/scalability"
	"github.com/isoscale/isoscale/model/units"
)

// Psi is the scalability from one system to another.
type Psi struct {
	From string  `json:"from"`
	To   string  `json:"to"`
	Psi  float64 `json:"psi"`
	// Range has the least and the largest psi over all sizes that cross the target; nil: each system has one such size.
	Range        *[2]float64 `json:"psi_range,omitempty"`
	PsiPredicted *float64    `json:"psi_predicted"` // from T_o in closed form; null if that failed
	PsiCompared  *float64    `json:"psi_compared,omitempty"`
	// Growth is false if the marked speed of To is not larger than that of From: psi is
	// then no scalability, and is shown separately.
	Growth bool        `json:"growth"`
	EqualN []EqualSize `json:"equal_n"` // the sizes that hold the target on From and on To
}

// EqualSize is one problem on both systems of a step. The time of a system that cannot
// run the problem is nil.
type EqualSize struct {
	N    int      `json:"n"`
	From *float64 `json:"time_from_s"`
	To   *float64 `json:"time_to_s"`
}

// ratio is how many times as fast as From To is; nil without both times.
func (e EqualSize) ratio() *float64 {
	if e.From == nil || e.To == nil || *e.To == 0 {
		return nil
	}
	return new(*e.From / *e.To)
}

// pair is two systems that are compared, by their indices in the study.
type pair struct{ from, to int }

// ends returns the systems of smallest and largest marked speed; ok is false if all speeds are equal.
func (r *Result) ends() (p pair, ok bool) {
	speed := func(i int) float64 { return megaflops(r.details[i].curve.System.Placement.MarkedSpeed()) }
	for i := range r.details {
		if speed(i) < speed(p.from) {
			p.from = i
		}
		if speed(i) > speed(p.to) {
			p.to = i
		}
	}
	return p, speed(p.from) < speed(p.to)
}

// pairs returns the pairs of neighbours, and last that of the ends, if there is one.
func (r *Result) pairs() (all []pair) {
	for i := range len(r.details) - 1 {
		all = append(all, pair{i, i + 1})
	}
	if ends, grows := r.ends(); grows {
		all = append(all, ends)
	}
	return all
}

// findSteps compares neighbouring systems, and the smallest with the largest.
func (r *Result) findSteps(ctx context.Context) error {
	if err := r.simulateEqualSizes(ctx); err != nil {
		return err
	}
	for i, p := range r.pairs() {
		step, err := r.step(p)
		if err != nil {
			return err
		}
		if i == len(r.Systems)-1 {
			r.Ends = &step
			continue
		}
		if c := r.study.Compare; c != nil && i < len(c.Psi) {
			step.PsiCompared = &c.Psi[i]
		}
		if !step.Growth {
			a, b := r.Systems[p.from], r.Systems[p.to]
			r.Warnings = append(r.Warnings, fmt.Sprintf("%s to %s: the marked speed does not grow, from %.6g to "+
				"%.6g Mflop/s, so psi = %.3f is not a scalability; order the systems by marked speed",
				a.Name, b.Name, a.MarkedSpeed, b.MarkedSpeed, step.Psi))
		}
		r.Psi = append(r.Psi, step)
	}
	return nil
}

// simulateEqualSizes simulates, on both systems of each pair, the sizes that hold the
// target on either. A size that a system cannot run is missing in its curve.
func (r *Result) simulateEqualSizes(ctx context.Context) error {
	return pool.Each(len(r.details), 0, func(i int) error {
		for _, n := range r.sizesBesides(i) {
			// The problem of one system may be impossible on another, for example if it has
			// fewer rows than processes. That is an answer, not an error of the study.
			if _, err := r.details[i].curve.At(ctx, n); err != nil && ctx.Err() != nil {
				return err
			}
		}
		return nil
	}, nil)
}

// sizesBesides are the sizes known so far that hold the target on systems with which system i is compared.
func (r *Result) sizesBesides(i int) (all []int) {
	for _, p := range r.pairs() {
		if i != p.from && i != p.to {
			continue
		}
		if other := r.details[p.from+p.to-i].solution; other != nil {
			all = append(all, other.N)
		}
	}
	return all
}

// step compares two systems.
func (r *Result) step(p pair) (Psi, error) {
	a, b := &r.details[p.from], &r.details[p.to]
	psi, err := scalability.IsospeedEfficiency(operatingPoint(a), operatingPoint(b))
	if err != nil {
		return Psi{}, err
	}
	s := Psi{From: a.name, To: b.name, Psi: psi, Growth: b.solution.MarkedSpeed > a.solution.MarkedSpeed}
	if a.crossed != nil || b.crossed != nil {
		la, ha := a.works()
		lb, hb := b.works()
		own := float64(a.solution.Work / b.solution.Work)
		s.Range = &[2]float64{psi / own * float64(la/hb), psi / own * float64(ha/lb)}
	}
	if a.predict != nil && b.predict != nil {
		if p, err := scalability.Theorem1(a.predict.sequential, a.predict.overhead, b.predict.sequential,
			b.predict.overhead); err == nil {
			s.PsiPredicted = &p
		}
	}
	sizes := []int{a.solution.N, b.solution.N}
	slices.SortFunc(sizes, cmp.Compare[int])
	for _, n := range slices.Compact(sizes) {
		s.EqualN = append(s.EqualN, EqualSize{N: n, From: timeAt(a, n), To: timeAt(b, n)})
	}
	return s, nil
}

// works returns the least and the most work of the sizes that cross the target.
func (d *detail) works() (least, most units.Flops) {
	if d.crossed == nil {
		return d.solution.Work, d.solution.Work
	}
	of := func(n int) units.Flops { return d.simulated(n).Work } // with random draws
	return of(d.crossed[0]), of(d.crossed[1])
}

func operatingPoint(d *detail) scalability.Point {
	return scalability.Point{MarkedSpeed: d.solution.MarkedSpeed, Work: d.solution.Work}
}

// timeAt is the simulated time of a size, nil if the size was not simulated.
func timeAt(d *detail, n int) *float64 {
	if x := d.simulated(n); x != nil {
		return new(float64(x.Makespan))
	}
	return nil
}

// simulated is the simulation of a size, nil if there was none.
func (d *detail) simulated(n int) *system.Simulation {
	points := d.curve.Points()
	i, found := slices.BinarySearchFunc(points, n, func(x *system.Simulation, n int) int { return cmp.Compare(x.N, n) })
	if !found {
		return nil
	}
	return points[i]
}

// Growing returns the steps to systems of larger marked speed.
func (r *Result) Growing() []Psi { return r.steps(true) }

// Apart returns the steps to systems of no larger marked speed, whose psi is no scalability.
func (r *Result) Apart() []Psi { return r.steps(false) }

func (r *Result) steps(growth bool) []Psi {
	return slices.DeleteFunc(slices.Clone(r.Psi), func(p Psi) bool { return p.Growth != growth })
}

// EqualSizeRows are the rows of a table of times at equal problem size: from, to, n,
// both times, and how many times as fast the second system is. The last rows are those
// of the smallest and the largest system, unless these are neighbours.
func (r *Result) EqualSizeRows() [][]string {
	var rows [][]string
	steps := slices.Clone(r.Psi)
	if e := r.Ends; e != nil && !slices.ContainsFunc(steps, func(p Psi) bool {
		return p.From == e.From && p.To == e.To || p.From == e.To && p.To == e.From
	}) {
		steps = append(steps, *e)
	}
	for _, p := range steps {
		for _, e := range p.EqualN {
			rows = append(rows, []string{p.From, p.To, fmt.Sprint(e.N), timeText(e.From), timeText(e.To),
				input.Optional(e.ratio(), "%.3g")})
		}
	}
	return rows
}

func timeText(t *float64) string {
	if t == nil {
		return input.None
	}
	return units.Seconds(*t).String()
}

// stepSection shows psi and the times at equal problem size from system to system.
func (r *Result) stepSection() report.Section {
	section := report.Section{
		Heading: "Scalability",
		Text: []string{
			"psi(C, C') = C'W/(C W') compares two systems of marked speed C and C' that run at the same speed-efficiency on work W and W'. It is 1 if the work has to grow only as fast as the system, and smaller the more additional work the larger system needs.",
		},
	}
	if slices.ContainsFunc(r.Psi, func(p Psi) bool { return p.PsiPredicted != nil }) {
		section.Text = append(section.Text, "The prediction uses single messages and collective operations timed on "+
			"each system, the closed form of the algorithm's overhead T_o, and Theorem 1 of [Chen2008], without a "+
			"run of the algorithm itself.")
	}
	if len(r.Psi) == 0 {
		section.Text = append(section.Text, "This study has only one system, so no scalability can be computed.")
		return section
	}
	if growing := r.Growing(); len(growing) > 0 {
		section.Blocks = append(section.Blocks, r.psiChart(growing), r.PsiTable("psi of each step", "", growing).Report())
	}
	if apart := r.Apart(); len(apart) > 0 {
		section.Blocks = append(section.Blocks, r.PsiTable("Steps to systems of no larger marked speed",
			"Listed apart: psi is a scalability only for steps to a larger marked speed. For a step to a smaller "+
				"one it is the reciprocal of that of the step back.", apart).Report())
	}
	section.Blocks = append(section.Blocks, r.equalSizeTable())
	return section
}

// dwarfs is how many times as high as all others a bar must be to be left out of the
// chart, because beside it differences between the others could not be seen.
const dwarfs = 4

// drawn divides steps into those that a chart can show side by side and those whose
// bars would dwarf the others.
func drawn(steps []Psi) (shown, left []Psi) {
	highest := func(p Psi) float64 {
		h := p.Psi
		for _, v := range []*float64{p.PsiPredicted, p.PsiCompared} {
			if v != nil {
				h = max(h, *v)
			}
		}
		return h
	}
	byHeight := slices.SortedStableFunc(slices.Values(steps),
		func(a, b Psi) int { return cmp.Compare(highest(a), highest(b)) })
	limit := highest(byHeight[len(byHeight)-1])
	for i := len(byHeight) - 1; i > 0 && highest(byHeight[i]) > dwarfs*highest(byHeight[i-1]); i-- {
		limit = highest(byHeight[i-1])
	}
	for _, p := range steps {
		if highest(p) <= limit {
			shown = append(shown, p)
		} else {
			left = append(left, p)
		}
	}
	return shown, left
}

func (r *Result) psiChart(steps []Psi) *report.BarChart {
	steps, left := drawn(steps)
	const psi = "psi" // all psi have one colour, from whatever source
	ours := report.BarSeries{Name: "simulated", Colour: psi}
	fromOverhead := report.BarSeries{Name: "predicted from T_o", Colour: psi, Dashed: true}
	compared := report.BarSeries{Colour: psi, Hollow: true}
	add := func(s *report.BarSeries, v *float64) {
		s.Values, s.Missing = append(s.Values, *cmp.Or(v, new(float64))), append(s.Missing, v == nil)
	}
	c := &report.BarChart{
		Title: "Isospeed-efficiency scalability",
		X:     report.Axis{Title: "from system to system", Unit: report.Dimensionless},
		Y:     report.Axis{Title: "scalability psi", Unit: report.Dimensionless},
	}
	for _, p := range steps {
		c.Categories = append(c.Categories, p.From+" to "+p.To)
		ours.Values = append(ours.Values, p.Psi)
		add(&fromOverhead, p.PsiPredicted)
		add(&compared, p.PsiCompared)
	}
	c.Series = []report.BarSeries{ours}
	if slices.Contains(fromOverhead.Missing, false) {
		c.Series = append(c.Series, fromOverhead)
	}
	if r.Comparison != nil && len(r.study.Compare.Psi) > 0 {
		compared.Name = r.study.Compare.Label
		c.Series = append(c.Series, compared)
		c.Caption = r.comparisonCaption()
	}
	for _, p := range left {
		if c.Caption != "" {
			c.Caption += " "
		}
		c.Caption += fmt.Sprintf("Not drawn, as its bar would dwarf the others: %s to %s, psi = %.3f.", p.From, p.To,
			p.Psi)
	}
	return c
}

// PsiTable has psi of each step, and its range if a system crosses the target several times.
func (r *Result) PsiTable(title, caption string, steps []Psi) *page.Table {
	t := page.NewTable(title, 2, "from", "to", "#psi", "range", "#psi predicted", "#psi "+r.comparedWith())
	t.Caption = caption
	for _, p := range steps {
		row := []string{p.From, p.To, fmt.Sprintf("%.3f", p.Psi), input.None, input.Optional(p.PsiPredicted, "%.3f"),
			input.Optional(p.PsiCompared, "%.3f")}
		if p.Range != nil {
			row[3] = fmt.Sprintf("%.3f to %.3f", p.Range[0], p.Range[1])
		}
		t.Rows = append(t.Rows, row)
	}
	c := t.Compact()
	return &c
}

// equalSizeTable answers whether a larger system is worth it for a problem that does not grow.
func (r *Result) equalSizeTable() *report.Table {
	return &report.Table{
		Title: "Times at equal problem size",
		Caption: "The problems that hold the target on either system of a step, simulated on both. Faster: time on " +
			"the first system over that on the second; below 1 the second is slower.",
		Columns: page.Columns("from", "to", "#N", "#time on the first", "#time on the second", "#faster"),
		Rows:    r.EqualSizeRows(),
	}
}
