package findings

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/study/analysis"
	"github.com/isoscale/isoscale/experiments/internal/study/design"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/internal/each"
)

// A Problem is one that machines of a study are compared for, under one condition.
type Problem struct {
	Levels map[string]string `json:"levels"` // of the factors that are no machine
	Best   *Best             `json:"best"`

	at []int // levels; -1 of machines
}

// findProblems divides the configurations by problem and condition, among whose machines the best is sought.
func (r *Result) findProblems() {
	r.One = r.Cells
	var given []int // factors that are no machine, among those that vary
	roles := map[design.Role]bool{}
	for _, k := range r.varied() {
		if role := r.Study.Role(k); role != design.RoleMachine {
			given, roles[role] = append(given, k), true
		}
	}
	if given == nil {
		return
	}
	if r.given = "problem"; !roles[design.RoleProblem] {
		r.given = "condition"
	} else if roles[design.RoleCondition] {
		r.given = "problem and condition"
	}
	if r.Study.Search != nil || r.Study.Design.Kind != design.Factorial {
		names := each.Append(nil, given, func(k int) string { return r.Table.Factors[k].Name })
		r.Unequal = fmt.Sprintf("Points are not compared: they differ in %s as well as in the machine (%s).", r.given, input.List(names))
		return
	}
	of := func(levels []int) []int {
		at := slices.Repeat([]int{-1}, len(levels))
		for _, k := range given {
			at[k] = levels[k]
		}
		return at
	}
	all := each.Append(nil, r.Cells.List, func(c analysis.Cell) []int { return of(c.Levels) })
	slices.SortFunc(all, slices.Compare)
	for _, at := range slices.CompactFunc(all, slices.Equal) {
		r.One = r.Cells.Where(func(levels []int) bool { return analysis.Matches(levels, at) })
		p := Problem{Levels: map[string]string{}, Best: r.bestOf(r.One.Rank()), at: at}
		for _, k := range given {
			f := &r.Table.Factors[k]
			p.Levels[f.Name] = f.Text(at[k])
		}
		r.Problems = append(r.Problems, p)
	}
}

// warnMachines warns of what a run of the best of the first problems would warn of before it begins, and of domains that
// leave devices out where others use them, as 72 of 512.
func (r *Result) warnMachines() {
	all := r.Problems[:min(64, len(r.Problems))]
	if all == nil {
		all = []Problem{{Best: r.Reference}}
	}
	used, most := make([]int, len(all)), 0
	warnings := make([][]string, len(all))
	warn := func(i int, text string) {
		if name := r.Describe(all[i].at); name != "" {
			text = "with " + name + ", " + text
		}
		r.warn("%s", text)
	}
	for i := range all {
		if s, p := r.placed(all[i].Best.At); p != nil {
			warnings[i] = slices.Concat(system.MachineWarnings(p, s.Network.Kind), s.Workload.AssumedSpeeds(p))
			if d := p.Blocks[0].Type.Devices; d != nil && d.Across() != nil {
				used[i], _ = p.Devices()
			}
		}
		most = max(most, used[i])
	}
	for _, text := range slices.Clone(warnings[0]) { // of all: once
		if !slices.ContainsFunc(warnings, func(of []string) bool { return !slices.Contains(of, text) }) {
			r.warn("%s", text)
			for i := range warnings {
				warnings[i] = slices.DeleteFunc(warnings[i], func(s string) bool { return s == text })
			}
		}
	}
	for i, n := range used {
		for _, text := range warnings[i] {
			warn(i, text)
		}
		if 0 < n && n < most && r.given == "condition" {
			warn(i, fmt.Sprintf("the best uses %d devices, and another condition %d", n, most))
		}
	}
}

// bestOf is the first of a ranking.
func (r *Result) bestOf(ranking []analysis.Ranked) *Best {
	x := ranking[0]
	return &Best{r.Cells.Configuration(x.Levels, x.Mean), analysis.Number(x.StdErr()), x.Interval(), x.Tied, r.set(ranking)}
}

