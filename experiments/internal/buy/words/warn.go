package words

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/isoscale/isoscale/experiments/internal/buy/model"
	"github.com/isoscale/isoscale/experiments/internal/file/input"
	"github.com/isoscale/isoscale/internal/each"
	"github.com/isoscale/isoscale/model/units"
)

// warn says what to know of the answer: of its search, of the recommended machine, of what is estimated, of the
// machines and of the model.
func (r Answer) warn() {
	first := r.Recommendation()
	r.Warnings = slices.Concat(r.Warnings, r.ofSearch(), first.Warnings, r.ofEstimates(first), r.ofMachines(first.Choice), r.ofModel(first))
}

// warnings are sentences.
type warnings []string

func (w *warnings) add(format string, args ...any) { *w = append(*w, fmt.Sprintf(format, args...)) }

// ofSearch says what was not searched, and what was compared.
func (r Answer) ofSearch() (list warnings) {
	p := r.Plan
	if len(r.LeftOut) > 0 {
		times := "simulated"
		if len(p.Commitments) > 0 {
			times += " or committed"
		}
		list.add("a first answer: the times of the ranking are %s, none is estimated; left out: %s", times, input.Joined(r.LeftOut, "and"))
	}
	if r.TodayUnfit != "" {
		list.add("the existing machine cannot run every workload: %s", r.TodayUnfit)
	}
	if names := p.WholeUnsaid; len(names) > 0 {
		list.add("runs of %s take the whole machine, one after the other, because the plan does not say on how many nodes "+
			"they run: nodes: best lets runs share the machine, nodes: all says that they do not", input.Joined(names, "and"))
	}
	if r.Gap > 0 {
		list.add("the search ended before it was complete: another machine may be better by up to %.2g %%", 100*r.Gap)
	}
	for _, twin := range p.Twins() {
		list.add("%s in its name only and is counted once", twin)
	}
	for w := range p.Workloads {
		if text := r.unequalWork(w); text != "" {
			list.add("%s", text)
		}
	}
	return list
}

// ofEstimates says what the recommended machine rests on that is not known, and how far it leads.
func (r Answer) ofEstimates(first *model.Candidate) (list warnings) {
	p := r.Plan
	var estimates, depends []string
	for _, n := range first.Choice.Types {
		for _, f := range p.Nodes[n].Figures {
			if f.Estimate && (f.Quantity == model.QuantityPrice || f.Quantity == model.QuantitySpeed) {
				estimates = append(estimates, fmt.Sprintf("the %s of %s, %s", f.Quantity, f.Of, f.Value))
			}
		}
	}
	if len(estimates) > 0 {
		list.add("before you buy, obtain a quote or a benchmark result in place of estimates: %s", strings.Join(estimates, "; "))
	}
	for _, x := range r.Robustness.Parameters {
		if x.Estimate && (x.FirstLow != first.Design || x.FirstHigh != first.Design) {
			other, way := x.FirstLow, "lower"
			if other == first.Design {
				other, way = x.FirstHigh, "higher"
			}
			depends = append(depends, fmt.Sprintf("if the %s is %.0f %% %s, %s", x.Parameter, 100*r.Robustness.Change, way,
				isFirst(other)))
		}
	}
	if len(depends) > 0 {
		list.add("the recommendation depends on estimates: %s", strings.Join(depends, "; "))
	}
	if r.Lead != nil && *r.Lead < tooClose {
		list.add("the difference to %s is only %.1f %%, which is less than the uncertainty of simulated times and of prices",
			r.RunnerUp, 100*math.Abs(*r.Lead))
	}
	return list
}

// ofMachines says what is not known of the machines, or not used.
func (r Answer) ofMachines(choice model.Choice) (list warnings) {
	p := r.Plan
	var unknown, devices, idle []string
	for _, n := range r.candidates() {
		if n.Memory == 0 {
			unknown = append(unknown, n.Name)
		}
		if n.Devices != nil {
			devices = append(devices, n.Name)
		}
		switch {
		case n.UsedCores() == n.Cores:
		case n.Devices != nil:
			idle = append(idle, fmt.Sprintf("%s uses %d of its %d devices", n.Name, n.Processes, n.Cores))
		default:
			idle = append(idle, fmt.Sprintf("%s uses %d of its %d cores: %s of %s", n.Name, n.UsedCores(), n.Cores,
				input.Plural(n.Processes, "process"), input.Plural(n.Threads, "thread")))
		}
	}
	if len(unknown) > 0 {
		list.add("the memory of %s is not known: whether the problems fit was not checked", input.Joined(unknown, "and"))
	}
	if len(devices) > 0 {
		list.add("each accelerator of %s runs one process, and transfers between its memory and that of the node "+
			"are outside the scope of the model", input.Joined(devices, "and"))
	}
	list = append(list, p.AssumedSpeeds()...)
	network := &p.Networks[choice.Network]
	if w, _ := p.Bought(choice); w.Cables() > 0 && network.CablePrice.Amount == 0 {
		list.add("the %d cables between the switches of %s have no price: see price_per_cable", w.Cables(), network.Name)
	}
	if len(idle) > 0 {
		list.add("%s", strings.Join(idle, "; "))
	}
	return list
}

