package findings

import (
	"cmp"
	"fmt"
	"maps"
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

// A Problem is a problem under a condition, for which the machines of a study are compared.
type Problem struct {
	Levels map[string]string `json:"levels"` // of the factors that are no machine
	Best   *Best             `json:"best"`

	at      []int // levels; -1 for factors of machines
	ranking []analysis.Ranked
}

// findProblems divides the configurations by problem and condition, for each of which the best machine is sought.
func (r *Result) findProblems() {
	r.One, r.among = r.Cells, r.Ranking
	var given []int // factors other than machines, among those that vary
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
		r.given = "setting"
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
		r.among = r.One.Rank()
		r.Problems = append(r.Problems, Problem{Levels: r.Table.Levels(at), at: at, ranking: r.among})
	}
	r.warnUnknown(of)
	// Of equally good machines, one that is the best everywhere comes first.
	shared := r.everywhere(func(x analysis.Ranked) bool { return x.Place == 1 })
	for i := range r.Problems {
		p := &r.Problems[i]
		if k := slices.IndexFunc(p.ranking, func(x analysis.Ranked) bool { return slices.Equal(p.machine(x.Levels), shared) }); k > 0 {
			p.ranking[0], p.ranking[k] = p.ranking[k], p.ranking[0]
		}
		p.Best = r.bestOf(p.ranking)
	}
}

// warnUnknown names the problems without any result, which are not among those that are compared. of returns the levels
// of a problem.
func (r *Result) warnUnknown(of func(levels []int) []int) {
	unknown, first := map[string]bool{}, ""
	for _, row := range r.Table.Rows {
		at := of(row.Levels)
		by := func(p Problem, at []int) int { return slices.Compare(p.at, at) }
		if _, known := slices.BinarySearchFunc(r.Problems, at, by); !known {
			name := r.Describe(at)
			unknown[name], first = true, cmp.Or(first, name)
		}
	}
	if n := len(unknown); n > 0 {
		r.warn("there is no result for %d of %d %ss (the first: %s), of which nothing is said", n, n+len(r.Problems), r.given, first)
	}
}

// everywhere returns a machine that is good for all problems, nil if there is none.
func (r *Result) everywhere(good func(analysis.Ranked) bool) []int {
	problems := map[string]int{} // for which a machine is good
	for _, p := range r.Problems {
		for _, x := range each.Where(nil, p.ranking, good) {
			m := p.machine(x.Levels)
			name := fmt.Sprint(m)
			if problems[name]++; problems[name] == len(r.Problems) {
				return m
			}
		}
	}
	return nil
}