// machine is a configuration without its problem and condition.
func (p *Problem) machine() []int {
	at := slices.Clone(p.Best.At)
	for k, l := range p.at {
		if l >= 0 {
			at[k] = -1
		}
	}
	return at
}

// ProblemsInWords names the best machine of each problem, at most some of them, and which of them the rest is about.
func (r *Result) ProblemsInWords() []string {
	head, list, _ := r.problems()
	return append(append([]string{head + ": " + list + "."}, r.steadyInWords()...), r.restInWords())
}

// restInWords says which problem all else is about.
func (r *Result) restInWords() string {
	return fmt.Sprintf("Effects, growth and laws below are of %s; report --only chooses another %s.", r.Describe(r.Problems[len(r.Problems)-1].at), r.given)
}

// steadyInWords says what steady does, and how sure that is.
func (r *Result) steadyInWords() []string {
	steady, sure := r.steady()
	if steady == "" {
		return sure
	}
	return append([]string{steady}, sure...)
}

// steady says from which level of the only condition on the best is about that of the last, such as where larger
// domains stop paying, or that it still changes there; or at which level before it is best. It says nothing of runs that
// differ by what they draw, nor where the best goes up and down and is at an end. Sure is which changes are decided.
func (r *Result) steady() (says string, sure []string) {
	const steady = 0.01
	k := slices.IndexFunc(r.Problems[0].at, func(level int) bool { return level >= 0 })
	f := &r.Table.Factors[k]
	if r.given != "condition" || count(r.Problems[0].at, func(level int) bool { return level >= 0 }) > 1 || !f.Numeric() || r.Study.Draws() {
		return "", nil
	}
	by := slices.Clone(r.Problems)
	slices.SortFunc(by, func(p, q Problem) int { return cmp.Compare(f.Levels[p.at[k]].Value, f.Levels[q.at[k]].Value) })
	last := len(by) - 1
	of, linear := r.linear() // per cent of a logarithm are none
	change := func(i, j int) float64 { return linear(by[j].Best.Value)/linear(by[i].Best.Value) - 1 }
	at := func(i int) string { return r.Describe(by[i].at) }
	percent := func(i, j int) string { return fmt.Sprintf("%v %%", input.Digits(100*math.Abs(change(i, j)), 2)) }
	step := func(i, j int) string { return fmt.Sprintf("from %s to %s", at(i), f.Text(by[j].at[k])) }
	up, best := change(0, last) > 0, 0
	for i := range by {
		if x := change(best, i); x < 0 && !r.Objective.Maximize || x > 0 && r.Objective.Maximize {
			best = i
		}
	}
	sure = r.decidedInWords(last, cmp.Or(best, last), change, func(i, j int) string { return fmt.Sprintf("%s (%s)", step(i, j), percent(i, j)) })
	if x := math.Abs(change(best, last)); 0 < best && best < last && x > steady && !math.IsInf(x, 0) {
		return fmt.Sprintf("Of these the %s is at %s; at %s it is %s off.", r.Wanted(), at(best), at(last), percent(best, last)), sure
	}
	for i := range last {
		if x := change(i, i+1); last < 2 || math.IsNaN(x) || math.IsInf(x, 0) || x != 0 && (x > 0) != up {
			return "", sure
		}
	}
	from := 0
	for math.Abs(change(from, last)) > steady {
		from++
	}
	more := r.costOf(&by[from])/r.costOf(&by[0]) - 1
	if from > 0 && more != 0 && !math.IsNaN(more) && !math.IsInf(more, 0) {
		sure = append([]string{fmt.Sprintf("At %s %s is %v %% %s than at %s.", at(from), r.label(r.Cost.Name), input.Digits(100*math.Abs(more), 2),
			map[bool]string{true: "more", false: "less"}[more > 0], at(0))}, sure...)
	}
	switch {
	case from == 0 || from < last && math.Abs(change(from-1, from)) < 2*math.Abs(change(from, last)): // it goes on as before
		return "", sure
	case from == last:
		return fmt.Sprintf("%s it still changes by %s.", input.Capitalized(step(last-1, last)), percent(last-1, last)), sure
	default:
		return fmt.Sprintf("From %s on the %s %s changes by %s at most; %s it is %s.", at(from), r.Wanted(), of.Name,
			percent(from, last), step(from-1, from), percent(from-1, from)), sure
	}
}

