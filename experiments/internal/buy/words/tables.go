package words

import (
	"cmp"
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/answer/queue"
	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/report"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/units"
)

// reportText has the paragraphs of reports, each below a line with its key. A table's are its title, its columns and
// its caption.
//
//go:embed report.txt
var reportText string

var paragraphs = func() map[string]string {
	all := map[string]string{}
	for block := range strings.SplitSeq(strings.TrimPrefix(reportText, "== "), "\n\n== ") {
		key, text, _ := strings.Cut(block, "\n")
		all[key] = strings.TrimSuffix(text, "\n")
	}
	return all
}()

// text returns the paragraphs of a key, which are formats, filled in.
func text(key string, about ...any) []string {
	format, ok := paragraphs[key]
	if !ok {
		panic("buy: report.txt has no " + key)
	}
	return strings.Split(fmt.Sprintf(format, about...), "\n")
}

// table returns a table without rows. Semicolons separate the columns: a # precedes the title of numbers, a bar the
// unit, and $ stands for the currency.
func (r Answer) table(key string, about ...any) *report.Table {
	lines := append(text("table "+key, about...), "")
	t := &report.Table{Title: lines[0], Caption: lines[2]}
	for c := range strings.SplitSeq(strings.ReplaceAll(lines[1], "$", r.Currency), "; ") {
		name, unit, _ := strings.Cut(c, "|")
		head, numeric := strings.CutPrefix(name, "#")
		t.Columns = append(t.Columns, report.Column{Title: head, Unit: unit, Numeric: numeric})
	}
	return t
}

func add(t *report.Table, cells ...string) { t.Rows = append(t.Rows, cells) }

// known prints a figure that may be unknown.
func known(x *float64, otherwise string, print func(float64) string) string {
	if x == nil {
		return otherwise
	}
	return print(*x)
}

func yes(is bool) string {
	if is {
		return "yes"
	}
	return ""
}

func (r Answer) billTable() *report.Table {
	p, c := r.Plan, r.Recommendation()
	t := r.table("bill", c.Name)
	counted := func(what string, count int, price float64) {
		if count > 0 {
			add(t, what, fmt.Sprint(count), input.Thousands(price))
		}
	}
	bid := p.BidOf(c.Choice.Design)
	if bid != nil {
		counted(bid.Name, 1, bid.Price)
	}
	for i, n := range c.Choice.Types {
		x, count := &p.Nodes[n], c.Choice.Counts[i]
		if name := "node " + withTitle(x.Name, x.Title); bid != nil {
			add(t, name, fmt.Sprint(count), "in the bid")
		} else {
			counted(name, count, x.Cost(count))
		}
	}
	n := &p.Networks[c.Choice.Network]
	name := n.Name
	if w, _ := p.Bought(c.Choice); bid == nil {
		counted("port of "+name+", with cable", w.Ports, c.Bill.Ports)
		counted("switch of "+name, w.Switches(), c.Bill.Switches)
		counted("cable between leaf switches and spines", w.Uplinks, float64(w.Uplinks)*n.CablePrice.Amount)
		counted("cable between spines and the switches above", w.Upper, float64(w.Upper)*n.CablePrice.Amount)
	} else if w.Switches() > 0 {
		add(t, "network "+withTitle(name, n.Title), "", "in the bid")
	}
	for i, price := range []float64{c.Bill.Racks, c.Bill.Fixed, c.Bill.VAT} {
		if price != 0 {
			add(t, []string{"racks", "fixed costs", "value added tax"}[i], "", input.Thousands(price))
		}
	}
	add(t, "total", "", input.Thousands(c.Price))
	return t
}

