package words

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/answer/efficiencies"
	"github.com/isoscale/isoscale/experiments/internal/answer/system"
	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/internal/each"
)

// limitedBy says what limits a workload; "-" where no simulation tells.
func (r Answer) limitedBy(workload string) string {
	for i, x := range r.Causes {
		if x.Workload == workload {
			return r.part(&r.Causes[i], x.Cause)
		}
	}
	return "-"
}

// part names a part of the machine for the nodes of a run: on nodes with devices, the devices compute.
func (r Answer) part(x *model.CauseResult, name string) string {
	if name != system.Parts[0].Name {
		return name
	}
	of := []string{x.Node}
	if x.Node == "" {
		of = each.Of(r.Recommendation().Nodes, func(y model.NodeCount) string { return y.Type })
	}
	cores, devices := 0, 0
	for i := range r.Plan.Nodes {
		switch n := &r.Plan.Nodes[i]; {
		case !slices.Contains(of, n.Name):
		case n.Devices != nil:
			devices++
		default:
			cores++
		}
	}
	return system.Computing(cores, devices)
}

// gain prints a gain in percent as people do: "8.1", "0".
func gain(x float64) string {
	if percent := fmt.Sprintf("%.1f", 100*x); percent != "0.0" && percent != "-0.0" {
		return strings.TrimSuffix(percent, ".0")
	}
	return "0"
}

// noticed is the gain from which a part is named beside the cause: a twentieth of the time.
const noticed = 0.05 * system.Step

// causeInWords says what limits a workload: "stencil: memory bandwidth 8.1 %, cores 0 %".
func (r Answer) causeInWords(x *model.CauseResult) string {
	gains := slices.Clone(x.Gains)
	slices.SortStableFunc(gains, func(a, b system.Gain) int { return cmp.Compare(b.Gain, a.Gain) })
	text := x.Workload + ": "
	switch x.Cause {
	case system.Imbalance:
		text += fmt.Sprintf("imbalance, even loads %s %%, ", gain(x.Even))
	case system.NoPart:
		text += system.NoPart + ", "
	}
	var named []string
	for _, y := range gains {
		if y.Gain >= noticed || y.Part == system.Parts[0].Name {
			named = append(named, fmt.Sprintf("%s %s %%", r.part(x, y.Part), gain(y.Gain)))
		}
	}
	return text + strings.Join(named, ", ")
}

// causesInWords says what limits each workload, by decreasing node time; "" if that is not known.
func (r Answer) causesInWords() string {
	time := map[string]float64{}
	for _, w := range r.Recommendation().Workloads {
		time[w.Name] = w.PerYear * w.NodeTime
	}
	all := slices.Clone(r.Causes)
	slices.SortStableFunc(all, func(a, b model.CauseResult) int {
		return cmp.Compare(time[b.Workload], time[a.Workload])
	})
	if len(all) == 0 {
		return ""
	}
	text := each.Of(all, func(x model.CauseResult) string { return r.causeInWords(&x) })
	return fmt.Sprintf("faster with a part %g %% better: ", 100*system.Step) + strings.Join(text, "; ")
}

// bindingInWords says what loosening each limit by a tenth would gain, and which limits gain nothing; "" where that is
// not known.
func (r Answer) bindingInWords() string {
	var gains, nothing []string
	for _, x := range r.Limits {
		switch {
		case gain(x.Gain) == "0":
			nothing = append(nothing, x.Limit)
		case x.Margin != nil:
			gains = append(gains, fmt.Sprintf("%s %s %% (at the margin %s %%)", x.Limit, gain(x.Gain), gain(*x.Margin)))
		default:
			gains = append(gains, fmt.Sprintf("%s %s %%", x.Limit, gain(x.Gain)))
		}
	}
	switch {
	case len(r.Limits) == 0:
		return ""
	case len(gains) == 0:
		return fmt.Sprintf("%g %% more of any limit gains nothing", 100*system.Step)
	case len(nothing) > 0:
		gains = append(gains, "nothing by "+input.Joined(nothing, "and"))
	}
	return fmt.Sprintf("%g %% more gains: ", 100*system.Step) + strings.Join(gains, ", ")
}

// causeTable shows the gain of each workload from each part of the recommended machine.
func (r Answer) causeTable() *report.Table {
	columns := ""
	for _, x := range system.Parts {
		columns += "; #" + x.Name + "|%"
	}
	t := r.table("causes", 100*system.Step, columns)
	for _, x := range r.Causes {
		row := []string{x.Workload, strings.TrimSpace(fmt.Sprintf("%d %s", x.Nodes, x.Node)), r.part(&x, x.Cause)}
		row = each.Append(row, x.Gains, func(y system.Gain) string { return gain(y.Gain) })
		add(t, append(row, gain(x.Even))...)
	}
	return t
}

// Explanations returns the explanations of each workload's time on the recommended machine.
func (r Answer) Explanations() []system.Named {
	var all []system.Named
	for i, x := range r.Causes {
		all = append(all, system.Named{Name: x.Workload, Why: &r.Causes[i].Why})
	}
	return all
}

// efficiencyTable says where the time of each workload on the recommended machine goes.
func (r Answer) efficiencyTable() *report.Table {
	var runs []efficiencies.Named
	for _, x := range r.Causes {
		if x.Efficiencies != nil {
			runs = append(runs, efficiencies.Named{Name: x.Workload, Efficiencies: x.Efficiencies})
		}
	}
	return efficiencies.Table(runs...)
}