// warnMachines repeats the warnings that a run of the best machines of the first problems would give before it begins,
// and warns of domains that leave devices unused where others use them, such as 72 of 512.
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
	for _, text := range slices.Clone(warnings[0]) { // warnings of all problems are given once
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

// bestOf returns the first of a ranking.
func (r *Result) bestOf(ranking []analysis.Ranked) *Best {
	x := ranking[0]
	return &Best{r.Cells.Configuration(x.Levels, x.Mean), analysis.Number(x.StdErr()), x.Interval(), x.Tied, r.set(ranking)}
}

// machine returns the levels of a configuration without those of its problem and condition.
func (p *Problem) machine(levels []int) []int {
	at := slices.Clone(levels)
	for k, l := range p.at {
		if l >= 0 {
			at[k] = -1
		}
	}
	return at
}

func (p *Problem) best() []int { return p.machine(p.Best.At) }

// ProblemsInWords names the best machines of the problems, at most some of them, and which problem the rest is about.
func (r *Result) ProblemsInWords() []string {
	head, list, _ := r.problems()
	return append(append([]string{head + ": " + list + "."}, r.steadyInWords()...), r.restInWords())
}

// restInWords says which problem everything else is about.
func (r *Result) restInWords() string {
	return fmt.Sprintf("Effects, growth and laws below are for %s; report --only chooses another %s.", r.Describe(r.Problems[len(r.Problems)-1].at), r.given)
}

// steadyInWords gives the words of steady, how sure they are, and how sure the best machine of each problem is.
func (r *Result) steadyInWords() (says []string) {
	a := r.accuracy()
	says, sure := r.steady(a)
	if a == nil {
		return append(says, sure...)
	}
	near := count(r.Problems, func(p Problem) bool { return r.near(a, p.ranking) > 0 })
	undecided := fmt.Sprintf("in %d of %d %ss another machine is within this error of the best, so which of these is better is undecided",
		near, len(r.Problems), r.given)
	switch {
	case near > 0 && sure != nil:
		sure = append(sure, input.Capitalized(undecided)+".")
	case near > 0:
		sure = []string{a.says(undecided)}
	case sure == nil && slices.ContainsFunc(r.Problems, func(p Problem) bool { return len(p.ranking) > 1 }):
		sure = []string{a.says(nobodyNear)}
	}
	return append(says, sure...)
}

// steady says from which level of the only condition on the best value is about that of the last level (where, for
// example, larger domains stop paying), that it still changes at the last, or at which earlier level it is best. It
// says nothing about runs with random draws, nor where the best value goes up and down but is best at an end. sure says
// which changes the accuracy of times decides.
func (r *Result) steady(a *accuracy) (says, sure []string) {
	const steady = 0.01
	k := slices.IndexFunc(r.Problems[0].at, func(level int) bool { return level >= 0 })
	f := &r.Table.Factors[k]
	if r.given != "condition" || count(r.Problems[0].at, func(level int) bool { return level >= 0 }) > 1 || !f.Numeric || r.Study.Draws() {
		return nil, nil
	}
	by := slices.Clone(r.Problems)
	slices.SortFunc(by, func(p, q Problem) int { return cmp.Compare(f.Levels[p.at[k]].Value, f.Levels[q.at[k]].Value) })
	last := len(by) - 1
	of, linear := r.linear() // a logarithm has no per cent
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
	if a != nil {
		off := func(i, j int) float64 { return r.between(a, by[i].Best.At, by[j].Best.At) }
		what := decidedInWords(last, cmp.Or(best, last), change, off, func(i, j int) string { return fmt.Sprintf("%s (%s)", step(i, j), percent(i, j)) })
		sure = []string{a.says(what)}
	}
	if x := math.Abs(change(best, last)); 0 < best && best < last && x > steady && !math.IsInf(x, 0) {
		return []string{fmt.Sprintf("Of these the %s is at %s; at %s it is %s off.", r.Wanted(), at(best), at(last), percent(best, last))}, sure
	}
	for i := range last {
		if x := change(i, i+1); last < 2 || math.IsNaN(x) || math.IsInf(x, 0) || x != 0 && (x > 0) != up {
			return nil, sure
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
	case from == 0 || from < last && math.Abs(change(from-1, from)) < 2*math.Abs(change(from, last)): // goes on as before
		return nil, sure
	case from == last:
		return []string{fmt.Sprintf("%s it still changes by %s.", input.Capitalized(step(last-1, last)), percent(last-1, last))}, sure
	default:
		return []string{fmt.Sprintf("Beyond %s the %s %s changes by %s at most; %s by %s.", at(from), r.Wanted(), of.Name,
			percent(from, last), step(from-1, from), percent(from-1, from))}, sure
	}
}

// costOf returns what the best of a problem costs, NaN if the cost is no outcome.
func (r *Result) costOf(p *Problem) float64 {
	k := slices.IndexFunc(r.Table.Responses, func(x analysis.Response) bool { return x.Name == r.Cost.Name })
	if k < 0 {
		return math.NaN()
	}
	return r.meanAt(p.Best.At, k)
}

// meanAt returns the mean of an outcome of a configuration.
func (r *Result) meanAt(levels []int, outcome int) float64 {
	return r.Cells.List[r.Cells.Find(levels)].MeanOf(outcome)
}

// decidedInWords says which of the changes from one level to the next exceed the error between the two, and whether the
// change from the first level to end does.
func decidedInWords(steps, end int, change, off func(i, j int) float64, text func(i, j int) string) string {
	beyond := func(i, j int) bool { return math.Abs(change(i, j)) > off(i, j) }
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
	case len(larger) == 1 && steps > 1:
		what = fmt.Sprintf("of the changes from one to the next only that %s is larger, and no other is decided", larger[0])
	case len(larger) < steps:
		what = fmt.Sprintf("of the changes from one to the next only those %s are larger, and no other is decided", strings.Join(larger, " and "))
	}
	if end > 1 && len(larger) < steps && beyond(0, end) {
		what += "; that " + text(0, end) + " is larger"
	}
	return what
}

// accuracy is how far simulated times of the workload are from measured ones.
type accuracy struct {
	mean  float64
	with  map[string]float64 // fields of the scenario between whose values the error is larger
	text  string
	makes func(off float64) float64 // error of the objective that an error of times causes
}

// accuracy returns nil where no times were measured, or the objective does not depend on times.
func (r *Result) accuracy() *accuracy {
	c, err := r.Study.Scenario(r.Study.Design.At(r.Reference.At))
	if err != nil || c.Scenario == nil || c.Scenario.Workload.Error == 0 {
		return nil
	}
	of, linear := r.linear()
	values := r.Cells.List[r.Cells.Find(r.Reference.At)].Rows[0].Values
	a := &accuracy{mean: c.Scenario.Workload.Error, with: map[string]float64{}}
	a.makes = func(off float64) float64 {
		longer := func(times float64) float64 {
			return linear(r.Study.Longer(r.Response.Name, r.Reference.At, values, times))
		}
		return math.Expm1(math.Abs(math.Log(longer(1+off) / longer(1))))
	}
	const rounding = 1e-9
	if x := a.makes(a.mean); !(x > rounding) {
		return nil
	}
	a.text = fmt.Sprintf("Times of this workload are %v %% off on average where they were measured", 100*a.mean)
	for _, name := range slices.Sorted(maps.Keys(c.Scenario.Workload.ErrorWith)) {
		path, most := "workload."+name, c.Scenario.Workload.ErrorWith[name]
		of := func(x analysis.Cell) string { return r.Study.Field(x.Levels, path) }
		if first := of(r.Cells.List[0]); slices.ContainsFunc(r.Cells.List, func(x analysis.Cell) bool { return of(x) != first }) {
			a.with[path] = most
			a.text += fmt.Sprintf(", up to %v %% where %s differs", 100*most, path)
		}
	}
	if of.Longer != 1 { // otherwise its error is that of times
		a.text += fmt.Sprintf(", which makes %s %v %% uncertain", of.Name, input.Digits(100*a.makes(a.mean), 2))
	}
	return a
}

func (a *accuracy) says(what string) string { return a.text + ": " + what + "." }

// between returns the error of the objective between two configurations: 0 where their times are equal, for instance if
// only prices differ.
func (r *Result) between(a *accuracy, x, y []int) float64 {
	time := slices.IndexFunc(r.Table.Responses, func(o analysis.Response) bool { return r.Study.Outcome(o.Name).Longer == 1 })
	if r.meanAt(x, time) == r.meanAt(y, time) {
		return 0
	}
	most := a.mean
	for path, off := range a.with {
		if r.Study.Field(x, path) != r.Study.Field(y, path) {
			most = max(most, off)
		}
	}
	return a.makes(most)
}

// near counts the configurations of a ranking that are within that error of the best.
func (r *Result) near(a *accuracy, ranking []analysis.Ranked) int {
	_, linear := r.linear()
	best := ranking[0]
	return count(ranking[1:], func(x analysis.Ranked) bool {
		return math.Abs(linear(x.Mean)/linear(best.Mean)-1) <= r.between(a, best.Levels, x.Levels)
	})
}

// nearInWords says how many configurations are near the best.
func (r *Result) nearInWords() []string {
	a, others := r.accuracy(), len(r.Ranking)-1
	if a == nil || others < 1 {
		return nil
	}
	near := r.near(a, r.Ranking)
	if near == 0 {
		return []string{a.says(nobodyNear)}
	}
	return []string{a.says(fmt.Sprintf("%d of %s within this error of the best, so which of these is better is undecided",
		near, input.Plural(others, "other configuration")+" "+map[bool]string{true: "is", false: "are"}[near == 1]))}
}

const nobodyNear = "no other configuration is within this error of the best"

// problemsHeadline is the first part of ProblemsInWords, with its first sentence shortened if it has two.
func (r *Result) problemsHeadline() []string {
	head, list, shared := r.problems()
	if shared {
		return []string{head + ".", "The values: " + list + "."}
	}
	machines := map[string]bool{}
	for i := range r.Problems {
		machines[r.Describe(r.Problems[i].best())] = true
	}
	rest := head + ": " + list + "."
	if r.everywhere(func(x analysis.Ranked) bool { return x.WithinNoise }) != nil {
		return []string{rest}
	}
	return []string{fmt.Sprintf("No machine has the %s %s of all %d %ss: %d machines share them.", r.Wanted(),
		r.label(r.Response.Name), len(r.Problems), r.given, len(machines)), rest}
}

// problems lists the best machines of some problems; head is what they have in common: the machine, if it is shared.
func (r *Result) problems() (head, listed string, shared bool) {
	const most = 4
	n := len(r.Problems)
	same := count(r.Problems, func(p Problem) bool { return slices.Equal(p.best(), r.Problems[0].best()) }) == n
	var list []string
	for i := range r.Problems {
		if i >= most-1 && i < n-1 && n > most { // the rest is about the last problem
			continue
		}
		p := &r.Problems[i]
		text := fmt.Sprintf("%s with %s", r.InUnit(input.Digits(p.Best.Value, 3)), r.Describe(p.at))
		if machine := r.Describe(p.best()); !same && machine != "" {
			text = fmt.Sprintf("%s: %s with %s", r.Describe(p.at), r.InUnit(input.Digits(p.Best.Value, 3)), machine)
		}
		if p.Best.Tied > 0 {
			text += fmt.Sprintf(" (%s as good)", input.Plural(p.Best.Tied, "other"))
		}
		list = append(list, text)
	}
	head = fmt.Sprintf("The %s %s of each of %d %ss", r.Wanted(), r.label(r.Response.Name), n, r.given)
	if machine := r.Describe(r.Problems[0].best()); same && machine != "" {
		shared = true
		head = fmt.Sprintf("For each of %d %ss the %s %s is with %s", n, r.given, r.Wanted(), r.label(r.Response.Name), machine)
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
	a, others := r.accuracy(), "others as good"
	if a != nil {
		others = "others that may be as good"
	}
	t.Columns = append(r.factorColumns(), number(r.label(r.Response.Name), r.Response.Unit), number(others))
	var shown []int // columns of the cost and the energy of each
	for k, x := range r.Table.Responses {
		if (x.Name == r.Cost.Name || x.Name == system.Energy) && x.Name != r.Response.Name {
			shown, t.Columns = append(shown, k), append(t.Columns, number(r.label(x.Name), x.Unit))
		}
	}
	for i := range r.Problems {
		p := &r.Problems[i]
		good := p.Best.Tied
		if a != nil {
			good = r.near(a, p.ranking)
		}
		cells := append(r.levelTexts(p.Best.At), input.Number(p.Best.Value), fmt.Sprint(good))
		cells = each.Append(cells, shown, func(k int) string { return input.Number(r.meanAt(p.Best.At, k)) })
		t.Rows = append(t.Rows, cells)
	}
	section := &report.Section{Heading: t.Title, Text: r.ProblemsInWords(), Blocks: []report.Block{t}}
	if len(r.Problems) <= maxBars && r.given == "condition" {
		section.Blocks = []report.Block{r.conditionChart(), t}
	}
	return section
}

// conditionChart shows the value that the best machine reaches under each condition.
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
