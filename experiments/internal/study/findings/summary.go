package findings

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/internal/study/studytable"
	"github.com/isoscale/isoscale/model/units"
)

// Headline says in one line what was studied.
func (r *Result) Headline() string {
	title := cmp.Or(r.Title, "study in "+r.Directory)
	return title + ": " + r.Study.Extent()
}

// InUnit writes a value of the objective with its unit.
func (r *Result) InUnit(x float64) string { return quantity(x, r.Response.Unit) }

// quantity writes a number with its unit: times as the rest of isoscale does.
func quantity(x float64, unit string) string {
	switch unit {
	case "":
		return fmt.Sprintf("%.6g", x)
	case "s":
		return units.Seconds(x).String()
	case "B":
		return units.Bytes(x).String()
	case "flop":
		return units.Flops(x).String()
	case "flop/s":
		return units.FlopsPerSecond(x).String()
	}
	return fmt.Sprintf("%.6g %s", x, unit)
}

// Wanted is "largest" or "smallest".
func (r *Result) Wanted() string {
	if r.Goal == studytable.Maximize {
		return "largest"
	}
	return "smallest"
}

// Summary is the answer in paragraphs of plain text.
func (r *Result) Summary() []string {
	var lines []string
	add := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	if r.Reference == nil {
		add("No point could be simulated.")
		return lines
	}
	if r.Unequal != "" {
		lines = append(lines, r.Unequal)
	} else {
		found := ""
		if r.Search != nil {
			found = " found"
		}
		add("The %s %s%s is %s.%s", r.Wanted(), r.Response.Name, found, r.bestInWords(), r.idle())
	}
	lines = append(lines, r.searchInWords()...)
	lines = append(lines, r.EffectsInWords()...)
	lines = append(lines, r.DifferenceInWords()...)
	lines = append(lines, r.LossesInWords()...)
	lines = append(lines, r.LimitsInWords()...)
	lines = append(lines, r.GrowthInWords()...)
	lines = append(lines, r.SpendingInWords()...)
	lines = append(lines, r.ScalingInWords()...)
	return lines
}

// bestInWords is the best value with its configuration, its standard error and ties.
func (r *Result) bestInWords() string {
	text := r.InUnit(r.Reference.Value)
	if e := r.Reference.StdErr; e != nil && *e > 0 {
		text += fmt.Sprintf(" (standard error %s)", r.InUnit(*e))
	}
	if with := r.Describe(r.Reference.At); with != "" {
		text += ", with " + with
	}
	if n := r.Study.Design.Repetitions; n > 1 {
		text = fmt.Sprintf("in the mean of %d repetitions %s", n, text)
		near := -1
		leaders := r.Leaders()
		for _, x := range leaders {
			if x.WithinNoise {
				near++
			}
		}
		if near > r.Reference.Tied {
			return text + fmt.Sprintf("; %d of the next %d configurations differ by at most two standard errors", near, len(leaders)-1)
		}
	}
	if r.Reference.Tied > 0 {
		has := "have"
		if r.Reference.Tied == 1 {
			has = "has"
		}
		text += fmt.Sprintf("; %s %s the same value", input.Plural(r.Reference.Tied, "other configuration"), has)
	}
	return text
}

// GrowthInWords says whether the best configurations form a path, and where greedy
// growth misses the optimum.
func (r *Result) GrowthInWords() []string {
	if r.Path == nil {
		return nil
	}
	if r.Envelope != nil {
		return append([]string{r.upToInWords()}, r.ascentInWords()...)
	}
	var lines []string
	first, last := r.Growth[0], r.Growth[len(r.Growth)-1]
	sizes := fmt.Sprintf("%d sizes from %s to %s %s", len(r.Growth), quantity(first.Size, r.Size.Unit), quantity(last.Size, r.Size.Unit), r.Size.Name)
	switch jumps, switches := r.Path.Jumps, r.Path.Switches; {
	case jumps == 0 && switches > 0:
		lines = append(lines, fmt.Sprintf("Over %s, the best configuration of each size is at most one step of a numeric factor from that of the previous size, and %s another level of a factor without order, which is a choice and no growth.", sizes, input.Plural(switches, "time")))
	case jumps == 0:
		lines = append(lines, fmt.Sprintf("Over %s, the best configuration of each size is one step from that of the previous size: a system can grow along the optimum.", sizes))
	default:
		lines = append(lines, fmt.Sprintf("Over %s, the best configuration is %s more than one step from that of the previous size: growth by single steps cannot follow the optimum.", sizes, input.Plural(r.Path.Jumps, "time")))
	}
	if text := r.rivalsInWords(); text != "" {
		lines = append(lines, text)
	}
	if text := r.diagonalInWords(); text != "" {
		lines = append(lines, text)
	}
	return append(lines, r.ascentInWords()...)
}