func (r Answer) workloadTable() *report.Table {
	c := r.Recommendation()
	t := r.table("runs", c.Name)
	for i := range c.Workloads {
		w := &c.Workloads[i]
		var places []string // of the runs: 2 fat (75 %), 4 fat (25 %)
		for _, x := range w.Ways {
			if x.Share == 0 {
				continue
			}
			text := strings.TrimSpace(fmt.Sprintf("%d %s", x.Nodes, x.Node))
			if x.Share < 1 {
				text += fmt.Sprintf(" (%.2g %%)", 100*x.Share)
			}
			places = append(places, text)
		}
		committed := w.Work == 0 && w.Compute == 0
		if w.Impossible != "" {
			add(t, w.Name, "-", "none", "-", "-", "-", "-", "-", "-", "-", "-", "-", "-")
			continue
		}
		add(t, w.Name, fmt.Sprint(w.N), strings.Join(places, ", "), fmt.Sprintf("%.4g s", w.Time),
			input.OrDash(w.Work != 0, fmt.Sprintf("%.3f", w.Efficiency)),
			input.OrDash(!committed, fmt.Sprintf("%.0f",
				100*w.Compute)), r.limitedBy(w.Name), model.Number(w.Energy), model.Number(w.Capital), model.Number(w.EnergyCost), model.Number(w.IdleCost), model.Number(w.Other), model.Number(w.Cost))
	}
	return t
}

func (r Answer) acceptanceTable() *report.Table {
	t := r.table("acceptance")
	for _, a := range r.Acceptance {
		add(t, a.Workload, strings.TrimSpace(fmt.Sprintf("%d %s", a.Nodes, a.Node)), fmt.Sprintf("%.4g s", a.Time),
			fmt.Sprintf("%g", 100*a.Tolerance), fmt.Sprintf("%.4g s", a.Most), a.Source)
	}
	return t
}

func (r Answer) cashFlowTable() *report.Table {
	c := r.Recommendation()
	t := r.table("cash flow", c.Name, 100*r.Plan.Costs.Discount)
	for _, x := range c.CashFlow {
		amounts := []float64{x.Purchase, x.Energy, x.Maintenance, x.Staff, x.Fixed, x.Total, x.Present}
		add(t, each.Append([]string{fmt.Sprint(x.Year)}, amounts, input.Thousands)...)
	}
	return t
}

// costTable shows what machines cost over their years of operation, and what a run costs on them.
func (r Answer) costTable() *report.Table {
	columns := ""
	for _, w := range r.Plan.Workloads {
		columns += "; #run of " + w.Name + "|$"
	}
	t := r.table("costs", columns)
	for i, c := range r.Designs() {
		if i == reportDesigns/2 {
			t.Caption += fmt.Sprintf(" Only the %d fastest designs are listed.", i)
			break
		}
		row := []string{c.Name, input.Thousands(c.Price), input.Thousands(c.LifeCost - c.Price),
			input.Thousands(c.LifeCost), known(c.JobCost, "", model.Number)}
		row = each.Append(row, c.Workloads, func(w model.WorkloadResult) string { return model.Number(w.Cost) })
		add(t, row...)
	}
	return t
}

// scatter shows the time over another quantity, which is divided by part.
func (r Answer) scatter(title string, x model.Axis, axis report.Axis, part float64) *report.ScatterChart {
	unit, scale := r.scoreUnit()
	y := report.Axis{Title: r.Score.Meaning, Unit: unit}
	c := &report.ScatterChart{Title: title, X: axis, Y: y, Height: 460, Caption: "Line: the Pareto front of the machines ranked."}
	others := report.ScatterSeries{Name: "other machines", Faint: true}
	members := report.ScatterSeries{Name: "Pareto front", StepAfter: true}
	recommended := report.ScatterSeries{Name: "recommended"}
	shortest := slices.MinFunc(r.Ranking, func(a, b model.Candidate) int { return cmp.Compare(a.Score, b.Score) }).Score
	charted := slices.DeleteFunc(slices.Clone(r.Ranking), func(k model.Candidate) bool {
		return k.Score > chartedTimes*shortest && k.Name != r.Recommended
	})
	if left := len(r.Ranking) - len(charted); left > 0 {
		c.Caption += fmt.Sprintf(" Not shown: %d machines that take more than %d times as long as the fastest.",
			left, chartedTimes)
	}
	// The fastest must come first, also where machines are ranked by price.
	slices.SortStableFunc(charted, func(a, b model.Candidate) int { return cmp.Compare(a.Score, b.Score) })
	room := each.Max(0, charted, func(k model.Candidate) float64 { return labelRoom * x.Of(&k) })
	labelled := x.Of(&charted[0]) // where the last label is
	for i := range charted {
		k := &charted[i]
		at := x.Of(k)
		p := report.ScatterPoint{
			Name: k.Name, X: at / part, Y: k.Score / scale,
			Notes: fmt.Sprintf("%s, %v, %s rack units, %.3g times the shortest time", r.Plan.Money(k.Price),
				units.Watts(k.Power), input.Number(k.RackUnits), k.Score/shortest),
		}
		if k.Name == r.Recommended {
			best := p
			best.Label = k.Name
			recommended.Points = append(recommended.Points, best)
		}
		if !slices.Contains(k.Fronts, model.ByTime.Name+"-"+x.Name) {
			others.Points = append(others.Points, p)
			continue
		}
		if labelled-at > room && k.Name != r.Recommended {
			p.Label, labelled = k.Name, at
		}
		members.Points = append(members.Points, p)
	}
	c.Series = []report.ScatterSeries{others, members, recommended}
	return c
}

