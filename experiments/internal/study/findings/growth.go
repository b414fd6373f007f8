package findings

import (
	"fmt"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/chart"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/metric/laws"
	"github.com/isoscale/isoscale/experiments/internal/study/analysis"
	"github.com/isoscale/isoscale/experiments/internal/study/effects"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/model/regression"
)

// maxSizes is how many sizes are described one by one. With more, for instance sizes that are not powers of two, each
// size has few configurations, and neighbouring sizes have nothing in common; then the best up to a size is described
// instead.
const maxSizes = 40

// findGrowth follows the best configuration over the sizes, if there are several sizes.
func (r *Result) findGrowth() {
	c, err := r.One.By(r.Size.Name)
	if err != nil {
		r.warn("the growth path could not be computed: %v", err)
		return
	}
	g := c.Growth()
	if len(g.Optima) < 2 {
		return
	}
	if r.Path, r.Growth = g, g.Optima; len(g.Optima) > maxSizes {
		r.Envelope = c.UpTo()
		r.UpTo = r.Envelope.Optima
	}
	r.sizeIsFactor = slices.ContainsFunc(r.Table.Factors, func(f analysis.Factor) bool { return f.Name == r.Size.Name })
	r.findUpdates()
	// Factors that do not change the size, or that have no order, stay as at the best point: if only one factor is
	// left, there is nothing to choose.
	if r.sizeIsFactor || r.Unequal != "" {
		return // the size is one factor, or sizes are not compared
	}
	sizes, err := r.Table.Gather(r.Size.Name, r.Cells.Goal)
	if err != nil {
		r.warn("greedy growth could not be computed: %v", err)
		return
	}
	fixed, ways := slices.Clone(r.Reference.At), 0
	for k, changes := range effects.Changes(sizes) {
		if changes && r.Table.Factors[k].Numeric {
			fixed[k] = -1
			ways++
		}
	}
	growing := c.Where(func(levels []int) bool { return analysis.Matches(levels, fixed) })
	switch {
	case ways < 2:
	case len(growing.List) == 0:
		r.warn("greedy growth could not be computed: none of the configurations like the best has a finite value of %s", r.Size.Name)
	default:
		r.Ascent = growing.Ascend(g)
	}
}

// Told returns the optima that text, tables and maps show: for each size, or up to some sizes.
func (r *Result) Told() []analysis.Optimum {
	if r.Envelope != nil {
		return r.UpTo
	}
	return r.Growth
}

// lawSizes bounds how many sizes laws are fitted to, because each is left out once.
const lawSizes = 100

// findScaling fits laws to the best values over the sizes. If the objective is the logarithm of another outcome, it
// fits that outcome.
func (r *Result) findScaling() {
	outcome, transform := r.linear()
	if r.Path == nil || !r.Study.Outcome(r.Objective.Size).Processors || outcome.Law == nil {
		return
	}
	best := map[string]bool{}
	for _, o := range r.Growth {
		best[fmt.Sprint(o.At)] = true
	}
	among := func(row analysis.Row) bool { return best[fmt.Sprint(row.Levels)] }
	processes, speed := r.outcome(system.Processes), r.outcome(system.MarkedSpeed)
	r.unlike = r.differs(func(row analysis.Row) float64 { return speed(row) / processes(row) }, workTolerance, among)
	if r.worksDiffer(among) {
		r.Lawless = "No scaling law is fitted: the best configurations of the sizes do different amounts of work, and the laws assume one problem."
		return
	}
	var samples []regression.Sample
	for _, i := range chart.Few(len(r.Growth), lawSizes) {
		if o := &r.Growth[i]; o.Size >= 1 {
			samples = append(samples, regression.Sample{P: o.Size, Y: transform(o.Value)})
		}
	}
	f, err := laws.Fit(laws.Subject{
		Outcome: outcome.Name, Unit: outcome.Unit, Size: r.Size.Name, SizeUnit: r.Size.Unit,
		Points: "best of each size", Kind: *outcome.Law, Samples: samples,
	})
	if err != nil {
		return // too few sizes; nothing was promised
	}
	if r.Lawless = f.Lawless("the best values"); r.Lawless == "" {
		r.Laws, r.Scaling = f, f.Models()
	}
}

func (r *Result) sized(x float64) string { return quantity(x, r.Size.Unit) }