// ascentInWords says where greedy growth misses the optimum.
func (r *Result) ascentInWords() []string {
	if r.Ascent == nil || len(r.Ascent.Steps) < 2 {
		return nil
	}
	told := r.ToldMisses()
	switch {
	case len(r.Ascent.Misses) == 0:
		return []string{"Greedy growth, by the best single step each time, is optimal at every size that it reaches."}
	case len(told) == 0:
		return []string{fmt.Sprintf("Greedy growth, by the best single step each time, is within %d %% of the optimum at every size that it reaches.", WorthTelling)}
	}
	worst := told[0]
	by := ""
	if worst.Percent != nil {
		by = fmt.Sprintf(" by %d %% or more", WorthTelling)
	}
	return []string{fmt.Sprintf("Greedy growth, by the best single step each time, misses the optimum%s at %s, most at %s %s%s: it has %s with %s; the optimum is %s with %s.",
		by, input.Plural(len(told), "size"), quantity(worst.Size, r.Size.Unit), r.Size.Name, percentText(worst.Percent, ", by %.3g %%"),
		r.InUnit(worst.Walk.Value), r.Describe(worst.Walk.At), r.InUnit(worst.Best.Value), r.Describe(worst.Best.At))}
}

// diagonalInWords says up to which size the best configurations raise both factors of
// the map in turn; "" if their values differ, so that there is no diagonal.
func (r *Result) diagonalInWords() string {
	x, y, ok := r.Mapped()
	if !ok || len(r.Growth) < 4 {
		return ""
	}
	at, ok := r.Path.LeavesDiagonal(r.Table, x, y)
	if !ok || at == 0 {
		return ""
	}
	both := r.Table.Factors[x].Name + " and " + r.Table.Factors[y].Name
	if at == len(r.Growth) {
		return fmt.Sprintf("The best configurations stay on the diagonal: %s are never more than a level apart.", both)
	}
	o := r.Growth[at]
	return fmt.Sprintf("The best configurations leave the diagonal, on which %s are at most a level apart, at %s %s, with %s.", both, quantity(o.Size, r.Size.Unit), r.Size.Name, r.Describe(o.At))
}

// rivalsInWords says at how many sizes the best configuration is not the only one
// that may be the best; "" if there are none.
func (r *Result) rivalsInWords() string {
	ties, rivals := 0, 0
	for _, o := range r.Growth {
		if o.Tied > 0 {
			ties++
		}
		if o.WithinNoise > o.Tied {
			rivals++
		}
	}
	var parts []string
	if ties > 0 {
		parts = append(parts, fmt.Sprintf("at %s others are as good", input.Plural(ties, "size")))
	}
	if rivals > 0 {
		parts = append(parts, fmt.Sprintf("at %s others are within two standard errors of the best", input.Plural(rivals, "size")))
	}
	if parts == nil {
		return ""
	}
	return fmt.Sprintf("The path is one of several: of %s, %s.", input.Plural(len(r.Growth), "size"), strings.Join(parts, ", and "))
}

// percentText writes per cent that may not exist; "" if they do not.
func percentText(v *float64, format string) string {
	if v == nil {
		return ""
	}
	return fmt.Sprintf(format, *v)
}

// ScalingInWords names the law with the smallest error of prediction.
func (r *Result) ScalingInWords() []string {
	if r.Lawless != "" {
		return []string{r.Lawless}
	}
	if r.Laws == nil {
		return nil
	}
	of, _ := r.linear()
	return r.Laws.InWords("the best " + of.Name)
}