// scoreUnit is the unit of scores in charts, and how many of their own unit that is.
func (r Answer) scoreUnit() (unit string, scale float64) {
	if r.Plan.ByRuns && r.Plan.Objective.Name != model.ObjectiveTime {
		return "h", 3600
	}
	return "s", 1
}

func (r Answer) frontTable() *report.Table {
	t := r.table("fronts")
	for _, c := range r.Ranking {
		if len(c.Fronts) == 0 {
			continue
		}
		if len(t.Rows) == reportRows {
			t.Caption += fmt.Sprintf(" Only the first %d are listed.", reportRows)
			break
		}
		add(t, c.Name, r.Plan.ScoreText(c.Score), known(c.Relative, "-", func(x float64) string { return fmt.Sprintf("%.3f", x) }), input.Thousands(c.Price),
			input.Thousands(c.Energy), strings.ReplaceAll(strings.Join(c.Fronts, ", "), "-", "/"))
	}
	return t
}

func (r Answer) assumptionTable() *report.Table {
	p := r.Plan
	t := r.table("assumptions")
	counts := "as many as the budget allows"
	if list := p.Counts.List; !p.Counts.Affordable {
		counts = strings.Trim(fmt.Sprint(list[:min(len(list), reportCounts)]), "[]")
		if len(list) > reportCounts {
			counts += fmt.Sprintf(" ... %d", list[len(list)-1])
		}
	}
	add(t, "numbers of nodes", counts)
	for _, m := range p.Mixes {
		names := each.Of(m, func(node int) string { return p.Nodes[node].Name })
		add(t, "mix of node types", input.Joined(names, "and"))
	}
	for _, x := range p.Require {
		add(t, "required", x.Nodes+": at least "+x.AtLeast())
	}
	for _, c := range p.BidChoices(false) {
		b := p.BidOf(c.Design)
		text := fmt.Sprintf("%s: %s", p.Name(c), p.Money(b.Price))
		if b.Yearly > 0 {
			text += fmt.Sprintf(", and %s a year", p.Money(b.Yearly))
		}
		add(t, "bid", text)
	}
	if e := p.Existing; e != nil {
		add(t, "existing machine", fmt.Sprintf("%d %s, %s; retirement: %s", e.Count, p.Nodes[e.Node].Name,
			p.Networks[e.Network].Name, e.Retire))
	}
	k := &p.Costs
	for _, x := range []struct {
		what  string
		given bool
		value string
	}{
		{"price of a rack", k.RackPrice > 0, fmt.Sprintf("%s for %s rack units", p.Money(k.RackPrice),
			input.Number(k.RackUnits))},
		{"maintenance a year", k.Maintenance > 0, fmt.Sprintf("%g %% of the price of nodes and network",
			100*k.Maintenance)},
		{"staff a year", k.Staff > 0, p.Money(k.Staff)},
		{"value added tax", k.VAT > 0, fmt.Sprintf("%g %%", 100*k.VAT)},
		{"discount rate", k.Discount > 0, fmt.Sprintf("%g %% a year", 100*k.Discount)},
		{"growth of the energy price", p.Energy.Growth != 0, fmt.Sprintf("%g %% a year", 100*p.Energy.Growth)},
	} {
		if x.given {
			add(t, x.what, x.value)
		}
	}
	for _, x := range k.Fixed {
		add(t, x.Name, fmt.Sprintf("%s once, %s a year", p.Money(x.Once), p.Money(x.Yearly)))
	}
	add(t, "network model", p.Model.Name)
	if r.SharesMachines() {
		add(t, "queue", fmt.Sprintf("%s, %d to %d jobs at random times",
			queue.PolicyTitle(p.Queue.Policy.String()), p.Queue.Submissions, p.Queue.Most()))
	}
	for _, x := range p.Exchange {
		add(t, "exchange rate", fmt.Sprintf("1 %s = %g %s", x.Currency, x.Worth, p.Budget.Money.Currency))
	}
	for _, n := range p.Nodes {
		text := fmt.Sprintf("%d, one for each core", n.Processes)
		switch {
		case n.Devices != nil:
			text = fmt.Sprintf("%d, on %d of %d devices, at %s", n.Processes, n.Processes, n.Cores, n.Precision)
		case n.Processes != n.Cores:
			text = fmt.Sprintf("%d of %d threads, on %d of %d cores", n.Processes, n.Threads, n.UsedCores(), n.Cores)
		}
		add(t, "processes per "+n.Name, text)
	}
	return t
}