// ofModel says what has no effect, and what the recommended machine cannot use.
func (r Answer) ofModel(first *model.Candidate) (list warnings) {
	p := r.Plan
	if p.Energy.Price == 0 {
		list.add("no energy price is given: no cost includes energy")
	}
	if !p.UsesMemory() {
		list.add("no workload has bytes_per_flop: memory bandwidth has no effect on the result")
	}
	if n := len(r.Ranking); n > 1 && !p.Model.SharesLinks {
		for _, w := range p.Workloads {
			together := func(x *model.Workload) bool { return x.Run.SendsTogether }
			if slices.ContainsFunc(w.Runs(), together) {
				list.add("in workload %s many processes of a node send at the same time; network model %s ignores the "+
					"contention between them, model: flow includes it", w.Name, p.Model.Name)
			}
		}
	}
	var low []string
	for _, w := range first.Workloads {
		if w.Work > 0 && w.Efficiency < model.LowEfficiency {
			text := fmt.Sprintf("%s at %.2g %%", w.Name, 100*w.Efficiency)
			if cause := r.limitedBy(w.Name); cause != "-" {
				text += fmt.Sprintf(", limited by %s", cause)
			}
			low = append(low, text)
		}
	}
	if len(low) > 0 {
		list.add("below %g %% of the marked speed of %s run: %s", 100*model.LowEfficiency, first.Name, strings.Join(low, "; "))
	}
	return list
}

// sameWork is the relative difference up to which runs count as the same work.
const sameWork = 0.01

// unequalWork says that runs of a workload are not the same work on all ranked machines although their times are
// compared, or "".
func (r Answer) unequalWork(w int) string {
	p := r.Plan
	if p.PerWork(w) || len(p.Workloads[w].Either) > 0 { // the plan declares its alternatives to be the same work
		return ""
	}
	var least, most model.WayResult
	for _, c := range r.Ranking {
		for _, x := range c.Workloads {
			if x.Name != p.Workloads[w].Name {
				continue
			}
			for _, y := range x.Ways {
				if y.Share == 0 || y.Work == 0 {
					continue
				}
				if least.Work == 0 || y.Work < least.Work {
					least = y
				}
				if y.Work > most.Work {
					most = y
				}
			}
		}
	}
	if most.Work <= (1+sameWork)*least.Work {
		return ""
	}
	return fmt.Sprintf("a run of %s is not the same work on all machines: %v and %v, %.1f %% more; the times of runs "+
		"are compared as they are", p.Workloads[w].Name, units.Flops(least.Work), units.Flops(most.Work), 100*(most.Work/least.Work-1))
}

// bestOfDesigns returns the best machine of each design, the recommended one first.
func (r Answer) bestOfDesigns() []model.Candidate {
	if len(r.Points) > 0 {
		return each.Of(r.Points, func(x model.PointsResult) model.Candidate { return *r.Find(x.Name) })
	}
	best := []model.Candidate{*r.Recommendation()}
	return each.Where(best, r.Designs(), func(c model.Candidate) bool { return c.Name != r.Recommended })
}

func (r Answer) candidates() (all []*model.Node) {
	for _, c := range r.bestOfDesigns() {
		for _, t := range c.Choice.Types {
			if n := &r.Plan.Nodes[t]; !slices.Contains(all, n) {
				all = append(all, n)
			}
		}
	}
	return all
}

func notModelled(p *model.Plan) []string {
	jobs := "no queues"
	if p.SideBySide() {
		jobs = "no contention between jobs"
	}
	items := slices.Concat(text("no storage"), text(jobs), text("no failures"))
	if !p.Model.SharesLinks {
		items = append(items, text("no contention of messages", p.Model.Name)...)
	}
	if !p.Model.SharesMemory {
		items = append(items, text("no contention for memory")...)
	}
	return append(items, text("no other programs")...)
}