// GrowthInWords says whether the best configurations form a path, and where greedy
// growth misses the optimum.
func (r *Result) GrowthInWords() []string {
	if r.Path == nil {
		return nil
	}
	var lines []string
	if !r.sizeIsFactor || len(r.One.List) > len(r.Growth) { // otherwise there is no choice at any size
		lines = append(lines, r.pathInWords())
	}
	if r.Envelope == nil {
		lines = append(lines, r.rivalsInWords(), r.diagonalInWords())
		lines = slices.DeleteFunc(lines, func(s string) bool { return s == "" })
	}
	if r.Ascent == nil || len(r.Ascent.Steps) < 2 {
		return lines
	}
	text := "Greedy growth, by the best single step each time, "
	missed := r.misses()
	switch {
	case len(r.Ascent.Misses) == 0:
		text += "is optimal at every size that it reaches."
	case len(missed) == 0:
		text += fmt.Sprintf("is within %d %% of the optimum at every size that it reaches.", worthTelling)
	default:
		m := &missed[0]
		at := " at " + input.Plural(len(missed), "size")
		text += r.missed("optimum", at, r.sized(m.Size)+" "+r.Size.Name, m.Shortfall, m.Walk, m.Best)
	}
	return append(lines, text)
}

// misses returns the misses worth mentioning, the worst first.
func (r *Result) misses() []analysis.Miss {
	all := slices.DeleteFunc(slices.Clone(r.Ascent.Misses), func(m analysis.Miss) bool { return !told(m.Shortfall) })
	slices.SortStableFunc(all, func(a, b analysis.Miss) int { return moreShort(b.Shortfall, a.Shortfall) })
	return all
}

// pathInWords says whether one step leads from the best of each size to the next or, for many sizes, whether the best
// configurations up to a size contain each other.
func (r *Result) pathInWords() string {
	g, n := r.Path, len(r.Growth)
	text := fmt.Sprintf("Over %d sizes from %s to %s %s, the best configuration ",
		n, r.sized(r.Growth[0].Size), r.sized(r.Growth[n-1].Size), r.Size.Name)
	if r.sizeIsFactor {
		text = fmt.Sprintf("Over %d sizes, %s = %s to %s, the best configuration ",
			n, r.label(r.Size.Name), r.sized(r.Growth[0].Size), r.sized(r.Growth[n-1].Size))
	}
	jumps := "is %s more than one step from that of the previous size."
	if !slices.ContainsFunc(g.Optima, noisy) { // otherwise another path may have no jumps
		jumps = strings.TrimSuffix(jumps, ".") + ": growth by single steps cannot follow the optimum."
	}
	switches := "of each size is at most one step of a numeric factor from that of the previous size"
	path := "of each size is one step from that of the previous size: a system can grow along the optimum."
	if r.Envelope != nil {
		g, n = r.Envelope, len(r.UpTo)
		text = fmt.Sprintf("There are %d sizes, so growth is described by the best configuration up to a size, at %s from %s to %s %s: ",
			len(r.Growth), input.Plural(n, "size"), r.sized(r.UpTo[0].Bound), r.sized(r.UpTo[n-1].Bound), r.Size.Name)
		jumps = "between them, something has to be taken down %s."
		switches = "none has less of a numeric factor than the one before"
		path = "each contains the one before, so a system can grow along the optimum."
	}
	switch {
	case g.Jumps > 0:
		text += fmt.Sprintf(jumps, input.Plural(g.Jumps, "time"))
	case g.Switches > 0:
		text += fmt.Sprintf("%s, and %s another level of a factor without order, which is a choice, not growth.",
			switches, input.Plural(g.Switches, "time"))
	default:
		text += path
	}
	if stays := count(g.Optima, func(o analysis.Optimum) bool { return o.Move == analysis.Stay }); stays > 0 {
		text += fmt.Sprintf(" It stays the same %s: a larger size does not help.", input.Plural(stays, "time"))
	}
	if best := r.worthGrowing(); best < len(r.Growth)-1 {
		text += fmt.Sprintf(" No size above %s = %s is better.", r.Size.Name, r.sized(r.Growth[best].Size))
	}
	return text
}

// worthGrowing is the smallest size that reaches the best value of all sizes. It is the last size where noise leaves
// that open, sizes are not compared, or the best up to some sizes are described.
func (r *Result) worthGrowing() int {
	if r.Envelope != nil || r.Unequal != "" || slices.ContainsFunc(r.Growth, func(o analysis.Optimum) bool { return o.StdErr.Exists() }) {
		return len(r.Growth) - 1
	}
	best := 0
	for i, o := range r.Growth {
		if r.One.Goal.Better(o.Value, r.Growth[best].Value) {
			best = i
		}
	}
	return best
}

// diagonalInWords says up to which size the best configurations raise both factors of the map in turn; "" if that is
// not known or there is no diagonal.
func (r *Result) diagonalInWords() string {
	x, y, ok := r.Mapped()
	if !ok || len(r.Growth) < 4 {
		return ""
	}
	at, ok := r.Cells.LeavesDiagonal(r.Path, x, y)
	if !ok || at == 0 {
		return ""
	}
	both := r.Table.Factors[x].Name + " and " + r.Table.Factors[y].Name
	if at == len(r.Growth) {
		return fmt.Sprintf("The best configurations stay on the diagonal: %s are never more than a level apart.", both)
	}
	o := &r.Growth[at]
	return fmt.Sprintf("The best configurations leave the diagonal, on which %s are at most a level apart, at %s %s, with %s.", both, r.sized(o.Size), r.Size.Name, r.Describe(o.At))
}