// costOf is what the best of a problem costs, NaN where that is no outcome.
func (r *Result) costOf(p *Problem) float64 {
	k := slices.IndexFunc(r.Table.Responses, func(x analysis.Response) bool { return x.Name == r.Cost.Name })
	if k < 0 {
		return math.NaN()
	}
	return r.meanAt(p, k)
}

// meanAt is the mean of an outcome at the best of a problem.
func (r *Result) meanAt(p *Problem, outcome int) float64 {
	return r.Cells.List[r.Cells.Find(p.Best.At)].MeanOf(outcome)
}

// decidedInWords says which changes from one level to the next, of so many behind the first, are beyond the error of times
// of the workload where they were measured, and whether that to the end is; nothing where none were measured.
func (r *Result) decidedInWords(steps, end int, change func(i, j int) float64, text func(i, j int) string) []string {
	off := r.timesOff()
	if off == 0 {
		return nil
	}
	beyond := func(i, j int) bool { return math.Abs(change(i, j)) > off }
	var larger []string
	for i := range steps {
		if beyond(i, i+1) {
			larger = append(larger, text(i, i+1))
		}
	}
	what := "all changes from one to the next are larger"
	switch {
	case larger == nil:
		what = "no change from one to the next is larger, so none is decided"
	case len(larger) < steps:
		what = fmt.Sprintf("larger is the change %s, the others from one to the next are not decided", strings.Join(larger, " and "))
	}
	if end > 1 && len(larger) < steps && beyond(0, end) {
		what += "; that " + text(0, end) + " is larger"
	}
	return []string{offInWords(off, what)}
}

// timesOff is the error of times of the workload where they were measured, 0 where none were or the objective is no time.
func (r *Result) timesOff() float64 {
	of, _ := r.linear()
	c, err := r.Study.Scenario(r.Study.Design.At(r.Reference.At))
	if err != nil || c.Scenario == nil || of.Law == nil {
		return 0
	}
	return c.Scenario.Workload.Error
}

func offInWords(off float64, what string) string {
	return fmt.Sprintf("Times of this workload are %v %% off in the mean where they were measured: %s.", 100*off, what)
}

// nearInWords says how many configurations are no farther from the best than such an error.
func (r *Result) nearInWords() []string {
	off, others := r.timesOff(), len(r.Ranking)-1
	if off == 0 || others < 1 {
		return nil
	}
	_, linear := r.linear()
	near := count(r.Ranking[1:], func(x analysis.Ranked) bool { return math.Abs(linear(x.Mean)/linear(r.Ranking[0].Mean)-1) <= off })
	if near == 0 {
		return []string{offInWords(off, "no other configuration is as near to the best")}
	}
	return []string{offInWords(off, fmt.Sprintf("%d of %s no farther from the best, so which of these is better is not decided",
		near, input.Plural(others, "other configuration")+" "+map[bool]string{true: "is", false: "are"}[near == 1]))}
}

// problemsHeadline is what the first of ProblemsInWords says, the first of its sentences short where they are two.
func (r *Result) problemsHeadline() []string {
	head, list, shared := r.problems()
	if shared {
		return []string{head + ".", "The values: " + list + "."}
	}
	machines := map[string]bool{}
	for i := range r.Problems {
		machines[r.Describe(r.Problems[i].machine())] = true
	}
	rest := head + ": " + list + "."
	if len(machines) == 1 {
		return []string{rest}
	}
	return []string{fmt.Sprintf("No machine has the %s %s of all %d %ss: %d machines share them.", r.Wanted(),
		r.Response.Name, len(r.Problems), r.given, len(machines)), rest}
}

