package findings

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/formula"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/page"
	"github.com/isoscale/isoscale/experiments/internal/scenario"
	"github.com/isoscale/isoscale/experiments/internal/study/analysis"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/topology"
)

// InUnit writes a value of the objective with its unit.
func (r *Result) InUnit(x float64) string { return quantity(x, r.Response.Unit) }

// quantity writes a number with its unit; it writes times as the rest of isoscale does.
func quantity(x float64, unit string) string {
	if text, ok := formula.Text(x, unit); ok {
		return text
	}
	shown := page.Display(unit, x)
	return strings.TrimSpace(input.Number(x*shown.Factor) + " " + shown.Unit)
}

// Wanted is "largest" or "smallest".
func (r *Result) Wanted() string {
	if r.Objective.Maximize {
		return "largest"
	}
	return "smallest"
}

// A Finding is one or a few sentences, with the field of the result that they rest on.
type Finding struct {
	Text     string `json:"text"`
	Evidence string `json:"evidence"` // key in the JSON
}

// aboutProblems is the evidence for the best of each problem.
const aboutProblems = "problems"

// mostTold is how many findings come before the sections of a report, which show the others.
const mostTold = 7

// told returns the most important findings.
func (r *Result) told() []string {
	return each.Of(r.Findings[:min(mostTold, len(r.Findings))], func(f Finding) string { return f.Text })
}

// Summary is the answer in paragraphs of plain text: the most important findings, and the number of the others.
func (r *Result) Summary() []string {
	lines := r.told()
	switch n := len(r.Findings) - len(lines); {
	case n == 1:
		lines = append(lines, "One more finding is in the report and the JSON.")
	case n > 1:
		lines = append(lines, fmt.Sprintf("%d more findings are in the report and the JSON.", n))
	}
	return lines
}

// find lists the findings, the most important first: the best, how sure it is, what matters, how to grow, laws.
func (r *Result) find() {
	r.Findings = []Finding{}
	add := func(evidence string, lines ...string) {
		r.Findings = each.Append(r.Findings, lines, func(text string) Finding { return Finding{text, evidence} })
	}
	switch {
	case r.Undecided != "":
		add("undecided", r.Undecided)
		return
	case r.Reference == nil && r.Infeasible > 0 && r.Failed == 0:
		add("infeasible", "No point is feasible.")
		return
	case r.Reference == nil:
		add("failed", "No point could be simulated.")
		return
	case r.Unequal != "":
		add("objective", r.Unequal)
	case r.Problems != nil:
		add(aboutProblems, r.ProblemsInWords()...)
	default:
		found := ""
		if r.Search != nil {
			found = " found"
		}
		add("best", fmt.Sprintf("The %s %s%s is %s.%s", r.Wanted(), r.label(r.Response.Name), found, r.bestInWords(), r.idle()))
		add("best", r.nearInWords()...)
	}
	effects, scaling := "effects", "scaling"
	if r.Unknown != "" {
		effects = "effects_unknown"
	}
	if r.Lawless != "" {
		scaling = "scaling_unknown"
	}
	for _, x := range []struct {
		evidence string
		words    func() []string
	}{
		{"crossings", r.CrossingsInWords}, {"search", r.searchInWords}, {"pure_error", r.PureErrorInWords}, {effects, r.EffectsInWords},
		{"difference", r.DifferenceInWords}, {"losses", r.LossesInWords}, {"limits", r.LimitsInWords}, {"growth", r.GrowthInWords},
		{"spending", r.SpendingInWords}, {scaling, r.ScalingInWords},
	} {
		add(x.evidence, x.words()...)
	}
}

// bestInWords gives the best value with its configuration, standard error and ties.
func (r *Result) bestInWords() string {
	text := r.InUnit(input.Digits(r.Reference.Value, 3))
	if x := r.Reference.Interval; x.Exists() {
		text = fmt.Sprintf("%s (95 %%: %s)", r.InUnit(input.Digits(r.Reference.Value, digitsOfEnds)), r.interval(x))
	}
	if with := r.Describe(r.Reference.At); with != "" {
		text += ", with " + with
	}
	if r.Study.Design.Repetitions > 1 {
		text = fmt.Sprintf("on average over %s %s", input.Plural(r.runs, "repetition"), text)
		if rivals := r.rivalsOfBest(); rivals != "" {
			return text + rivals
		}
	}
	if n := r.Reference.Tied; n > 0 {
		has := "have"
		if n == 1 {
			has = "has"
		}
		text += fmt.Sprintf("; %s %s the same value", input.Plural(n, "other configuration"), has)
	}
	return text
}

// count returns for how many elements so holds.
func count[T any](all []T, so func(T) bool) (n int) {
	for _, x := range all {
		if so(x) {
			n++
		}
	}
	return n
}

