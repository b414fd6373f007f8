package words

import (
	"fmt"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/answer/queue"
	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/experiments/report"
)

func (r Answer) assumptionTable() *report.Table {
	p := r.Plan
	t := &report.Table{Title: "Assumptions", Columns: []report.Column{{Title: "assumption"}, {Title: "value"}}}
	add := func(what, value string) { t.Rows = append(t.Rows, []string{what, value}) }
	counts := "as many as the budget allows"
	if !p.Counts.Affordable {
		counts = ""
		for i, n := range p.Counts.List {
			if i == 20 {
				counts += fmt.Sprintf(" ... %d", p.Counts.List[len(p.Counts.List)-1])
				break
			}
			counts += fmt.Sprintf(" %d", n)
		}
	}
	add("numbers of nodes", strings.TrimSpace(counts))
	for _, m := range p.Mixes {
		add("mix of node types", p.Nodes[m[0]].Name+" and "+p.Nodes[m[1]].Name)
	}
	if e := p.Existing; e != nil {
		add("existing machine", fmt.Sprintf("%d %s, %s; retirement: %s", e.Count, p.Nodes[e.Node].Name, p.Networks[e.Network].Name, e.Retire))
	}
	k := &p.Costs
	for _, x := range []struct {
		what  string
		given bool
		value string
	}{
		{"price of a rack", k.RackPrice > 0, fmt.Sprintf("%s for %s rack units", p.Money(k.RackPrice), input.Number(k.RackUnits))},
		{"maintenance a year", k.Maintenance > 0, fmt.Sprintf("%g %% of the price of nodes and network", 100*k.Maintenance)},
		{"staff a year", k.Staff > 0, p.Money(k.Staff)},
		{"value added tax", k.VAT > 0, fmt.Sprintf("%g %%", 100*k.VAT)},
		{"discount rate", k.Discount > 0, fmt.Sprintf("%g %% a year", 100*k.Discount)},
		{"growth of the energy price", p.Energy.Growth != 0, fmt.Sprintf("%g %% a year", 100*p.Energy.Growth)},
	} {
		if x.given {
			add(x.what, x.value)
		}
	}
	for _, x := range k.Fixed {
		add(x.Name, fmt.Sprintf("%s once, %s a year", p.Money(x.Once), p.Money(x.Yearly)))
	}
	add("network model", p.Model.Name)
	if p.ByRuns && p.SideBySide() {
		add("queue", fmt.Sprintf("%s, %d jobs at random times", queue.PolicyTitle(p.Queue.Policy.String()), p.Queue.Submissions))
	}
	for _, x := range p.Exchange {
		add("exchange rate", fmt.Sprintf("1 %s = %g %s", x.Currency, x.Worth, p.Budget.Money.Currency))
	}
	for _, n := range p.Nodes {
		text := fmt.Sprintf("%d, one for each core", n.Processes)
		switch {
		case n.Devices != nil:
			text = fmt.Sprintf("%d, on %d of %d devices, at %s", n.Processes, n.Processes, n.Cores, n.Precision)
		case n.Processes != n.Cores:
			text = fmt.Sprintf("%d of %d threads, on %d of %d cores", n.Processes, n.Threads, n.UsedCores(), n.Cores)
		}
		add("processes per "+n.Name, text)
	}
	return t
}

func (r Answer) workTable() *report.Table {
	p := r.Plan
	weight := "share"
	if p.ByRuns {
		weight = "runs a year"
	}
	t := &report.Table{Title: "Workloads", Columns: []report.Column{{Title: "name"}, {Title: "program"}, {Title: weight, Numeric: true}, {Title: "nodes of a run"}, {Title: "deadline"}, {Title: "problem size"}, {Title: "parameters"}}}
	for _, w := range p.Workloads {
		size := fmt.Sprint(w.Run.N)
		if w.Target > 0 {
			size = fmt.Sprintf("that with a speed-efficiency of %g", w.Target)
		}
		t.Rows = append(t.Rows, []string{w.Name, w.Run.Name, model.WeightText(w.Weight), placeText(&w), deadlineText(&w), size, input.ParameterText(w.Run.Parameters)})
	}
	return t
}

// placeText says where a run may take place.
func placeText(w *model.Workload) string {
	if w.Partition == "" {
		return w.On.Text()
	}
	return w.On.Text() + ", partition " + w.Partition
}

// deadlineText says by when runs must be done.
func deadlineText(w *model.Workload) string {
	var parts []string
	if w.Deadline > 0 {
		parts = append(parts, w.Deadline.String())
	}
	if w.Batch > 0 {
		parts = append(parts, fmt.Sprintf("%s in %v", input.Plural(w.Batch, "run"), w.Within))
	}
	return strings.Join(parts, "; ")
}

func (r Answer) figureTable() *report.Table {
	t := &report.Table{Title: "Figures", Columns: []report.Column{{Title: "of"}, {Title: "quantity"}, {Title: "value"}, {Title: "source"}, {Title: "estimate"}}}
	for _, f := range r.Figures {
		estimate := ""
		if f.Estimate {
			estimate = "yes"
		}
		t.Rows = append(t.Rows, []string{f.Of, f.Quantity, f.Value, f.Source, estimate})
	}
	return t
}

func (r Answer) notConsidered() []report.Block {
	blocks := []report.Block{&report.Notes{Items: r.NotModelled}}
	if len(r.Excluded) == 0 {
		return blocks
	}
	t := &report.Table{Title: "Excluded machines and designs", Columns: []report.Column{{Title: "machine or design"}, {Title: "reason"}}}
	var reasons []string
	names := map[string][]string{} // by reason
	for _, e := range r.Excluded {
		if names[e.Reason] == nil {
			reasons = append(reasons, e.Reason)
		}
		names[e.Reason] = append(names[e.Reason], e.Name)
	}
	for i, reason := range reasons {
		if i == reportRows {
			t.Caption = fmt.Sprintf("Only the first %d of %d reasons are listed.", i, len(reasons))
			break
		}
		excluded := names[reason]
		if more := len(excluded) - reportExcluded; more > 0 {
			excluded = append(excluded[:reportExcluded:reportExcluded], fmt.Sprintf("%d more", more))
		}
		t.Rows = append(t.Rows, []string{strings.Join(excluded, "; "), reason})
	}
	return append(blocks, t)
}