// noisy reports whether noise leaves open which configuration of a size is the best.
func noisy(o analysis.Optimum) bool { return o.WithinNoise > o.Tied }

// rivalsInWords says at how many sizes several configurations may be the best; "" if there are none.
func (r *Result) rivalsInWords() string {
	var parts []string
	if ties := count(r.Growth, func(o analysis.Optimum) bool { return o.Tied > 0 }); ties > 0 {
		parts = append(parts, fmt.Sprintf("at %s others are as good", input.Plural(ties, "size")))
	}
	if rivals := count(r.Growth, noisy); rivals > 0 {
		parts = append(parts, fmt.Sprintf("at %s others may be as good as the best", input.Plural(rivals, "size")))
	}
	if parts == nil {
		return ""
	}
	all := input.Plural(len(r.Growth), "size")
	return fmt.Sprintf("The path is one of several: of %s, %s.", all, strings.Join(parts, ", and "))
}

// ScalingInWords names the law with the smallest prediction error.
func (r *Result) ScalingInWords() []string {
	if r.Lawless != "" {
		return []string{r.Lawless}
	}
	if r.Laws == nil {
		return nil
	}
	of, _ := r.linear()
	says := r.Laws.InWords("the best " + of.Name)
	if r.unlike {
		says = append(says, "However, laws assume that processes are alike, and these differ in marked speed.")
	}
	return says
}

// scalingSection shows the laws fitted to the best values over the sizes.
func (r *sections) scalingSection() *report.Section {
	text := r.ScalingInWords()
	if text == nil {
		return nil
	}
	s := &report.Section{Heading: "Scalability", Text: text}
	if r.Laws != nil {
		labelled := *r.Laws
		labelled.Outcome, labelled.Size = r.label(labelled.Outcome), r.label(labelled.Size)
		s.Blocks = labelled.Blocks()
	}
	return s
}

// growthSection follows the best configuration over the sizes.
func (r *sections) growthSection() *report.Section {
	if r.Path == nil {
		return nil
	}
	of, value := "of each size", r.label(r.Response.Name)
	if r.Envelope != nil {
		of = "up to each size"
	}
	size := r.axis(r.Size.Name, r.Size.Unit)
	t := &report.Table{
		Title: "Best configuration " + of,
		Columns: []report.Column{
			number(size.Title, size.Unit), text("configuration"), number(value), number("configurations"),
			text("change from previous size"),
		},
	}
	repeated := func(o analysis.Optimum) bool { return o.StdErr.Exists() }
	noisy := r.Envelope == nil && slices.ContainsFunc(r.Growth, repeated)
	if noisy {
		t.Columns = append(t.Columns, text("95 % interval"), number("others that may be as good"))
	} else {
		t.Columns = append(t.Columns, number("others as good"))
	}
	best := report.Series{Name: "best " + of}
	for _, o := range r.Told() {
		r.point(&best, o.Size, o.Value)
		size := input.Number(o.Size)
		if r.Envelope != nil {
			size += ", of up to " + input.Number(o.Bound)
		}
		row := []string{size, r.Describe(o.At), r.InUnit(o.Value), fmt.Sprint(o.Of), string(o.Move)}
		if noisy {
			row = append(row, r.interval(o.Interval), fmt.Sprint(o.WithinNoise))
			r.whisker(&best, o.Value, o.Interval)
		} else {
			row = append(row, fmt.Sprint(o.Tied))
		}
		t.Rows = append(t.Rows, row)
	}
	chart := lines("Best "+value+" "+of, size, r.objective(), best)
	section := &report.Section{Heading: "Growth path", Text: r.GrowthInWords(), Blocks: []report.Block{chart, t}}
	if r.Ascent == nil || len(r.Ascent.Steps) < 2 {
		return section
	}
	walk := report.Series{Name: "greedy growth", Dashed: true}
	for _, s := range r.Ascent.Steps {
		r.point(&walk, s.Size, s.Value)
	}
	chart.Series = append(chart.Series, walk)
	if missed := r.misses(); len(missed) > 0 {
		m := &report.Table{
			Title:   "Sizes at which greedy growth misses the optimum",
			Caption: fmt.Sprintf("The worst first, at most %d; misses of less than %d %% are left out. Difference: in per cent of the optimum.", maxSizes, worthTelling),
			Columns: []report.Column{
				number(size.Title, size.Unit), text("greedy growth"), number(value),
				text("optimum"), number(value), number("difference"),
			},
		}
		for _, x := range missed[:min(len(missed), maxSizes)] {
			m.Rows = append(m.Rows, []string{
				input.Number(x.Size), r.Describe(x.Walk.At), r.InUnit(x.Walk.Value),
				r.Describe(x.Best.At), r.InUnit(x.Best.Value), r.shortfall(x.Shortfall),
			})
		}
		section.Blocks = append(section.Blocks, m)
	}
	return section
}