// problems are the best machines of at most some problems, behind what all have in common: the machine, if that is shared.
func (r *Result) problems() (head, listed string, shared bool) {
	const most = 4
	n := len(r.Problems)
	same := count(r.Problems, func(p Problem) bool { return slices.Equal(p.machine(), r.Problems[0].machine()) }) == n
	var list []string
	for i := range r.Problems {
		if i >= most-1 && i < n-1 && n > most { // the last is what the rest is about
			continue
		}
		p := &r.Problems[i]
		text := fmt.Sprintf("%s with %s", r.InUnit(input.Digits(p.Best.Value, 3)), r.Describe(p.at))
		if machine := r.Describe(p.machine()); !same && machine != "" {
			text = fmt.Sprintf("%s: %s with %s", r.Describe(p.at), r.InUnit(input.Digits(p.Best.Value, 3)), machine)
		}
		list = append(list, text)
	}
	head = fmt.Sprintf("The %s %s of each of %d %ss", r.Wanted(), r.Response.Name, n, r.given)
	if machine := r.Describe(r.Problems[0].machine()); same && machine != "" {
		shared = true
		head = fmt.Sprintf("Of each of %d %ss the %s %s is with %s", n, r.given, r.Wanted(), r.Response.Name, machine)
	}
	listed = strings.Join(list, "; ")
	if more := n - len(list); more > 0 {
		listed += fmt.Sprintf("; the report has %d more", more)
	}
	return head, listed, shared
}

// problemSection lists the best machine of each problem and condition.
func (r *sections) problemSection() *report.Section {
	if r.Problems == nil {
		return nil
	}
	t := &report.Table{Title: "The best of each " + r.given}
	for _, f := range r.Table.Factors {
		t.Columns = append(t.Columns, report.Column{Title: r.label(f.Name), Unit: f.Unit, Numeric: f.Numeric()})
	}
	t.Columns = append(t.Columns, number(r.label(r.Response.Name), r.Response.Unit), number("others as good"))
	var shown []int // what each costs, and its energy
	for k, x := range r.Table.Responses {
		if (x.Name == r.Cost.Name || x.Name == system.Energy) && x.Name != r.Response.Name {
			shown, t.Columns = append(shown, k), append(t.Columns, number(r.label(x.Name), x.Unit))
		}
	}
	for i := range r.Problems {
		p := &r.Problems[i]
		var cells []string
		for k, l := range p.Best.At {
			cells = append(cells, r.Table.Factors[k].Levels[l].Text)
		}
		cells = append(cells, fmt.Sprintf("%.6g", p.Best.Value), fmt.Sprint(p.Best.Tied))
		cells = each.Append(cells, shown, func(k int) string { return fmt.Sprintf("%.6g", r.meanAt(p, k)) })
		t.Rows = append(t.Rows, cells)
	}
	section := &report.Section{Heading: t.Title, Text: r.ProblemsInWords(), Blocks: []report.Block{t}}
	if len(r.Problems) <= maxBars && r.given == "condition" {
		section.Blocks = []report.Block{r.conditionChart(), t}
	}
	return section
}

// conditionChart shows what the best machine of each condition reaches.
func (r *sections) conditionChart() *report.BarChart {
	var s report.Series
	c := &report.BarChart{Title: fmt.Sprintf("Best %s of each condition", r.label(r.Response.Name)),
		X: report.Axis{Title: "condition", Unit: report.Dimensionless}, Y: r.objective()}
	for _, p := range r.Problems {
		c.Categories = append(c.Categories, r.Describe(p.at))
		r.point(&s, 0, p.Best.Value)
		r.whisker(&s, p.Best.Value, p.Best.Interval)
	}
	bars := report.BarSeries{Name: r.label(r.Response.Name), Values: s.Y}
	if !slices.Equal(s.Low, s.High) {
		bars.Low, bars.High = s.Low, s.High
		c.Caption = "Whiskers: 95 % intervals of the means over repetitions."
	}
	c.Series = []report.BarSeries{bars}
	return c
}