// placed returns a configuration's scenario and placement; nil for super-programs, whose nodes have no cores.
func (r *Result) placed(at []int) (*scenario.Scenario, *topology.Placement) {
	c, err := r.Study.Scenario(r.Study.Design.At(at))
	if err != nil || c.Scenario == nil {
		return nil, nil
	}
	p, err := c.Scenario.Machine.Place(c.Scenario.Selection)
	if err != nil {
		return nil, nil
	}
	return c.Scenario, p
}

// idle says how many cores and devices of its nodes the best configuration uses, ""
// if it uses all of them.
func (r *Result) idle() string {
	_, p := r.placed(r.Reference.At)
	if p == nil {
		return ""
	}
	text := ""
	for i, count := range []func() (used, all int){p.Cores, p.Devices} {
		if used, all := count(); used != all {
			text += fmt.Sprintf(" It uses %d of the %d %s of its nodes.", used, all, []string{"cores", "devices"}[i])
		}
	}
	return text
}

// worthNaming is the least share of the variance for which a sentence names its cause.
const worthNaming = 0.01

// EffectsInWords names the factors with the largest shares, or says why they are unknown.
func (r *Result) EffectsInWords() []string {
	if r.Unknown != "" {
		text := "What matters is unknown: " + r.Unknown + "."
		if r.Relation != nil {
			text += fmt.Sprintf(" At all points %s.", r.Relation.Describe(r.Table))
		}
		return []string{text}
	}
	if r.Effects == nil || len(r.Effects.Factors) < 2 || r.Effects.Factors[0].Share < worthNaming {
		return nil
	}
	var strong []string
	together, has := 1-r.Effects.Noise-r.Effects.Unexplained, "has a share of "
	others, rest := 0, 0.0
	for _, f := range r.Effects.Factors {
		together -= f.Alone
		if f.Share < worthNaming || len(strong) == 4 {
			others, rest = others+1, rest+f.Share
			continue
		}
		interval := ""
		if f.Low.Exists() && f.High.Exists() {
			interval = fmt.Sprintf(" (%.0f to %.0f %%)", 100*max(f.Low, 0), 100*min(f.High, 1)) // a share is at most 1
		}
		strong = append(strong, fmt.Sprintf("%s %s%.0f %%%s", f.Factor, has, 100*f.Share, interval))
		has = ""
	}
	text := fmt.Sprintf("Of the variance of %s, %s", r.label(r.Response.Name), strings.Join(strong, ", "))
	if rest >= worthNaming {
		text += fmt.Sprintf(", %s %.0f %%", input.Plural(others, "other factor"), 100*rest)
	}
	if r.Effects.Pairs != nil && together >= worthNaming {
		text += fmt.Sprintf(". Interactions are %.0f %% of it, divided equally among their factors", 100*together)
	}
	if r.Effects.Noise >= worthNaming {
		text += fmt.Sprintf("; differences between repetitions are %.0f %%", 100*r.Effects.Noise)
	}
	if r.Effects.Unexplained >= worthNaming {
		text += fmt.Sprintf("; a polynomial of the factors leaves %.0f %% unexplained", 100*r.Effects.Unexplained)
	}
	return []string{text + "."}
}

// worthTelling is the least shortfall, in per cent, that is reported: a choice should not rest on less.
const worthTelling = 1

// told reports whether a shortfall is worth reporting.
func told(s analysis.Shortfall) bool {
	return s.By > 0 && (!s.Percent.Exists() || s.Percent >= worthTelling)
}

// moreShort compares shortfalls, in per cent if both are known.
func moreShort(a, b analysis.Shortfall) int {
	if a.Percent.Exists() && b.Percent.Exists() {
		return cmp.Compare(a.Percent, b.Percent)
	}
	return cmp.Compare(a.By, b.By)
}

// missed says by how much the worst walk misses the best, how often and where.
func (r *Result) missed(best, at, where string, s analysis.Shortfall, walked, other analysis.Configuration) string {
	by, most := "", ""
	if s.Percent.Exists() {
		by, most = fmt.Sprintf(" by %d %% or more", worthTelling), fmt.Sprintf(", by %.3g %%", s.Percent)
	}
	return fmt.Sprintf("misses the %s%s%s, most at %s%s: it has %s with %s; the %s is %s with %s.", best, by, at, where, most,
		r.InUnit(walked.Value), r.Describe(walked.At),
		strings.Fields(best)[0], r.InUnit(other.Value), r.Describe(other.At))
}

// label returns what charts and tables call a factor, an outcome or an expression: its label or else its name in words.
func (r *Result) label(name string) string {
	return cmp.Or(r.Study.About.Labels[name], inWords(name))
}

// fieldPath is the path of a field of a scenario, or a single name.
var fieldPath = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.\[\]]*$`)

// inWords returns a name without underscores; for the path of a field, its last two keys.
func inWords(name string) string {
	if keys := strings.Split(name, "."); fieldPath.MatchString(name) {
		name = strings.Join(keys[max(0, len(keys)-2):], " ")
	}
	return strings.ReplaceAll(name, "_", " ")
}