func (r Answer) workTable() *report.Table {
	weight := "share"
	if r.Plan.ByRuns {
		weight = "runs a year"
	}
	t := r.table("workloads", weight)
	for _, w := range r.Plan.Workloads {
		var deadlines []string
		if w.Deadline > 0 {
			deadlines = append(deadlines, w.Deadline.String())
		}
		if w.Impossible > 0 {
			deadlines = append(deadlines, fmt.Sprintf("%s each if it cannot run", queue.Span(w.Impossible)))
		}
		if w.Batch > 0 {
			deadlines = append(deadlines, fmt.Sprintf("%s in %v", input.Plural(w.Batch, "run"), w.Within))
		}
		weight := model.WeightText(w.Weight)
		for i, x := range w.Runs() {
			size, place := fmt.Sprint(x.Run.N), x.On.Text()
			if w.Target > 0 {
				size = fmt.Sprintf("that with a speed-efficiency of %g", w.Target)
			}
			if x.Partition != "" {
				place += ", partition " + x.Partition
			}
			if x.RankOrder.Name != "" {
				place += ", ranks " + x.RankOrder.Name
			}
			if i > 0 {
				weight = "or"
			}
			add(t, w.Name, x.Run.Name, weight, place+x.AtLeast(), strings.Join(deadlines, "; "), size,
				input.ParameterText(x.Run.Parameters))
		}
	}
	return t
}

func (r Answer) figureTable() *report.Table {
	t := r.table("figures")
	for _, f := range r.Figures {
		value := f.Value
		if f.Range != "" {
			value += fmt.Sprintf(" (%s, %s)", f.Range, f.Date)
		}
		add(t, f.Of, f.Quantity, value, f.Source, yes(f.Estimate))
	}
	return t
}

func (r Answer) notConsidered() []report.Block {
	blocks := []report.Block{&report.Notes{Items: r.NotModelled}}
	if len(r.Excluded) == 0 {
		return blocks
	}
	t := r.table("excluded")
	reasons, of := grouped(r.Excluded, func(e model.Exclusion) string { return e.Reason })
	for i, reason := range reasons {
		if i == reportRows {
			t.Caption = fmt.Sprintf("Only the first %d of %d reasons are listed.", i, len(reasons))
			break
		}
		var names []string
		for k, e := range of[reason] {
			if k == reportExcluded {
				names = append(names, fmt.Sprintf("%d more", len(of[reason])-k))
				break
			}
			names = append(names, e.Name)
		}
		add(t, strings.Join(names, "; "), reason)
	}
	return append(blocks, t)
}
